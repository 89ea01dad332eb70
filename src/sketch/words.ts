import { type CharacterClasses, classOf } from "./alphanumerics.js";
import { WORD_CHARACTER, WORD_OF_ITS_OWN } from "./constants.js";
import type { WordReading } from "./fingerprinter.js";

/** Finds the words of a UTF-8 text, in order: bytes start to end. */
export function splitWords(
  text: Uint8Array,
  classes: CharacterClasses,
  reading: WordReading,
  found: (start: number, end: number) => void,
): void {
  let start = 0;
  let at = 0;
  while (at < text.length) {
    const size = reading === "ascii" ? 1 : sequenceBytes(text[at]!);
    const kind = size === 1 ? asciiClass(text[at]!) : classOf(classes, codePointAt(text, at, size));
    if (kind !== WORD_CHARACTER) {
      if (at > start) found(start, at);
      start = kind === WORD_OF_ITS_OWN ? at : at + size;
    }
    at += size;
    if (kind === WORD_OF_ITS_OWN) {
      found(start, at);
      start = at;
    }
  }
  if (at > start) found(start, at);
}

/** ASCII letters and digits; a stray byte of another character parts words. */
function asciiClass(byte: number): number {
  const lower = byte | 0x20;
  const alphanumeric = (byte >= 0x30 && byte <= 0x39) || (lower >= 0x61 && lower <= 0x7a);
  return alphanumeric ? WORD_CHARACTER : 0;
}

function sequenceBytes(first: number): number {
  return first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/** Bytes past the end count as 0, and a code point past the last counts as the last page's: any bytes give a result. */
function codePointAt(text: Uint8Array, at: number, size: number): number {
  const byte = (offset: number) => (text[at + offset] ?? 0) & 0x3f;
  if (size === 2) return ((text[at]! & 0x1f) << 6) | byte(1);
  if (size === 3) return ((text[at]! & 0x0f) << 12) | (byte(1) << 6) | byte(2);
  return Math.min(((text[at]! & 0x07) << 18) | (byte(1) << 12) | (byte(2) << 6) | byte(3), 0x10ffff);
}
