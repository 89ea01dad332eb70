import type { CounterExample, Evidence, JobContext, Rule, RuleStatus, UrlPair } from "../model.js";
import { applyRule, reverse, usableRule } from "./apply.js";
import { asTheyAre, type Canonizer, compile } from "./compile.js";
import { dropCycles, rulesInUse } from "./cycles.js";
import { drawOrder } from "./draws.js";
import { isWithin, narrowerScopes, placeOf, type Trial } from "./narrow.js";
import { refines } from "./refine.js";
import { ruleId } from "./rule-id.js";
import { oneOfEachSort } from "./sorts.js";
import { type Counts, exhaustedVerdict, lowerBound, paperVerdict, sequentialVerdict } from "./verdict.js";

/** What a look at a URL showed. `P` is whatever the similarity test compares. */
export type PageView<P> =
  | { readonly seen: "page"; readonly page: P }
  /** The URL names nothing: 4xx, or a soft 404. */
  | { readonly seen: "missing"; readonly why: string }
  /** A page that stands in for the one that was asked for: a login, a consent form, a challenge. */
  | { readonly seen: "wall"; readonly why: string }
  /** Nothing was learned: robots, throttling, time-out, 5xx, or an address that must not be fetched. */
  | { readonly seen: "unavailable"; readonly why: string }
  /** No more looks: the budget is used up, or the work was cancelled. */
  | { readonly seen: "stopped" };

/** Where pages come from: the live site, or pages already in the workspace. */
export interface Pages<P> {
  /** Nothing is fetched for a look: draws that tell nothing may go on until no URL is left. */
  readonly looksAreFree: boolean;
  /** `again` asks for a second, fresh look at a URL seen before. */
  view(url: string, again: boolean): Promise<PageView<P>>;
  similar(a: P, b: P): boolean;
  /** Were they seen at about the same time, so that a difference is theirs and not the time's? */
  seenTogether(a: P, b: P): boolean;
  /** Two looks at one URL: what differs between them changes by itself, and no longer counts from here on. */
  learn(a: P, b: P): void;
  /** So different that no advertisement explains it. */
  clearlyDifferent(a: P, b: P): boolean;
  /** What the site itself says about the two: evidence beside the text, which never overrides it. */
  declared(a: P, b: P): Declared;
}

/**
 * The first redirects to the second, or both to one place; the second redirects back to the first; both name one
 * canonical URL; they name different ones; nothing.
 */
export type Declared = "redirect" | "back" | "canonical" | "conflict" | undefined;

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
/** URLs on which a rule must add nothing to be dropped as implied by others. */
const impliedSample = 200;
const scopesTried = 6;
/** A narrower scope is worth a rule from so many URLs on, and from this share of what the rule applies to. */
const leastScopeUrls = 10;
const leastScopeShare = 0.05;
/** Draws, or all its URLs, before a rule in a narrower scope can be called valid. */
const drawsOfScope = 60;
const placesExplored = 3;

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
    // Figure 4 looks only at what stands before a pair in the list.
    const waits = options.plan === "sequential" || rule.kind !== "substring";
    for (const broader of rules) {
      if (waits && broader !== rule && isRefinement(rule, broader)) await decide(broader);
    }
    const results = [...decided.values()].flat();
    if (rule.decision === "rejected" || results.some((other) => other !== rule && covers(other, rule))) {
      decided.set(rule, []);
    } else if (options.plan === "sequential" && session.isImplied(rule, results)) {
      decided.set(rule, []);
    } else if (rule.after !== undefined && options.plan === "sequential") {
      // Found only behind others: it is tried there, once they are decided.
      decided.set(rule, [rule]);
    } else {
      const outcome = await session.decide(rule, results);
      stopped ||= outcome === undefined;
      decided.set(rule, outcome ?? [rule]);
    }
    events.onVerdict(decided.get(rule)?.[0] ?? rule, decided.size, rules.length);
  };
  for (const rule of rules) await decide(rule);
  const results = rules.flatMap((rule) => decided.get(rule) ?? [rule]);
  return stopped || options.plan === "paper" ? results : await retryBehind(session, results);
}

