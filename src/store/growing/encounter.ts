/** What new documents have in common with old ones: found in one pass over all of these. */
import type { SupershingleLevel } from "../../pages/cluster.js";
import { SUPERSHINGLES } from "../../sketch/sketch.js";
import { Candidates, Chosen } from "./candidates.js";
import type { HashIndex } from "./given-documents.js";
import { HASH_WORD, RECORD_WORDS, ROOT_WORD } from "./record.js";
import type { RecordBlock } from "./value-file.js";

/** Supershingles that documents of one cluster share at least. */
const leastShared: Readonly<Record<SupershingleLevel, number>> = { similar: 2, identical: SUPERSHINGLES };
/** Of the columns: that of the URL's hash. */
const URL_BIT = 1 << SUPERSHINGLES;

export class Encounter {
  readonly candidates = new Candidates();
  /** An old document and the new row with the same hash of the URL. */
  readonly met: (readonly [document: number, row: number])[] = [];
  readonly #hashes: HashIndex;
  readonly #rootNow: (root: number) => number;
  /** By columns, as bits: whether a document that may share these has to be looked at, and whether it may get company. */
  readonly #matters: Uint8Array;
  readonly #isEnough: Uint8Array;
  #rows = new Uint32Array(0);
  #chosen = new Chosen(0);

  /** `rootNow` says what a root of the value file is by now. */
  constructor(hashes: HashIndex, level: SupershingleLevel, rootNow: (root: number) => number) {
    this.#hashes = hashes;
    this.#rootNow = rootNow;
    const table = (isSet: (columns: number) => boolean) =>
      Uint8Array.from({ length: 2 * URL_BIT }, (_, columns) => Number(isSet(columns)));
    this.#matters = table((columns) => columns >= URL_BIT || bitsIn(columns) >= leastShared[level]);
    this.#isEnough = table((columns) => bitsIn(columns & ~URL_BIT) >= leastShared[level]);
  }

  /** Looks at old documents; `shared` says for each of all in which columns of the index it may have a value of a new one. */
  look({ records, first, documents }: RecordBlock, shared: Uint8Array): void {
    if (this.#rows.length < documents) {
      this.#rows = new Uint32Array(documents);
      this.#chosen = new Chosen(documents);
    }
    const rows = this.#rows;
    const matters = this.#matters;
    let count = 0;
    for (let row = 0; row < documents; row++) {
      rows[count] = row;
      count += matters[shared[first + row]!]!;
    }
    const chosen = this.#chosen;
    chosen.count = 0;
    for (let at = 0; at < count; at++) {
      const row = rows[at]!;
      const columns = shared[first + row]!;
      const place = chosen.count;
      chosen.rows[place] = row;
      chosen.roots[place] = records[row * RECORD_WORDS + ROOT_WORD]!;
      chosen.columns[place] = columns & ~URL_BIT;
      chosen.count += this.#isEnough[columns]!;
      if (columns >= URL_BIT) this.#meet(first + row, records, row);
    }
    for (let at = 0; at < chosen.count; at++) chosen.roots[at] = this.#rootNow(chosen.roots[at]!);
    this.candidates.take(records, chosen);
  }

  #meet(document: number, records: Uint32Array, row: number): void {
    this.#hashes.each(records, row * RECORD_WORDS + HASH_WORD, (given) => this.met.push([document, given]));
  }
}

function bitsIn(columns: number): number {
  let bits = 0;
  for (let rest = columns; rest !== 0; rest &= rest - 1) bits++;
  return bits;
}
