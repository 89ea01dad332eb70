import type { CounterExample, Evidence, Rule, RuleStatus, UrlPair } from "../model.js";
import { Turns } from "../progress.js";
import { hostIn } from "../url/parse.js";
import { isBlindBeside } from "./certificate.js";
import { KnownOnly } from "./known-only.js";
import type { Trial } from "./narrow.js";
import type { Declared, Pages, PageView } from "./pages.js";
import { oneOfEachSort, sortsOf } from "./url-sorts.js";
import {
  type Counts,
  exhaustedVerdict,
  LEAST_BESIDE_GONE,
  LEAST_USABLE,
  paperVerdict,
  sequentialVerdict,
} from "./verdict.js";

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
  /** On URLs of a sort it cannot be told what the rule does: it may hold elsewhere. */
  readonly isBlind?: boolean;
  /** By most pairs the URL that the rule changes is the canonical one of both. */
  readonly isBackward?: boolean;
}

export interface TrialResult {
  readonly outcome: Draw["outcome"];
  readonly why: string;
  /** Both pages are stable: a negative refutes by itself. */
  readonly certain: boolean;
  /** Skipped without a look. */
  readonly leftAlone?: boolean;
  /** Skipped, since the first URL shows nothing any more. */
  readonly gone?: boolean;
  /** Skipped, although both pages were seen: nothing can be said of what the rule does here. */
  readonly untold?: boolean;
  /** Skipped for being unequal, as it may be by chance. */
  readonly isUnequal?: boolean;
  readonly declared?: Declared;
}

/** Draws whose pages could not be had, before the first that told something: the others will not tell more. */
const LOOKS_IN_VAIN = 30;
/** A sort with this share of the URLs is blind where this many of its URLs cannot be compared. */
const BLIND_SHARE = 0.02;
const BLIND_SAMPLES = 3;
const EXAMPLES_KEPT = 5;
/** Looks at a page that says some of what an error page says. */
const LOOKS_AT_ERRORS = 8;

