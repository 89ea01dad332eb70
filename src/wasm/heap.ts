/** Shared memory for kernels, and typed arrays on it. */
import { UserError } from "../errors.js";
import { type SharedMemory, WASM_PAGE_BYTES, webAssembly } from "./module.js";

/** 4 GB. */
const MOST_PAGES = 0x10000;

/** Only addresses are taken at once, memory when it is written to. But V8 takes 10 GB of them, however small the maximum. */
export function createMemory(maxBytes = MOST_PAGES * WASM_PAGE_BYTES): SharedMemory {
  try {
    return new webAssembly!.Memory({ initial: 0, maximum: maxBytes / WASM_PAGE_BYTES, shared: true });
  } catch (cause) {
    throw new UserError(
      "this process may not have the 10 GB of addresses (not of memory) that WebAssembly takes; allow them (ulimit -v unlimited), or set NODE_OPTIONS=--disable-wasm-trap-handler, which takes fewer",
      { cause },
    );
  }
}

/** Memory is taken in steps of at least this much. */
const STEP_BYTES = 1 << 20;

/**
 * One thread's part of a shared memory: typed arrays on it, whose address is their byteOffset. Every thread grows the memory
 * for itself, so that none needs to know of the others. Contents are whatever was there.
 */
export class Heap {
  /** Free blocks: address and bytes, in no order. */
  readonly #free: { from: number; bytes: number }[] = [];

  constructor(readonly memory: SharedMemory) {}

  words(length: number): Uint32Array {
    const address = this.#take(4 * length);
    return new Uint32Array(this.memory.buffer, address, length);
  }

  bytes(length: number): Uint8Array {
    const address = this.#take(length);
    return new Uint8Array(this.memory.buffer, address, length);
  }

  shorts(length: number): Uint16Array {
    const address = this.#take(2 * length);
    return new Uint16Array(this.memory.buffer, address, length);
  }

  /** The array is not used any more. */
  release(array: Uint8Array | Uint16Array | Uint32Array): void {
    if (array.byteLength > 0) this.#free.push({ from: array.byteOffset, bytes: roundUp(array.byteLength) });
  }

  /** A longer copy of an array on this heap, which is not used any more. */
  grown<T extends Uint8Array | Uint32Array>(array: T, length: number): T {
    const make = array.constructor as new (memory: ArrayBufferLike, address: number, length: number) => T;
    const address = this.#take(array.BYTES_PER_ELEMENT * length);
    const longer = new make(this.memory.buffer, address, length);
    longer.set(array);
    this.release(array);
    return longer;
  }

  #take(wanted: number): number {
    const bytes = roundUp(wanted);
    let block = this.#free.find((free) => free.bytes >= bytes);
    if (block === undefined) {
      block = this.#grow(Math.max(bytes, STEP_BYTES));
      this.#free.push(block);
    }
    const { from } = block;
    block.from += bytes;
    block.bytes -= bytes;
    return from;
  }

  #grow(bytes: number): { from: number; bytes: number } {
    const pages = Math.ceil(bytes / WASM_PAGE_BYTES);
    try {
      return { from: this.memory.grow(pages) * WASM_PAGE_BYTES, bytes: pages * WASM_PAGE_BYTES };
    } catch (cause) {
      throw new UserError(
        "the list is too long: its tokens and their order need more than 4 GB; mine it on disk (--engine duckdb), or in parts (--host, --prefix)",
        { cause },
      );
    }
  }
}

/** Blocks begin at multiples of 16. */
function roundUp(bytes: number): number {
  return Math.ceil(bytes / 16) * 16;
}
