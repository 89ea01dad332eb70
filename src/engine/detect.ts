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
 * A URL of n tokens (anchors included) has cuts 0 to n; what is before cut i and what is after cut n - l is an envelope. What
 * keeps the tables small, each step before the next:
 * - A prefix or a suffix that occurs once in its site makes no bucket; nor do suffixes that are longer than one that occurs once.
 * - Prefixes of one URL that occur equally often are those of the same URLs, so a run of them is one class (a node of the
 *   prefix tree with the edge above it), and so for suffixes: classes are combined, not cuts.
 * - Two URLs of a small bucket are compared before their envelopes are listed: those of unlike pages never are.
 * - A pair of substrings that is found too rarely is dropped by its hash before its texts are grouped.
 *
 * Hashes bring envelopes together, and what they bring together is confirmed by the texts, by where these can be cut and by the site: a
 * collision makes no false instance.
 */
export function pairSteps(dialect: Dialect, options: PairOptions): Step[] {
  return [
    ...envelopeSteps(dialect, options),
    ...coupleSteps(dialect),
    ...likenessSteps(dialect, options, "oriented", "pair_"),
    ...instanceSteps(dialect, options),
  ];
}

/** Suffixes of this many tokens are counted first. */
const LONG_SUFFIX = 8;

/** Makes `bucket`: the classes of envelopes that two to T_high URLs share. */
function envelopeSteps(dialect: Dialect, { maxTokens, highBucket }: PairOptions): Step[] {
  const shared = (side: "prefix" | "suffix", hashed: "p" | "s"): Step => ({
    name: `shared_${side}`,
    why: `A ${side} that occurs once in its site makes no bucket.`,
    select: `SELECT ${hashed}, count(*) AS urls FROM ${side}_cut GROUP BY ${hashed} HAVING count(*) > 1`,
  });
  const hashed = (text: string) => `site_hash + ${dialect.hash(text)}`;
  const cutAt = (k: string) => dialect.item("cuts", k);
  // How many tokens the envelopes of a class have outside, least and most; the middle has the rest.
  const least = "i1 + l1";
  const most = "i2 + l2";
  return [
    {
      name: "divided",
      why: `Where each URL can be cut, how many tokens it has, and the hash of the last ${LONG_SUFFIX} of them. To hashes of texts that of the site is added.`,
      select: `SELECT site, site_hash, id, url, cuts, n, ${hashed(`substr(url, ${cutAt(`greatest(n - ${LONG_SUFFIX}, 1)`)} + 1)`)} AS tail
       FROM (SELECT site, ${dialect.hash("site")} AS site_hash, id, url, cuts, ${dialect.listLength("cuts")} + 1 AS n
         FROM (SELECT site, id, url, ${dialect.cuts("url")} AS cuts FROM urls) AS listed) AS counted`,
      as: "table",
    },
    {
      name: "prefix_cut",
      why: "The cuts between tokens of each URL with the hash of what is before. Cut 0 is before the anchor ^ and divides as cut 1 does; so does cut n, after the anchor $.",
      select: `SELECT id, n, k, ${hashed(`substr(url, 1, ${cutAt("k")})`)} AS p
       FROM (SELECT id, n, url, site_hash, cuts, ${dialect.eachInteger("1", "n - 1")} AS k FROM divided) AS numbered`,
    },
    {
      name: "long_suffix",
      why: `Suffixes of ${LONG_SUFFIX} tokens that occur twice. Where it does not, no longer one does: most URLs have nothing in common there.`,
      select: "SELECT tail FROM divided GROUP BY tail HAVING count(*) > 1",
    },
    {
      name: "suffix_cut",
      why: "The same with the hash of what is after.",
      select: `SELECT id, n, k, ${hashed(`substr(url, ${cutAt("k")} + 1)`)} AS s
       FROM (SELECT id, n, url, site_hash, cuts, ${dialect.eachInteger(`CASE WHEN g.tail IS NULL THEN greatest(n - ${LONG_SUFFIX - 1}, 1) ELSE 1 END`, "n - 1")} AS k
         FROM divided AS d LEFT JOIN long_suffix AS g ON g.tail = d.tail) AS numbered`,
    },
    shared("prefix", "p"),
    shared("suffix", "s"),
    {
      name: "prefix_class",
      why: "Prefixes of a URL that occur equally often, by the longest: those that end at cuts i1 to i2.",
      select: `SELECT c.id AS id, c.n AS n, CASE WHEN min(c.k) = 1 THEN 0 ELSE min(c.k) END AS i1, max(c.k) AS i2, max_by(c.p, c.k) AS p
       FROM prefix_cut AS c JOIN shared_prefix AS g ON g.p = c.p GROUP BY c.id, c.n, g.urls`,
    },
    {
      name: "suffix_class",
      why: "Suffixes of a URL that occur equally often, by the longest: those with l1 to l2 tokens.",
      select: `SELECT c.id AS id, CASE WHEN max(c.k) = c.n - 1 THEN 0 ELSE c.n - max(c.k) END AS l1, c.n - min(c.k) AS l2, min_by(c.s, c.k) AS s
       FROM suffix_cut AS c JOIN shared_suffix AS g ON g.s = c.s GROUP BY c.id, c.n, g.urls`,
    },
    {
      name: "meeting",
      why: "Classes of both sides in one URL with an envelope that has at most S tokens in the middle.",
      select: `SELECT x.id AS id, x.n AS n, x.p AS p, y.s AS s, x.i1 AS i1, x.i2 AS i2, y.l1 AS l1, y.l2 AS l2
       FROM prefix_class AS x JOIN suffix_class AS y ON y.id = x.id AND x.i1 + y.l1 <= x.n AND x.n <= x.i2 + y.l2 + ${maxTokens}`,
    },
    {
      name: "small",
      why: "Classes that two URLs have in common, and of which not every envelope is in more than T_high URLs. Where all envelopes have the same URLs, the class is whole.",
      select: `SELECT p, s, always = urls AS whole
       FROM (SELECT p, s, count(*) AS urls, count(CASE WHEN ${most} <= n AND n <= ${least} + ${maxTokens} THEN 1 END) AS always
         FROM meeting GROUP BY p, s) AS counted
       WHERE urls > 1 AND always <= ${highBucket}`,
    },
    {
      name: "bucket",
      why: "Their buckets: one for a class that is whole, else one for each number of tokens outside.",
      select: `SELECT p, s, i1, i2, l1, l2, outside, ${dialect.collect("id")} AS ids
       FROM (SELECT p, s, i1, i2, l1, l2, id, ${dialect.eachInteger("first_outside", "last_outside")} AS outside
         FROM (SELECT m.p AS p, m.s AS s, i1, i2, l1, l2, id,
             CASE WHEN whole THEN -1 ELSE greatest(${least}, n - ${maxTokens}) END AS first_outside,
             CASE WHEN whole THEN -1 ELSE least(${most}, n) END AS last_outside
           FROM meeting AS m JOIN small AS b ON b.p = m.p AND b.s = m.s) AS met) AS member
       GROUP BY p, s, i1, i2, l1, l2, outside HAVING count(*) BETWEEN 2 AND ${highBucket}`,
    },
  ];
}

