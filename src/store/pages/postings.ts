/** The search index of a snapshot: ranked, read. */
import { inflateRawSync } from "node:zlib";
import type { Place, RankedResult } from "../../collections/rollup.js";
import { InvariantError } from "../../errors.js";
import { termsOf } from "../../pages/terms.js";
import { hasAnalysis } from "../analyses.js";
import { quoted } from "../columns.js";
import { DuckDBBlobValue } from "../duckdb.js";
import type { Connection } from "../workspace.js";
import type { SnapshotName } from "./snapshots.js";

export const POSTINGS_ANALYSIS = "postings";

/** Whether the index of a snapshot has the pages that are there now. */
export async function hasPostings(connection: Connection, snapshot: SnapshotName): Promise<boolean> {
  return hasAnalysis(connection, POSTINGS_ANALYSIS, snapshot.id);
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
