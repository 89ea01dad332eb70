/**
 * DustBuster's first two phases as the 2007 paper's figures print them: slow and obvious. What the shipped version must
 * equal. Tokens are strings; the anchors are strings that no token of a URL can be.
 */
import { compareCodePoints, tokenize } from "#src/url/tokenize.js";

export const CARET = "<^>";
export const DOLLAR = "<$>";

export interface OraclePair {
  readonly alpha: readonly string[];
  readonly beta: readonly string[];
  supportLow: number;
  supportHigh: number;
  confirmed: number;
  example: readonly [number, number];
}

export interface OracleOptions {
  readonly maxTokens: number;
  readonly lowBucket: number;
  readonly highBucket: number;
  readonly minSupport: number;
}

export function tokensOf(url: string): string[] {
  return [CARET, ...tokenize(url), DOLLAR];
}

/** alpha > beta: more tokens, then token by token. */
export function compareStrings(a: readonly string[], b: readonly string[]): number {
  return a.length - b.length || compareTokenByToken(a, b);
}

function compareTokenByToken(a: readonly string[], b: readonly string[]): number {
  const rank = (token: string) => (token === CARET ? 0 : token === DOLLAR ? 1 : 2);
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const order = rank(a[i]!) - rank(b[i]!) || (rank(a[i]!) === 2 ? compareCodePoints(a[i]!, b[i]!) : 0);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/**
 * Figure 1, run for T_low and T_high; candidates by T_low. `likeness` is 0 unlikely, 1 unknown, 2 confirmed. With `classOf`,
 * buckets are divided: their URLs are of one class.
 */
export function detectLikelyRules(
  urls: readonly string[],
  options: OracleOptions,
  likeness: (i: number, j: number) => number,
  classOf: (i: number) => number = () => 0,
): OraclePair[] {
  // Lines 5-11: ST grouped into buckets by (prefix, suffix).
  const buckets = new Map<string, { substring: string[]; url: number }[]>();
  urls.forEach((url, index) => {
    const tokens = tokensOf(url);
    for (let length = 0; length <= options.maxTokens; length++) {
      for (let from = 0; from + length <= tokens.length; from++) {
        const key = JSON.stringify([classOf(index), tokens.slice(0, from), tokens.slice(from + length)]);
        const bucket = buckets.get(key) ?? [];
        bucket.push({ substring: tokens.slice(from, from + length), url: index });
        buckets.set(key, bucket);
      }
    }
  });
  // Lines 12-20: IT grouped into RT.
  const pairs = new Map<string, OraclePair>();
  for (const bucket of buckets.values()) {
    if (bucket.length === 1 || bucket.length > options.highBucket) continue;
    for (const [i, first] of bucket.entries()) {
      for (const second of bucket.slice(i + 1)) {
        const known = likeness(first.url, second.url);
        if (known === 0) continue;
        const isOrdered = compareStrings(first.substring, second.substring) > 0;
        const [a, b] = isOrdered ? [first, second] : [second, first];
        const key = JSON.stringify([a.substring, b.substring]);
        const pair = pairs.get(key) ?? {
          alpha: a.substring,
          beta: b.substring,
          supportLow: 0,
          supportHigh: 0,
          confirmed: 0,
          example: [Infinity, Infinity] as const,
        };
        pairs.set(key, pair);
        pair.supportHigh++;
        if (bucket.length > options.lowBucket) continue;
        pair.supportLow++;
        if (known === 2) pair.confirmed++;
        if (a.url < pair.example[0] || (a.url === pair.example[0] && b.url < pair.example[1])) {
          pair.example = [a.url, b.url];
        }
      }
    }
  }
  return [...pairs.values()].filter((pair) => pair.supportLow >= options.minSupport);
}

/** Lemma 5.3: is there an envelope (g, d) with a.alpha = g b.alpha d and a.beta = g b.beta d? Every occurrence is tried. */
function ruleRefines(
  fromA: readonly string[],
  toA: readonly string[],
  fromB: readonly string[],
  toB: readonly string[],
) {
  for (let at = 0; at + fromB.length <= fromA.length; at++) {
    if (JSON.stringify(fromA.slice(at, at + fromB.length)) !== JSON.stringify(fromB)) continue;
    const replaced = [...fromA.slice(0, at), ...toB, ...fromA.slice(at + fromB.length)];
    if (JSON.stringify(replaced) === JSON.stringify(toA)) return true;
  }
  return false;
}

/** A pair stands for two rules: both directions are checked. */
export function refinesLiterally(
  a: Pick<OraclePair, "alpha" | "beta">,
  b: Pick<OraclePair, "alpha" | "beta">,
): boolean {
  return ruleRefines(a.alpha, a.beta, b.alpha, b.beta) || ruleRefines(a.alpha, a.beta, b.beta, b.alpha);
}

/** The pair without its common prefix, then without its common suffix. */
function strip({ alpha, beta }: OraclePair): [readonly string[], readonly string[]] {
  let prefix = 0;
  while (prefix < beta.length && prefix < alpha.length && alpha[prefix] === beta[prefix]) prefix++;
  const a = alpha.slice(prefix);
  const b = beta.slice(prefix);
  while (a.length > 0 && b.length > 0 && a.at(-1) === b.at(-1)) {
    a.pop();
    b.pop();
  }
  return [a, b];
}

/** The stripped pair, then longer first, then token order. */
function compareRelated(a: OraclePair, b: OraclePair): number {
  const [alphaA, betaA] = strip(a);
  const [alphaB, betaB] = strip(b);
  return (
    compareTokenByToken(alphaA, alphaB) ||
    compareTokenByToken(betaA, betaB) ||
    b.alpha.length - a.alpha.length ||
    compareTokenByToken(a.alpha, b.alpha) ||
    compareTokenByToken(a.beta, b.beta)
  );
}

/** Figure 2 on the pairs sorted by T_high support; the survivors sorted by T_low support. */
export function eliminateRedundancies(
  pairs: readonly OraclePair[],
  options: { maxRelativeDeficiency: number; maxAbsoluteDeficiency: number; maxWindow: number },
): OraclePair[] {
  const list = [...pairs].sort((a, b) => b.supportHigh - a.supportHigh || compareRelated(a, b));
  const eliminated = new Set<OraclePair>();
  for (let i = 0; i < list.length; i++) {
    const current = list[i]!;
    if (eliminated.has(current)) continue;
    for (let j = 1; j <= Math.min(options.maxWindow, list.length - 1 - i); j++) {
      const other = list[i + j]!;
      const size = current.supportHigh;
      const allowed = Math.max(options.maxRelativeDeficiency * size, options.maxAbsoluteDeficiency);
      if (size - other.supportHigh > allowed) break;
      if (refinesLiterally(current, other)) eliminated.add(other);
      else if (refinesLiterally(other, current)) {
        eliminated.add(current);
        break;
      }
    }
  }
  return list
    .filter((pair) => !eliminated.has(pair))
    .sort((a, b) => b.supportLow - a.supportLow || b.supportHigh - a.supportHigh || compareRelated(a, b));
}
