/**
 * gzip, member by member (RFC 1952). Each is inflated by Node's zlib on a thread of its own, as raw deflate: Node's
 * gunzip drops what it has inflated of a piece if bytes that are not gzip follow in that piece.
 */
import { crc32, createInflateRaw } from "node:zlib";
import { gzipHeaderLength } from "./gzip-header.js";
import { CHUNK_BYTES, Unpacker, WRITE_BYTES } from "./unpacker.js";

const TRAILER_BYTES = 8;
/** A longer header is not valid: file names and comments are short. */
const MAX_HEADER_BYTES = 1 << 17;

/**
 * Everything that can be inflated comes out before the error of a cut or damaged file does: piping would drop what is
 * still buffered. Each compressed chunk is written only when the last one's output has been taken, so that a bomb
 * does not fill the memory.
 */
export async function* gunzip(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const bytes = new Unread(source);
  try {
    for (let isFirst = true; await bytes.fill(1); isFirst = false) {
      let header = gzipHeaderLength(bytes.rest);
      while (
        header === undefined &&
        bytes.rest.length < MAX_HEADER_BYTES &&
        (await bytes.fill(bytes.rest.length + 1))
      ) {
        header = gzipHeaderLength(bytes.rest);
      }
      if (header === undefined) throw new Error("unexpected end of file");
      if (header === 0) {
        // Tapes and block devices pad with zeros.
        if (!isFirst && (await bytes.areAllZero())) return;
        throw new Error(isFirst ? "incorrect header check" : "what follows is not gzip, and was left out");
      }
      bytes.take(header);
      yield* inflate(bytes);
    }
  } finally {
    await bytes.close();
  }
}

/** The plain bytes of the member whose header has been taken; takes the member. */
async function* inflate(bytes: Unread): AsyncGenerator<Uint8Array> {
  const inflater = createInflateRaw({ chunkSize: CHUNK_BYTES });
  const unpacker = new Unpacker(inflater);
  let checksum = 0;
  let plainBytes = 0;
  async function* checked(output: AsyncGenerator<Buffer>) {
    for await (const chunk of output) {
      checksum = crc32(chunk, checksum);
      plainBytes += chunk.length;
      yield chunk;
    }
  }
  try {
    for (let isWhole = false; !isWhole && (await bytes.fill(1)); ) {
      const before = inflater.bytesWritten;
      const piece = Buffer.from(bytes.rest.subarray(0, WRITE_BYTES));
      yield* checked(unpacker.write(piece));
      // The stream may end within the piece; what comes after it is not part of the member.
      const taken = inflater.bytesWritten - before;
      bytes.take(taken);
      isWhole = taken < piece.length || unpacker.ended;
    }
    yield* checked(unpacker.end());
  } finally {
    inflater.destroy();
  }
  if (!(await bytes.fill(TRAILER_BYTES))) throw new Error("unexpected end of file");
  const trailer = bytes.take(TRAILER_BYTES);
  if (trailer.readUInt32LE(0) !== checksum) throw new Error("incorrect data check");
  if (trailer.readUInt32LE(4) !== plainBytes % 2 ** 32) throw new Error("incorrect length check");
}

/** Bytes that have arrived and were not taken yet. */
class Unread {
  rest: Buffer = Buffer.alloc(0);
  readonly #source: AsyncIterator<Uint8Array>;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Reads until there are `count` bytes; false where the source ends earlier. */
  async fill(count: number): Promise<boolean> {
    while (this.rest.length < count) {
      const { value, done } = await this.#source.next();
      if (done) return false;
      const chunk = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
      this.rest = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    }
    return true;
  }

  take(count: number): Buffer {
    const taken = this.rest.subarray(0, count);
    this.rest = this.rest.subarray(count);
    return taken;
  }

  async areAllZero(): Promise<boolean> {
    for (; await this.fill(1); this.take(this.rest.length)) if (this.rest.some((byte) => byte !== 0)) return false;
    return true;
  }

  async close(): Promise<void> {
    await this.#source.return?.();
  }
}
