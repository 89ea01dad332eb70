/**
 * Interned byte strings: each distinct string gets the next number, in the order of first appearance. Everything is in
 * typed arrays (28 to 56 bytes per string, plus the string itself), because a Map ends at 2^24 entries and a JavaScript
 * string per URL costs more than the URL. Bytes live in segments, so that growing never copies more than one segment.
 */
import { InvariantError, UserError } from "../errors.js";
import type { StringColumn } from "../model.js";
import { grown } from "../tables/grown.js";
import { HashSlots } from "../tables/hash-slots.js";
import { hashView } from "../tables/hashes.js";
import { WordView } from "../tables/word-view.js";

const SEGMENT_BITS = 24;
const SEGMENT_BYTES = 1 << SEGMENT_BITS;
const FIRST_SEGMENT_BYTES = 1 << 16;
/** Addresses are 32 bits: segment number above, offset below. */
const MAX_SEGMENTS = 1 << (32 - SEGMENT_BITS);

/** What #entries holds of a string. */
const ENTRY = 3;
const ADDRESS = 0;
const LENGTH = 1;
const HASH = 2;

/** Longest string that can be interned: it has to fit into one segment. */
export const MAX_INTERNED_BYTES = 1 << 20;

export class ByteTable {
  /** Number of strings, and the number that the next new one gets. */
  count = 0;
  readonly #slots: HashSlots;
  /** ENTRY numbers per string, side by side: looking one up should miss the cache only once. */
  #entries: Uint32Array;
  readonly #segments: Uint8Array[] = [];
  readonly #segmentViews: DataView[] = [];
  readonly #input = new WordView();
  /** Bytes used of the last segment. */
  #used = 0;

  constructor(expected = 1024) {
    this.#slots = HashSlots.ofSize(Math.max(2048, 2 * expected));
    this.#entries = new Uint32Array(ENTRY * (this.#slots.size >>> 1));
  }

  /** Rows that fit before the columns grow; owners of further columns grow them with it. */
  get capacity(): number {
    return this.#entries.length / ENTRY;
  }

