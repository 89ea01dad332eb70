/** What became of clusters from one run to another: born, grown, merged, split, gone. */
import type { Connection } from "../workspace.js";

export type ClusterFate = "born" | "grown" | "merged" | "shrunk" | "split" | "gone";

/** One cluster that is not what it was; a merged one is that after, a split or gone one that before. */
export interface ChangedCluster {
  readonly fate: ClusterFate;
  /** What stands for it: a URL, or its number where the maps have numbers. */
  readonly root: string;
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
 * Both relations have `url`, `root` and `size`, of each the same type in both; clusters are those of two pages and more. A
 * cluster that some of its pages left counts as split where these are in another cluster, else as shrunk; one that took in
 * whole others as merged, with pages alone as grown.
 */
export async function compareClusterMaps(
  connection: Connection,
  before: string,
  after: string,
): Promise<ClusterChanges> {
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE flows AS
     SELECT o.root AS before, n.root AS after, count(*) AS pages
     FROM (SELECT url, root FROM ${before} WHERE size > 1) o FULL JOIN (SELECT url, root FROM ${after} WHERE size > 1) n USING (url)
     GROUP BY ALL`,
  );
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE fates AS
     WITH old AS (
       SELECT before AS root, sum(pages) AS size, count(after) AS parts, count(*) FILTER (after IS NULL) AS leaving
       FROM flows WHERE before IS NOT NULL GROUP BY before),
     new AS (
       SELECT after AS root, sum(pages) AS size, count(before) AS parts, arg_max(before, pages) AS main,
         count(*) FILTER (before IS NULL) AS coming
       FROM flows WHERE after IS NOT NULL GROUP BY after)
     SELECT CASE WHEN parts = 0 THEN 'gone' WHEN parts > 1 THEN 'split' WHEN leaving > 0 THEN 'shrunk' END AS fate, root,
       size AS before, 0 AS after, greatest(parts, 1) AS parts
     FROM old WHERE parts <> 1 OR leaving > 0
     UNION ALL
     SELECT CASE WHEN new.parts = 0 THEN 'born' WHEN new.parts > 1 THEN 'merged' WHEN coming > 0 THEN 'grown' ELSE 'same' END,
       new.root, coalesce(old.size, 0), new.size, greatest(new.parts, 1)
     FROM new LEFT JOIN old ON old.root = new.main
     WHERE new.parts <> 1 OR coming > 0 OR (old.parts = 1 AND old.leaving = 0)`,
  );
  const counted = await connection.runAndReadAll("SELECT fate, count(*)::DOUBLE FROM fates GROUP BY fate");
  const counts = { born: 0, grown: 0, merged: 0, shrunk: 0, split: 0, gone: 0, same: 0 };
  for (const [fate, clusters] of counted.getRows()) counts[String(fate) as ClusterFate] = Number(clusters);
  const listed = await connection.runAndReadAll(
    `SELECT fate, root::VARCHAR, before::DOUBLE, after::DOUBLE, parts::DOUBLE FROM fates WHERE fate <> 'same'
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

/** Old clusters and single documents that new documents brought together. */
export interface JoinedClusters {
  /** By root: clusters of two and more that are there now and were touched. */
  readonly sizes: ReadonlyMap<number, number>;
  /** Old roots that are members of an older cluster now. */
  readonly renamed: ReadonlyMap<number, number>;
  /** What that means, given how many clusters there were before. */
  changes(clustersBefore: number): ClusterChanges;
}

/**
 * What compareClusterMaps says, without a look at any member: new documents only ever add to clusters. `olds` has the root that
 * each old cluster (or document alone, of size 1) has by now, `roots` those of the new documents.
 */
export function joinClusters(
  olds: ReadonlyMap<number, number>,
  sizeBefore: (root: number) => number,
  roots: Uint32Array,
): JoinedClusters {
  const sizes = new Map<number, number>();
  const parts = new Map<number, number>();
  const main = new Map<number, number>();
  const renamed = new Map<number, number>();
  for (const [old, root] of olds) {
    const size = sizeBefore(old);
    sizes.set(root, (sizes.get(root) ?? 0) + size);
    if (old !== root) renamed.set(old, root);
    if (size < 2) continue;
    parts.set(root, (parts.get(root) ?? 0) + 1);
    main.set(root, Math.max(main.get(root) ?? 0, size));
  }
  for (const root of roots) sizes.set(root, (sizes.get(root) ?? 0) + 1);
  const changed: ChangedCluster[] = [];
  let unchanged = 0;
  for (const [root, after] of sizes) {
    if (after < 2) {
      sizes.delete(root);
      continue;
    }
    const of = parts.get(root) ?? 0;
    const before = main.get(root) ?? 0;
    if (of === 1 && before === after) unchanged++;
    else {
      const fate = of === 0 ? "born" : of > 1 ? "merged" : "grown";
      changed.push({ fate, root: String(root), before, after, parts: Math.max(1, of) });
    }
  }
  const counts = { born: 0, grown: 0, merged: 0, shrunk: 0, split: 0, gone: 0 };
  for (const { fate } of changed) counts[fate]++;
  const touched = [...parts.values()].reduce((sum, of) => sum + of, 0);
  changed.sort((a, b) => b.after - a.after || Number(a.root) - Number(b.root));
  const largest = (["born", "grown", "merged"] as const).flatMap((fate) =>
    changed.filter((entry) => entry.fate === fate).slice(0, LISTED),
  );
  return {
    sizes,
    renamed,
    changes: (clustersBefore) => ({ counts: { ...counts, same: clustersBefore - touched + unchanged }, largest }),
  };
}
