import type { JobContext } from "../model.js";
import { findRoot, makeSets, union } from "../pages/union-find.js";
import { stopIfAborted } from "../progress.js";
import type { Dialect } from "./dialect.js";
import type { SqlEngine, Step, StepReport } from "./engine.js";

/** How a search for components went: the number of edges before each round. */
export interface ComponentRounds {
  readonly edges: readonly number[];
}

/**
 * Connected components of `edges (a, b)`, in either direction and possibly repeated: makes `target (id, root)` for every
 * node of an edge, root being the smallest id of its component.
 *
 * Randomized contraction (Boegeholz, Brand, Todor: In-database connected component analysis, 2020): in each round every
 * node chooses, of itself and its neighbours, the one with the smallest hash, and nodes that chose alike become one. A
 * constant share of the nodes is expected to go with each round, whatever the graph's diameter, so that the number of
 * rounds is logarithmic. The hash differs from round to round: by ids alone a long chain would never shrink. The few edges
 * of the last rounds are brought here: on a cluster a round takes seconds, however small it is.
 */
export async function findComponents(
  engine: SqlEngine,
  edges: string,
  target: string,
  context: JobContext,
  onReport: (report: StepReport) => void = () => {},
): Promise<ComponentRounds> {
  const steps = contractionSteps(engine.dialect, edges, target);
  const made: string[] = [];
  const make = async (step: Step): Promise<void> => {
    stopIfAborted(context, `stopped before step ${step.name}`);
    onReport(await engine.make(step));
    made.push(step.name);
  };
  const makeEdges = async (step: Step): Promise<number> => {
    await make(step);
    return Number((await engine.rows(step.name, `SELECT count(*) AS n FROM ${step.name}`))[0]!.n);
  };
  const counts: number[] = [];
  let round = 0;
  let left = await makeEdges(steps.begin);
  while (left > 0) {
    counts.push(left);
    const edgeTable = steps.edgeTable(round);
    if (left <= Math.min(FEW_EDGES, engine.limitResult)) {
      const choiceTable = steps.choose(round).name;
      onReport(await engine.make(await finishHere(engine, edgeTable, choiceTable), true));
      made.push(choiceTable);
      round++;
      break;
    }
    context.onProgress({
      step: target,
      done: counts[0]! - left,
      total: counts[0]!,
      unit: "edges",
      note: `round ${round + 1}`,
    });
    await make(steps.choose(round));
    left = await makeEdges(steps.contract(round));
    await engine.drop(edgeTable);
    round++;
  }
  for (const step of steps.end(round)) await make(step);
  for (const name of made) if (name !== target) await engine.drop(name);
  return { edges: counts };
}

/** The steps of this for people who run them elsewhere: one round, and what to do where it leaves edges. */
export function componentSteps(dialect: Dialect, edges: string, target: string): Step[] {
  const { begin, choose, contract, end } = contractionSteps(dialect, edges, target);
  const round = contract(0);
  const why = `${round.why} Where it has rows, repeat both steps with the next number in the names and in the hash, until it has none; ${target}_label then follows the choices of all rounds.`;
  return [begin, choose(0), { ...round, why }, ...end(1)];
}

function contractionSteps(dialect: Dialect, edges: string, target: string) {
  const edgeTable = (round: number) => `${target}_edge_${round}`;
  const choiceTable = (round: number) => `${target}_choice_${round}`;
  const labelTable = `${target}_label`;
  const begin: Step = {
    name: edgeTable(0),
    why: "Every edge once, in both directions.",
    select: `SELECT DISTINCT a, b FROM (SELECT a, b FROM ${edges} UNION ALL SELECT b AS a, a AS b FROM ${edges}) AS both_ways WHERE a <> b`,
  };
  const choose = (round: number): Step => {
    const key = (node: string) =>
      dialect.record({ h: dialect.hash(`CAST(${node} AS STRING) || ':${round}'`), id: node });
    return {
      name: choiceTable(round),
      why: "Of itself and its neighbours, each node chooses the one with the smallest hash of this round.",
      select: `SELECT a AS id, CASE WHEN own.h < least_key.h OR (own.h = least_key.h AND own.id < least_key.id) THEN a ELSE least_key.id END AS chosen
       FROM (SELECT a, min(${key("b")}) AS least_key, ${key("a")} AS own FROM ${edgeTable(round)} GROUP BY a) AS neighbours`,
    };
  };
  const contract = (round: number): Step => ({
    name: edgeTable(round + 1),
    why: "Nodes that chose alike become one; edges within it are gone.",
    select: `SELECT DISTINCT x.chosen AS a, y.chosen AS b FROM ${edgeTable(round)} AS e
       JOIN ${choiceTable(round)} AS x ON x.id = e.a JOIN ${choiceTable(round)} AS y ON y.id = e.b WHERE x.chosen <> y.chosen`,
  });
  const end = (rounds: number): Step[] => {
    const why = "The root of a component is its smallest id.";
    if (rounds === 0) return [{ name: target, why, select: `SELECT a AS id, b AS root FROM ${edgeTable(0)}` }];
    return [
      { name: labelTable, why: "What each node has become in the end.", select: lastChoices(choiceTable, rounds) },
      {
        name: target,
        why,
        select: `SELECT l.id AS id, r.root AS root FROM ${labelTable} AS l
         JOIN (SELECT label, min(id) AS root FROM ${labelTable} GROUP BY label) AS r ON r.label = l.label`,
      },
    ];
  };
  return { edgeTable, begin, choose, contract, end };
}

/** In both directions. */
const FEW_EDGES = 2000;

/** What each node of few edges has become in the end: found here, and written into the statement. */
async function finishHere(engine: SqlEngine, edges: string, name: string): Promise<Step> {
  const { quote } = engine.dialect;
  const select = `SELECT CAST(a AS STRING) AS a, CAST(b AS STRING) AS b, typeof(a) AS type FROM ${edges} WHERE a < b ORDER BY a, b`;
  const rows = await engine.rows(name, select);
  const nodes = [...new Set(rows.flatMap(({ a, b }) => [String(a), String(b)]))];
  const numbers = new Map(nodes.map((node, number) => [node, number]));
  const parent = new Uint32Array(nodes.length);
  makeSets(parent);
  for (const { a, b } of rows) union(parent, numbers.get(String(a))!, numbers.get(String(b))!);
  const values = nodes.map((node, number) => `(${quote(node)}, ${quote(nodes[findRoot(parent, number)]!)})`);
  const type = String(rows[0]!.type);
  return {
    name,
    why: "The few edges that are left were followed elsewhere.",
    select: `SELECT CAST(id AS ${type}) AS id, CAST(chosen AS ${type}) AS chosen FROM (VALUES ${values.join(", ")}) AS ended(id, chosen)`,
  };
}

/** From the last round back, each with a fraction of the nodes of the one before: what a node chose stands for what that chose in its turn. */
function lastChoices(choiceTable: (round: number) => string, rounds: number): string {
  let select = `SELECT id, chosen AS label FROM ${choiceTable(rounds - 1)}`;
  for (let at = rounds - 2; at >= 0; at--) {
    select = `SELECT c.id AS id, coalesce(l.label, c.chosen) AS label FROM ${choiceTable(at)} AS c LEFT JOIN (${select}) AS l ON l.id = c.chosen`;
  }
  return select;
}
