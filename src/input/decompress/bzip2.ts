/**
 * bzip2, several times as fast as the packages, and with bounded memory: a block of 900 KB can stand for 45 MB of
 * zeros, which come out in pieces. Concatenated streams are read one after the other.
 */
import { ByteQueue } from "./byte-queue.js";

/** No compressed block is longer: 900,000 symbols of at most 20 bits would be, but the compressor never writes them. */
const MAX_BLOCK_BYTES = 2_400_000;
const OUTPUT_BYTES = 1 << 16;
const BLOCK_MAGIC = 0x314159265359;
const END_MAGIC = 0x177245385090;
const GROUP_SYMBOLS = 50;
const MAX_CODE_BITS = 20;

export async function* bunzip2(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const input = new ByteQueue(source);
  // Small streams come by the thousand, and a table for each would take longer than all else.
  let block = new Uint32Array(0);
  while (await input.has(1)) {
    if (!(await input.has(14))) throw new Error("unexpected end of file");
    const level = input.byte(3) - 0x30;
    if (input.byte(0) !== 0x42 || input.byte(1) !== 0x5a || input.byte(2) !== 0x68 || level < 1 || level > 9) {
      throw new Error("not a bzip2 stream");
    }
    input.take(4);
    if (block.length !== level * 100_000) block = new Uint32Array(level * 100_000);
    let streamCrc = 0;
    for (const bits = new Bits(input); ; ) {
      await input.has(MAX_BLOCK_BYTES);
      const magic = bits.read(24) * 2 ** 24 + bits.read(24);
      const crc = (bits.read(16) * 0x10000 + bits.read(16)) >>> 0;
      if (magic === END_MAGIC) {
        if (crc !== streamCrc) throw new Error("the bzip2 checksum does not match");
        bits.release();
        break;
      }
      if (magic !== BLOCK_MAGIC) throw new Error("not a bzip2 block");
      const blockCrc = yield* decodeBlock(bits, block);
      if (blockCrc !== crc) throw new Error("the bzip2 checksum does not match");
      streamCrc = (((streamCrc << 1) | (streamCrc >>> 31)) ^ crc) >>> 0;
    }
  }
}

/** Most significant bit first, over bytes that the queue already has. */
class Bits {
  #value = 0;
  #count = 0;

  constructor(readonly input: ByteQueue) {}

