/**
 * Makes the search index of a snapshot. The workspace is open for a moment at a time, so that a server that shows lists meanwhile
 * does not wait: two thousand pages are read, then worked on; rows are written a hundred thousand at a time. Until the last
 * of these transactions has named the index, it is not there, and the next attempt starts over.
 */
import { randomUUID } from "node:crypto";
import { setImmediate as pause } from "node:timers/promises";
import { deflateRawSync } from "node:zlib";
import { UserError } from "../../errors.js";
import { termsOf } from "../../pages/terms.js";
import { grown } from "../../tables/grown.js";
import { NumberColumn } from "../../tables/number-column.js";
import { storeAnalysis } from "../analyses.js";
import { appendColumns, type ColumnData } from "../columns.js";
import type { Connection, Workspace } from "../workspace.js";
import { POSTINGS_ANALYSIS } from "./postings.js";
import { findDownloads, type SnapshotName } from "./snapshots.js";

export interface PostingsNumbers {
  readonly pages: number;
  readonly terms: number;
  readonly postings: number;
  /** Terms that came when there was no room left for them. */
  readonly dropped: number;
}

/** A Map ends at 16 million entries. */
const MOST_TERMS = 10_000_000;

/** Fast rather than small: it is read ten pages at a time, and written all at once. */
const TEXT_LEVEL = 2;

/** To read one text, DuckDB decompresses those of all rows of its vector: they are read together. */
const VECTOR_ROWS = 2048;

/** What one transaction puts in: some hundredths of a second each. */
const PAGES_WRITTEN = 1000;
const ROWS_WRITTEN = 100_000;

/** Pages that are worked on before others get their turn. */
const PAGES_AT_ONCE = 25;

/** Replaces the index of a snapshot, unless no page has text. `onPage` is called after each page. */
export async function buildPostings(
  workspace: Workspace,
  snapshot: SnapshotName,
  onPage: (done: number, total: number) => void,
): Promise<PostingsNumbers> {
  const list = await listTexts(workspace, snapshot);
  const index = new PageIndex();
  for (let start = 0, end = 0; start < list.rows.length; start = end) {
    const vector = vectorOf(list.rows[start]!);
    while (end < list.rows.length && vectorOf(list.rows[end]!) === vector) end++;
    const texts = await readTexts(workspace, snapshot, list, start, end);
    for (const [at, { url, title, text }] of texts.entries()) {
      index.add(url, title, text);
      onPage(start + at + 1, list.rows.length);
      if (at % PAGES_AT_ONCE === 0) await pause();
    }
  }
  const numbers = index.numbers();
  if (numbers.pages > 0) await storeIndex(workspace, snapshot, list, index, numbers);
  return numbers;
}

const vectorOf = (row: number) => Math.floor(row / VECTOR_ROWS);

/** The pages with text that count, by their rows in `pages`, and how many pages there were. */
interface TextList {
  readonly rows: Float64Array;
  readonly urls: Uint32Array;
  readonly pages: number;
}

async function listTexts(workspace: Workspace, snapshot: SnapshotName): Promise<TextList> {
  return workspace.read(async (connection) => {
    await findDownloads(connection, [snapshot]);
    const found = await connection.runAndReadAll(
      `SELECT d.page::DOUBLE, d.url FROM downloads d JOIN pages p ON p.rowid = d.page WHERE p.text IS NOT NULL ORDER BY d.page`,
    );
    const [rows = [], urls = []] = found.getColumns();
    return {
      rows: Float64Array.from(rows, Number),
      urls: Uint32Array.from(urls, Number),
      pages: await countPages(connection, snapshot),
    };
  });
}

async function countPages(connection: Connection, snapshot: SnapshotName): Promise<number> {
  const counted = await connection.runAndReadAll(`SELECT count(*) FROM pages WHERE snapshot = ${snapshot.id}`);
  return Number(counted.getRows()[0]![0]);
}