/** How a verdict is come to. */
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
  /** By URL, what no rule must make of it: another page, or none. */
  readonly #counterExamples = new Map<string, Set<string>>();
  /** By both URLs what came of comparing them. */
  readonly #known = new Map<string, Map<string, TrialResult>>();
  readonly #drawn = new Set<string>();
  readonly #pages: Pages<P>;
  readonly #options: ValidateOptions;
  readonly #events: ValidateEvents;
  readonly #signal: AbortSignal;
  /** Where pages are known, nothing else lets Ctrl-C in. */
  readonly #turns = new Turns();

  /** Those of the list: nobody knows of any other that it has the site's pages. */
  readonly #hosts: ReadonlySet<string>;

  constructor(
    pages: Pages<P>,
    options: ValidateOptions,
    events: ValidateEvents,
    signal: AbortSignal,
    urls: readonly string[],
  ) {
    this.#pages = pages;
    this.#hosts = new Set(urls.map(hostIn));
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
    const counterExamples = direction === "opposite" ? this.#counterExamplesOf(change) : [];
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
      // Of an archive's pairs those do not count that were never compared, whatever they show.
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

  /**
   * A pair that refuted another rule, or this one the other way round, refutes this one too, and its pages are at hand. It
   * need not be in the list: where the site has the page, someone will come across it.
   */
  #counterExamplesOf(change: (url: string) => string | undefined): string[] {
    for (const [refuting, targets] of this.#counterExamples) {
      const target = change(refuting);
      if (target !== undefined && targets.has(target)) return [refuting];
    }
    return [];
  }

  #addCounterExample(from: string, to: string): void {
    const known = this.#counterExamples.get(from);
    if (known === undefined) this.#counterExamples.set(from, new Set([to]));
    else known.add(to);
  }

  /** One draw: are the two pages the same? Undefined where the work was stopped. */
  async tryOne(rule: string, direction: Direction, from: string, to: string): Promise<TrialResult | undefined> {
    if (await this.isEnded()) return undefined;
    const trial = this.known(from, to) ?? (await this.#compare(from, to));
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

  /** All looks so far, this one at least. */
  #looksAt(url: string, page: P): P[] {
    const looks = this.#pages.looksAt?.(url) ?? [];
    return looks.length === 0 ? [page] : [...looks];
  }

  /** Is it an error page by itself, or since it says what this one says, by which it was not known yet? */
  #likenessToError(view: PageView<P>, errorPage: P | undefined): "same" | "partly" | "other" {
    if (view.seen === "missing" && view.errorPage !== undefined) return "same";
    if (view.seen !== "page" || errorPage === undefined) return "other";
    return this.#pages.likenessToError?.(view.page, errorPage) ?? "other";
  }

  /**
   * Does the first URL show an error page too, where the second does? As long as it says some of it, both are looked at again:
   * an advertisement that came twice may be all that it has besides. Undefined where the work was stopped.
   */
  async #isErrorToo(from: string, to: string, errorPage: P): Promise<boolean | undefined> {
    for (let look = 1; look < LOOKS_AT_ERRORS; look++) {
      const u = await this.#pages.view(from, look);
      const v = await this.#pages.view(to, look);
      if (u.seen === "stopped" || v.seen === "stopped") return undefined;
      const likeness = this.#likenessToError(u, errorPage);
      if (likeness !== "partly") return likeness === "same";
    }
    return false;
  }

  async #compare(from: string, to: string): Promise<TrialResult | undefined> {
    const skip = (why: string): TrialResult => ({ outcome: "skipped", why, certain: false });
    const bad = (why: string, certain: boolean): TrialResult => ({ outcome: "negative", why, certain });
    const good = (a: P, b: P): TrialResult => {
      const declared = this.#pages.declared(a, b);
      // A URL that the site redirects is not a canonical one, however much alike the pages are.
      if (declared === "back" && this.#options.plan !== "paper") return bad("the site redirects it back", true);
      return { outcome: "positive", why: "", certain: true, declared };
    };
    // The first page is not worth its fetch where the second cannot be had.
    const leftAlone = this.#options.plan === "paper" ? undefined : this.#pages.leftAlone(to);
    if (leftAlone !== undefined) {
      // "www." before every host makes up hosts, of which nobody can tell what they show.
      const isMadeUp = !this.#hosts.has(hostIn(to)) && this.#pages.leftAlone(from) === undefined;
      return { ...skip(leftAlone), ...(isMadeUp ? { untold: true } : { leftAlone: true }) };
    }
    const u = await this.#pages.view(from, 0);
    if (u.seen === "stopped" || this.#signal.aborted) return undefined;
    if (u.seen !== "page") return { ...skip(u.why), gone: u.seen === "missing" };
    const v = await this.#pages.view(to, 0);
    if (v.seen === "stopped") return undefined;
    // Unless that is where the rule leads too.
    const isLedHome = this.#options.plan !== "paper" && this.#pages.isLedHome?.(u.page) === true;
    const isHome = v.seen === "page" && this.#pages.isLedHome?.(v.page) === false;
    if (isLedHome && !(isHome && this.#pages.declared(u.page, v.page) === "redirect")) {
      return { ...skip(LED_HOME), gone: true };
    }
    if (v.seen === "unavailable") return this.#options.plan === "paper" ? bad(v.why, false) : skip(v.why);
    if (v.seen !== "page") {
      if (this.#options.plan === "paper") return bad(v.why, false);
      // Where the first URL shows a page and the second a wall, they are not the same page to anyone.
      const v2 = await this.#pages.view(to, 1);
      if (v2.seen === "stopped") return undefined;
      if (v2.seen !== v.seen) return skip("answers come and go");
      if (v2.seen === "missing" && v2.errorPage !== undefined) {
        const isErrorToo = await this.#isErrorToo(from, to, v2.errorPage);
        if (isErrorToo === undefined) return undefined;
        if (isErrorToo) return { ...skip(v.why), gone: true };
      }
      this.#addCounterExample(from, to);
      return bad(v.why, true);
    }
    // What changes on a page that was looked at before is known, and need not be found out again.
    const [us, vs] = [this.#looksAt(from, u.page), this.#looksAt(to, v.page)];
    for (;;) {
      const { sameness, lookAgain, isClock, certain, isUnequal, why = TOO_LITTLE } = this.#pages.compare(us, vs);
      if (sameness === "same") return good(us[0]!, vs[0]!);
      if (this.#options.plan === "paper") return bad("different text", false);
      if (lookAgain) {
        // Before it counts against the rule, both are looked at again; back to back, unless one was before.
        const [ofU, ofV] = [us.length, vs.length];
        const v2 = ofV <= ofU ? await this.#pages.view(to, ofV, isClock) : v;
        if (v2.seen === "stopped") return undefined;
        const u2 = ofU <= ofV ? await this.#pages.view(from, ofU, isClock) : u;
        if (u2.seen === "stopped") return undefined;
        // What is known to change by now may show that one of them is an error page.
        const error = v2.seen === "missing" ? v2.errorPage : undefined;
        if (this.#likenessToError(u2, error) === "same") return { ...skip("soft 404"), gone: true };
        if (v2.seen === "missing" && error !== undefined && u2.seen === "page") {
          const isErrorToo = await this.#isErrorToo(from, to, error);
          if (isErrorToo === undefined) return undefined;
          if (isErrorToo) return { ...skip(v2.why), gone: true };
          this.#addCounterExample(from, to);
          return bad(v2.why, true);
        }
        if (u2.seen !== "page" || v2.seen !== "page") return skip("answers come and go");
        if (ofU <= ofV) us.push(u2.page);
        if (ofV <= ofU) vs.push(v2.page);
        continue;
      }
      if (sameness === "not comparable") return { ...skip(why), untold: true, ...(isUnequal && { isUnequal }) };
      if (certain) {
        this.#addCounterExample(from, to);
        this.#addCounterExample(to, from);
      }
      return bad("different text", certain);
    }
  }
}

const LED_HOME = "it leads to the front page";
const TOO_LITTLE = "too little text of its own to compare";

/** What the draws for one verdict showed, each URL once but on the paper's plan. */
class VerdictTally implements Counts {
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

  result({
    similarity,
    now,
  }: ValidateOptions): Pick<Verdict, "positive" | "negative" | "evidence" | "trials" | "isBackward"> {
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
