/**
 * Hash functions. Those of words and bytes find slots in tables, and no result depends on their values: they may change. That of
 * strings may not. Ids of rules (canon/rule-id.ts) and fingerprints of texts (sketch/) are kept, and have functions of their own.
 */
import { WordView } from "./word-view.js";

/** Of two words, 32 bits, unsigned: all bits of the result depend on all bits of both. */
export function hashWords(low: number, high: number): number {
  let hash = Math.imul(low ^ Math.imul(high, 0x9e3779b1), 0xc2b2ae3d);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x27d4eb2f);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** Of bytes, 32 bits, unsigned. It remembers the buffer's view: many strings of one buffer follow each other. */
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
