/**
 * The slots of a group-by: open addressing in a typed array that one group-by after the other uses. As `HashSlots`, without
 * the hashes: keys are words that lie side by side, so comparing them costs as little as comparing hashes would, and a table
 * of half the size stays in the processor's cache.
 */
export class GroupSlots {
  /** Entry + 1, or 0 where the slot is free. */
  #cells = new Uint32Array(1 << 10);
  #mask = 0;

  /** Empties it and makes room: at most half of the slots will be taken. */
  reset(entries: number): void {
    const slots = 2 << (32 - Math.clz32(entries - 1));
    if (this.#cells.length < slots) this.#cells = new Uint32Array(slots);
    else this.#cells.fill(0, 0, slots);
    this.#mask = slots - 1;
  }

  /** Where to look first. */
  first(hash: number): number {
    return hash & this.#mask;
  }

  /** Where to look next. */
  next(slot: number): number {
    return (slot + 1) & this.#mask;
  }

  /** Number of the entry in the slot, or -1. */
  entry(slot: number): number {
    return this.#cells[slot]! - 1;
  }

  set(slot: number, entry: number): void {
    this.#cells[slot] = entry + 1;
  }

  /** Puts an entry into the first free slot. */
  insert(entry: number, hash: number): void {
    let slot = this.first(hash);
    while (this.#cells[slot] !== 0) slot = this.next(slot);
    this.set(slot, entry);
  }
}
