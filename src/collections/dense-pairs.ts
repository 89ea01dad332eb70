/**
 * Counts what one list has in common with 128 others at a time. Where all lists are drawn from the same few chunks, an index singles out
 * nobody and all pairs have to be counted: here that takes about two vector operations a pair (assembly/dense.ts).
 */
import { findRoot, union } from "../pages/union-find.js";
import { type InSteps, PAUSE_EVERY } from "../progress.js";
import { compileIfPossible, instantiate, type Variable, WASM_PAGE_BYTES, type WasmModule } from "../wasm/module.js";
import { type ChunkLists, COLLAPSED, shareEnough } from "./chunk-lists.js";
import { GROUPS } from "./constants.js";
import { denseCode } from "./kernel-code.js";

const GROUP_LISTS = 128;
/** Lists of a block. */
export const BLOCK_LISTS = GROUPS * GROUP_LISTS;
const ROW_WORDS = BLOCK_LISTS / 32;

const NONE = 0xffffffff;

/** The kernel; undefined where the machine has none of the vectors that it needs. */
export function denseKernel(): WasmModule | undefined {
  return compileIfPossible(denseCode);
}

/**
 * Each list with all others, 128 at a time, and only while it is open whether they are of one cluster: with the members of a cluster
 * side by side, a list passes over its own. Where most lists are similar in the end, the first block of columns has joined most of them.
 */
export function* joinDense(
  kernel: WasmModule,
  lists: ChunkLists,
  parent: Uint32Array,
  firstRank: number,
): InSteps<number> {
  const { pages, tooFew } = lists;
  const rootOf = (list: number) => findRoot(parent, pages[list]!);
  let rest: Uint32Array = Uint32Array.from(pages.keys()).filter((list) => pages[list] !== COLLAPSED);
  const total = rest.length;
  const block = new DenseBlock(kernel, lists, firstRank);
  while (rest.length > 1) {
    rest = sideBySide(rest, rootOf);
    const columns = rest.subarray(0, BLOCK_LISTS);
    block.fill(columns);
    const roots = groupRoots(columns, rootOf);
    for (const [place, list] of rest.entries()) {
      if (place % PAUSE_EVERY === 0) {
        yield { step: "comparing pages of common parts", done: total - rest.length, total, unit: "pages" };
      }
      const own = rootOf(list);
      let open = 0;
      // A list that is a column itself is compared with those up to it.
      for (let group = 0; group < roots.length && group * GROUP_LISTS <= place; group++) {
        if (roots[group] === NONE || findRoot(parent, roots[group]!) !== own) open |= 1 << group;
      }
      block.eachSharing(list, tooFew[list]!, open, (other) => {
        if (other === list || rootOf(other) === rootOf(list)) return;
        if (tooFew[other]! <= tooFew[list]! || shareEnough(lists, list, other)) {
          union(parent, pages[list]!, pages[other]!);
        }
      });
    }
    block.clear();
    rest = rest.subarray(BLOCK_LISTS);
  }
  return block.sums;
}

/** The lists ordered by the roots of their clusters. */
function sideBySide(lists: Uint32Array, rootOf: (list: number) => number): Uint32Array {
  const keys = Float64Array.from(lists, (list) => rootOf(list) * 2 ** 32 + list).sort();
  return Uint32Array.from(keys, (key) => key % 2 ** 32);
}

/** For each group of lists the root that they have in common, or NONE. */
function groupRoots(lists: Uint32Array, rootOf: (list: number) => number): Uint32Array {
  return Uint32Array.from({ length: Math.ceil(lists.length / GROUP_LISTS) }, (_, group) => {
    const from = group * GROUP_LISTS;
    const [first, ...others] = Array.from(lists.subarray(from, from + GROUP_LISTS), rootOf);
    return others.every((root) => root === first) ? first! : NONE;
  });
}

/** What assembly/dense.ts exports. */
interface KernelExports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  moreThan(start: number, end: number, tooFew: number, groups: number): number;
  readonly answers: Variable;
  readonly heap: Variable;
}

