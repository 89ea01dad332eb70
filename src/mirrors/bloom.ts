import { hasBit, setBit } from "../tables/bits.js";
import { hashString } from "../tables/hashes.js";

/** A Bloom filter (Bloom 1970): says yes to everything that was added, and to little else. */
export class BloomFilter {
  readonly #bits: Uint32Array;
  readonly #length: number;

  /** 10 bits and 7 hashes for each expected entry: about 0.8% false positives. */
  constructor(expected: number) {
    this.#length = Math.max(64, expected * 10);
    this.#bits = new Uint32Array(Math.ceil(this.#length / 32));
  }

  add(text: string): void {
    for (const bit of this.#positions(text)) setBit(this.#bits, bit);
  }

  has(text: string): boolean {
    return this.#positions(text).every((bit) => hasBit(this.#bits, bit));
  }

  /** Seven positions from two hashes (Kirsch and Mitzenmacher 2006). */
  #positions(text: string): number[] {
    const first = hashString(text, 0x811c9dc5);
    const second = (hashString(text, 0x01000193) | 1) >>> 0;
    return Array.from({ length: 7 }, (_, number) => (first + number * second) % this.#length);
  }
}
