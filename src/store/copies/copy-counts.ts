/** How many copies results have: for lists in that order (Cho et al. 2000, section 1: "ranking"). */
import type { Group, RankedResult } from "../../collections/rollup.js";
import { stageTable } from "../columns.js";
import type { SnapshotName } from "../pages/snapshots.js";
import type { Connection } from "../workspace.js";
import { readClusterRecords } from "./collections.js";

/**
 * The groups with most copies first, those with equally many as they were. A collection is there once for each replica, a page once
 * for each host with a near-duplicate of it: many spellings of one host's URL do not make a page more important.
 */
export async function orderByCopies<R extends RankedResult, G extends Group<R>>(
  connection: Connection,
  snapshot: SnapshotName,
  groups: readonly G[],
): Promise<G[]> {
  const clusters = groups.flatMap(({ cluster }) => (cluster === undefined ? [] : [cluster]));
  const records = await readClusterRecords(connection, snapshot, clusters);
  const hosts = await countHosts(
    connection,
    snapshot,
    groups.map(({ hit }) => hit.url),
  );
  const copies = groups.map(({ cluster }, at) =>
    cluster === undefined ? (hosts.get(at) ?? 1) : records.get(cluster)!.replicas.length,
  );
  const order = groups.map((_, at) => at).sort((a, b) => copies[b]! - copies[a]! || a - b);
  return order.map((at) => ({ ...groups[at]!, hit: { ...groups[at]!.hit, copies: copies[at]! } }));
}

/** By place: hosts with a near-duplicate of the URL, its own too. Pages in no cluster are left out. */
async function countHosts(
  connection: Connection,
  snapshot: SnapshotName,
  urls: readonly string[],
): Promise<Map<number, number>> {
  await stageTable(connection, "ranked", { place: Uint32Array.from(urls.keys()), url: urls });
  const inSnapshot = `snapshot = ${snapshot.id} AND level = 'similar'`;
  const found = await connection.runAndReadAll(
    `SELECT r.place, count(DISTINCT m.host)
     FROM ranked r JOIN urls u ON u.url = r.url
       JOIN (SELECT url, root FROM clusters WHERE ${inSnapshot} AND size > 1) own ON own.url = u.id
       JOIN (SELECT url, root FROM clusters WHERE ${inSnapshot}) member ON member.root = own.root
       JOIN urls m ON m.id = member.url
     GROUP BY r.place`,
  );
  return new Map(found.getRows().map(([place, hosts]) => [Number(place), Number(hosts)]));
}
