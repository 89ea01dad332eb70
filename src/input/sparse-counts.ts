/** Counts for pairs of a row and a small number, where few pairs occur: open addressing over typed arrays. */
import { grown } from "../tables/grown.js";
import { HashSlots } from "../tables/hash-slots.js";
import { hashWords } from "../tables/hashes.js";

export class SparseCounts {
  #count = 0;
  readonly #slots = HashSlots.ofSize(256);
  #rows = new Uint32Array(128);
  #keys = new Uint8Array(128);
  #counts = new Float64Array(128);

  add(row: number, key: number, count: number): void {
    const slots = this.#slots;
    const hash = hashWords(row, key);
    let slot = slots.first(hash);
    for (let entry = slots.entry(slot); entry >= 0; entry = slots.entry(slot)) {
      if (this.#rows[entry] === row && this.#keys[entry] === key) {
        this.#counts[entry]! += count;
        return;
      }
      slot = slots.next(slot);
    }
    if (this.#count === this.#rows.length) {
      this.#grow();
      this.add(row, key, count);
      return;
    }
    this.#rows[this.#count] = row;
    this.#keys[this.#count] = key;
    this.#counts[this.#count] = count;
    slots.set(slot, this.#count++, hash);
  }

  /** All counts by row, then key, with the rows renumbered to below rowCount (several may become one). */
  sorted(rowCount: number, renumber: (row: number) => number) {
    // A counting sort by row; the few keys of one row are inserted in order.
    const starts = new Uint32Array(rowCount + 1);
    for (let i = 0; i < this.#count; i++) starts[renumber(this.#rows[i]!) + 1]!++;
    for (let i = 0; i < rowCount; i++) starts[i + 1]! += starts[i]!;
    const ends = starts.slice(0, rowCount);
    const row = new Uint32Array(this.#count);
    const key = new Uint8Array(this.#count);
    const count = new Float64Array(this.#count);
    for (let i = 0; i < this.#count; i++) {
      const r = renumber(this.#rows[i]!);
      const k = this.#keys[i]!;
      let at = ends[r]!++;
      for (; at > starts[r]! && key[at - 1]! > k; at--) {
        key[at] = key[at - 1]!;
        count[at] = count[at - 1]!;
      }
      row[ends[r]! - 1] = r;
      key[at] = k;
      count[at] = this.#counts[i]!;
    }
    let kept = 0;
    for (let i = 0; i < this.#count; i++) {
      if (kept > 0 && row[kept - 1] === row[i] && key[kept - 1] === key[i]) {
        count[kept - 1]! += count[i]!;
        continue;
      }
      row[kept] = row[i]!;
      key[kept] = key[i]!;
      count[kept++] = count[i]!;
    }
    return { row: row.slice(0, kept), key: key.slice(0, kept), count: count.slice(0, kept) };
  }

  #grow(): void {
    const length = this.#rows.length * 2;
    this.#rows = grown(this.#rows, length);
    this.#keys = grown(this.#keys, length);
    this.#counts = grown(this.#counts, length);
    this.#slots.double();
  }
}
