/**
 * Which of many old documents may have a value that a new one has: for each run of documents and each column of their records, the values
 * in ascending order. Each is looked up in a table of what the new documents have; in this order that goes through the table from its
 * beginning to its end, and in any other it would miss the processor's cache nearly every time.
 *
 * A run is a fixed number of documents in a row; those after the last whole one are sorted when they are asked for. So nothing that was written
 * is ever changed, and the number of documents says how much of the file counts.
 */
import type { JobContext } from "../../model.js";
import { stopIfAborted } from "../../progress.js";
import { hasBit, setBit } from "../../tables/bits.js";
import { NumberFile } from "./number-file.js";
import { RECORD_WORDS, VALUE_COLUMNS } from "./record.js";

export const RUN_DOCUMENTS = 1 << 17;
const COLUMN_BYTES = 8 * RUN_DOCUMENTS;
const RUN_BYTES = VALUE_COLUMNS * COLUMN_BYTES;

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
    for (let column = 0; column < VALUE_COLUMNS; column++) {
      await this.#file.write(sortedColumn(records, RUN_DOCUMENTS, column), run * RUN_BYTES + column * COLUMN_BYTES);
    }
  }

  /**
   * For each of `documents` old ones the columns in which it may have a value of the new ones, as bits: the others are certain not to.
   * `rest` are the records after the last whole run.
   */
  async sharedColumns(
    given: { readonly records: Uint32Array; readonly documents: number },
    documents: number,
    rest: Uint32Array,
    context: JobContext,
  ): Promise<Uint8Array> {
    const shared = new Uint8Array(documents);
    const filters = Array.from({ length: VALUE_COLUMNS }, (_, column) => new ValueFilter(given, column));
    const entries = new Float64Array(RUN_DOCUMENTS);
    const runs = wholeRuns(documents);
    for (let run = 0; run < runs; run++) {
      for (const [column, filter] of filters.entries()) {
        stopIfAborted(context, "nothing was added");
        await this.#file.read(entries, run * RUN_BYTES + column * COLUMN_BYTES);
        filter.mark(entries, 1 << column, shared.subarray(run * RUN_DOCUMENTS));
      }
    }
    const left = shared.subarray(runs * RUN_DOCUMENTS);
    for (const [column, filter] of filters.entries()) {
      filter.mark(sortedColumn(rest, left.length, column), 1 << column, left);
    }
    return shared;
  }
}

/** The low words of a column in ascending order, each with the place of its document: value * RUN_DOCUMENTS + place. */
function sortedColumn(records: Uint32Array, documents: number, column: number): Float64Array {
  const entries = new Float64Array(documents);
  for (let place = 0; place < documents; place++) {
    entries[place] = records[place * RECORD_WORDS + 2 * column]! * RUN_DOCUMENTS + place;
  }
  return entries.sort();
}

/** For a column: whether a value may be among those of some documents. */
class ValueFilter {
  /** One for each beginning of a value. */
  readonly #bits: Uint32Array;
  /** What an entry is multiplied by to become the beginning of its value. */
  readonly #scale: number;

  constructor({ records, documents }: { readonly records: Uint32Array; readonly documents: number }, column: number) {
    // 128 to 256 bits a document: about one in two hundred other values passes.
    const size = Math.min(31, Math.max(5, Math.ceil(Math.log2(128 * Math.max(1, documents)))));
    this.#bits = new Uint32Array(2 ** (size - 5));
    this.#scale = 2 ** (size - 32) / RUN_DOCUMENTS;
    for (let place = 0; place < documents; place++) {
      const beginning = records[place * RECORD_WORDS + 2 * column]! >>> (32 - size);
      setBit(this.#bits, beginning);
    }
  }

  /** Sets a bit for each document whose entry passes. */
  mark(entries: Float64Array, bit: number, shared: Uint8Array): void {
    const bits = this.#bits;
    const scale = this.#scale;
    for (let at = 0; at < entries.length; at++) {
      const beginning = (entries[at]! * scale) | 0;
      if (hasBit(bits, beginning)) shared[entries[at]! % RUN_DOCUMENTS]! |= bit;
    }
  }
}
