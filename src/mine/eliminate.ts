import { type LikelyPair, type PairTable, readPair } from "./detect/table.js";
import { compareTokens, isWordByte, type TokenTable } from "./detect/tokens.js";

export interface EliminateOptions {
  /** MRD and MAD: how much less support a refinement may have than the pair it makes redundant. */
  readonly maxRelativeDeficiency: number;
  readonly maxAbsoluteDeficiency: number;
  /** MW: how far down the list refinements are looked for. */
  readonly maxWindow: number;
}

/** The paper's values (thesis 6.2). */
export const eliminateDefaults: EliminateOptions = {
  maxRelativeDeficiency: 0.05,
  maxAbsoluteDeficiency: 1,
  maxWindow: 1100,
};

/**
 * Figure 2 (Bar-Yossef, Keidar, Schonfeld 2007): of two pairs of which one refines the other and that have about the same
 * support, the refinement is kept. Runs on the pairs sorted by T_high support, because its `break` is right only then.
 * Survivors come ranked by T_low support, then T_high support. Ties in both orders: the pair stripped of its common prefix
 * and then of its common suffix, in token order; then longer first; then alpha and beta in token order. So related pairs
 * stay within the window.
 *
 * Equals the printed loop over all pairs of the window, but visits only those that can be related. A refinement has the
 * core of what it refines (the stripped pair), with more context; so only pairs of one core are compared, by their
 * contexts. The one exception are pairs with several places for their core (a.a.a, a.a): what these refine may have
 * the core turned round, so all turns of such a core are visited together and compared as lemma 5.3 says.
 */
export function eliminateRedundancies(pairs: PairTable, options: EliminateOptions): LikelyPair[] {
  const list = new SortedPairs(pairs);
  const isEliminated = markEliminated(list, options);
  const survivors: number[] = [];
  for (let i = 0; i < pairs.count; i++) if (isEliminated[i] === 0) survivors.push(i);
  // Positions in the list are already in the order of the ties.
  const lowOf = (position: number) => pairs.supportLow[list.pairAt[position]!]!;
  survivors.sort((a, b) => lowOf(b) - lowOf(a) || a - b);
  return survivors.map((position) => readPair(pairs, list.pairAt[position]!));
}

/** The loop of figure 2. Positions of the sorted list that it eliminates are 1. */
function markEliminated(list: SortedPairs, options: EliminateOptions): Uint8Array {
  // All in local variables: this loop runs up to MW times for each survivor.
  const { size, core, left, right, leftFrom, leftTo, rightFrom, rightTo, turns, nextRelated } = list;
  const count = size.length;
  const isEliminated = new Uint8Array(count);
  for (let i = 0; i < count; i++) {
    if (isEliminated[i] === 1) continue;
    const sizeOfI = size[i]!;
    const allowed = Math.max(options.maxRelativeDeficiency * sizeOfI, options.maxAbsoluteDeficiency);
    const last = Math.min(i + options.maxWindow, count - 1);
    const leftOfI = left[i]!;
    const rightOfI = right[i]!;
    for (let j = nextRelated[i]!; j <= last && sizeOfI - size[j]! <= allowed; j = nextRelated[j]!) {
      const leftOfJ = left[j]!;
      const rightOfJ = right[j]!;
      if (turns[i]! > 0 || turns[j]! > 0 || core[i] !== core[j]) {
        if (list.refines(i, j)) isEliminated[j] = 1;
        else if (list.refines(j, i)) {
          isEliminated[i] = 1;
          break;
        }
      } else if (leftOfJ <= leftOfI && rightOfJ <= rightOfI) {
        const isRefined =
          rightFrom[j]! <= rightFrom[i]! &&
          rightFrom[i]! < rightTo[j]! &&
          leftFrom[j]! <= leftFrom[i]! &&
          leftFrom[i]! < leftTo[j]!;
        if (isRefined) isEliminated[j] = 1;
      } else if (leftOfJ >= leftOfI && rightOfJ >= rightOfI) {
        const isRefining =
          rightFrom[i]! <= rightFrom[j]! &&
          rightFrom[j]! < rightTo[i]! &&
          leftFrom[i]! <= leftFrom[j]! &&
          leftFrom[j]! < leftTo[i]!;
        if (isRefining) {
          isEliminated[i] = 1;
          break;
        }
      }
    }
  }
  return isEliminated;
}

