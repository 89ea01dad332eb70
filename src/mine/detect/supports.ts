import { HashSlots } from "../../tables/hash-slots.js";
import { hashWords } from "../../tables/hashes.js";
import type { BucketSizes, Exceptions, SortedList } from "./buckets.js";
import {
  FLAGS,
  HIGH_BUCKET,
  LARGE_BUCKET,
  LATE,
  LEFT_ONLY,
  LOW_BUCKET,
  OPEN_RIGHT_WORDS,
  ROW_WORDS,
  WAITING_WORDS,
} from "./constants.js";
import { ContextTree, Group } from "./group.js";
import type { InstancePartition } from "./instances.js";
import type { Kernel } from "./kernel.js";
import { type PairShare, PairWriter } from "./table.js";

/**
 * Figure 1, lines 17-22: the pairs that enough envelopes support.
 *
 * All instances of a pair have its core, so instances are grouped by core first, and most groups are too small already.
 * Within a core a pair is a left and a right context; its instances are those with both. They are found as buckets are: left
 * contexts are intervals of the instances sorted leftwards from the core, and within each, taken in the order of the
 * instances sorted rightwards, right contexts are intervals again. The support is the number of instances whose bucket at
 * that envelope is small. Buckets only grow with the context, so a left context with too little support is given up with all
 * its extensions; where exceptions make buckets shrink again, only the number of instances bounds.
 */
export interface SupportOptions {
  readonly maxTokens: number;
  readonly minSupport: number;
}

/** Looks up exceptional envelopes by (cell, s). */
class ExceptionIndex {
  readonly #slots: HashSlots;
  /** As in the lists: cell and value of each. */
  readonly #entries: Uint32Array;

  constructor(lists: readonly Exceptions[]) {
    const length = lists.reduce((sum, list) => sum + list.length, 0);
    this.#entries = new Uint32Array(length);
    this.#slots = HashSlots.ofSize(length + 1);
    let at = 0;
    for (const list of lists) {
      for (let i = 0; i < list.length; i += 2, at += 2) {
        this.#entries[at] = list[i]!;
        this.#entries[at + 1] = list[i + 1]!;
        this.#slots.insert(at, hashWords(list[i]!, list[i + 1]! >>> 1));
      }
    }
  }

