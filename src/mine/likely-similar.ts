import type { UrlList } from "../model.js";
import { areComparable, CHANGED_MATCHES, nearestCaptures } from "../sketch/captures.js";
import { CONFIRMED, UNKNOWN, UNLIKELY } from "./likeness.js";

/** Which knowledge decides: sketches where both are known and else sizes (auto), one of the two, or nothing. */
export type LikelyMode = "auto" | "size" | "sketch" | "none";

export interface LikelySimilarOptions {
  readonly likely: LikelyMode;
  /** k: how many of the 4 sketch values must be equal, 1 to 4 (thesis 6.3; the paper's default is 4). */
  readonly sketchMatches: number;
  /** "paper": a size that differs is a veto. "ours": it is not where the pages may merely echo their own URLs. */
  readonly plan: MinePlan;
}

/** The papers' first phases exactly, or with what is known beyond them. */
export type MinePlan = "ours" | "paper";

/** There is nothing to compare: sizes may be asked instead. */
const NO_SKETCHES = -1;

export type Likeness = typeof UNLIKELY | typeof UNKNOWN | typeof CONFIRMED;

/**
 * The test LikelySimilar of figure 1 (Bar-Yossef, Keidar, Schonfeld 2007) on rows i and j of a list. The paper's boolean is
 * `!== UNLIKELY`: what is unknown counts as similar, but confirms nothing. Symmetric.
 */
export function likelySimilar(list: UrlList, options: LikelySimilarOptions): (i: number, j: number) => Likeness {
  const bySketch =
    options.likely === "auto" || options.likely === "sketch" ? compareSketches(list, options) : undefined;
  const bySize = options.likely === "auto" || options.likely === "size" ? compareSizes(list, options) : undefined;
  if (bySketch !== undefined && bySize !== undefined) {
    return (i, j) => {
      const likeness = bySketch(i, j);
      return likeness === NO_SKETCHES ? bySize(i, j) : likeness;
    };
  }
  const known = bySketch ?? bySize;
  if (known === undefined) return () => UNKNOWN;
  return (i, j) => {
    const likeness = known(i, j);
    return likeness === NO_SKETCHES ? UNKNOWN : likeness;
  };
}

/**
 * Sketches that agree confirm whenever they were taken. Those that differ somewhat and are of different times say nothing,
 * and neither can the sizes of these captures: that is UNKNOWN, and not NO_SKETCHES.
 */
function compareSketches(list: UrlList, { sketchMatches }: LikelySimilarOptions) {
  if (list.sketches === undefined) return undefined;
  const { rows, timeMs, kind, values } = list.sketches;
  // Halves of the 64-bit values: reading a BigUint64Array makes a bigint each time.
  const halves = new Uint32Array(values.buffer, values.byteOffset, values.length * 2);
  const compare = (a: number, b: number): Likeness | typeof NO_SKETCHES => {
    if (kind[a] !== kind[b]) return NO_SKETCHES;
    let equal = 0;
    for (let p = 8 * a, q = 8 * b; p < 8 * a + 8; p += 2, q += 2) {
      if (halves[p] === halves[q] && halves[p + 1] === halves[q + 1]) equal++;
    }
    if (equal >= sketchMatches) return CONFIRMED;
    return equal < CHANGED_MATCHES || areComparable(timeMs[a]!, timeMs[b]!) ? UNLIKELY : UNKNOWN;
  };
  return (i: number, j: number): Likeness | typeof NO_SKETCHES => {
    const [a, endOfA, b, endOfB] = [rows[i]!, rows[i + 1]!, rows[j]!, rows[j + 1]!];
    if (a === endOfA || b === endOfB) return NO_SKETCHES;
    if (endOfA - a === 1 && endOfB - b === 1) return compare(a, b);
    return compare(...nearestCaptures({ timeMs, from: a, to: endOfA }, { timeMs, from: b, to: endOfB }));
  };
}

