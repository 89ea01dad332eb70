/** Near-duplicate clusters in the workspace. */

import type { ClusterLevel } from "../../pages/cluster.js";
import { hasAnalysis, storeAnalysis } from "../analyses.js";
import { copyTo, quoted } from "../columns.js";
import type { TableFormat } from "../output-format.js";
import type { SnapshotName } from "../pages/snapshots.js";
import type { Workspace } from "../workspace.js";

/** How clusters are made. */
export interface ClusterSettings {
  readonly level: ClusterLevel;
  /** Least resemblance of two documents that are joined directly; absent for the plain method. */
  readonly verify?: number;
}

const nameOf = (level: ClusterLevel) => `clusters-${level}`;

/** The columns of cluster_roots but the first two, from a cluster map with id, root_id and size. */
export const clusterRoots = (map: string) =>
  `row_number() OVER () - 1, root_id, size FROM (SELECT root_id, size FROM ${map} WHERE id = root_id AND size > 1 ORDER BY size DESC, root_id)`;

/** Replaces the clusters of a snapshot and level. `mapFile` has id, root_id and size. */
export async function storeClusters(
  workspace: Workspace,
  snapshot: SnapshotName,
  settings: ClusterSettings,
  mapFile: string,
  result: object,
): Promise<void> {
  await workspace.write(async (connection) => {
    const map = `read_parquet(${quoted(mapFile)})`;
    const replace = async (table: string, columns: string) => {
      await connection.run(`DELETE FROM ${table} WHERE snapshot = $1 AND level = $2`, [snapshot.id, settings.level]);
      await connection.run(`INSERT INTO ${table} SELECT $1, $2, ${columns}`, [snapshot.id, settings.level]);
    };
    await replace("clusters", `id, root_id, size FROM ${map}`);
    await replace("cluster_roots", clusterRoots(map));
    await storeAnalysis(connection, nameOf(settings.level), snapshot.id, settings, result);
  });
}

/** Whether the clusters of a snapshot are there, verified or not, and no page has come or gone since. */
export async function hasClusters(workspace: Workspace, snapshot: SnapshotName, level: ClusterLevel): Promise<boolean> {
  return workspace.read((connection) => hasAnalysis(connection, nameOf(level), snapshot.id));
}

/** Writes the cluster maps of some snapshots to a file: snapshot, url, root, size. */
export async function writeClusters(
  workspace: Workspace,
  snapshots: readonly SnapshotName[],
  level: ClusterLevel,
  file: string,
  format: TableFormat,
): Promise<void> {
  await workspace.read((connection) =>
    connection.run(
      copyTo(
        `SELECT n.name AS snapshot, u.url, r.url AS root, c.size
         FROM clusters c JOIN snapshots n ON n.id = c.snapshot JOIN urls u ON u.id = c.url JOIN urls r ON r.id = c.root
         WHERE c.level = ${quoted(level)} AND c.snapshot IN (${snapshots.map(({ id }) => id).join(", ")})
         ORDER BY n.id, root, url`,
        file,
        format,
      ),
    ),
  );
}
