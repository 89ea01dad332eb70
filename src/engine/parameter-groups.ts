import type { PairOptions } from "./detect.js";
import type { Dialect } from "./dialect.js";
import type { Step } from "./engine.js";
import { likenessSteps } from "./likeness.js";
import { isPlainQuery, pathName, queryName, urlSql, withoutPathParameter, withoutQueryParameter } from "./rewrite.js";

/**
 * Parameter groups (thesis 5.3): reads `urls`, `sizes` and `captures` (detect.ts), makes `parameter_group (site, place, name, urls,
 * buckets, support, merged, confirmed, unlikely, example)`: of the URLs with a parameter, those that are one URL without it, or are
 * then a URL of the list, share a bucket. Buckets of every size count. `support` is the number of URLs that go, `merged` how many
 * of those with the parameter share a bucket; each is compared with its bucket's image where the list has it, else with its
 * first URL. Groups are left out where more than half of what goes is unlike that.
 */
export function parameterGroupSteps(dialect: Dialect, options: PairOptions): Step[] {
  const { minSupport } = options;
  const { queryPieces, pathPieces } = urlSql(dialect, "url");
  const named = (place: "query" | "path", pieces: string, name: string) =>
    `SELECT DISTINCT site, id, url, '${place}' AS place, ${name} AS name
     FROM (SELECT site, id, url, ${dialect.eachItem(pieces)} AS piece FROM urls WHERE ${isPlainQuery(dialect, "url")}) AS pieces
     WHERE length(${name}) > 0`;
  return [
    {
      name: "parameter",
      why: "The names of each URL's parameters.",
      select: `${named("query", queryPieces, queryName(dialect, "piece"))}
       UNION ALL ${named("path", pathPieces, pathName(dialect, "piece"))}`,
    },
    {
      name: "popular_parameter",
      why: "Parameters of fewer URLs cannot reach the least support.",
      select: `SELECT site, place, name, count(*) AS urls, min(id) AS example FROM parameter GROUP BY site, place, name HAVING count(*) >= ${minSupport}`,
    },
    {
      name: "parameter_image",
      why: "Each URL without the parameter.",
      select: `SELECT p.site AS site, p.place AS place, p.name AS name, p.id AS id,
         CASE WHEN p.place = 'query' THEN ${withoutQueryParameter(dialect, "p.url", "p.name")}
           ELSE ${withoutPathParameter(dialect, "p.url", "p.name")} END AS image
       FROM parameter AS p JOIN popular_parameter AS o ON o.site = p.site AND o.place = p.place AND o.name = p.name`,
    },
    {
      name: "parameter_bucket",
      why: "Buckets by image; the image itself is one more where the list has it.",
      select: `SELECT i.site AS site, i.place AS place, i.name AS name, i.image AS image, count(*) AS members,
         max(CASE WHEN u.id IS NULL THEN 0 ELSE 1 END) AS in_list, coalesce(max(u.id), min(i.id)) AS reference
       FROM parameter_image AS i LEFT JOIN urls AS u ON u.site = i.site AND u.url = i.image
       GROUP BY i.site, i.place, i.name, i.image HAVING count(*) + max(CASE WHEN u.id IS NULL THEN 0 ELSE 1 END) > 1`,
    },
    {
      name: "parameter_member",
      why: "Their URLs except for the references.",
      select: `SELECT i.site AS site, i.place AS place, i.name AS name, i.id AS id, b.reference AS reference
       FROM parameter_image AS i JOIN parameter_bucket AS b
       ON b.site = i.site AND b.place = i.place AND b.name = i.name AND b.image = i.image WHERE i.id <> b.reference`,
    },
    {
      name: "parameter_couple",
      why: "Pairs of URLs whose documents are compared.",
      select: "SELECT DISTINCT id AS a, reference AS b FROM parameter_member",
    },
    ...likenessSteps(dialect, options, "parameter_couple", "parameter_"),
    {
      name: "parameter_group",
      why: "Parameters with what they merge.",
      select: `SELECT o.site AS site, o.place AS place, o.name AS name, o.urls AS urls, b.buckets AS buckets, m.support AS support,
         b.merged AS merged, m.confirmed AS confirmed, m.unlikely AS unlikely, o.example AS example
       FROM popular_parameter AS o
       JOIN (SELECT site, place, name, count(*) AS buckets, CAST(sum(members) AS BIGINT) AS merged FROM parameter_bucket
         GROUP BY site, place, name) AS b ON b.site = o.site AND b.place = o.place AND b.name = o.name
       JOIN (SELECT p.site AS site, p.place AS place, p.name AS name, count(*) AS support,
           count(CASE WHEN l.likeness = 2 THEN 1 END) AS confirmed, count(CASE WHEN l.likeness = 0 THEN 1 END) AS unlikely
         FROM parameter_member AS p JOIN parameter_likeness AS l ON l.a = p.id AND l.b = p.reference
         GROUP BY p.site, p.place, p.name) AS m ON m.site = o.site AND m.place = o.place AND m.name = o.name
       WHERE m.support >= ${minSupport} AND 2 * m.unlikely <= m.support`,
    },
  ];
}
