/**
 * The slots of a hash table over columns: open addressing in a typed array, because a Map ends at 2^24 entries and keeps an
 * object for each. It knows numbers of entries and their hashes; what an entry is, and whether two are equal, its owner knows:
 *
 *     for (let slot = slots.first(hash); ; slot = slots.next(slot)) {
 *       const entry = slots.entry(slot);
 *       if (entry < 0) break;                                        // it is not there; `set` puts it here
 *       if (slots.hash(slot) === hash && isEqual(entry)) return entry;
 *     }
 *
 * Hashes are 32 bits, signed. The owner sees to it that a slot stays free: at most half of them should be taken.
 */
export class HashSlots {
  /** Two numbers a slot, side by side: looking one up should miss the cache once. Entry + 1 (0 where it is free), and its hash. */
  cells: Uint32Array;

  /** As many slots as the next power of two. */
  static ofSize(atLeast: number): HashSlots {
    return new HashSlots(new Uint32Array(cellsFor(atLeast)));
  }

  /** Slots in memory of the owner's, such as threads share: of `cellsFor` numbers. */
  constructor(cells: Uint32Array) {
    this.cells = cells;
  }

  /** How many there are. */
  get size(): number {
    return this.cells.length / 2;
  }

  /** Where to look first. */
  first(hash: number): number {
    return (hash << 1) & (this.cells.length - 2);
  }

  /** Where to look next. */
  next(slot: number): number {
    return (slot + 2) & (this.cells.length - 2);
  }

  /** Number of the entry in the slot, or -1. */
  entry(slot: number): number {
    return this.cells[slot]! - 1;
  }

  hash(slot: number): number {
    return this.cells[slot + 1]! | 0;
  }

  set(slot: number, entry: number, hash: number): void {
    this.cells[slot] = entry + 1;
    this.cells[slot + 1] = hash;
  }

  /** Puts an entry into the first free slot. */
  insert(entry: number, hash: number): void {
    let slot = this.first(hash);
    while (this.cells[slot] !== 0) slot = this.next(slot);
    this.set(slot, entry, hash);
  }

  /** Twice as many slots, with what was in them. */
  double(): void {
    const old = this.cells;
    this.cells = new Uint32Array(2 * old.length);
    for (let slot = 0; slot < old.length; slot += 2) {
      if (old[slot] !== 0) this.insert(old[slot]! - 1, old[slot + 1]!);
    }
  }
}

/** How many numbers at least that many slots take. */
export function cellsFor(slots: number): number {
  let powerOfTwo = 2;
  while (powerOfTwo < slots) powerOfTwo *= 2;
  return 2 * powerOfTwo;
}
