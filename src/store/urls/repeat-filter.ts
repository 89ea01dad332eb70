/**
 * Tells which hashes of a long stream may occur more than once: every one that does, and a few per cent of the others,
 * with 16 to 32 bits for each hash.
 */
import { hasBit, setBit } from "../../tables/bits.js";
import { grown } from "../../tables/grown.js";

export class RepeatFilter {
  readonly #seen: Uint32Array;
  readonly #shift: number;
  /** Two words a hash, as they came. */
  #suspects = new Uint32Array(1 << 10);
  #words = 0;

  constructor(hashes: number) {
    // One bit of 32 would be reached with 2^28 hashes; with more of them more are suspected wrongly, and none missed.
    const bits = Math.min(32, Math.max(5, Math.ceil(Math.log2(16 * Math.max(1, hashes)))));
    this.#seen = new Uint32Array(2 ** (bits - 5));
    this.#shift = 32 - bits;
  }

  add(hashes: BigUint64Array): void {
    const seen = this.#seen;
    const shift = this.#shift;
    const words = new Uint32Array(hashes.buffer, hashes.byteOffset, 2 * hashes.length);
    for (let at = 0; at < words.length; at += 2) {
      const place = words[at]! >>> shift;
      if (hasBit(seen, place)) this.#suspect(words[at]!, words[at + 1]!);
      else setBit(seen, place);
    }
  }

  /** Some of them several times. */
  suspects(): BigUint64Array {
    return new BigUint64Array(this.#suspects.buffer, 0, this.#words / 2);
  }

  #suspect(low: number, high: number): void {
    if (this.#words === this.#suspects.length) this.#suspects = grown(this.#suspects, 2 * this.#words);
    this.#suspects[this.#words++] = low;
    this.#suspects[this.#words++] = high;
  }
}
