/**
 * Which captures of two URLs are compared, and what a difference between them means. An archive holds captures of many
 * years, and two of them may differ only because of the years between. So two URLs are compared by the captures nearest
 * in time, and a small difference counts only where these are at most a week apart. Mining, and validation without a
 * network, share this.
 *
 * Why a week: in a forum's archive of 18 years, captures of one page under two session ids had all four shingles equal in
 * 72% of the pairs within a day, in 75% within a week, in 34% within three months, and in 2% beyond a year.
 */
export const SAME_TIME_MS = 7 * 86_400_000;

/** Captures at most this far apart can still tell two pages from one page that has changed. */
export const SAME_MONTH_MS = 30 * 86_400_000;

/**
 * Of the four values, a page that only changed over time keeps this many (the paper's other k), and two pages hardly
 * ever have as many in common: in that archive 94% of the pairs within a month, 80% within three, and 1% of two pages.
 */
export const CHANGED_MATCHES = 2;

/**
 * Does a difference between captures of these times mean that the pages differ? An unknown time (NaN) is near to all.
 */
export function areComparable(aMs: number, bMs: number): boolean {
  return !(Math.abs(aMs - bMs) > SAME_TIME_MS);
}

/** Times of captures in ms: entries [from, to), at least one, ascending; NaN, which is unknown, first. */
export interface CaptureTimes {
  readonly timeMs: Float64Array;
  readonly from: number;
  readonly to: number;
}

/** The two captures nearest in time (the latest if there are several), as indexes into both `timeMs`. */
export function nearestCaptures(a: CaptureTimes, b: CaptureTimes): readonly [number, number] {
  // Of several captures of unknown time the first counts; of those it is compared with, the latest.
  const isTimed = (times: CaptureTimes) => !Number.isNaN(times.timeMs[times.from]!);
  if (!isTimed(a) || !isTimed(b)) return [isTimed(a) ? a.to - 1 : a.from, isTimed(b) ? b.to - 1 : b.from];
  let nearest: readonly [number, number] = [a.from, b.from];
  let leastMs = Number.POSITIVE_INFINITY;
  for (let i = a.from, j = b.from; i < a.to && j < b.to; ) {
    const gapMs = a.timeMs[i]! - b.timeMs[j]!;
    if (Math.abs(gapMs) <= leastMs) {
      nearest = [i, j];
      leastMs = Math.abs(gapMs);
    }
    if (gapMs <= 0) i++;
    else j++;
  }
  return nearest;
}
