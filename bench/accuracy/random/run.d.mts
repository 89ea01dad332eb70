import type { Canonizer, Rule } from "#src/canon/index.js";
import type { FetchEffects } from "#src/fetch/effects.js";
import type { ValidateResult } from "#src/jobs/validate.js";
import type { Certificate } from "#src/model.js";
import type { Missed } from "./reach.mjs";
import type { Site } from "./site.mjs";

export interface Wrong {
  readonly url: string;
  readonly to: string;
  readonly shows: "nothing" | "another page";
  readonly steps: readonly string[];
}

export interface Judged {
  readonly urls: number;
  /** URLs that show a page; of these: */
  readonly live: number;
  readonly changed: number;
  readonly wrong: readonly Wrong[];
  readonly duplicates: number;
  /** Duplicates that exact rules merge, and that these rules merge rightly. */
  readonly reach: number;
  readonly merged: number;
  readonly missed: readonly Missed[];
  /** URLs that show no page any more and that canonization changes too. */
  readonly changedGone: number;
}

export interface Measured extends Judged {
  readonly rules: readonly string[];
  readonly requests: number;
  /** What validation claims, to be held against `wrong`. */
  readonly certificates: readonly Certificate[];
  readonly stopped: boolean;
  readonly seconds: number;
}

/** `seed` is that of the draws; `rules` are proven instead of what is mined. */
export function runOnSite(
  site: Site,
  options?: {
    readonly seed?: number;
    readonly rules?: readonly Rule[];
    readonly onValidated?: (validated: ValidateResult) => void;
  },
): Promise<Measured>;
export function judge(site: Site, urls: readonly string[], canon: Canonizer): Judged;
/** The site instead of a network, and a clock that nobody waits for. */
export function inProcess(site: Site): { readonly requests: () => number; readonly effects: Partial<FetchEffects> };
/** The log as a server writes it. */
export function formatLog(log: Site["log"]): string;
