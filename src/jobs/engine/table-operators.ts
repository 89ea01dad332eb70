/**
 * Commands whose work is one operator over tables: which tables they take, what they make, and which of it people want to see.
 * Here `--engine duckdb|spark` is the whole command; locally these work on the workspace.
 */
import { clusterEdgeSteps, clusterSizeSteps, clusterSteps, findClusters } from "../../engine/clusters.js";
import { growCollections, growthSteps } from "../../engine/collections.js";
import { componentSteps } from "../../engine/components.js";
import type { Dialect } from "../../engine/dialect.js";
import type { Row, SqlEngine, Step, StepReport } from "../../engine/engine.js";
import { evolutionSteps, evolutionTables, readEvolution } from "../../engine/evolution.js";
import { hostPairSteps } from "../../engine/host-pairs.js";
import { runSteps } from "../../engine/run-steps.js";
import { findSimilarPagesBySql, similarEdgeSteps, trivialSteps } from "../../engine/similar-pages.js";
import { UserError } from "../../errors.js";
import type { JobContext } from "../../model.js";
import type { ClusterLevel } from "../../pages/cluster.js";
import { hasSupershingles } from "../../store/schema.js";
import { type EngineChoice, outputPath, withEngine } from "./open-engine.js";

export interface ShownTable {
  readonly table: string;
  readonly columns: readonly string[];
  /** The first rows that a person wants, best first. */
  readonly order: string;
}

export interface TableOperator {
  /** The tables that it reads; the first is the one that a path without a name means. */
  readonly inputs: readonly string[];
  readonly optional?: readonly string[];
  readonly results: readonly ShownTable[];
  /** For people who run them elsewhere; loops show their first round. */
  steps(dialect: Dialect): readonly Step[];
  run(
    engine: SqlEngine,
    given: ReadonlySet<string>,
    context: JobContext,
    onReport: (report: StepReport) => void,
  ): Promise<OperatorResult>;
}

export interface ResultTable {
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}

export interface OperatorResult {
  /** Numbers about the whole. */
  readonly numbers: Row;
  readonly tables: readonly ResultTable[];
}

/** Runs an operator on tables that the engine reaches, and writes what it makes to the output folder, if there is one. */
export async function runOperator(
  operator: TableOperator,
  inputs: Readonly<Record<string, string | undefined>>,
  top: number,
  choice: EngineChoice,
  context: JobContext,
  onReport: (report: StepReport) => void = () => {},
): Promise<OperatorResult> {
  const optional = operator.optional ?? [];
  const missing = operator.inputs.filter((name) => inputs[name] === undefined && !optional.includes(name));
  if (missing.length > 0) {
    throw new UserError(
      `--input is missing ${missing.map((name) => `${name}=PATH`).join(", ")}; docs/scale.md has the columns`,
    );
  }
  return withEngine(choice, context, async (engine) => {
    const given = operator.inputs.filter((name) => inputs[name] !== undefined);
    for (const name of given) await engine.view(name === "documents" ? "input" : name, inputs[name]!);
    const found = await operator.run(engine, new Set(given), context, onReport);
    const tables: ResultTable[] = [...found.tables];
    for (const { table, columns, order } of operator.results) {
      const limit = top === 0 ? "" : ` LIMIT ${top}`;
      const rows = await engine.rows(table, `SELECT ${columns.join(", ")} FROM ${table} ORDER BY ${order}${limit}`);
      tables.push({ table, columns, rows });
      if (choice.output !== undefined) await engine.write(table, `SELECT * FROM ${table}`, outputPath(choice, table));
    }
    return { numbers: found.numbers, tables };
  });
}

/** Near-duplicate clusters of `documents (url or id, s0, ..., s5)`, such as the files of "dustpan sketch". */
export function clusterOperator(level: ClusterLevel): TableOperator {
  return {
    inputs: ["documents"],
    results: [
      { table: "cluster_size", columns: ["size", "clusters"], order: "size DESC" },
      { table: "large_cluster", columns: ["size", "root"], order: "size DESC, root" },
      { table: "cluster", columns: ["id", "root", "size"], order: "id" },
    ],
    steps: (dialect) => [
      ...clusterEdgeSteps(level),
      ...componentSteps(dialect, "cluster_edge", "component"),
      ...clusterSteps,
      ...clusterSizeSteps,
      largeClusterStep,
    ],
    run: async (engine, _given, context, onReport) => {
      await runSteps(engine, [documentStep(await engine.columns("input"))], ["documents"], context, onReport);
      const { edges } = await findClusters(engine, level, context, onReport);
      await runSteps(
        engine,
        [...clusterSizeSteps, largeClusterStep],
        ["cluster_size", "large_cluster"],
        context,
        onReport,
      );
      const [counted] = await engine.rows(
        "cluster_size",
        `SELECT coalesce(CAST(sum(size * clusters) AS BIGINT), 0) AS documents,
           coalesce(CAST(sum(CASE WHEN size > 1 THEN size * clusters END) AS BIGINT), 0) AS clustered,
           coalesce(CAST(sum(CASE WHEN size > 1 THEN clusters END) AS BIGINT), 0) AS clusters FROM cluster_size`,
      );
      const { documents, clustered, clusters } = counted!;
      const nearDuplicates = Number(clustered) - Number(clusters);
      const share = Number(documents) === 0 ? 0 : nearDuplicates / Number(documents);
      return {
        numbers: {
          documents: documents!,
          clustered: clustered!,
          clusters: clusters!,
          nearDuplicates,
          share,
          rounds: edges.length,
        },
        tables: [],
      };
    },
  };
}

