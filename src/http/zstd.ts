/**
 * Zstandard (RFC 8878) with bounds: the one place that knows its frames. Node's zlib unpacks where it can (22.15 and
 * later, four times as fast); fzstd does elsewhere, and gives the beginning of data that is damaged or too long, where
 * zlib gives nothing. Both allocate whatever window a frame's header asks for, so the headers are checked first.
 */
import * as zlib from "node:zlib";
import { Decompress } from "fzstd";

/** RFC 9659: what a decoder for HTTP must support, and the most that an encoder may ask for. */
const MAX_HTTP_WINDOW_BYTES = 8 * 1024 * 1024;

const FRAME_MAGIC = 0xfd2fb528;
/** The last hexadecimal digit is free. */
const SKIPPABLE_MAGIC = 0x184d2a50;
/** Magic number, descriptor and the fields that may follow: window, dictionary, size of the content. */
export const MAX_HEADER_BYTES = 18;

/** What the running Node has of zstd; the types of Node 20 lack it. */
const { zstdDecompressSync, createZstdDecompress } = zlib as {
  readonly zstdDecompressSync?: (packed: Uint8Array, options: zlib.ZlibOptions) => Buffer;
  readonly createZstdDecompress?: (options: zlib.ZlibOptions) => zlib.Gunzip;
};
/** One frame as a stream, if the running Node can do that. */
export const createFrameStream = createZstdDecompress;

export const isZstd = (bytes: Uint8Array): boolean => bytes.length >= 4 && uint32(bytes, 0) === FRAME_MAGIC;

export type FrameHeader =
  | { readonly kind: "skippable"; readonly frameBytes: number }
  | {
      readonly kind: "frame";
      readonly headerBytes: number;
      readonly windowBytes: number;
      /** After the last block. */
      readonly checksumBytes: number;
    };

/**
 * The frame that begins at `at`; undefined where the bytes end too early to tell. Throws where no frame begins there.
 */
export function readFrameHeader(bytes: Uint8Array, at = 0): FrameHeader | undefined {
  if (bytes.length - at < 8) return undefined;
  const magic = uint32(bytes, at);
  if ((magic & 0xfffffff0) >>> 0 === SKIPPABLE_MAGIC) {
    return { kind: "skippable", frameBytes: 8 + uint32(bytes, at + 4) };
  }
  if (magic !== FRAME_MAGIC) throw new Error("not a zstd frame");
  const descriptor = bytes[at + 4]!;
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const sizeFlag = descriptor >> 6;
  const sizeBytes = sizeFlag === 0 ? (isSingleSegment ? 1 : 0) : 1 << sizeFlag;
  const headerBytes = 5 + (isSingleSegment ? 0 : 1) + [0, 1, 2, 4][descriptor & 3]! + sizeBytes;
  if (at + headerBytes > bytes.length) return undefined;
  let windowBytes: number;
  if (isSingleSegment) {
    // It needs no window beyond its content, whose size ends the header.
    windowBytes = sizeBytes === 2 ? 256 : 0;
    for (let i = 0; i < sizeBytes; i++) windowBytes += bytes[at + headerBytes - sizeBytes + i]! * 2 ** (8 * i);
  } else {
    const window = bytes[at + 5]!;
    windowBytes = 2 ** (10 + (window >> 3)) * (1 + (window & 7) / 8);
  }
  return { kind: "frame", headerBytes, windowBytes, checksumBytes: descriptor & 4 };
}

/**
 * The length of the block whose three-byte header is at `at`, header included, and whether it is the last of its frame.
 */
export function readBlockHeader(bytes: Uint8Array, at = 0): { readonly blockBytes: number; readonly isLast: boolean } {
  const header = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16);
  const isRunLength = ((header >> 1) & 3) === 1;
  return { blockBytes: 3 + (isRunLength ? 1 : header >> 3), isLast: (header & 1) === 1 };
}

/** A decoder of one frame: it is fed the frame's parts, the last one marked, and hands out what each block holds. */
export function fzstdDecoder(onBytes: (bytes: Uint8Array) => void): (part: Uint8Array, isLast: boolean) => void {
  // fzstd goes on using the buffer that it hands out.
  const decoder = new Decompress((bytes) => bytes.length > 0 && onBytes(bytes.slice()));
  return (part, isLast) => {
    try {
      decoder.push(part, isLast);
    } catch (error) {
      // It trusts what it reads: on damage it runs out of a range or uses something that does not exist.
      if (error instanceof RangeError || error instanceof TypeError) throw new Error("the data is damaged");
      throw error;
    }
  };
}

export interface Unpacked {
  readonly bytes: Uint8Array;
  /** What is wrong with the data after the bytes. */
  readonly damage?: string;
}

/** The first `maxBytes` of the content of a message body's frames, or all of it. */
export function unpackZstd(packed: Uint8Array, maxBytes: number): Unpacked {
  const parts: Uint8Array[] = [];
  let left = maxBytes;
  try {
    for (let at = 0; at < packed.length && left > 0; ) {
      const header = readFrameHeader(packed, at);
      if (header === undefined) throw new Error("it ends within a frame");
      if (header.kind === "skippable") {
        at += header.frameBytes;
        if (at > packed.length) throw new Error("it ends within a frame");
        continue;
      }
      if (header.windowBytes > MAX_HTTP_WINDOW_BYTES) {
        throw new Error(`it asks for a window of ${header.windowBytes} bytes`);
      }
      const end = frameEnd(packed, at + header.headerBytes, header.checksumBytes);
      const frame = packed.subarray(at, end ?? packed.length);
      left -= unpackFrame(frame, end !== undefined, left, (bytes) => parts.push(bytes));
      if (end === undefined && left > 0) throw new Error("it ends within a frame");
      at += frame.length;
    }
  } catch (error) {
    return { bytes: Buffer.concat(parts), damage: (error as Error).message };
  }
  return { bytes: Buffer.concat(parts) };
}

/**
 * Where the frame whose first block is at `at` ends, by its blocks' headers alone; undefined if it ends past the bytes.
 */
function frameEnd(packed: Uint8Array, at: number, checksumBytes: number): number | undefined {
  let block = at;
  while (block + 3 <= packed.length) {
    const { blockBytes, isLast } = readBlockHeader(packed, block);
    block += blockBytes;
    if (isLast) return block + checksumBytes <= packed.length ? block + checksumBytes : undefined;
  }
  return undefined;
}

class Enough extends Error {}

/** Gives at most `maxBytes` of the frame to `onBytes`, and returns how many. */
function unpackFrame(
  frame: Uint8Array,
  isWhole: boolean,
  maxBytes: number,
  onBytes: (bytes: Uint8Array) => void,
): number {
  if (isWhole && zstdDecompressSync !== undefined) {
    try {
      const bytes = zstdDecompressSync(frame, { maxOutputLength: maxBytes, chunkSize: 1 << 17 });
      onBytes(bytes);
      return bytes.length;
    } catch {
      // Damaged or too long: fzstd gives its beginning.
    }
  }
  let left = maxBytes;
  try {
    fzstdDecoder((bytes) => {
      onBytes(bytes.subarray(0, left));
      left -= Math.min(left, bytes.length);
      if (left === 0) throw new Enough();
    })(frame, true);
  } catch (error) {
    // If the frame is cut, that is known already, and its blocks have been handed out.
    if (isWhole && !(error instanceof Enough)) throw error;
  }
  return maxBytes - left;
}

function uint32(bytes: Uint8Array, at: number): number {
  return (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
}
