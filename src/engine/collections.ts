import { matchRows } from "../collections/matching.js";
import type { JobContext } from "../model.js";
import { type ComponentRounds, componentSteps, findComponents } from "./components.js";
import type { Dialect } from "./dialect.js";
import type { SqlEngine, Step, StepReport } from "./engine.js";
import { runSteps } from "./run-steps.js";

/**
 * LinkSummary (Cho et al. 2000, figure 8): reads `trivial (id, root)` and `links (src, dest)`, makes `link_summary (i, j, s, d,
 * links)`: s pages of the trivial cluster i link to j, and d pages of j are linked from i. Clusters are named by their
 * first page; links inside a cluster have no row.
 */
const linkSummarySteps: readonly Step[] = [
  {
    name: "cluster_link",
    why: "Each link between two trivial clusters once.",
    select: `SELECT DISTINCT x.root AS i, y.root AS j, l.src AS src, l.dest AS dest FROM links AS l
     JOIN trivial AS x ON x.id = l.src JOIN trivial AS y ON y.id = l.dest WHERE x.root <> y.root`,
  },
  {
    name: "link_summary",
    why: "LinkSummary.",
    select: `SELECT i, j, count(DISTINCT src) AS s, count(DISTINCT dest) AS d, count(*) AS links FROM cluster_link GROUP BY i, j`,
  },
];

/** The merge condition |R_i| = s = d = |R_j| (section 3.1), of clusters of two pages and more. */
const mergeSteps: readonly Step[] = [
  {
    name: "trivial_size",
    why: "Pages of each trivial cluster.",
    select: "SELECT root, count(*) AS size FROM trivial GROUP BY root HAVING count(*) > 1",
  },
  {
    name: "merge_edge",
    why: "Clusters as large as each other whose pages all link to it, and are all linked.",
    select: `SELECT l.i AS a, l.j AS b, x.size AS size, l.links AS links FROM link_summary AS l
     JOIN trivial_size AS x ON x.root = l.i JOIN trivial_size AS y ON y.root = l.j
     WHERE x.size = y.size AND l.s = x.size AND l.d = y.size`,
  },
];

const collectionStep: Step = {
  name: "collection",
  why: "Every position of a collection with the first one.",
  select:
    "SELECT t.root AS id, coalesce(g.root, t.root) AS root FROM trivial_size AS t LEFT JOIN grown AS g ON g.id = t.root",
};

/** Edges between these pairs allow no one-to-one mapping. */
function matchedStep(rejected: readonly { readonly a: number; readonly b: number }[]): Step {
  const isRejected = rejected.map(({ a, b }) => `(a = ${a} AND b = ${b})`).join(" OR ");
  return {
    name: "matched_edge",
    why: "Those with a one-to-one mapping: all where links = size; of the others, those whose pages can be matched by their links.",
    select: `SELECT a, b FROM merge_edge${rejected.length === 0 ? "" : ` WHERE NOT (${isRejected})`}`,
  };
}

/** The steps of growing for people who run them elsewhere. */
export function growthSteps(dialect: Dialect): Step[] {
  return [
    ...linkSummarySteps,
    ...mergeSteps,
    matchedStep([]),
    ...componentSteps(dialect, "matched_edge", "grown"),
    collectionStep,
  ];
}

export interface GrowthResult extends ComponentRounds {
  /** Edges that meet the merge condition and allow no one-to-one mapping. */
  readonly unmatched: number;
}

/**
 * Grows collections: makes `collection (id, root)`, the trivial clusters of two pages and more with the first of those that
 * they grow together with. An edge also needs a one-to-one mapping of its pages, which the counts give where there is one link a
 * page; the others are brought here and matched (collections/matching.ts).
 */
export async function growCollections(
  engine: SqlEngine,
  context: JobContext,
  onReport: (report: StepReport) => void = () => {},
): Promise<GrowthResult> {
  await runSteps(
    engine,
    [...linkSummarySteps, ...mergeSteps],
    ["cluster_link", "link_summary", "merge_edge", "trivial_size"],
    context,
    onReport,
  );
  const rejected = await findUnmatched(engine);
  await runSteps(engine, [matchedStep(rejected)], ["matched_edge"], context, onReport);
  const rounds = await findComponents(engine, "matched_edge", "grown", context, onReport);
  await runSteps(engine, [collectionStep], ["collection"], context, onReport);
  for (const name of ["cluster_link", "merge_edge", "trivial_size", "matched_edge", "grown"]) await engine.drop(name);
  return { ...rounds, unmatched: rejected.length };
}

async function findUnmatched(engine: SqlEngine): Promise<{ a: number; b: number }[]> {
  const rows = await engine.rows(
    "merge_edge",
    `SELECT e.a AS a, e.b AS b, e.size AS size, l.src AS src, l.dest AS dest FROM merge_edge AS e
     JOIN cluster_link AS l ON l.i = e.a AND l.j = e.b WHERE e.links > e.size ORDER BY a, b, src, dest`,
  );
  const unmatched: { a: number; b: number }[] = [];
  for (let from = 0; from < rows.length; ) {
    const { a, b, size } = rows[from]!;
    const numbers = { src: new Map<number, number>(), dest: new Map<number, number>() };
    const numberOf = (side: "src" | "dest", page: number) => {
      const known = numbers[side].get(page) ?? numbers[side].size;
      numbers[side].set(page, known);
      return known;
    };
    const row: number[] = [];
    const column: number[] = [];
    for (; from < rows.length && rows[from]!.a === a && rows[from]!.b === b; from++) {
      row.push(numberOf("dest", Number(rows[from]!.dest)));
      column.push(numberOf("src", Number(rows[from]!.src)));
    }
    const sides = { rows: Number(size), columns: numbers.src.size, row, column, cost: row.map(() => 0) };
    if (matchRows(sides) === undefined) unmatched.push({ a: Number(a), b: Number(b) });
  }
  return unmatched;
}
