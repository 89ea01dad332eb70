import { type Counts, sharedCounts, sharedUint32, type TokenTable } from "./tokens.js";

/** Which end of the URLs a sort reads first. */
export type Direction = "forward" | "backward";

/**
 * The URLs sorted by their tokens from one end, so that URLs with a common prefix (suffix) of any length are neighbours.
 * Tokens compare by id: any order that keeps equal tokens together serves. Multikey quicksort (Bentley and Sedgewick
 * 1997), the tokens of the current depth cached beside the permutation.
 */
export function sortByTokens(table: TokenTable, direction: Direction): Uint32Array {
  const { count, tokens, starts } = table;
  const step = direction === "forward" ? 1 : -1;
  const order = sharedUint32(count);
  const first = new Uint32Array(count);
  for (let url = 0; url < count; url++) {
    order[url] = url;
    first[url] = step > 0 ? starts[url]! : starts[url + 1]! - 1;
  }
  const keys = new Uint32Array(count);
  const pending: number[] = [0, count, 0];
  while (pending.length > 0) {
    const depth = pending.pop()!;
    const high = pending.pop()!;
    const low = pending.pop()!;
    if (high - low <= 12) {
      insertionSort(low, high, depth);
      continue;
    }
    const offset = step * depth;
    for (let i = low; i < high; i++) keys[i] = tokens[first[order[i]!]! + offset]!;
    partition(low, high, depth);
  }
  return order;

  /** Three-way quicksort on the cached keys; ranges of equal keys go on at the next depth. */
  function partition(from: number, to: number, depth: number): void {
    let low = from;
    let high = to;
    while (high - low > 1) {
      const pivot = median(keys[low]!, keys[(low + high) >>> 1]!, keys[high - 1]!);
      let less = low;
      let i = low;
      let more = high;
      while (i < more) {
        const key = keys[i]!;
        if (key === pivot) i++;
        else if (key < pivot) swap(i++, less++);
        else swap(i, --more);
      }
      // After END nothing follows: only equal URLs meet there, and a list has none.
      if (more - less > 1 && !isEnd(less, depth)) pending.push(less, more, depth + 1);
      if (less - low < high - more) {
        if (less - low > 1) partition(low, less, depth);
        low = more;
      } else {
        if (high - more > 1) partition(more, high, depth);
        high = less;
      }
    }
  }

  function isEnd(position: number, depth: number): boolean {
    const url = order[position]!;
    return depth + 1 >= starts[url + 1]! - starts[url]!;
  }

  function swap(a: number, b: number): void {
    const key = keys[a]!;
    keys[a] = keys[b]!;
    keys[b] = key;
    const url = order[a]!;
    order[a] = order[b]!;
    order[b] = url;
  }

  function insertionSort(low: number, high: number, depth: number): void {
    for (let i = low + 1; i < high; i++) {
      const url = order[i]!;
      let k = i;
      while (k > low && isBefore(url, order[k - 1]!, depth)) {
        order[k] = order[k - 1]!;
        k--;
      }
      order[k] = url;
    }
  }

  function isBefore(a: number, b: number, depth: number): boolean {
    const length = Math.min(starts[a + 1]! - starts[a]!, starts[b + 1]! - starts[b]!);
    let i = first[a]! + step * depth;
    let k = first[b]! + step * depth;
    for (let d = depth; d < length; d++, i += step, k += step) {
      if (tokens[i] !== tokens[k]) return tokens[i]! < tokens[k]!;
    }
    return false;
  }
}

function median(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}

/** How many tokens each URL of a sorted order has in common with the one before it, from that end. The first has 0. */
export function commonTokens(table: TokenTable, order: Uint32Array, direction: Direction, longest: number): Counts {
  const { tokens, starts } = table;
  const step = direction === "forward" ? 1 : -1;
  const common = sharedCounts(order.length, longest);
  for (let k = 1; k < order.length; k++) {
    const a = order[k - 1]!;
    const b = order[k]!;
    const length = Math.min(starts[a + 1]! - starts[a]!, starts[b + 1]! - starts[b]!);
    let i = step > 0 ? starts[a]! : starts[a + 1]! - 1;
    let j = step > 0 ? starts[b]! : starts[b + 1]! - 1;
    let equal = 0;
    for (; equal < length && tokens[i] === tokens[j]; equal++, i += step, j += step);
    common[k] = equal;
  }
  return common;
}

/** Tokens of the longest URL, anchors included. */
export function longestUrl(table: TokenTable): number {
  let longest = 0;
  for (let url = 0; url < table.count; url++) {
    longest = Math.max(longest, table.starts[url + 1]! - table.starts[url]!);
  }
  return longest;
}
