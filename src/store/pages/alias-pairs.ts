/** What the workspace says about URLs that show one page: redirects, rel=canonical, and equal texts. */
import type { AliasReason } from "../../canon/aliases.js";
import { readChunks } from "../columns.js";
import type { Workspace } from "../workspace.js";

export interface SeenPair {
  readonly from: string;
  readonly to: string;
  readonly seenMs: number;
  readonly why: Exclude<AliasReason, "content">;
}

/** A page's URL among those that showed the same text in one snapshot. */
export interface SameText {
  /** Equal for URLs of one class, which come one after the other. */
  readonly group: number;
  readonly url: string;
  readonly hits: number;
  readonly seenMs: number;
  /** Of short pages only. */
  readonly text: string | undefined;
}

/** Shorter pages say too little to be called the same: "no entries", a title alone. */
const LEAST_WORDS = 20;
/** More words than a page has that says nothing but "log in" or "not found". */
const SHORT_WORDS = 250;

const inSnapshot = (snapshot: string | undefined) =>
  snapshot === undefined ? "" : "AND p.snapshot = (SELECT id FROM snapshots WHERE name = $1)";

/** Redirects and rel=canonical, where both URLs are of one site; a source with two targets of one kind is left out. */
export async function readSeenPairs(workspace: Workspace, snapshot: string | undefined): Promise<SeenPair[]> {
  const pairs: SeenPair[] = [];
  const [source, values] = snapshot === undefined ? ["", []] : ["WHERE n.name = $1", [snapshot]];
  await workspace.read((connection) =>
    readChunks(
      connection,
      `WITH said AS (
         SELECT p.url, p.redirect AS target, 'redirect' AS why, p.fetched FROM pages p WHERE p.redirect IS NOT NULL ${inSnapshot(snapshot)}
         UNION ALL
         SELECT p.url, p.canonical, 'canonical', p.fetched FROM pages p
           WHERE p.canonical IS NOT NULL AND p.status BETWEEN 200 AND 299 ${inSnapshot(snapshot)}
         UNION ALL
         SELECT r.url, r.target, 'redirect', s.last_seen FROM redirects r JOIN sources o ON o.id = r.source
           JOIN snapshots n ON n.id = o.snapshot LEFT JOIN sightings s ON s.source = r.source AND s.url = r.url ${source}),
       pairs AS (
         SELECT url, why, any_value(target) AS target, max(fetched) AS fetched FROM said
         WHERE target <> url GROUP BY url, why HAVING count(DISTINCT target) = 1)
       SELECT f.url, t.url, coalesce(epoch_ms(fetched)::DOUBLE, 0), why
       FROM pairs JOIN urls f ON f.id = pairs.url JOIN urls t ON t.id = pairs.target
         JOIN hosts fh ON fh.host = f.host JOIN hosts th ON th.host = t.host
       WHERE fh.site = th.site ORDER BY f.url, why DESC`,
      values,
      (chunk, rows) => {
        const [from, to, seen, why] = [0, 1, 2, 3].map((column) => chunk.getColumnValues(column));
        for (let i = 0; i < rows; i++) {
          const reason = String(why![i]) as SeenPair["why"];
          pairs.push({ from: String(from![i]), to: String(to![i]), seenMs: Number(seen![i]), why: reason });
        }
      },
    ),
  );
  return pairs;
}

/** What the latest download of each page calls its canonical URL, its own one included. */
export async function readCanonicals(workspace: Workspace, snapshot: string | undefined): Promise<Map<string, string>> {
  const canonicals = new Map<string, string>();
  await workspace.read((connection) =>
    readChunks(
      connection,
      `SELECT f.url, t.url FROM (
         SELECT p.url, p.canonical FROM pages p WHERE p.canonical IS NOT NULL AND p.status BETWEEN 200 AND 299 ${inSnapshot(snapshot)}
         QUALIFY row_number() OVER (PARTITION BY p.url ORDER BY p.fetched DESC NULLS LAST, p.source DESC) = 1) said
       JOIN urls f ON f.id = said.url JOIN urls t ON t.id = said.canonical ORDER BY f.id`,
      snapshot === undefined ? [] : [snapshot],
      (chunk) => {
        const [from, to] = [0, 1].map((column) => chunk.getColumnValues(column));
        from!.forEach((url, i) => {
          canonicals.set(String(url), String(to![i]));
        });
      },
    ),
  );
  return canonicals;
}

/** URLs of one site whose latest downloads in one snapshot had the same text, of at least twenty words. */
export async function readSameTexts(workspace: Workspace, snapshot: string | undefined): Promise<SameText[]> {
  const found: SameText[] = [];
  await workspace.read((connection) =>
    readChunks(
      connection,
      `WITH latest AS (
         SELECT p.url, p.snapshot, p.shingles, p.s0, p.s1, p.s2, p.s3, p.s4, p.s5, p.words, p.fetched,
           CASE WHEN p.words <= ${SHORT_WORDS} THEN p.text END AS text
         FROM pages p WHERE p.status BETWEEN 200 AND 299 AND p.shingles_kind = 1 AND p.words >= ${LEAST_WORDS}
           AND p.redirect IS NULL ${inSnapshot(snapshot)}
         QUALIFY row_number() OVER (PARTITION BY p.url, p.snapshot ORDER BY p.fetched DESC NULLS LAST, p.source DESC) = 1),
       classed AS (
         SELECT latest.*, u.url AS name, site,
           dense_rank() OVER (ORDER BY snapshot, site, shingles, s0, s1, s2, s3, s4, s5, words) AS class,
           count(*) OVER (PARTITION BY snapshot, site, shingles, s0, s1, s2, s3, s4, s5, words) AS size
         FROM latest JOIN urls u ON u.id = latest.url JOIN hosts ON hosts.host = u.host),
       asked AS (SELECT url, sum(hits) AS hits FROM sightings GROUP BY url)
       SELECT class::DOUBLE, name, coalesce(hits, 0), coalesce(epoch_ms(fetched)::DOUBLE, 0), text
       FROM classed LEFT JOIN asked USING (url) WHERE size > 1 ORDER BY class, name`,
      snapshot === undefined ? [] : [snapshot],
      (chunk, rows) => {
        const columns = [0, 1, 2, 3, 4].map((column) => chunk.getColumnValues(column));
        const [group, url, hits, seen, text] = columns;
        for (let i = 0; i < rows; i++) {
          found.push({
            group: Number(group![i]),
            url: String(url![i]),
            hits: Number(hits![i]),
            seenMs: Number(seen![i]),
            text: text![i] === null ? undefined : String(text![i]),
          });
        }
      },
    ),
  );
  return found;
}
