/** What new documents have to do with old ones: found in one look at all of these. */
import type { SupershingleLevel } from "../../pages/cluster.js";
import { SUPERSHINGLES } from "../../sketch/sketch.js";
import { Candidates } from "./candidates.js";
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
  /** By columns of supershingles, as bits: whether these are enough of them. */
  readonly #isEnough: Uint8Array;

  /** `rootNow` says what a root of the value file is by now. */
  constructor(hashes: HashIndex, level: SupershingleLevel, rootNow: (root: number) => number) {
    this.#hashes = hashes;
    this.#rootNow = rootNow;
    this.#isEnough = Uint8Array.from({ length: URL_BIT }, (_, columns) => {
      let shared = 0;
      for (let rest = columns; rest !== 0; rest &= rest - 1) shared++;
      return Number(shared >= leastShared[level]);
    });
  }

  /** Looks at old documents; `shared` says for each of all in which columns it may have a value of a new one. */
  look({ records, first, documents }: RecordBlock, shared: Uint8Array): void {
    for (let row = 0; row < documents; row++) {
      const columns = shared[first + row]!;
      if (columns !== 0) this.#take(first + row, records, row * RECORD_WORDS, columns);
    }
  }

  #take(document: number, records: Uint32Array, at: number, columns: number): void {
    const supershingles = columns & ~URL_BIT;
    if (this.#isEnough[supershingles] === 1) {
      this.candidates.take(records, at, this.#rootNow(records[at + ROOT_WORD]!), supershingles);
    }
    if (columns !== supershingles) this.#hashes.each(records, at + HASH_WORD, (row) => this.met.push([document, row]));
  }
}
