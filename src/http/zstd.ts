/**
 * Zstandard (RFC 8878) with bounds. fzstd allocates whatever window a frame's header asks for, up to 2 GB, so the
 * headers are read before it sees them; and it decodes block by block, so it can be stopped between two.
 */
import { Decompress } from "fzstd";

/** RFC 9659: what a decoder for HTTP must support, and the most that an encoder may ask for. */
const MAX_WINDOW_BYTES = 8 * 1024 * 1024;

const FRAME_MAGIC = 0xfd2fb528;
/** The last hexadecimal digit is free. */
const SKIPPABLE_MAGIC = 0x184d2a50;

class Enough extends Error {}

/** The first `maxBytes` of what the frames hold, or all of it. Throws where they are damaged. */
export function unpackZstd(packed: Uint8Array, maxBytes: number): Uint8Array {
  checkFrames(Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength));
  const chunks: Uint8Array[] = [];
  let left = maxBytes;
  const stream = new Decompress((chunk) => {
    // fzstd goes on using the buffer that it hands out.
    chunks.push(chunk.slice(0, left));
    left -= Math.min(left, chunk.length);
    if (left === 0) throw new Enough();
  });
  try {
    stream.push(packed, true);
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
  }
  return Buffer.concat(chunks);
}

/** Walks over the frames by their block headers, decoding nothing. */
function checkFrames(packed: Buffer): void {
  let at = 0;
  while (at < packed.length) {
    if (packed.length - at < 8) throw new Error("it ends within a frame");
    const magic = packed.readUInt32LE(at);
    if ((magic & 0xfffffff0) >>> 0 === SKIPPABLE_MAGIC) {
      at += 8 + packed.readUInt32LE(at + 4);
      continue;
    }
    if (magic !== FRAME_MAGIC) throw new Error("it does not begin with a frame");
    at = checkFrame(packed, at + 4);
  }
  if (at > packed.length) throw new Error("it ends within a frame");
}

/** Where the frame whose descriptor is at `start` ends. */
function checkFrame(packed: Buffer, start: number): number {
  const descriptor = packed[start]!;
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3]!;
  const sizeFlag = descriptor >> 6;
  const sizeBytes = sizeFlag === 0 ? (isSingleSegment ? 1 : 0) : 1 << sizeFlag;
  let at = start + 1 + (isSingleSegment ? 0 : 1) + dictionaryBytes;
  if (at + sizeBytes > packed.length) throw new Error("it ends within a frame");

  // A single segment needs no window beyond its content.
  let windowBytes: number;
  if (isSingleSegment) {
    windowBytes =
      sizeBytes === 8
        ? Number(packed.readBigUInt64LE(at))
        : packed.readUIntLE(at, sizeBytes) + (sizeBytes === 2 ? 256 : 0);
  } else {
    const window = packed[start + 1]!;
    windowBytes = 2 ** (10 + (window >> 3)) * (1 + (window & 7) / 8);
  }
  if (windowBytes > MAX_WINDOW_BYTES) throw new Error(`it asks for a window of ${windowBytes} bytes`);

  at += sizeBytes;
  for (;;) {
    if (at + 3 > packed.length) throw new Error("it ends within a frame");
    const header = packed.readUIntLE(at, 3);
    const isRunLength = ((header >> 1) & 3) === 1;
    at += 3 + (isRunLength ? 1 : header >> 3);
    if (header & 1) break;
  }
  return at + (descriptor & 4);
}