/** The pairs in the order of figure 2, with their contexts next to each other in memory. */
class SortedPairs {
  /** Position -> pair. */
  readonly pairAt: Uint32Array;
  /** The next position whose core is the same, or a turn of it; the count if there is none. */
  readonly nextRelated: Uint32Array;
  readonly #table: TokenTable;
  /** By position: T_high support; number of the core in token order; tokens of context; places for the core but one. */
  readonly size: Uint32Array;
  readonly core: Uint32Array;
  readonly left: Uint32Array;
  readonly right: Uint32Array;
  readonly turns: Uint32Array;
  /** By position: contexts as intervals (see PairColumns), and where the core of the example's alpha ends. */
  readonly leftFrom: Uint32Array;
  readonly leftTo: Uint32Array;
  readonly rightFrom: Uint32Array;
  readonly rightTo: Uint32Array;
  readonly #coreEnd: Uint32Array;
  /** By core: how many tokens it has. */
  readonly #alphaTokens: Uint32Array;
  readonly #betaTokens: Uint32Array;

  constructor(pairs: PairTable) {
    const { table, count, cores } = pairs;
    this.#table = table;
    const coreCount = cores.length - 1;
    const coreOrder = sortCores(pairs);
    this.#alphaTokens = new Uint32Array(coreCount);
    this.#betaTokens = new Uint32Array(coreCount);
    const coreOf = new Uint32Array(count);
    const byCore = new Uint32Array(count);
    let next = 0;
    for (let core = 0; core < coreCount; core++) {
      const group = coreOrder[core]!;
      const pair = cores[group]!;
      this.#alphaTokens[core] = coreTokens(pairs, pairs.alphaRow[pair]!, pair);
      this.#betaTokens[core] = coreTokens(pairs, pairs.betaRow[pair]!, pair);
      for (let i = pair; i < cores[group + 1]!; i++) {
        byCore[next++] = i;
        coreOf[i] = core;
      }
    }
    this.pairAt = sortBySupport(byCore, pairs.supportHigh);
    sortContexts(this.pairAt, coreOf, pairs);

    const sortedColumn = (column: Uint32Array) => gather(column, this.pairAt);
    this.size = sortedColumn(pairs.supportHigh);
    this.core = sortedColumn(coreOf);
    this.left = sortedColumn(pairs.left);
    this.right = sortedColumn(pairs.right);
    this.leftFrom = sortedColumn(pairs.leftFrom);
    this.leftTo = sortedColumn(pairs.leftTo);
    this.rightFrom = sortedColumn(pairs.rightFrom);
    this.rightTo = sortedColumn(pairs.rightTo);
    this.#coreEnd = new Uint32Array(count);
    for (let i = 0; i < count; i++) {
      const pair = this.pairAt[i]!;
      this.#coreEnd[i] = table.starts[pairs.alphaRow[pair]! + 1]! - pairs.after[pair]!;
    }
    this.turns = new Uint32Array(count);
    for (let i = 0; i < count; i++) this.turns[i] = this.#countTurns(i);
    this.nextRelated = this.#linkRelated();
  }

  /** Lemma 5.3 for the pairs at two positions with related cores. */
  refines(i: number, j: number): boolean {
    if (this.turns[i]! > 0 && this.right[j] === 0) return this.#refinesAtAnyTurn(i, j);
    const leftFrom = this.leftFrom[i]!;
    const rightFrom = this.rightFrom[i]!;
    return (
      this.right[j]! <= this.right[i]! &&
      this.rightFrom[j]! <= rightFrom &&
      rightFrom < this.rightTo[j]! &&
      this.left[j]! <= this.left[i]! &&
      this.leftFrom[j]! <= leftFrom &&
      leftFrom < this.leftTo[j]! &&
      this.core[i] === this.core[j]
    );
  }

