import type { Counts } from "./tokens.js";

/**
 * Two orders of the same items, joined: items are numbered by one order, in which those with a common beginning are an
 * interval [from, to); a sequence holds an interval's items in the other order, with what each has in common with the one
 * before it. Halving an interval and its sequence again and again, from all items down, gives every interval's sequence
 * without sorting any.
 */

/** The boundary of least common beginning in an interval of two or more items, the one nearest to the middle. */
export function findSplit(common: Counts, from: number, to: number): number {
  const middle = (from + to) >>> 1;
  let split = from + 1;
  let least = common[split]!;
  for (let i = from + 2; i < to; i++) {
    const value = common[i]!;
    if (value > least) continue;
    // Up to the middle later is nearer; beyond it the first one may be nearer than the last before it.
    if (value < least || i <= middle || i - middle < middle - split) {
      least = value;
      split = i;
    }
  }
  return split;
}

/** Splits a sequence into the items below `split` and the others, each in their order. */
export function splitSequence(
  items: Uint32Array,
  common: Counts,
  nextItems: Uint32Array,
  nextCommon: Counts,
  from: number,
  split: number,
  to: number,
  largest: number,
): void {
  let left = from;
  let right = split;
  let leftCommon = largest;
  let rightCommon = largest;
  for (let i = from; i < to; i++) {
    const item = items[i]!;
    const value = common[i]!;
    if (value < leftCommon) leftCommon = value;
    if (value < rightCommon) rightCommon = value;
    if (item < split) {
      nextItems[left] = item;
      nextCommon[left++] = leftCommon;
      leftCommon = largest;
    } else {
      nextItems[right] = item;
      nextCommon[right++] = rightCommon;
      rightCommon = largest;
    }
  }
}
