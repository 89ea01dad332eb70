import { isAlphanumeric } from "../../url/tokenize.js";
import { END } from "./constants.js";

/**
 * URLs as sequences of token ids, each with START first and END last. Equal ids mean equal tokens, exactly; the order of
 * ids means nothing. All arrays are on the heap.
 */
export interface TokenTable {
  readonly count: number;
  /** Tokens of URL i: tokens[starts[i]] .. tokens[starts[i + 1] - 1]. */
  readonly starts: Uint32Array;
  readonly tokens: Uint32Array;
  /** The distinct tokens: token t is text[textStarts[t] .. textStarts[t + 1]); the anchors' are empty. */
  readonly textStarts: Uint32Array;
  readonly text: Uint8Array;
  /** Tokens of the longest URL, anchors included. */
  readonly longest: number;
}

/** Token counts (positions, lengths) of a table whose longest URL has `longest` tokens, as narrow as they fit. */
export type Counts = Uint8Array | Uint16Array | Uint32Array;
/** The largest value of each kind stays free: it means "none". */
export function countBytes(longest: number): 1 | 2 | 4 {
  return longest < 0xff ? 1 : longest < 0xffff ? 2 : 4;
}

const isWord = Uint8Array.from({ length: 256 }, (_, byte) => (isAlphanumeric(byte) ? 1 : 0));

/** Is this byte part of a run of letters and digits? */
export function isWordByte(byte: number): boolean {
  return isWord[byte] === 1;
}

/** The order of two different tokens: anchors first, then by bytes, which is the order of code points; a prefix first. */
export function compareTokens(table: TokenTable, a: number, b: number): number {
  if (a <= END || b <= END) return a - b;
  const { text, textStarts } = table;
  const endA = textStarts[a + 1]!;
  const endB = textStarts[b + 1]!;
  let i = textStarts[a]!;
  let j = textStarts[b]!;
  for (; i < endA && j < endB; i++, j++) {
    const difference = text[i]! - text[j]!;
    if (difference !== 0) return difference;
  }
  return endA - i - (endB - j);
}