  /** At most 24 bits. */
  read(count: number): number {
    while (this.#count < count) {
      if (this.input.length === 0) throw new Error("unexpected end of file");
      this.#value = ((this.#value & 0xffffff) << 8) | this.input.next();
      this.#count += 8;
    }
    this.#count -= count;
    return (this.#value >>> this.#count) & ((1 << count) - 1);
  }

  /** Drops the rest of the last byte. */
  release(): void {
    this.#count = 0;
  }
}

/** One block's bytes; returns their checksum. */
function* decodeBlock(bits: Bits, block: Uint32Array): Generator<Uint8Array, number> {
  if (bits.read(1) === 1) throw new Error("randomised bzip2 blocks are not supported");
  const origin = bits.read(24);
  const length = readSymbols(bits, block);
  if (origin >= length) throw new Error("a bzip2 block begins beyond its end");
  invertTransform(block, length);

  // Runs: four equal bytes are followed by a count of further ones.
  const output = new Uint8Array(OUTPUT_BYTES);
  let used = 0;
  let crc = -1;
  let run = 0;
  let previous = -1;
  let at = block[origin]! >>> 8;
  for (let i = 0; i < length; i++) {
    const entry = block[at]!;
    const byte = entry & 0xff;
    at = entry >>> 8;
    let repeat = 1;
    if (run === 4) {
      repeat = byte;
      run = 0;
    } else {
      run = byte === previous ? run + 1 : 1;
      previous = byte;
    }
    for (; repeat > 0; repeat--) {
      crc = (crc << 8) ^ crcTable[(crc >>> 24) ^ previous]!;
      output[used++] = previous;
      if (used === OUTPUT_BYTES) {
        yield output.slice();
        used = 0;
      }
    }
    if (run === 0) previous = -1;
  }
  if (used > 0) yield output.slice(0, used);
  return ~crc >>> 0;
}

/** Huffman codes, run lengths of zeros and move-to-front: fills the low bytes of the block and gives its length. */
function readSymbols(bits: Bits, block: Uint32Array): number {
  const ranges = bits.read(16);
  const front: number[] = [];
  for (let i = 0; i < 16; i++) {
    if ((ranges & (0x8000 >> i)) === 0) continue;
    const used = bits.read(16);
    for (let j = 0; j < 16; j++) if ((used & (0x8000 >> j)) !== 0) front.push(i * 16 + j);
  }
  const symbols = front.length + 2;
  const tableCount = bits.read(3);
  const selectorCount = bits.read(15);
  if (front.length === 0 || tableCount < 2 || tableCount > 6 || selectorCount === 0) throw badBlock();
  const selectors = readSelectors(bits, tableCount, selectorCount);
  const tables = Array.from({ length: tableCount }, () => readTable(bits, symbols));

  let length = 0;
  let runLength = 0;
  let runBit = 1;
  let group = 0;
  let left = 0;
  let table = tables[0]!;
  for (;;) {
    if (left === 0) {
      if (group === selectorCount) throw badBlock();
      table = tables[selectors[group++]!]!;
      left = GROUP_SYMBOLS;
    }
    left--;
    const symbol = table.read(bits);
    if (symbol <= 1) {
      // Bijective base 2, least digit first: RUNA is 1, RUNB is 2.
      runLength += runBit << symbol;
      runBit *= 2;
      if (runLength > block.length) throw badBlock();
      continue;
    }
    if (runLength > 0) {
      if (length + runLength > block.length) throw badBlock();
      block.fill(front[0]!, length, length + runLength);
      length += runLength;
      runLength = 0;
      runBit = 1;
    }
    if (symbol === symbols - 1) return length;
    if (length === block.length) throw badBlock();
    const byte = front[symbol - 1]!;
    front.copyWithin(1, 0, symbol - 1);
    front[0] = byte;
    block[length++] = byte;
  }
}

function readSelectors(bits: Bits, tableCount: number, count: number): Uint8Array {
  const front = [0, 1, 2, 3, 4, 5];
  const selectors = new Uint8Array(count);
  for (let i = 0; i < count; i++) {
    let j = 0;
    while (bits.read(1) === 1) if (++j >= tableCount) throw badBlock();
    const [selected] = front.splice(j, 1);
    front.unshift(selected!);
    selectors[i] = selected!;
  }
  return selectors;
}

function readTable(bits: Bits, symbols: number): HuffmanTable {
  const lengths = new Uint8Array(symbols);
  let length = bits.read(5);
  for (let i = 0; i < symbols; i++) {
    while (bits.read(1) === 1) {
      length += bits.read(1) === 0 ? 1 : -1;
      if (length < 1 || length > MAX_CODE_BITS) throw badBlock();
    }
    if (length < 1 || length > MAX_CODE_BITS) throw badBlock();
    lengths[i] = length;
  }
  return new HuffmanTable(lengths);
}

/** Canonical codes: those of one length are consecutive, in the order of their symbols. */
class HuffmanTable {
  /** Largest code of each length, left-aligned comparisons avoided; -1 where there is none. */
  readonly #limit = new Int32Array(MAX_CODE_BITS + 2).fill(-1);
  /** What to subtract from a code of that length to get an index into #symbols. */
  readonly #base = new Int32Array(MAX_CODE_BITS + 2);
  readonly #symbols: Uint16Array;
  readonly #minLength: number;

  constructor(lengths: Uint8Array) {
    this.#symbols = new Uint16Array(lengths.length);
    this.#minLength = lengths.reduce((a, b) => Math.min(a, b));
    let code = 0;
    let index = 0;
    for (let length = this.#minLength; length <= MAX_CODE_BITS; length++) {
      this.#base[length] = code - index;
      for (let symbol = 0; symbol < lengths.length; symbol++) {
        if (lengths[symbol] !== length) continue;
        this.#symbols[index++] = symbol;
        this.#limit[length] = code++;
      }
      code <<= 1;
    }
  }

  read(bits: Bits): number {
    let code = bits.read(this.#minLength);
    for (let length = this.#minLength; length <= MAX_CODE_BITS; length++) {
      if (code <= this.#limit[length]!) {
        const index = code - this.#base[length]!;
        if (index < 0 || index >= this.#symbols.length) throw badBlock();
        return this.#symbols[index]!;
      }
      code = (code << 1) | bits.read(1);
    }
    throw badBlock();
  }
}

/** Burrows-Wheeler: the upper 24 bits of each entry become the place of the next byte. */
function invertTransform(block: Uint32Array, length: number): void {
  const starts = new Uint32Array(257);
  for (let i = 0; i < length; i++) starts[(block[i]! & 0xff) + 1]!++;
  for (let i = 0; i < 256; i++) starts[i + 1]! += starts[i]!;
  for (let i = 0; i < length; i++) {
    const to = starts[block[i]! & 0xff]!++;
    block[to] = ((block[to]! & 0xff) | (i << 8)) >>> 0;
  }
}

function badBlock(): Error {
  return new Error("a bzip2 block is damaged");
}

/** CRC-32 of bzip2: most significant bit first. */
const crcTable = Int32Array.from({ length: 256 }, (_, i) => {
  let crc = i << 24;
  for (let bit = 0; bit < 8; bit++) crc = crc < 0 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
  return crc;
});
