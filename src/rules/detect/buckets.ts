import { CONFIRMED, type Likeness, UNLIKELY } from "../likely-similar.js";
import { type InstanceSink, KNOWN_SIMILAR, LATE, LEFT_ONLY } from "./instances.js";
import { findSplit, splitSequence } from "./split.js";
import { type Counts, compareTokens, sharedCounts, sharedUint32, type TokenTable } from "./tokens.js";

/**
 * Figure 1, lines 5-16: which envelopes have buckets of 2 to T URLs, and which pairs of URLs they hold.
 *
 * URLs that share a prefix of p tokens are an interval of the list sorted forward: a node of its prefix tree. Within a
 * node, taken in the order of the list sorted backward, the URLs that share a suffix of s tokens are an interval again. So
 * the bucket of an envelope (p, s) is an interval of a node's sequence, and the distinct buckets are boxes: a node (a range
 * of p) times an interval between two values of the common suffix (a range of s). The tree is walked from the root, each
 * node's sequence split stably into those of its children, so nothing is sorted again; the common suffix of neighbours in a
 * child is the least one in between.
 *
 * That an envelope's bucket holds only URLs with p + s <= n <= p + s + S tokens matters where a box has URLs beyond either
 * bound; there, and only there, envelopes are counted one by one.
 */

/** The list as the join reads it. Row r is the r-th URL in forward order; all arrays are on shared memory. */
export interface SortedList {
  readonly table: TokenTable;
  /** Tokens in common with the row before. */
  readonly prefixes: Counts;
  /** Rows in backward order, and the tokens each has in common with the one before in that order. */
  readonly backward: Uint32Array;
  readonly suffixes: Counts;
  /** Tokens of the longest URL. */
  readonly longest: number;
}

export interface BucketOptions {
  readonly maxTokens: number;
  readonly lowBucket: number;
  readonly highBucket: number;
}

/**
 * Sizes of buckets by cell: prefix p of row r is cell starts[r] + p. The bucket of (p, s) has at most T_low (T_high) URLs
 * if s is at least low[cell] (high[cell]), or if the envelope is listed among the exceptions: envelopes whose bucket is
 * small only because URLs of its box are too short or too long for it.
 */
export interface BucketSizes {
  readonly low: Counts;
  readonly high: Counts;
  /** 1 for rows that have exceptions. */
  readonly exceptional: Uint8Array;
}

/** Cell and 2 * s + (1 if at most T_low), alternating. */
export type Exceptions = Uint32Array;

export function emptySizes(list: SortedList): BucketSizes {
  const cells = list.table.tokens.length;
  return {
    low: sharedCounts(cells, list.longest).fill(-1),
    high: sharedCounts(cells, list.longest).fill(-1),
    exceptional: new Uint8Array(new SharedArrayBuffer(list.table.count)),
  };
}

/**
 * Fills `sizes` and hands the instances to `sink`; returns the exceptions. The work is divided by rows: nodes within
 * one share belong to it, a node that spans several is taken by one of them and walked by all.
 */
