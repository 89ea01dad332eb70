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
import { compile, instantiate, type Variable, WASM_PAGE_BYTES } from "../../wasm/module.js";
import { BEGINNING_BITS, BUCKETS, ENTRY_BITS, PLACE_BITS } from "./constants.js";
import { markCode } from "./kernel-code.js";
import { NumberFile } from "./number-file.js";
import { RECORD_WORDS, VALUE_COLUMNS } from "./record.js";

/** Columns of values that are kept in order: the supershingles, and the hash of the URL. */
const indexedColumns: readonly number[] = Array.from({ length: VALUE_COLUMNS }, (_, column) => column);

export const RUN_DOCUMENTS = 1 << PLACE_BITS;
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
    const kernel = new Kernel(given.documents);
    const filters = indexedColumns.map((column, at) => new ValueFilter(given, column, kernel.filters[at]!));
    const runs = wholeRuns(documents);
    const read = async (run: number): Promise<void> => {
      if (run < runs) await this.#file.read(kernel.runs[run % 2]!, run * RUN_BYTES);
    };
    // The next run is read while this one is looked at.
    let coming = read(0);
    for (let run = 0; run < runs; run++) {
      await coming;
      coming = read(run + 1);
      // What fails while nobody waits is reported by the next turn.
      coming.catch(() => {});
      stopIfAborted(context, "nothing was added");
      shared.set(kernel.mark(run), run * RUN_DOCUMENTS);
    }
    await coming;
    for (const filter of filters) filter.markRecords(rest, shared.subarray(runs * RUN_DOCUMENTS));
    return shared;
  }
}

/** What assembly/mark.ts exports. */
interface KernelExports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  markRun(column: number, filter: number, shift: number, shared: number, bit: number): void;
  readonly heap: Variable;
}

/** The kernel and its memory: a filter for each column, two runs (one is read while the other is looked at), and a byte for each document. */
class Kernel {
  readonly filters: readonly Uint32Array[];
  readonly runs: readonly Uint32Array[];
  readonly #shared: Uint8Array;
  readonly #shift: number;
  readonly #code: KernelExports;

  constructor(given: number) {
    const bits = filterBits(given);
    this.#shift = BEGINNING_BITS - bits;
    this.#code = instantiate<KernelExports>(compile(markCode));
    const { memory, heap } = this.#code;
    let end = Math.ceil(heap.value / 16) * 16;
    const place = (bytes: number) => {
      end += bytes;
      return end - bytes;
    };
    const filters = indexedColumns.map(() => place(2 ** (bits - 3)));
    const runs = [place(RUN_BYTES), place(RUN_BYTES)];
    const shared = place(RUN_DOCUMENTS);
    memory.grow(Math.max(0, Math.ceil((end - memory.buffer.byteLength) / WASM_PAGE_BYTES)));
    this.filters = filters.map((address) => new Uint32Array(memory.buffer, address, 2 ** (bits - 5)));
    this.runs = runs.map((address) => new Uint32Array(memory.buffer, address, RUN_WORDS));
    this.#shared = new Uint8Array(memory.buffer, shared, RUN_DOCUMENTS);
  }

  /** The bits of that run's documents, in memory that the next one takes. */
  mark(run: number): Uint8Array {
    const shared = this.#shared.fill(0);
    for (const [at, column] of indexedColumns.entries()) {
      const address = this.runs[run % 2]!.byteOffset + 4 * at * COLUMN_WORDS;
      this.#code.markRun(address, this.filters[at]!.byteOffset, this.#shift, shared.byteOffset, 1 << column);
    }
    return shared;
  }
}

/**
 * The columns of a run's records, each with its values in ascending order: first where every bucket ends, then the entries, each the rest of a
 * value's beginning and the place of its document.
 */
function inOrder(records: Uint32Array): Uint32Array {
  const columns = new Uint32Array(RUN_WORDS);
  const beginnings = new Uint32Array(RUN_DOCUMENTS);
  const byLow = new Uint32Array(RUN_DOCUMENTS);
  for (const [at, column] of indexedColumns.entries()) {
    const ends = columns.subarray(at * COLUMN_WORDS, at * COLUMN_WORDS + BUCKETS);
    const entries = columns.subarray(at * COLUMN_WORDS + BUCKETS, (at + 1) * COLUMN_WORDS);
    // By the bits of the entry first, then by bucket: each time those that are equal stay in their order.
    const lowEnds = new Uint32Array(1 << ENTRY_BITS);
    for (let place = 0; place < RUN_DOCUMENTS; place++) {
      const beginning = beginningOf(records, place, column);
      beginnings[place] = beginning;
      lowEnds[beginning & (lowEnds.length - 1)]!++;
      ends[beginning >>> ENTRY_BITS]!++;
    }
    toBeginnings(lowEnds);
    toBeginnings(ends);
    for (let place = 0; place < RUN_DOCUMENTS; place++) {
      byLow[lowEnds[beginnings[place]! & (lowEnds.length - 1)]!++] = place;
    }
    // Beginnings of buckets become their ends.
    for (const place of byLow) {
      const beginning = beginnings[place]!;
      entries[ends[beginning >>> ENTRY_BITS]!++] = (beginning << PLACE_BITS) | place;
    }
  }
  return columns;
}

/** Counts become sums of what is before. */
function toBeginnings(counts: Uint32Array): void {
  let before = 0;
  for (let at = 0; at < counts.length; at++) {
    const count = counts[at]!;
    counts[at] = before;
    before += count;
  }
}

/** The first bits of the low word of a value. */
function beginningOf(records: Uint32Array, place: number, column: number): number {
  return records[place * RECORD_WORDS + 2 * column]! >>> (32 - BEGINNING_BITS);
}

/** Of a filter for that many documents, as a power of two: 128 to 256 bits a document, so that one in two hundred other values passes. */
function filterBits(documents: number): number {
  return Math.min(BEGINNING_BITS, Math.max(5, Math.ceil(Math.log2(128 * Math.max(1, documents)))));
}

/** For a column: whether a value may be among those of some documents. */
class ValueFilter {
  /** One for each beginning of a value, of as many bits as do for that many documents. */
  readonly #bits: Uint32Array;
  readonly #shift: number;
  readonly #column: number;

  /** Takes memory of zeros, for `filterBits` of that many documents. */
  constructor(
    { records, documents }: { readonly records: Uint32Array; readonly documents: number },
    column: number,
    bits: Uint32Array,
  ) {
    this.#column = column;
    this.#bits = bits;
    this.#shift = BEGINNING_BITS - filterBits(documents);
    for (let place = 0; place < documents; place++) {
      setBit(this.#bits, beginningOf(records, place, column) >>> this.#shift);
    }
  }

  /** Sets the column's bit for each document whose record has a value that passes. */
  markRecords(records: Uint32Array, shared: Uint8Array): void {
    for (let place = 0; place < shared.length; place++) {
      if (hasBit(this.#bits, beginningOf(records, place, this.#column) >>> this.#shift)) {
        shared[place]! |= 1 << this.#column;
      }
    }
  }
}
