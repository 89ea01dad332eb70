import { FEW } from "./constants.js";
import type { Kernel } from "./kernel.js";
import type { Counts, TokenTable } from "./tokens.js";

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
export function sortUrls(kernel: Kernel, table: TokenTable, direction: Direction): Sorted {
  const { count, starts, tokens, longest } = table;
  const { heap, code } = kernel;
  const order = heap.words(count);
  const common = kernel.counts(count);
  const first = heap.words(count);
  const room = new SortRoom(kernel, count);
  kernel.set({ tokens });
  code.sortUrls(
    starts.byteOffset,
    count,
    stepOf(direction),
    first.byteOffset,
    order.byteOffset,
    common.byteOffset,
    longest,
    room.keys.byteOffset,
    room.pending.byteOffset,
  );
  heap.release(first);
  room.release();
  return { order, common };
}

/**
 * Puts the rows of a table in another order. What they were is copied to memory outside the heap: that ends at 4 GB, and the
 * tokens are most of what is on it.
 */
export function reorderTokens({ count, starts, tokens }: TokenTable, order: Uint32Array): void {
  const oldStarts = starts.slice();
  const oldTokens = tokens.slice();
  let next = 0;
  for (let row = 0; row < count; row++) {
    starts[row] = next;
    const end = oldStarts[order[row]! + 1]!;
    for (let i = oldStarts[order[row]!]!; i < end; i++) tokens[next++] = oldTokens[i]!;
  }
}

export function stepOf(direction: Direction): 1 | -1 {
  return direction === "forward" ? 1 : -1;
}

/** What sorting this many sequences needs; see assembly/sort.ts. */
export class SortRoom {
  readonly keys: Uint32Array;
  readonly pending: Uint32Array;
  readonly #kernel: Kernel;

  constructor(kernel: Kernel, count: number) {
    this.#kernel = kernel;
    this.keys = kernel.heap.words(2 * count);
    this.pending = kernel.heap.words(3 * (Math.ceil(count / FEW) + 1));
  }

  release(): void {
    this.#kernel.heap.release(this.keys);
    this.#kernel.heap.release(this.pending);
  }
}
