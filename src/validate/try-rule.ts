import type { Rule, RuleStatus } from "../model.js";
import { Turns } from "../progress.js";
import { isBlindBeside } from "./certificate.js";
import { type TrialResult, UrlComparison } from "./compare-urls.js";
import { KnownOnly } from "./known-only.js";
import type { Trial } from "./narrow.js";
import type { Pages } from "./pages.js";
import { oneOfEachSort, sortsOf } from "./url-sorts.js";
import { exhaustedVerdict, LEAST_BESIDE_GONE, LEAST_USABLE, paperVerdict, sequentialVerdict } from "./verdict.js";
import { type TalliedVerdict, VerdictTally } from "./verdict-tally.js";

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

export interface Verdict extends TalliedVerdict {
  readonly status: RuleStatus;
  readonly applicable: readonly string[];
  /** On URLs of a sort it cannot be told what the rule does: it may hold elsewhere. */
  readonly isBlind?: boolean;
}

/** Draws whose pages could not be had, before the first that showed something: the others will not show more. */
const LOOKS_IN_VAIN = 30;
/** A sort with this share of the URLs is blind where this many of its URLs cannot be compared. */
const BLIND_SHARE = 0.02;
const BLIND_SAMPLES = 3;

/** How a verdict is reached. */
export interface VerdictOptions {
  /** How likely a false rule may be accepted. */
  readonly error?: number;
  /** URLs whose outcome was the reason to ask: they veto, and count for nothing else. */
  readonly besides?: ReadonlySet<string>;
}

/** Figure 3 of the 2007 paper: draws URLs that a rule changes and looks at both pages until there is a verdict. */
export class RuleTest<P> {
  /** Nothing can be fetched. */
  readonly knownOnly: boolean;
  /** By both URLs what came of comparing them. */
  readonly #known = new Map<string, Map<string, TrialResult>>();
  readonly #drawn = new Set<string>();
  readonly #pages: Pages<P>;
  readonly #comparison: UrlComparison<P>;
  readonly #options: ValidateOptions;
  readonly #events: ValidateEvents;
  readonly #signal: AbortSignal;
  /** Where pages are known, nothing else lets Ctrl-C in. */
  readonly #turns = new Turns();

  constructor(
    pages: Pages<P>,
    options: ValidateOptions,
    events: ValidateEvents,
    signal: AbortSignal,
    urls: readonly string[],
  ) {
    this.#pages = pages;
    this.#comparison = new UrlComparison(pages, options.plan, signal, urls);
    this.#options = options;
    this.#events = events;
    this.#signal = signal;
    this.knownOnly = pages.known !== undefined;
  }

  /** Lets Ctrl-C be heard; true where it was. */
  async isEnded(): Promise<boolean> {
    await this.#turns.take();
    return this.#signal.aborted;
  }

  /** What is known of two URLs. */
  known(from: string, to: string): TrialResult | undefined {
    return this.#known.get(from)?.get(to);
  }

  /** All that the comparisons so far say about what `change` does. */
  trialsOf(change: (url: string) => string | undefined): Trial[] {
    const trials: Trial[] = [];
    for (const [url, targets] of this.#known) {
      const outcome = targets.get(change(url) ?? url)?.outcome;
      if (outcome === "positive" || outcome === "negative") trials.push({ url, positive: outcome === "positive" });
    }
    return trials;
  }

