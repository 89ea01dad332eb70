/**
 * Tables (RFC 4180 and what spreadsheets make of it): any of four delimiters, quotes with line ends inside, a header, a
 * title line above it, or neither and a URL in every row. Screaming Frog's exports are recognised by their column names
 * like any other.
 */
import type { RowOutcome } from "../../http/row-outcome.js";
import { isWebUrl } from "../../http/values.js";
import { delimiters, HEADER_LINES, readRow } from "../csv-row.js";
import { digestNameOf, type FieldName, mapColumns, pageFromFields } from "./fields.js";

export interface CsvRow {
  /** 1-based line where the row starts. */
  readonly line: number;
  readonly outcome: RowOutcome;
  /** How the row begins. */
  readonly text: string;
}

/** A row that is longer has lost a quotation mark. */
const MAX_ROW_CHARS = 1 << 20;

interface Header {
  readonly delimiter: string;
  readonly count: number;
  readonly columns: ReadonlyMap<FieldName, number>;
  readonly digestName: string | undefined;
}

/**
 * The header that a line is, by the delimiter that gives it the most columns; undefined if none of them means a URL.
 */
export function headerOf(line: string, urlColumn?: string): Header | undefined {
  let best: Header | undefined;
  for (const delimiter of delimiters) {
    const names = readRow(line, 0, delimiter, true)!.fields;
    const columns = mapColumns(names, urlColumn);
    if (!columns.has("url") || names.length <= (best?.count ?? 0)) continue;
    const digest = columns.get("digest");
    best = { delimiter, count: names.length, columns, digestName: digestNameOf(names[digest ?? -1]) };
  }
  return best;
}

/**
 * A substitute header for a table without one, whose first two rows these are: both have their URL, and their status if
 * they have one, in the same column. `column` is the number of the URL's column, from 1, if the user gives it.
 */
export function headerOfRows(first: string, second: string, column?: string): Header | undefined {
  for (const delimiter of delimiters) {
    const rows = [first, second].map((line) => readRow(line, 0, delimiter, true)!.fields);
    const [{ length: count }] = rows as [readonly string[], readonly string[]];
    const isAlways = (at: number, test: (field: string) => boolean) => rows.every((fields) => test(fields[at] ?? ""));
    const all = Array.from({ length: count }, (_, at) => at);
    const url = column === undefined ? all.find((at) => isAlways(at, isWebUrl)) : Number(column) - 1;
    if (count < 2 || rows[1]!.length !== count || url === undefined || !isAlways(url, isWebUrl)) continue;
    const status = all.find((at) => isAlways(at, (field) => /^[1-5]\d\d$/.test(field)));
    const columns = new Map<FieldName, number>([
      ["url", url],
      ...(status === undefined ? [] : [["status", status] as const]),
    ]);
    return { delimiter, count, columns, digestName: undefined };
  }
  return undefined;
}

/**
 * A header that does not name its URL column in words known here, "Landing page;Hits": the row below it has as many
 * fields, and a URL where the header has none.
 */
export function headerAbove(first: string, second: string): Header | undefined {
  for (const delimiter of delimiters) {
    const [names, row] = [first, second].map((line) => readRow(line, 0, delimiter, true)!.fields) as [
      string[],
      string[],
    ];
    const url = row.findIndex(isWebUrl);
    if (names.length < 2 || row.length !== names.length || url < 0) continue;
    if (names.some((name) => name.trim() === "" || isWebUrl(name) || name.includes("://"))) continue;
    const columns = new Map([...mapColumns(names), ["url", url] as const]);
    return { delimiter, count: names.length, columns, digestName: undefined };
  }
  return undefined;
}

export class CsvParser {
  #text = "";
  #at = 0;
  #line = 1;
  #header: Header | undefined;
  /** Inside a line that is longer than any row: to be skipped up to its end. */
  #skipping = false;
  readonly #base: string | undefined;
  readonly #urlColumn: string | undefined;

  constructor(base?: string, urlColumn?: string) {
    this.#base = base;
    this.#urlColumn = urlColumn;
  }