  /**
   * j is x A, x; i is X E Y, X Y where E can move left. i refines j if x A ends where E ends at one of its places. (With
   * context to the right of j, the core of j is at its rightmost place, so that of i is too, and contexts decide.)
   */
  #refinesAtAnyTurn(i: number, j: number): boolean {
    const length = this.#alphaTokens[this.core[i]!]!;
    if (this.#betaTokens[this.core[j]!] !== 0 || this.#alphaTokens[this.core[j]!] !== length) return false;
    const tokens = length + this.left[j]!;
    for (let turn = 0; turn <= this.turns[i]! && tokens + turn <= length + this.left[i]!; turn++) {
      let k = 1;
      while (k <= tokens && this.#tokenBefore(i, turn + k) === this.#tokenBefore(j, k)) k++;
      if (k > tokens) return true;
    }
    return false;
  }

  /** The k-th token of left context and core, counted back from the core's end. */
  #tokenBefore(i: number, k: number): number {
    return this.#table.tokens[this.#coreEnd[i]! - k]!;
  }

  /** How many tokens further left the core could sit too. */
  #countTurns(i: number): number {
    const core = this.core[i]!;
    if (this.#betaTokens[core] !== 0) return 0;
    const length = this.#alphaTokens[core]!;
    const left = this.left[i]!;
    let turns = 0;
    while (turns < left && this.#tokenBefore(i, turns + 1) === this.#tokenBefore(i, turns + 1 + length)) turns++;
    return turns;
  }

  /** Chains positions of equal cores; cores that some pair can turn are one chain with their turns. */
  #linkRelated(): Uint32Array {
    const count = this.pairAt.length;
    const coreCount = this.#alphaTokens.length;
    // Chains by core; a turnable core takes the number of the first one with the same turns' hash: more than needed is fine.
    const chainOf = Uint32Array.from({ length: coreCount }, (_, core) => core);
    const turnable = new Map<number, number>();
    for (let i = 0; i < count; i++) {
      if (this.turns[i]! > 0) turnable.set(this.#turnHash(i), this.core[i]!);
    }
    for (let i = 0; i < count && turnable.size > 0; i++) {
      const core = this.core[i]!;
      if (this.#betaTokens[core] === 0) chainOf[core] = turnable.get(this.#turnHash(i)) ?? core;
    }
    const next = new Uint32Array(count);
    const latest = new Uint32Array(coreCount).fill(count);
    for (let i = count - 1; i >= 0; i--) {
      const chain = chainOf[this.core[i]!]!;
      next[i] = latest[chain]!;
      latest[chain] = i;
    }
    return next;
  }

  /** Equal for all turns of the core. */
  #turnHash(i: number): number {
    const length = this.#alphaTokens[this.core[i]!]!;
    let hash = length;
    for (let k = 1; k <= length; k++) {
      const token = this.#tokenBefore(i, k);
      const following = this.#tokenBefore(i, k === 1 ? length : k - 1);
      hash = (hash + Math.imul(token ^ Math.imul(following, 0x9e3779b1), 0x85ebca6b)) >>> 0;
    }
    return hash;
  }
}

/** The column in another order. (`Uint32Array.from` with a function takes ten times as long.) */
function gather(column: Uint32Array, order: Uint32Array): Uint32Array {
  const gathered = new Uint32Array(order.length);
  for (let i = 0; i < order.length; i++) gathered[i] = column[order[i]!]!;
  return gathered;
}

function coreTokens(pairs: PairTable, row: number, pair: number): number {
  const { starts } = pairs.table;
  return starts[row + 1]! - starts[row]! - pairs.before[pair]! - pairs.after[pair]!;
}

/** Groups of equal cores in token order of the core's alpha, then of its beta. */
function sortCores(pairs: PairTable): Uint32Array {
  const { table, cores } = pairs;
  const count = cores.length - 1;
  const compareCores = (a: number, b: number) => {
    const pairA = cores[a]!;
    const pairB = cores[b]!;
    return (
      compareCoresIn(pairs.alphaRow[pairA]!, pairA, pairs.alphaRow[pairB]!, pairB) ||
      compareCoresIn(pairs.betaRow[pairA]!, pairA, pairs.betaRow[pairB]!, pairB)
    );
  };
  const compareCoresIn = (rowA: number, pairA: number, rowB: number, pairB: number) =>
    compareRanges(
      table,
      table.starts[rowA]! + pairs.before[pairA]!,
      coreTokens(pairs, rowA, pairA),
      table.starts[rowB]! + pairs.before[pairB]!,
      coreTokens(pairs, rowB, pairB),
    );
  // The first bytes decide most comparisons: they and the group's number fit one double.
  const groups = 2 ** Math.ceil(Math.log2(count + 1));
  const keyBytes = Math.floor((53 - Math.log2(groups)) / 8);
  const packed = new Float64Array(count);
  for (let group = 0; group < count; group++) {
    const pair = cores[group]!;
    const row = pairs.alphaRow[pair]!;
    const from = table.starts[row]! + pairs.before[pair]!;
    packed[group] = firstBytes(table, from, coreTokens(pairs, row, pair), keyBytes) * groups + group;
  }
  packed.sort();
  const sorted = Uint32Array.from(packed, (key) => key % groups);
  sortRuns(sorted, (i) => Math.floor(packed[i]! / groups), compareCores);
  return sorted;
}

/** The first bytes of a range of tokens as a number whose order is token order as far as it goes. */
function firstBytes(table: TokenTable, from: number, length: number, bytes: number): number {
  let key = 0;
  let room = bytes;
  for (let i = from; i < from + length && room > 0; i++) {
    const token = table.tokens[i]!;
    const end = table.textStarts[token + 1]!;
    let k = table.textStarts[token]!;
    for (; k < end && room > 0; k++, room--) key = key * 256 + table.text[k]!;
    // A word ends below every longer word that begins with it.
    if (room > 0 && k === end && isWordByte(table.text[end - 1]!)) {
      key *= 256;
      room--;
    }
  }
  return key * 256 ** room;
}

function compareRanges(table: TokenTable, a: number, lengthA: number, b: number, lengthB: number): number {
  const { tokens } = table;
  const length = Math.min(lengthA, lengthB);
  for (let i = 0; i < length; i++) {
    const tokenA = tokens[a + i]!;
    const tokenB = tokens[b + i]!;
    if (tokenA !== tokenB) return compareTokens(table, tokenA, tokenB);
  }
  return lengthA - lengthB;
}

/** Stable, largest support first. */
function sortBySupport(pairs: Uint32Array, support: Uint32Array): Uint32Array {
  // Few different values, whatever the size of the list.
  const values = [...new Set(support)].sort((a, b) => b - a);
  const next = new Map<number, number>();
  const counts = new Map<number, number>();
  for (const value of support) counts.set(value, (counts.get(value) ?? 0) + 1);
  let position = 0;
  for (const value of values) {
    next.set(value, position);
    position += counts.get(value)!;
  }
  const sorted = new Uint32Array(pairs.length);
  for (const pair of pairs) {
    const at = next.get(support[pair]!)!;
    sorted[at] = pair;
    next.set(support[pair]!, at + 1);
  }
  return sorted;
}

/** Pairs of one support and core: longer first, then token order of alpha, then of beta. */
function sortContexts(sorted: Uint32Array, coreOf: Uint32Array, pairs: PairTable): void {
  const { table } = pairs;
  const { starts } = table;
  const tokensOf = (pair: number) => pairs.left[pair]! + pairs.right[pair]!;
  const compareWhole = (rowsA: Uint32Array, a: number, b: number) => {
    const from = (pair: number) => starts[rowsA[pair]!]! + pairs.before[pair]! - pairs.left[pair]!;
    const to = (pair: number) => starts[rowsA[pair]! + 1]! - pairs.after[pair]! + pairs.right[pair]!;
    return compareRanges(table, from(a), to(a) - from(a), from(b), to(b) - from(b));
  };
  const compare = (a: number, b: number) =>
    tokensOf(b) - tokensOf(a) || compareWhole(pairs.alphaRow, a, b) || compareWhole(pairs.betaRow, a, b);
  const cores = pairs.cores.length;
  sortRuns(sorted, (i) => pairs.supportHigh[sorted[i]!]! * cores + coreOf[sorted[i]!]!, compare);
}

/** Sorts each run of equal keys. */
function sortRuns(array: Uint32Array, keyOf: (i: number) => number, compare: (a: number, b: number) => number): void {
  for (let from = 0; from < array.length; ) {
    const key = keyOf(from);
    let to = from + 1;
    while (to < array.length && keyOf(to) === key) to++;
    if (to - from > 1) array.subarray(from, to).sort(compare);
    from = to;
  }
}
