import { grown } from "../tables/grown.js";
import { HashSlots } from "../tables/hash-slots.js";
import { ByteHash } from "../tables/hashes.js";

/**
 * Numbers byte strings 0, 1, 2, ... in the order in which they first come, exactly: hashes only find candidates, bytes
 * decide. A string is kept as its place in an array that outlives the table, so that a table of ten million entries is
 * three typed arrays (a Map ends at 16 million entries and keeps an object for each).
 */
export class RangeTable {
  /** Entries so far. Entry e is bytes[starts[e] .. ends[e]). */
  count = 0;
  starts: Uint32Array;
  ends: Uint32Array;
  readonly #slots: HashSlots;
  readonly #bytes: Uint8Array;
  readonly #hash = new ByteHash();

  constructor(bytes: Uint8Array, expected = 16) {
    this.#bytes = bytes;
    this.#slots = HashSlots.ofSize(2 * Math.max(16, expected));
    this.starts = new Uint32Array(this.#slots.size / 2);
    this.ends = new Uint32Array(this.#slots.size / 2);
  }

  /** The number of the string bytes[start .. end), a new one where it was not there. */
  intern(start: number, end: number): number {
    const hash = this.#hash.of(this.#bytes, start, end);
    const slot = this.#slotOf(this.#bytes, start, end, hash);
    const found = this.#slots.entry(slot);
    if (found >= 0) return found;
    const entry = this.count++;
    this.starts[entry] = start;
    this.ends[entry] = end;
    this.#slots.set(slot, entry, hash);
    if (this.count === this.starts.length) this.#grow();
    return entry;
  }

  /** The number of the string other[start .. end), or -1; `hash` is its ByteHash. */
  find(other: Uint8Array, start: number, end: number, hash: number): number {
    return this.#slots.entry(this.#slotOf(other, start, end, hash));
  }

  #slotOf(other: Uint8Array, start: number, end: number, hash: number): number {
    const slots = this.#slots;
    for (let slot = slots.first(hash); ; slot = slots.next(slot)) {
      const entry = slots.entry(slot);
      if (entry < 0) return slot;
      if (
        slots.hash(slot) === hash &&
        equalBytes(this.#bytes, this.starts[entry]!, this.ends[entry]!, other, start, end)
      ) {
        return slot;
      }
    }
  }

  #grow(): void {
    const capacity = 2 * this.starts.length;
    this.starts = grown(this.starts, capacity);
    this.ends = grown(this.ends, capacity);
    this.#slots.double();
  }
}

export function equalBytes(
  a: Uint8Array,
  aStart: number,
  aEnd: number,
  b: Uint8Array,
  bStart: number,
  bEnd: number,
): boolean {
  if (aEnd - aStart !== bEnd - bStart) return false;
  const shift = bStart - aStart;
  // From the end: URLs of one site begin alike.
  for (let i = aEnd - 1; i >= aStart; i--) if (a[i] !== b[i + shift]) return false;
  return true;
}

/** The order of UTF-8 bytes, which is that of code points. */
export function compareBytes(bytes: Uint8Array, aStart: number, aEnd: number, bStart: number, bEnd: number): number {
  const length = Math.min(aEnd - aStart, bEnd - bStart);
  for (let i = 0; i < length; i++) {
    const difference = bytes[aStart + i]! - bytes[bStart + i]!;
    if (difference !== 0) return difference;
  }
  return aEnd - aStart - (bEnd - bStart);
}
