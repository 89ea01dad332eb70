/**
 * Numbers byte strings 0, 1, 2, ... in the order in which they first come, exactly: hashes only find candidates, bytes
 * decide. A string is kept as its place in an array that outlives the table, so that a table of ten million entries is
 * three typed arrays (a Map ends at 16 million entries and keeps an object for each).
 */
export class ByteTable {
  /** Entries so far. Entry e is bytes[starts[e] .. ends[e]). */
  count = 0;
  starts: Uint32Array;
  ends: Uint32Array;
  #hashes: Int32Array;
  /** Open addressing: entry + 1, or 0 where the slot is free. At most half full. */
  #slots: Int32Array;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array, expected = 16) {
    this.#bytes = bytes;
    const capacity = powerOfTwo(Math.max(16, expected));
    this.starts = new Uint32Array(capacity);
    this.ends = new Uint32Array(capacity);
    this.#hashes = new Int32Array(capacity);
    this.#slots = new Int32Array(2 * capacity);
  }

  /** The number of the string bytes[start .. end), a new one where it was not there. */
  intern(start: number, end: number): number {
    const hash = hashBytes(this.#bytes, start, end);
    const slot = this.#slotOf(this.#bytes, start, end, hash);
    const found = this.#slots[slot]! - 1;
    if (found >= 0) return found;
    const entry = this.count++;
    this.starts[entry] = start;
    this.ends[entry] = end;
    this.#hashes[entry] = hash;
    this.#slots[slot] = entry + 1;
    if (this.count === this.starts.length) this.#grow();
    return entry;
  }

  /** The number of the string other[start .. end), or -1; `hash` is its hashBytes. */
  find(other: Uint8Array, start: number, end: number, hash: number): number {
    return this.#slots[this.#slotOf(other, start, end, hash)]! - 1;
  }

  #slotOf(other: Uint8Array, start: number, end: number, hash: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = hash & mask;
    for (;;) {
      const entry = slots[slot]! - 1;
      if (entry < 0) return slot;
      if (
        this.#hashes[entry] === hash &&
        equalBytes(this.#bytes, this.starts[entry]!, this.ends[entry]!, other, start, end)
      ) {
        return slot;
      }
      slot = (slot + 1) & mask;
    }
  }

  #grow(): void {
    const capacity = 2 * this.starts.length;
    this.starts = enlarged(this.starts, capacity);
    this.ends = enlarged(this.ends, capacity);
    this.#hashes = enlarged(this.#hashes, capacity);
    const slots = new Int32Array(2 * capacity);
    const mask = slots.length - 1;
    for (let entry = 0; entry < this.count; entry++) {
      let slot = this.#hashes[entry]! & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = entry + 1;
    }
    this.#slots = slots;
  }
}

/** A 32-bit hash, signed: four bytes at a time, multiplied and shifted, with a last mix, because tables take its low bits. */
export function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  let hash = end - start;
  let i = start;
  for (; i + 4 <= end; i += 4) {
    const word = bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24);
    hash = Math.imul(hash ^ word, 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  for (; i < end; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return hash ^ (hash >>> 13);
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

export function powerOfTwo(atLeast: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, atLeast)));
}

export function enlarged(array: Uint32Array, length: number): Uint32Array<ArrayBuffer>;
export function enlarged(array: Int32Array, length: number): Int32Array<ArrayBuffer>;
export function enlarged(array: Uint32Array | Int32Array, length: number): Uint32Array | Int32Array {
  const larger = array instanceof Int32Array ? new Int32Array(length) : new Uint32Array(length);
  larger.set(array);
  return larger;
}
