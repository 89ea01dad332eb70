import type { CounterExample, Evidence, JobContext, Rule, RuleStatus, UrlPair } from "../model.js";
import { applyRule, reverse } from "./apply.js";
import { drawOrder } from "./draws.js";
import { isWithin, narrowerScopes, type Trial } from "./narrow.js";
import { refines } from "./refine.js";
import { ruleId } from "./rule-id.js";
import { type Counts, exhaustedVerdict, lowerBound, paperVerdict, sequentialVerdict } from "./verdict.js";

/** What a look at a URL showed. `P` is whatever the similarity test compares. */
export type PageView<P> =
  | { readonly seen: "page"; readonly page: P }
  /** The URL names nothing: 4xx, or a soft 404. */
  | { readonly seen: "missing"; readonly why: string }
  /** Nothing was learned: robots, throttling, time-out, 5xx, or an address that must not be fetched. */
  | { readonly seen: "unavailable"; readonly why: string }
  /** No more looks: the budget is used up, or the work was cancelled. */
  | { readonly seen: "stopped" };

/** Where pages come from: the live site, or pages already in the workspace. */
export interface Pages<P> {
  /** `again` asks for a second, fresh look at a URL seen before. */
  view(url: string, again: boolean): Promise<PageView<P>>;
  similar(a: P, b: P): boolean;
  /** What two looks at one URL have in common; undefined where too little is left to compare. */
  stable(a: P, b: P): P | undefined;
}

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

const skipsPerRule = 60;
const examplesKept = 5;
const scopesTried = 6;

/**
 * Figure 4 of the 2007 paper: each pair in the shrinking direction first, then in the other; a rule waits until every
 * rule that it refines is decided, and is dropped unfetched where one of them is valid. A refuted rule is tried again
 * where its counter-examples do not lie. Returns the rules in their order, narrower ones behind the one they came from;
 * rules that were not reached keep their status.
 */
export async function validateRules<P>(
  rules: readonly Rule[],
  urls: readonly string[],
  pages: Pages<P>,
  options: ValidateOptions,
  events: ValidateEvents,
  context: JobContext,
): Promise<Rule[]> {
  const session = new Validation(drawOrder(urls, options.seed), pages, options, events, context);
  const decided = new Map<Rule, readonly Rule[]>();
  let stopped = false;
  const decide = async (rule: Rule): Promise<void> => {
    if (decided.has(rule) || stopped) return;
    decided.set(rule, [rule]);
    for (const broader of rules) {
      if (broader !== rule && isRefinement(rule, broader)) await decide(broader);
    }
    const results = [...decided.values()].flat();
    if (rule.decision === "rejected" || results.some((other) => other !== rule && covers(other, rule))) {
      decided.set(rule, []);
    } else {
      const outcome = await session.decide(rule, results);
      stopped ||= outcome === undefined;
      decided.set(rule, outcome ?? [rule]);
    }
    events.onVerdict(decided.get(rule)?.[0] ?? rule, decided.size, rules.length);
  };
  for (const rule of rules) await decide(rule);
  return rules.flatMap((rule) => decided.get(rule) ?? [rule]);
}

/** Does `rule` refine `broader`: lemma 5.3 for substrings, a narrower scope of the same action otherwise? */
function isRefinement(rule: Rule, broader: Rule): boolean {
  if (!isWithin(rule.scope, broader.scope)) return false;
  if (rule.kind === "substring" && broader.kind === "substring") {
    return refines(asPair(rule), asPair(broader)) && !refines(asPair(broader), asPair(rule));
  }
  if (
    rule.kind === "parameter" &&
    broader.kind === "parameter" &&
    rule.name === broader.name &&
    rule.place === broader.place
  ) {
    // "set" is tried only where "remove" fails.
    return rule.action === broader.action ? rule.scope !== broader.scope : rule.action === "set";
  }
  return false;
}

function asPair(rule: Extract<Rule, { kind: "substring" }>) {
  return { alpha: rule.from, beta: rule.to, start: rule.start, end: rule.end };
}

/** Is there nothing left for `rule` to do where `other` is applied? */
function covers(other: Rule, rule: Rule): boolean {
  const valid = other.status === "valid" || other.opposite?.status === "valid";
  return valid && isRefinement(rule, other);
}

interface Verdict extends Counts {
  readonly status: RuleStatus;
  readonly evidence: Evidence;
  readonly trials: readonly Trial[];
  readonly applicable: readonly string[];
}

class Validation<P> {
  constructor(
    private readonly urls: readonly string[],
    private readonly pages: Pages<P>,
    private readonly options: ValidateOptions,
    private readonly events: ValidateEvents,
    private readonly context: JobContext,
  ) {}

  /** The rule with its verdict, and narrower rules found on the way; undefined where the work was stopped. */
  async decide(rule: Rule, known: readonly Rule[]): Promise<Rule[] | undefined> {
    const verdict = await this.#direction(rule, "forward");
    if (verdict === undefined) return undefined;
    const forward = withEvidence(rule, verdict);
    if (verdict.status === "valid") return [forward];
    let result = forward;
    // "" -> text is never tried unless anchored: it would apply everywhere.
    if (rule.kind === "substring" && (rule.to !== "" || rule.start || rule.end)) {
      const opposite = await this.#direction(rule, "opposite");
      if (opposite === undefined) return undefined;
      const { status, positive, negative } = opposite;
      result = { ...forward, opposite: { status, positive, negative } };
      if (status === "valid") return [{ ...result, evidence: opposite.evidence }];
    }
    if (verdict.status !== "refuted" || this.options.plan === "paper") return [result];
    const narrower = await this.#narrow(rule, verdict, known);
    return narrower === undefined ? undefined : [result, ...narrower];
  }

