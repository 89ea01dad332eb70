import type { Likeness } from "../likely-similar.js";
import { LATE, LEFT_ONLY, OPEN_WORDS, WAITING_WORDS } from "./constants.js";
import type { InstanceSink } from "./instances.js";
import type { Kernel } from "./kernel.js";
import type { Counts, TokenTable } from "./tokens.js";

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

/** The list as the join reads it. Row r is the r-th URL in forward order; all arrays are on the heap. */
export interface SortedList {
  readonly table: TokenTable;
  /** Tokens in common with the row before. */
  readonly prefixes: Counts;
  /** Rows in backward order, and the tokens each has in common with the one before in that order. */
  readonly backward: Uint32Array;
  readonly suffixes: Counts;
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

export function emptySizes(kernel: Kernel, table: TokenTable): BucketSizes {
  const cells = table.tokens.length;
  return {
    low: kernel.counts(cells).fill(-1),
    high: kernel.counts(cells).fill(-1),
    exceptional: kernel.heap.bytes(table.count).fill(0),
  };
}

/**
 * Fills `sizes` and hands the instances to `sink`; returns the exceptions. The work is divided by rows: nodes within
 * one share belong to it, a node that spans several is taken by one of them and walked by all. assembly/join.ts has the walk.
 */
export function joinBuckets(
  kernel: Kernel,
  list: SortedList,
  options: BucketOptions,
  likeness: (a: number, b: number) => Likeness,
  sizes: BucketSizes,
  sink: InstanceSink,
  share: number,
  shares: number,
): Exceptions {
  const { table, prefixes } = list;
  const { tokens, starts, count, longest } = table;
  const { maxTokens, lowBucket, highBucket } = options;
  const { heap, code } = kernel;
  const exceptions: number[] = [];
  const active = new Int32Array(highBucket + 1);
  // Recently added late rows: most repetitions come in a row.
  const recent = new Int32Array(3 * 1024).fill(-1);
  // The sequences, and what the walk needs per position of a sequence.
  const rows = [heap.words(count), heap.words(count)] as const;
  const common = [kernel.counts(count), kernel.counts(count)] as const;
  const smallFrom = [kernel.counts(count), kernel.counts(count)] as const;
  const openIntervals = heap.words(OPEN_WORDS * (longest + 2));
  const waiting = heap.words(WAITING_WORDS);
  rows[0].set(list.backward);
  common[0].set(list.suffixes);
  kernel.set({
    ...{ tokens, starts, longest, low: sizes.low, high: sizes.high },
    ...{ text: table.text, textStarts: table.textStarts, prefixes, count, maxTokens, lowBucket, highBucket },
    shareFrom: Math.floor((count * share) / shares),
    shareTo: Math.floor((count * (share + 1)) / shares),
    ...{ rows0: rows[0], rows1: rows[1], common0: common[0], common1: common[1] },
    ...{ lowFrom: smallFrom[0], highFrom: smallFrom[1], openIntervals, waiting },
    ...{ partitions: sink.table, partitionShift: sink.shift },
  });
  kernel.joining = {
    likeness,
    isMine: (from, to, depth) => (isMine(from, to, depth) ? 1 : 0),
    addChunk: (partition) => sink.addChunk(partition),
    // Addresses beyond 2 GB come as negative numbers.
    takeEnvelopes: (address, ...box) => takeEnvelopes(address >>> 0 === rows[0].byteOffset ? rows[0] : rows[1], ...box),
  };
  code.join();
  for (const array of [...rows, ...common, ...smallFrom, openIntervals, waiting]) heap.release(array);
  sink.finish();
  return Uint32Array.from(exceptions);

  function isMine(from: number, to: number, depth: number): boolean {
    const shareOf = (row: number) => Math.min(shares - 1, Math.floor(((row + 1) * shares - 1) / count));
    const first = shareOf(from);
    const last = shareOf(to - 1);
    return first + (depth % (last - first + 1)) === share;
  }

  /** A box with URLs that some of its envelopes are too long or too short for. */
  function takeEnvelopes(
    rows: Uint32Array,
    from: number,
    to: number,
    p0: number,
    p1: number,
    s0: number,
    s1: number,
    shortestUrl: number,
    longestUrl: number,
  ): undefined {
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
        if (p === c && s === e) code.addInstance(u, v, c, e, flags);
        else {
          const slot = 3 * ((Math.imul(u, 31) + Math.imul(v, 17) + c) & 1023);
          if (recent[slot] === u && recent[slot + 1] === v && recent[slot + 2] === c) continue;
          recent[slot] = u;
          recent[slot + 1] = v;
          recent[slot + 2] = c;
          code.addInstance(u, v, c, e, flags | LATE);
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
}