/**
 * A rule may be refuted only by what other rules take away: "story?id=" -> "story_" fails wherever "&sid=..." follows,
 * and holds once sessions are dropped. So refuted rules are tried once more on canonical URLs, as part of the whole
 * canonization; those that hold there go to the end of the list and name the rules that they need before them.
 */
async function retryBehind<P>(session: Validation<P>, results: readonly Rule[]): Promise<Rule[]> {
  const list = [...results];
  for (const rule of results) {
    if (rule.kind !== "substring" || rule.status === "valid" || rule.opposite?.status === "valid") continue;
    if (session.isImplied(rule, list)) {
      list.splice(list.indexOf(rule), 1);
      continue;
    }
    const behind = await session.decideBehind(rule, list);
    if (behind === undefined) return list;
    if (behind.status === "valid" || behind.opposite?.status === "valid") {
      list.splice(list.indexOf(rule), 1);
      list.push(behind);
    } else {
      list[list.indexOf(rule)] = behind;
    }
  }
  return prune(session, list);
}

/** Valid rules that the others make needless go, weakest first: what is left is a short list. */
function prune<P>(session: Validation<P>, list: readonly Rule[]): Rule[] {
  let kept = [...list];
  for (const rule of list.filter((valid) => usableRule(valid) !== undefined).toReversed()) {
    const isNeeded = rule.decision !== null || kept.some(({ after }) => after?.includes(rule.id));
    if (!isNeeded && session.isImplied(rule, kept)) kept = kept.filter((other) => other !== rule);
  }
  return kept;
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

interface TrialResult {
  readonly outcome: Draw["outcome"];
  readonly why: string;
  /** Both pages are stable: a negative refutes by itself. */
  readonly certain: boolean;
  readonly declared?: Declared;
}

class Validation<P> {
  constructor(
    private readonly urls: readonly string[],
    private readonly pages: Pages<P>,
    private readonly options: ValidateOptions,
    private readonly events: ValidateEvents,
    private readonly context: JobContext,
  ) {}

  /** Do the rules found valid so far already make one URL of both sides, wherever the rule applies? */
  isImplied(rule: Rule, known: readonly Rule[]): boolean {
    const valid = rulesInUse(known.filter((other) => other !== rule)).rules;
    if (valid.length === 0) return false;
    const canon = compile(valid, { use: asTheyAre });
    let tried = 0;
    for (const from of this.urls) {
      const to = applyRule(rule, from);
      if (to === undefined) continue;
      if (canon(from) !== canon(to)) return false;
      if (++tried === impliedSample) break;
    }
    return tried > 0;
  }

  /** The rule with its verdict, and narrower rules found on the way; undefined where the work was stopped. */
  async decide(rule: Rule, known: readonly Rule[]): Promise<Rule[] | undefined> {
    const verdict = await this.#direction(rule, "forward");
    if (verdict === undefined) return undefined;
    const forward = withEvidence(rule, verdict);
    if (verdict.status === "valid") return [forward];
    let result = forward;
    if (canReverse(rule)) {
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

  /** Where the rule holds after all: places without a counter-example, what is learned in one serving the next. */
  async #narrow(rule: Rule, verdict: Verdict, known: readonly Rule[]): Promise<Rule[] | undefined> {
    const trials = [...verdict.trials];
    if (!trials.some(({ positive }) => positive)) {
      const explored = await this.#explore(rule, trials, verdict.applicable);
      if (explored === undefined) return undefined;
      trials.push(...explored);
    }
    const found: Rule[] = [];
    const tried = new Set(known.map(({ id }) => id));
    const leastUrls = Math.max(leastScopeUrls, Math.ceil(leastScopeShare * verdict.applicable.length));
    for (let tries = 0; tries < scopesTried; tries++) {
      const scoped = narrowerScopes(rule.scope, trials, verdict.applicable, leastUrls)
        .filter((scope) => !found.some((other) => isWithin(scope, other.scope)))
        .map((scope): Rule => ({ ...rule, id: ruleId(rule, scope), scope }))
        .find(({ id }) => !tried.has(id));
      if (scoped === undefined) break;
      tried.add(scoped.id);
      // The scope was chosen because it looked good: it takes more to prove it.
      const narrowed = await this.#direction(scoped, "forward", drawsOfScope);
      if (narrowed === undefined) return undefined;
      trials.push(...narrowed.trials);
      if (narrowed.status === "valid") {
        found.push(withEvidence({ ...scoped, merges: narrowed.applicable.length }, narrowed));
      }
    }
    return found;
  }

  /** A rule that failed at once may hold elsewhere: a look at a few other hosts, folders and scripts. */
  async #explore(
    rule: Rule,
    trials: readonly Trial[],
    applicable: readonly string[],
  ): Promise<readonly Trial[] | undefined> {
    const places = new Set(trials.map(({ url }) => placeOf(url)));
    const last = places.size + placesExplored;
    const explored: Trial[] = [];
    for (const from of applicable) {
      if (places.has(placeOf(from))) continue;
      places.add(placeOf(from));
      const to = applyRule(rule, from)!;
      const trial = await this.#try(from, to);
      if (trial === undefined) return undefined;
      this.events.onDraw({ rule: rule.id, direction: "forward", from, to, outcome: trial.outcome, why: trial.why });
      if (trial.outcome !== "skipped") explored.push({ url: from, positive: trial.outcome === "positive" });
      if (trial.outcome === "positive" || places.size === last) break;
    }
    return explored;
  }

  /** The rule as it does behind the valid ones; itself where it does not hold there either; undefined when stopped. */
  async decideBehind(rule: Rule, list: readonly Rule[]): Promise<Rule | undefined> {
    const valid = rulesInUse(list).rules;
    if (valid.length === 0) return rule;
    const before = compile(valid, { use: asTheyAre });
    const canonical = [...new Set(this.urls.map(before))];
    let result = rule;
    for (const direction of ["forward", "opposite"] as const) {
      if (direction === "opposite" && !canReverse(rule)) continue;
      const applied = direction === "forward" ? rule : reverse(rule as SubstringRule);
      const all = [...valid, applied];
      if (dropCycles(all).dropped.length > 0) continue;
      const canon = compile(all, { use: asTheyAre });
      const verdict = await this.#measure(rule.id, direction, canonical, (url) => {
        const result = canon(url);
        return result === url ? undefined : result;
      });
      if (verdict === undefined) return undefined;
      if (verdict.status !== "valid") {
        // A rule that was never tried on its own gets its verdict here.
        if (direction === "forward" && rule.status === "likely") result = withEvidence(rule, verdict);
        continue;
      }
      const { positive, negative, evidence } = verdict;
      const after = this.#rulesBefore(before, applied);
      if (direction === "forward") return { ...rule, status: "valid", evidence, after };
      return { ...rule, evidence, after, opposite: { status: "valid", positive, negative } };
    }
    return result;
  }

  /** The rules that change a URL before this one does. */
  #rulesBefore(before: Canonizer, rule: Rule): string[] {
    const ids = new Set<string>();
    for (const url of this.urls) {
      const { url: canonical, steps } = before.explain(url);
      if (steps.length > 0 && applyRule(rule, canonical) !== undefined) for (const step of steps) ids.add(step.rule.id);
    }
    return [...ids].sort();
  }

  #direction(rule: Rule, direction: Direction, leastDraws = 0): Promise<Verdict | undefined> {
    const applied = direction === "opposite" && rule.kind === "substring" ? reverse(rule) : rule;
    return this.#measure(rule.id, direction, this.urls, (url) => applyRule(applied, url), leastDraws);
  }

  async #measure(
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
    const maxSkips = this.pages.looksAreFree ? Number.POSITIVE_INFINITY : skipsPerRule;
    for (const from of plan === "paper" ? this.#withReplacement(applicable) : ordered.urls) {
      if (status !== undefined || skipped > maxSkips) break;
      const to = change(from)!;
      const trial = await this.#try(from, to);
      if (trial === undefined) return undefined;
      drawn++;
      this.events.onDraw({ rule, direction, from, to, outcome: trial.outcome, why: trial.why });
      if (trial.outcome === "skipped") {
        skipped++;
        continue;
      }
      const good = trial.outcome === "positive";
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
        const verdict = sequentialVerdict({ positive, negative });
        // A page that is stable on both sides and differs is a true counter-example: no number of others outweighs it.
        if (trial.certain && !good) status = "refuted";
        else if (verdict !== "valid" || drawn >= Math.max(ordered.sorts, leastDraws)) status = verdict;
      }
    }
    status ??= skipped > maxSkips ? "undecided" : exhaustedVerdict({ positive, negative }, epsilon);
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

  async #try(from: string, to: string): Promise<TrialResult | undefined> {
    const skip = (why: string): TrialResult => ({ outcome: "skipped", why, certain: false });
    const bad = (why: string, certain: boolean): TrialResult => ({ outcome: "negative", why, certain });
    const good = (a: P, b: P): TrialResult => {
      const declared = this.pages.declared(a, b);
      // A URL that the site redirects is no canonical one, however much alike the pages are.
      if (declared === "back" && this.options.plan !== "paper") return bad("the site redirects it back", true);
      return { outcome: "positive", why: "", certain: true, declared };
    };
    const u = await this.pages.view(from, false);
    if (u.seen === "stopped" || this.context.signal.aborted) return undefined;
    if (u.seen !== "page") return skip(u.why);
    const v = await this.pages.view(to, false);
    if (v.seen === "stopped") return undefined;
    if (v.seen === "unavailable") return this.options.plan === "paper" ? bad(v.why, false) : skip(v.why);
    if (v.seen === "page" && !this.pages.seenTogether(u.page, v.page)) return skip("seen at different times");
    if (v.seen === "page" && this.pages.similar(u.page, v.page)) return good(u.page, v.page);
    if (this.options.plan === "paper") return bad(v.seen === "page" ? "different text" : v.why, false);

    // Before it counts against the rule, both are looked at again, back to back.
    const v2 = await this.pages.view(to, true);
    if (v2.seen === "stopped") return undefined;
    // Where the first URL shows a page and the second a wall, they are not the same page to anyone.
    if (v.seen !== "page") return v2.seen === v.seen ? bad(v.why, true) : skip("answers come and go");
    const u2 = await this.pages.view(from, true);
    if (u2.seen === "stopped") return undefined;
    if (u2.seen !== "page" || v2.seen !== "page") return skip("answers come and go");
    this.pages.learn(u.page, u2.page);
    this.pages.learn(v.page, v2.page);
    if (this.pages.similar(u2.page, v2.page)) return good(u2.page, v2.page);
    const steady = this.pages.similar(u.page, u2.page) && this.pages.similar(v.page, v2.page);
    return steady
      ? bad("different text", this.pages.clearlyDifferent(u2.page, v2.page))
      : skip("the page is unlike itself");
  }
}

type SubstringRule = Extract<Rule, { kind: "substring" }>;

/** "" -> text is never tried unless anchored: it would apply everywhere. */
function canReverse(rule: Rule): boolean {
  return rule.kind === "substring" && (rule.to !== "" || rule.start || rule.end);
}

function withEvidence(rule: Rule, { status, evidence }: Verdict): Rule {
  return { ...rule, status, evidence };
}
