import type { JobContext } from "../model.js";
import type { ClusterLevel } from "../pages/cluster.js";
import { type ComponentRounds, findComponents } from "./components.js";
import type { SqlEngine, Step, StepReport } from "./engine.js";
import { runSteps } from "./run-steps.js";

const columns = [0, 1, 2, 3, 4, 5];

/**
 * Which documents share a megashingle (Fetterly et al. 2004): reads `documents (id, s0, ..., s5)`, the supershingles, and
 * makes `cluster_edge (a, b)`, each document with the smallest of its bucket. A supershingle that one document alone has
 * makes no megashingle, so only the others are paired. Buckets are those of the values themselves.
 */
export function clusterEdgeSteps(level: ClusterLevel): Step[] {
  if (level === "identical") {
    const key = columns.map((i) => `s${i}`).join(", ");
    return [
      {
        name: "cluster_edge",
        why: "Documents with all six supershingles in common.",
        select: `SELECT d.id AS a, g.root AS b FROM documents AS d
         JOIN (SELECT ${key}, min(id) AS root FROM documents GROUP BY ${key} HAVING count(*) > 1) AS g
         ON ${columns.map((i) => `g.s${i} = d.s${i}`).join(" AND ")} WHERE d.id <> g.root`,
      },
    ];
  }
  return [
    {
      name: "shared_supershingle",
      why: "Supershingles that two documents have.",
      select: `SELECT c, s FROM (${columns.map((i) => `SELECT ${i} AS c, s${i} AS s FROM documents`).join(" UNION ALL ")}) AS every
       GROUP BY c, s HAVING count(*) > 1`,
    },
    {
      name: "supershingle",
      why: "Documents with these.",
      select: `SELECT e.id AS id, e.c AS c, e.s AS s
       FROM (${columns.map((i) => `SELECT id, ${i} AS c, s${i} AS s FROM documents`).join(" UNION ALL ")}) AS e
       JOIN shared_supershingle AS h ON h.c = e.c AND h.s = e.s`,
    },
    {
      name: "megashingle",
      why: "Two of them make a megashingle.",
      select: `SELECT x.id AS id, 6 * x.c + y.c AS c, x.s AS s, y.s AS t FROM supershingle AS x
       JOIN supershingle AS y ON y.id = x.id AND x.c < y.c`,
    },
    {
      name: "cluster_edge",
      why: "Every document of a bucket with the bucket's smallest.",
      select: `SELECT DISTINCT m.id AS a, g.root AS b FROM megashingle AS m
       JOIN (SELECT c, s, t, min(id) AS root FROM megashingle GROUP BY c, s, t HAVING count(*) > 1) AS g
       ON g.c = m.c AND g.s = m.s AND g.t = m.t WHERE m.id <> g.root`,
    },
  ];
}

/** Makes `cluster (id, root, size)` of `documents`; a document that is alone has itself and 1. */
export async function findClusters(
  engine: SqlEngine,
  level: ClusterLevel,
  context: JobContext,
  onReport: (report: StepReport) => void = () => {},
): Promise<ComponentRounds> {
  await runSteps(engine, clusterEdgeSteps(level), ["cluster_edge"], context, onReport);
  const rounds = await findComponents(engine, "cluster_edge", "component", context, onReport);
  await runSteps(engine, clusterSteps, ["cluster"], context, onReport);
  await engine.drop("cluster_edge");
  await engine.drop("component");
  return rounds;
}

export const clusterSteps: readonly Step[] = [
  {
    name: "cluster",
    why: "The cluster map: smallest document and number of documents.",
    select: `SELECT d.id AS id, coalesce(c.root, d.id) AS root, coalesce(g.size, 1) AS size FROM documents AS d
     LEFT JOIN component AS c ON c.id = d.id
     LEFT JOIN (SELECT root, count(*) AS size FROM component GROUP BY root) AS g ON g.root = c.root`,
  },
];

/** Makes `cluster_size (size, clusters)` of `cluster`: the points of the paper's figures 1 to 3. */
export const clusterSizeSteps: readonly Step[] = [
  {
    name: "cluster_size",
    why: "Clusters by size.",
    select: "SELECT size, count(*) AS clusters FROM cluster WHERE id = root GROUP BY size",
  },
];
