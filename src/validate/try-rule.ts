import type { CounterExample, Evidence, Rule, RuleStatus, UrlPair } from "../model.js";
import { KnownOnly } from "./known-only.js";
import type { Trial } from "./narrow.js";
import type { Declared, Pages } from "./pages.js";
import { oneOfEachSort } from "./url-sorts.js";
import { type Counts, exhaustedVerdict, lowerBound, paperVerdict, sequentialVerdict } from "./verdict.js";

export interface ValidateOptions {
  /** The papers' loop, or Wald's sequential test. */
  readonly plan: "sequential" | "paper";
  /** N: the validation count. */
  readonly count: number;
  /** The refutation threshold. */
  readonly epsilon: number;
  readonly seed: number;
  /** Name of the similarity test, for the evidence. */
  readonly similarity: string;
  readonly now: () => Date;
}

export type Direction = "forward" | "opposite";

/** One URL drawn for a rule, and what came of it. */
export interface Draw {
  readonly rule: string;
  readonly direction: Direction;
  readonly from: string;
  readonly to: string;
  readonly outcome: "positive" | "negative" | "skipped";
  readonly why: string;
}

export interface ValidateEvents {
  readonly onDraw: (draw: Draw) => void;
  /** After each decided rule: what is known so far. */
  readonly onVerdict: (rule: Rule, decided: number, total: number) => void;
}

export interface Verdict extends Counts {
  readonly status: RuleStatus;
  readonly evidence: Evidence;
  readonly trials: readonly Trial[];
  readonly applicable: readonly string[];
}

export interface TrialResult {
  readonly outcome: Draw["outcome"];
  readonly why: string;
  /** Both pages are stable: a negative refutes by itself. */
  readonly certain: boolean;
  /** Skipped without a look. */
  readonly leftAlone?: boolean;
  readonly declared?: Declared;
}

const skipsPerRule = 60;
/** Draws whose pages could not be had, before the first that told something: the others will not tell more. */
const looksInVain = 8;
const examplesKept = 5;

/** Figure 3 of the 2007 paper: draws URLs that a rule changes and looks at both pages until there is a verdict. */
export class RuleTest<P> {
  /** Nothing can be fetched. */
  readonly knownOnly: boolean;
  /** By URL, what no rule must make of it: another page, or none. */
  readonly #counterExamples = new Map<string, Set<string>>();

  constructor(
    private readonly pages: Pages<P>,
    private readonly options: ValidateOptions,
    private readonly events: ValidateEvents,
    private readonly signal: AbortSignal,
  ) {
    this.knownOnly = pages.known !== undefined;
  }

  /**
   * The verdict on what `change` does to those of the URLs that it changes; undefined where the work was stopped. It takes
   * `leastDraws`, or all the URLs, before it can be valid.
   */
  async verdict(
    rule: string,
    direction: Direction,
    urls: readonly string[],
    change: (url: string) => string | undefined,
    leastDraws = 0,
  ): Promise<Verdict | undefined> {
    const applicable = urls.filter((url) => change(url) !== undefined);
    const { plan, count, epsilon } = this.options;
    const examples: UrlPair[] = [];
    const counterExamples: CounterExample[] = [];
    const trials: Trial[] = [];
    const declared = { redirect: 0, back: 0, canonical: 0, conflict: 0 };
    let positive = 0;
    let negative = 0;
    let skipped = 0;
    let status: RuleStatus | undefined = plan === "paper" && count === 0 ? "valid" : undefined;
    // Pairs of which the list has both URLs are what the rule would merge here: they are a sort of their own.
    const known = new Set(urls);
    const ordered = oneOfEachSort(applicable, (url) => known.has(change(url)!));
    let drawn = 0;
    let inVain = 0;
    const knownOnly =
      this.pages.known === undefined || plan === "paper" ? undefined : new KnownOnly(this.pages.known, known, change);
    const mostSkipped = knownOnly === undefined ? skipsPerRule : Number.POSITIVE_INFINITY;
    const mostInVain = knownOnly === undefined && plan !== "paper" ? looksInVain : Number.POSITIVE_INFINITY;
    const givesUp = () => skipped > mostSkipped || inVain >= mostInVain;
    // The forward draws also say where a refuted rule may hold, so nothing must stand before a sample of them.
    const drawable = direction === "opposite" ? this.#counterExamplesFirst(ordered.urls, change) : ordered.urls;
    for (const from of plan === "paper" ? this.#withReplacement(applicable) : drawable) {
      if (status !== undefined || givesUp()) break;
      const target = change(from)!;
      const to = knownOnly?.partnerOf(from, target) ?? target;
      const trial = await this.tryOne(rule, direction, from, to);
      if (trial === undefined) return undefined;
      drawn++;
      if (trial.outcome === "skipped") {
        skipped++;
        if (positive + negative === 0 && trial.leftAlone !== true) inVain++;
        continue;
      }
      const good = trial.outcome === "positive";
      knownOnly?.count(from, good);
      trials.push({ url: from, positive: good });
      if (good) {
        positive++;
        if (trial.declared !== undefined) declared[trial.declared]++;
        if (examples.length < examplesKept) examples.push({ from, to });
      } else {
        negative++;
        if (counterExamples.length < examplesKept) counterExamples.push({ from, to, why: trial.why });
      }
      if (plan === "paper") {
        status = paperVerdict({ positive, negative }, count, epsilon);
      } else {
        const verdict = sequentialVerdict({ positive, negative }, applicable.length);
        // A page that is stable on both sides and differs is a true counter-example: no number of others outweighs it.
        if (trial.certain && !good) status = "refuted";
        else if (knownOnly !== undefined) status = undefined;
        else if (verdict !== "valid" || drawn >= Math.max(ordered.sorts, leastDraws)) status = verdict;
      }
    }
    if (knownOnly !== undefined) status ??= knownOnly.verdict({ positive, negative }, epsilon);
    status ??= givesUp() ? "undecided" : exhaustedVerdict({ positive, negative }, epsilon);
    const evidence: Evidence = {
      positive,
      negative,
      lowerBound: lowerBound({ positive, negative }),
      similarity: this.options.similarity,
      redirected: declared.redirect,
      canonicalised: declared.canonical,
      canonicalConflicts: declared.conflict,
      examples,
      counterExamples,
      checkedAt: this.options.now().toISOString(),
    };
    return { status, positive, negative, evidence, trials, applicable };
  }