  /** The class of the envelope's bucket; LARGE_BUCKET too where the envelope is not an exception. */
  find(cell: number, s: number): number {
    const slots = this.#slots;
    for (let slot = slots.first(hashWords(cell, s)); ; slot = slots.next(slot)) {
      const entry = slots.entry(slot);
      if (entry < 0) return LARGE_BUCKET;
      const value = this.#entries[entry + 1]!;
      if (this.#entries[entry] === cell && value >>> 1 === s) return (value & 1) === 1 ? LOW_BUCKET : HIGH_BUCKET;
    }
  }
}

/**
 * Counts the supports of partitions share, share + shares, ... `instances` has the partitions that each thread filled;
 * `order` gives the list's index of a row.
 */
export function countSupports(
  kernel: Kernel,
  list: SortedList,
  order: Uint32Array,
  options: SupportOptions,
  sizes: BucketSizes,
  exceptionLists: readonly Exceptions[],
  instances: readonly (readonly InstancePartition[])[],
  share: number,
  shares: number,
): PairShare {
  const { tokens, starts } = list.table;
  const { maxTokens, minSupport } = options;
  const exceptions = new ExceptionIndex(exceptionLists);
  const writer = new PairWriter();
  const bits = Math.log2(instances[0]!.length);

  const openRights = kernel.heap.words(OPEN_RIGHT_WORDS * (list.table.longest + 2));
  const waiting = kernel.heap.words(WAITING_WORDS);
  kernel.set({ tokens, starts, longest: list.table.longest, low: sizes.low, high: sizes.high });
  kernel.set({ order, minSupport, openRights, waiting });
  let group = new Group(kernel, 256);
  const rightTree = new ContextTree(maxTokens);
  let rows = new Uint32Array(0);
  kernel.walking = {
    bucketClass,
    addPair: (example, a, b, from, to, first, low, high, confirmed) => {
      rightTree.find(first, b);
      writer.add(group, example, a, b, from, to, rightTree.from, rightTree.to, low, high, confirmed);
    },
  };

  for (let p = share; p < instances[0]!.length; p += shares) {
    const sorted = frequentRows(instances.map((partitions) => partitions[p]!));
    for (let from = 0; from < sorted.length; ) {
      const hash = rows[sorted[from]! * ROW_WORDS + 4]!;
      let to = from + 1;
      while (to < sorted.length && rows[sorted[to]! * ROW_WORDS + 4] === hash) to++;
      takeHash(sorted, from, to);
      from = to;
    }
  }
  group.release();
  kernel.heap.release(openRights);
  kernel.heap.release(waiting);
  return writer.finish();

  /** Copies the rows whose hash occurs at least MS times (and a few more) to `rows`; returns them sorted by hash. */
  function frequentRows(parts: readonly InstancePartition[]): Uint32Array {
    const chunks = parts.flat();
    const eachRow = (take: (chunk: Uint32Array, at: number) => void) => {
      for (const chunk of chunks) for (let at = 0; at < chunk.length; at += ROW_WORDS) take(chunk, at);
    };
    const total = chunks.reduce((words, chunk) => words + chunk.length, 0) / ROW_WORDS;
    let slots = 1024;
    while (slots < 4 * total) slots *= 2;
    const seen = new Uint8Array(slots);
    eachRow((chunk, at) => {
      const slot = chunk[at + 4]! & (slots - 1);
      if (seen[slot]! < 255) seen[slot]!++;
    });
    if (rows.length < total * ROW_WORDS) rows = new Uint32Array(total * ROW_WORDS);
    let count = 0;
    eachRow((chunk, at) => {
      if (seen[chunk[at + 4]! & (slots - 1)]! < minSupport && minSupport <= 255) return;
      if ((chunk[at + 2]! & LATE) !== 0) {
        const row = chunk[at]!;
        if (bucketClass(row, Math.floor(chunk[at + 2]! / FLAGS), chunk[at + 3]!) > 0) return;
      }
      const to = count++ * ROW_WORDS;
      for (let word = 0; word < ROW_WORDS; word++) rows[to + word] = chunk[at + word]!;
    });
    // The leading bits of the hash are equal in a partition: 32 - bits are left, and 21 + bits for the position.
    const packed = new Float64Array(count);
    const positions = 2 ** (21 + bits);
    for (let i = 0; i < count; i++) packed[i] = ((rows[i * ROW_WORDS + 4]! << bits) >>> bits) * positions + i;
    packed.sort();
    const sorted = new Uint32Array(count);
    for (let i = 0; i < count; i++) sorted[i] = packed[i]! % positions;
    return sorted;
  }

  /** Rows of one hash: takes those whose core equals the first one's, then the rest in the same way. */
  function takeHash(sorted: Uint32Array, from: number, to: number): void {
    while (to - from >= minSupport) {
      const first = sorted[from]! * ROW_WORDS;
      let equal = from + 1;
      for (let i = from + 1; i < to; i++) {
        const row = sorted[i]!;
        if (!hasSameCore(first, row * ROW_WORDS)) continue;
        sorted[i] = sorted[equal]!;
        sorted[equal++] = row;
      }
      takeCore(sorted, from, equal);
      from = equal;
    }
  }

  function hasSameCore(a: number, b: number): boolean {
    const beforeA = Math.floor(rows[a + 2]! / FLAGS);
    const beforeB = Math.floor(rows[b + 2]! / FLAGS);
    return (
      isSameRange(rows[a]!, beforeA, rows[a + 3]!, rows[b]!, beforeB, rows[b + 3]!) &&
      isSameRange(rows[a + 1]!, beforeA, rows[a + 3]!, rows[b + 1]!, beforeB, rows[b + 3]!)
    );
  }

  /** Are u without its first c and last e tokens, and v without its first d and last f tokens, the same? */
  function isSameRange(u: number, c: number, e: number, v: number, d: number, f: number): boolean {
    const end = starts[u + 1]! - e;
    let i = starts[u]! + c;
    let k = starts[v]! + d;
    if (end - i !== starts[v + 1]! - f - k) return false;
    for (; i < end; i++, k++) if (tokens[i] !== tokens[k]) return false;
    return true;
  }

  function takeCore(sorted: Uint32Array, from: number, to: number): void {
    let count = to - from;
    if (count < minSupport) return;
    if (count > group.size) {
      group.release();
      group = new Group(kernel, 2 * count);
    }
    let hasLate = false;
    // Some instance of the group has exceptional envelopes.
    let keepsAll = false;
    for (let i = 0; i < count; i++) {
      const row = sorted[from + i]! * ROW_WORDS;
      if ((rows[row + 2]! & LATE) !== 0) hasLate = true;
      if (sizes.exceptional[rows[row]!] === 1) keepsAll = true;
    }
    const members = sorted.subarray(from, to);
    if (hasLate) count = dropRepetitions(members);
    const first = members[0]! * ROW_WORDS;
    const coreTokens =
      starts[rows[first]! + 1]! - starts[rows[first]!]! - Math.floor(rows[first + 2]! / FLAGS) - rows[first + 3]!;
    // Tokens of context that the core leaves room for.
    const maxContext = maxTokens - coreTokens;
    arrange(members, count, maxContext);
    writer.startCore();
    kernel.set({ maxContext, keepsAll: keepsAll ? 1 : 0 });
    kernel.code.walk(count);
  }

  /** Late rows may come more than once. Moves one of each to the front. */
  function dropRepetitions(members: Uint32Array): number {
    const compare = (a: number, b: number) => {
      const rowA = a * ROW_WORDS;
      const rowB = b * ROW_WORDS;
      return (
        rows[rowA]! - rows[rowB]! ||
        rows[rowA + 1]! - rows[rowB + 1]! ||
        Math.floor(rows[rowA + 2]! / FLAGS) - Math.floor(rows[rowB + 2]! / FLAGS)
      );
    };
    members.sort(compare);
    let kept = 0;
    for (const member of members) {
      if (kept === 0 || compare(members[kept - 1]!, member) !== 0) members[kept++] = member;
    }
    return kept;
  }

  /** Numbers the instances of a core in the order of their left contexts, and puts them in that of the right ones. */
  function arrange(members: Uint32Array, count: number, maxContext: number): void {
    const { places, byLeft, left, sequence0, right0 } = group;
    for (let i = 0; i < count; i++) {
      const row = members[i]! * ROW_WORDS;
      byLeft[i] = i;
      places[i] = starts[rows[row]!]! + Math.floor(rows[row + 2]! / FLAGS) - 1;
    }
    group.sort("backward", byLeft, left, count, maxContext);
    let both = 0;
    let leftOnly = count;
    for (let i = 0; i < count; i++) {
      const row = members[byLeft[i]!]! * ROW_WORDS;
      const flags = rows[row + 2]! & (FLAGS - 1);
      group.alphaRow[i] = rows[row]!;
      group.betaRow[i] = rows[row + 1]!;
      group.before[i] = Math.floor(rows[row + 2]! / FLAGS);
      group.after[i] = rows[row + 3]!;
      group.flags[i] = flags;
      places[i] = starts[rows[row]! + 1]! - rows[row + 3]!;
      if ((flags & LEFT_ONLY) !== 0) sequence0[--leftOnly] = i;
      else sequence0[both++] = i;
    }
    group.sort("forward", sequence0, right0, both, maxContext);
    right0.fill(0, both, count);
    rightTree.build(sequence0, right0, count);
  }

  function bucketClass(row: number, p: number, s: number): number {
    const cell = starts[row]! + p;
    if (s >= sizes.low[cell]!) return LOW_BUCKET;
    const plain = s >= sizes.high[cell]! ? HIGH_BUCKET : LARGE_BUCKET;
    return sizes.exceptional[row] === 1 ? Math.max(plain, exceptions.find(cell, s)) : plain;
  }
}