const largeClusterStep: Step = {
  name: "large_cluster",
  why: "Clusters.",
  select: "SELECT root, size FROM cluster WHERE id = root AND size > 1",
};

/** Successful downloads with supershingles, of a URL the latest; the root of a cluster is then its smallest URL. */
function documentStep(columns: readonly string[]): Step {
  const known = new Set(columns);
  const id = known.has("id") ? "id" : "url";
  const missing = [id, "s0", "s1", "s2", "s3", "s4", "s5"].filter((name) => !known.has(name));
  if (missing.length > 0) throw new UserError(`--input documents has no column ${missing.join(", ")}`);
  const status = known.has("status") ? " AND (status IS NULL OR status BETWEEN 200 AND 299)" : "";
  const rows = `FROM input WHERE ${id} IS NOT NULL AND ${hasSupershingles}${status}`;
  const why = "Documents with a sketch.";
  if (!known.has("time"))
    return { name: "documents", why, select: `SELECT ${id} AS id, s0, s1, s2, s3, s4, s5 ${rows}` };
  return {
    name: "documents",
    why,
    select: `SELECT id, s0, s1, s2, s3, s4, s5 FROM (SELECT ${id} AS id, s0, s1, s2, s3, s4, s5,
       row_number() OVER (PARTITION BY ${id} ORDER BY time DESC NULLS LAST) AS place ${rows}) AS latest WHERE place = 1`,
  };
}

/** How clusters change from `before` to `after (url, outcome, cluster)`. */
export const evolveOperator: TableOperator = {
  inputs: ["before", "after"],
  results: [],
  steps: () => evolutionSteps,
  run: async (engine, _given, context, onReport) => {
    await runSteps(engine, evolutionSteps, evolutionTables, context, onReport);
    const { classes, arrivals } = await readEvolution(engine);
    const columns = [
      ...["sizes", "urls", "clusters", "containment", "similarity", "reverse", "reverseWithArrivals"],
      ...["left", "failed", "gone"],
    ];
    const rows = classes.map((of) => ({ ...of }));
    return { numbers: { ...arrivals }, tables: [{ table: "evolution by cluster size before", columns, rows }] };
  },
};

/** Pairs of hosts with pages in common clusters, of `cluster (id, root, size)` and `page_hosts (id, host)`. */
export function mirrorsOperator(minPages: number): TableOperator {
  return {
    inputs: ["cluster", "page_hosts"],
    results: [
      { table: "host_pair", columns: ["a", "b", "pages_a", "pages_b", "clusters"], order: "clusters DESC, a, b" },
      { table: "auto_mirror", columns: ["host", "pages"], order: "pages DESC, host" },
    ],
    steps: () => hostPairSteps(minPages),
    run: async (engine, _given, context, onReport) => {
      await runSteps(engine, hostPairSteps(minPages), ["host_pair", "auto_mirror"], context, onReport);
      const [counted] = await engine.rows("host_pair", "SELECT count(*) AS pairs FROM host_pair");
      return { numbers: counted!, tables: [] };
    },
  };
}

/** Collections of `links (src, dest)` and of the similar pages of `cluster (id, root)`, or of `pages` and `chunks`. */
export function collectionsOperator(threshold: number): TableOperator {
  return {
    inputs: ["links", "cluster", "pages", "chunks"],
    optional: ["cluster", "pages", "chunks"],
    results: [
      { table: "collection", columns: ["id", "root"], order: "root, id" },
      { table: "link_summary", columns: ["i", "j", "s", "d"], order: "s DESC, i, j" },
    ],
    steps: (dialect) => [
      ...similarEdgeSteps(dialect, threshold),
      ...componentSteps(dialect, "similar_edge", "alike_page"),
      ...trivialSteps,
      ...growthSteps(dialect),
    ],
    run: async (engine, given, context, onReport) => {
      if (given.has("cluster")) {
        const step = { name: "trivial", why: "Near-duplicates are similar.", select: "SELECT id, root FROM cluster" };
        await runSteps(engine, [step], ["trivial"], context, onReport);
      } else if (given.has("pages") && given.has("chunks")) {
        await findSimilarPagesBySql(engine, threshold, context, onReport);
      } else
        throw new UserError("--input needs cluster=PATH, or pages=PATH and chunks=PATH, in addition to links=PATH");
      const { unmatched, edges } = await growCollections(engine, context, onReport);
      const [counted] = await engine.rows(
        "collection",
        `SELECT count(*) AS positions, count(CASE WHEN id = root THEN 1 END) AS collections FROM collection`,
      );
      return { numbers: { ...counted, unmatched, rounds: edges.length }, tables: [] };
    },
  };
}
