/** The URLs that rules change, for spreadsheets: those with most requests of each part of the report. */
import { describeRule } from "../canon/describe.js";
import { subjectOf } from "../canon/kinds.js";
import type { DustRow } from "./data.js";
import type { DustUrl } from "./dust-count.js";

const ROWS_KEPT = 500;

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
    const subjects = row.rules.map(({ kind }) => subjectOf(kind));
    if (subjects.includes("parameters")) this.#parameters.add(row);
    if (subjects.includes("spellings")) this.#spellings.add(row);
  }

  /** With `mask` applied to every text. `unseen` are canonical URLs at which nobody has seen a page. */
  finish(
    mask: (text: string) => string,
    unseen: ReadonlySet<string>,
  ): Record<"all" | "parameters" | "spellings", DustRow[]> {
    const masked = (rows: TopRows) => rows.finish().map((row) => dustRow(row, mask, unseen));
    return { all: masked(this.#all), parameters: masked(this.#parameters), spellings: masked(this.#spellings) };
  }
}
