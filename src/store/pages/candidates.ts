/** Old documents that may share enough supershingles with new ones to get company. */
import { SUPERSHINGLES } from "../../sketch/sketch.js";
import { grown } from "../../tables/grown.js";
import { HashSlots } from "../../tables/hash-slots.js";
import { hashWords } from "../../tables/hashes.js";
import { RECORD_WORDS, ROOT_WORD } from "./record.js";

/** In the word of a record that is free: the columns in which it may share its value with a new document, as bits. */
const COLUMNS_WORD = ROOT_WORD + 1;

/**
 * Records of some documents, with the roots that they have by now. Members of one cluster with the same values where they can share any
 * would join the same new documents to it: of such only the first is kept, so that a large cluster is a few records.
 */
export class Candidates {
  count = 0;
  #records = new Uint32Array(RECORD_WORDS << 10);
  readonly #slots = HashSlots.ofSize(1 << 12);

  get records(): Uint32Array {
    return this.#records;
  }

  /** Takes the record at `at`. */
  take(records: Uint32Array, at: number, root: number, columns: number): void {
    let hash = hashWords(root, columns);
    for (let column = 0; column < SUPERSHINGLES; column++) {
      if ((columns >>> column) & 1) hash = hashWords(records[at + 2 * column]!, hash);
    }
    let slot = this.#slots.first(hash);
    for (; this.#slots.entry(slot) >= 0; slot = this.#slots.next(slot)) {
      if (this.#slots.hash(slot) !== hash) continue;
      if (this.#isEqual(this.#slots.entry(slot) * RECORD_WORDS, records, at, root, columns)) return;
    }
    this.#slots.set(slot, this.count, hash);
    if (2 * (this.count + 1) > this.#slots.size) this.#slots.double();
    const place = this.count++ * RECORD_WORDS;
    if (place === this.#records.length) this.#records = grown(this.#records, 2 * place);
    for (let word = 0; word < RECORD_WORDS; word++) this.#records[place + word] = records[at + word]!;
    this.#records[place + ROOT_WORD] = root;
    this.#records[place + COLUMNS_WORD] = columns;
  }

  #isEqual(place: number, records: Uint32Array, at: number, root: number, columns: number): boolean {
    const own = this.#records;
    if (own[place + ROOT_WORD] !== root || own[place + COLUMNS_WORD] !== columns) return false;
    for (let word = 0; word < 2 * SUPERSHINGLES; word++) {
      if ((columns >>> (word >>> 1)) & 1 && own[place + word] !== records[at + word]) return false;
    }
    return true;
  }
}
