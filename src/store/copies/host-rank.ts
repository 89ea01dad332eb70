/** Which host is the principal one where several have the same pages: one order for everything that leaves copies out. */
import type { SnapshotName } from "../pages/snapshots.js";
import type { Connection } from "../workspace.js";

/**
 * Leaves `host_rank (host, rank)`. First comes the host with the most links from other hosts to pages of which there are
 * copies elsewhere, then the one with the most such pages, then the shortest name. It is one order of all hosts, so that
 * lists of copies that were made differently never lead in a circle.
 */
export async function rankHosts(connection: Connection, snapshot: SnapshotName): Promise<void> {
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE host_rank AS
     WITH copied AS (
       SELECT c.url, u.host FROM clusters c JOIN urls u ON u.id = c.url
       WHERE c.snapshot = ${snapshot.id} AND c.level = 'similar' AND c.root IN (
         SELECT c.root FROM clusters c JOIN urls u ON u.id = c.url
         WHERE c.snapshot = ${snapshot.id} AND c.level = 'similar' AND c.size > 1
         GROUP BY c.root HAVING min(u.host) <> max(u.host))),
     linked AS (
       SELECT t.host, count(*) AS links FROM links l JOIN copied t ON t.url = l.target_url JOIN urls s ON s.id = l.source_url
       WHERE l.snapshot = ${snapshot.id} AND s.host <> t.host GROUP BY t.host),
     counted AS (SELECT host, count(*) AS pages FROM copied GROUP BY host)
     SELECT h.host, (row_number() OVER (
       ORDER BY coalesce(links, 0) DESC, coalesce(pages, 0) DESC, length(h.host), h.host) - 1)::UINTEGER AS rank
     FROM hosts h LEFT JOIN linked USING (host) LEFT JOIN counted USING (host)`,
  );
}

/** The place of each host in that order. */
export async function readHostRanks(connection: Connection, snapshot: SnapshotName): Promise<Map<string, number>> {
  await rankHosts(connection, snapshot);
  const rows = await connection.runAndReadAll("SELECT host, rank FROM host_rank");
  return new Map(rows.getRows().map(([host, rank]) => [String(host), Number(rank)]));
}