interface PageText {
  readonly url: number;
  readonly title: string | null;
  readonly text: string;
}

async function readTexts(
  workspace: Workspace,
  snapshot: SnapshotName,
  list: TextList,
  start: number,
  end: number,
): Promise<PageText[]> {
  const rows = list.rows.subarray(start, end);
  const found = await workspace.read((connection) =>
    connection.runAndReadAll(
      `SELECT rowid::DOUBLE, url, nullif(title, ''), text FROM pages
       WHERE rowid BETWEEN ${rows[0]} AND ${rows.at(-1)} AND text IS NOT NULL ORDER BY rowid`,
    ),
  );
  const wanted = new Map([...rows].map((row, at) => [row, list.urls[start + at]!]));
  const texts = found
    .getRows()
    .filter(([row, url]) => wanted.get(Number(row)) === url)
    .map(([, url, title, text]) => ({
      ...{ url: Number(url), title: title === null ? null : String(title), text: String(text) },
    }));
  if (texts.length < rows.length) throw changedMeanwhile(snapshot);
  return texts;
}

const changedMeanwhile = ({ name }: SnapshotName) =>
  new UserError(`the pages of snapshot "${name}" have changed while they were indexed: search again`);

/** Terms and where they occur, as columns. */
class PageIndex {
  readonly #numberOf = new Map<string, number>();
  readonly #term = new NumberColumn();
  readonly #url = new NumberColumn();
  readonly #occurrences = new NumberColumn();
  readonly pages = { url: new NumberColumn(), terms: new NumberColumn() };
  readonly titles: (string | null)[] = [];
  readonly texts: Uint8Array[] = [];
  /** Of the page at hand; entries other than those of its terms are 0. */
  #seen = new Uint32Array(1024);
  #dropped = 0;

