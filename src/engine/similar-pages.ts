import type { JobContext } from "../model.js";
import { findComponents } from "./components.js";
import type { Dialect } from "./dialect.js";
import type { SqlEngine, Step, StepReport } from "./engine.js";
import { runSteps } from "./run-steps.js";

/**
 * Pages that share more than `threshold` distinct chunks, or the whole text (Cho et al. 2000, section 5.1; exactly as
 * collections/similar-pages.ts): reads `pages (id, whole)`, whole being the text's fingerprint or NULL without text, and
 * `chunks (id, fingerprint)`; makes `similar_edge (a, b)`.
 *
 * Of the chunks in one order, the rarest first, two pages that share more than T have one in common among the first n - T of
 * each ("prefix filtering"); only such pages are compared.
 */
export function similarEdgeSteps(dialect: Dialect, threshold: number): Step[] {
  return [
    {
      name: "text_page",
      why: "One page stands for all with its text.",
      select: "SELECT whole, min(id) AS id FROM pages WHERE whole IS NOT NULL GROUP BY whole",
    },
    {
      name: "text_chunk",
      why: "The distinct chunks of each text.",
      select:
        "SELECT DISTINCT c.id AS id, c.fingerprint AS fingerprint FROM chunks AS c JOIN text_page AS t ON t.id = c.id",
    },
    {
      name: "shared_chunk",
      why: "Chunks that two texts have, and how many have them.",
      select: "SELECT fingerprint, count(*) AS texts FROM text_chunk GROUP BY fingerprint HAVING count(*) > 1",
    },
    {
      name: "ranked_chunk",
      why: "Chunks of the texts that have enough of them, the rarest first.",
      select: `SELECT id, fingerprint, place, many FROM (SELECT c.id AS id, c.fingerprint AS fingerprint,
           row_number() OVER (PARTITION BY c.id ORDER BY s.texts, c.fingerprint) AS place, count(*) OVER (PARTITION BY c.id) AS many
         FROM text_chunk AS c JOIN shared_chunk AS s ON s.fingerprint = c.fingerprint) AS placed WHERE many > ${threshold}`,
    },
    {
      name: "chunk_list",
      why: "Texts with the very same shared chunks behave alike: the first stands for all of them.",
      select: `SELECT list, min(id) AS id, ${dialect.collect("id")} AS ids
       FROM (SELECT id, ${dialect.sortedList("fingerprint")} AS list FROM ranked_chunk GROUP BY id) AS listed GROUP BY list`,
    },
    {
      name: "compared_chunk",
      why: "Their chunks.",
      select:
        "SELECT r.id AS id, r.fingerprint AS fingerprint, r.place AS place, r.many AS many FROM ranked_chunk AS r JOIN (SELECT id FROM chunk_list) AS l ON l.id = r.id",
    },
    {
      name: "chunk_candidate",
      why: "Texts with a chunk in common among the first n - T of both.",
      select: `SELECT DISTINCT x.id AS a, y.id AS b FROM compared_chunk AS x
       JOIN compared_chunk AS y ON y.fingerprint = x.fingerprint AND x.id < y.id
       WHERE x.place <= x.many - ${threshold} AND y.place <= y.many - ${threshold}`,
    },
    {
      name: "similar_edge",
      why: "Those that share more than T, and the pages of one text or one list.",
      select: `SELECT c.a AS a, c.b AS b FROM chunk_candidate AS c JOIN compared_chunk AS x ON x.id = c.a
         JOIN compared_chunk AS y ON y.id = c.b AND y.fingerprint = x.fingerprint GROUP BY c.a, c.b HAVING count(*) > ${threshold}
       UNION ALL SELECT p.id AS a, t.id AS b FROM pages AS p JOIN text_page AS t ON t.whole = p.whole WHERE p.id <> t.id
       UNION ALL SELECT a, b FROM (SELECT ${dialect.eachItem("ids")} AS a, id AS b FROM chunk_list) AS alike WHERE a <> b`,
    },
  ];
}

/** Makes `trivial (id, root)` of every page: the smallest page of its trivial cluster. */
export async function findSimilarPagesBySql(
  engine: SqlEngine,
  threshold: number,
  context: JobContext,
  onReport: (report: StepReport) => void = () => {},
): Promise<void> {
  await runSteps(engine, similarEdgeSteps(engine.dialect, threshold), ["similar_edge"], context, onReport);
  await findComponents(engine, "similar_edge", "alike_page", context, onReport);
  await runSteps(engine, trivialSteps, ["trivial"], context, onReport);
  await engine.drop("similar_edge");
  await engine.drop("alike_page");
}

export const trivialSteps: readonly Step[] = [
  {
    name: "trivial",
    why: "TRIVIAL: every page with the first page of its trivial cluster.",
    select:
      "SELECT p.id AS id, coalesce(s.root, p.id) AS root FROM pages AS p LEFT JOIN alike_page AS s ON s.id = p.id",
  },
];
