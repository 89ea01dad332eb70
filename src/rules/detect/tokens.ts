import type { StringColumn } from "../../model.js";
import { isAlphanumeric } from "../../url/tokenize.js";

/** The anchors are tokens of their own kind: a literal ^ or $ of a URL has another id. */
export const START = 0;
export const END = 1;

/**
 * URLs as sequences of token ids, each with START first and END last. Equal ids mean equal tokens, exactly; the order of
 * ids means nothing. All arrays are on shared memory.
 */
export interface TokenTable {
  readonly count: number;
  /** Tokens of URL i: tokens[starts[i]] .. tokens[starts[i + 1] - 1]. */
  readonly starts: Uint32Array;
  readonly tokens: Uint32Array;
  /** The distinct tokens: token t is text[textStarts[t] .. textStarts[t + 1]); the anchors' are empty. */
  readonly textStarts: Uint32Array;
  readonly text: Uint8Array;
}

export function sharedUint32(length: number): Uint32Array {
  return new Uint32Array(new SharedArrayBuffer(4 * length));
}

/** Token counts (positions, lengths) of a table whose longest URL has `largest` tokens, as narrow as they fit. */
export type Counts = Uint8Array | Uint16Array | Uint32Array;
export function sharedCounts(length: number, largest: number): Counts {
  // The largest value of each kind stays free: it means "none".
  if (largest < 0xff) return new Uint8Array(new SharedArrayBuffer(length));
  if (largest < 0xffff) return new Uint16Array(new SharedArrayBuffer(2 * length));
  return sharedUint32(length);
}

const isWord = Uint8Array.from({ length: 256 }, (_, byte) => (isAlphanumeric(byte) ? 1 : 0));

/** Is this byte part of a run of letters and digits? */
export function isWordByte(byte: number): boolean {
  return isWord[byte] === 1;
}

export function tokenizeColumn(urls: StringColumn): TokenTable {
  const { bytes, offsets, count } = urls;
  const starts = sharedUint32(count + 1);
  let total = 0;
  for (let url = 0; url < count; url++) {
    starts[url] = total;
    total += 2;
    const end = offsets[url + 1]!;
    for (let i = offsets[url]!; i < end; total++) {
      if (isWord[bytes[i]!] === 1) {
        do i++;
        while (i < end && isWord[bytes[i]!] === 1);
      } else i += bytes[i]! < 0x80 ? 1 : codePointBytes(bytes, i, end);
    }
  }
  starts[count] = total;

  const tokens = sharedUint32(total);
  const dictionary = new Dictionary(bytes);
  let next = 0;
  for (let url = 0; url < count; url++) {
    tokens[next++] = START;
    const end = offsets[url + 1]!;
    for (let i = offsets[url]!; i < end; ) {
      const first = bytes[i]!;
      const from = i++;
      let hash = first;
      if (isWord[first] === 1) {
        for (; i < end && isWord[bytes[i]!] === 1; i++) hash = Math.imul(hash, 0x01000193) ^ bytes[i]!;
      } else if (first < 0x80) {
        tokens[next++] = dictionary.single(from);
        continue;
      } else {
        const last = from + codePointBytes(bytes, from, end);
        for (; i < last; i++) hash = Math.imul(hash, 0x01000193) ^ bytes[i]!;
      }
      tokens[next++] = dictionary.lookup(from, i, hash);
    }
    tokens[next++] = END;
  }
  return { count, starts, tokens, ...dictionary.finish() };
}

/** The rows of a table in another order. */
export function reorderTokens(table: TokenTable, order: Uint32Array): TokenTable {
  const starts = sharedUint32(table.count + 1);
  const tokens = sharedUint32(table.tokens.length);
  let next = 0;
  for (let row = 0; row < table.count; row++) {
    starts[row] = next;
    const url = order[row]!;
    const end = table.starts[url + 1]!;
    for (let i = table.starts[url]!; i < end; i++) tokens[next++] = table.tokens[i]!;
  }
  starts[table.count] = next;
  return { ...table, starts, tokens };
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

/** Bytes of the code point at `i`, or 1 where the bytes are not UTF-8: such a byte is a token by itself. */
function codePointBytes(bytes: Uint8Array, i: number, end: number): number {
  const first = bytes[i]!;
  const length = first < 0xc2 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 1;
  if (length === 1 || i + length > end) return 1;
  const second = bytes[i + 1]!;
  const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  if (second < low || second > high) return 1;
  for (let k = 2; k < length; k++) if ((bytes[i + k]! & 0xc0) !== 0x80) return 1;
  return length;
}

/** Interns byte strings: open addressing, a hash only leads to candidates, bytes decide. */
class Dictionary {
  #singles = new Int32Array(128);
  #slots = new Uint32Array(1 << 12);
  #hashes = new Uint32Array(1 << 11);
  #ends = new Uint32Array(1 << 11);
  #text = new Uint8Array(1 << 14);
  #count = 2; // the anchors, without text

  constructor(readonly bytes: Uint8Array) {}

  /** The id of the one-byte token at `from`. */
  single(from: number): number {
    const byte = this.bytes[from]!;
    if (this.#singles[byte] === 0) this.#singles[byte] = this.#add(from, from + 1, 0);
    return this.#singles[byte]!;
  }

  lookup(from: number, to: number, plainHash: number): number {
    const { bytes } = this;
    const hash = Math.imul(plainHash ^ (plainHash >>> 15), 0x2c1b3c6d) >>> 0;
    const mask = this.#slots.length - 1;
    for (let slot = (hash ^ (hash >>> 13)) & mask; ; slot = (slot + 1) & mask) {
      const id = this.#slots[slot]!;
      if (id === 0) {
        const added = this.#add(from, to, hash);
        this.#slots[slot] = added;
        if (2 * added > this.#slots.length) this.#grow();
        return added;
      }
      if (this.#hashes[id] !== hash) continue;
      const begin = this.#ends[id - 1]!;
      if (this.#ends[id]! - begin !== to - from) continue;
      let i = from;
      while (i < to && bytes[i] === this.#text[begin + i - from]) i++;
      if (i === to) return id;
    }
  }

  finish(): { textStarts: Uint32Array; text: Uint8Array } {
    const textStarts = sharedUint32(this.#count + 1);
    textStarts.set(this.#ends.subarray(0, this.#count), 1);
    const text = new Uint8Array(new SharedArrayBuffer(textStarts[this.#count]!));
    text.set(this.#text.subarray(0, text.length));
    return { textStarts, text };
  }

  #add(from: number, to: number, hash: number): number {
    const id = this.#count++;
    if (id >= this.#ends.length) {
      this.#ends = grown(this.#ends, 2 * id);
      this.#hashes = grown(this.#hashes, 2 * id);
    }
    const begin = this.#ends[id - 1]!;
    const end = begin + to - from;
    if (end > this.#text.length) {
      const text = new Uint8Array(Math.max(2 * this.#text.length, end));
      text.set(this.#text);
      this.#text = text;
    }
    for (let i = from; i < to; i++) this.#text[begin + i - from] = this.bytes[i]!;
    this.#ends[id] = end;
    this.#hashes[id] = hash;
    return id;
  }

  #grow(): void {
    const slots = new Uint32Array(4 * this.#slots.length);
    const mask = slots.length - 1;
    const old = this.#slots;
    for (let k = 0; k < old.length; k++) {
      const id = old[k]!;
      if (id === 0) continue;
      const hash = this.#hashes[id]!;
      let slot = (hash ^ (hash >>> 13)) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = id;
    }
    this.#slots = slots;
  }
}

function grown(array: Uint32Array, length: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(length);
  larger.set(array);
  return larger;
}