/** Makes `couple`, every two URLs of a bucket, and `oriented`, these once, the one with the larger middle as alpha. */
function coupleSteps(dialect: Dialect): Step[] {
  return [
    {
      name: "couple",
      why: "Every two URLs of a bucket.",
      select: `SELECT a, b, i1, i2, l1, l2, outside, bucket_size
       FROM (SELECT a, ${dialect.eachItem("ids")} AS b, i1, i2, l1, l2, outside, bucket_size
         FROM (SELECT ids, ${dialect.eachItem("ids")} AS a, ${dialect.listLength("ids")} AS bucket_size, i1, i2, l1, l2, outside
           FROM bucket) AS one) AS two WHERE a < b`,
    },
    {
      name: "worded",
      why: "How many tokens each URL has, and their order.",
      select: `SELECT id, n, ${dialect.endWords("url")} AS words FROM divided`,
    },
    {
      name: "oriented",
      why: "Each two once, alpha as a. It has more tokens, or is larger token by token: what both share does not change that.",
      select: `SELECT CASE WHEN a_first THEN a ELSE b END AS a, CASE WHEN a_first THEN b ELSE a END AS b
       FROM (SELECT c.a AS a, c.b AS b, CASE WHEN x.n <> y.n THEN x.n > y.n ELSE x.words > y.words END AS a_first
         FROM (SELECT DISTINCT a, b FROM couple) AS c JOIN worded AS x ON x.id = c.a JOIN worded AS y ON y.id = c.b) AS compared`,
    },
  ];
}

