/**
 * How much a page changes from one successful download to the next, against the size of its cluster at the earlier one
 * (Fetterly et al. 2004, figures 8 to 10), or of its mirror (figure 11).
 */
import { FEATURES } from "../sketch/constants.js";
import { DOWNLOADED } from "./evolve.js";
import { sizeClass, sizeClasses } from "./size-class.js";
import { countCommon } from "./verify.js";

/** Common features, 0 to 84; 85 where the bytes are the same, markup included. */
export const CHANGE_BUCKETS = FEATURES + 2;
const SAME_BYTES = FEATURES + 1;
/** In a column of buckets: not compared. */
export const NOT_COMPARED = 255;

/** The six classes of figures 10 and 11, from most change to none. */
export const changeClasses = [
  "complete change",
  "large change",
  "medium change",
  "small change",
  "no text change",
  "no change",
] as const;

/** Number of a bucket's class, 0 to 5. */
export function changeClass(bucket: number): number {
  if (bucket === 0) return 0;
  if (bucket <= 28) return 1;
  if (bucket <= 56) return 2;
  if (bucket < FEATURES) return 3;
  return bucket === FEATURES ? 4 : 5;
}

/** Buckets of rows that each hold two downloads of a URL: their features back to back, and whether the bytes agree. */
export function changeBuckets(earlier: BigUint64Array, later: BigUint64Array, sameBytes: Uint8Array): Uint8Array {
  const left = new Uint32Array(earlier.buffer, earlier.byteOffset, earlier.length * 2);
  const right = new Uint32Array(later.buffer, later.byteOffset, later.length * 2);
  return sameBytes.map((same, row) =>
    same !== 0 ? SAME_BYTES : countCommon(left, 2 * FEATURES * row, right, 2 * FEATURES * row),
  );
}

/** For each snapshot and URL downloaded in it: the latest earlier snapshot that has it too, or -1. */
export function previousDownloads(outcomes: readonly Uint8Array[]): Int16Array[] {
  const last = new Int16Array(outcomes[0]?.length ?? 0).fill(-1);
  return outcomes.map((outcome, snapshot) => {
    const previous = new Int16Array(outcome.length).fill(-1);
    for (let url = 0; url < outcome.length; url++) {
      if (outcome[url] !== DOWNLOADED) continue;
      previous[url] = last[url]!;
      last[url] = snapshot;
    }
    return previous;
  });
}

/** Downloads by change bucket and size class: counts[bucket * 7 + class]. */
export interface ChangeTable {
  readonly counts: Float64Array;
}

export function makeChangeTable(): ChangeTable {
  return { counts: new Float64Array(CHANGE_BUCKETS * sizeClasses.length) };
}

/** Adds rows of (bucket, size at the earlier download); rows that were not compared, or have no size, stay out. */
export function addChanges(table: ChangeTable, buckets: Uint8Array, sizes: Uint32Array): void {
  for (let row = 0; row < buckets.length; row++) {
    const bucket = buckets[row]!;
    if (bucket === NOT_COMPARED || sizes[row] === 0) continue;
    table.counts[bucket * sizeClasses.length + sizeClass(sizes[row]!)]!++;
  }
}

/** Figure 8: for each bucket, the share of each size class. An empty bucket has zeros. */
export function sharesBySize({ counts }: ChangeTable): number[][] {
  return Array.from({ length: CHANGE_BUCKETS }, (_, bucket) => {
    const row = [...counts.subarray(bucket * sizeClasses.length, (bucket + 1) * sizeClasses.length)];
    return shares(row);
  });
}

/**
 * Figure 9: each bar of figure 8 against the average of its size class; above 1 is more than fair. The paper averages over all 86 buckets,
 * none of which is empty there: where some are, over the others.
 */
export function relativeContribution(table: ChangeTable): number[][] {
  const bars = sharesBySize(table);
  const filled = bars.filter((bar) => bar.some((share) => share > 0)).length;
  const averages = sizeClasses.map((_, size) => bars.reduce((sum, bar) => sum + bar[size]!, 0) / Math.max(1, filled));
  return bars.map((bar) => bar.map((share, size) => (averages[size] === 0 ? 0 : share / averages[size]!)));
}

/** Figures 10 and 11: for each size class, the share of each of the six change classes. */
export function sharesByChange({ counts }: ChangeTable): number[][] {
  return sizeClasses.map((_, size) => {
    const row = changeClasses.map(() => 0);
    for (let bucket = 0; bucket < CHANGE_BUCKETS; bucket++) {
      row[changeClass(bucket)]! += counts[bucket * sizeClasses.length + size]!;
    }
    return shares(row);
  });
}

function shares(counts: readonly number[]): number[] {
  const whole = counts.reduce((sum, count) => sum + count, 0);
  return counts.map((count) => (whole === 0 ? 0 : count / whole));
}
