/** What became of clusters from one run to another: born, grown, merged, split, gone. */
import { copyTo, stageTable } from "../columns.js";
import type { Together } from "../growing/cluster-together.js";
import type { TableFormat } from "../output-format.js";
import type { SnapshotName } from "../pages/snapshots.js";
import type { Connection, Workspace } from "../workspace.js";

export type ClusterFate = "born" | "grown" | "merged" | "shrunk" | "split" | "gone";

/** One cluster that has changed: as it is now if it was born, grew or merged, as it was before if it shrank, split or is gone. */
export interface ChangedCluster {
  readonly fate: ClusterFate;
  /** What stands for it: a URL, or its number where the maps have numbers. */
  readonly root: string;
  /** Pages: of a merged cluster those of its largest part before, of a split one those of its largest part after. */
  readonly before: number;
  readonly after: number;
  /** Of a merged cluster how many it was made of, of a split one how many it became; 1 otherwise. */
  readonly parts: number;
}

export interface ClusterChanges {
  readonly counts: Readonly<Record<ClusterFate | "same", number>>;
  /** The largest of each fate, by size. */
  readonly largest: readonly ChangedCluster[];
}

const LISTED = 20;

/**
 * Leaves the temporary table `fates`, with every cluster that has changed, and says how many have not.
 *
 * Both relations have `url`, `root` and `size`, of each the same type in both; clusters are those of two pages and more. A
 * cluster that some of its pages left counts as split where these are in another cluster, else as shrunk; one that took in
 * whole others as merged, with pages alone as grown.
 */
export async function compareClusterMaps(connection: Connection, before: string, after: string): Promise<number> {
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE flows AS
     SELECT o.root AS before, n.root AS after, count(*) AS pages
     FROM (SELECT url, root FROM ${before} WHERE size > 1) o FULL JOIN (SELECT url, root FROM ${after} WHERE size > 1) n USING (url)
     GROUP BY ALL`,
  );
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE fates AS
     WITH old AS (
       SELECT before AS root, sum(pages) AS size, count(after) AS parts, count(*) FILTER (after IS NULL) AS leaving,
         coalesce(max(pages) FILTER (after IS NOT NULL), 0) AS kept
       FROM flows WHERE before IS NOT NULL GROUP BY before),
     new AS (
       SELECT after AS root, sum(pages) AS size, count(before) AS parts, count(*) FILTER (before IS NULL) AS coming,
         max(old.size) AS largest, bool_and(old.parts = 1 AND old.leaving = 0) AS is_whole
       FROM flows LEFT JOIN old ON old.root = flows.before WHERE after IS NOT NULL GROUP BY after)
     SELECT CASE WHEN parts = 0 THEN 'gone' WHEN parts > 1 THEN 'split' WHEN leaving > 0 THEN 'shrunk' END AS fate, root,
       size AS before, kept AS after, greatest(parts, 1) AS parts
     FROM old WHERE parts <> 1 OR leaving > 0
     UNION ALL
     SELECT CASE WHEN parts = 0 THEN 'born' WHEN parts > 1 THEN 'merged' WHEN coming > 0 THEN 'grown' ELSE 'same' END,
       root, coalesce(largest, 0), size, greatest(parts, 1)
     FROM new WHERE parts <> 1 OR coming > 0 OR is_whole`,
  );
  const same = await connection.runAndReadAll("SELECT count(*)::DOUBLE FROM fates WHERE fate = 'same'");
  await connection.run("DELETE FROM fates WHERE fate = 'same'");
  return Number(same.getRows()[0]![0]);
}

/** The table `fates` in brief, beside the clusters that have not changed. */
export async function readChanges(connection: Connection, same: number): Promise<ClusterChanges> {
  const counted = await connection.runAndReadAll("SELECT fate, count(*)::DOUBLE FROM fates GROUP BY fate");
  const counts = { born: 0, grown: 0, merged: 0, shrunk: 0, split: 0, gone: 0, same };
  for (const [fate, clusters] of counted.getRows()) counts[String(fate) as ClusterFate] = Number(clusters);
  const listed = await connection.runAndReadAll(
    `SELECT fate, root::VARCHAR, before::DOUBLE, after::DOUBLE, parts::DOUBLE FROM fates
     QUALIFY row_number() OVER (PARTITION BY fate ORDER BY greatest(before, after) DESC, root) <= ${LISTED}
     ORDER BY fate, greatest(before, after) DESC, root`,
  );
  const largest = listed.getRows().map(([fate, root, was, is, parts]) => ({
    fate: String(fate) as ClusterFate,
    root: String(root),
    before: Number(was),
    after: Number(is),
    parts: Number(parts),
  }));
  return { counts, largest };
}

/** All of the table `fates` as a file, by fate, the largest clusters first. `fates` is a query that gives it; `order` what comes before. */
export async function writeFates(
  connection: Connection,
  fates: string,
  file: string,
  format: TableFormat,
  order = "",
): Promise<void> {
  await connection.run(
    copyTo(
      `SELECT * REPLACE (before::UBIGINT AS before, after::UBIGINT AS after, parts::UBIGINT AS parts) FROM (${fates})
       ORDER BY ${order} fate, greatest(before, after) DESC, root`,
      file,
      format,
    ),
  );
}