  add(url: number, title: string | null, text: string): void {
    const found: number[] = [];
    const terms = termsOf(text);
    for (const term of terms) {
      const number = this.#number(term);
      if (number === undefined) this.#dropped++;
      else if (this.#seen[number]!++ === 0) found.push(number);
    }
    for (const number of found) {
      this.#term.push(number);
      this.#url.push(url);
      this.#occurrences.push(this.#seen[number]!);
      this.#seen[number] = 0;
    }
    this.pages.url.push(url);
    this.pages.terms.push(terms.length);
    this.titles.push(title);
    this.texts.push(deflateRawSync(text, { level: TEXT_LEVEL }));
  }

  #number(term: string): number | undefined {
    const known = this.#numberOf.get(term);
    if (known !== undefined || this.#numberOf.size >= MOST_TERMS) return known;
    const number = this.#numberOf.size;
    this.#numberOf.set(term, number);
    if (number >= this.#seen.length) this.#seen = grown(this.#seen, 2 * this.#seen.length);
    return number;
  }

  numbers(): PostingsNumbers {
    return {
      pages: this.pages.url.length,
      terms: this.#numberOf.size,
      postings: this.#term.length,
      dropped: this.#dropped,
    };
  }

  /** Postings in the order of their terms' numbers, and how many each term has. */
  byTerm(): { term: Uint32Array; url: Uint32Array; occurrences: Uint32Array; pagesOf: Uint32Array } {
    const [terms, urls, occurrences] = [this.#term.values, this.#url.values, this.#occurrences.values];
    const pagesOf = new Uint32Array(this.#numberOf.size);
    for (const term of terms) pagesOf[term]!++;
    const next = new Uint32Array(pagesOf.length);
    for (let term = 1; term < next.length; term++) next[term] = next[term - 1]! + pagesOf[term - 1]!;
    const sorted = {
      ...{ term: new Uint32Array(terms.length), url: new Uint32Array(terms.length) },
      occurrences: new Uint32Array(terms.length),
    };
    for (let row = 0; row < terms.length; row++) {
      const at = next[terms[row]!]!++;
      sorted.term[at] = terms[row]!;
      sorted.url[at] = urls[row]!;
      sorted.occurrences[at] = occurrences[row]!;
    }
    return { ...sorted, pagesOf };
  }

  /** Terms with their numbers, in order; by their first letters, so that no sorting takes long. */
  async sortedTerms(): Promise<[string, number][]> {
    const buckets = new Map<number, [string, number][]>();
    for (const entry of this.#numberOf) {
      const first = entry[0].charCodeAt(0);
      const bucket = buckets.get(first);
      if (bucket === undefined) buckets.set(first, [entry]);
      else bucket.push(entry);
    }
    const sorted: [string, number][] = [];
    for (const first of [...buckets.keys()].sort((a, b) => a - b)) {
      sorted.push(...buckets.get(first)!.sort(([a], [b]) => (a < b ? -1 : 1)));
      await pause();
    }
    return sorted;
  }
}

/** Several transactions: a mark in the workspace says whose they are, and only the last makes the index known. */
async function storeIndex(
  workspace: Workspace,
  snapshot: SnapshotName,
  { pages }: TextList,
  index: PageIndex,
  numbers: PostingsNumbers,
): Promise<void> {
  const mark = `indexing-${snapshot.id}`;
  const owner = randomUUID();
  const write = (work: (connection: Connection) => Promise<void>) =>
    workspace.write(async (connection) => {
      const owned = await connection.runAndReadAll("SELECT 1 FROM meta WHERE key = $1 AND value = $2", [mark, owner]);
      if (owned.currentRowCount === 0) {
        throw new UserError(`another process has begun to index snapshot "${snapshot.name}": search again in a while`);
      }
      await work(connection);
    });
  await workspace.write(async (connection) => {
    for (const table of ["postings", "search_terms", "search_pages"]) {
      await connection.run(`DELETE FROM ${table} WHERE snapshot = ${snapshot.id}`);
    }
    await connection.run("DELETE FROM analyses WHERE name = $1 AND snapshot = $2", [POSTINGS_ANALYSIS, snapshot.id]);
    await connection.run("DELETE FROM meta WHERE key = $1", [mark]);
    await connection.run("INSERT INTO meta VALUES ($1, $2)", [mark, owner]);
  });
  const append = async (
    table: string,
    rows: number,
    atOnce: number,
    part: (start: number, end: number) => ColumnData[],
  ) => {
    for (let start = 0; start < rows; start += atOnce) {
      const end = Math.min(rows, start + atOnce);
      const columns = [new Int32Array(end - start).fill(snapshot.id), ...part(start, end)];
      await write((connection) => appendColumns(connection, table, columns));
    }
  };
  const { term, url, occurrences, pagesOf } = index.byTerm();
  await append("postings", term.length, ROWS_WRITTEN, (start, end) =>
    [term, url, occurrences].map((column) => column.subarray(start, end)),
  );
  const terms = await index.sortedTerms();
  await append("search_terms", terms.length, ROWS_WRITTEN, (start, end) => {
    const some = terms.slice(start, end);
    const ids = Uint32Array.from(some, ([, id]) => id);
    return [ids, some.map(([name]) => name), ids.map((id) => pagesOf[id]!)];
  });
  // Pages were read in the order in which they came, which is nearly that of their URLs' numbers.
  await append("search_pages", numbers.pages, PAGES_WRITTEN, (start, end) => [
    index.pages.url.values.subarray(start, end),
    index.pages.terms.values.subarray(start, end),
    index.titles.slice(start, end),
    { blobs: index.texts.slice(start, end) },
  ]);
  await write(async (connection) => {
    if ((await countPages(connection, snapshot)) !== pages) throw changedMeanwhile(snapshot);
    await connection.run("DELETE FROM meta WHERE key = $1", [mark]);
    await storeAnalysis(connection, POSTINGS_ANALYSIS, snapshot.id, {}, numbers);
  });
}
