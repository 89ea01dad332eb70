import type { Rule } from "../model.js";
import { applyRule, reverse } from "./apply.js";
import { asTheyAre, type Canonizer, compile } from "./compile.js";
import { dropCycles, rulesInUse } from "./cycles.js";
import { isWithin, narrowerScopes, placeOf, type Trial } from "./narrow.js";
import { ruleId } from "./rule-id.js";
import type { Direction, RuleTest, ValidateOptions, Verdict } from "./validate-rule.js";

/** URLs on which a rule must add nothing to be dropped as implied by others. */
const impliedSample = 200;
const scopesTried = 6;
/** A narrower scope is worth a rule from so many URLs on, and from this share of what the rule applies to. */
const leastScopeUrls = 10;
const leastScopeShare = 0.05;
/** Draws, or all its URLs, before a rule in a narrower scope can be called valid. */
const drawsOfScope = 60;
const placesExplored = 3;

/** What is asked about a rule, given the others: does it hold in either direction, in a narrower scope, behind them? */
export class Validation<P> {
  constructor(
    /** In the order in which they are drawn. */
    private readonly urls: readonly string[],
    private readonly test: RuleTest<P>,
    private readonly plan: ValidateOptions["plan"],
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
    // Where only known pages can be looked at, a rule may be undecided because it was tried in some places only.
    const isDone = verdict.status === "undecided" && !(this.test.knownOnly && verdict.positive > 0);
    if (isDone || this.plan === "paper") return [result];
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
      const trial = await this.test.tryOne(rule.id, "forward", from, to);
      if (trial === undefined) return undefined;
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
      const verdict = await this.test.verdict(rule.id, direction, canonical, (url) => {
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
    return this.test.verdict(rule.id, direction, this.urls, (url) => applyRule(applied, url), leastDraws);
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
