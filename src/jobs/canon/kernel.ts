/** Canonization's search through many URLs in WebAssembly: its loops are AssemblyScript (assembly/). */
import { filterShift } from "../../canon/aliases.js";
import type { Canonizer } from "../../canon/compile.js";
import { QUERY } from "../../canon/constants.js";
import type { Scanner } from "../../canon/trigger.js";
import { inPlainHost, inQuery, type UrlBytes } from "../../canon/url-bytes.js";
import { compileIfPossible, instantiate, type Variable, WASM_PAGE_BYTES } from "../../wasm/module.js";
import { MAX_SHAPES, NUMBERS_OF_OTHER } from "./constants.js";
import { linesCode } from "./kernel-code.js";
import { KernelRules } from "./kernel-rules.js";

/** The functions of assembly/lines.ts, its variables, and the addresses of its arrays. */
interface KernelExports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  copyLines(block: number, end: number, output: number, limit: number, others: number, places: number): number;
  findPlaces(start: number, end: number, out: number): number;
  hasShape(start: number, end: number): number;
  readonly shapeCount: Variable;
  readonly wantedShapes: Variable;
  readonly filter: Variable;
  readonly filterShift: Variable;
  readonly quiet: Variable;
  readonly changed: Variable;
  readonly outputEnd: Variable;
  readonly roots: Variable;
  readonly nameRoots: Variable;
  readonly nodes: Variable;
  readonly children: Variable;
  readonly childrenMask: Variable;
  readonly rulesOfNodes: Variable;
  readonly maxRounds: Variable;
  readonly starts: Variable;
  readonly pairs: Variable;
  readonly beginnings: Variable;
  readonly shapeSets: Variable;
  readonly pairClasses: Variable;
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

/** A block of lines, changed where that could be done at once. */
export interface CopiedLines {
  /** In memory that the next block takes. */
  readonly bytes: Buffer;
  /** `NUMBERS_OF_OTHER` for each line that is no URL, or one that a rule or an alias may still change, from the first on. */
  readonly others: Uint32Array;
  /** How many lines are URLs that stay as they are, and how many were changed. */
  readonly quiet: number;
  readonly changed: number;
}

export class LineFinder implements Scanner {
  readonly memory: Uint8Array;
  readonly places: Uint32Array;
  /** For one line that others look at. */
  readonly line: Buffer;
  readonly #code: KernelExports;
  /** The one buffer of all memory: it never grows. */
  readonly #buffer: ArrayBuffer;
  readonly #block: number;
  readonly #output: number;
  readonly #others: number;

  /** Is this in memory that is used again? */
  owns(bytes: Uint8Array): boolean {
    return bytes.buffer === this.#buffer;
  }

  /** Undefined where there is no WebAssembly, or none with SIMD. From now on the canonizer uses it, too. */
  static of(canon: Canonizer): LineFinder | undefined {
    const module = compileIfPossible(linesCode);
    if (module === undefined || canon.triggers.shapes.size > MAX_SHAPES) return undefined;
    const finder = new LineFinder(instantiate<KernelExports>(module), canon);
    canon.scanWith(finder);
    return finder;
  }

