/**
 * Which of many old documents may have a value that a new one has: for each run of documents and each column of their records, the values
 * in ascending order. Each is looked up in a table of what the new documents have; in this order that goes through the table from its
 * beginning to its end, and in any other it would miss the processor's cache nearly every time; and equal values find the same, one after the
 * other, which halves the time once more.
 *
 * A run is a fixed number of documents in a row; those after the last whole one are few, and looked up as they are. So nothing that was written
 * is ever changed, and the number of documents says how much of the file counts.
 */
import type { JobContext } from "../../model.js";
import { stopIfAborted } from "../../progress.js";
import { hasBit, setBit } from "../../tables/bits.js";
import { NumberFile } from "./number-file.js";
import { RECORD_WORDS } from "./record.js";

/** Columns of values that are kept in order: who shares two supershingles of six shares one of the first five. The other is the hash of the URL. */
export const indexedColumns: readonly number[] = [0, 1, 2, 3, 4, 6];

const PLACE_BITS = 17;
export const RUN_DOCUMENTS = 1 << PLACE_BITS;
/** The beginning of a value that is kept: of that, the first bits say in which bucket it is, the others are in its entry. */
const BEGINNING_BITS = 24;
const ENTRY_BITS = 32 - PLACE_BITS;
const BUCKETS = 1 << (BEGINNING_BITS - ENTRY_BITS);

const COLUMN_WORDS = BUCKETS + RUN_DOCUMENTS;
const RUN_WORDS = indexedColumns.length * COLUMN_WORDS;
const RUN_BYTES = 4 * RUN_WORDS;

/** How many whole runs this number of documents makes. */
export function wholeRuns(documents: number): number {
  return Math.floor(documents / RUN_DOCUMENTS);
}

export class ValueIndex {
  readonly #file: NumberFile;

  private constructor(file: NumberFile) {
    this.#file = file;
  }

  static async open(name: string, documents: number): Promise<ValueIndex> {
    return new ValueIndex(await NumberFile.open(name, wholeRuns(documents) * RUN_BYTES));
  }

  static async create(name: string): Promise<ValueIndex> {
    return new ValueIndex(await NumberFile.create(name));
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  remove(): Promise<void> {
    return this.#file.remove();
  }

  sync(): Promise<void> {
    return this.#file.sync();
  }

  /** Takes the records of a whole run. */
  async write(run: number, records: Uint32Array): Promise<void> {
    await this.#file.write(inOrder(records), run * RUN_BYTES);
  }

  /**
   * For each of `documents` old ones the columns, of those kept here, in which it may have a value of the new ones, as bits: the others are
   * certain not to.
   * `rest` are the records after the last whole run.
   */
  async sharedColumns(
    given: { readonly records: Uint32Array; readonly documents: number },
    documents: number,
    rest: Uint32Array,
    context: JobContext,
  ): Promise<Uint8Array> {
    const shared = new Uint8Array(documents);
    const filters = indexedColumns.map((column) => new ValueFilter(given, column));
    const runs = wholeRuns(documents);
    const buffers = [0, 1].map(() => new Uint32Array(runs === 0 ? 0 : RUN_WORDS));
    const read = async (run: number): Promise<Uint32Array> => {
      const columns = buffers[run % 2]!;
      if (run < runs) await this.#file.read(columns, run * RUN_BYTES);
      return columns;
    };
    // The next run is read while this one is looked at.
    let coming = read(0);
    for (let run = 0; run < runs; run++) {
      const columns = await coming;
      coming = read(run + 1);
      // What fails while nobody waits is reported by the next turn.
      coming.catch(() => {});
      stopIfAborted(context, "nothing was added");
      const some = shared.subarray(run * RUN_DOCUMENTS, (run + 1) * RUN_DOCUMENTS);
      for (const [at, filter] of filters.entries()) {
        filter.markRun(columns.subarray(at * COLUMN_WORDS, (at + 1) * COLUMN_WORDS), some);
      }
    }
    await coming;
    for (const filter of filters) filter.markRecords(rest, shared.subarray(runs * RUN_DOCUMENTS));
    return shared;
  }
}

/**
 * The columns of a run's records, each with its values in ascending order: first where every bucket ends, then the entries, each the rest of a
 * value's beginning and the place of its document.
 */
function inOrder(records: Uint32Array): Uint32Array {
  const columns = new Uint32Array(RUN_WORDS);
  for (const [at, column] of indexedColumns.entries()) {
    const ends = columns.subarray(at * COLUMN_WORDS, at * COLUMN_WORDS + BUCKETS);
    const entries = columns.subarray(at * COLUMN_WORDS + BUCKETS, (at + 1) * COLUMN_WORDS);
    const beginningAt = (place: number) => beginningOf(records, place, column);
    for (let place = 0; place < RUN_DOCUMENTS; place++) ends[beginningAt(place) >>> ENTRY_BITS]!++;
    // Counts become beginnings, and these become ends as the buckets are filled.
    let before = 0;
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      const count = ends[bucket]!;
      ends[bucket] = before;
      before += count;
    }
    for (let place = 0; place < RUN_DOCUMENTS; place++) {
      const beginning = beginningAt(place);
      entries[ends[beginning >>> ENTRY_BITS]!++] = (beginning << PLACE_BITS) | place;
    }
    for (let bucket = 0; bucket < BUCKETS; bucket++) entries.subarray(ends[bucket - 1] ?? 0, ends[bucket]).sort();
  }
  return columns;
}

/** The first bits of the low word of a value. */
function beginningOf(records: Uint32Array, place: number, column: number): number {
  return records[place * RECORD_WORDS + 2 * column]! >>> (32 - BEGINNING_BITS);
}

/** For a column: whether a value may be among those of some documents. */
export class ValueFilter {
  /** One for each beginning of a value, of as many bits as do for that many documents. */
  readonly #bits: Uint32Array;
  readonly #shift: number;
  readonly #column: number;

  constructor({ records, documents }: { readonly records: Uint32Array; readonly documents: number }, column: number) {
    this.#column = column;
    // 128 to 256 bits a document, for a hundred thousand: about one in two hundred other values passes.
    const size = Math.min(BEGINNING_BITS, Math.max(5, Math.ceil(Math.log2(128 * Math.max(1, documents)))));
    this.#bits = new Uint32Array(2 ** (size - 5));
    this.#shift = BEGINNING_BITS - size;
    for (let place = 0; place < documents; place++) {
      setBit(this.#bits, beginningOf(records, place, column) >>> this.#shift);
    }
  }

  /** Sets the column's bit for each document of a run whose value passes. */
  markRun(column: Uint32Array, shared: Uint8Array): void {
    const bits = this.#bits;
    const shift = this.#shift;
    const bit = 1 << this.#column;
    let at = BUCKETS;
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      const first = bucket << ENTRY_BITS;
      for (const end = BUCKETS + column[bucket]!; at < end; at++) {
        const entry = column[at]!;
        if (hasBit(bits, (first | (entry >>> PLACE_BITS)) >>> shift)) shared[entry & (RUN_DOCUMENTS - 1)]! |= bit;
      }
    }
  }

  /** The same for records, as they come. */
  markRecords(records: Uint32Array, shared: Uint8Array): void {
    for (let place = 0; place < shared.length; place++) shared[place]! |= this.bitOf(records, place);
  }

  /** The column's bit if the value of the record in that place passes, else 0. */
  bitOf(records: Uint32Array, place: number): number {
    return hasBit(this.#bits, beginningOf(records, place, this.#column) >>> this.#shift) ? 1 << this.#column : 0;
  }
}