/** Makes `pair` of the couples that may be similar. */
function instanceSteps(dialect: Dialect, { lowBucket, minSupport }: PairOptions): Step[] {
  const { hash, item } = dialect;
  // Both URLs are the same up to the prefix's cut and from the suffix's on, so that cuts of alpha do for beta.
  const begin = item("cuts", "greatest(i, 1)");
  const end = item("cuts", "least(n - l, n - 1)");
  const prefix = (url: string) => `substr(${url}, 1, ${item("cuts", "i2")})`;
  const suffixLength = `length(alpha_url) - ${item("cuts", "n - l2")}`;
  const suffix = (url: string) => `right(${url}, ${suffixLength})`;
  const alpha = "substr(alpha_url, begin + 1, alpha_length)";
  const beta = "substr(beta_url, begin + 1, beta_length)";
  return [
    {
      name: "likely_couple",
      why: "Those that are not unlike each other, with their URLs.",
      select: `SELECT o.a AS a, o.b AS b, o.likeness AS likeness, x.site AS site, x.site_hash AS site_hash, x.url AS alpha_url, y.url AS beta_url, x.cuts AS cuts, x.n AS n
       FROM pair_likeness AS o JOIN divided AS x ON x.id = o.a JOIN urls AS y ON y.id = o.b AND y.site = x.site WHERE o.likeness > 0`,
    },
    {
      name: "instance",
      why: "Every envelope that they share: where its substrings begin, how long they are, and the hash of both.",
      select: `SELECT a, b, at_start, at_end, begin, alpha_length, beta_length, site_hash + ${hash(`concat(${alpha}, ' ', ${beta})`)} AS h, bucket_size
       FROM (SELECT a, b, site_hash, alpha_url, beta_url, i = 0 AS at_start, l = 0 AS at_end, ${begin} AS begin, ${end} - ${begin} AS alpha_length,
           length(beta_url) - length(alpha_url) + ${end} - ${begin} AS beta_length, bucket_size
         FROM (SELECT a, b, site_hash, alpha_url, beta_url, cuts, n, i, ${dialect.eachInteger("l1", "l2")} AS l, outside, bucket_size
           FROM (SELECT a, b, site_hash, alpha_url, beta_url, cuts, n, ${dialect.eachInteger("i1", "i2")} AS i, l1, l2, outside, bucket_size
             FROM (SELECT o.a AS a, o.b AS b, site_hash, alpha_url, beta_url, cuts, n, i1, i2, l1, l2, outside, bucket_size
               FROM couple AS c JOIN likely_couple AS o ON least(o.a, o.b) = c.a AND greatest(o.a, o.b) = c.b) AS likely
             WHERE ${prefix("alpha_url")} = ${prefix("beta_url")} AND ${suffix("alpha_url")} = ${suffix("beta_url")}
               AND ${dialect.isCut("beta_url", item("cuts", "i2"))} AND ${dialect.isCut("beta_url", `length(beta_url) - (${suffixLength})`)}) AS one) AS two
         WHERE outside < 0 OR i + l = outside) AS envelope`,
    },
    {
      name: "frequent",
      why: "A pair in fewer instances has too little support.",
      select: `SELECT h FROM instance WHERE bucket_size <= ${lowBucket} GROUP BY h HAVING count(*) >= ${minSupport}`,
    },
    {
      name: "pair",
      why: "The rule table: pairs with a T_low support of at least MS.",
      select: `SELECT site, alpha, beta, at_start, at_end, support_low, support_high, confirmed,
         example.a AS example_alpha, example.b AS example_beta
       FROM (SELECT site, alpha, beta, at_start, at_end, count(*) AS support_high,
           count(CASE WHEN bucket_size <= ${lowBucket} THEN 1 END) AS support_low,
           count(CASE WHEN bucket_size <= ${lowBucket} AND likeness = 2 THEN 1 END) AS confirmed,
           min(CASE WHEN bucket_size <= ${lowBucket} THEN ${dialect.record({ a: "a", b: "b" })} END) AS example
         FROM (SELECT site, ${alpha} AS alpha, ${beta} AS beta, at_start, at_end, bucket_size, likeness, i.a AS a, i.b AS b
           FROM instance AS i JOIN frequent AS f ON f.h = i.h JOIN likely_couple AS o ON o.a = i.a AND o.b = i.b) AS spelled
         GROUP BY site, alpha, beta, at_start, at_end) AS counted
       WHERE support_low >= ${minSupport}`,
    },
  ];
}
