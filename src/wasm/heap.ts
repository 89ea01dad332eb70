import { UserError } from "../errors.js";
import { MOST_PAGES } from "./assembler.js";

/** The part of WebAssembly's JavaScript interface that is used here; TypeScript has it only among the browser's types. */
interface WebAssemblyInterface {
  readonly Module: new (code: Uint8Array<ArrayBuffer>) => WasmModule;
  readonly Instance: new (
    module: WasmModule,
    imports: { readonly imports: Readonly<Record<string, unknown>> },
  ) => { readonly exports: Readonly<Record<string, unknown>> };
  readonly Memory: new (size: {
    readonly initial: number;
    readonly maximum: number;
    readonly shared: true;
  }) => SharedMemory;
}

/** Compiled code and shared memory; both cross to other threads as they are. */
export type WasmModule = object & { readonly brand?: "module" };
export interface SharedMemory {
  readonly buffer: SharedArrayBuffer;
  /** Adds pages, for all threads at once; gives how many there were. */
  grow(pages: number): number;
}

const PAGE_BYTES = 0x10000;

const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: WebAssemblyInterface };

export function compile(code: Uint8Array<ArrayBuffer>): WasmModule {
  return new WebAssembly.Module(code);
}

/** Only addresses are taken at once, memory when it is written to. But V8 takes 10 GB of them, however small the maximum. */
export function createMemory(maxBytes = MOST_PAGES * PAGE_BYTES): SharedMemory {
  try {
    return new WebAssembly.Memory({ initial: 0, maximum: maxBytes / PAGE_BYTES, shared: true });
  } catch (cause) {
    throw new UserError(
      "this process may not have the 10 GB of addresses (not of memory) that WebAssembly takes; allow them (ulimit -v unlimited), or set NODE_OPTIONS=--disable-wasm-trap-handler, which takes fewer",
      { cause },
    );
  }
}

/** Runs a module made with Program on a shared memory; its exports: functions by name, and variables with a `value`. */
export function instantiate<Exports>(
  module: WasmModule,
  memory: SharedMemory,
  imports: Readonly<Record<string, (...args: number[]) => number | undefined>> = {},
): Exports {
  return new WebAssembly.Instance(module, { imports: { ...imports, memory } }).exports as Exports;
}

export interface Variable {
  value: number;
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
    const pages = Math.ceil(bytes / PAGE_BYTES);
    try {
      return { from: this.memory.grow(pages) * PAGE_BYTES, bytes: pages * PAGE_BYTES };
    } catch (cause) {
      throw new UserError(
        "the list is too long: its tokens and their order need more than 4 GB; mine it in parts (--host, --prefix)",
        { cause },
      );
    }
  }
}

/** Blocks begin at multiples of 16. */
function roundUp(bytes: number): number {
  return Math.ceil(bytes / 16) * 16;
}
