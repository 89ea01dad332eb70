/** The search index of a snapshot: made, ranked, read. */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { Place, RankedResult } from "../../collections/rollup.js";
import { InvariantError } from "../../errors.js";
import { termsOf } from "../../pages/terms.js";
import { hasAnalysis, storeAnalysis } from "../analyses.js";
import { quoted, readChunks, stageTable } from "../columns.js";
import { DuckDBBlobValue } from "../duckdb.js";
import { NumberColumn } from "../urls/growing-column.js";
import type { Connection, Workspace } from "../workspace.js";
import { findDownloads, type SnapshotName } from "./snapshots.js";

const ANALYSIS = "postings";

/** Whether the index of a snapshot has the pages that are there now. */
export async function hasPostings(connection: Connection, snapshot: SnapshotName): Promise<boolean> {
  return hasAnalysis(connection, ANALYSIS, snapshot.id);
}

export interface PostingsNumbers {
  readonly pages: number;
  readonly terms: number;
  readonly postings: number;
  /** Terms that came after so many others that there was no room for them. */
  readonly dropped: number;
}

/** A Map ends at 16 million entries. */
const MOST_TERMS = 10_000_000;

/** Fast rather than small: it is read ten pages at a time, and written all at once. */
const TEXT_LEVEL = 2;

/** Makes the index of a snapshot anew, unless no page has text. `onPage` is called after each page. */
export async function buildPostings(
  workspace: Workspace,
  snapshot: SnapshotName,
  onPage: (done: number, total: number) => void,
): Promise<PostingsNumbers> {
  const numberOf = new Map<string, number>();
  const postings = { term: new NumberColumn(), url: new NumberColumn(), occurrences: new NumberColumn() };
  const pages = { url: new NumberColumn(), terms: new NumberColumn() };
  const titles: (string | null)[] = [];
  const texts: Uint8Array[] = [];
  let total = 0;
  // Of the page at hand; entries other than those of `found` are 0.
  let occurrences = new Uint32Array(1024);
  let dropped = 0;
  const take = (url: number, title: string | null, text: string) => {
    const found: number[] = [];
    const terms = termsOf(text);
    for (const term of terms) {
      let number = numberOf.get(term);
      if (number === undefined) {
        if (numberOf.size >= MOST_TERMS) {
          dropped++;
          continue;
        }
        number = numberOf.size;
        numberOf.set(term, number);
        if (number >= occurrences.length) {
          const larger = new Uint32Array(2 * occurrences.length);
          larger.set(occurrences);
          occurrences = larger;
        }
      }
      if (occurrences[number]!++ === 0) found.push(number);
    }
    for (const number of found) {
      postings.term.push(number);
      postings.url.push(url);
      postings.occurrences.push(occurrences[number]!);
      occurrences[number] = 0;
    }
    pages.url.push(url);
    pages.terms.push(terms.length);
    titles.push(title);
    texts.push(deflateRawSync(text, { level: TEXT_LEVEL }));
    onPage(pages.url.length, total);
  };
  await workspace.read(async (connection) => {
    await findDownloads(connection, [snapshot]);
    const from = "FROM downloads d JOIN pages p ON p.rowid = d.page WHERE p.text IS NOT NULL";
    total = Number((await connection.runAndReadAll(`SELECT count(*) ${from}`)).getRows()[0]![0]);
    await readChunks(connection, `SELECT d.url, nullif(p.title, ''), p.text ${from}`, [], (chunk, rows) => {
      const [ids, names, contents] = [0, 1, 2].map((column) => chunk.getColumnValues(column));
      for (let row = 0; row < rows; row++) {
        take(Number(ids![row]), names![row] === null ? null : String(names![row]), String(contents![row]));
      }
    });
  });
  const numbers = { pages: pages.url.length, terms: numberOf.size, postings: postings.term.length, dropped };
  if (numbers.pages === 0) return numbers;
  await workspace.write(async (connection) => {
    for (const table of ["postings", "search_terms", "search_pages"]) {
      await connection.run(`DELETE FROM ${table} WHERE snapshot = ${snapshot.id}`);
    }
    await stageTable(connection, "new_terms", { id: Uint32Array.from(numberOf.values()), term: [...numberOf.keys()] });
    await stageTable(connection, "new_pages", {
      url: pages.url.values,
      terms: pages.terms.values,
      title: titles,
      text: { blobs: texts },
    });
    await stageTable(connection, "new_postings", {
      term: postings.term.values,
      url: postings.url.values,
      occurrences: postings.occurrences.values,
    });
    await connection.run(
      `INSERT INTO search_terms SELECT ${snapshot.id}, t.id, t.term, p.pages
       FROM new_terms t JOIN (SELECT term, count(*) AS pages FROM new_postings GROUP BY term) p ON p.term = t.id
       ORDER BY t.term`,
    );
    await connection.run(
      `INSERT INTO search_pages SELECT ${snapshot.id}, url, terms, title, text FROM new_pages ORDER BY url`,
    );
    await connection.run(
      `INSERT INTO postings SELECT ${snapshot.id}, term, url, occurrences FROM new_postings ORDER BY term, url`,
    );
    await storeAnalysis(connection, ANALYSIS, snapshot.id, {}, numbers);
  });
  return numbers;
}

