import { FEW_ECHOES, LEAST_ECHO, type LikelySimilarOptions, MOST_ECHOES } from "../mine/likely-similar.js";
import { CHANGED_MATCHES, SAME_TIME_MS } from "../sketch/captures.js";
import type { Dialect } from "./dialect.js";
import type { Step } from "./engine.js";

/**
 * LikelySimilar (mine/likely-similar.ts) for the pairs of ids of a table `couples (a, b)`: makes `likeness (a, b, likeness)`,
 * 0 unlikely, 1 unknown, 2 confirmed. All its tables begin with `prefix`.
 */
export function likenessSteps(
  dialect: Dialect,
  options: LikelySimilarOptions,
  couples: string,
  prefix: string,
): Step[] {
  const bySize = options.likely === "auto" || options.likely === "size";
  const bySketch = options.likely === "auto" || options.likely === "sketch";
  const known = [...(bySketch ? ["k.likeness"] : []), ...(bySize ? ["s.likeness"] : []), "1"];
  return [
    ...(bySize ? sizeSteps(dialect, options, couples, prefix) : []),
    ...(bySketch ? sketchSteps(dialect, options, couples, prefix) : []),
    {
      name: `${prefix}likeness`,
      why: "Sketches decide where there are two to compare, else sizes; what is unknown is 1.",
      select: `SELECT c.a AS a, c.b AS b, coalesce(${known.join(", ")}) AS likeness FROM ${couples} AS c
       ${bySketch ? `LEFT JOIN ${prefix}sketch_likeness AS k ON k.a = c.a AND k.b = c.b` : ""}
       ${bySize ? `LEFT JOIN ${prefix}size_likeness AS s ON s.a = c.a AND s.b = c.b` : ""}`,
    },
  ];
}

/**
 * Ranges are closed; one source that disagrees is enough, unless the pages may echo their own URLs; an overlap confirms where
 * both ranges are narrow.
 */
function sizeSteps(dialect: Dialect, { plan }: LikelySimilarOptions, couples: string, prefix: string): Step[] {
  const differs = "(x.min_bytes > y.max_bytes OR y.min_bytes > x.max_bytes)";
  const echoes = "(x.min_bytes - y.min_bytes) / CAST(x.url_bytes - y.url_bytes AS DOUBLE)";
  const mayEcho = `CASE WHEN x.min_bytes <> x.max_bytes OR y.min_bytes <> y.max_bytes THEN false
         WHEN x.url_bytes = y.url_bytes THEN false
         ELSE ${echoes} = floor(${echoes}) AND ${echoes} > 0
           AND ${echoes} <= CASE WHEN abs(x.url_bytes - y.url_bytes) < ${LEAST_ECHO} THEN ${FEW_ECHOES} ELSE ${MOST_ECHOES} END END`;
  const disagrees = plan === "paper" ? differs : `${differs} AND NOT (${mayEcho})`;
  return [
    {
      name: `${prefix}sized`,
      why: "Sizes with the length of the URL, which the page may echo.",
      select: `SELECT s.id AS id, s.source AS source, s.min_bytes AS min_bytes, s.max_bytes AS max_bytes,
         ${dialect.byteLength("u.url")} AS url_bytes FROM sizes AS s JOIN urls AS u ON u.id = s.id`,
    },
    {
      name: `${prefix}size_likeness`,
      // Sources are compared after the join: a planner that joins by them, few as they are, brings all sizes together with all.
      why: "By sizes, within one source.",
      select: `SELECT a, b, CASE WHEN disagrees = 1 THEN 0 WHEN confirms = 1 THEN 2 ELSE 1 END AS likeness
       FROM (SELECT c.a AS a, c.b AS b, max(CASE WHEN x.source = y.source THEN 1 ELSE 0 END) AS comparable,
           max(CASE WHEN x.source = y.source AND ${disagrees} THEN 1 ELSE 0 END) AS disagrees,
           max(CASE WHEN x.source = y.source AND NOT ${differs} AND x.max_bytes <= 2 * x.min_bytes AND y.max_bytes <= 2 * y.min_bytes THEN 1 ELSE 0 END) AS confirms
         FROM ${couples} AS c JOIN ${prefix}sized AS x ON x.id = c.a JOIN ${prefix}sized AS y ON y.id = c.b
         GROUP BY c.a, c.b) AS compared
       WHERE comparable = 1`,
    },
  ];
}

/**
 * By the captures nearest in time, the latest of several, as sketch/captures.ts walks them: of captures with one time the
 * walk meets the first of a with the last of b where b is earlier, and else the last of a with the first of b.
 */
function sketchSteps(
  dialect: Dialect,
  { sketchMatches }: LikelySimilarOptions,
  couples: string,
  prefix: string,
): Step[] {
  const equal = [0, 1, 2, 3].map((i) => `CASE WHEN x.v${i} = y.v${i} THEN 1 ELSE 0 END`).join(" + ");
  const gap = "abs(x.time_ms - y.time_ms)";
  // The smallest record is chosen: negative numbers where the latest is wanted.
  const rank = dialect.record({
    gap: `coalesce(${gap}, 0)`,
    a: "-x.seq",
    b: "-y.seq",
    kinds: "CASE WHEN x.kind = y.kind THEN 1 ELSE 0 END",
    equal,
    near: `CASE WHEN ${gap} > ${SAME_TIME_MS} THEN 0 ELSE 1 END`,
  });
  return [
    {
      name: `${prefix}capture`,
      why: "Captures with their place among those of the URL: unknown times are first.",
      select: `SELECT id, seq, time_ms, kind, v0, v1, v2, v3,
         row_number() OVER (PARTITION BY id ORDER BY seq) = 1 AS is_first,
         row_number() OVER (PARTITION BY id ORDER BY seq DESC) = 1 AS is_last,
         row_number() OVER (PARTITION BY id, time_ms ORDER BY seq) = 1 AS is_first_of_time,
         row_number() OVER (PARTITION BY id, time_ms ORDER BY seq DESC) = 1 AS is_last_of_time,
         count(*) OVER (PARTITION BY id) = count(time_ms) OVER (PARTITION BY id) AS is_timed
       FROM captures`,
    },
    {
      name: `${prefix}sketch_likeness`,
      why: "By sketches: no row where their kinds differ.",
      select: `SELECT a, b, CASE WHEN nearest.equal >= ${sketchMatches} THEN 2
           WHEN nearest.equal < ${CHANGED_MATCHES} OR nearest.near = 1 THEN 0 ELSE 1 END AS likeness
       FROM (SELECT c.a AS a, c.b AS b, min(${rank}) AS nearest
         FROM ${couples} AS c JOIN ${prefix}capture AS x ON x.id = c.a JOIN ${prefix}capture AS y ON y.id = c.b
         WHERE CASE WHEN x.is_timed AND y.is_timed THEN
             CASE WHEN x.time_ms > y.time_ms THEN x.is_first_of_time AND y.is_last_of_time
               ELSE x.is_last_of_time AND y.is_first_of_time END
           ELSE (CASE WHEN x.is_timed THEN x.is_last ELSE x.is_first END)
             AND (CASE WHEN y.is_timed THEN y.is_last ELSE y.is_first END) END
         GROUP BY c.a, c.b) AS chosen
       WHERE nearest.kinds = 1`,
    },
  ];
}
