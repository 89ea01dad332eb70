import { encodeText } from "./encode-text.js";
import { fingerprinterOf } from "./families.js";
import type { ShinglePlan } from "./fingerprinter.js";

/**
 * The sketch of DustBuster's validation (thesis 6.3): of the word n-grams of length 10, the ones with the smallest of 4
 * min-wise hashes. Four values to compare by position.
 */
const NGRAM_WORDS = 10;
export const SHINGLE_COUNT = 4;

/** What the four shingles are made of. */
export const ngramPlan: ShinglePlan = { shingleWords: NGRAM_WORDS, wrap: false, functions: SHINGLE_COUNT };

const encoder = new TextEncoder();

/**
 * The four shingles of a text, case kept. A text with fewer than 10 words is one n-gram: it is similar only to its
 * exact copies. Undefined where there is no word at all; then the document can only be compared by its digest.
 */
export function textShingles(text: string): BigUint64Array | undefined {
  return fingerprinterOf("affine").features(encodeText(text), "unicode", [ngramPlan]).values[0];
}

/** Replaces the shingles for anything binary: one value from the digest, four times. */
export function digestShingles(digest: string): BigUint64Array {
  const bytes = encoder.encode(digest);
  const [value] = fingerprinterOf("affine").fingerprints(bytes, Uint32Array.of(0, bytes.length));
  return new BigUint64Array(SHINGLE_COUNT).fill(value!);
}

/** How many of four shingles agree. */
export function commonShingles(a: BigUint64Array, b: BigUint64Array): number {
  let common = 0;
  for (let i = 0; i < SHINGLE_COUNT; i++) if (a[i] === b[i]) common++;
  return common;
}
