/** Likely pairs that come as strings, from a database, as the table that elimination works on. */
import { tokenize } from "../../url/tokenize.js";
import { END, START } from "./constants.js";
import type { LikelyPair, PairColumns, PairTable } from "./table.js";
import type { TokenTable } from "./tokens.js";

/** Stands for the rest of a URL before or after an unanchored string. Never part of a core or of its context. */
const REST = 2;

interface Placed {
  readonly pair: LikelyPair;
  readonly alpha: readonly number[];
  readonly beta: readonly number[];
  /** Tokens of context on both sides of the core. */
  readonly left: number;
  readonly right: number;
  readonly core: string;
}

/** The pairs' examples are indices into whatever list the caller has. */
export function pairTableOf(pairs: readonly LikelyPair[]): PairTable {
  const words = new Words();
  const placed = pairs.map((pair) => place(pair, words));
  const byCore = new Map<string, Placed[]>();
  for (const one of placed) {
    const group = byCore.get(one.core);
    if (group === undefined) byCore.set(one.core, [one]);
    else group.push(one);
  }
  const columns: Record<keyof PairColumns, number[]> = {
    alphaRow: [],
    betaRow: [],
    before: [],
    after: [],
    left: [],
    right: [],
    leftFrom: [],
    leftTo: [],
    rightFrom: [],
    rightTo: [],
    supportLow: [],
    supportHigh: [],
    confirmed: [],
  };
  const rows: number[][] = [];
  const order: number[] = [];
  const cores: number[] = [];
  const addRow = (tokens: readonly number[], { start, end }: LikelyPair, index: number): number => {
    rows.push([...(start ? [] : [REST]), ...tokens, ...(end ? [] : [REST])]);
    order.push(index);
    return rows.length - 1;
  };
  for (const group of byCore.values()) {
    cores.push(columns.left.length);
    const lefts = nestedIntervals(group.map(({ alpha, left }) => alpha.slice(0, left).reverse()));
    const rights = nestedIntervals(group.map(({ alpha, right }) => alpha.slice(alpha.length - right)));
    group.forEach(({ pair, alpha, beta, left, right }, i) => {
      columns.alphaRow.push(addRow(alpha, pair, pair.example[0]));
      columns.betaRow.push(addRow(beta, pair, pair.example[1]));
      columns.before.push(left + (pair.start ? 0 : 1));
      columns.after.push(right + (pair.end ? 0 : 1));
      columns.left.push(left);
      columns.right.push(right);
      columns.leftFrom.push(lefts[i]!.from);
      columns.leftTo.push(lefts[i]!.to);
      columns.rightFrom.push(rights[i]!.from);
      columns.rightTo.push(rights[i]!.to);
      columns.supportLow.push(pair.supportLow);
      columns.supportHigh.push(pair.supportHigh);
      columns.confirmed.push(pair.confirmed);
    });
  }
  const typed = Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, Uint32Array.from(values)]));
  return {
    ...(typed as unknown as PairColumns),
    count: pairs.length,
    cores: Uint32Array.from([...cores, pairs.length]),
    table: words.table(rows),
    order: Uint32Array.from(order),
    lead: 0,
  };
}

function place(pair: LikelyPair, words: Words): Placed {
  const tokensOf = (text: string) => [
    ...(pair.start ? [START] : []),
    ...tokenize(text).map((token) => words.number(token)),
    ...(pair.end ? [END] : []),
  ];
  const alpha = tokensOf(pair.alpha);
  const beta = tokensOf(pair.beta);
  const shorter = Math.min(alpha.length, beta.length);
  let left = 0;
  while (left < shorter && alpha[left] === beta[left]) left++;
  let right = 0;
  while (right < shorter - left && alpha[alpha.length - 1 - right] === beta[beta.length - 1 - right]) right++;
  const coreOf = (tokens: readonly number[]) => tokens.slice(left, tokens.length - right).join(" ");
  return { pair, alpha, beta, left, right, core: `${coreOf(alpha)}/${coreOf(beta)}` };
}

/** The interval of each list among all of them in order: that of a list which begins with another lies within the other's. */
function nestedIntervals(lists: readonly (readonly number[])[]): { from: number; to: number }[] {
  const order = lists.map((_, i) => i).sort((a, b) => compareLists(lists[a]!, lists[b]!));
  const intervals: { from: number; to: number }[] = lists.map(() => ({ from: 0, to: 0 }));
  // The lists that the current one begins with; each ends where the first comes that does not begin with it.
  const open: { list: readonly number[]; members: number[]; from: number }[] = [];
  const close = (to: number) => {
    const { members, from } = open.pop()!;
    for (const member of members) intervals[member] = { from, to };
  };
  order.forEach((member, at) => {
    const list = lists[member]!;
    while (open.length > 0 && !beginsWith(list, open.at(-1)!.list)) close(at);
    const last = open.at(-1);
    if (last !== undefined && last.list.length === list.length) last.members.push(member);
    else open.push({ list, members: [member], from: at });
  });
  while (open.length > 0) close(order.length);
  return intervals;
}

function compareLists(a: readonly number[], b: readonly number[]): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return a.length - b.length;
}

function beginsWith(list: readonly number[], start: readonly number[]): boolean {
  return start.length <= list.length && start.every((token, i) => list[i] === token);
}

/** Numbers of tokens, those of the anchors and of REST taken. */
class Words {
  readonly #numbers = new Map<string, number>();

  number(token: string): number {
    const known = this.#numbers.get(token);
    if (known !== undefined) return known;
    const number = REST + 1 + this.#numbers.size;
    this.#numbers.set(token, number);
    return number;
  }

  table(rows: readonly (readonly number[])[]): TokenTable {
    const starts = new Uint32Array(rows.length + 1);
    rows.forEach((row, i) => {
      starts[i + 1] = starts[i]! + row.length;
    });
    const texts = [...this.#numbers.keys()].map((token) => new TextEncoder().encode(token));
    const textStarts = new Uint32Array(REST + 2 + texts.length);
    texts.forEach((text, i) => {
      textStarts[REST + 2 + i] = textStarts[REST + 1 + i]! + text.length;
    });
    const text = new Uint8Array(textStarts.at(-1)!);
    texts.forEach((bytes, i) => {
      text.set(bytes, textStarts[REST + 1 + i]);
    });
    const longest = rows.reduce((most, row) => Math.max(most, row.length), 0);
    return { count: rows.length, starts, tokens: Uint32Array.from(rows.flat()), textStarts, text, longest };
  }
}
