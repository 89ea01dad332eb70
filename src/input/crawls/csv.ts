/**
 * Tables with a header (RFC 4180 and what spreadsheets make of it): any of four delimiters, quotes with line ends inside,
 * a title line above the header. Screaming Frog's exports are recognised by their column names like any other.
 */
import type { RowOutcome } from "../../http/row-outcome.js";
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

/** The header that a line is, by the delimiter that gives it most columns; undefined if none of them means a URL. */
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
      ? "no header with a URL column"
      : `no header with a column "${this.#urlColumn}"`;
  }

  #readHeader(last: boolean): CsvRow | "more" | undefined {
    const feed = this.#text.indexOf("\n", this.#at);
    if (feed < 0 && !last && this.#text.length - this.#at < MAX_ROW_CHARS) return "more";
    const end = feed < 0 ? this.#text.length : feed + 1;
    const line = this.#text.slice(this.#at, feed < 0 ? end : feed).replace(/\r$/, "");
    const at = this.#line;
    this.#advance(end);
    this.#header = headerOf(line, this.#urlColumn);
    if (this.#header === undefined && at >= HEADER_LINES) {
      // Without a header nothing can be read: say so once, and skip the rest.
      this.#advance(this.#text.length);
    }
    return undefined;
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
    // A quotation mark too many or too few joins this line with later ones, which are sound: only this one is given up.
    this.#skipping = true;
    return { line, outcome: regular ? "number of fields is not the header's" : "quotation marks do not match", text };
  }

  #page(header: Header, fields: readonly string[]): RowOutcome {
    return pageFromFields((field) => fields[header.columns.get(field) ?? -1], {
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
