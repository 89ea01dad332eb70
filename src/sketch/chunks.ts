import { fingerprinterOf } from "./families.js";

/**
 * Chunks of a page's text: two pages with fingerprints of chunks in common are similar (Cho et al. 2000, section 2.1):
 * the whole document, every four lines, every two lines (section 4), or sentences. Chunks do not overlap; the short
 * last one counts.
 */
export type Chunking = "document" | "four-lines" | "two-lines" | "sentences";

const encoder = new TextEncoder();

/** The 64-bit fingerprints of the chunks, in order, repeated ones too. The text is in lines as parseHtml makes them. */
export function chunkFingerprints(text: string, chunking: Chunking): BigUint64Array {
  const bytes = encoder.encode(text);
  return fingerprinterOf("affine").fingerprints(bytes, Uint32Array.from(chunkBounds(bytes, chunking)));
}

/** The paper's 32-bit fingerprints. Of a million distinct chunks, about 230 share theirs with another. */
export function chunkFingerprints32(text: string, chunking: Chunking): Uint32Array {
  return Uint32Array.from(chunkFingerprints(text, chunking), (value) => Number(value >> 32n));
}

/** Start and end of each chunk in UTF-8 text; line ends between chunks belong to neither. */
function chunkBounds(text: Uint8Array, chunking: Chunking): number[] {
  switch (chunking) {
    case "document":
      return text.length === 0 ? [] : [0, text.length];
    case "four-lines":
      return lineBounds(text, 4);
    case "two-lines":
      return lineBounds(text, 2);
    case "sentences":
      return sentenceBounds(text);
  }
}

const NEWLINE = 0x0a;

function lineBounds(text: Uint8Array, linesPerChunk: number): number[] {
  const bounds: number[] = [];
  let start = 0;
  while (start < text.length) {
    let end = start - 1;
    for (let line = 0; line < linesPerChunk && end < text.length; line++) {
      end = text.indexOf(NEWLINE, end + 1);
      if (end < 0) end = text.length;
    }
    bounds.push(start, end);
    start = end + 1;
  }
  return bounds;
}

/**
 * A sentence ends with its line, after . ! or ? (and the quotes and brackets that close after it) before a space, and
 * after the full stops of Chinese and Japanese. "Mr. Smith" makes two: it only matters that every copy is cut alike.
 */
function sentenceBounds(text: Uint8Array): number[] {
  const bounds: number[] = [];
  let start = 0;
  const endSentence = (end: number, next: number) => {
    if (end > start) bounds.push(start, end);
    start = next;
  };
  for (let at = 0; at < text.length; at++) {
    const byte = text[at]!;
    if (byte === NEWLINE) {
      endSentence(at, at + 1);
    } else if (byte === 0x2e || byte === 0x21 || byte === 0x3f) {
      let end = at + 1;
      while (isClosing(text[end])) end++;
      if (text[end] === 0x20) endSentence(end, end + 1);
    } else if (byte >= 0xe3 && isFullStop(text, at)) {
      endSentence(at + 3, at + 3);
    }
  }
  endSentence(text.length, text.length);
  return bounds;
}

/** " ' ) ] */
function isClosing(byte: number | undefined): boolean {
  return byte === 0x22 || byte === 0x27 || byte === 0x29 || byte === 0x5d;
}

/** U+3002, U+FF01 or U+FF1F. */
function isFullStop(text: Uint8Array, at: number): boolean {
  const [first, second, third] = [text[at], text[at + 1], text[at + 2]];
  if (first === 0xe3) return second === 0x80 && third === 0x82;
  return first === 0xef && second === 0xbc && (third === 0x81 || third === 0x9f);
}
