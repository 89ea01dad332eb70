/** What new documents have to do with old ones: found in one look at all of these. */
import type { SupershingleLevel } from "../../pages/cluster.js";
import { SUPERSHINGLES } from "../../sketch/sketch.js";
import { Candidates } from "./candidates.js";
import type { GivenDocuments, HashIndex } from "./given-documents.js";
import { HASH_WORD, RECORD_WORDS, ROOT_WORD } from "./record.js";
import type { RecordBlock } from "./value-file.js";
import { ValueFilter } from "./value-index.js";

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
  /** For the supershingle that is not in the index. */
  readonly #last: ValueFilter;
  /** By columns, as bits: whether a document that may share these has to be looked at, and whether it may get company. */
  readonly #matters: Uint8Array;
  readonly #isEnough: Uint8Array;

  /** `rootNow` says what a root of the value file is by now. */
  constructor(given: GivenDocuments, hashes: HashIndex, level: SupershingleLevel, rootNow: (root: number) => number) {
    this.#hashes = hashes;
    this.#rootNow = rootNow;
    this.#last = new ValueFilter(given, SUPERSHINGLES - 1);
    const table = (isSet: (columns: number) => boolean) =>
      Uint8Array.from({ length: 2 * URL_BIT }, (_, columns) => Number(isSet(columns)));
    this.#matters = table((columns) => columns >= URL_BIT || bitsIn(columns) >= leastShared[level] - 1);
    this.#isEnough = table((columns) => bitsIn(columns & ~URL_BIT) >= leastShared[level]);
  }

  /** Looks at old documents; `shared` says for each of all in which columns of the index it may have a value of a new one. */
  look({ records, first, documents }: RecordBlock, shared: Uint8Array): void {
    const matters = this.#matters;
    for (let row = 0; row < documents; row++) {
      const columns = shared[first + row]!;
      if (matters[columns] === 1) this.#take(first + row, records, row, columns | this.#last.bitOf(records, row));
    }
  }

  #take(document: number, records: Uint32Array, row: number, columns: number): void {
    const at = row * RECORD_WORDS;
    if (this.#isEnough[columns] === 1) {
      this.candidates.take(records, at, this.#rootNow(records[at + ROOT_WORD]!), columns & ~URL_BIT);
    }
    if (columns >= URL_BIT) this.#hashes.each(records, at + HASH_WORD, (given) => this.met.push([document, given]));
  }
}

function bitsIn(columns: number): number {
  let bits = 0;
  for (let rest = columns; rest !== 0; rest &= rest - 1) bits++;
  return bits;
}
