import { applyRule } from "../canon/apply.js";
import { asTheyAre, type Canonizer, compile } from "../canon/compile.js";
import { dropCycles, rulesInUse } from "../canon/cycles.js";
import { actionProblem, reverse } from "../canon/kinds.js";
import { ruleId } from "../canon/rule-id.js";
import { addsParameter, lengthensRepetition, turned } from "../mine/direction.js";
import type { Rule, UrlPair } from "../model.js";
import { type InSteps, PAUSE_EVERY } from "../progress.js";
import { rulesName } from "./certificate-state.js";
import { asTemplates, generalisationsOf, onEveryHost } from "./generalise.js";
import { Places, type Trial } from "./narrow.js";
import type { Direction, RuleTest, ValidateOptions, Verdict, VerdictOptions } from "./try-rule.js";
import { LEAST_USABLE } from "./verdict.js";

/** A rule that adds nothing on this many URLs is dropped as implied by others. */
const IMPLIED_SAMPLE = 200;
/**
 * A narrower scope is worth a rule from this many merged URLs on, and from this share of what is left to merge; this many are
 * tried, and this many places that no draw has touched are looked at. Rules about a parameter get more: there are few of
 * them, they merge most, and two texts that come to the same in a handful of URLs are as likely a coincidence.
 */
const scopesOfParameter = { leastUrls: LEAST_USABLE, leastShare: 0.02, tries: 16, looks: 12 };
const scopesOfOthers = { leastUrls: 10, leastShare: 0.05, tries: 6, looks: 1 };
/** Over all tries a scope in which the rule is false is accepted with this probability; try k has its share of it. */
const ERROR_OF_SCOPES = 0.05;
const errorOfTry = (k: number) => ERROR_OF_SCOPES / (k * (k + 1));
/** The direction that the site names is taken where it merges this share of what the other does. */
const LEAST_OF_SAID = 0.5;

/** A rule with its verdict, the narrower ones found on the way, and those that it may be an instance of. */
export interface Decision {
  readonly rules: readonly Rule[];
  readonly general: readonly Rule[];
}

interface Canonical {
  readonly canon: Canonizer;
  readonly forms: ReadonlyMap<string, number>;
}

/** What is asked about a rule, given the others: does it hold in either direction, in a narrower scope, after them? */
export class Validation<P> {
  #canonical: (Canonical & { readonly name: string }) | undefined;

  /** In the order in which they are drawn. */
  readonly #urls: readonly string[];
  readonly #test: RuleTest<P>;
  readonly #plan: ValidateOptions["plan"];

  constructor(urls: readonly string[], test: RuleTest<P>, plan: ValidateOptions["plan"]) {
    this.#urls = urls;
    this.#test = test;
    this.#plan = plan;
  }

  /** Do the rules found valid so far already merge both sides, wherever the rule applies? */
  isImplied(rule: Rule, known: readonly Rule[]): boolean {
    const valid = rulesInUse(known.filter((other) => other !== rule)).rules;
    if (valid.length === 0) return false;
    const canon = compile(valid, { use: asTheyAre });
    let tried = 0;
    for (const from of this.#urls) {
      const to = applyRule(rule, from);
      if (to === undefined) continue;
      if (canon(from) !== canon(to)) return false;
      if (++tried === IMPLIED_SAMPLE) break;
    }
    return tried > 0;
  }

  #mayReverse(rule: Rule, known: readonly Rule[]): boolean {
    return canReverse(rule, this.#plan) && (this.#plan === "paper" || !this.#undoes(reverse(rule)!, known, this.#urls));
  }

