import type { Kernel } from "./kernel.js";
import { SortRoom } from "./order.js";
import type { Counts } from "./tokens.js";

/** The instances of one core and the room to work on them; grows to the largest group. What the kernel reads is on its heap. */
export class Group {
  readonly #kernel: Kernel;
  /** By instance, in the order of left contexts: rows, tokens before and after the core, flags. */
  alphaRow = new Uint32Array(0);
  betaRow = new Uint32Array(0);
  before = new Uint32Array(0);
  after = new Uint32Array(0);
  flags = new Uint8Array(0);
  /** Common left context with the instance before. */
  left: Counts = new Uint8Array(0);
  order: Uint32Array = new Uint32Array(0);
  places: Uint32Array = new Uint32Array(0);
  room: SortRoom;
  /** Instances in the order of right contexts, and their common ones: split from one pair of arrays into the other. */
  sequence0: Uint32Array = new Uint32Array(0);
  common0: Counts = new Uint8Array(0);
  sequence1: Uint32Array = new Uint32Array(0);
  common1: Counts = new Uint8Array(0);
  /** Those of a sequence whose bucket can be small, and up to which right context it is. */
  live = new Uint32Array(0);
  liveCommon = new Uint32Array(0);
  lowLimit = new Int32Array(0);
  highLimit = new Int32Array(0);
  /** Right contexts that are open while a sequence is read. */
  readonly openFirst: Uint32Array;
  readonly openCommon: Uint32Array;

  constructor(kernel: Kernel, maxTokens: number) {
    this.#kernel = kernel;
    this.room = new SortRoom(kernel, 0);
    this.openFirst = new Uint32Array(maxTokens + 2);
    this.openCommon = new Uint32Array(maxTokens + 2);
  }

  reserve(count: number): void {
    if (count <= this.alphaRow.length) return;
    const length = Math.max(256, 2 * count);
    this.alphaRow = new Uint32Array(length);
    this.betaRow = new Uint32Array(length);
    this.before = new Uint32Array(length);
    this.after = new Uint32Array(length);
    this.flags = new Uint8Array(length);
    const { heap } = this.#kernel;
    this.release();
    this.left = this.#kernel.counts(length);
    this.order = heap.words(length);
    this.places = heap.words(length);
    this.sequence0 = heap.words(length);
    this.common0 = this.#kernel.counts(length);
    this.sequence1 = heap.words(length);
    this.common1 = this.#kernel.counts(length);
    this.room = new SortRoom(this.#kernel, length);
    this.live = new Uint32Array(length);
    this.liveCommon = new Uint32Array(length);
    this.lowLimit = new Int32Array(length);
    this.highLimit = new Int32Array(length);
  }

  release(): void {
    const { left, order, places, sequence0, common0, sequence1, common1 } = this;
    for (const array of [left, order, places, sequence0, common0, sequence1, common1]) this.#kernel.heap.release(array);
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