/** What became of the clusters of each snapshot in the next one, and all of that as a file if one is wanted. */
export async function compareSnapshotClusters(
  workspace: Workspace,
  snapshots: readonly SnapshotName[],
  level: string,
  file?: { readonly name: string; readonly format: TableFormat },
): Promise<ClusterChanges[]> {
  return workspace.read(async (connection) => {
    const map = ({ id }: SnapshotName) =>
      `(SELECT url, root, size FROM clusters WHERE snapshot = ${id} AND level = '${level}')`;
    const changes: ClusterChanges[] = [];
    for (const [step, after] of snapshots.slice(1).entries()) {
      const before = snapshots[step]!;
      const same = await compareClusterMaps(connection, map(before), map(after));
      await connection.run(
        "CREATE OR REPLACE TEMP TABLE fates AS SELECT fates.* REPLACE (u.url AS root) FROM fates JOIN urls u ON u.id = fates.root",
      );
      changes.push(await readChanges(connection, same));
      await connection.run(
        `${step === 0 ? "CREATE OR REPLACE TEMP TABLE all_fates AS" : "INSERT INTO all_fates"}
         SELECT $1::VARCHAR AS from_snapshot, $2::VARCHAR AS to_snapshot, * FROM fates`,
        [before.name, after.name],
      );
    }
    if (file !== undefined) {
      const order = "(SELECT id FROM snapshots WHERE name = to_snapshot),";
      await writeFates(connection, "FROM all_fates", file.name, file.format, order);
    }
    return changes;
  });
}

/** Old clusters and single documents that new documents brought together. */
export interface JoinedClusters {
  /** How many documents more (or fewer, where it is a member of an older one now) each cluster has. */
  readonly growth: ReadonlyMap<number, number>;
  /** Old roots that are members of an older cluster now. */
  readonly renamed: ReadonlyMap<number, number>;
  /** Those that are not what they were. */
  readonly changed: readonly JoinedCluster[];
  /** How many clusters, and documents in clusters, there are more. */
  readonly moreClusters: number;
  readonly moreClustered: number;
  /** Old clusters that have changed. */
  readonly ended: number;
}

interface JoinedCluster extends Omit<ChangedCluster, "root"> {
  readonly root: number;
}

/**
 * What compareClusterMaps says, without a look at any member: new documents only ever add to clusters. `now` has the root of each old
 * cluster (or document alone, of size 1) by now, `roots` those of the new documents, whose numbers begin at `before`.
 */
export function joinClusters(
  { old, now, roots }: Together,
  sizeBefore: (root: number) => number,
  before: number,
): JoinedClusters {
  const joined = new Map<number, { root: number; before: number; after: number; parts: number; sizeOfRoot: number }>();
  const growth = new Map<number, number>();
  const renamed = new Map<number, number>();
  let [moreClusters, moreClustered, ended] = [0, 0, 0];
  for (const [at, root] of now.entries()) {
    const size = sizeBefore(old[at]!);
    const cluster = joined.get(root) ?? { root, before: 0, after: 0, parts: 0, sizeOfRoot: 0 };
    joined.set(root, cluster);
    cluster.after += size;
    if (old[at] !== root) renamed.set(old[at]!, root);
    if (size < 2) continue;
    cluster.parts++;
    cluster.before = Math.max(cluster.before, size);
    if (old[at] === root) cluster.sizeOfRoot = size;
    else growth.set(old[at]!, -size);
  }
  // Most new documents are alone.
  const fresh = new Uint32Array(roots.length);
  for (const root of roots) {
    if (root >= before) fresh[root - before]!++;
    else joined.get(root)!.after++;
  }
  for (const [at, after] of fresh.entries()) {
    if (after > 1) joined.set(before + at, { root: before + at, before: 0, after, parts: 0, sizeOfRoot: 0 });
  }
  const changed: JoinedCluster[] = [];
  for (const { root, before: largest, after, parts, sizeOfRoot } of joined.values()) {
    if (after < 2 || (parts === 1 && largest === after)) continue;
    const fate = parts === 0 ? "born" : parts > 1 ? "merged" : "grown";
    changed.push({ fate, root, before: largest, after, parts: Math.max(1, parts) });
    growth.set(root, after - sizeOfRoot);
    moreClusters += 1 - parts;
    ended += parts;
  }
  for (const more of growth.values()) moreClustered += more;
  return { growth, renamed, changed, moreClusters, moreClustered, ended };
}

/** Makes the table `fates` of what new documents changed. */
export async function stageFates(connection: Connection, changed: readonly JoinedCluster[]): Promise<void> {
  const fates: readonly ClusterFate[] = ["born", "grown", "merged"];
  await stageTable(connection, "joined", {
    // A column of strings takes longer to fill than everything else here.
    fate: Uint8Array.from(changed, ({ fate }) => fates.indexOf(fate)),
    root: Uint32Array.from(changed, ({ root }) => root),
    before: Uint32Array.from(changed, ({ before }) => before),
    after: Uint32Array.from(changed, ({ after }) => after),
    parts: Uint32Array.from(changed, ({ parts }) => parts),
  });
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE fates AS
     SELECT * REPLACE ([${fates.map((fate) => `'${fate}'`).join(", ")}][fate + 1] AS fate) FROM joined`,
  );
}
