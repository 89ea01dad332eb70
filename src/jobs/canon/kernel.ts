/** Canonization's search through many URLs in WebAssembly: its loops are AssemblyScript (assembly/). */
import { filterShift } from "../../canon/aliases.js";
import type { Canonizer } from "../../canon/compile.js";
import type { Scanner } from "../../canon/trigger.js";
import { inPlainHost, inQuery, type UrlBytes } from "../../canon/url-bytes.js";
import { compileIfPossible, instantiate, type Variable, WASM_PAGE_BYTES } from "../../wasm/module.js";
import { MAX_SHAPES } from "./constants.js";
import { linesCode } from "./kernel-code.js";

/** The functions of assembly/lines.ts, its variables, and the addresses of its arrays. */
interface KernelExports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  findLines(block: number, end: number, out: number, filter: number, filterShift: number): number;
  findPlaces(start: number, end: number, out: number): number;
  hasShape(start: number, end: number): number;
  readonly shapeCount: Variable;
  readonly wantedShapes: Variable;
  readonly quiet: Variable;
  readonly starts: Variable;
  readonly pairs: Variable;
  readonly beginnings: Variable;
  readonly shapeSets: Variable;
  readonly beginningClass: Variable;
  readonly hostClass: Variable;
  readonly queryClass: Variable;
  readonly heap: Variable;
}

/** Longer blocks are not searched. */
const MAX_BLOCK_BYTES = 4 << 20;
/** Room for one URL, and for the places in it. */
const TEXT_BYTES = 1 << 16;
/** The kernel loads this many bytes at once, also at the end of what there is. */
const SLACK = 16;

export interface FoundLines {
  /** Where lines begin that are no URL, or one that a rule or an alias may change. */
  readonly others: Uint32Array;
  /** How many lines are URLs that stay as they are. */
  readonly quiet: number;
}

export class LineFinder implements Scanner {
  readonly memory: Uint8Array;
  readonly places: Uint32Array;
  readonly #code: KernelExports;
  /** The one buffer of all memory: it never grows. */
  readonly #buffer: ArrayBuffer;
  /** Where the filter of the alias table is, 0 for none, and how much of a hash is not the number of a bit. */
  readonly #filter: number;
  readonly #filterShift: number;
  readonly #block: number;
  readonly #out: number;

  /** Undefined where there is no WebAssembly, or none with SIMD. From now on the canonizer uses it, too. */
  static of(canon: Canonizer): LineFinder | undefined {
    const module = compileIfPossible(linesCode);
    if (module === undefined || canon.triggers.shapes.size > MAX_SHAPES) return undefined;
    const finder = new LineFinder(instantiate<KernelExports>(module), canon);
    canon.scanWith(finder);
    return finder;
  }

  private constructor(code: KernelExports, { triggers, recipe }: Canonizer) {
    const filter = recipe.aliases?.filter;
    let end = code.heap.value;
    const take = (bytes: number) => {
      const start = end;
      end += Math.ceil((bytes + SLACK) / 16) * 16;
      return start;
    };
    this.#filter = filter === undefined ? 0 : take(filter.byteLength);
    this.#filterShift = filter === undefined ? 0 : filterShift(filter);
    const text = take(TEXT_BYTES);
    const places = take(4 * TEXT_BYTES);
    this.#block = take(MAX_BLOCK_BYTES);
    // The least that a line takes is its end, and where it begins takes four bytes.
    this.#out = take(4 * MAX_BLOCK_BYTES);
    code.memory.grow(Math.ceil((end - code.memory.buffer.byteLength) / WASM_PAGE_BYTES));
    this.#code = code;
    this.#buffer = code.memory.buffer;
    this.memory = new Uint8Array(this.#buffer, text, TEXT_BYTES);
    this.places = new Uint32Array(this.#buffer, places, TEXT_BYTES);
    if (filter !== undefined) new Uint32Array(this.#buffer, this.#filter, filter.length).set(filter);

    const { starts, pairs, beginnings, shapes } = triggers;
    const bytes = new Uint8Array(this.#buffer);
    bytes.set(starts.map(Math.sign), code.starts.value);
    bytes.set(pairs, code.pairs.value);
    bytes.set(beginnings, code.beginnings.value);
    const begins = new Uint8Array(256);
    for (const [pair, what] of pairs.entries()) if (what !== 0) begins[pair & 0xff] = 1;
    bytes.set(classOf(begins), code.beginningClass.value);
    bytes.set(classOf(inPlainHost), code.hostClass.value);
    bytes.set(classOf(inQuery), code.queryClass.value);
    new Int32Array(this.#buffer, code.shapeSets.value, shapes.size).set([...shapes]);
    code.shapeCount.value = shapes.size;
    code.wantedShapes.value = [...shapes].reduce((all, one) => all | one, 0);
  }

  /** Memory where a block of this many bytes need not be copied to be searched; the next block's memory, too. */
  memoryFor(length: number): Buffer {
    return length > MAX_BLOCK_BYTES ? Buffer.allocUnsafeSlow(length) : Buffer.from(this.#buffer, this.#block, length);
  }

  /** What `bytes[0 .. end)` has, which is whole lines, or all that there are; undefined where that is too long. */
  findLines(bytes: Buffer, end: number): FoundLines | undefined {
    if (end > MAX_BLOCK_BYTES) return undefined;
    if (bytes.buffer !== this.#buffer) bytes.copy(this.memoryFor(end), 0, 0, end);
    const { quiet, findLines } = this.#code;
    const outEnd = findLines(this.#block, this.#block + end, this.#out, this.#filter, this.#filterShift);
    return { others: new Uint32Array(this.#buffer, this.#out, (outEnd - this.#out) / 4), quiet: quiet.value };
  }

  find({ bytes, start, end }: UrlBytes): number {
    if (bytes.buffer !== this.#buffer) return -1;
    const { byteOffset } = bytes;
    return this.#code.findPlaces(byteOffset + start, byteOffset + end, this.places.byteOffset);
  }

  hasShape({ bytes: { byteOffset }, start, end }: UrlBytes): boolean {
    return this.#code.hasShape(byteOffset + start, byteOffset + end) !== 0;
  }
}

/** For each low half of an ASCII character the high halves of those that are marked, as bits. */
function classOf(marked: Uint8Array): Uint8Array {
  const highHalves = new Uint8Array(16);
  for (let byte = 0; byte < 0x80; byte++) if (marked[byte] !== 0) highHalves[byte & 15]! |= 1 << (byte >> 4);
  return highHalves;
}
