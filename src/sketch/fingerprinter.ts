import { FEATURES } from "./constants.js";

/**
 * The part of sketching that takes most of the time. Plain JavaScript (plain.ts) and WebAssembly (kernel.ts) give the
 * same result to the last bit; rabin.ts uses other functions. All 64-bit numbers are unsigned, all text is UTF-8.
 */
export interface Fingerprinter {
  /** The features of a text: for each plan, and each of its functions, the pre-image with the smallest image. */
  features(text: Uint8Array, reading: WordReading, plans: readonly ShinglePlan[]): Features;
  /** The fingerprints of pieces of the text: piece i is text[bounds[2 * i] .. bounds[2 * i + 1]). */
  fingerprints(text: Uint8Array, bounds: Uint32Array): BigUint64Array;
}

export interface ShinglePlan {
  /** Words in a shingle. */
  readonly shingleWords: number;
  /**
   * A shingle starts at every word, the last ones continuing with the first word. Otherwise shingles end with the text.
   */
  readonly wrap: boolean;
  /** The number of features. */
  readonly functions: FunctionCount;
}

export type FunctionCount = 4 | 84;
/** "ascii": words are runs of [0-9A-Za-z], as in 2004. */
export type WordReading = "unicode" | "ascii";

export interface Features {
  /** How many words the text has. Where it has none, there are no values. */
  readonly words: number;
  /** One array per plan. */
  readonly values: readonly BigUint64Array[];
}

/**
 * The constants of the fingerprints and functions. The fingerprint of a word, or of any bytes, is: from h = their number,
 * for each 8 bytes as a little-endian number (the last padded with zeros) h = (h xor number) * TEXT_FACTOR and
 * h = h xor (h >> 32), at last mix(h). A shingle's is mix(w[0] K^(k-1) + ... + w[k-1]) of its words' fingerprints with
 * K = SHINGLE_FACTOR: each position weighs differently, and the sum rolls on from word to word. mix is the finalizer of
 * MurmurHash3, a one-to-one function.
 */
export const TEXT_FACTOR = 0x9e3779b97f4a7c15n;
export const SHINGLE_FACTOR = 0xd6e8feb86659fd93n;
export const mixFactors = [0xff51afd7ed558ccdn, 0xc4ceb9fe1a85ec53n] as const;

/**
 * The 84 fixed functions map the 64-bit pre-image (high, low) to the image (high + multiplier * low mod 2^32, low),
 * which is one-to-one whatever the multiplier. Any two of them are practically independent on the fingerprints above,
 * which are well mixed; bench/accuracy compares them with Rabin's polynomials. Only 32-bit products: WebAssembly does
 * four at once, and plain JavaScript does one without BigInt.
 */
export const multipliers: Uint32Array = Uint32Array.from({ length: FEATURES }, (_, index) => {
  // The 32-bit finalizer of MurmurHash3: any fixed numbers without a pattern will do.
  let x = index + 1;
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return x ^ (x >>> 16);
});
