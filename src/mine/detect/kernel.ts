/** The loops of detection, which are AssemblyScript (assembly/), on the memory of one detection. */
import { Heap } from "../../wasm/heap.js";
import { compile, instantiate, type SharedMemory, type Variable, type WasmModule } from "../../wasm/module.js";
import { detectionCode1, detectionCode2, detectionCode4 } from "./kernel-code.js";
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

const codes = { 1: detectionCode1, 2: detectionCode2, 4: detectionCode4 } as const;

/** By width of counts; compiled when it is first needed. */
const compiled = new Map<number, WasmModule>();

export function kernelSource({ memory }: Heap, longest: number): KernelSource {
  const width = countBytes(longest);
  const module = compiled.get(width) ?? compile(codes[width]);
  compiled.set(width, module);
  return { memory, module, longest };
}

/** What join() asks for; see assembly/imports.ts. */
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

/** What walk() asks for; see assembly/imports.ts. */
export interface WalkCallbacks {
  bucketClass(row: number, p: number, s: number): number;
  addPair(
    example: number,
    a: number,
    b: number,
    from: number,
    to: number,
    first: number,
    low: number,
    high: number,
    confirmed: number,
  ): undefined;
}

/** Functions of assembly/detection.ts. Addresses and numbers. */
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
  join(): void;
  addInstance(u: number, v: number, c: number, e: number, flags: number): void;
  walk(count: number): void;
}

/** What all of it works on, what join() does, and what walk() does. */
export type ListVariable = "tokens" | "starts" | "longest" | "low" | "high" | "waiting";
export type JoinVariable =
  | ("text" | "textStarts" | "prefixes" | "count" | "shareFrom" | "shareTo" | "maxTokens" | "lowBucket" | "highBucket")
  | ("rows0" | "rows1" | "common0" | "common1" | "lowFrom" | "highFrom" | "openIntervals")
  | ("partitions" | "partitionShift");
export type WalkVariable =
  | ("alphaRow" | "betaRow" | "before" | "after" | "flags" | "left" | "sequence0" | "sequence1" | "right0" | "right1")
  | ("live" | "liveRight" | "lowLimit" | "highLimit" | "openRights")
  | ("order" | "keepsAll" | "maxContext" | "minSupport");
type AnyVariable = ListVariable | JoinVariable | WalkVariable;

/** The kernel of one thread. */
export class Kernel {
  readonly heap: Heap;
  readonly longest: number;
  readonly code: KernelCode & Readonly<Record<AnyVariable, Variable>>;
  /** Set while join() runs, and while walk() does. */
  joining: JoinCallbacks | undefined;
  walking: WalkCallbacks | undefined;

  constructor({ memory, module, longest }: KernelSource, heap = new Heap(memory)) {
    this.heap = heap;
    this.longest = longest;
    this.code = instantiate(module, memory, {
      likeness: (a, b) => this.joining!.likeness(a!, b!),
      isMine: (from, to, depth) => this.joining!.isMine(from!, to!, depth!),
      addChunk: (partition) => this.joining!.addChunk(partition!),
      bucketClass: (row, p, s) => this.walking!.bucketClass(row!, p!, s!),
      addPair: (...pair) => this.walking!.addPair(...(pair as Parameters<WalkCallbacks["addPair"]>)),
      takeEnvelopes: (...box) => this.joining!.takeEnvelopes(...(box as Parameters<JoinCallbacks["takeEnvelopes"]>)),
    });
  }

  /** Sets variables: to numbers, and to the addresses of arrays. */
  set(variables: Readonly<Partial<Record<AnyVariable, number | Counts>>>): void {
    for (const [name, value] of Object.entries(variables)) {
      this.code[name as AnyVariable].value = typeof value === "number" ? value : value.byteOffset;
    }
  }

  /** Token counts of the list, as narrow as they fit. */
  counts(length: number): Counts {
    const bytes = countBytes(this.longest);
    return bytes === 1 ? this.heap.bytes(length) : bytes === 2 ? this.heap.shorts(length) : this.heap.words(length);
  }
}