/**
 * Ranges are closed. Where two URLs share several sources, one source that disagrees is enough to tell them apart. An
 * overlap confirms only where both ranges are narrow: a page that was seen with 0 and with 38,000 bytes overlaps everything.
 * A difference that echoes explain says nothing.
 */
function compareSizes(list: UrlList, { plan }: LikelySimilarOptions) {
  if (list.sizes === undefined) return undefined;
  const { rows, source, minBytes, maxBytes } = list.sizes;
  const { offsets } = list.urls;
  const mayEcho = (i: number, j: number, a: number, b: number): boolean => {
    if (plan === "paper" || minBytes[a] !== maxBytes[a] || minBytes[b] !== maxBytes[b]) return false;
    const longer = offsets[i + 1]! - offsets[i]! - offsets[j + 1]! + offsets[j]!;
    return isEcho(minBytes[a]! - minBytes[b]!, longer);
  };
  return (i: number, j: number): Likeness => {
    const endOfI = rows[i + 1]!;
    const startOfJ = rows[j]!;
    const endOfJ = rows[j + 1]!;
    let likeness: Likeness = UNKNOWN;
    for (let a = rows[i]!; a < endOfI; a++) {
      for (let b = startOfJ; b < endOfJ; b++) {
        if (source[a]! !== source[b]!) continue;
        if (minBytes[a]! > maxBytes[b]! || minBytes[b]! > maxBytes[a]!) {
          if (mayEcho(i, j, a, b)) continue;
          return UNLIKELY;
        }
        if (isNarrow(minBytes[a]!, maxBytes[a]!) && isNarrow(minBytes[b]!, maxBytes[b]!)) likeness = CONFIRMED;
      }
    }
    return likeness;
  };
}

/**
 * How far apart two URLs are in size: the gap between their ranges as a share of the larger size, 0 where they overlap, the
 * largest of several sources; -1 where no sizes can be compared or sketches decide. Parameter rules ask for it: one
 * listing sorted in two ways compresses to 677 and to 674 bytes, and logs count bytes as transferred.
 */
export function sizeGap(list: UrlList, options: LikelySimilarOptions): (i: number, j: number) => number {
  if (list.sizes === undefined || options.likely === "sketch" || options.likely === "none") return () => -1;
  const bySketch = options.likely === "auto" ? compareSketches(list, options) : undefined;
  const { rows, source, minBytes, maxBytes } = list.sizes;
  return (i, j) => {
    if (bySketch !== undefined && bySketch(i, j) !== NO_SKETCHES) return -1;
    let largest = -1;
    for (let a = rows[i]!; a < rows[i + 1]!; a++) {
      for (let b = rows[j]!; b < rows[j + 1]!; b++) {
        if (source[a]! !== source[b]!) continue;
        const bytes = Math.max(0, minBytes[a]! - maxBytes[b]!, minBytes[b]! - maxBytes[a]!);
        largest = Math.max(largest, bytes === 0 ? 0 : bytes / Math.max(minBytes[a]!, minBytes[b]!));
      }
    }
    return largest;
  };
}

/** A page of more links that name their own URL is not expected. */
export const MOST_ECHOES = 1000;
/**
 * Of two URLs that differ by fewer characters ("http" and "https", "m" and "www"), sizes are multiples of the difference too
 * often by chance: only a few echoes count.
 */
export const LEAST_ECHO = 4;
export const FEW_ECHOES = 8;

/**
 * Pages echo their own URL, in links and forms: a session id in forty links makes a page forty times its length longer. Is the
 * difference of two sizes a multiple of the difference of their URLs' lengths?
 */
export function isEcho(sizeDifference: number, lengthDifference: number): boolean {
  const echoes = sizeDifference / lengthDifference;
  const most = Math.abs(lengthDifference) < LEAST_ECHO ? FEW_ECHOES : MOST_ECHOES;
  return Number.isInteger(echoes) && echoes > 0 && echoes <= most;
}

function isNarrow(minBytes: number, maxBytes: number): boolean {
  return maxBytes <= 2 * minBytes;
}
