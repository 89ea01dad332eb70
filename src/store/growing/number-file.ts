/** A flat file of numbers, read and written at any place, as this machine keeps them in memory. */
import { type FileHandle, open, rm } from "node:fs/promises";
import { DataError, UserError } from "../../errors.js";
import { PRIVATE_FILE } from "../private.js";

/** The system refuses to move 2 GB. */
const MOST_AT_ONCE = 1 << 30;

export class NumberFile {
  readonly #handle: FileHandle;

  private constructor(
    readonly name: string,
    handle: FileHandle,
  ) {
    this.#handle = handle;
  }

  /** A file that is there and has at least this many bytes. */
  static async open(name: string, bytes: number): Promise<NumberFile> {
    const handle = await open(name, "r+").catch(() => {
      throw new UserError(`${name} cannot be read: it belongs to the file that --add names, and both are needed`);
    });
    const { size } = await handle.stat();
    if (size < bytes) {
      await handle.close();
      throw damaged(name, `it has ${size} bytes, expected ${bytes}`);
    }
    return new NumberFile(name, handle);
  }

  static async create(name: string): Promise<NumberFile> {
    return new NumberFile(name, await open(name, "w+", PRIVATE_FILE));
  }

  /** Fills `numbers` with what begins at that byte. */
  async read(numbers: Uint32Array, start: number): Promise<void> {
    await this.#transfer(numbers, start, async (...place) => (await this.#handle.read(...place)).bytesRead);
  }

  async write(numbers: Uint32Array, start: number): Promise<void> {
    await this.#transfer(numbers, start, async (...place) => (await this.#handle.write(...place)).bytesWritten);
  }

  /** What was written is on the disk itself. */
  async sync(): Promise<void> {
    await this.#handle.sync();
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }

  async remove(): Promise<void> {
    await this.close();
    await rm(this.name, { force: true });
  }

  async #transfer(
    numbers: Uint32Array,
    start: number,
    move: (bytes: Uint8Array, offset: number, length: number, position: number) => Promise<number>,
  ): Promise<void> {
    const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
    for (let done = 0; done < bytes.length; ) {
      const count = await move(bytes, done, Math.min(MOST_AT_ONCE, bytes.length - done), start + done);
      if (count === 0) throw damaged(this.name, "it ends too early");
      done += count;
    }
  }
}

function damaged(name: string, how: string): DataError {
  return new DataError(`${how}: it is damaged; begin a new file with all documents`, name);
}