  /** The verdict on what `change` does to those of the URLs that it changes; undefined where the work was stopped. */
  async verdict(
    rule: string,
    direction: Direction,
    urls: readonly string[],
    change: (url: string) => string | undefined,
    { error, besides = new Set() }: VerdictOptions = {},
  ): Promise<Verdict | undefined> {
    const applicable = urls.filter((url) => change(url) !== undefined);
    const { plan, count, epsilon } = this.#options;
    const tally = new VerdictTally();
    const isPaper = plan === "paper";
    // Pairs of which the list has both URLs are what the rule would merge here: they are a sort of their own.
    const listed = new Set(urls);
    const knownOnly =
      this.#pages.known === undefined || isPaper ? undefined : new KnownOnly(this.#pages.known, listed, change);
    const look = async (from: string): Promise<"stopped" | "refuted" | undefined> => {
      const target = change(from)!;
      const to = knownOnly?.partnerOf(from, target) ?? target;
      const trial = await this.tryOne(rule, direction, from, to);
      if (trial === undefined) return "stopped";
      if (trial.outcome !== "skipped") knownOnly?.count(from, trial.outcome === "positive");
      tally.add(from, to, trial, isPaper);
      // A page that is stable on both sides and differs is a true counter-example: no number of others outweighs it.
      return trial.outcome === "negative" && trial.certain && !isPaper ? "refuted" : undefined;
    };
    let status: RuleStatus | undefined = isPaper && count === 0 ? "likely" : undefined;
    if (isPaper) {
      for (const from of this.#withReplacement(applicable)) {
        if (status !== undefined) break;
        if ((await look(from)) === "stopped") return undefined;
        status = paperVerdict(tally, count, epsilon);
      }
      status ??= tally.positive + tally.negative === 0 ? "undecided" : exhaustedVerdict(tally, epsilon);
      return { status, ...tally.result(this.#options), applicable };
    }
    // One of each sort of URL is a veto: a rule that fails on some of its URLs does so for a reason, and the reason shows.
    const { urls: ordered, sorts } = oneOfEachSort(applicable, (url) => listed.has(change(url)!));
    // The forward draws also say where a refuted rule may hold, so nothing must stand before a sample of them.
    const counterExamples = direction === "opposite" ? this.#comparison.counterExamplesOf(change) : [];
    const vetoes = knownOnly === undefined ? [...counterExamples, ...ordered.slice(0, sorts)] : [];
    // Only uniform draws, and none that were a reason to ask, count for the test.
    const population = knownOnly === undefined ? applicable.filter((url) => !besides.has(url)) : applicable;
    for (const from of vetoes) {
      const looked = await look(from);
      if (looked === "stopped") return undefined;
      status ??= looked;
      if (status !== undefined) break;
    }
    // Where none of a sort can be compared, nobody knows what the rule does to it, whatever it does to others.
    const blind =
      status === undefined && knownOnly === undefined ? await this.#blindOnes(applicable, change, look) : [];
    if (blind === undefined) return undefined;
    const asBlind = (unseen: readonly string[]): Verdict => {
      const { trials, ...result } = tally.result(this.#options);
      const against = unseen.map((url) => ({ url, positive: false }));
      return { status: "undecided", ...result, trials: [...trials, ...against], applicable, isBlind: true };
    };
    if (blind.length > 0) return asBlind(blind);
    let [drawn, gone, positive, negative] = [0, 0, 0, 0];
    const unseen: string[] = [];
    const givesUp = () => knownOnly === undefined && positive + negative === 0 && drawn >= LOOKS_IN_VAIN;
    for (const from of population) {
      if (status !== undefined || givesUp()) break;
      const looked = await look(from);
      if (looked === "stopped") return undefined;
      status = looked;
      const trial = this.known(from, knownOnly?.lastPartner ?? change(from)!)!;
      const { outcome, gone: isGone, leftAlone, untold } = trial;
      if (leftAlone !== true) drawn++;
      if (isGone === true) gone++;
      if (outcome === "positive") positive++;
      else if (outcome === "negative") negative++;
      // Pairs of an archive that were never compared do not count, whatever they show.
      else if (knownOnly === undefined ? untold : trial.isUnequal) unseen.push(from);
      if (outcome === "skipped" || knownOnly !== undefined) continue;
      const verdict = sequentialVerdict({ positive, negative }, population.length - gone, error);
      status ??= verdict;
    }
    if (knownOnly !== undefined) status ??= knownOnly.verdict(tally, epsilon);
    if (status === "valid" && isBlindBeside(unseen.length, positive)) return asBlind(unseen);
    const unknown = population.length - gone - positive - negative;
    if (givesUp() || (unknown > 0 && knownOnly === undefined)) status ??= "undecided";
    status ??= exhaustedVerdict(tally, epsilon, gone > 0 ? LEAST_BESIDE_GONE : LEAST_USABLE);
    return { status, ...tally.result(this.#options), applicable };
  }

  /** URLs of the larger sorts of which none can be compared; undefined where the work was stopped. */
  async #blindOnes(
    applicable: readonly string[],
    change: (url: string) => string | undefined,
    look: (from: string) => Promise<"stopped" | "refuted" | undefined>,
  ): Promise<string[] | undefined> {
    const blind: string[] = [];
    const least = Math.max(LEAST_USABLE, BLIND_SHARE * applicable.length);
    for (const urls of sortsOf(applicable).values()) {
      if (urls.length < least) continue;
      const samples = urls.slice(0, BLIND_SAMPLES);
      let unseen = 0;
      for (const from of samples) {
        if ((await look(from)) === "stopped") return undefined;
        const { untold } = this.known(from, change(from)!)!;
        if (untold !== true) break;
        unseen++;
      }
      if (unseen === samples.length) blind.push(...samples);
    }
    return blind;
  }

  /** Figure 3 draws again each time; bounded, since it would not end where no URL can be fetched, or next to none. */
  *#withReplacement(applicable: readonly string[]): Generator<string> {
    const draws = applicable.length === 0 ? 0 : 100 * this.#options.count;
    let state = (this.#options.seed * 2654435761) >>> 0;
    for (let i = 0; i < draws; i++) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      yield applicable[Math.floor((state / 2 ** 32) * applicable.length)]!;
    }
  }

  /** One draw: are the two pages the same? Undefined where the work was stopped. */
  async tryOne(rule: string, direction: Direction, from: string, to: string): Promise<TrialResult | undefined> {
    if (await this.isEnded()) return undefined;
    const trial = this.known(from, to) ?? (await this.#comparison.compare(from, to));
    if (trial === undefined) return undefined;
    const targets = this.#known.get(from) ?? new Map<string, TrialResult>();
    this.#known.set(from, targets.set(to, trial));
    const key = `${rule} ${direction} ${from} ${to}`;
    // The paper draws with replacement.
    if (!this.#drawn.has(key) || this.#options.plan === "paper") {
      this.#events.onDraw({ rule, direction, from, to, outcome: trial.outcome, why: trial.why });
    }
    this.#drawn.add(key);
    return trial;
  }
}