export function joinBuckets(
  list: SortedList,
  options: BucketOptions,
  likeness: (a: number, b: number) => Likeness,
  sizes: BucketSizes,
  sink: InstanceSink,
  share: number,
  shares: number,
): Exceptions {
  const { table, prefixes, longest } = list;
  const { tokens, starts, count } = table;
  const { maxTokens, lowBucket, highBucket } = options;
  const exceptions: number[] = [];
  // Sequences of the nodes at work: rows and common suffixes; split from one pair of arrays into the other.
  let rows = list.backward.slice();
  let common = list.suffixes.slice();
  const rows0 = rows;
  const rows1 = new Uint32Array(count);
  const common0 = common;
  const common1 = list.suffixes.slice();
  // Per position of a sequence: least s of a small bucket (the outermost interval is closed last and wins).
  const none = sizes.high.length === 0 ? 0 : 2 ** (8 * sizes.high.BYTES_PER_ELEMENT) - 1;
  const lowFrom = list.suffixes.slice();
  const highFrom = list.suffixes.slice();
  // Open intervals of the sequence at work: first position, common suffix, tokens of its shortest and longest URL.
  const openFirst = new Int32Array(longest + 2);
  const openCommon = new Int32Array(longest + 2);
  const openShortest = new Int32Array(longest + 2);
  const openLongest = new Int32Array(longest + 2);
  const active = new Int32Array(highBucket + 1);
  // Recently added late rows: most repetitions come in a row.
  const recent = new Int32Array(3 * 1024).fill(-1);

  const shareFrom = Math.floor((count * share) / shares);
  const shareTo = Math.floor((count * (share + 1)) / shares);
  const pending: number[] = count > 1 ? [0, count, -1, 0] : [];
  while (pending.length > 0) {
    const side = pending.pop()!;
    const parentDepth = pending.pop()!;
    const to = pending.pop()!;
    const from = pending.pop()!;
    rows = side === 0 ? rows0 : rows1;
    common = side === 0 ? common0 : common1;
    const split = findSplit(prefixes, from, to);
    const depth = prefixes[split]!;
    // Otherwise the range is some children of a node that was taken before it was halved.
    if (depth > parentDepth && isMine(from, to, depth)) takeNode(from, to, parentDepth + 1, depth);
    if (to - from === 2) continue;

    if (side === 0) splitSequence(rows0, common0, rows1, common1, from, split, to, longest);
    else splitSequence(rows1, common1, rows0, common0, from, split, to, longest);
    if (split - from > 1 && from < shareTo && split > shareFrom) pending.push(from, split, depth, 1 - side);
    if (to - split > 1 && split < shareTo && to > shareFrom) pending.push(split, to, depth, 1 - side);
  }
  const result = sharedUint32(exceptions.length);
  result.set(exceptions);
  return result;

  function isMine(from: number, to: number, depth: number): boolean {
    if (from >= shareFrom && to <= shareTo) return true;
    const shareOf = (row: number) => Math.min(shares - 1, Math.floor(((row + 1) * shares - 1) / count));
    const first = shareOf(from);
    const last = shareOf(to - 1);
    return first + (depth % (last - first + 1)) === share;
  }

  /** Closes the intervals of a node's sequence, inner ones first. Prefixes of p0 to p1 tokens lead to this node. */
  function takeNode(from: number, to: number, p0: number, p1: number): void {
    lowFrom.fill(none, from, to);
    highFrom.fill(none, from, to);
    let open = 0;
    let isAnySmall = false;
    for (let i = from + 1; i <= to; i++) {
      const suffix = i < to ? common[i]! : -1;
      let first = i - 1;
      const row = rows[i - 1]!;
      let shortestUrl = starts[row + 1]! - starts[row]!;
      let longestUrl = shortestUrl;
      while (open > 0 && openCommon[open - 1]! > suffix) {
        open--;
        first = openFirst[open]!;
        const s1 = openCommon[open]!;
        shortestUrl = Math.min(shortestUrl, openShortest[open]!);
        longestUrl = Math.max(longestUrl, openLongest[open]!);
        const s0 = Math.max(suffix, open > 0 ? openCommon[open - 1]! : -1) + 1;
        if (shortestUrl < p1 + s1 || longestUrl > p0 + s0 + maxTokens) {
          takeEnvelopes(first, i, p0, p1, s0, s1, shortestUrl, longestUrl);
        } else if (i - first <= highBucket) {
          isAnySmall = true;
          takeBox(first, i, p1, s0, s1, shortestUrl);
        }
      }
      if (open > 0 && openCommon[open - 1] === suffix) {
        openShortest[open - 1] = Math.min(openShortest[open - 1]!, shortestUrl);
        openLongest[open - 1] = Math.max(openLongest[open - 1]!, longestUrl);
      } else if (suffix >= 0) {
        openFirst[open] = first;
        openCommon[open] = suffix;
        openShortest[open] = shortestUrl;
        openLongest[open++] = longestUrl;
      }
    }
    if (!isAnySmall) return;
    for (let i = from; i < to; i++) {
      const least = highFrom[i]!;
      if (least === none) continue;
      const leastLow = lowFrom[i]!;
      const cell = starts[rows[i]!]!;
      for (let p = p0; p <= p1; p++) {
        sizes.high[cell + p] = least;
        sizes.low[cell + p] = leastLow;
      }
    }
  }

  /** A small bucket, the same for all envelopes of the box. Its innermost envelope (p1, s1) is the core of some pairs. */
  function takeBox(from: number, to: number, p1: number, s0: number, s1: number, shortestUrl: number): void {
    const isLow = to - from <= lowBucket;
    for (let i = from; i < to; i++) {
      highFrom[i] = s0;
      if (isLow) lowFrom[i] = s0;
    }
    const isTight = shortestUrl === p1 + s1;
    for (let i = from; i < to; i++) {
      const u = rows[i]!;
      const uNext = tokens[starts[u]! + p1]!;
      const isShortest = isTight && starts[u + 1]! - starts[u]! === shortestUrl;
      let suffix = longest;
      for (let k = i + 1; k < to; k++) {
        if (common[k]! < suffix) suffix = common[k]!;
        const v = rows[k]!;
        const isSameNext = tokens[starts[v]! + p1]! === uNext;
        if (suffix === s1 && !isSameNext) addInstance(u, v, p1, s1, 0);
        else if (isShortest || (isTight && starts[v + 1]! - starts[v]! === shortestUrl)) {
          addInstance(u, v, p1, s1, isSameNext ? LEFT_ONLY : 0);
        }
      }
    }
  }

  /** A box with URLs that some of its envelopes are too long or too short for. */
  function takeEnvelopes(
    from: number,
    to: number,
    p0: number,
    p1: number,
    s0: number,
    s1: number,
    shortestUrl: number,
    longestUrl: number,
  ): void {
    for (let p = Math.max(p0, shortestUrl - maxTokens - s1); p <= p1; p++) {
      const sFrom = Math.max(s0, shortestUrl - maxTokens - p);
      const sTo = Math.min(s1, longestUrl - p);
      for (let s = sFrom; s <= sTo; s++) {
        let size = 0;
        for (let i = from; i < to && size <= highBucket; i++) {
          const row = rows[i]!;
          const length = starts[row + 1]! - starts[row]!;
          if (length >= p + s && length <= p + s + maxTokens) active[size++] = row;
        }
        if (size >= 2 && size <= highBucket) takeEnvelope(p, s, size);
      }
    }
  }

  function takeEnvelope(p: number, s: number, size: number): void {
    for (let i = 0; i < size; i++) {
      const u = active[i]!;
      sizes.exceptional[u] = 1;
      exceptions.push(starts[u]! + p, 2 * s + (size <= lowBucket ? 1 : 0));
      for (let k = i + 1; k < size; k++) {
        const v = active[k]!;
        const shorter = Math.min(starts[u + 1]! - starts[u]!, starts[v + 1]! - starts[v]!);
        const prefix = commonPrefix(u, v, p, shorter);
        const suffix = commonSuffix(u, v, s, shorter);
        const isSliding = prefix + suffix > shorter;
        const c = isSliding ? Math.min(prefix, shorter - s) : prefix;
        const e = isSliding ? shorter - c : suffix;
        const flags = c < prefix ? LEFT_ONLY : 0;
        if (p === c && s === e) addInstance(u, v, c, e, flags);
        else {
          const slot = 3 * ((Math.imul(u, 31) + Math.imul(v, 17) + c) & 1023);
          if (recent[slot] === u && recent[slot + 1] === v && recent[slot + 2] === c) continue;
          recent[slot] = u;
          recent[slot + 1] = v;
          recent[slot + 2] = c;
          addInstance(u, v, c, e, flags | LATE);
        }
      }
    }
  }

  function commonPrefix(u: number, v: number, known: number, limit: number): number {
    let equal = known;
    while (equal < limit && tokens[starts[u]! + equal] === tokens[starts[v]! + equal]) equal++;
    return equal;
  }

  function commonSuffix(u: number, v: number, known: number, limit: number): number {
    let equal = known;
    while (equal < limit && tokens[starts[u + 1]! - 1 - equal] === tokens[starts[v + 1]! - 1 - equal]) equal++;
    return equal;
  }

  /** Line 15, and alpha > beta: more tokens, else the larger first token of the core. */
  function addInstance(a: number, b: number, c: number, e: number, flags: number): void {
    const known = likeness(a, b);
    if (known === UNLIKELY) return;
    const longer = starts[a + 1]! - starts[a]! - (starts[b + 1]! - starts[b]!);
    const isOrdered =
      longer !== 0 ? longer > 0 : compareTokens(table, tokens[starts[a]! + c]!, tokens[starts[b]! + c]!) > 0;
    const u = isOrdered ? a : b;
    const v = isOrdered ? b : a;
    let hash = 0;
    for (let i = starts[u]! + c, end = starts[u + 1]! - e; i < end; i++) {
      hash = Math.imul((hash << 5) ^ (hash >>> 3) ^ tokens[i]!, 0x9e3779b1);
    }
    hash = ~hash;
    for (let i = starts[v]! + c, end = starts[v + 1]! - e; i < end; i++) {
      hash = Math.imul((hash << 5) ^ (hash >>> 3) ^ tokens[i]!, 0x85ebca6b);
    }
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    hash = (hash ^ (hash >>> 13)) >>> 0;
    sink.add(u, v, c, e, flags | (known === CONFIRMED ? KNOWN_SIMILAR : 0), hash);
  }
}
