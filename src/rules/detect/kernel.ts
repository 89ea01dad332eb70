import { compile, Heap, instantiate, type SharedMemory, type Variable, type WasmModule } from "../../wasm/heap.js";
import { Program } from "../../wasm/program.js";
import { defineJoin } from "./kernel-join.js";
import { countAccess, defineSort } from "./kernel-order.js";
import { defineSplit } from "./kernel-split.js";
import { type Counts, countBytes } from "./tokens.js";

/**
 * The loops of detection as WebAssembly: at 100,000 URLs most of the time would go into compiling and recompiling their
 * JavaScript, again in every thread. WebAssembly is compiled at once, for all threads.
 */
export interface KernelSource {
  readonly memory: SharedMemory;
  readonly module: WasmModule;
  /** Tokens of the longest URL, which decides how wide counts are. */
  readonly longest: number;
}

/** By width of counts; compiled when it is first needed. */
const compiled = new Map<number, WasmModule>();

export function kernelSource({ memory }: Heap, longest: number): KernelSource {
  const width = countBytes(longest);
  const module = compiled.get(width) ?? compile(kernelCode(width));
  compiled.set(width, module);
  return { memory, module, longest };
}

function kernelCode(width: number): Uint8Array<ArrayBuffer> {
  const program = new Program();
  const imports = {
    likeness: program.import("likeness", 2, "i32"),
    isMine: program.import("isMine", 3, "i32"),
    addChunk: program.import("addChunk", 1),
    takeEnvelopes: program.import("takeEnvelopes", 9),
  };
  const counts = countAccess(width);
  const { tokens } = program.globals("tokens");
  defineSort(program, tokens, counts);
  const split = defineSplit(program, counts);
  defineJoin(program, tokens, counts, split, imports);
  return program.assemble();
}

/** What join() asks for; see kernel-join.ts. */
export interface JoinCallbacks {
  likeness(a: number, b: number): number;
  isMine(from: number, to: number, depth: number): number;
  addChunk(partition: number): undefined;
  takeEnvelopes(
    rows: number,
    from: number,
    to: number,
    p0: number,
    p1: number,
    s0: number,
    s1: number,
    shortestUrl: number,
    longestUrl: number,
  ): undefined;
}

/** The functions and variables of kernel-order.ts, kernel-split.ts and kernel-join.ts. Addresses and numbers. */
export interface KernelCode {
  sortSequences(
    first: number,
    step: number,
    items: number,
    common: number,
    count: number,
    limit: number,
    keys: number,
    pending: number,
  ): void;
  sortUrls(
    starts: number,
    count: number,
    step: number,
    first: number,
    order: number,
    common: number,
    longest: number,
    keys: number,
    pending: number,
  ): void;
  findSplit(common: number, from: number, to: number): number;
  splitSequence(
    items: number,
    common: number,
    nextItems: number,
    nextCommon: number,
    from: number,
    split: number,
    to: number,
    largest: number,
  ): void;
  join(): void;
  addInstance(u: number, v: number, c: number, e: number, flags: number): void;
  readonly tokens: Variable;
}

/** What join() works on. */
export type JoinVariable =
  | ("starts" | "text" | "textStarts" | "prefixes" | "longest" | "count" | "shareFrom" | "shareTo")
  | ("maxTokens" | "lowBucket" | "highBucket" | "rows0" | "rows1" | "common0" | "common1" | "lowFrom" | "highFrom")
  | ("low" | "high" | "openIntervals" | "waiting" | "partitions" | "partitionShift");

/** The kernel of one thread. */
export class Kernel {
  readonly heap: Heap;
  readonly longest: number;
  readonly code: KernelCode & Readonly<Record<JoinVariable, Variable>>;
  /** Set while join() runs. */
  callbacks: JoinCallbacks | undefined;

  constructor({ memory, module, longest }: KernelSource, heap = new Heap(memory)) {
    this.heap = heap;
    this.longest = longest;
    this.code = instantiate(module, memory, {
      likeness: (a, b) => this.callbacks!.likeness(a!, b!),
      isMine: (from, to, depth) => this.callbacks!.isMine(from!, to!, depth!),
      addChunk: (partition) => this.callbacks!.addChunk(partition!),
      takeEnvelopes: (...box) => this.callbacks!.takeEnvelopes(...(box as Parameters<JoinCallbacks["takeEnvelopes"]>)),
    });
  }

  /** Token counts of the list, as narrow as they fit. */
  counts(length: number): Counts {
    const bytes = countBytes(this.longest);
    return bytes === 1 ? this.heap.bytes(length) : bytes === 2 ? this.heap.shorts(length) : this.heap.words(length);
  }
}
