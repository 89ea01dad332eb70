/** The words of a text and their fingerprints, as ../words.ts and ../plain.ts find them. */
import { CLASS_PAGE_BYTES, CLASS_PAGES, WORD_CHARACTER, WORD_OF_ITS_OWN } from "../constants";
import { Fingerprint } from "./hash";

/** CharacterClasses: the page of each 256 code points, and the pages. */
export const pageOf: usize = memory.data(0x1100);
export const pages: usize = memory.data(CLASS_PAGES * CLASS_PAGE_BYTES);

/** Stores the fingerprints of pieces of the text: piece i is text[bounds[2 * i] .. bounds[2 * i + 1]). */
export function fingerprints(text: usize, bounds: usize, count: i32, out: usize): void {
  for (; count > 0; count--) {
    store<u64>(out, Fingerprint.of(text + load<u32>(bounds), text + load<u32>(bounds, 4)));
    bounds += 8;
    out += 8;
  }
}

/**
 * Stores the fingerprints of the words in the text from `at` to `end`; returns where they end. Zeros must follow the
 * text.
 */
export function words(at: usize, end: usize, out: usize, isAscii: bool): usize {
  let start = at;
  // The zero after the text ends its last word.
  while (at <= end) {
    const run = alphanumericsAt(at);
    at += run;
    // The run may go on.
    if (run === 16) continue;
    let wordEnd = at;
    let next = at + 1;
    const byte: u32 = load<u8>(at);
    if (byte > 0xbf && !isAscii) {
      next = at + sequenceBytes(byte);
      const kind = classOf(codePointAt(at, byte));
      if (kind === WORD_CHARACTER && next <= end) {
        at = next;
        continue;
      }
      // A word before a character that is one by itself ends first; then the character is read again.
      if (kind === WORD_OF_ITS_OWN && start !== at) next = at;
      else if (kind !== 0) wordEnd = next;
    }
    if (start !== wordEnd) {
      store<u64>(out, Fingerprint.of(start, wordEnd));
      out += 8;
    }
    start = next;
    at = next;
  }
  return out;
}

/** How many of the next 16 bytes are ASCII letters and digits before the first that is neither. */
function alphanumericsAt(at: usize): i32 {
  const bytes = v128.load(at);
  const letters = inRange(v128.or(bytes, i8x16.splat(0x20)), 0x61, 26);
  const digits = inRange(bytes, 0x30, 10);
  return ctz(~i8x16.bitmask(v128.or(letters, digits)));
}

function inRange(bytes: v128, first: i8, count: i8): v128 {
  return i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(first)), i8x16.splat(count));
}

/** By the first byte of a UTF-8 sequence. */
function sequenceBytes(byte: u32): i32 {
  return byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

function codePointAt(at: usize, byte: u32): u32 {
  if (byte < 0xe0) return ((byte & 0x1f) << 6) | tail(at, 1);
  if (byte < 0xf0) return ((byte & 0x0f) << 12) | (tail(at, 1) << 6) | tail(at, 2);
  return min(0x10ffff, ((byte & 0x07) << 18) | (tail(at, 1) << 12) | (tail(at, 2) << 6) | tail(at, 3));
}

function tail(at: usize, index: usize): u32 {
  return (load<u8>(at + index) as u32) & 0x3f;
}

/** classOf of ../alphanumerics.ts. */
function classOf(codePoint: u32): i32 {
  const page = pages + (load<u8>(pageOf + (codePoint >> 8)) as usize) * CLASS_PAGE_BYTES;
  const four: u32 = load<u8>(page + ((codePoint & 0xff) >> 2));
  return (four >> ((codePoint & 3) << 1)) & 3;
}
