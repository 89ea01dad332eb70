import type { RankedResult } from "../collections/rollup.js";
import { termsOf } from "../pages/terms.js";
import { hasAnalysis, storeAnalysis } from "./clusters.js";
import { quoted, readChunks, stageTable } from "./columns.js";
import { findDownloads, type SnapshotName } from "./downloads.js";
import { NumberColumn } from "./number-column.js";
import type { Connection, Workspace } from "./workspace.js";

const analysis = "postings";

/** Whether the index of a snapshot has the pages that are there now. */
export async function hasPostings(connection: Connection, snapshot: SnapshotName): Promise<boolean> {
  return hasAnalysis(connection, analysis, snapshot.id);
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

/** Makes the index of a snapshot anew, unless no page has text. `onPage` is called after each page. */
export async function buildPostings(
  workspace: Workspace,
  snapshot: SnapshotName,
  onPage: (done: number) => void,
): Promise<PostingsNumbers> {
  const numberOf = new Map<string, number>();
  const postings = { term: new NumberColumn(), url: new NumberColumn(), occurrences: new NumberColumn() };
  const pages = { url: new NumberColumn(), terms: new NumberColumn() };
  // Of the page at hand; entries other than those of `found` are 0.
  let occurrences = new Uint32Array(1024);
  let dropped = 0;
  const take = (url: number, text: string) => {
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
    onPage(pages.url.length);
  };
  await workspace.read(async (connection) => {
    await findDownloads(connection, [snapshot]);
    await readChunks(
      connection,
      "SELECT d.url, p.text FROM downloads d JOIN pages p ON p.rowid = d.page WHERE p.text IS NOT NULL",
      [],
      (chunk, rows) => {
        const urls = chunk.getColumnValues(0);
        const texts = chunk.getColumnValues(1);
        for (let row = 0; row < rows; row++) take(Number(urls[row]), String(texts[row]));
      },
    );
  });
  const numbers = { pages: pages.url.length, terms: numberOf.size, postings: postings.term.length, dropped };
  if (numbers.pages === 0) return numbers;
  await workspace.write(async (connection) => {
    for (const table of ["postings", "search_terms", "search_pages"]) {
      await connection.run(`DELETE FROM ${table} WHERE snapshot = ${snapshot.id}`);
    }
    await stageTable(connection, "new_terms", { id: Uint32Array.from(numberOf.values()), term: [...numberOf.keys()] });
    await stageTable(connection, "new_pages", { url: pages.url.values, terms: pages.terms.values });
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
    await connection.run(`INSERT INTO search_pages SELECT ${snapshot.id}, url, terms FROM new_pages ORDER BY url`);
    await connection.run(
      `INSERT INTO postings SELECT ${snapshot.id}, term, url, occurrences FROM new_postings ORDER BY term, url`,
    );
    await storeAnalysis(connection, analysis, snapshot.id, {}, numbers);
  });
  return numbers;
}

/** BM25's parameters, as most engines have them. */
const K1 = 1.2;
const B = 0.75;

/** The best pages for a query, best first, and how many there are with any of its terms. */
export async function rankPages(
  connection: Connection,
  snapshot: SnapshotName,
  query: string,
  most: number,
): Promise<{ readonly hits: readonly RankedResult[]; readonly matches: number }> {
  const asked = [...new Set(termsOf(query))].map(quoted);
  if (asked.length === 0) return { hits: [], matches: 0 };
  const known = await connection.runAndReadAll(
    `SELECT id, pages FROM search_terms WHERE snapshot = ${snapshot.id} AND term IN (${asked.join(", ")})`,
  );
  if (known.currentRowCount === 0) return { hits: [], matches: 0 };
  const corpus = await connection.runAndReadAll("SELECT count(*), avg(terms) FROM search_pages WHERE snapshot = $1", [
    snapshot.id,
  ]);
  const [total, average] = corpus.getRows()[0]!.map(Number);
  const ids = Uint32Array.from(known.getRows(), ([id]) => Number(id));
  const rarity = (pages: number) => Math.log(1 + (total! - pages + 0.5) / (pages + 0.5));
  await stageTable(connection, "weights", {
    term: ids,
    weight: Float64Array.from(known.getRows(), ([, pages]) => rarity(Number(pages))),
  });
  // Numbers as literals: so DuckDB skips the blocks of `postings` that have none of them.
  const found = await connection.runAndReadAll(
    `WITH ranked AS (
       SELECT p.url, sum(w.weight * p.occurrences * ${K1 + 1}
         / (p.occurrences + ${K1} * (1 - ${B} + ${B} * s.terms / ${average}))) AS score
       FROM postings p JOIN weights w ON w.term = p.term
         JOIN search_pages s ON s.snapshot = ${snapshot.id} AND s.url = p.url
       WHERE p.snapshot = ${snapshot.id} AND p.term IN (${ids.join(", ")})
       GROUP BY p.url)
     SELECT u.url, score, (SELECT count(*) FROM ranked)
     FROM ranked JOIN urls u ON u.id = ranked.url ORDER BY score DESC, u.url LIMIT ${most}`,
  );
  const rows = found.getRows();
  return {
    hits: rows.map(([url, score]) => ({ url: String(url), score: Number(score) })),
    matches: Number(rows[0]?.[2] ?? 0),
  };
}

/** Title and text of these URLs: of this snapshot if it has them, the latest otherwise. */
export async function readContents(
  connection: Connection,
  snapshot: SnapshotName,
  urls: readonly string[],
): Promise<Map<string, { readonly title?: string; readonly text: string }>> {
  await stageTable(connection, "asked_contents", { url: urls });
  const rows = await connection.runAndReadAll(
    `SELECT u.url, p.title, p.text FROM pages p JOIN urls u ON u.id = p.url
     WHERE u.url IN (SELECT url FROM asked_contents) AND p.text IS NOT NULL
     QUALIFY row_number() OVER (PARTITION BY u.url ORDER BY p.snapshot <> $1, p.fetched DESC NULLS LAST, p.source DESC) = 1`,
    [snapshot.id],
  );
  return new Map(
    rows
      .getRows()
      .map(([url, title, text]) => [String(url), { ...(title && { title: String(title) }), text: String(text) }]),
  );
}