  async #narrow(rule: Rule, verdict: Verdict, known: readonly Rule[]): Promise<Rule[] | undefined> {
    const found: Rule[] = [];
    let tried = 0;
    for (const scope of narrowerScopes(rule.scope, verdict.trials, verdict.applicable, 5)) {
      if (tried === scopesTried) break;
      if (found.some((other) => isWithin(scope, other.scope))) continue;
      const scoped: Rule = { ...rule, id: ruleId(rule, scope), scope };
      if (known.some((other) => other.id === scoped.id)) continue;
      tried++;
      const narrowed = await this.#direction(scoped, "forward");
      if (narrowed === undefined) return undefined;
      if (narrowed.status === "valid") {
        found.push(withEvidence({ ...scoped, merges: narrowed.applicable.length }, narrowed));
      }
    }
    return found;
  }

  async #direction(rule: Rule, direction: Direction): Promise<Verdict | undefined> {
    const applied = direction === "opposite" && rule.kind === "substring" ? reverse(rule) : rule;
    const applicable = this.urls.filter((url) => applyRule(applied, url) !== undefined);
    const { plan, count, epsilon } = this.options;
    const examples: UrlPair[] = [];
    const counterExamples: CounterExample[] = [];
    const trials: Trial[] = [];
    let positive = 0;
    let negative = 0;
    let skipped = 0;
    let status: RuleStatus | undefined = plan === "paper" && count === 0 ? "valid" : undefined;
    for (const from of plan === "paper" ? this.#withReplacement(applicable) : applicable) {
      if (status !== undefined || skipped > skipsPerRule) break;
      const to = applyRule(applied, from)!;
      const trial = await this.#try(from, to);
      if (trial === undefined) return undefined;
      this.events.onDraw({ rule: rule.id, direction, from, to, outcome: trial.outcome, why: trial.why });
      if (trial.outcome === "skipped") {
        skipped++;
        continue;
      }
      const good = trial.outcome === "positive";
      trials.push({ url: from, positive: good });
      if (good) {
        positive++;
        if (examples.length < examplesKept) examples.push({ from, to });
      } else {
        negative++;
        if (counterExamples.length < examplesKept) counterExamples.push({ from, to, why: trial.why });
      }
      if (plan === "paper") status = paperVerdict({ positive, negative }, count, epsilon);
      // A page that is stable on both sides and differs is a true counter-example: no number of others outweighs it.
      else status = trial.certain && !good ? "refuted" : sequentialVerdict({ positive, negative });
    }
    status ??= skipped > skipsPerRule ? "undecided" : exhaustedVerdict({ positive, negative }, epsilon);
    const evidence: Evidence = {
      positive,
      negative,
      lowerBound: lowerBound({ positive, negative }),
      similarity: this.options.similarity,
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

  async #try(
    from: string,
    to: string,
  ): Promise<{ outcome: Draw["outcome"]; why: string; certain: boolean } | undefined> {
    const skip = (why: string) => ({ outcome: "skipped" as const, why, certain: false });
    const bad = (why: string, certain: boolean) => ({ outcome: "negative" as const, why, certain });
    const u = await this.pages.view(from, false);
    if (u.seen === "stopped" || this.context.signal.aborted) return undefined;
    if (u.seen !== "page") return skip(u.why);
    const v = await this.pages.view(to, false);
    if (v.seen === "stopped") return undefined;
    if (v.seen === "unavailable") return this.options.plan === "paper" ? bad(v.why, false) : skip(v.why);
    if (v.seen === "page" && this.pages.similar(u.page, v.page)) return { outcome: "positive", why: "", certain: true };
    if (this.options.plan === "paper") return bad(v.seen === "missing" ? v.why : "different text", false);

    // Before it counts against the rule, both are looked at again, back to back.
    const v2 = await this.pages.view(to, true);
    if (v2.seen === "stopped") return undefined;
    if (v.seen === "missing") return v2.seen === "missing" ? bad(v.why, true) : skip("answers come and go");
    const u2 = await this.pages.view(from, true);
    if (u2.seen === "stopped") return undefined;
    if (u2.seen !== "page" || v2.seen !== "page") return skip("answers come and go");
    if (this.pages.similar(u2.page, v2.page)) return { outcome: "positive", why: "", certain: true };
    const steady = this.pages.similar(u.page, u2.page) && this.pages.similar(v.page, v2.page);
    if (steady) return bad("different text", true);
    const stableU = this.pages.stable(u.page, u2.page);
    const stableV = this.pages.stable(v.page, v2.page);
    if (stableU === undefined || stableV === undefined) return skip("too little of the page stays the same");
    return this.pages.similar(stableU, stableV)
      ? { outcome: "positive", why: "", certain: true }
      : bad("different text in what stays the same", false);
  }
}

function withEvidence(rule: Rule, { status, evidence }: Verdict): Rule {
  return { ...rule, status, evidence };
}
