import type { Kernel } from "./kernel.js";
import { type Direction, SortRoom, stepOf } from "./order.js";
import type { Counts } from "./tokens.js";

/** The instances of one core and the room to work on them, on the heap; grows to the largest group. */
export class Group {
  /** By instance, in the order of left contexts: rows, tokens before and after the core, flags. */
  readonly alphaRow: Uint32Array;
  readonly betaRow: Uint32Array;
  readonly before: Uint32Array;
  readonly after: Uint32Array;
  readonly flags: Uint8Array;
  /** Common left context with the instance before. */
  readonly left: Counts;
  /** What sorting needs. */
  readonly byLeft: Uint32Array;
  readonly places: Uint32Array;
  readonly room: SortRoom;
  /** Instances in the order of right contexts, and their common ones: split from one pair of arrays into the other. */
  readonly sequence0: Uint32Array;
  readonly right0: Counts;
  readonly #kernel: Kernel;
  readonly #arrays: readonly (Uint8Array | Counts)[];

  /** Room for this many instances. */
  constructor(
    kernel: Kernel,
    readonly size: number,
  ) {
    const { heap } = kernel;
    this.#kernel = kernel;
    this.alphaRow = heap.words(size);
    this.betaRow = heap.words(size);
    this.before = heap.words(size);
    this.after = heap.words(size);
    this.flags = heap.bytes(size);
    this.left = kernel.counts(size);
    this.byLeft = heap.words(size);
    this.places = heap.words(size);
    this.room = new SortRoom(kernel, size);
    this.sequence0 = heap.words(size);
    this.right0 = kernel.counts(size);
    const { alphaRow, betaRow, before, after, flags, left, byLeft, places, sequence0, right0 } = this;
    const other = { sequence1: heap.words(size), right1: kernel.counts(size) };
    // Those of a sequence whose bucket can be small, their common right contexts, and up to which it is small.
    const [live, liveRight, lowLimit, highLimit] = [0, 1, 2, 3].map(() => heap.words(size)) as [
      Uint32Array,
      Uint32Array,
      Uint32Array,
      Uint32Array,
    ];
    const walked = { alphaRow, betaRow, before, after, flags, left, sequence0, right0, ...other };
    const limits = { live, liveRight, lowLimit, highLimit };
    kernel.set({ ...walked, ...limits });
    this.#arrays = [...Object.values(walked), ...Object.values(limits), byLeft, places];
  }

  /** Sorts instances by the contexts that begin at their places and have at most `limit` tokens. */
  sort(direction: Direction, items: Uint32Array, common: Counts, count: number, limit: number): void {
    this.#kernel.code.sortSequences(
      this.places.byteOffset,
      stepOf(direction),
      items.byteOffset,
      common.byteOffset,
      count,
      limit,
      this.room.keys.byteOffset,
      this.room.pending.byteOffset,
    );
  }

  release(): void {
    for (const array of this.#arrays) this.#kernel.heap.release(array);
    this.room.release();
  }
}

/** The right contexts of a core as intervals of its instances in the order of right contexts. */
export class ContextTree {
  /** The interval that `find` found. */
  from = 0;
  to = 0;
  /** Position of each instance; innermost node around each position (0: none). */
  #positionOf = new Uint32Array(0);
  #nodeAt = new Uint32Array(0);
  /** By node, from 1: interval, common context, node around it. */
  #from = new Uint32Array(0);
  #to = new Uint32Array(0);
  #common = new Uint32Array(0);
  #parent = new Uint32Array(0);
  readonly #open: Uint32Array;

  constructor(maxTokens: number) {
    this.#open = new Uint32Array(maxTokens + 2);
  }

  build(sequence: Uint32Array, common: Counts, count: number): void {
    if (count + 1 > this.#nodeAt.length) {
      const length = Math.max(256, 2 * count);
      this.#positionOf = new Uint32Array(length);
      this.#nodeAt = new Uint32Array(length);
      this.#from = new Uint32Array(length);
      this.#to = new Uint32Array(length);
      this.#common = new Uint32Array(length);
      this.#parent = new Uint32Array(length);
    }
    const open = this.#open;
    let depth = 0;
    let nodes = 1;
    this.#nodeAt.fill(0, 0, count);
    for (let i = 0; i < count; i++) this.#positionOf[sequence[i]!] = i;
    for (let i = 1; i <= count; i++) {
      const value = i < count ? common[i]! : -1;
      let first = i - 1;
      let closed = 0;
      while (depth > 0 && this.#common[open[depth - 1]!]! > value) {
        const node = open[--depth]!;
        this.#parent[node] = depth > 0 ? open[depth - 1]! : 0;
        if (closed !== 0) this.#parent[closed] = node;
        this.#to[node] = i;
        first = this.#from[node]!;
        closed = node;
      }
      if (value < 0) {
        if (closed !== 0) this.#parent[closed] = 0;
        break;
      }
      if (depth === 0 || this.#common[open[depth - 1]!]! < value) {
        // Innermost around the position before, unless that is in a closed one.
        if (closed === 0) this.#nodeAt[i - 1] = nodes;
        this.#from[nodes] = first;
        this.#common[nodes] = value;
        open[depth++] = nodes++;
      }
      const node = open[depth - 1]!;
      if (closed !== 0) this.#parent[closed] = node;
      this.#nodeAt[i] = node;
    }
  }

  /** The interval of the instances that have the first b tokens of an instance's right context. */
  find(instance: number, b: number): void {
    const position = this.#positionOf[instance]!;
    let node = this.#nodeAt[position]!;
    if (node === 0 || this.#common[node]! < b) {
      this.from = position;
      this.to = position + 1;
      return;
    }
    for (let parent = this.#parent[node]!; parent !== 0 && this.#common[parent]! >= b; parent = this.#parent[node]!) {
      node = parent;
    }
    this.from = this.#from[node]!;
    this.to = this.#to[node]!;
  }
}
