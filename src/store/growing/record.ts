/** What is kept of each document of a growing crawl, in words of 32 bits: values of two words each, the low one first, then a root. */
import { SUPERSHINGLES } from "../../sketch/sketch.js";

/** The supershingles, and the hash of the URL. */
export const VALUE_COLUMNS = SUPERSHINGLES + 1;
export const HASH_WORD = 2 * SUPERSHINGLES;
export const ROOT_WORD = 2 * VALUE_COLUMNS;
/** One more word is free. */
export const RECORD_WORDS = 16;

/** One supershingle of each record, two words each. */
export function copyColumn(records: Uint32Array, documents: number, column: number, words: Uint32Array): void {
  for (let row = 0; row < documents; row++) {
    words[2 * row] = records[row * RECORD_WORDS + 2 * column]!;
    words[2 * row + 1] = records[row * RECORD_WORDS + 2 * column + 1]!;
  }
}
