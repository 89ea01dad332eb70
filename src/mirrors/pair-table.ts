/** Counts by pair of hosts. */
import { grown } from "../tables/grown.js";
import { HashSlots } from "../tables/hash-slots.js";
import { hashWords } from "../tables/hashes.js";

/**
 * Counts by pair of host numbers a < b. Open addressing in typed arrays: raw pairs can be many more than a Map can hold
 * (16,777,216 entries), though few of them reach the threshold.
 */
export class PairTable {
  readonly #slots = HashSlots.ofSize(1 << 10);
  size = 0;
  /** Per pair, in order of appearance. */
  a = new Uint32Array(1 << 9);
  b = new Uint32Array(1 << 9);
  /** Pages of each side in clusters that have pages of the other; clusters in common. */
  pagesA = new Uint32Array(1 << 9);
  pagesB = new Uint32Array(1 << 9);
  clusters = new Uint32Array(1 << 9);

  /** Number of the pair, or -1. */
  find(a: number, b: number): number {
    return this.#slots.entry(this.#slotOf(a, b, hashWords(a, b)));
  }

  /** Adds the pages of one common cluster; takes the hosts in either order. */
  add(host: number, pages: number, other: number, otherPages: number): void {
    if (host > other) {
      this.add(other, otherPages, host, pages);
      return;
    }
    const hash = hashWords(host, other);
    const slot = this.#slotOf(host, other, hash);
    let pair = this.#slots.entry(slot);
    if (pair < 0) {
      pair = this.size++;
      this.#slots.set(slot, pair, hash);
      this.a[pair] = host;
      this.b[pair] = other;
    }
    this.pagesA[pair]! += pages;
    this.pagesB[pair]! += otherPages;
    this.clusters[pair]!++;
    if (this.size === this.a.length) this.#grow();
  }

  /** The pages of the side with fewer: the threshold applies to them. */
  smallerSide(pair: number): number {
    return Math.min(this.pagesA[pair]!, this.pagesB[pair]!);
  }

  /** Where the pair is, or would be. */
  #slotOf(a: number, b: number, hash: number): number {
    const slots = this.#slots;
    for (let slot = slots.first(hash); ; slot = slots.next(slot)) {
      const pair = slots.entry(slot);
      if (pair < 0 || (this.a[pair] === a && this.b[pair] === b)) return slot;
    }
  }

  #grow(): void {
    const length = 2 * this.a.length;
    this.a = grown(this.a, length);
    this.b = grown(this.b, length);
    this.pagesA = grown(this.pagesA, length);
    this.pagesB = grown(this.pagesB, length);
    this.clusters = grown(this.clusters, length);
    this.#slots.double();
  }
}
