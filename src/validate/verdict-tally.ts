import type { CounterExample, Evidence, UrlPair } from "../model.js";
import type { TrialResult } from "./compare-urls.js";
import type { Trial } from "./narrow.js";
import type { Counts } from "./verdict.js";

/** What a verdict says besides its status. */
export interface TalliedVerdict extends Counts {
  readonly evidence: Evidence;
  readonly trials: readonly Trial[];
  /** By most pairs the URL that the rule changes is the canonical one of both. */
  readonly isBackward?: boolean;
}

const EXAMPLES_KEPT = 5;

/** What the draws for one verdict showed, each URL once but on the paper's plan. */
export class VerdictTally implements Counts {
  positive = 0;
  negative = 0;
  readonly #urls = new Set<string>();
  readonly #trials: Trial[] = [];
  readonly #examples: UrlPair[] = [];
  readonly #counterExamples: CounterExample[] = [];
  readonly #declared = {
    ...{ redirect: 0, back: 0, canonical: 0, canonicalBack: 0, conflict: 0 },
    ...{ language: 0, languageBack: 0 },
  };

  add(from: string, to: string, { outcome, why, declared }: TrialResult, again: boolean): void {
    if (outcome === "skipped" || (this.#urls.has(from) && !again)) return;
    this.#urls.add(from);
    this.#trials.push({ url: from, positive: outcome === "positive" });
    if (outcome === "positive") {
      this.positive++;
      if (declared !== undefined) this.#declared[declared]++;
      if (this.#examples.length < EXAMPLES_KEPT) this.#examples.push({ from, to });
    } else {
      this.negative++;
      if (this.#counterExamples.length < EXAMPLES_KEPT) this.#counterExamples.push({ from, to, why });
    }
  }

  result({ similarity, now }: { readonly similarity: string; readonly now: () => Date }): TalliedVerdict {
    const { positive, negative } = this;
    const evidence: Evidence = {
      positive,
      negative,
      similarity,
      redirected: this.#declared.redirect,
      canonicalised: this.#declared.canonical + this.#declared.canonicalBack,
      canonicalConflicts: this.#declared.conflict,
      examples: this.#examples,
      counterExamples: this.#counterExamples,
      checkedAt: now().toISOString(),
    };
    const isBackward = 2 * (this.#declared.canonicalBack + this.#declared.languageBack) > positive;
    return { positive, negative, evidence, trials: this.#trials, ...(isBackward && { isBackward }) };
  }
}
