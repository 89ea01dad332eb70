/** Old documents that may share enough supershingles with new ones to get company. */
import { SUPERSHINGLES } from "../../sketch/sketch.js";
import { grown } from "../../tables/grown.js";
import { HashSlots } from "../../tables/hash-slots.js";
import { RECORD_WORDS, ROOT_WORD } from "./record.js";

/** In the word of a record that is free: the columns in which it may share its value with a new document, as bits. */
const COLUMNS_WORD = ROOT_WORD + 1;

/** An odd number without pattern. */
const ROOT_FACTOR = 0x9e3779b1;

/** Some records of a block: in which places, the roots that they have by now, and in which columns they may share values, as bits. */
export class Chosen {
  count = 0;
  readonly rows: Uint32Array;
  readonly roots: Uint32Array;
  readonly columns: Uint8Array;

  constructor(most: number) {
    this.rows = new Uint32Array(most);
    this.roots = new Uint32Array(most);
    this.columns = new Uint8Array(most);
  }
}

/**
 * Records of some documents, with the roots that they have by now. Members of one cluster with the same values where they can share any
 * would join the same new documents to it: of such only the first is kept, so that a large cluster is a few records.
 */
export class Candidates {
  count = 0;
  #records = new Uint32Array(RECORD_WORDS << 10);
  readonly #slots = HashSlots.ofSize(1 << 12);
  #hashes = new Int32Array(0);
  #entries = new Int32Array(0);

  get records(): Uint32Array {
    return this.#records;
  }

  /**
   * Takes some of these records. Most are like one that is here, at the first place where it would be: memory is asked for all of these places, and
   * then for all of these records, before any answer is needed, since each takes as long as a hundred steps.
   */
  take(records: Uint32Array, chosen: Chosen): void {
    const { count } = chosen;
    if (this.#hashes.length < count) {
      this.#hashes = new Int32Array(chosen.rows.length);
      this.#entries = new Int32Array(chosen.rows.length);
    }
    const hashes = this.#hashes;
    const entries = this.#entries;
    for (let at = 0; at < count; at++) hashes[at] = hashOf(records, chosen, at);
    for (let at = 0; at < count; at++) entries[at] = this.#slots.entry(this.#slots.first(hashes[at]!));
    for (let at = 0; at < count; at++) {
      entries[at] = entries[at]! >= 0 && this.#isEqual(entries[at]!, records, chosen, at) ? 1 : 0;
    }
    for (let at = 0; at < count; at++) if (entries[at] === 0) this.#takeOne(records, chosen, at, hashes[at]!);
  }

  #takeOne(records: Uint32Array, chosen: Chosen, at: number, hash: number): void {
    let slot = this.#slots.first(hash);
    for (; this.#slots.entry(slot) >= 0; slot = this.#slots.next(slot)) {
      if (this.#slots.hash(slot) === hash && this.#isEqual(this.#slots.entry(slot), records, chosen, at)) return;
    }
    this.#slots.set(slot, this.count, hash);
    if (2 * (this.count + 1) > this.#slots.size) this.#slots.double();
    const place = this.count++ * RECORD_WORDS;
    if (place === this.#records.length) this.#records = grown(this.#records, 2 * place);
    const from = chosen.rows[at]! * RECORD_WORDS;
    for (let word = 0; word < RECORD_WORDS; word++) this.#records[place + word] = records[from + word]!;
    this.#records[place + ROOT_WORD] = chosen.roots[at]!;
    this.#records[place + COLUMNS_WORD] = chosen.columns[at]!;
  }

  #isEqual(entry: number, records: Uint32Array, { rows, roots, columns }: Chosen, at: number): boolean {
    const own = this.#records;
    const place = entry * RECORD_WORDS;
    const from = rows[at]! * RECORD_WORDS;
    let different = (own[place + ROOT_WORD]! ^ roots[at]!) | (own[place + COLUMNS_WORD]! ^ columns[at]!);
    for (let column = 0; column < SUPERSHINGLES; column++) {
      const word = 2 * column;
      const low = own[place + word]! ^ records[from + word]!;
      const high = own[place + word + 1]! ^ records[from + word + 1]!;
      different |= (low | high) & -((columns[at]! >>> column) & 1);
    }
    return different === 0;
  }
}

/** What is not shared counts as 0. Values are hashes themselves, so that their sum is as good as any other; without branches. */
function hashOf(records: Uint32Array, { rows, roots, columns }: Chosen, at: number): number {
  const from = rows[at]! * RECORD_WORDS;
  let hash = Math.imul(roots[at]!, ROOT_FACTOR) ^ columns[at]!;
  for (let column = 0; column < SUPERSHINGLES; column++) {
    hash = (hash + (records[from + 2 * column]! & -((columns[at]! >>> column) & 1))) | 0;
  }
  return hash;
}
