/**
 * Counts by pair of host numbers a < b. Open addressing in typed arrays: raw pairs can be many more than a Map takes
 * (16,777,216 entries), though few of them reach the threshold.
 */
export class PairTable {
  #slots = new Int32Array(1 << 10).fill(-1);
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
    return this.#slots[this.#slotOf(a, b)]!;
  }

  /** Adds the pages of one common cluster; takes the hosts in either order. */
  add(host: number, pages: number, other: number, otherPages: number): void {
    if (host > other) {
      this.add(other, otherPages, host, pages);
      return;
    }
    const slot = this.#slotOf(host, other);
    let pair = this.#slots[slot]!;
    if (pair < 0) {
      pair = this.size++;
      this.#slots[slot] = pair;
      this.a[pair] = host;
      this.b[pair] = other;
    }
    this.pagesA[pair]! += pages;
    this.pagesB[pair]! += otherPages;
    this.clusters[pair]!++;
    if (this.size === this.a.length) this.#grow();
  }

  /** The side with fewer pages: what the threshold is on. */
  smallerSide(pair: number): number {
    return Math.min(this.pagesA[pair]!, this.pagesB[pair]!);
  }

  #slotOf(a: number, b: number): number {
    const mask = this.#slots.length - 1;
    let hash = Math.imul(a ^ Math.imul(b, 0x9e3779b1), 0x85ebca77);
    hash ^= hash >>> 15;
    let slot = hash & mask;
    for (;;) {
      const pair = this.#slots[slot]!;
      if (pair < 0 || (this.a[pair] === a && this.b[pair] === b)) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #grow(): void {
    const larger = (column: Uint32Array) => {
      const grown = new Uint32Array(column.length * 2);
      grown.set(column);
      return grown;
    };
    this.a = larger(this.a);
    this.b = larger(this.b);
    this.pagesA = larger(this.pagesA);
    this.pagesB = larger(this.pagesB);
    this.clusters = larger(this.clusters);
    this.#slots = new Int32Array(this.#slots.length * 2).fill(-1);
    for (let pair = 0; pair < this.size; pair++) this.#slots[this.#slotOf(this.a[pair]!, this.b[pair]!)] = pair;
  }
}
