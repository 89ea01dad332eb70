import { type Counts, END, START, sharedCounts, sharedUint32, type TokenTable } from "./tokens.js";

/** Which end of the URLs a sort reads first. */
export type Direction = "forward" | "backward";

export interface Sorted {
  readonly order: Uint32Array;
  /** Tokens in common with the one before; the first has 0. */
  readonly common: Counts;
}

/**
 * The URLs sorted by their tokens from one end, so that URLs with a common prefix (suffix) of any length are neighbours.
 */
export function sortUrls(table: TokenTable, direction: Direction, longest: number): Sorted {
  const { count, starts } = table;
  const order = sharedUint32(count);
  const first = new Uint32Array(count);
  for (let url = 0; url < count; url++) {
    order[url] = url;
    first[url] = direction === "forward" ? starts[url]! : starts[url + 1]! - 1;
  }
  const common = sharedCounts(count, longest);
  new SequenceSorter(table).sort(first, direction, order, common, count, longest);
  return { order, common };
}

/** Ranges of at most this many sequences are sorted by insertion. */
const FEW = 10;

/**
 * Sorts sequences of tokens that end with an anchor, by token ids: any order that keeps equal beginnings together serves.
 * Multikey quicksort (Bentley and Sedgewick 1997), two tokens at a time packed into one double.
 */
export class SequenceSorter {
  readonly #tokens: Uint32Array;
  /** Number of distinct tokens. */
  readonly #distinct: number;
  readonly #width: 1 | 2;
  #keys = new Float64Array(0);
  #pending: number[] = [];

  constructor(table: TokenTable) {
    this.#tokens = table.tokens;
    this.#distinct = table.textStarts.length;
    this.#width = this.#distinct < 2 ** 26 ? 2 : 1;
  }

  /**
   * Sorts the first `count` entries of `items`. Item i begins at token first[i] and goes on in the direction, to its anchor
   * or for `limit` tokens. Sets common[k] to the tokens that the k-th item has in common with the one before.
   */
  sort(
    first: Uint32Array,
    direction: Direction,
    items: Uint32Array,
    common: Counts,
    count: number,
    limit: number,
  ): void {
    const step = direction === "forward" ? 1 : -1;
    const last = direction === "forward" ? END : START;
    if (count > 0) common[0] = 0;
    if (limit === 0) {
      common.fill(0, 0, count);
      return;
    }
    if (count <= FEW) {
      this.#insertionSort(first, step, last, items, common, 0, count, 0, limit);
      return;
    }
    if (this.#keys.length < count) this.#keys = new Float64Array(count);
    const keys = this.#keys;
    const tokens = this.#tokens;
    const distinct = this.#distinct;
    const width = this.#width;
    const pending = this.#pending;
    pending.push(0, count, 0);
    while (pending.length > 0) {
      const depth = pending.pop()!;
      const high = pending.pop()!;
      const low = pending.pop()!;
      if (high - low <= FEW) {
        this.#insertionSort(first, step, last, items, common, low, high, depth, limit);
        continue;
      }
      const offset = step * depth;
      const isTwo = width === 2 && depth + 1 < limit;
      let isSame = true;
      for (let i = low; i < high; i++) {
        const at = first[items[i]!]! + offset;
        const token = tokens[at]!;
        const key = token * distinct + (isTwo && token !== last ? tokens[at + step]! : 0);
        keys[i] = key;
        if (key !== keys[low]) isSame = false;
      }
      if (!isSame) sortByKeys(keys, items, low, high);
      for (let from = low; from < high; ) {
        const key = keys[from]!;
        const token = Math.floor(key / distinct);
        let to = from + 1;
        while (to < high && keys[to] === key) to++;
        if (from > low) common[from] = depth + (isTwo && Math.floor(keys[from - 1]! / distinct) === token ? 1 : 0);
        if (to - from > 1) {
          const isDone = token === last || depth + (isTwo ? 2 : 1) >= limit || (isTwo && key % distinct === last);
          if (isDone) common.fill(token === last || !isTwo ? depth + 1 : depth + 2, from + 1, to);
          else pending.push(from, to, depth + (isTwo ? 2 : 1));
        }
        from = to;
      }
    }
  }

  #insertionSort(
    first: Uint32Array,
    step: number,
    last: number,
    items: Uint32Array,
    common: Counts,
    low: number,
    high: number,
    depth: number,
    limit: number,
  ): void {
    const tokens = this.#tokens;
    /** Tokens that two items have in common. */
    const compare = (itemA: number, itemB: number): number => {
      let a = first[itemA]! + step * depth;
      let b = first[itemB]! + step * depth;
      let equal = depth;
      while (equal < limit && tokens[a] === tokens[b]) {
        equal++;
        if (tokens[a] === last) break;
        a += step;
        b += step;
      }
      isBefore = equal < limit && tokens[a]! < tokens[b]!;
      return equal;
    };
    let isBefore = false;
    for (let i = low + 1; i < high; i++) {
      const item = items[i]!;
      let k = i;
      for (; k > low; k--) {
        compare(item, items[k - 1]!);
        if (!isBefore) break;
        items[k] = items[k - 1]!;
      }
      items[k] = item;
    }
    for (let i = low + 1; i < high; i++) common[i] = compare(items[i - 1]!, items[i]!);
  }
}

/** Three-way quicksort of keys[low..high), items with them. */
export function sortByKeys(keys: Float64Array, items: Uint32Array, low: number, high: number): void {
  while (high - low > 16) {
    const pivot = median(keys[low]!, keys[(low + high) >>> 1]!, keys[high - 1]!);
    let less = low;
    let more = high;
    for (let i = low; i < more; ) {
      const key = keys[i]!;
      if (key === pivot) {
        i++;
        continue;
      }
      const other = key < pivot ? less++ : --more;
      const item = items[i]!;
      keys[i] = keys[other]!;
      items[i] = items[other]!;
      keys[other] = key;
      items[other] = item;
      if (key < pivot) i++;
    }
    if (less - low < high - more) {
      sortByKeys(keys, items, low, less);
      low = more;
    } else {
      sortByKeys(keys, items, more, high);
      high = less;
    }
  }
  for (let i = low + 1; i < high; i++) {
    const key = keys[i]!;
    const item = items[i]!;
    let k = i;
    for (; k > low && keys[k - 1]! > key; k--) {
      keys[k] = keys[k - 1]!;
      items[k] = items[k - 1]!;
    }
    keys[k] = key;
    items[k] = item;
  }
}

function median(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}

/** Tokens of the longest URL, anchors included. */
export function longestUrl(table: TokenTable): number {
  let longest = 0;
  for (let url = 0; url < table.count; url++) {
    longest = Math.max(longest, table.starts[url + 1]! - table.starts[url]!);
  }
  return longest;
}
