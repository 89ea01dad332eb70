/**
 * Cycles that can be seen without a URL: rules that, together, rewrite the replacement of one of them forever, whatever
 * surrounds it. Whether a set of rules ends on every URL cannot be decided in general; the rest is left to the bound on
 * rounds when URLs are canonized.
 */
import type { Rule, Scope } from "../model.js";
import { Candidates } from "./candidates.js";
import { contradict, plainAction, shrinks, usableRule } from "./kinds.js";
import { applySubstring, type SubstringAction } from "./replace-substring.js";
import { intersectScopes } from "./scope.js";
import { pushTo, TriggerIndex } from "./trigger-index.js";
import { UrlBytes } from "./url-bytes.js";

type SubstringRule = Rule & SubstringAction;

/** How many times a text must become itself with more in between before it counts as growing forever. */
const MAX_GROWTH = 20;
/** No URL is this long: what has grown to it is left to the bound for URLs. */
const MAX_TEXT = 8192;
/** Steps of all walks together, and pairs of rules that are compared. What is not seen by then is left to the bound for URLs. */
const MAX_STEPS = 500_000;

/** The sets of rules, each in the list's order, that visibly go round in circles or grow without end. */
export function findCycles(rules: readonly Rule[]): Rule[][] {
  const places = new Map(rules.map((rule, i) => [rule, i]));
  const cycles = new Map<string, Rule[]>();
  const walks = new Walks(rules);
  for (const found of [...walks.rules.map((rule) => walks.follow(rule)), ...contradictions(rules)]) {
    if (found === undefined) continue;
    const cycle = [...new Set(found)].sort((a, b) => places.get(a)! - places.get(b)!);
    cycles.set(cycle.map(({ id }) => id).join(), cycle);
  }
  return [...cycles.values()];
}

/** The list without rules that close a visible cycle: of each cycle, the rule that comes last in the list goes. */
export function dropCycles(rules: readonly Rule[]): { readonly rules: Rule[]; readonly dropped: Rule[] } {
  const dropped = new Set<Rule>();
  for (;;) {
    const kept = rules.filter((rule) => !dropped.has(rule));
    const cycles = findCycles(kept);
    if (cycles.length === 0) return { rules: kept, dropped: [...dropped] };
    // One that lost a rule to another cycle may no longer be one.
    for (const cycle of cycles) if (!cycle.some((rule) => dropped.has(rule))) dropped.add(cycle.at(-1)!);
  }
}

/**
 * The rules that people or evidence allow, each in the direction of its use, without those that close a cycle, and
 * without those that need one that is not there. Without a rule, others may close a cycle that it kept them from.
 */
export function rulesInUse(rules: readonly Rule[], use = usableRule): { rules: Rule[]; dropped: Rule[] } {
  let used = withoutOrphans(rules.map(use).filter((rule) => rule !== undefined));
  const dropped: Rule[] = [];
  for (;;) {
    const acyclic = dropCycles(used);
    for (const rule of acyclic.dropped) dropped.push(rule);
    used = withoutOrphans(acyclic.rules);
    if (used.length === acyclic.rules.length) return { rules: [...used], dropped };
  }
}

/** A rule that was proven only after others is not used without them. */
export function withoutOrphans(rules: readonly Rule[]): readonly Rule[] {
  const ids = new Set(rules.map(({ id }) => id));
  const behind = new Map<string, Rule[]>();
  for (const rule of rules) for (const id of rule.after ?? []) pushTo(behind, id, rule);
  const gone = new Set(rules.filter(({ after }) => after?.some((id) => !ids.has(id))));
  // Grows while it is read: a rule that needs an orphan is one.
  for (const { id } of gone) for (const rule of behind.get(id) ?? []) gone.add(rule);
  return rules.filter((rule) => !gone.has(rule));
}

/**
 * What rules make of their own replacements, step by step. The way from a text and a rule that is next is always the same,
 * so that no place need be visited a second time, and all ways together are about as long as the list, however the rules
 * depend on each other.
 */