  /** Figure 3 draws anew each time; bounded, since it would not end where too few URLs can be fetched. */
  *#withReplacement(applicable: readonly string[]): Generator<string> {
    const draws = applicable.length === 0 ? 0 : 4 * this.options.count;
    let state = (this.options.seed * 2654435761) >>> 0;
    for (let i = 0; i < draws; i++) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      yield applicable[Math.floor((state / 2 ** 32) * applicable.length)]!;
    }
  }

  /**
   * A pair that refuted another rule, or this one the other way round, refutes this one too, and its pages are at hand. It
   * need not be in the list: where the site has the page, someone will come across it.
   */
  #counterExamplesFirst(urls: readonly string[], change: (url: string) => string | undefined): readonly string[] {
    for (const [refuting, targets] of this.#counterExamples) {
      const target = change(refuting);
      if (target !== undefined && targets.has(target)) return [refuting, ...urls.filter((url) => url !== refuting)];
    }
    return urls;
  }

  #addCounterExample(from: string, to: string): void {
    const known = this.#counterExamples.get(from);
    if (known === undefined) this.#counterExamples.set(from, new Set([to]));
    else known.add(to);
  }

  /** One draw: are the two pages the same? Undefined where the work was stopped. */
  async tryOne(rule: string, direction: Direction, from: string, to: string): Promise<TrialResult | undefined> {
    const trial = await this.#compare(from, to);
    if (trial !== undefined) this.events.onDraw({ rule, direction, from, to, outcome: trial.outcome, why: trial.why });
    return trial;
  }

  async #compare(from: string, to: string): Promise<TrialResult | undefined> {
    const skip = (why: string): TrialResult => ({ outcome: "skipped", why, certain: false });
    const bad = (why: string, certain: boolean): TrialResult => ({ outcome: "negative", why, certain });
    const good = (a: P, b: P): TrialResult => {
      const declared = this.pages.declared(a, b);
      // A URL that the site redirects is no canonical one, however much alike the pages are.
      if (declared === "back" && this.options.plan !== "paper") return bad("the site redirects it back", true);
      return { outcome: "positive", why: "", certain: true, declared };
    };
    // The first page is not worth its fetch where the second cannot be had.
    const leftAlone = this.options.plan === "paper" ? undefined : this.pages.leftAlone(to);
    if (leftAlone !== undefined) return { ...skip(leftAlone), leftAlone: true };
    const u = await this.pages.view(from, 0);
    if (u.seen === "stopped" || this.signal.aborted) return undefined;
    if (u.seen !== "page") return skip(u.why);
    const v = await this.pages.view(to, 0);
    if (v.seen === "stopped") return undefined;
    if (v.seen === "unavailable") return this.options.plan === "paper" ? bad(v.why, false) : skip(v.why);
    if (v.seen !== "page") {
      if (this.options.plan === "paper") return bad(v.why, false);
      // Where the first URL shows a page and the second a wall, they are not the same page to anyone.
      const v2 = await this.pages.view(to, 1);
      if (v2.seen === "stopped") return undefined;
      if (v2.seen !== v.seen) return skip("answers come and go");
      this.#addCounterExample(from, to);
      return bad(v.why, true);
    }
    const [us, vs] = [[u.page], [v.page]];
    for (let look = 1; ; look++) {
      const { sameness, lookAgain, certain, why = tooLittle } = this.pages.compare(us, vs);
      if (sameness === "same") return good(us[0]!, vs[0]!);
      if (this.options.plan === "paper") return bad("different text", false);
      if (lookAgain) {
        // Before it counts against the rule, both are looked at again, back to back.
        const v2 = await this.pages.view(to, look);
        const u2 = v2.seen === "stopped" ? v2 : await this.pages.view(from, look);
        if (u2.seen === "stopped" || v2.seen === "stopped") return undefined;
        if (u2.seen !== "page" || v2.seen !== "page") return skip("answers come and go");
        us.push(u2.page);
        vs.push(v2.page);
        continue;
      }
      if (sameness === "not comparable") return skip(why);
      if (certain) {
        this.#addCounterExample(from, to);
        this.#addCounterExample(to, from);
      }
      return bad("different text", certain);
    }
  }
}

const tooLittle = "too little text of its own to compare";
