/**
 * xz files: streams of LZMA2 blocks, one after the other, with their padding. Checksums other than CRC-32 are not
 * checked: the range coder rarely survives damage for long.
 */
import { crc32 } from "node:zlib";
import { ByteQueue } from "./byte-queue.js";
import { Lzma2Decoder } from "./lzma2.js";

const headerMagic = [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00];
const STREAM_EDGE_BYTES = 12;
/** Bytes of a block's check by its type; type 1 is CRC-32. */
const bytesOfCheck = [0, 4, 4, 4, 8, 8, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64];
const LZMA2_FILTER = 0x21;
/** Presets of xz ask for 64 MB at most, archives packed by hand for more; a header must not make us take 4 GB. */
const MAX_DICTIONARY_BYTES = 2 ** 30;

export async function* unxz(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const input = new ByteQueue(source);
  while (await input.has(1)) {
    // Streams are padded with zeros to multiples of four.
    if (input.byte(0) === 0) {
      input.take(1);
      continue;
    }
    await input.need(STREAM_EDGE_BYTES);
    const header = input.take(STREAM_EDGE_BYTES);
    if (headerMagic.some((byte, i) => header[i] !== byte)) throw new Error("not an xz stream");
    yield* readBlocks(input, header[7]! & 0x0f);
    await skipIndex(input);
    await input.need(STREAM_EDGE_BYTES);
    input.take(STREAM_EDGE_BYTES);
  }
}

async function* readBlocks(input: ByteQueue, checkType: number): AsyncGenerator<Uint8Array> {
  for (;;) {
    await input.need(1);
    // A 0 where a block's header would begin starts the index.
    if (input.byte(0) === 0) return;
    const headerBytes = (input.byte(0) + 1) * 4;
    await input.need(headerBytes);
    const decoder = new Lzma2Decoder(dictionaryBytes(input.take(headerBytes)));
    let crc = 0;
    let compressed = 0;
    for (;;) {
      await input.need(1);
      const chunkHeaderBytes = Lzma2Decoder.headerBytes(input.byte(0));
      if (chunkHeaderBytes === 0) break;
      await input.need(chunkHeaderBytes);
      // Taken together, so that a header is not lost when its queue moves on.
      const dataBytes = Lzma2Decoder.dataBytes(input.peek(chunkHeaderBytes));
      const isCut = !(await input.has(chunkHeaderBytes + dataBytes));
      const header = input.take(chunkHeaderBytes);
      compressed += chunkHeaderBytes + dataBytes;
      for (const output of decoder.decode(header, input.take(Math.min(dataBytes, input.length)), isCut)) {
        if (checkType === 1) crc = crc32(output, crc);
        if (output.length > 0) yield output;
      }
      if (isCut) throw new Error("unexpected end of file");
    }
    compressed++;
    await input.skip(1 + ((4 - (compressed % 4)) % 4));
    const checkBytes = bytesOfCheck[checkType]!;
    await input.need(checkBytes);
    if (checkType === 1 && input.uint32(0) !== crc) throw new Error("the xz checksum does not match");
    input.take(checkBytes);
  }
}

/** From a block's header, which names the filters. */
function dictionaryBytes(header: Uint8Array): number {
  const flags = header[1]!;
  let at = 2;
  const number = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = header[at++] ?? 0;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  };
  if ((flags & 0x40) !== 0) number();
  if ((flags & 0x80) !== 0) number();
  if ((flags & 3) !== 0 || number() !== LZMA2_FILTER || number() !== 1) {
    throw new Error("the xz file uses filters that are not supported");
  }
  const size = header[at]!;
  const bytes = (2 + (size & 1)) * 2 ** (Math.floor(size / 2) + 11);
  if (size > 40 || bytes > MAX_DICTIONARY_BYTES) {
    throw new Error(`the xz dictionary is larger than ${MAX_DICTIONARY_BYTES / 2 ** 20} MB`);
  }
  return bytes;
}

async function skipIndex(input: ByteQueue): Promise<void> {
  let bytes = 1;
  const number = async () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      await input.need(1);
      const byte = input.next();
      bytes++;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  };
  await input.skip(1);
  const records = await number();
  for (let i = 0; i < 2 * records; i++) await number();
  await input.skip(((4 - (bytes % 4)) % 4) + 4);
}
