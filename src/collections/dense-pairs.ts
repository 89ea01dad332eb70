/**
 * Counts what one list has in common with 32 others at a time. Where all lists are drawn from the same few chunks, an index singles out
 * nobody and all pairs have to be counted: here that takes some bit operations for 32 of them.
 *
 * Each chunk is a row of bits, one for each list of a block. The rows of a list's chunks are added up column by column; the sums are
 * kept in binary, one word for all columns' lowest bit, one for the next, and so on (full adders: seven rows become three).
 */

/** Lists of a block: 32 words of columns. Its rows should stay in the cache. */
export const BLOCK_LISTS = 1024;
const BLOCK_WORDS = BLOCK_LISTS / 32;
/** Bits of a sum: no list is longer than 2^20 chunks here. */
const PLANES = 20;

/** Lists of ranks, each from `first` on: ranks[starts[k] .. ends[k]), ascending. */
export interface RankLists {
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly ranks: Uint32Array;
}

export class DenseBlock {
  readonly #rows: Uint32Array;
  readonly #lists: RankLists;
  readonly #firstRank: number;
  readonly #planes = new Uint32Array(PLANES);

  /** The block of lists from `first` on, of lists with ranks from `firstRank` on and below `ranksEnd`. */
  constructor(
    lists: RankLists,
    firstRank: number,
    ranksEnd: number,
    readonly first: number,
    readonly isLeftOut: (list: number) => boolean,
  ) {
    this.#lists = lists;
    this.#firstRank = firstRank;
    this.#rows = new Uint32Array((ranksEnd - firstRank) * BLOCK_WORDS);
    const { starts, ends, ranks } = lists;
    const end = Math.min(first + BLOCK_LISTS, starts.length);
    for (let list = first; list < end; list++) {
      if (isLeftOut(list)) continue;
      const column = list - first;
      for (let at = starts[list]!; at < ends[list]!; at++) {
        this.#rows[(ranks[at]! - firstRank) * BLOCK_WORDS + (column >>> 5)]! |= 1 << (column & 31);
      }
    }
  }

  /** Calls `take` with each list of the block before `list` that has more than `tooFew` chunks in common with it. */
  eachSharing(list: number, tooFew: number, take: (other: number) => void): void {
    const words = Math.min(BLOCK_WORDS, (list - this.first + 31) >>> 5);
    for (let word = 0; word < words; word++) {
      let sharing = this.#moreThan(list, word, tooFew);
      const columns = list - this.first - 32 * word;
      if (columns < 32) sharing &= (1 << columns) - 1;
      for (; sharing !== 0; sharing &= sharing - 1) {
        take(this.first + 32 * word + 31 - Math.clz32(sharing & -sharing));
      }
    }
  }

  /** Which of 32 columns have a sum of more than `tooFew`. */
  #moreThan(list: number, word: number, tooFew: number): number {
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
