/**
 * Two orders of the same items, joined: items are numbered by one order, in which those with a common beginning are an
 * interval [from, to); a sequence holds an interval's items in the other order, with what each has in common with the one
 * before it. Halving an interval and its sequence again and again, from all items down, gives every interval's sequence
 * without sorting any.
 */
import { Words } from "./arrays";
import { Counts } from "./counts";

/** The boundary of least common beginning in an interval of two or more items, the one nearest to the middle. */
export function findSplit(common: Counts, from: i32, to: i32): i32 {
  const middle = (from + to) >>> 1;
  let split = from + 1;
  let least = common[split];
  for (let i = from + 2; i < to; i++) {
    const value = common[i];
    // Up to the middle later is nearer; beyond it the first one may be nearer than the last before it.
    if (value < least || (value === least && (i <= middle || i - middle < middle - split))) {
      least = value;
      split = i;
    }
  }
  return split;
}

/** The items below `split` and the others, each in their order; `largest` is more than any two have in common. */
export function splitSequence(
  items: Words,
  common: Counts,
  nextItems: Words,
  nextCommon: Counts,
  from: i32,
  split: i32,
  to: i32,
  largest: i32,
): void {
  let left = from;
  let right = split;
  // What the next item of either half has in common with the one before it there: the least of what lies in between.
  let leftCommon = largest;
  let rightCommon = largest;
  for (let i = from; i < to; i++) {
    const item = items[i];
    const value = common[i];
    leftCommon = min(leftCommon, value);
    rightCommon = min(rightCommon, value);
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

/** An interval that waits for its turn; which of the two pairs of arrays its sequence is in. */
@unmanaged
export class Interval {
  from: i32;
  to: i32;
  /** What its items have in common at least. */
  depth: i32;
  side: i32;
}

/** The stack of those that wait, and the address after its top. */
export let waiting: usize = 0;
let top: usize = 0;

/** All items wait, and nothing else. */
export function waitForAll(count: i32): void {
  top = waiting;
  wait(0, count, -1, 0);
}

/** Both halves wait, the smaller one on top: so there are never more than the logarithm of the items. */
export function waitForHalves(from: i32, split: i32, to: i32, depth: i32, side: i32): void {
  if (split - from < to - split) {
    wait(split, to, depth, side);
    wait(from, split, depth, side);
  } else {
    wait(from, split, depth, side);
    wait(split, to, depth, side);
  }
}

function wait(from: i32, to: i32, depth: i32, side: i32): void {
  const interval = changetype<Interval>(top);
  interval.from = from;
  interval.to = to;
  interval.depth = depth;
  interval.side = side;
  top += offsetof<Interval>();
}

export function isAnyWaiting(): bool {
  return top !== waiting;
}

/** Its contents are there until another one waits. */
export function takeNext(): Interval {
  top -= offsetof<Interval>();
  return changetype<Interval>(top);
}
