/** Figure 1, lines 17-22, for the instances of one core: the contexts with enough support. ../supports.ts says how. */
import { HIGH_BUCKET, KNOWN_SIMILAR, LEFT_ONLY, LOW_BUCKET } from "../constants";
import { Bytes, Words } from "./arrays";
import { Counts, NO_COUNT } from "./counts";
import { addPair, bucketClass } from "./imports";
import { high, longest, low, starts } from "./list";
import { findSplit, isAnyWaiting, splitSequence, takeNext, waitForAll, waitForHalves } from "./split";

/** The columns of Group (../group.ts), by the same names. */
export let alphaRow = changetype<Words>(0);
export let betaRow = changetype<Words>(0);
export let before = changetype<Words>(0);
export let after = changetype<Words>(0);
export let flags = changetype<Bytes>(0);
export let left = changetype<Counts>(0);
export let sequence0 = changetype<Words>(0);
export let sequence1 = changetype<Words>(0);
export let right0 = changetype<Counts>(0);
export let right1 = changetype<Counts>(0);

/** Instances whose bucket can be small at the left context at work, and the right context each has in common with the one before. */
export let live = changetype<Words>(0);
export let liveRight = changetype<Words>(0);
/** Up to how many tokens of right context their buckets have at most T_low, T_high URLs; -1 for none. */
export let lowLimit = changetype<Words>(0);
export let highLimit = changetype<Words>(0);

/** The list's index of a row. */
export let order = changetype<Words>(0);
/** MS. */
export let minSupport: i32 = 0;
/** The most tokens of context that fit S next to the core. */
export let maxContext: i32 = 0;
/** Exceptions make buckets smaller again with more context: then no instance may be left out early. */
export let keepsAll: bool = false;

/** A right context that may still go on: the first live instance that has it, and its tokens. */
@unmanaged
class OpenRight {
  first: i32;
  common: i32;
}
/** A stack, the shortest below. */
export let openRights: usize = 0;

/** Left contexts of the group's instances, from the empty one outwards. */
export function walk(count: i32): void {
  waitForAll(count);
  while (isAnyWaiting()) {
    const range = takeNext();
    takeInstances(range.from, range.to, range.depth, range.side);
  }
}

/** The instances [from, to), which share left contexts of more than `shorter` tokens; the halves of them wait. */
function takeInstances(from: i32, to: i32, shorter: i32, side: i32): void {
  if (to - from < minSupport) return;
  const isOne = to - from === 1;
  const split = isOne ? to : findSplit(left, from, to);
  const most = min(maxContext, isOne ? before[from] : left[split]);
  // Otherwise the range is some extensions of a context that was taken before it was halved.
  if (most > shorter && !takeLefts(from, to, shorter + 1, most, side)) return;
  if (isOne || most === maxContext) return;
  const sequence = side ? sequence1 : sequence0;
  const right = side ? right1 : right0;
  splitSequence(sequence, right, side ? sequence0 : sequence1, side ? right0 : right1, from, split, to, longest);
  waitForHalves(from, split, to, most, 1 - side);
}

/** The instances [from, to) share left contexts of a0 to a1 tokens. False if no longer one can have support. */
function takeLefts(from: i32, to: i32, a0: i32, a1: i32, side: i32): bool {
  const sequence = side ? sequence1 : sequence0;
  const right = side ? right1 : right0;
  for (let a = a0; a <= a1; a++) {
    let count = 0;
    let lows = 0;
    let common = longest;
    for (let i = from; i < to; i++) {
      common = min(common, right[i]);
      const member = sequence[i];
      const cell = starts[alphaRow[member]] + before[member] - a;
      const rest = after[member];
      const highest = limitOf(high, cell, rest);
      if (highest < 0 && !keepsAll) continue;
      const lowest = limitOf(low, cell, rest);
      const most = isLeftOnly(member) ? 0 : rest;
      live[count] = member;
      liveRight[count] = common;
      lowLimit[count] = min(most, lowest);
      highLimit[count] = min(most, highest);
      lows += i32(lowest >= 0);
      count++;
      common = longest;
    }
    if ((keepsAll ? count : lows) < minSupport) return false;
    takeRights(count, from, to, a);
  }
  return true;
}

/** The bucket at (p, s) is small if s = after - b is at least the cell's value: up to which b that is. */
function limitOf(sizes: Counts, cell: i32, rest: i32): i32 {
  const least = sizes[cell];
  return least === NO_COUNT ? -1 : rest - least;
}

function isLeftOnly(member: i32): bool {
  return (flags[member] & LEFT_ONLY) !== 0;
}

/** Right contexts of the live instances, which are in their order; inner (longer) ones are closed first. */
function takeRights(count: i32, from: i32, to: i32, a: i32): void {
  const limit = maxContext - a;
  // Below all others is one that nothing closes.
  let open = changetype<OpenRight>(openRights);
  open.common = -1;
  for (let i = 1; i <= count; i++) {
    const value = i < count ? liveRight[i] : -1;
    let first = i - 1;
    if (minSupport <= 1) takeSingle(first, value, from, to, a);
    while (open.common > value) {
      const most = open.common;
      first = open.first;
      open = changetype<OpenRight>(changetype<usize>(open) - offsetof<OpenRight>());
      if (i - first >= minSupport) {
        takeContexts(first, i, from, to, a, max(value, open.common) + 1, min(limit, most));
      }
    }
    if (value > open.common) {
      open = changetype<OpenRight>(changetype<usize>(open) + offsetof<OpenRight>());
      open.first = first;
      open.common = value;
    }
  }
}

/** The right contexts that one live instance shares with none; the next one shares `value` tokens with it. */
function takeSingle(i: i32, value: i32, from: i32, to: i32, a: i32): void {
  const member = live[i];
  const most = isLeftOnly(member) ? 0 : after[member];
  const shared = i > 0 ? max(value, liveRight[i]) : value;
  takeContexts(i, i + 1, from, to, a, shared + 1, min(maxContext - a, most));
}

/** The pairs of live[first .. end) with a tokens of left and b0 to b1 of right context. */
function takeContexts(first: i32, end: i32, from: i32, to: i32, a: i32, b0: i32, b1: i32): void {
  for (let b = b0; b <= b1; b++) {
    let lows = 0;
    let highs = 0;
    let confirmed = 0;
    let example = -1;
    for (let i = first; i < end; i++) {
      const member = live[i];
      let isHigh = b <= highLimit[i];
      let isLow = b <= lowLimit[i];
      if (keepsAll && !isLow && (b === 0 || !isLeftOnly(member))) {
        const size = bucketClass(alphaRow[member], before[member] - a, after[member] - b);
        isHigh = size >= HIGH_BUCKET;
        isLow = size === LOW_BUCKET;
      }
      highs += i32(isHigh);
      if (!isLow) continue;
      lows++;
      confirmed += i32((flags[member] & KNOWN_SIMILAR) !== 0);
      if (example < 0 || isEarlier(member, example)) example = member;
    }
    if (lows >= minSupport) addPair(example, a, b, from, to, live[first], lows, highs, confirmed);
    else if (!keepsAll) return;
  }
}

function isEarlier(a: i32, b: i32): bool {
  const byAlpha = order[alphaRow[a]] - order[alphaRow[b]];
  return byAlpha === 0 ? order[betaRow[a]] < order[betaRow[b]] : byAlpha < 0;
}
