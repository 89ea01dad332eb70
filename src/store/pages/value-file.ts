/**
 * The supershingles of many documents in a flat file beside a DuckDB file, one record of 64 bytes a document. Finding those that may
 * share something with a few new ones means to look at all of them, and from a file that takes a third of the time that an engine's table takes.
 *
 * Records are only appended. How many count is what the DuckDB file says: what an interrupted run left behind them is written over.
 */
import { type FileHandle, open, rm } from "node:fs/promises";
import { DataError, UserError } from "../../errors.js";
import { type JobContext, quietly } from "../../model.js";
import { stopIfAborted } from "../../progress.js";
import { SUPERSHINGLES } from "../../sketch/sketch.js";
import { PRIVATE_FILE } from "../private.js";

/** A record in words of 32 bits: six supershingles and the hash of the URL, low word first, then a root, and one that is free. */
export const RECORD_WORDS = 16;
export const HASH_WORD = 2 * SUPERSHINGLES;
export const ROOT_WORD = HASH_WORD + 2;
const RECORD_BYTES = 4 * RECORD_WORDS;
/** 4 MB at a time. */
const RECORDS_PER_READ = 1 << 16;

/** The records of some documents in a row, in memory that the next block but one takes again. */
export interface RecordBlock {
  readonly records: Uint32Array;
  readonly first: number;
  readonly documents: number;
}

export class ValueFile {
  readonly #handle: FileHandle;

  private constructor(
    readonly name: string,
    readonly documents: number,
    handle: FileHandle,
  ) {
    this.#handle = handle;
  }

  /** The first `documents` records of a file that has at least that many. */
  static async open(name: string, documents: number): Promise<ValueFile> {
    const handle = await open(name, "r+").catch(() => {
      throw new UserError(`${name} cannot be read: it belongs to the file that --add names, and both are needed`);
    });
    const { size } = await handle.stat();
    if (size < documents * RECORD_BYTES) {
      await handle.close();
      throw damaged(name, `it has ${size} bytes, expected ${documents * RECORD_BYTES}`);
    }
    return new ValueFile(name, documents, handle);
  }

  static async create(name: string): Promise<ValueFile> {
    return new ValueFile(name, 0, await open(name, "w+", PRIVATE_FILE));
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }

  async remove(): Promise<void> {
    await this.close();
    await rm(this.name, { force: true });
  }

  /** All records in order. The next ones are read while these are looked at. */
  async *blocks(context: JobContext = quietly): AsyncGenerator<RecordBlock> {
    const buffers = [0, 1].map(() => new Uint32Array(RECORDS_PER_READ * RECORD_WORDS));
    const read = async (first: number, turn: number): Promise<RecordBlock> => {
      const documents = Math.max(0, Math.min(RECORDS_PER_READ, this.documents - first));
      const records = buffers[turn % 2]!;
      await this.#transfer("read", records, first, documents);
      return { records, first, documents };
    };
    let coming = read(0, 0);
    for (let first = 0, turn = 1; first < this.documents; turn++) {
      const block = await coming;
      first += block.documents;
      coming = read(first, turn);
      // What fails while nobody waits is reported by the next call.
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
      await this.#transfer("write", records, first, documents);
    }
    await this.#handle.sync();
  }

  /** Writes records after the last one, to the disk itself, and is the file with them. */
  async append(records: Uint32Array, documents: number): Promise<ValueFile> {
    for (let first = 0; first < documents; first += RECORDS_PER_READ) {
      const some = Math.min(RECORDS_PER_READ, documents - first);
      await this.#transfer("write", records.subarray(first * RECORD_WORDS), this.documents + first, some);
    }
    await this.#handle.sync();
    return new ValueFile(this.name, this.documents + documents, this.#handle);
  }

  async #transfer(way: "read" | "write", words: Uint32Array, first: number, documents: number): Promise<void> {
    const bytes = new Uint8Array(words.buffer, words.byteOffset, documents * RECORD_BYTES);
    const start = first * RECORD_BYTES;
    for (let done = 0; done < bytes.length; ) {
      const [length, at] = [bytes.length - done, start + done];
      const count =
        way === "read"
          ? (await this.#handle.read(bytes, done, length, at)).bytesRead
          : (await this.#handle.write(bytes, done, length, at)).bytesWritten;
      if (count === 0) throw damaged(this.name, "it ends too early");
      done += count;
    }
  }
}

function damaged(name: string, how: string): DataError {
  return new DataError(`${how}: it is damaged; begin a new file with all documents`, name);
}
