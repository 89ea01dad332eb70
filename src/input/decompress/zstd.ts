/**
 * zstd files, one block at a time: a block makes at most 128 KB, so whatever a frame holds, little is in memory. Node's zlib
 * stops after one frame, so the frames are found here for both decoders.
 */
import {
  createFrameStream,
  fzstdDecoder,
  MAX_HEADER_BYTES,
  readBlockHeader,
  readFrameHeader,
} from "../../http/zstd.js";
import { ByteQueue } from "./byte-queue.js";
import { CHUNK_BYTES, unpackBy } from "./unpacker.js";

/** The zstd command, too, refuses more unless told otherwise (--long=27). */
const MAX_WINDOW_BYTES = 2 ** 27;

export async function* unzstd(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const input = new ByteQueue(source);
  while (await input.has(1)) {
    await input.has(MAX_HEADER_BYTES);
    const header = readFrameHeader(input.peek(MAX_HEADER_BYTES));
    if (header === undefined) throw new Error("unexpected end of file");
    if (header.kind === "skippable") {
      await input.skip(header.frameBytes);
      continue;
    }
    if (header.windowBytes > MAX_WINDOW_BYTES) {
      throw new Error(`the zstd window is larger than ${MAX_WINDOW_BYTES / 2 ** 20} MB`);
    }
    await input.need(header.headerBytes + 3);
    // Making a stream costs more than unpacking one block: archives have a frame for each record.
    const isShort = readBlockHeader(input.peek(header.headerBytes + 3), header.headerBytes).isLast;
    const parts = frameParts(input, header.headerBytes, header.checksumBytes);
    yield* isShort || createFrameStream === undefined
      ? unpackByFzstd(parts)
      : unpackBy(createFrameStream({ chunkSize: CHUNK_BYTES }), parts);
  }
}

/** A frame's header, its blocks and its checksum. */
async function* frameParts(input: ByteQueue, headerBytes: number, checksumBytes: number): AsyncGenerator<Uint8Array> {
  yield input.take(headerBytes);
  for (let isLast = false; !isLast; ) {
    await input.need(3);
    const block = readBlockHeader(input.peek(3));
    await input.need(block.blockBytes);
    yield input.take(block.blockBytes);
    isLast = block.isLast;
  }
  await input.need(checksumBytes);
  yield input.take(checksumBytes);
}

async function* unpackByFzstd(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let output: Uint8Array[] = [];
  const decode = fzstdDecoder((bytes) => output.push(bytes));
  for await (const part of parts) {
    decode(part, false);
    yield* output;
    output = [];
  }
  decode(new Uint8Array(0), true);
  yield* output;
}
