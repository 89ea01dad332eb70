/**
 * The records of many documents in a flat file beside a DuckDB file, and their values in order beside that (value-index.ts). To find those
 * that share something with a few new ones, all have to be looked at, which takes a third of the time in a file that it takes in an engine's table.
 *
 * Records are only appended. The DuckDB file says how many count: what an interrupted run left after them is overwritten.
 */
import { type JobContext, quietly } from "../../model.js";
import { stopIfAborted } from "../../progress.js";
import { NumberFile } from "./number-file.js";
import { RECORD_WORDS, ROOT_WORD } from "./record.js";
import { RUN_DOCUMENTS, ValueIndex, wholeRuns } from "./value-index.js";

const RECORD_BYTES = 4 * RECORD_WORDS;
/** 1 MB at a time: what was read is still in the processor's cache when it is looked at. With four times as much that took a third longer. */
const RECORDS_PER_READ = 1 << 14;

/** The records of some documents in a row, in memory that the next block but one takes again. */
export interface RecordBlock {
  readonly records: Uint32Array;
  readonly first: number;
  readonly documents: number;
}

export class ValueFile {
  readonly #file: NumberFile;
  readonly #index: ValueIndex;

  private constructor(
    readonly documents: number,
    file: NumberFile,
    index: ValueIndex,
  ) {
    this.#file = file;
    this.#index = index;
  }

  /** The first `documents` records of a file that has at least that many. */
  static async open(name: string, documents: number): Promise<ValueFile> {
    const file = await NumberFile.open(name, documents * RECORD_BYTES);
    try {
      return new ValueFile(documents, file, await ValueIndex.open(indexName(name), documents));
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  static async create(name: string): Promise<ValueFile> {
    return new ValueFile(0, await NumberFile.create(name), await ValueIndex.create(indexName(name)));
  }

  get name(): string {
    return this.#file.name;
  }

  async close(): Promise<void> {
    await this.#file.close();
    await this.#index.close();
  }

  async remove(): Promise<void> {
    await this.#file.remove();
    await this.#index.remove();
  }

  /** All records in order. The next ones are read while these are looked at. */
  async *blocks(context: JobContext = quietly): AsyncGenerator<RecordBlock> {
    const buffers = [0, 1].map(() => new Uint32Array(RECORDS_PER_READ * RECORD_WORDS));
    const read = async (first: number, turn: number): Promise<RecordBlock> => {
      const documents = Math.max(0, Math.min(RECORDS_PER_READ, this.documents - first));
      const records = buffers[turn % 2]!;
      await this.#file.read(records.subarray(0, documents * RECORD_WORDS), first * RECORD_BYTES);
      return { records, first, documents };
    };
    let coming = read(0, 0);
    for (let first = 0, turn = 1; first < this.documents; turn++) {
      const block = await coming;
      first += block.documents;
      coming = read(first, turn);
      // A failure while nobody waits is reported by the next call.
      coming.catch(() => {});
      stopIfAborted(context, "nothing was added");
      yield block;
    }
    await coming;
  }

  /** Puts another root into every record. */
  async rewriteRoots(rootOf: (root: number, document: number) => number): Promise<void> {
    for await (const { records, first, documents } of this.blocks()) {
      for (let row = 0; row < documents; row++) {
        const at = row * RECORD_WORDS + ROOT_WORD;
        records[at] = rootOf(records[at]!, first + row);
      }
      await this.#file.write(records.subarray(0, documents * RECORD_WORDS), first * RECORD_BYTES);
    }
    await this.#file.sync();
  }

  /** Writes records after the last one, to the disk itself; from then on they belong to the file. */
  async append(records: Uint32Array, documents: number): Promise<ValueFile> {
    await this.#file.write(records.subarray(0, documents * RECORD_WORDS), this.documents * RECORD_BYTES);
    await this.#file.sync();
    const now = this.documents + documents;
    const runs = wholeRuns(this.documents);
    for (let run = runs; run < wholeRuns(now); run++) {
      await this.#index.write(run, await this.#records(run * RUN_DOCUMENTS, RUN_DOCUMENTS));
    }
    if (wholeRuns(now) > runs) await this.#index.sync();
    return new ValueFile(now, this.#file, this.#index);
  }

  /** For each document the columns in which it has a value of the given ones, as bits. */
  async sharedColumns(
    given: { readonly records: Uint32Array; readonly documents: number },
    context: JobContext,
  ): Promise<Uint8Array> {
    const first = wholeRuns(this.documents) * RUN_DOCUMENTS;
    const rest = await this.#records(first, this.documents - first);
    return this.#index.sharedColumns(given, this.documents, rest, context);
  }

  async #records(first: number, documents: number): Promise<Uint32Array> {
    const records = new Uint32Array(documents * RECORD_WORDS);
    await this.#file.read(records, first * RECORD_BYTES);
    return records;
  }
}

function indexName(name: string): string {
  return `${name}.index`;
}
