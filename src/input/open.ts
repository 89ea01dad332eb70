/**
 * Opens a file or standard input as a stream of decompressed bytes. The compression is recognised by the first bytes, not by
 * the name: rotation names files as it likes. Everything streams, so a compressed bomb takes time, but no memory.
 */
import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { DataError, UserError } from "../errors.js";
import { inTurns } from "../progress.js";
import { asUtf8, utf16Of } from "./utf16.js";

/** The coding that must be undone before the bytes can be read; UTF-16 is one such coding. */
export type Compression = "none" | "utf-16" | "gzip" | "zstd" | "bzip2" | "xz";

type Decompress = (source: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;

/** Loaded where an input needs one. */
const decompressors: Record<Exclude<Compression, "none" | "utf-16">, () => Promise<Decompress>> = {
  gzip: async () => (await import("./decompress/gzip.js")).gunzip,
  zstd: async () => (await import("./decompress/zstd.js")).unzstd,
  bzip2: async () => (await import("./decompress/bzip2.js")).bunzip2,
  xz: async () => (await import("./decompress/xz.js")).unxz,
};

/** How much of the decompressed input format detection sees. */
export const SAMPLE_BYTES = 1 << 16;
/** Compressed bytes that are sure to hold the first decompressed ones: a bzip2 block comes out whole or not at all. */
const COMPRESSED_HEAD_BYTES = 1 << 20;
const READ_BYTES = 1 << 20;

export interface Input {
  /** As the user gave it; "-" for standard input. */
  readonly name: string;
  /** Absent for standard input. */
  readonly path?: string;
  readonly compression: Compression;
  /** Bytes of the file as it is, compressed or not. Absent for pipes. */
  readonly sizeBytes?: number;
  /** The first decompressed bytes, SAMPLE_BYTES at most. */
  readonly sample: Uint8Array;
  /** Bytes read so far, compressed or not: against sizeBytes for progress. */
  bytesRead(): number;
  /** The bytes as they are in the file. A stream is read once: either this or chunks(). */
  raw(): AsyncIterable<Uint8Array>;
  /**
   * The decompressed bytes. A file that is cut or damaged ends here where it can no longer be read, and
   * onDamage receives the reason and how many decompressed bytes came before.
   */
  chunks(onDamage: (reason: string, offset: number) => void): AsyncIterable<Uint8Array>;
}

/** Standard input as a byte stream; an argument so that tests need no pipe. */
export type StandardInput = AsyncIterable<Uint8Array>;

export async function openInput(name: string, standardInput: StandardInput = process.stdin): Promise<Input> {
  if (name === "-") {
    const source = standardInput[Symbol.asyncIterator]();
    // Kept apart from the rest: format detection needs it before anything is read.
    const head = await readHead(source);
    return await describe({ name }, head, async function* () {
      yield head;
      yield* { [Symbol.asyncIterator]: () => source };
    });
  }
  const file = await stat(name).catch((error: NodeJS.ErrnoException) => {
    if (/^https?:\/\//i.test(name)) {
      throw new UserError(`${name} is no file: "dustpan crawl ${name}" fetches the pages of a site`);
    }
    throw new UserError(`${name} cannot be read: ${error.code === "ENOENT" ? "no such file" : error.message}`);
  });
  if (file.isDirectory()) throw new UserError(`${name} is a folder: name files, or a pattern such as ${name}/*.log`);
  // A FIFO or a device can be read only once: like standard input.
  if (!file.isFile()) return { ...(await openInput("-", createReadStream(name))), name };
  const handle = await open(name);
  const head = Buffer.alloc(Math.min(file.size, COMPRESSED_HEAD_BYTES));
  const { bytesRead } = await handle.read(head, 0, head.length, 0).finally(() => handle.close());
  return await describe({ name, path: name, sizeBytes: file.size }, head.subarray(0, bytesRead), () =>
    createReadStream(name, { highWaterMark: READ_BYTES }),
  );
}

/** All of a file, or of standard input, decompressed, in memory from `allocate`; damage is an error. */
export async function readWhole(
  name: string,
  standardInput?: StandardInput,
  allocate: (length: number) => ArrayBufferLike = (length) => new ArrayBuffer(length),
): Promise<Buffer> {
  const input = await openInput(name, standardInput);
  const { path, compression, sizeBytes } = input;
  if (path !== undefined && compression === "none" && sizeBytes !== undefined) {
    return readPlain(path, Buffer.from(allocate(sizeBytes)));
  }
  const broken = (reason: string, offset: number) => {
    throw new DataError(reason, `${name}, byte ${offset}`);
  };
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of input.chunks(broken)) {
    chunks.push(chunk);
    length += chunk.length;
  }
  const whole = Buffer.from(allocate(length));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/** A file's first bytes, as many as fit into `memory`; fewer if the file is made shorter meanwhile. */
async function readPlain(path: string, memory: Buffer): Promise<Buffer> {
  const file = await open(path);
  try {
    let length = 0;
    while (length < memory.length) {
      const { bytesRead } = await file.read(memory, length, memory.length - length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return memory.subarray(0, length);
  } finally {
    await file.close();
  }
}

export function compressionOf(head: Uint8Array): Exclude<Compression, "utf-16"> {
  const starts = (...magic: number[]) => magic.every((byte, i) => head[i] === byte);
  if (starts(0x1f, 0x8b, 0x08)) return "gzip";
  if (starts(0x28, 0xb5, 0x2f, 0xfd)) return "zstd";
  // A skippable frame: pzstd and the seekable format begin with one.
  if (head[0]! >> 4 === 5 && head[1] === 0x2a && head[2] === 0x4d && head[3] === 0x18) return "zstd";
  if (starts(0x42, 0x5a, 0x68) && head[3]! >= 0x31 && head[3]! <= 0x39 && head[4] === 0x31) return "bzip2";
  if (starts(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00)) return "xz";
  return "none";
}

async function describe(
  about: Pick<Input, "name" | "path" | "sizeBytes">,
  head: Uint8Array,
  open: () => AsyncIterable<Uint8Array>,
): Promise<Input> {
  const packed = compressionOf(head);
  const beginning = await sampleOf(head, packed);
  const encoding = utf16Of(beginning);
  const compression = packed === "none" && encoding !== undefined ? "utf-16" : packed;
  let bytesRead = 0;
  async function* raw() {
    // Bytes read a second time (to recognise an input) do not count twice.
    bytesRead = 0;
    for await (const chunk of open()) {
      bytesRead += chunk.length;
      yield chunk;
    }
  }
  return {
    ...about,
    compression,
    sample:
      encoding === undefined
        ? beginning
        : Buffer.from(new TextDecoder(encoding).decode(beginning)).subarray(0, SAMPLE_BYTES),
    bytesRead: () => bytesRead,
    raw,
    async *chunks(onDamage) {
      let offset = 0;
      try {
        const plain = decompress(raw(), packed);
        for await (const chunk of inTurns(encoding === undefined ? plain : asUtf8(plain, encoding))) {
          offset += chunk.length;
          yield chunk;
        }
      } catch (error) {
        // The disk's errors are not the file's.
        if (packed === "none" || (error instanceof Error && "syscall" in error)) throw error;
        onDamage(`${packed}: ${error instanceof Error ? error.message : String(error)}`, offset);
      }
    },
  };
}

type Packing = Exclude<Compression, "utf-16">;

async function* decompress(source: AsyncIterable<Uint8Array>, compression: Packing): AsyncGenerator<Uint8Array> {
  if (compression === "none") yield* source;
  else yield* (await decompressors[compression]())(source);
}

async function readHead(source: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  let wanted = SAMPLE_BYTES;
  while (length < wanted) {
    const { done, value } = await source.next();
    if (done) break;
    chunks.push(value);
    length += value.length;
    if (compressionOf(chunks[0]!) !== "none") wanted = COMPRESSED_HEAD_BYTES;
  }
  return Buffer.concat(chunks);
}

/** The head is cut at an arbitrary place, so an error at its end means nothing. */
async function sampleOf(head: Uint8Array, compression: Packing): Promise<Uint8Array> {
  if (compression === "none") return head.subarray(0, SAMPLE_BYTES);
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of decompress(once(head), compression)) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= SAMPLE_BYTES) break;
    }
  } catch {
    // What came out before the error is the sample.
  }
  return Buffer.concat(chunks).subarray(0, SAMPLE_BYTES);
}

async function* once(chunk: Uint8Array): AsyncGenerator<Uint8Array> {
  yield chunk;
}
