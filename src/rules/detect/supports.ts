import type { BucketSizes, Exceptions, SortedList } from "./buckets.js";
import { FLAGS, type InstancePartition, KNOWN_SIMILAR, LATE, LEFT_ONLY, ROW_WORDS } from "./instances.js";
import { type PairShare, PairWriter } from "./table.js";

/**
 * Figure 1, lines 17-22: the pairs that enough envelopes support.
 *
 * All instances of a pair have its core, so instances are grouped by core first, and most groups are too small already.
 * Then context is added token by token, first to the left and for each left context to the right; a group of instances
 * with equal context is one pair, and its support the number of instances whose bucket at that envelope is small. Buckets
 * only grow with the context, so that a group that has too little support is given up with all its extensions; where
 * exceptions make buckets shrink again, only the number of instances bounds.
 */
export interface SupportOptions {
  readonly maxTokens: number;
  readonly minSupport: number;
}

/** Looks up exceptional envelopes: open addressing over (cell, s). */
class ExceptionIndex {
  readonly #cells: Uint32Array;
  readonly #values: Uint32Array;
  readonly #mask: number;

  constructor(lists: readonly Exceptions[]) {
    const count = lists.reduce((sum, list) => sum + list.length / 2, 0);
    let slots = 2;
    while (slots < 2 * count + 2) slots *= 2;
    this.#mask = slots - 1;
    this.#cells = new Uint32Array(slots);
    this.#values = new Uint32Array(slots);
    for (const list of lists) {
      for (let i = 0; i < list.length; i += 2) {
        const cell = list[i]!;
        const value = list[i + 1]!;
        let slot = this.#slotOf(cell, value >>> 1);
        while (this.#values[slot] !== 0) slot = (slot + 1) & this.#mask;
        this.#cells[slot] = cell;
        this.#values[slot] = value + 1;
      }
    }
  }

  /** 0 if the envelope is no exception, 1 if its bucket has at most T_high URLs, 2 if at most T_low. */
  find(cell: number, s: number): number {
    for (let slot = this.#slotOf(cell, s); ; slot = (slot + 1) & this.#mask) {
      const value = this.#values[slot]! - 1;
      if (value < 0) return 0;
      if (this.#cells[slot] === cell && value >>> 1 === s) return 1 + (value & 1);
    }
  }

  #slotOf(cell: number, s: number): number {
    const hash = Math.imul(cell ^ Math.imul(s, 0x9e3779b1), 0x85ebca6b);
    return (hash ^ (hash >>> 15)) & this.#mask;
  }
}

/**
 * Counts the supports of partitions share, share + shares, ... `instances` has the partitions that each thread filled;
 * `order` gives the list's index of a row.
 */
export function countSupports(
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

  // The group at work, one entry an instance: tokens before and after the core, flags.
  let rows = new Uint32Array(0);
  let group = new Uint32Array(1024);
  let left = new Uint32Array(1024);
  let right = new Uint32Array(1024);
  // Next token of each member. An extension overwrites only the keys of its own members: one array a direction.
  let leftKeys = new Uint32Array(1024);
  let rightKeys = new Uint32Array(1024);
  let coreTokens = 0;
  let keepsAll = false;

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
  return writer.finish();

  /** Copies the rows whose hash occurs at least MS times (and a few more) to `rows`; returns them sorted by hash. */
  function frequentRows(parts: readonly InstancePartition[]): Uint32Array {
    const eachRow = (take: (chunk: Uint32Array, at: number) => void) => {
      for (const { chunks, used } of parts) {
        for (let k = 0; k < chunks.length; k++) {
          const chunk = chunks[k]!;
          const end = k === chunks.length - 1 ? used : chunk.length;
          for (let at = 0; at < end; at += ROW_WORDS) take(chunk, at);
        }
      }
    };
    let total = 0;
    for (const { chunks, used } of parts) {
      if (chunks.length > 0) total += ((chunks.length - 1) * chunks[0]!.length + used) / ROW_WORDS;
    }
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
    if (group.length < 5 * count) {
      group = new Uint32Array(10 * count);
      left = new Uint32Array(2 * count);
      right = new Uint32Array(2 * count);
      leftKeys = new Uint32Array(2 * count);
      rightKeys = new Uint32Array(2 * count);
    }
    let hasLate = false;
    keepsAll = false;
    for (let i = 0; i < count; i++) {
      const row = sorted[from + i]! * ROW_WORDS;
      const flags = rows[row + 2]! & (FLAGS - 1);
      group[5 * i] = rows[row]!;
      group[5 * i + 1] = rows[row + 1]!;
      group[5 * i + 2] = Math.floor(rows[row + 2]! / FLAGS);
      group[5 * i + 3] = rows[row + 3]!;
      group[5 * i + 4] = flags;
      left[i] = i;
      if ((flags & LATE) !== 0) hasLate = true;
      if (sizes.exceptional[rows[row]!] === 1) keepsAll = true;
    }
    if (hasLate) count = dropRepetitions(count);
    coreTokens = starts[group[0]! + 1]! - starts[group[0]!]! - group[2]! - group[3]!;
    writer.startCore();
    const end = take(left, 0, count, 0, 0);
    if (end >= minSupport) extendLeft(0, end, 0);
  }

  function dropRepetitions(count: number): number {
    const sorted = left.subarray(0, count);
    const compare = (a: number, b: number) =>
      group[5 * a]! - group[5 * b]! || group[5 * a + 1]! - group[5 * b + 1]! || group[5 * a + 2]! - group[5 * b + 2]!;
    sorted.sort(compare);
    let kept = 0;
    for (let i = 0; i < count; i++) {
      if (kept === 0 || compare(sorted[kept - 1]!, sorted[i]!) !== 0) sorted[kept++] = sorted[i]!;
    }
    return kept;
  }

  /** 0 for a bucket of more than T_high URLs, 1 for one of at most T_high, 2 for one of at most T_low. */
  function bucketClass(row: number, p: number, s: number): number {
    const cell = starts[row]! + p;
    if (s >= sizes.low[cell]!) return 2;
    const plain = s >= sizes.high[cell]! ? 1 : 0;
    return sizes.exceptional[row] === 1 ? Math.max(plain, exceptions.find(cell, s)) : plain;
  }

  /**
   * Writes the pair with a and b tokens of context if it has support, and moves the members that extensions can still
   * count to the front. Returns their end: `from` if no extension can have support.
   */
  function take(members: Uint32Array, from: number, to: number, a: number, b: number): number {
    let low = 0;
    let high = 0;
    let confirmed = 0;
    let example = -1;
    let kept = from;
    for (let i = from; i < to; i++) {
      const member = members[i]!;
      const at = 5 * member;
      const u = group[at]!;
      const size = bucketClass(u, group[at + 2]! - a, group[at + 3]! - b);
      if (size > 0) {
        high++;
        if (size === 2) {
          low++;
          if ((group[at + 4]! & KNOWN_SIMILAR) !== 0) confirmed++;
          if (example < 0 || isEarlier(at, example)) example = at;
        }
      }
      if (size > 0 || keepsAll) members[kept++] = member;
    }
    if (low >= minSupport) {
      const u = group[example]!;
      const v = group[example + 1]!;
      writer.add(u, v, group[example + 2]!, group[example + 3]!, a, b, low, high, confirmed);
    }
    return keepsAll || low >= minSupport ? kept : from;
  }

  function isEarlier(a: number, b: number): boolean {
    const difference = order[group[a]!]! - order[group[b]!]!;
    if (difference !== 0) return difference < 0;
    return order[group[a + 1]!]! < order[group[b + 1]!]!;
  }

  /** Members of left[from..to) have a tokens of left context in common. */
  function extendLeft(from: number, to: number, a: number): void {
    if (coreTokens + a === maxTokens) return;
    right.set(left.subarray(from, to));
    extendRight(0, to - from, a, 0);
    let end = from;
    for (let i = from; i < to; i++) {
      const member = left[i]!;
      const position = group[5 * member + 2]! - a - 1;
      if (position < 0) continue;
      leftKeys[end] = tokens[starts[group[5 * member]!]! + position]!;
      left[end++] = member;
    }
    sortByKey(left, leftKeys, from, end);
    for (let first = from; first < end; ) {
      const key = leftKeys[first]!;
      let next = first + 1;
      while (next < end && leftKeys[next] === key) next++;
      if (next - first >= minSupport) {
        const kept = take(left, first, next, a + 1, 0);
        if (kept - first >= minSupport) extendLeft(first, kept, a + 1);
      }
      first = next;
    }
  }

  /** Members of right[from..to) have a tokens of left and b tokens of right context in common. */
  function extendRight(from: number, to: number, a: number, b: number): void {
    if (coreTokens + a + b === maxTokens) return;
    let end = from;
    for (let i = from; i < to; i++) {
      const member = right[i]!;
      const after = group[5 * member + 3]! - b;
      if (after === 0 || (group[5 * member + 4]! & LEFT_ONLY) !== 0) continue;
      rightKeys[end] = tokens[starts[group[5 * member]! + 1]! - after]!;
      right[end++] = member;
    }
    sortByKey(right, rightKeys, from, end);
    for (let first = from; first < end; ) {
      const key = rightKeys[first]!;
      let next = first + 1;
      while (next < end && rightKeys[next] === key) next++;
      if (next - first >= minSupport) {
        const kept = take(right, first, next, a, b + 1);
        if (kept - first >= minSupport) extendRight(first, kept, a, b + 1);
      }
      first = next;
    }
  }

  /** Sorts members[from..to) by keys[from..to), and the keys with them. */
  function sortByKey(members: Uint32Array, keys: Uint32Array, from: number, to: number): void {
    if (to - from <= 16) {
      for (let i = from + 1; i < to; i++) {
        const key = keys[i]!;
        const member = members[i]!;
        let k = i;
        for (; k > from && keys[k - 1]! > key; k--) {
          keys[k] = keys[k - 1]!;
          members[k] = members[k - 1]!;
        }
        keys[k] = key;
        members[k] = member;
      }
      return;
    }
    let isSorted = true;
    for (let i = from + 1; i < to && isSorted; i++) isSorted = keys[i - 1]! <= keys[i]!;
    if (isSorted) return;
    const count = to - from;
    const packed = new Float64Array(count);
    for (let i = 0; i < count; i++) packed[i] = keys[from + i]! * count + i;
    packed.sort();
    const old = members.slice(from, to);
    for (let i = 0; i < count; i++) {
      const position = packed[i]! % count;
      keys[from + i] = (packed[i]! - position) / count;
      members[from + i] = old[position]!;
    }
  }
}
