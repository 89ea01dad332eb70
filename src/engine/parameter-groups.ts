import type { Dialect } from "./dialect.js";
import type { Step } from "./engine.js";
import { isPlainQuery, pathName, queryName, urlSql, withoutPathParameter, withoutQueryParameter } from "./rewrite.js";

/**
 * Parameter groups (thesis 5.3): reads `urls (site, id, url)`, makes `parameter_group (site, place, name, urls, buckets, support,
 * merged)`: of the URLs with a parameter, those that are one URL without it, or are then a URL of the list, share a bucket.
 * Buckets of every size count. `support` is the number of URLs that go, `merged` how many of those with the parameter
 * share a bucket.
 */
export function parameterGroupSteps(dialect: Dialect, minSupport: number): Step[] {
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
      select: `SELECT site, place, name, count(*) AS urls FROM parameter GROUP BY site, place, name HAVING count(*) >= ${minSupport}`,
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
      name: "parameter_group",
      why: "Buckets by image; the image itself is one more where the list has it.",
      select: `SELECT o.site AS site, o.place AS place, o.name AS name, o.urls AS urls, coalesce(b.buckets, 0) AS buckets,
         coalesce(b.support, 0) AS support, coalesce(b.merged, 0) AS merged
       FROM popular_parameter AS o
       LEFT JOIN (SELECT site, place, name, count(*) AS buckets, CAST(sum(members + in_list - 1) AS BIGINT) AS support,
           CAST(sum(members) AS BIGINT) AS merged
         FROM (SELECT i.site AS site, i.place AS place, i.name AS name, i.image AS image, count(*) AS members,
             max(CASE WHEN u.id IS NULL THEN 0 ELSE 1 END) AS in_list
           FROM parameter_image AS i LEFT JOIN urls AS u ON u.site = i.site AND u.url = i.image
           GROUP BY i.site, i.place, i.name, i.image) AS bucket
         WHERE members + in_list > 1 GROUP BY site, place, name) AS b
       ON b.site = o.site AND b.place = o.place AND b.name = o.name
       WHERE coalesce(b.support, 0) >= ${minSupport}`,
    },
  ];
}