  /** Number of the string buffer[start .. end), which is added if it is new. */
  intern(buffer: Uint8Array, start: number, end: number): number {
    const view = this.#input.of(buffer);
    const hash = hashView(view, start, end);
    const slots = this.#slots;
    let slot = slots.first(hash);
    for (let entry = slots.entry(slot); entry >= 0; entry = slots.entry(slot)) {
      if (slots.hash(slot) === hash && this.#equals(entry, view, start, end)) return entry;
      slot = slots.next(slot);
    }
    const row = this.count;
    if (row === this.capacity) {
      this.#grow();
      return this.intern(buffer, start, end);
    }
    slots.set(slot, row, hash);
    this.#store(row, hash, buffer, start, end);
    this.count++;
    return row;
  }

  /** Number of the string, or -1. */
  find(buffer: Uint8Array, start: number, end: number): number {
    const view = this.#input.of(buffer);
    const hash = hashView(view, start, end);
    const slots = this.#slots;
    for (let slot = slots.first(hash); ; slot = slots.next(slot)) {
      const entry = slots.entry(slot);
      if (entry < 0) return -1;
      if (slots.hash(slot) === hash && this.#equals(entry, view, start, end)) return entry;
    }
  }

  /** Row becomes another string, which must not be in the table. Its earlier slot stays and leads nowhere: bytes differ. */
  replace(row: number, bytes: Uint8Array): void {
    const hash = hashView(this.#input.of(bytes), 0, bytes.length);
    this.#slots.insert(row, hash);
    this.#store(row, hash, bytes, 0, bytes.length);
  }

  /** Row `to` takes over the string of row `from`, which becomes the empty string that nothing finds. */
  take(to: number, from: number): void {
    const entries = this.#entries;
    const hash = entries[ENTRY * from + HASH]!;
    let slot = this.#slots.first(hash);
    while (this.#slots.entry(slot) !== from) slot = this.#slots.next(slot);
    this.#slots.set(slot, to, hash);
    entries.copyWithin(ENTRY * to, ENTRY * from, ENTRY * (from + 1));
    entries[ENTRY * from + LENGTH] = 0;
  }

  length(row: number): number {
    return this.#entries[ENTRY * row + LENGTH]!;
  }

  /** The buffer that the string is in, and where: looking at millions of strings should not make a view of each. */
  buffer(row: number): Uint8Array {
    return this.#segments[this.#entries[ENTRY * row + ADDRESS]! >>> SEGMENT_BITS]!;
  }

  start(row: number): number {
    return this.#entries[ENTRY * row + ADDRESS]! & (SEGMENT_BYTES - 1);
  }

  /** A view of the string's bytes, valid until the table changes. */
  bytes(row: number): Uint8Array {
    const start = this.start(row);
    return this.buffer(row).subarray(start, start + this.length(row));
  }

  /** The strings of the given rows, or of all, in that order. */
  column(rows?: Uint32Array): StringColumn {
    const count = rows?.length ?? this.count;
    const offsets = new Uint32Array(count + 1);
    let total = 0;
    for (let i = 0; i < count; i++) {
      total += this.length(rows === undefined ? i : rows[i]!);
      if (total >= 2 ** 32) throw tooMany();
      offsets[i + 1] = total;
    }
    const bytes = new Uint8Array(total);
    // Strings that were stored one after the other are copied together: usually a whole segment.
    for (let i = 0; i < count; ) {
      const row = rows === undefined ? i : rows[i]!;
      const segment = this.buffer(row);
      const from = this.start(row);
      const first = i;
      let end = from + this.length(row);
      for (i++; i < count; i++) {
        const next = rows === undefined ? i : rows[i]!;
        if (this.start(next) !== end || this.buffer(next) !== segment) break;
        end += this.length(next);
      }
      bytes.set(segment.subarray(from, end), offsets[first]);
    }
    return { count, bytes, offsets };
  }

  #equals(row: number, view: DataView, start: number, end: number): boolean {
    if (this.#entries[ENTRY * row + LENGTH] !== end - start) return false;
    const address = this.#entries[ENTRY * row + ADDRESS]!;
    const segment = this.#segmentViews[address >>> SEGMENT_BITS]!;
    let at = address & (SEGMENT_BYTES - 1);
    let i = start;
    for (const last = end - 3; i < last; i += 4, at += 4) {
      if (segment.getInt32(at, true) !== view.getInt32(i, true)) return false;
    }
    for (; i < end; i++, at++) if (segment.getUint8(at) !== view.getUint8(i)) return false;
    return true;
  }

  #store(row: number, hash: number, buffer: Uint8Array, start: number, end: number): void {
    const length = end - start;
    if (length > MAX_INTERNED_BYTES) throw new InvariantError(`a string of ${length} bytes cannot be interned`);
    let last = this.#segments.length - 1;
    let segment = this.#segments[last];
    if (segment === undefined || this.#used + length > segment.length) {
      if (segment === undefined || segment.length === SEGMENT_BYTES) {
        if (last + 1 === MAX_SEGMENTS) throw tooMany();
        // Only a table's first segment starts small, since most tables are small.
        segment = new Uint8Array(last < 0 ? Math.max(FIRST_SEGMENT_BYTES, length) : SEGMENT_BYTES);
        this.#segments.push(segment);
        this.#segmentViews.push(new DataView(segment.buffer));
        this.#used = 0;
        last++;
      } else {
        segment = grown(segment, Math.min(SEGMENT_BYTES, 2 * (this.#used + length)));
        this.#segments[last] = segment;
        this.#segmentViews[last] = new DataView(segment.buffer);
        if (this.#used + length > segment.length) {
          this.#store(row, hash, buffer, start, end);
          return;
        }
      }
    }
    let to = this.#used;
    for (let i = start; i < end; i++) segment[to++] = buffer[i]!;
    this.#entries[ENTRY * row + ADDRESS] = last * SEGMENT_BYTES + this.#used;
    this.#entries[ENTRY * row + LENGTH] = length;
    this.#entries[ENTRY * row + HASH] = hash;
    this.#used = to;
  }

  #grow(): void {
    const rows = this.capacity * 2;
    this.#entries = grown(this.#entries, ENTRY * rows);
    this.#slots.double();
  }
}

function tooMany(): UserError {
  return new UserError("the unique URLs of one input are more than 4 GB: split the input into several files");
}
