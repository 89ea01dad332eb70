/** What new documents have to do with old ones: found in one look at all of these. */
import type { SupershingleLevel } from "../../pages/cluster.js";
import { SUPERSHINGLES } from "../../sketch/sketch.js";
import { Candidates } from "./candidates.js";
import type { GivenDocuments, HashIndex } from "./given-documents.js";
import { HASH_WORD, RECORD_WORDS, type RecordBlock, ROOT_WORD } from "./value-file.js";

/** Supershingles that documents of one cluster share at least. */
const leastShared: Readonly<Record<SupershingleLevel, number>> = { similar: 2, identical: SUPERSHINGLES };
/** In a cell of the filter: some new document has a URL with this hash. Below it, one bit for each supershingle. */
const URL_BIT = 1 << SUPERSHINGLES;
/** Cells for each new document, at least: so that about one in fifty values passes that none of them has. */
const CELLS_PER_DOCUMENT = 32;

export class Encounter {
  readonly candidates = new Candidates();
  /** An old document and the new row with the same hash of the URL. */
  readonly met: (readonly [document: number, row: number])[] = [];
  readonly #hashes: HashIndex;
  readonly #rootNow: (root: number) => number;
  /** By the first bits of a value: in which columns a new document may have it. Its absence is certain. */
  readonly #filter: Uint8Array;
  readonly #shift: number;
  /** By columns, as bits: whether these are enough of them. */
  readonly #isEnough: Uint8Array;

  /** `rootNow` says what a root of the value file is by now. */
  constructor(given: GivenDocuments, hashes: HashIndex, level: SupershingleLevel, rootNow: (root: number) => number) {
    this.#hashes = hashes;
    this.#rootNow = rootNow;
    const bits = Math.min(31, Math.ceil(Math.log2(CELLS_PER_DOCUMENT * Math.max(1, given.documents))));
    this.#shift = 32 - bits;
    this.#filter = new Uint8Array(2 ** bits);
    for (let at = 0; at < given.documents * RECORD_WORDS; at += RECORD_WORDS) {
      for (let column = 0; column <= SUPERSHINGLES; column++) {
        this.#filter[given.records[at + 2 * column]! >>> this.#shift]! |= 1 << column;
      }
    }
    this.#isEnough = new Uint8Array(URL_BIT);
    for (let columns = 1; columns < URL_BIT; columns++) {
      let shared = 0;
      for (let rest = columns; rest !== 0; rest &= rest - 1) shared++;
      this.#isEnough[columns] = Number(shared >= leastShared[level]);
    }
  }

  /** A plain loop that nothing is captured in: it runs once for each document that there ever was. */
  look({ records, first, documents }: RecordBlock): void {
    const filter = this.#filter;
    const shift = this.#shift;
    const isEnough = this.#isEnough;
    for (let at = 0; at < documents * RECORD_WORDS; at += RECORD_WORDS) {
      const columns =
        (filter[records[at]! >>> shift]! & 1) |
        (filter[records[at + 2]! >>> shift]! & 2) |
        (filter[records[at + 4]! >>> shift]! & 4) |
        (filter[records[at + 6]! >>> shift]! & 8) |
        (filter[records[at + 8]! >>> shift]! & 16) |
        (filter[records[at + 10]! >>> shift]! & 32);
      if (isEnough[columns] === 1) {
        this.candidates.take(records, at, this.#rootNow(records[at + ROOT_WORD]!), columns);
      }
      if ((filter[records[at + HASH_WORD]! >>> shift]! & URL_BIT) !== 0) {
        this.#meet(first + at / RECORD_WORDS, records, at + HASH_WORD);
      }
    }
  }

  #meet(document: number, records: Uint32Array, place: number): void {
    this.#hashes.each(records, place, (row) => this.met.push([document, row]));
  }
}
