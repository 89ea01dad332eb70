/**
 * Links that a crawl without copies does not see. When copies are left out, the pages that they link to lose links; a program that ranks by links
 * can put them back as "phantom links" (Fetterly et al. 2004, section 5): a copy links to its own copies of what the kept page links to.
 * Where it has no copy of a page on the kept copy's own host, nothing can be said: its link leads to a page of its own that corresponds to none, or does not exist.
 */
import { copyTo } from "../columns.js";
import type { TableFormat } from "../output-format.js";
import type { SnapshotName } from "../pages/snapshots.js";
import type { Connection } from "../workspace.js";

export interface PhantomLinks {
  readonly links: number;
  /** Of them: those that were really seen in this snapshot, which has the copies. */
  readonly seen: number;
}

/** Writes source, target, the link of the kept copy that it follows from, and whether it was seen. */
export async function writePhantomLinks(
  connection: Connection,
  snapshot: SnapshotName,
  file: string,
  format: TableFormat,
): Promise<PhantomLinks> {
  const here = `snapshot = ${snapshot.id}`;
  // Links by pages: spellings and redirects lead to the page that they show.
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE page_links AS
     SELECT DISTINCT s.page AS source, coalesce(t.page, l.target_url) AS target
     FROM (SELECT source_url, target_url FROM links WHERE ${here}) l
       JOIN (SELECT url, page FROM trivial WHERE ${here}) s ON s.url = l.source_url
       LEFT JOIN (SELECT url, page FROM trivial WHERE ${here}) t ON t.url = l.target_url`,
  );
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE phantom AS
     WITH real AS (
       SELECT c.cluster, c.replica, c.position, c.url, r.is_principal
       FROM collection_pages c JOIN replicas r USING (snapshot, cluster, replica) JOIN collections k USING (snapshot, cluster)
       WHERE ${here} AND c.is_confirmed AND NOT c.is_virtual AND NOT k.is_noise),
     copies AS (
       SELECT kept.url AS kept, copy.url AS copy, copy.cluster, copy.replica
       FROM real kept JOIN real copy USING (cluster, position) WHERE kept.is_principal AND NOT copy.is_principal),
     predicted AS (
       SELECT DISTINCT s.copy AS source, coalesce(t.copy, l.target) AS target, l.source AS kept_source, l.target AS kept_target
       FROM page_links l JOIN copies s ON s.kept = l.source
         LEFT JOIN copies t ON t.kept = l.target AND t.cluster = s.cluster AND t.replica = s.replica)
     SELECT p.*, l.source IS NOT NULL AS is_seen FROM predicted p LEFT JOIN page_links l ON l.source = p.source AND l.target = p.target
       JOIN urls copy ON copy.id = p.source JOIN urls kept ON kept.id = p.kept_source JOIN urls target ON target.id = p.target
     WHERE p.source <> p.target AND (p.target <> p.kept_target OR target.host <> kept.host OR copy.host = kept.host)`,
  );
  await connection.run(
    copyTo(
      `SELECT s.url AS source, t.url AS target, ks.url AS kept_source, kt.url AS kept_target, is_seen
       FROM phantom p JOIN urls s ON s.id = p.source JOIN urls t ON t.id = p.target
         JOIN urls ks ON ks.id = p.kept_source JOIN urls kt ON kt.id = p.kept_target
       ORDER BY ALL`,
      file,
      format,
    ),
  );
  const counted = await connection.runAndReadAll(
    "SELECT count(*)::DOUBLE, (count(*) FILTER (is_seen))::DOUBLE FROM phantom",
  );
  const [links, seen] = counted.getRows()[0]!;
  return { links: Number(links), seen: Number(seen) };
}
