/** Reads a table of aliases: a long file in WebAssembly, whose loops are AssemblyScript (assembly/aliases.ts). */
import { type FileHandle, open } from "node:fs/promises";
import { AliasTable, aliasHead, cellsOfTable, filterShift } from "../../canon/aliases.js";
import { UserError } from "../../errors.js";
import { openInput, readWhole } from "../../input/open.js";
import { createMemory } from "../../wasm/heap.js";
import {
  compileIfPossible,
  instantiate,
  type SharedMemory,
  type Variable,
  WASM_PAGE_BYTES,
} from "../../wasm/module.js";
import { aliasesCode } from "./kernel-code.js";

/** The functions and variables of assembly/aliases.ts. */
interface KernelExports {
  readPairs(start: number, end: number, isLast: boolean, oldest: number, file: number, pairs: number): number;
  fillTable(
    file: number,
    pairs: number,
    count: number,
    slots: number,
    slotCount: number,
    filter: number,
    filterShift: number,
  ): void;
  readonly expired: Variable;
  readonly readEnd: Variable;
}

export interface ReadAliasesOptions {
  /** Compiling the kernel takes longer than reading a shorter file. */
  readonly shortFileBytes: number;
  /** Read while what was read before is looked through. */
  readonly pieceBytes: number;
}

const defaults: ReadAliasesOptions = { shortFileBytes: 1 << 20, pieceBytes: 4 << 20 };
const PAIR_BYTES = 16;
/** Of a pair's line. */
const FEWEST_BYTES = 4;
/** The kernel loads this many bytes at once, also at the end of what there is. */
const SLACK = 16;

/** In memory that threads can share. */
export async function readAliasTable(name: string, nowMs: number, options = defaults): Promise<AliasTable> {
  const { path, compression, sizeBytes = 0 } = await openInput(name);
  const isLong = path !== undefined && compression === "none" && sizeBytes > options.shortFileBytes;
  return (isLong ? await readLong(path, sizeBytes, nowMs, options) : undefined) ?? readPlainly(name, nowMs);
}

async function readPlainly(name: string, nowMs: number): Promise<AliasTable> {
  const allocate = (length: number) => new SharedArrayBuffer(length);
  const { buffer, byteOffset, length } = await readWhole(name, undefined, allocate);
  return AliasTable.read(new Uint8Array(buffer, byteOffset, length), nowMs, name, allocate);
}

/** Undefined where that is not possible here, or where a line is damaged: the other way says which. */
async function readLong(
  path: string,
  length: number,
  nowMs: number,
  { pieceBytes }: ReadAliasesOptions,
): Promise<AliasTable | undefined> {
  const module = compileIfPossible(aliasesCode);
  if (module === undefined) return undefined;
  const file = await open(path);
  try {
    const memory = new GrowingMemory(createMemory());
    const kernel = instantiate<KernelExports>(module, memory.shared);
    const bytesAt = memory.take(length + SLACK);
    const bytes = memory.bytes(bytesAt, length);
    let filled = await fill(file, bytes, 0, pieceBytes);
    const { maxAgeDays, oldest, end: headEnd } = aliasHead(bytes.subarray(0, filled), nowMs, path);
    const pairsAt = memory.end;
    let pairsEnd = pairsAt;
    for (let at = headEnd; at < length; ) {
      // A line longer than two pieces is none.
      if (filled - at > 3 * pieceBytes) return undefined;
      memory.reach(pairsEnd + PAIR_BYTES * Math.ceil((filled - at) / FEWEST_BYTES));
      const more = fill(file, bytes, filled, pieceBytes);
      pairsEnd = kernel.readPairs(bytesAt + at, bytesAt + filled, filled === length, oldest, bytesAt, pairsEnd);
      filled = await more;
      if (pairsEnd === 0) return undefined;
      at = kernel.readEnd.value - bytesAt;
    }
    memory.take(pairsEnd - pairsAt);
    const count = (pairsEnd - pairsAt) / PAIR_BYTES;
    const { cells, words } = cellsOfTable(count);
    const slotsAt = memory.take(4 * cells);
    const filterAt = memory.take(4 * words);
    const filter = memory.words(filterAt, words);
    kernel.fillTable(bytesAt, pairsAt, count, slotsAt, cells / 2, filterAt, filterShift(filter));
    const [places, slots] = [memory.words(pairsAt, 4 * count), memory.words(slotsAt, cells)];
    return new AliasTable({ bytes, places, slots, filter, count, expired: kernel.expired.value, maxAgeDays });
  } catch (error) {
    // More than there are addresses for.
    if (error instanceof RangeError || error instanceof UserError) return undefined;
    throw error;
  } finally {
    await file.close();
  }
}

/** Reads the next piece of the file; gives how much of it is there then. */
async function fill(file: FileHandle, bytes: Uint8Array, filled: number, pieceBytes: number): Promise<number> {
  const end = Math.min(bytes.length, filled + pieceBytes);
  let at = filled;
  while (at < end) {
    const { bytesRead } = await file.read(bytes, at, end - at, at);
    if (bytesRead === 0) throw new RangeError("the file has become shorter");
    at += bytesRead;
  }
  return at;
}

/** Shared memory that is taken from its beginning on, and is empty then. */
class GrowingMemory {
  end = 0;

  constructor(readonly shared: SharedMemory) {}

  /** The address of so many bytes. */
  take(length: number): number {
    const start = this.end;
    this.end += Math.ceil(length / 16) * 16;
    this.reach(this.end);
    return start;
  }

  /** Only addresses: what is not written to takes no memory. */
  reach(end: number): void {
    const more = end - this.shared.buffer.byteLength;
    if (more > 0) this.shared.grow(Math.ceil(more / WASM_PAGE_BYTES));
  }

  bytes(start: number, length: number): Uint8Array {
    return new Uint8Array(this.shared.buffer, start, length);
  }

  words(start: number, length: number): Uint32Array {
    return new Uint32Array(this.shared.buffer, start, length);
  }
}