  /** Does the rule mostly lead to URLs that proven rules, whatever their kind, lead back from? */
  #undoes(rule: Rule, known: readonly Rule[], urls: readonly string[]): boolean {
    const { canon } = this.canonical(known);
    let [tried, undone] = [0, 0];
    for (const from of urls) {
      const to = applyRule(rule, from);
      if (to === undefined) continue;
      if (canon(to) !== to && canon(to) === canon(from)) undone++;
      if (++tried === IMPLIED_SAMPLE) break;
    }
    return 2 * undone > tried;
  }

  /** Without the rules that never get their turn, since others have changed what they look for: they say nothing. */
  *withoutIdle(rules: readonly Rule[]): InSteps<readonly Rule[]> {
    const used = rulesInUse(rules).rules;
    const idle = new Set(used.map(({ id }) => id));
    const canon = compile(used, { use: asTheyAre });
    for (const [i, url] of this.#urls.entries()) {
      for (const { rule } of canon.explain(url).steps) idle.delete(rule.id);
      if (i % PAUSE_EVERY === PAUSE_EVERY - 1) {
        yield { step: "trying all rules together", done: i, total: this.#urls.length, unit: "URLs" };
      }
    }
    // What another rule names as one that comes before it stays.
    for (const { after = [] } of used) for (const id of after) idle.delete(id);
    return idle.size === 0 ? rules : rules.filter((rule) => !idle.has(rule.id) || rule.decision !== null);
  }

  /** Undefined where the work was stopped. */
  async decide(rule: Rule, known: readonly Rule[]): Promise<Decision | undefined> {
    const verdict = await this.#direction(rule, "forward");
    if (verdict === undefined) return undefined;
    const forward = withEvidence(rule, verdict);
    if (verdict.status === "valid") {
      // The site has the last word on which of two URLs is the canonical one.
      const mayTurn = verdict.isBackward === true && this.#plan !== "paper" && rule.decision === null;
      const other = mayTurn ? turned(rule) : undefined;
      if (other !== undefined) {
        const back = await this.#direction(other, "forward");
        if (back === undefined) return undefined;
        if (back.status === "valid") {
          return { rules: [withEvidence(other, back)], general: this.#general(other, other, back) };
        }
      }
      return { rules: [forward], general: this.#general(rule, rule, verdict) };
    }
    // Of known pages most that it leads to may not be there, since more follows: what is there then says nothing.
    const isOpen = verdict.isBlind === true || (this.#test.knownOnly && verdict.positive > 0);
    const mayEnd = verdict.status === "refuted" || isOpen;
    for (const whole of mayEnd && this.#plan !== "paper" ? asTemplates(rule) : []) {
      if (known.some(({ id, status }) => id === whole.id && status === "valid"))
        return { rules: [forward], general: [] };
      const ofWhole = await this.#direction(whole, "forward");
      if (ofWhole === undefined) return undefined;
      if (ofWhole.status === "valid") return { rules: [forward, withEvidence(whole, ofWhole)], general: [] };
    }
    let result = forward;
    let back: { readonly rule: Rule; readonly verdict: Verdict } | undefined;
    if (this.#mayReverse(rule, known)) {
      const opposite = await this.#direction(rule, "opposite");
      if (opposite === undefined) return undefined;
      const { status, positive, negative } = opposite;
      result = { ...forward, opposite: { status, positive, negative } };
      if (status === "valid") {
        const proven = { ...result, evidence: opposite.evidence };
        return { rules: [proven], general: this.#general(rule, reverse(rule)!, opposite) };
      }
      const other = turned(rule);
      if (other !== undefined) back = { rule: other, verdict: opposite };
    }
    // Where only known pages can be looked at, a rule may be undecided because it was tried in some places only.
    const isDone = verdict.status === "undecided" && !isOpen;
    if (isDone || this.#plan === "paper") return { rules: [result], general: [] };
    const narrower = await this.#narrow(rule, verdict.trials, verdict.applicable, known);
    if (narrower === undefined) return undefined;
    const keepsDirection = { rules: [result, ...narrower.rules], general: narrower.general };
    // No folder can be without its slash, but the pages of one section may take one. Both ways at once would be a cycle.
    if (back === undefined || (rule.kind === "substring" && !narrower.isBackward)) return keepsDirection;
    const turnedBack = await this.#narrow(back.rule, back.verdict.trials, back.verdict.applicable, known);
    if (turnedBack === undefined) return undefined;
    const least = (narrower.isBackward ? LEAST_OF_SAID : 1) * mergesOf(narrower);
    if (mergesOf(turnedBack) <= least) return keepsDirection;
    return { rules: [result, ...turnedBack.rules], general: turnedBack.general };
  }

  /** The rule where it holds, after it was found to fail somewhere; undefined where the work was stopped. */
  async narrow(rule: Rule, known: readonly Rule[]): Promise<readonly Rule[] | undefined> {
    const change = (url: string) => applyRule(rule, url);
    const applicable = this.#urls.filter((url) => change(url) !== undefined);
    return (await this.#narrow(rule, this.#test.trialsOf(change), applicable, known))?.rules;
  }

  #general(rule: Rule, applied: Rule, { trials }: Verdict): Rule[] {
    if (rule.kind !== "substring") return [];
    const proven = trials.filter(({ positive }) => positive);
    const pairs = proven.map(({ url }): UrlPair => ({ from: url, to: applyRule(applied, url)! }));
    const [first] = pairs;
    const wider = first === undefined ? [] : onEveryHost(applied, rule, first, this.#urls);
    return [...wider, ...generalisationsOf(rule, pairs, this.#urls)];
  }

  /** Where the rule holds after all: places without a counter-example, what is learned in one serving the next. */
  async #narrow(
    rule: Rule,
    trials: readonly Trial[],
    applicable: readonly string[],
    known: readonly Rule[],
  ): Promise<(Decision & { readonly isBackward: boolean }) | undefined> {
    let left = this.#merged(rule, applicable, known);
    if (await this.#test.isEnded()) return undefined;
    const found: Rule[] = [];
    const general: Rule[] = [];
    let isBackward = false;
    const tried = new Set(known.map(({ id }) => id));
    let places = await this.#placesOf(rule, trials, applicable);
    if (places === undefined || !(await this.#explore(rule, places, left))) return undefined;
    for (let tries = 0; tries < searchOf(rule).tries; tries++) {
      const scoped = places
        .promising(left, leastUrlsOf(rule, left))
        .map((scope): Rule => ({ ...rule, id: ruleId(rule, scope), scope }))
        .find(({ id }) => !tried.has(id));
      if (scoped === undefined) break;
      tried.add(scoped.id);
      // Not by the draws that chose it.
      const besides = new Set(places.trials.map(({ url }) => url));
      const narrowed = await this.#direction(scoped, "forward", { besides, error: errorOfTry(tries + 1) });
      if (narrowed === undefined) return undefined;
      if (narrowed.status !== "valid") {
        if (!(await this.#learn(places, narrowed.trials))) return undefined;
        continue;
      }
      const merges = this.#merged(scoped, narrowed.applicable, []).length;
      // An example of its own: that of the wider rule may be one of what it must not do.
      const example = narrowed.evidence.examples[0];
      found.push(withEvidence({ ...scoped, merges, ...(example !== undefined && { example }) }, narrowed));
      general.push(...this.#general(rule, scoped, narrowed));
      isBackward ||= narrowed.isBackward === true;
      // What is left is another question: how the rule does where it was found to hold says nothing about it.
      const isLeft = (url: string) => applyRule(scoped, url) === undefined;
      left = left.filter(isLeft);
      const trialsLeft = places.trials.filter(({ url }) => isLeft(url));
      places = await this.#placesOf(rule, trialsLeft, left);
      if (places === undefined || !(await this.#explore(rule, places, left))) return undefined;
    }
    return { rules: found, general, isBackward };
  }

  /** What the trials say about narrower scopes; undefined where the work was stopped. */
  async #placesOf(rule: Rule, trials: readonly Trial[], urls: readonly string[]): Promise<Places | undefined> {
    const places = new Places(rule.scope, [...urls, ...trials.map(({ url }) => url)], urls.length);
    return (await this.#learn(places, trials)) ? places : undefined;
  }

  /** A trial lies in a thousand scopes where URLs have many parameters. False where the work was stopped. */
  async #learn(places: Places, trials: readonly Trial[]): Promise<boolean> {
    for (const trial of trials) {
      if (await this.#test.isEnded()) return false;
      places.add(trial);
    }
    return true;
  }

  /**
   * The URLs that the rule makes one with another of the list, after the rules known to be valid, and that these do not
   * make one by themselves: what it would save.
   */
  #merged(rule: Rule, applicable: readonly string[], known: readonly Rule[]): string[] {
    const { canon, forms } = this.canonical(known);
    const keys = applicable.map((url) => canon(applyRule(rule, url)!));
    const counts = new Map<string, number>();
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
    const isNew = (key: string, url: string) =>
      key !== canon(url) && ((forms.get(key) ?? 0) > 0 || counts.get(key)! > 1);
    return applicable.filter((url, i) => isNew(keys[i]!, url));
  }

  /** What the rules known to be valid make of the list: the canonical forms, and of how many URLs each. */
  canonical(known: readonly Rule[]): Canonical {
    const valid = rulesInUse(known).rules;
    const name = rulesName(valid);
    if (this.#canonical?.name !== name) {
      const canon = compile(valid, { use: asTheyAre });
      const forms = new Map<string, number>();
      for (const url of this.#urls) {
        const form = canon(url);
        forms.set(form, (forms.get(form) ?? 0) + 1);
      }
      this.#canonical = { name, canon, forms };
    }
    return this.#canonical;
  }

  /** A rule that failed at once may hold elsewhere: a look at a few other places. False where the work was stopped. */
  async #explore(rule: Rule, places: Places, left: readonly string[]): Promise<boolean> {
    const isParameter = rule.kind !== "substring";
    if (!isParameter && places.trials.some(({ positive }) => positive)) return true;
    let { looks } = searchOf(rule);
    for (const from of places.untried(left, leastUrlsOf(rule, left))) {
      if (looks === 0) break;
      const trial = await this.#test.tryOne(rule.id, "forward", from, applyRule(rule, from)!);
      if (trial === undefined) return false;
      if (trial.outcome !== "skipped" || !this.#test.knownOnly) looks--;
      if (trial.outcome === "skipped") continue;
      places.add({ url: from, positive: trial.outcome === "positive" });
      if (trial.outcome === "positive" && !isParameter) break;
    }
    return true;
  }

  /** The rule as it does after the valid ones; itself where it does not hold there either; undefined when stopped. */
  async decideBehind(rule: Rule, list: readonly Rule[]): Promise<Rule | undefined> {
    const valid = rulesInUse(list).rules;
    if (valid.length === 0) return rule;
    const { canon: before, forms } = this.canonical(list);
    const canonical = [...forms.keys()];
    let result = rule;
    for (const direction of ["forward", "opposite"] as const) {
      if (direction === "opposite" && !canReverse(rule, this.#plan)) continue;
      const applied = direction === "forward" ? rule : reverse(rule)!;
      if (this.#undoes(applied, list, canonical)) continue;
      const all = [...valid, applied];
      if (dropCycles(all).dropped.length > 0) continue;
      const canon = compile(all, { use: asTheyAre });
      // It may add what others remove, so that no URL settles.
      if (canonical.some((url) => !canon.explain(url).isSettled)) continue;
      const verdict = await this.#test.verdict(rule.id, direction, canonical, (url) => {
        // The others have done what they do to it.
        const result = applyRule(applied, url) === undefined ? url : canon(url);
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
    for (const url of this.#urls) {
      const { url: canonical, steps } = before.explain(url);
      if (steps.length > 0 && applyRule(rule, canonical) !== undefined) for (const step of steps) ids.add(step.rule.id);
    }
    return [...ids].sort();
  }

  #direction(rule: Rule, direction: Direction, options: VerdictOptions = {}): Promise<Verdict | undefined> {
    const applied = (direction === "opposite" ? reverse(rule) : undefined) ?? rule;
    return this.#test.verdict(rule.id, direction, this.#urls, (url) => applyRule(applied, url), options);
  }
}

const searchOf = ({ kind }: Rule) => (kind !== "substring" ? scopesOfParameter : scopesOfOthers);

function leastUrlsOf(rule: Rule, left: readonly string[]): number {
  const { leastUrls, leastShare } = searchOf(rule);
  return Math.max(leastUrls, Math.ceil(leastShare * left.length));
}

/** How many URLs the rules found make one with others. */
const mergesOf = ({ rules }: Decision) => rules.reduce((sum, { merges }) => sum + merges, 0);

/** "" -> text is never tried unless anchored: it would apply everywhere. Beyond the papers: other kinds too, and nothing that leads further into a trap. */
function canReverse(rule: Rule, plan: ValidateOptions["plan"]): boolean {
  if (rule.kind === "substring" && rule.to === "" && !rule.start && !rule.end) return false;
  if (plan === "paper") return rule.kind === "substring";
  const other = reverse(rule);
  if (other === undefined || actionProblem(other) !== undefined) return false;
  return !lengthensRepetition(other) && !addsParameter(other);
}

function withEvidence(rule: Rule, { status, evidence }: Verdict): Rule {
  return { ...rule, status, evidence };
}
