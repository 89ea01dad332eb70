import type { DetectOptions } from "../mine/detect.js";
import type { Dialect } from "./dialect.js";
import type { Step } from "./engine.js";
import { likenessSteps } from "./likeness.js";

/** What detection is asked for: the paper's parameters (mine/detect.ts). */
export type PairOptions = Omit<DetectOptions, "threads">;

/**
 * Pairs with support (figure 1 of the 2007 paper), for both thresholds in one pass, by site.
 *
 * Reads `urls (site, id, url)`, unique by site and URL with unique ids, and for likeness `sizes (id, source, min_bytes,
 * max_bytes)` and `captures (id, seq, time_ms, kind, v0, v1, v2, v3)`. Makes `pair (site, alpha, beta, at_start, at_end,
 * support_low, support_high, confirmed, example_alpha, example_beta)`.
 *
 * A URL of n tokens (anchors included) has cuts 0 to n. A prefix or a suffix that occurs once in its site makes no bucket,
 * so it never meets another one: only the others are combined. Hashes bring envelopes together; buckets are made of the
 * texts, so that a collision only costs time.
 */
export function pairSteps(dialect: Dialect, options: PairOptions): Step[] {
  const { hash } = dialect;
  const { maxTokens, lowBucket, highBucket, minSupport } = options;
  const shared = (side: "prefix" | "suffix", hashed: "p" | "s"): Step => ({
    name: `shared_${side}`,
    why: `A ${side} that occurs once in its site makes no bucket.`,
    select: `SELECT ${hashed} FROM cut WHERE ${hashed} IS NOT NULL GROUP BY ${hashed} HAVING count(*) > 1`,
  });
  const prefix = "site || chr(10) || CASE WHEN k = 0 THEN '' ELSE '^' || left(url, pos) END";
  const suffix = "site || chr(10) || CASE WHEN k = n THEN '' ELSE '$' || substr(url, pos + 1) END";
  return [
    {
      name: "cut",
      why: "The cuts between tokens of each URL, 0 before the anchor ^ and n after the anchor $, with the hashes of what is before and after. The whole URL is nobody else's prefix or suffix.",
      select: `SELECT id, n, k, pos, CASE WHEN k < n THEN ${hash(prefix)} END AS p, CASE WHEN k > 0 THEN ${hash(suffix)} END AS s
       FROM (SELECT site, id, url, n, k, CASE WHEN k = 0 THEN 0 WHEN k = n THEN length(url)
           ELSE length(${dialect.joinFirst("t", "k - 1")}) END AS pos
         FROM (SELECT site, id, url, t, n, ${dialect.eachInteger("0", "n")} AS k
           FROM (SELECT site, id, url, t, ${dialect.listLength("t")} + 2 AS n
             FROM (SELECT site, id, url, ${dialect.tokens("url")} AS t FROM urls) AS tokenized) AS counted) AS exploded) AS placed`,
    },
    shared("prefix", "p"),
    shared("suffix", "s"),
    {
      name: "envelope",
      why: "Prefixes with suffixes of one URL and at most S tokens between them.",
      select: `SELECT x.p AS p, y.s AS s, x.id AS id, x.k AS k, x.pos AS f, y.pos AS t, y.k - x.k AS tokens, y.k = y.n AS at_end
       FROM (SELECT id, k, pos, p FROM cut WHERE p IN (SELECT p FROM shared_prefix)) AS x
       JOIN (SELECT id, k, n, pos, s FROM cut WHERE s IN (SELECT s FROM shared_suffix)) AS y
       ON x.id = y.id AND y.k >= x.k AND y.k <= x.k + ${maxTokens}`,
    },
    {
      name: "small",
      why: "Envelopes of two to T_high URLs.",
      select: `SELECT p, s FROM envelope GROUP BY p, s HAVING count(*) BETWEEN 2 AND ${highBucket}`,
    },
    {
      name: "bucket",
      why: "Their buckets, by the texts of the envelopes.",
      select: `SELECT site, prefix, suffix, at_start, at_end, ${dialect.collect(
        dialect.record({ id: "id", middle: "middle", tokens: "tokens" }),
      )} AS members
       FROM (SELECT u.site AS site, left(u.url, e.f) AS prefix, substr(u.url, e.t + 1) AS suffix, e.k = 0 AS at_start,
           e.at_end AS at_end, e.id AS id, substr(u.url, e.f + 1, e.t - e.f) AS middle, e.tokens AS tokens
         FROM envelope AS e JOIN small AS b ON e.p = b.p AND e.s = b.s JOIN urls AS u ON u.id = e.id) AS member
       GROUP BY site, prefix, suffix, at_start, at_end HAVING count(*) BETWEEN 2 AND ${highBucket}`,
    },
    {
      name: "instance",
      why: "Every two URLs of a bucket, that with the larger middle as alpha: more tokens, then token by token.",
      select: `SELECT site, at_start, at_end, bucket_size, CASE WHEN a_first THEN a.id ELSE b.id END AS alpha_id,
         CASE WHEN a_first THEN b.id ELSE a.id END AS beta_id, CASE WHEN a_first THEN a.middle ELSE b.middle END AS alpha,
         CASE WHEN a_first THEN b.middle ELSE a.middle END AS beta
       FROM (SELECT site, at_start, at_end, bucket_size, a, b,
           CASE WHEN a.tokens <> b.tokens THEN a.tokens > b.tokens
             ELSE ${dialect.tokens("a.middle")} > ${dialect.tokens("b.middle")} END AS a_first
         FROM (SELECT site, at_start, at_end, bucket_size, a, ${dialect.eachItem("members")} AS b
           FROM (SELECT site, at_start, at_end, members, ${dialect.listLength("members")} AS bucket_size,
               ${dialect.eachItem("members")} AS a FROM bucket) AS one) AS two
         WHERE a.id < b.id) AS oriented`,
    },
    ...likenessSteps(dialect, options, "SELECT DISTINCT alpha_id AS a, beta_id AS b FROM instance", "pair_"),
    {
      name: "pair",
      why: "The rule table: pairs with a T_low support of at least MS.",
      select: `SELECT site, alpha, beta, at_start, at_end, support_low, support_high, confirmed,
         example.a AS example_alpha, example.b AS example_beta
       FROM (SELECT site, alpha, beta, at_start, at_end, count(*) AS support_high,
           count(CASE WHEN bucket_size <= ${lowBucket} THEN 1 END) AS support_low,
           count(CASE WHEN bucket_size <= ${lowBucket} AND likeness = 2 THEN 1 END) AS confirmed,
           min(CASE WHEN bucket_size <= ${lowBucket} THEN ${dialect.record({ a: "alpha_id", b: "beta_id" })} END) AS example
         FROM instance JOIN pair_likeness ON alpha_id = a AND beta_id = b WHERE likeness > 0
         GROUP BY site, alpha, beta, at_start, at_end) AS counted
       WHERE support_low >= ${minSupport}`,
    },
  ];
}
