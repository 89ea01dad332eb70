/**
 * zstd by fzstd, one block at a time: a block makes at most 128 KB, so whatever a frame holds, little is in memory.
 * The frame and block headers (RFC 8878, section 3.1) are read here to find the blocks.
 */
import { Decompress } from "fzstd";
import { ByteQueue } from "./byte-queue.js";

const MAGIC = 0xfd2fb528;
const SKIPPABLE = 0x184d2a50;
/** What the zstd command refuses too unless it is told otherwise (--long=27). */
const MAX_WINDOW_BYTES = 2 ** 27;

export async function* unzstd(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const input = new ByteQueue(source);
  while (await input.has(1)) {
    if (!(await input.has(8))) throw new Error("unexpected end of file");
    const magic = input.uint32(0);
    if ((magic & 0xfffffff0) >>> 0 === SKIPPABLE) {
      await input.skip(8 + input.uint32(4));
      continue;
    }
    if (magic !== MAGIC) throw new Error("not a zstd frame");
    yield* frame(input);
  }
}

async function* frame(input: ByteQueue): AsyncGenerator<Uint8Array> {
  let output: Uint8Array[] = [];
  const decompress = new Decompress((data) => {
    if (data.length > 0) output.push(data);
  });
  const descriptor = input.byte(4);
  const singleSegment = (descriptor & 0x20) !== 0;
  const sizeFlag = descriptor >> 6;
  const sizeBytes = sizeFlag === 0 ? (singleSegment ? 1 : 0) : 1 << sizeFlag;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3]!;
  const headerBytes = 5 + (singleSegment ? 0 : 1) + dictionaryBytes + sizeBytes;
  await input.need(headerBytes);
  if (windowBytes(input, singleSegment, headerBytes - sizeBytes, sizeBytes) > MAX_WINDOW_BYTES) {
    throw new Error(`the zstd window is larger than ${MAX_WINDOW_BYTES / 2 ** 20} MB`);
  }
  decompress.push(input.take(headerBytes));
  for (let last = false; !last; ) {
    await input.need(3);
    const header = input.byte(0) | (input.byte(1) << 8) | (input.byte(2) << 16);
    last = (header & 1) === 1;
    const runLength = ((header >> 1) & 3) === 1;
    const bytes = 3 + (runLength ? 1 : header >> 3);
    await input.need(bytes);
    decompress.push(input.take(bytes));
    yield* output;
    output = [];
  }
  if ((descriptor & 4) !== 0) {
    await input.need(4);
    decompress.push(input.take(4));
  }
  decompress.push(new Uint8Array(0), true);
  yield* output;
}

function windowBytes(input: ByteQueue, singleSegment: boolean, sizeAt: number, sizeBytes: number): number {
  if (!singleSegment) {
    const base = 2 ** (10 + (input.byte(5) >> 3));
    return base + (base / 8) * (input.byte(5) & 7);
  }
  let size = sizeBytes === 2 ? 256 : 0;
  for (let i = 0; i < sizeBytes; i++) size += input.byte(sizeAt + i) * 2 ** (8 * i);
  return size;
}
