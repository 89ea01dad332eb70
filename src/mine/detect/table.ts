import { grown } from "../../tables/grown.js";
import { END, START } from "./constants.js";
import type { TokenTable } from "./tokens.js";

/** Two substrings and how much of the list supports that one replaces the other. */
export interface LikelyPair {
  /** The larger string first: a rule from alpha to beta shrinks the URL. */
  readonly alpha: string;
  readonly beta: string;
  /** Both strings are anchored at ^, at $. */
  readonly start: boolean;
  readonly end: boolean;
  readonly supportLow: number;
  readonly supportHigh: number;
  /** The part of supportLow that known sizes or sketches confirmed. */
  readonly confirmed: number;
  /** Indices into the list, the smallest of supportLow: the URL with alpha, the URL with beta. */
  readonly example: readonly [number, number];
}

/** Columns of likely pairs, one entry a pair. */
export interface PairColumns {
  /** The example's rows. */
  readonly alphaRow: Uint32Array;
  readonly betaRow: Uint32Array;
  /** Tokens of the example before and after the core. */
  readonly before: Uint32Array;
  readonly after: Uint32Array;
  /** Tokens of context on both sides of the core that belong to the pair. */
  readonly left: Uint32Array;
  readonly right: Uint32Array;
  /** The left contexts of a core as nested intervals, and so the right ones: an extension's lies within. */
  readonly leftFrom: Uint32Array;
  readonly leftTo: Uint32Array;
  readonly rightFrom: Uint32Array;
  readonly rightTo: Uint32Array;
  readonly supportLow: Uint32Array;
  readonly supportHigh: Uint32Array;
  readonly confirmed: Uint32Array;
}

/**
 * The rule table RT of figure 1. Pairs point into the URLs' tokens: millions of them as strings would take most of the
 * time and of the memory. Pairs with one core (the pair stripped of its common prefix, then of its common suffix) stand
 * together.
 */
export interface PairTable extends PairColumns {
  readonly count: number;
  /** First pair of each core, and the count at the end. */
  readonly cores: Uint32Array;
  readonly table: TokenTable;
  /** Row of the token table -> index into the list. */
  readonly order: Uint32Array;
  /** Tokens of a URL that stand before ^. */
  readonly lead: number;
}

const columnNames = [
  "alphaRow",
  "betaRow",
  "before",
  "after",
  "left",
  "right",
  "leftFrom",
  "leftTo",
  "rightFrom",
  "rightTo",
  "supportLow",
  "supportHigh",
  "confirmed",
] as const satisfies readonly (keyof PairColumns)[];

/** Pairs being written. */
export class PairWriter {
  #columns = Object.fromEntries(columnNames.map((name) => [name, new Uint32Array(1024)])) as unknown as PairColumns;
  #cores: number[] = [];
  #count = 0;

  startCore(): void {
    if (this.#cores[this.#cores.length - 1] !== this.#count) this.#cores.push(this.#count);
  }

  /** A pair whose example is a member of a group. */
  add(
    group: Pick<PairColumns, "alphaRow" | "betaRow" | "before" | "after">,
    member: number,
    left: number,
    right: number,
    leftFrom: number,
    leftTo: number,
    rightFrom: number,
    rightTo: number,
    supportLow: number,
    supportHigh: number,
    confirmed: number,
  ): void {
    const at = this.#count++;
    if (at === this.#columns.alphaRow.length) {
      this.#columns = mapColumns((name) => grown(this.#columns[name], 2 * at));
    }
    const columns = this.#columns;
    columns.alphaRow[at] = group.alphaRow[member]!;
    columns.betaRow[at] = group.betaRow[member]!;
    columns.before[at] = group.before[member]!;
    columns.after[at] = group.after[member]!;
    columns.left[at] = left;
    columns.right[at] = right;
    columns.leftFrom[at] = leftFrom;
    columns.leftTo[at] = leftTo;
    columns.rightFrom[at] = rightFrom;
    columns.rightTo[at] = rightTo;
    columns.supportLow[at] = supportLow;
    columns.supportHigh[at] = supportHigh;
    columns.confirmed[at] = confirmed;
  }

  /** On shared memory, so that it crosses to another thread as it is. */
  finish(): PairShare {
    if (this.#cores[this.#cores.length - 1] === this.#count) this.#cores.pop();
    const columns = mapColumns((name) => {
      const column = new Uint32Array(new SharedArrayBuffer(4 * this.#count));
      column.set(this.#columns[name].subarray(0, this.#count));
      return column;
    });
    return { ...columns, cores: Uint32Array.from(this.#cores) };
  }
}

/** What one thread found. */
export interface PairShare extends PairColumns {
  /** First pair of each core. */
  readonly cores: Uint32Array;
}

export function joinShares(shares: readonly PairShare[], table: TokenTable, order: Uint32Array, lead = 0): PairTable {
  const count = shares.reduce((sum, share) => sum + share.alphaRow.length, 0);
  const cores = new Uint32Array(shares.reduce((sum, share) => sum + share.cores.length, 0) + 1);
  let pairs = 0;
  let at = 0;
  for (const share of shares) {
    for (const first of share.cores) cores[at++] = pairs + first;
    pairs += share.alphaRow.length;
  }
  cores[at] = count;
  const columns = mapColumns((name) => {
    const only = shares.length === 1 ? shares[0] : undefined;
    if (only !== undefined) return only[name];
    const column = new Uint32Array(count);
    let next = 0;
    for (const share of shares) {
      column.set(share[name], next);
      next += share[name].length;
    }
    return column;
  });
  return { ...columns, count, cores, table, order, lead };
}

function mapColumns(make: (name: keyof PairColumns) => Uint32Array): PairColumns {
  return Object.fromEntries(columnNames.map((name) => [name, make(name)])) as unknown as PairColumns;
}

/** Pair i with its strings. */
export function readPair(pairs: PairTable, i: number): LikelyPair {
  const { table, order } = pairs;
  const alphaRow = pairs.alphaRow[i]!;
  const betaRow = pairs.betaRow[i]!;
  const first = pairs.before[i]! - pairs.left[i]!;
  const rest = pairs.after[i]! - pairs.right[i]!;
  return {
    alpha: textOf(table, table.starts[alphaRow]! + first, table.starts[alphaRow + 1]! - rest),
    beta: textOf(table, table.starts[betaRow]! + first, table.starts[betaRow + 1]! - rest),
    start: first === pairs.lead,
    end: rest === 0,
    supportLow: pairs.supportLow[i]!,
    supportHigh: pairs.supportHigh[i]!,
    confirmed: pairs.confirmed[i]!,
    example: [order[alphaRow]!, order[betaRow]!],
  };
}

const decoder = new TextDecoder();

/** The text of a range of tokens, without anchors. */
function textOf({ tokens, text, textStarts }: TokenTable, from: number, to: number): string {
  const bytes: number[] = [];
  for (let i = from; i < to; i++) {
    const token = tokens[i]!;
    if (token === START || token === END) continue;
    for (let k = textStarts[token]!; k < textStarts[token + 1]!; k++) bytes.push(text[k]!);
  }
  return decoder.decode(Uint8Array.from(bytes));
}
