/** The URLs that rules change, for spreadsheets: those with most requests of each part of the report. */
import { describeRule } from "../canon/describe.js";
import type { Rule } from "../model.js";
import type { DustRow } from "./data.js";

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
  #rows: DustRow[] = [];

  add(row: DustRow): void {
    this.#rows.push(row);
    if (this.#rows.length >= 4 * ROWS_KEPT) this.#rows = this.finish();
  }

  finish(): DustRow[] {
    return this.#rows.toSorted((a, b) => b.requests - a.requests).slice(0, ROWS_KEPT);
  }
}

export class DustRows {
  readonly #all = new TopRows();
  readonly #parameters = new TopRows();
  readonly #spellings = new TopRows();

  take(url: string, canonical: string, rules: readonly Rule[], requests: number): void {
    const row = { url, canonical, rule: rules.map(describeRule).join("; "), requests };
    this.#all.add(row);
    if (rules.some(({ kind }) => parameterKinds.has(kind))) this.#parameters.add(row);
    if (rules.some(({ kind }) => spellingKinds.has(kind))) this.#spellings.add(row);
  }

  /** With `mask` put over every text. */
  finish(mask: (text: string) => string): Record<"all" | "parameters" | "spellings", DustRow[]> {
    const masked = (rows: TopRows) =>
      rows
        .finish()
        .map((row) => ({ ...row, url: mask(row.url), canonical: mask(row.canonical), rule: mask(row.rule) }));
    return { all: masked(this.#all), parameters: masked(this.#parameters), spellings: masked(this.#spellings) };
  }
}
