/**
 * Counts what one list has in common with 32 others at a time. Where all lists are drawn from the same few chunks, an index singles out
 * nobody and all pairs have to be counted: here that takes some bit operations for 32 of them.
 *
 * Each chunk is a row of bits, one for each list of a block. The rows of a list's chunks are added up column by column; the sums are
 * kept in binary, one word for all columns' lowest bit, one for the next, and so on (full adders: seven rows become three).
 */
import { findRoot, union } from "../pages/union-find.js";
import { type InSteps, PAUSE_EVERY } from "../progress.js";
import { type ChunkLists, COLLAPSED, shareEnough } from "./chunk-lists.js";

/** Lists of a block: 32 words of columns. Its rows should stay in the cache. */
export const BLOCK_LISTS = 1024;
const BLOCK_WORDS = BLOCK_LISTS / 32;
/** Bits of a sum: no list is longer than 2^20 chunks here. */
const PLANES = 20;

const NONE = 0xffffffff;

/**
 * Each list with all others, 32 at a time, and only while it is open whether they are of one cluster: with the members of a cluster
 * side by side, a list passes over its own. Where most lists are similar in the end, the first block of columns has joined most of them.
 */
export function* joinDense(lists: ChunkLists, parent: Uint32Array, firstRank: number): InSteps<number> {
  const { pages, tooFew, texts } = lists;
  const rootOf = (list: number) => findRoot(parent, pages[list]!);
  let rest: Uint32Array = Uint32Array.from(pages.keys()).filter((list) => pages[list] !== COLLAPSED);
  const total = rest.length;
  let sums = 0;
  while (rest.length > 1) {
    rest = sideBySide(rest, rootOf);
    const columns = rest.subarray(0, BLOCK_LISTS);
    const block = new DenseBlock(lists, columns, firstRank, texts.length);
    const words = groupRoots(columns, rootOf);
    for (const [place, list] of rest.entries()) {
      if (place % PAUSE_EVERY === 0) {
        yield { step: "comparing pages of common parts", done: total - rest.length, total, unit: "pages" };
      }
      // A list that is a column itself is compared with those up to it.
      const open = Math.min(words.length, (place >>> 5) + 1);
      for (let word = 0; word < open; word++) {
        if (words[word] !== NONE && findRoot(parent, words[word]!) === rootOf(list)) continue;
        block.eachSharing(list, tooFew[list]!, word, (other) => {
          if (other === list || rootOf(other) === rootOf(list)) return;
          if (tooFew[other]! <= tooFew[list]! || shareEnough(lists, list, other)) {
            union(parent, pages[list]!, pages[other]!);
          }
        });
      }
    }
    sums += block.sums;
    rest = rest.subarray(BLOCK_LISTS);
  }
  return sums;
}

/** The lists ordered by the roots of their clusters. */
function sideBySide(lists: Uint32Array, rootOf: (list: number) => number): Uint32Array {
  const keys = Float64Array.from(lists, (list) => rootOf(list) * 2 ** 32 + list).sort();
  return Uint32Array.from(keys, (key) => key % 2 ** 32);
}

/** For each 32 lists the root that they have in common, or NONE. */
function groupRoots(lists: Uint32Array, rootOf: (list: number) => number): Uint32Array {
  return Uint32Array.from({ length: Math.ceil(lists.length / 32) }, (_, word) => {
    const [first, ...others] = Array.from(lists.subarray(32 * word, 32 * word + 32), rootOf);
    return others.every((root) => root === first) ? first! : NONE;
  });
}

class DenseBlock {
  /** Sums that were made, each of 32 columns. */
  sums = 0;
  readonly #rows: Uint32Array;
  readonly #planes = new Uint32Array(PLANES);
  readonly #lists: ChunkLists;
  readonly #columns: Uint32Array;
  readonly #firstRank: number;

  /** Has a column for each of these lists, at most BLOCK_LISTS, whose ranks are from `firstRank` on and below `ranksEnd`. */
  constructor(lists: ChunkLists, columns: Uint32Array, firstRank: number, ranksEnd: number) {
    this.#lists = lists;
    this.#columns = columns;
    this.#firstRank = firstRank;
    this.#rows = new Uint32Array((ranksEnd - firstRank) * BLOCK_WORDS);
    const { starts, ends, ranks } = lists;
    for (const [column, list] of columns.entries()) {
      for (let at = starts[list]!; at < ends[list]!; at++) {
        this.#rows[(ranks[at]! - firstRank) * BLOCK_WORDS + (column >>> 5)]! |= 1 << (column & 31);
      }
    }
  }

  /** Calls `take` with each list of 32 columns, from 32 * `word` on, that has more than `tooFew` chunks in common with this one. */
  eachSharing(list: number, tooFew: number, word: number, take: (other: number) => void): void {
    for (let sharing = this.#moreThan(list, word, tooFew); sharing !== 0; sharing &= sharing - 1) {
      take(this.#columns[32 * word + 31 - Math.clz32(sharing & -sharing)]!);
    }
  }

  /** Which of 32 columns have a sum of more than `tooFew`. */
  #moreThan(list: number, word: number, tooFew: number): number {
    this.sums++;
    const { starts, ends, ranks } = this.#lists;
    const rows = this.#rows;
    const planes = this.#planes;
    const base = word - this.#firstRank * BLOCK_WORDS;
    const row = (at: number) => rows[ranks[at]! * BLOCK_WORDS + base]!;
    const end = ends[list]!;
    let at = starts[list]!;
    let height = 0;
    for (let rest = end - at; rest > 0; rest >>>= 1) planes[height++] = 0;
    for (; at + 7 <= end; at += 7) {
      const [a, b, c, d] = [row(at), row(at + 1), row(at + 2), row(at + 3)];
      const [e, f, g] = [row(at + 4), row(at + 5), row(at + 6)];
      const ab = a ^ b;
      const de = d ^ e;
      const abc = ab ^ c;
      const def = de ^ f;
      const abcCarry = (a & b) | (ab & c);
      const defCarry = (d & e) | (de & f);
      const both = abc ^ def;
      const lastCarry = (abc & def) | (both & g);
      const carries = abcCarry ^ defCarry;
      add(planes, height, 0, both ^ g);
      add(planes, height, 1, carries ^ lastCarry);
      add(planes, height, 2, (abcCarry & defCarry) | (carries & lastCarry));
    }
    for (; at < end; at++) add(planes, height, 0, row(at));
    // From the highest bit on: more where the sum has a one and the bound has none, as long as they are equal above.
    let more = 0;
    let equal = -1;
    if (tooFew >>> height !== 0) return 0;
    for (let plane = height - 1; plane >= 0; plane--) {
      const sum = planes[plane]!;
      if (((tooFew >>> plane) & 1) === 0) {
        more |= equal & sum;
        equal &= ~sum;
      } else equal &= sum;
    }
    return more;
  }
}

/** Adds 2^from in the columns of `bits`. */
function add(planes: Uint32Array, height: number, from: number, bits: number): void {
  let carry = bits;
  for (let plane = from; carry !== 0 && plane < height; plane++) {
    const sum = planes[plane]!;
    planes[plane] = sum ^ carry;
    carry &= sum;
  }
}
