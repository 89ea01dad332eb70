/** Groups of search results as lines, with what the workspace knows of their clusters. */
import { type Group, lineOf, type RankedResult, type RolledUpLine } from "../../collections/rollup.js";
import type { SnapshotName } from "../pages/snapshots.js";
import type { Connection } from "../workspace.js";
import { readClusterRecords } from "./collections.js";

/** The lines of some groups. Nothing is read of the clusters of others. */
export async function describeGroups<R extends RankedResult>(
  connection: Connection,
  snapshot: SnapshotName,
  groups: readonly Group<R>[],
): Promise<RolledUpLine<R>[]> {
  const clusters = groups.flatMap(({ cluster }) => (cluster === undefined ? [] : [cluster]));
  const records = await readClusterRecords(connection, snapshot, clusters);
  return groups.map((group) => lineOf(group, (cluster) => records.get(cluster)!));
}
