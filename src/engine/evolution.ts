import { type Arrivals, type ClassEvolution, DOWNLOADED, type Evolution, FAILED } from "../pages/evolve.js";
import { sizeClass, sizeClasses } from "../pages/size-class.js";
import type { Row, SqlEngine, Step } from "./engine.js";

/**
 * How clusters change between two snapshots (Fetterly et al. 2004, section 3): reads `before` and `after (url, outcome,
 * cluster)` (pages/evolve.ts; cluster is NULL where there is none, URLs that are absent have no row). All coefficients come
 * from how many URLs are in cluster A before and in B after; engines count, and the ratios are computed here.
 */
export const evolutionSteps: readonly Step[] = [
  {
    name: "size_before",
    why: "Sizes of the clusters before.",
    select: "SELECT cluster, count(*) AS size FROM before WHERE cluster IS NOT NULL GROUP BY cluster",
  },
  {
    name: "size_after",
    why: "And after.",
    select: "SELECT cluster, count(*) AS size FROM after WHERE cluster IS NOT NULL GROUP BY cluster",
  },
  {
    name: "moved",
    why: "Where the URLs of each cluster went, of those that have one both times.",
    select: `SELECT b.cluster AS a, c.cluster AS b, count(*) AS common FROM before AS b JOIN after AS c ON c.url = b.url
     WHERE b.cluster IS NOT NULL AND c.cluster IS NOT NULL GROUP BY b.cluster, c.cluster`,
  },
  {
    name: "overlap",
    why: "How often each combination of sizes occurs: these are all that the coefficients need.",
    select: `SELECT s.size AS size_before, x.size AS in_before, y.size AS in_after, t.size AS size_after, m.common AS common,
       count(*) AS pairs
     FROM moved AS m JOIN size_before AS s ON s.cluster = m.a JOIN size_after AS t ON t.cluster = m.b
     JOIN (SELECT a, CAST(sum(common) AS BIGINT) AS size FROM moved GROUP BY a) AS x ON x.a = m.a
     JOIN (SELECT b, CAST(sum(common) AS BIGINT) AS size FROM moved GROUP BY b) AS y ON y.b = m.b
     GROUP BY s.size, x.size, y.size, t.size, m.common`,
  },
  {
    name: "stayed",
    why: "By size before: clusters, their URLs compared, and those not where most of the cluster went.",
    select: `SELECT s.size AS size_before, count(*) AS clusters, CAST(sum(m.urls) AS BIGINT) AS urls,
       CAST(sum(m.urls - m.largest) AS BIGINT) AS left_alone
     FROM (SELECT a, sum(common) AS urls, max(common) AS largest FROM moved GROUP BY a) AS m
     JOIN size_before AS s ON s.cluster = m.a GROUP BY s.size`,
  },
  {
    name: "lost",
    why: "By size before: URLs that failed or are gone.",
    select: `SELECT s.size AS size_before, count(CASE WHEN c.outcome = ${FAILED} THEN 1 END) AS failed,
       count(CASE WHEN c.outcome IS NULL THEN 1 END) AS gone
     FROM before AS b JOIN size_before AS s ON s.cluster = b.cluster LEFT JOIN after AS c ON c.url = b.url
     WHERE coalesce(c.outcome, 0) <> ${DOWNLOADED} GROUP BY s.size`,
  },
  {
    name: "arrival",
    why: "URLs that are new, by what they are like.",
    select: `SELECT count(CASE WHEN b.outcome IS NULL THEN 1 END) AS urls,
       count(CASE WHEN b.outcome IS NULL AND c.cluster IS NULL THEN 1 END) AS unsketched,
       count(CASE WHEN b.outcome IS NULL AND h.cluster IS NOT NULL THEN 1 END) AS joined,
       count(CASE WHEN b.outcome IS NULL AND h.cluster IS NULL AND t.size = 1 THEN 1 END) AS alone,
       count(CASE WHEN b.outcome IS NULL AND h.cluster IS NULL AND t.size > 1 THEN 1 END) AS together,
       count(CASE WHEN b.outcome = ${FAILED} THEN 1 END) AS recovered
     FROM after AS c LEFT JOIN before AS b ON b.url = c.url LEFT JOIN size_after AS t ON t.cluster = c.cluster
     LEFT JOIN (SELECT DISTINCT c.cluster AS cluster FROM after AS c JOIN before AS b ON b.url = c.url
       WHERE c.cluster IS NOT NULL) AS h ON h.cluster = c.cluster
     WHERE c.outcome = ${DOWNLOADED}`,
  },
];

export const evolutionTables = ["overlap", "stayed", "lost", "arrival"] as const;

/** The coefficients, from the tables that `evolutionSteps` made. */
export async function readEvolution(engine: SqlEngine): Promise<Evolution> {
  const overlap = await engine.rows(
    "overlap",
    "SELECT * FROM overlap ORDER BY size_before, in_before, in_after, size_after, common",
  );
  const stayed = await engine.rows("stayed", "SELECT * FROM stayed");
  const lost = await engine.rows("lost", "SELECT * FROM lost");
  const [arrival] = await engine.rows("arrival", "SELECT * FROM arrival");
  const classes = sizeClasses.map((sizes, number): ClassEvolution => {
    const ofClass = (rows: readonly Row[]) => rows.filter((row) => sizeClass(Number(row.size_before)) === number);
    const total = (rows: readonly Row[], value: (row: Row) => number) =>
      ofClass(rows).reduce((sum, row) => sum + value(row), 0);
    const urls = total(stayed, (row) => Number(row.urls));
    const average = (denominator: (row: Row) => number) =>
      urls === 0 ? 1 : total(overlap, (row) => (Number(row.pairs) * Number(row.common) ** 2) / denominator(row)) / urls;
    return {
      sizes,
      urls,
      clusters: total(stayed, (row) => Number(row.clusters)),
      containment: average((row) => Number(row.in_before)),
      similarity: average((row) => Number(row.in_before) + Number(row.in_after) - Number(row.common)),
      reverse: average((row) => Number(row.in_after)),
      reverseWithArrivals: average((row) => Number(row.size_after)),
      left: total(stayed, (row) => Number(row.left_alone)),
      failed: total(lost, (row) => Number(row.failed)),
      gone: total(lost, (row) => Number(row.gone)),
    };
  });
  return { classes, arrivals: arrival as unknown as Arrivals };
}
