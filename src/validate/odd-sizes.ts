/**
 * Which of the URLs that rules merge had sizes that do not match: these are looked at first. Most pages of a translation are
 * not translated yet and as long as the original; those that are can be seen in the log by their size.
 */
import type { SizeRanges, UrlPair } from "../model.js";

/** How large the page of a URL was, where the list says so. */
export type SizeOf = (url: string) => number | undefined;

/** A difference is odd beyond this share of the size, and these bytes. */
const ODD_SHARE = 0.02;
const ODD_BYTES = 32;

/** The sizes of a list, of the source that has most of them: what one source counts another may count otherwise. */
export function sizesOf(urls: readonly string[], sizes: SizeRanges | undefined): SizeOf {
  if (sizes === undefined) return () => undefined;
  const counts = new Map<number, number>();
  for (const source of sizes.source) counts.set(source, (counts.get(source) ?? 0) + 1);
  const [most] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a), [-1, 0]);
  const found = new Map<string, number>();
  for (const [i, url] of urls.entries()) {
    for (let k = sizes.rows[i]!; k < sizes.rows[i + 1]!; k++) {
      // A size that varies says nothing.
      if (sizes.source[k] === most && sizes.minBytes[k] === sizes.maxBytes[k]) found.set(url, sizes.minBytes[k]!);
    }
  }
  return (url) => found.get(url);
}

/**
 * How large the pages are that URLs lead to: that of the target, or of another URL with the same target, the first of the
 * pairs that says so.
 */
export function targetSizes(pairs: Iterable<UrlPair>, sizeOf: SizeOf): SizeOf {
  const found = new Map<string, number>();
  for (const { from, to } of pairs) {
    if (found.has(to)) continue;
    const size = sizeOf(to) ?? sizeOf(from);
    if (size !== undefined) found.set(to, size);
  }
  return (url) => found.get(url);
}

/** Those of the pairs, all changed by the same rules, whose size differs otherwise than for most of them, the oddest first. */
export function oddOnes(pairs: readonly UrlPair[], sizeOf: SizeOf, sizeOfTarget: SizeOf): UrlPair[] {
  const differing = pairs.flatMap((pair) => {
    const [size, target] = [sizeOf(pair.from), sizeOfTarget(pair.to)];
    return size === undefined || target === undefined ? [] : [{ pair, size, by: size - target }];
  });
  if (differing.length === 0) return [];
  const usual = differing.map(({ by }) => by).sort((a, b) => a - b)[differing.length >> 1]!;
  return differing
    .map(({ pair, size, by }) => ({ pair, size, odd: Math.abs(by - usual) }))
    .filter(({ size, odd }) => odd > Math.max(ODD_BYTES, ODD_SHARE * size))
    .sort((a, b) => b.odd / b.size - a.odd / a.size)
    .map(({ pair }) => pair);
}