/** BM25's parameters, as most engines have them. */
const K1 = 1.2;
const B = 0.75;

/** A page that was found, by the number of its URL too. */
export interface FoundPage extends RankedResult {
  readonly id: number;
  /** Where it belongs, if that was asked for and it belongs anywhere. */
  readonly place?: Place;
}

/** The best pages for a query, best first, and how many there are with any of its terms. */
export async function rankPages(
  connection: Connection,
  snapshot: SnapshotName,
  query: string,
  most: number,
  withPlaces = false,
): Promise<{ readonly hits: readonly FoundPage[]; readonly matches: number }> {
  const asked = [...new Set(termsOf(query))].map(quoted);
  if (asked.length === 0) return { hits: [], matches: 0 };
  const known = await connection.runAndReadAll(
    `SELECT id, pages, corpus.* FROM search_terms,
       (SELECT count(*), avg(terms) FROM search_pages WHERE snapshot = ${snapshot.id}) AS corpus
     WHERE snapshot = ${snapshot.id} AND term IN (${asked.join(", ")})`,
  );
  const terms = known.getRows().map((row) => row.map(Number));
  if (terms.length === 0) return { hits: [], matches: 0 };
  const [, , total, average] = terms[0]!;
  const rarity = (pages: number) => Math.log(1 + (total! - pages + 0.5) / (pages + 0.5));
  const weights = terms.map(([id, pages]) => `WHEN ${id} THEN ${rarity(pages!)}`).join(" ");
  // Numbers as literals: so DuckDB skips the blocks of `postings` that have none of them.
  const found = await connection.runAndReadAll(
    `WITH ranked AS (
       SELECT p.url, sum((CASE p.term ${weights} END)::DOUBLE * p.occurrences * ${K1 + 1}
         / (p.occurrences + ${K1} * (1 - ${B} + ${B} * s.terms / ${average}))) AS score
       FROM postings p JOIN search_pages s ON s.snapshot = ${snapshot.id} AND s.url = p.url
       WHERE p.snapshot = ${snapshot.id} AND p.term IN (${terms.map(([id]) => id).join(", ")})
       GROUP BY p.url),
     best AS (
       SELECT u.id, u.url, score, (SELECT count(*) FROM ranked) AS matches
       FROM ranked JOIN urls u ON u.id = ranked.url ORDER BY score DESC, u.url LIMIT ${most})
     ${
       withPlaces
         ? `SELECT best.id, best.url, score, matches, c.cluster, c.replica FROM best
              LEFT JOIN trivial t ON t.snapshot = ${snapshot.id} AND t.url = best.id
              LEFT JOIN collection_pages c ON c.snapshot = ${snapshot.id} AND c.url = t.page AND c.is_confirmed`
         : "SELECT id, url, score, matches, NULL, NULL FROM best"
     }
     ORDER BY score DESC, best.url`,
  );
  const rows = found.getRows();
  return {
    hits: rows.map(([id, url, score, , cluster, replica]) => ({
      ...{ id: Number(id), url: String(url), score: Number(score) },
      ...(cluster !== null && { place: { cluster: Number(cluster), replica: Number(replica) } }),
    })),
    matches: Number(rows[0]?.[3] ?? 0),
  };
}

/**
 * Title and text of these pages, by the numbers of their URLs. The index has texts of its own, each compressed by
 * itself: to read one of `pages`, DuckDB decompresses the two thousand around it.
 */
export async function readContents(
  connection: Connection,
  snapshot: SnapshotName,
  ids: readonly number[],
): Promise<Map<number, { readonly title?: string; readonly text: string }>> {
  if (ids.length === 0) return new Map();
  const rows = await connection.runAndReadAll(
    `SELECT url, title, text FROM search_pages WHERE snapshot = ${snapshot.id} AND url IN (${ids.join(", ")})`,
  );
  return new Map(
    rows.getRows().map(([url, title, text]) => {
      if (!(text instanceof DuckDBBlobValue)) throw new InvariantError("a text in the search index is not a blob");
      return [Number(url), { ...(title && { title: String(title) }), text: inflateRawSync(text.bytes).toString() }];
    }),
  );
}