class Walks {
  readonly rules: readonly SubstringRule[];
  readonly #index: TriggerIndex;
  readonly #candidates: Candidates;
  readonly #bytes = new UrlBytes();
  /** The number of the step at which a place was reached. */
  readonly #reached = new Map<string, number>();

  constructor(rules: readonly Rule[]) {
    this.rules = rules.filter((rule): rule is SubstringRule => rule.kind === "substring");
    this.#index = new TriggerIndex(this.rules.map((rule) => Object.assign(plainAction(rule), { scope: {} })));
    this.#candidates = new Candidates(this.rules.length);
  }

  /**
   * Canonizes the rule's replacement alone, in the scope that all applied rules share. Returns the rules that keep it
   * from settling, where that is seen here for the first time.
   */
  follow(rule: SubstringRule): readonly Rule[] | undefined {
    const begin = this.#reached.size;
    const path: Rule[] = [];
    const { start, end } = rule;
    let { to: text, scope } = rule;
    let from = 0;
    // Brent's way to find a repetition: the place to look back to is moved on at every power of two.
    let mark = 0;
    let growth = 0;
    let marked = "";
    while (this.#reached.size < MAX_STEPS && text.length < MAX_TEXT) {
      const step = this.#next(text, scope, start, end, from);
      if (step === undefined) return undefined;
      const other = this.rules[step.number]!;
      const place = JSON.stringify([step.number, start, end, scope, text]);
      const earlier = this.#reached.get(place);
      if (earlier !== undefined) return earlier < begin ? undefined : path.slice(earlier - begin);
      this.#reached.set(place, this.#reached.size);
      const isLonger = path[mark] === other && isGrown(marked, text);
      if (isLonger && ++growth === MAX_GROWTH) return path.slice(mark);
      if (isLonger || (path.length & (path.length - 1)) === 0) {
        mark = path.length;
        marked = text;
      }
      path.push(other);
      ({ text, scope } = step);
      from = step.number + (shrinks(other) ? 0 : 1);
    }
    return undefined;
  }

  /** The next rule in turn that changes the text, from number `from` on and round again. */
  #next(text: string, scope: Scope, start: boolean, end: boolean, from: number) {
    this.#candidates.clear();
    this.#bytes.set(text);
    this.#index.collect(this.#bytes, this.#candidates, start, end);
    const { rules: found, count } = this.#candidates;
    let first = 0;
    while (first < count && found[first]! < from) first++;
    for (let i = 0; i < count; i++) {
      const number = found[(first + i) % count]!;
      const rule = this.rules[number]!;
      const common = intersectScopes(scope, rule.scope);
      if (common === undefined) continue;
      const changed = applySubstring(rule, text, "ours", start, end);
      if (changed !== undefined) return { number, text: changed, scope: common };
    }
    return undefined;
  }
}

/** Is `after` the text `before` with more in between? What is rewritten forever becomes so sooner or later (Higman's lemma). */
function isGrown(before: string, after: string): boolean {
  let found = 0;
  for (const character of after) if (character === before[found]) found++;
  return found === before.length;
}

/** Pairs of rules that undo each other in every round: two values for one parameter, a slash that comes and goes. */
function* contradictions(rules: readonly Rule[]): Generator<readonly Rule[]> {
  const byKind = new Map<string, Rule[]>();
  let left = MAX_STEPS;
  for (const rule of rules) {
    if (rule.kind === "substring") continue;
    const { kind, name = "" } = rule as { readonly kind: string; readonly name?: string };
    for (const other of byKind.get(kind + name) ?? []) {
      if (--left < 0) return;
      if (!contradict(other, rule) || intersectScopes(other.scope, rule.scope) === undefined) continue;
      yield [other, rule];
      // One is enough to name the rule.
      break;
    }
    pushTo(byKind, kind + name, rule);
  }
}
