/** Compiled AssemblyScript: scripts/kernels.mjs writes it into dist/ as strings, so that it needs no file at run time. */

/** The part of WebAssembly's JavaScript interface that is used here; TypeScript has it only among the browser's types. */
interface WebAssemblyInterface {
  readonly validate: (code: Uint8Array<ArrayBuffer>) => boolean;
  readonly Module: new (code: Uint8Array<ArrayBuffer>) => WasmModule;
  readonly Instance: new (
    module: WasmModule,
    imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
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

export const WASM_PAGE_BYTES = 0x10000;

/** Undefined where there is none. */
export const { WebAssembly: webAssembly } = globalThis as unknown as { readonly WebAssembly?: WebAssemblyInterface };

export function compile(code: string): WasmModule {
  return new webAssembly!.Module(bytesOf(code));
}

/** Undefined where there is no WebAssembly, or not all of it that the code needs. */
export function compileIfPossible(code: string): WasmModule | undefined {
  return webAssembly?.validate(bytesOf(code)) === true ? compile(code) : undefined;
}

/** Functions that AssemblyScript declares in a file imports.ts. */
export type Imports = Readonly<Record<string, (...args: number[]) => number | undefined>>;

/** Runs a module, on a shared memory if it imports one; its exports: functions by name, and variables with a `value`. */
export function instantiate<Exports>(module: WasmModule, memory?: SharedMemory, imports: Imports = {}): Exports {
  return new webAssembly!.Instance(module, { env: { memory }, imports }).exports as Exports;
}

export interface Variable {
  value: number;
}

/** A string of base64, as every engine can read it. */
function bytesOf(code: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(code), (character) => character.charCodeAt(0));
}