  /** Rows of one more piece of text; call with `last` once at the end. */
  *push(chunk: string, last = false): Generator<CsvRow> {
    this.#text = this.#text.slice(this.#at) + chunk;
    this.#at = 0;
    if (this.#line === 1 && this.#header === undefined && this.#text.startsWith("\ufeff")) this.#at = 1;
    while (this.#at < this.#text.length) {
      if (this.#skipping && !this.#skipLine()) return;
      const outcome = this.#header === undefined ? this.#readHeader(last) : this.#readData(this.#header, last);
      if (outcome === "more") return;
      if (outcome !== undefined) yield outcome;
    }
    if (last && this.#header === undefined) yield { line: 1, outcome: this.#noHeader(), text: "" };
  }

  #noHeader(): string {
    return this.#urlColumn === undefined
      ? "neither a header with a URL column nor a URL in every row"
      : `no header with a column "${this.#urlColumn}"`;
  }

  #readHeader(last: boolean): CsvRow | "more" | undefined {
    const isLong = this.#text.length - this.#at >= MAX_ROW_CHARS;
    const first = this.#lineAt(this.#at);
    const second = this.#lineAt(first.end);
    if (!second.isWhole && !last && !isLong) return "more";
    const at = this.#line;
    this.#header = headerOf(first.text, this.#urlColumn);
    if (this.#header === undefined) {
      this.#header = headerOfRows(first.text, second.text, this.#urlColumn);
      // Its first row is already a data row.
      if (this.#header !== undefined) return undefined;
      if (this.#urlColumn === undefined) this.#header = headerAbove(first.text, second.text);
    }
    this.#advance(first.end);
    if (this.#header === undefined && at >= HEADER_LINES) {
      // Without a header nothing can be read: say so once, and skip the rest.
      this.#advance(this.#text.length);
    }
    return undefined;
  }

  #lineAt(at: number): { readonly text: string; readonly end: number; readonly isWhole: boolean } {
    const feed = this.#text.indexOf("\n", at);
    const isWhole = feed >= 0;
    const text = this.#text.slice(at, isWhole ? feed : undefined).replace(/\r$/, "");
    return { text, end: isWhole ? feed + 1 : this.#text.length, isWhole };
  }

  #readData(header: Header, last: boolean): CsvRow | "more" | undefined {
    const line = this.#line;
    const text = this.#text.slice(this.#at, this.#at + 200);
    const row = readRow(this.#text, this.#at, header.delimiter, last);
    if (row === undefined) {
      if (this.#text.length - this.#at <= MAX_ROW_CHARS) return "more";
      this.#skipping = true;
      return { line, outcome: `row is longer than ${MAX_ROW_CHARS} characters`, text };
    }
    const { fields, regular } = row;
    if (fields.length === 1 && fields[0]!.trim() === "") {
      this.#advance(row.end);
      return undefined;
    }
    const surplus = fields.slice(header.count).some((field) => field !== "");
    if (fields.length >= header.count && !surplus && regular) {
      this.#advance(row.end);
      return { line, outcome: this.#page(header, fields), text };
    }
    // One quotation mark too many or too few joins this line with later, sound lines: only this one is given up.
    this.#skipping = true;
    return { line, outcome: regular ? "number of fields is not the header's" : "quotation marks do not match", text };
  }

  #page(header: Header, fields: readonly string[]): RowOutcome {
    // An empty cell says nothing.
    return pageFromFields((field) => fields[header.columns.get(field) ?? -1] || undefined, {
      base: this.#base,
      digestName: header.digestName,
    });
  }

  #skipLine(): boolean {
    const feed = this.#text.indexOf("\n", this.#at);
    this.#advance(feed < 0 ? this.#text.length : feed + 1);
    this.#skipping = feed < 0;
    return feed >= 0;
  }

  #advance(to: number): void {
    for (
      let feed = this.#text.indexOf("\n", this.#at);
      feed >= 0 && feed < to;
      feed = this.#text.indexOf("\n", feed + 1)
    ) {
      this.#line++;
    }
    this.#at = to;
  }
}