  private constructor(code: KernelExports, canon: Canonizer) {
    const { triggers, recipe } = canon;
    const filter = recipe.aliases?.filter;
    const { nodes, children } = triggers;
    const rules = new KernelRules(canon);
    let end = code.heap.value;
    const take = (bytes: number) => {
      const start = end;
      end += Math.ceil((bytes + SLACK) / 16) * 16;
      return start;
    };
    const filterAt = filter === undefined ? 0 : take(filter.byteLength);
    const line = take(TEXT_BYTES);
    const text = take(TEXT_BYTES);
    const places = take(4 * TEXT_BYTES);
    const nodesAt = take(nodes.byteLength);
    const childrenAt = take(children.byteLength);
    const rulesAt = take(rules.byteLength);
    this.#block = take(MAX_BLOCK_BYTES);
    this.#output = take(2 * MAX_BLOCK_BYTES);
    // The least that a line takes is its end. What is never written takes no memory.
    this.#others = take(4 * NUMBERS_OF_OTHER * MAX_BLOCK_BYTES);
    code.memory.grow(Math.ceil((end - code.memory.buffer.byteLength) / WASM_PAGE_BYTES));
    this.#code = code;
    this.#buffer = code.memory.buffer;
    this.memory = new Uint8Array(this.#buffer, text, TEXT_BYTES);
    this.places = new Uint32Array(this.#buffer, places, TEXT_BYTES);
    this.line = Buffer.from(this.#buffer, line, TEXT_BYTES);

    const bytes = new Uint8Array(this.#buffer);
    const words = new Uint32Array(this.#buffer);
    if (filter !== undefined) {
      words.set(filter, filterAt / 4);
      code.filter.value = filterAt;
      code.filterShift.value = filterShift(filter);
    }
    new Uint16Array(this.#buffer).set(nodes, nodesAt / 2);
    words.set(children, childrenAt / 4);
    words.set(triggers.roots, code.roots.value / 4);
    words.set(triggers.nameRoots, code.nameRoots.value / 4);
    code.nodes.value = nodesAt;
    code.children.value = childrenAt;
    code.childrenMask.value = children.length - 2;
    code.rulesOfNodes.value = rulesAt;
    code.maxRounds.value = recipe.maxRounds;
    rules.write(this.#buffer, rulesAt);

    const { starts, pairs, beginnings, shapes } = triggers;
    bytes.set(starts.map(Math.sign), code.starts.value);
    bytes.set(pairs, code.pairs.value);
    bytes.set(beginnings, code.beginnings.value);
    bytes.set(classesOf(pairs), code.pairClasses.value);
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

  /** What becomes of `bytes[0 .. end)`, which is whole lines, or all that there are; undefined where that is too long. */
  copyLines(bytes: Buffer, end: number): CopiedLines | undefined {
    if (end > MAX_BLOCK_BYTES) return undefined;
    if (bytes.buffer !== this.#buffer) bytes.copy(this.memoryFor(end), 0, 0, end);
    const { copyLines, outputEnd, quiet, changed } = this.#code;
    const limit = this.#output + 2 * MAX_BLOCK_BYTES;
    const { byteOffset: places } = this.places;
    const othersEnd = copyLines(this.#block, this.#block + end, this.#output, limit, this.#others, places);
    return {
      bytes: Buffer.from(this.#buffer, this.#output, outputEnd.value - this.#output),
      others: new Uint32Array(this.#buffer, this.#others, (othersEnd - this.#others) / 4),
      quiet: quiet.value,
      changed: changed.value,
    };
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

/** `pairClasses` of assembly/scan.ts. */
function classesOf(pairs: Uint8Array): Uint8Array {
  const classes = new Uint8Array(64);
  let bit = 1;
  for (let first = 0; first < 0x80; first++) {
    let isUsed = false;
    for (let second = 0; second < 256; second++) {
      if ((pairs[first | (second << 8)]! & ~QUERY) === 0) continue;
      isUsed = true;
      classes[32 + (second & 15)]! |= bit;
      classes[48 + (second >> 4)]! |= bit;
    }
    if (!isUsed) continue;
    classes[first & 15]! |= bit;
    classes[16 + (first >> 4)]! |= bit;
    bit = bit === 0x80 ? 1 : 2 * bit;
  }
  return classes;
}

/** For each low half of an ASCII character the high halves of those that are marked, as bits. */
function classOf(marked: Uint8Array): Uint8Array {
  const highHalves = new Uint8Array(16);
  for (let byte = 0; byte < 0x80; byte++) if (marked[byte] !== 0) highHalves[byte & 15]! |= 1 << (byte >> 4);
  return highHalves;
}