/** The bits of a block of lists, one row for each chunk, and for every list where the rows of its chunks are. */
class DenseBlock {
  /** Sums that were made, each of 128 columns. */
  sums = 0;
  #columns: Uint32Array = new Uint32Array(0);
  readonly #code: KernelExports;
  readonly #rows: Uint32Array;
  readonly #rowsAt: number;
  readonly #addresses: Uint32Array;
  /** The place of each list's first address. */
  readonly #starts: Uint32Array;
  readonly #answers: Uint32Array;

  /** Of lists whose ranks are from `firstRank` on. As every such chunk is in many lists, the rows take fewer bytes than the lists. */
  constructor(kernel: WasmModule, lists: ChunkLists, firstRank: number) {
    const { pages, starts, ends, ranks, texts } = lists;
    this.#starts = new Uint32Array(pages.length + 1);
    for (let list = 0; list < pages.length; list++) {
      const length = pages[list] === COLLAPSED ? 0 : ends[list]! - starts[list]!;
      this.#starts[list + 1] = this.#starts[list]! + length;
    }
    this.#code = instantiate<KernelExports>(kernel);
    const { memory, heap, answers } = this.#code;
    this.#rowsAt = Math.ceil(heap.value / 16) * 16;
    const rowWords = (texts.length - firstRank) * ROW_WORDS;
    const addressesAt = this.#rowsAt + 4 * rowWords;
    const end = addressesAt + 4 * this.#starts[pages.length]!;
    memory.grow(Math.max(0, Math.ceil((end - memory.buffer.byteLength) / WASM_PAGE_BYTES)));
    this.#rows = new Uint32Array(memory.buffer, this.#rowsAt, rowWords);
    this.#addresses = new Uint32Array(memory.buffer, addressesAt, this.#starts[pages.length]!);
    this.#answers = new Uint32Array(memory.buffer, answers.value, ROW_WORDS);
    for (let list = 0; list < pages.length; list++) {
      const from = starts[list]! - this.#starts[list]!;
      for (let at = this.#starts[list]!; at < this.#starts[list + 1]!; at++) {
        this.#addresses[at] = this.#rowsAt + 4 * ROW_WORDS * (ranks[from + at]! - firstRank);
      }
    }
  }

  /** A column for each of these lists, at most BLOCK_LISTS. */
  fill(columns: Uint32Array): void {
    this.#columns = columns;
    this.#eachWord((word, bit) => {
      this.#rows[word]! |= bit;
    });
  }

  clear(): void {
    this.#eachWord((word) => {
      this.#rows[word] = 0;
    });
  }

  #eachWord(take: (word: number, bit: number) => void): void {
    for (const [column, list] of this.#columns.entries()) {
      for (let at = this.#starts[list]!; at < this.#starts[list + 1]!; at++) {
        take((this.#addresses[at]! - this.#rowsAt) / 4 + (column >>> 5), 1 << (column & 31));
      }
    }
  }

  /** Calls `take` with each list of those groups of columns that has more than `tooFew` chunks in common with this one. */
  eachSharing(list: number, tooFew: number, groups: number, take: (other: number) => void): void {
    for (let rest = groups; rest !== 0; rest &= rest - 1) this.sums++;
    const start = this.#addresses.byteOffset + 4 * this.#starts[list]!;
    const end = this.#addresses.byteOffset + 4 * this.#starts[list + 1]!;
    for (let found = this.#code.moreThan(start, end, tooFew, groups); found !== 0; found &= found - 1) {
      const first = 4 * (31 - Math.clz32(found & -found));
      for (let word = first; word < first + 4; word++) {
        for (let sharing = this.#answers[word]!; sharing !== 0; sharing &= sharing - 1) {
          take(this.#columns[32 * word + 31 - Math.clz32(sharing & -sharing)]!);
        }
      }
    }
  }
}
