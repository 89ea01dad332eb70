import type { Heap } from "../../wasm/heap.js";
import { CHUNK_WORDS } from "./constants.js";

/**
 * The instance table IT of figure 1, folded. A pair of URLs u, v that share one envelope share many: u = x A y and
 * v = x B y with the longest x and then the longest y give the core (A, B), and every shared envelope gives the core with
 * some tokens of context on both sides. One row here stands for all of them. Where B is empty the core may also sit
 * further left (a.a.a against a.a): each such place is a row of its own, extended to the left only, because the same
 * substrings extended to the right are those of the rightmost place.
 *
 * Words of a row: URL of A, URL of B, c * FLAGS + flags, e, hash of the core; c and e are the tokens of x and y.
 */
/**
 * Rows, distributed over partitions by the leading bits of the hash so that equal cores meet in one. A partition is chunks of
 * whole rows, on shared memory outside the kernel's: only TypeScript reads them, and there may be more than 4 GB.
 */
export type InstancePartition = readonly Uint32Array[];

/** Partitions for a list: enough that one fits the processor's cache, a power of two. */
export function partitionBits(urls: number): number {
  return Math.min(9, Math.max(2, Math.ceil(Math.log2(urls / 8192 + 1))));
}

/** Collects the rows that the kernel writes, a chunk a partition at a time. */
export class InstanceSink {
  readonly partitions: readonly Uint32Array[][];
  /** By partition: the address of the chunk that the kernel writes to, and the words that are used of it. */
  readonly table: Uint32Array;
  /** Of a hash, to the right: leaves the partition. */
  readonly shift: number;
  readonly #heap: Heap;
  readonly #written: (Uint32Array | undefined)[];

  constructor(bits: number, heap: Heap) {
    this.#heap = heap;
    this.shift = 32 - bits;
    this.partitions = Array.from({ length: 1 << bits }, () => []);
    this.#written = this.partitions.map(() => undefined);
    // A partition without a chunk looks like one whose chunk is full.
    this.table = heap.words(2 << bits).fill(CHUNK_WORDS);
  }

  /** Gives a partition an empty chunk. */
  addChunk(partition: number): undefined {
    this.#keep(partition);
    const chunk = this.#written[partition] ?? this.#heap.words(CHUNK_WORDS);
    this.#written[partition] = chunk;
    this.table[2 * partition] = chunk.byteOffset;
    this.table[2 * partition + 1] = 0;
  }

  finish(): void {
    for (const [partition, chunk] of this.#written.entries()) {
      this.#keep(partition);
      if (chunk !== undefined) this.#heap.release(chunk);
    }
    this.#heap.release(this.table);
  }

  #keep(partition: number): void {
    const rows = this.#written[partition]?.subarray(0, this.table[2 * partition + 1]!);
    if (rows === undefined) return;
    const kept = new Uint32Array(new SharedArrayBuffer(rows.byteLength));
    kept.set(rows);
    this.partitions[partition]!.push(kept);
  }
}
