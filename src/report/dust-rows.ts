/** The URLs that rules change, for spreadsheets: those with most requests of each part of the report. */
import { describeRule } from "../canon/describe.js";
import type { Rule } from "../model.js";
import type { DustRow } from "./data.js";
import type { DustUrl } from "./dust-count.js";

const ROWS_KEPT = 500;

/** Kinds of rules that only spell one address in several ways. */
const spellingKinds: ReadonlySet<Rule["kind"]> = new Set([
  "scheme",
  "www",
  "trailingSlash",
  "repeatedSlash",
  "percentEncoding",
  "case",
  "indexPage",
  "extension",
]);
const parameterKinds: ReadonlySet<Rule["kind"]> = new Set([
  "parameter",
  "parameterOrder",
  "repeatedParameter",
  "emptyParameter",
]);

/** Keeps the most asked of what it is shown, in bounded memory. */
class TopRows {
  #rows: DustUrl[] = [];

  add(row: DustUrl): void {
    this.#rows.push(row);
    if (this.#rows.length >= 4 * ROWS_KEPT) this.#rows = this.finish();
  }

  finish(): DustUrl[] {
    return this.#rows.toSorted((a, b) => b.requests - a.requests).slice(0, ROWS_KEPT);
  }
}

export function dustRow(
  { url, canonical, rules, requests }: DustUrl,
  mask: (text: string) => string,
  unseen: ReadonlySet<string>,
): DustRow {
  const rule = mask(rules.map(describeRule).join("; "));
  return { url: mask(url), canonical: mask(canonical), rule, requests, isSeen: !unseen.has(canonical) };
}

export class DustRows {
  readonly #all = new TopRows();
  readonly #parameters = new TopRows();
  readonly #spellings = new TopRows();

  take(row: DustUrl): void {
    this.#all.add(row);
    if (row.rules.some(({ kind }) => parameterKinds.has(kind))) this.#parameters.add(row);
    if (row.rules.some(({ kind }) => spellingKinds.has(kind))) this.#spellings.add(row);
  }

  /** With `mask` put over every text. `unseen` are canonical URLs that nobody has seen a page at. */
  finish(
    mask: (text: string) => string,
    unseen: ReadonlySet<string>,
  ): Record<"all" | "parameters" | "spellings", DustRow[]> {
    const masked = (rows: TopRows) => rows.finish().map((row) => dustRow(row, mask, unseen));
    return { all: masked(this.#all), parameters: masked(this.#parameters), spellings: masked(this.#spellings) };
  }
}
