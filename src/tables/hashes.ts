/**
 * Hash functions. Those of words and bytes find equal ones, and no result depends on their values: they may change. They are
 * signed, 32 bits, since V8 keeps numbers of 2^31 and more as objects. That of strings may not change. What is kept has
 * functions of its own: ids of rules (canon/rule-id.ts) and fingerprints of texts (sketch/).
 */
import { WordView } from "./word-view.js";

/** Of two words: all bits of the result depend on all bits of both. */
export function hashWords(low: number, high: number): number {
  let hash = Math.imul(low ^ Math.imul(high, 0x9e3779b1), 0xc2b2ae3d);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x27d4eb2f);
  return hash ^ (hash >>> 13);
}

/** Of a run of words, in 64 bits: `low` and `high`. */
export class RunHash {
  low = 0;
  high = 0;

  begin(seed: number): void {
    this.low = seed;
    this.high = 0x2545f491;
  }

  add(word: number): void {
    this.low = hashWords(word, this.low);
    this.high = hashWords(word ^ 0x5bd1e995, this.high);
  }
}

/** Of bytes. It remembers the buffer's view: many strings of one buffer follow each other. */
export class ByteHash {
  readonly #view = new WordView();

  of(bytes: Uint8Array, start: number, end: number): number {
    return hashView(this.#view.of(bytes), start, end);
  }
}

/** The same of a view. Two lanes, since a processor multiplies for both at once. */
export function hashView(view: DataView, start: number, end: number): number {
  let hash = Math.imul(end - start, 0x27d4eb2f);
  let other = 0;
  let at = start;
  for (const last = end - 7; at < last; at += 8) {
    hash = Math.imul(hash ^ view.getInt32(at, true), 0x9e3779b1);
    hash ^= hash >>> 15;
    other = Math.imul(other ^ view.getInt32(at + 4, true), 0x85ebca6b);
    other ^= other >>> 13;
  }
  if (at + 4 <= end) {
    other = Math.imul(other ^ view.getInt32(at, true), 0x85ebca6b);
    other ^= other >>> 13;
    at += 4;
  }
  for (; at < end; at++) hash = Math.imul(hash ^ view.getUint8(at), 0x9e3779b1);
  return hashWords(hash, other);
}

/** Of UTF-16 units, 32 bits, unsigned: FNV-1a with a final mix, since FNV alone leaves the high bits of short strings alike. */
export function hashString(text: string, seed: number): number {
  let hash = seed;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
