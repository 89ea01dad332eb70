/** Figure 1, lines 5-16: envelopes with small buckets, and the pairs of URLs in them. ../buckets.ts says how they are found. */
import { LEFT_ONLY } from "../constants";
import { Words } from "./arrays";
import { Counts, NO_COUNT } from "./counts";
import { isMine, takeEnvelopes } from "./imports";
import { addInstance } from "./instances";
import { high, lengthOf, longest, low, starts, tokens } from "./list";
import { findSplit, isAnyWaiting, splitSequence, takeNext, waitForAll, waitForHalves } from "./split";

/** The list's rows, and those of this thread's share. */
export let count: i32 = 0;
export let shareFrom: i32 = 0;
export let shareTo: i32 = 0;
/** Tokens that a row has in common with the row before. */
export let prefixes = changetype<Counts>(0);
/** S, T_low and T_high. */
export let maxTokens: i32 = 0;
export let lowBucket: i32 = 0;
export let highBucket: i32 = 0;

/** Sequences are split from one pair of arrays into the other: rows, and the suffix each has in common with the one before. */
export let rows0 = changetype<Words>(0);
export let rows1 = changetype<Words>(0);
export let common0 = changetype<Counts>(0);
export let common1 = changetype<Counts>(0);
/** Those of the node at work. */
let rows = changetype<Words>(0);
let common = changetype<Counts>(0);

/** By position in the node's sequence: the least s of a bucket of at most T_low, T_high URLs. */
export let lowFrom = changetype<Counts>(0);
export let highFrom = changetype<Counts>(0);

/** An interval of the node's sequence whose URLs share a suffix, and that may still go on. */
@unmanaged
class OpenInterval {
  first: i32;
  suffix: i32;
  /** Tokens of its shortest and of its longest URL. */
  shortestUrl: i32;
  longestUrl: i32;
}
/** A stack, the outermost below. */
export let openIntervals: usize = 0;

/** Walks the prefix tree of the list, whose sequence is in rows0 and common0. */
export function join(): void {
  waitForAll(count);
  while (isAnyWaiting()) {
    const range = takeNext();
    takeRange(range.from, range.to, range.depth, range.side);
  }
}

function takeRange(from: i32, to: i32, parentDepth: i32, side: i32): void {
  if (to - from < 2 || from >= shareTo || to <= shareFrom) return;
  rows = side ? rows1 : rows0;
  common = side ? common1 : common0;
  const split = findSplit(prefixes, from, to);
  const depth = prefixes[split];
  // Otherwise the range is some children of a node that was taken before it was halved.
  if (depth > parentDepth && ((from >= shareFrom && to <= shareTo) || isMine(from, to, depth))) {
    takeNode(from, to, parentDepth + 1, depth);
  }
  if (to - from === 2) return;
  splitSequence(rows, common, side ? rows0 : rows1, side ? common0 : common1, from, split, to, longest);
  waitForHalves(from, split, to, depth, 1 - side);
}

/** Prefixes of p0 to p1 tokens lead to this node. Intervals of its sequence are closed where they end, inner ones first. */
function takeNode(from: i32, to: i32, p0: i32, p1: i32): void {
  lowFrom.clear(from, to);
  highFrom.clear(from, to);
  let isAnySmall = false;
  // Below all others is one that no suffix closes.
  let open = changetype<OpenInterval>(openIntervals);
  open.suffix = -1;
  for (let i = from + 1; i <= to; i++) {
    const suffix = i < to ? common[i] : -1;
    let first = i - 1;
    let shortestUrl = lengthOf(rows[first]);
    let longestUrl = shortestUrl;
    while (open.suffix > suffix) {
      const s1 = open.suffix;
      first = open.first;
      shortestUrl = min(shortestUrl, open.shortestUrl);
      longestUrl = max(longestUrl, open.longestUrl);
      open = changetype<OpenInterval>(changetype<usize>(open) - offsetof<OpenInterval>());
      const s0 = max(suffix, open.suffix) + 1;
      if (shortestUrl < p1 + s1 || longestUrl > p0 + s0 + maxTokens) {
        takeEnvelopes(changetype<usize>(rows), first, i, p0, p1, s0, s1, shortestUrl, longestUrl);
      } else if (i - first <= highBucket) {
        isAnySmall = true;
        takeBox(first, i, p1, s0, s1, shortestUrl);
      }
    }
    if (open.suffix === suffix) {
      open.shortestUrl = min(open.shortestUrl, shortestUrl);
      open.longestUrl = max(open.longestUrl, longestUrl);
    } else {
      open = changetype<OpenInterval>(changetype<usize>(open) + offsetof<OpenInterval>());
      open.first = first;
      open.suffix = suffix;
      open.shortestUrl = shortestUrl;
      open.longestUrl = longestUrl;
    }
  }
  if (isAnySmall) setSizes(from, to, p0, p1);
}

/** A small bucket, the same for all envelopes of the box. Its innermost envelope (p1, s1) is the core of some pairs. */
function takeBox(from: i32, to: i32, p1: i32, s0: i32, s1: i32, shortestUrl: i32): void {
  const isLow = to - from <= lowBucket;
  for (let i = from; i < to; i++) {
    highFrom[i] = s0;
    if (isLow) lowFrom[i] = s0;
  }
  // URLs that are nothing but the envelope: their core is with every other URL of the bucket.
  const bareLength = shortestUrl === p1 + s1 ? shortestUrl : -1;
  for (let i = from; i < to; i++) {
    const u = rows[i];
    const next = tokens[starts[u] + p1];
    const isBare = lengthOf(u) === bareLength;
    let suffix = longest;
    for (let k = i + 1; k < to; k++) {
      const v = rows[k];
      suffix = min(suffix, common[k]);
      const isSameNext = tokens[starts[v] + p1] === next;
      if (suffix === s1 && !isSameNext) addInstance(u, v, p1, s1, 0);
      else if (isBare || lengthOf(v) === bareLength) addInstance(u, v, p1, s1, isSameNext ? LEFT_ONLY : 0);
    }
  }
}

/** What was found for positions of the node's sequence holds for cells of the list. */
function setSizes(from: i32, to: i32, p0: i32, p1: i32): void {
  for (let i = from; i < to; i++) {
    const least = highFrom[i];
    if (least === NO_COUNT) continue;
    const cell = starts[rows[i]];
    for (let p = p0; p <= p1; p++) {
      high[cell + p] = least;
      low[cell + p] = lowFrom[i];
    }
  }
}
