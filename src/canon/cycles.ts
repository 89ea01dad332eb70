/**
 * Cycles that can be seen without a URL: rules that, together, rewrite the replacement of one of them for ever, whatever
 * surrounds it. Whether a set of rules ends on every URL cannot be decided in general; the rest is left to the bound on
 * rounds when URLs are canonized.
 */
import type { Rule } from "../model.js";
import { contradict, shrinks, usableRule } from "./kinds.js";
import { applySubstring, type SubstringAction } from "./replace-substring.js";
import { intersectScopes } from "./scope.js";
import { Candidates, TriggerIndex } from "./trigger-index.js";
import { UrlBytes } from "./url-bytes.js";

type SubstringRule = Rule & SubstringAction;

/** More rounds than this over the few tokens of a replacement, and each of them changing something: it does not end. */
const MAX_ROUNDS = 10;
const MAX_APPLICATIONS = 1000;

/** The sets of rules, each in the list's order, that visibly go round in circles or grow without end. */
export function findCycles(rules: readonly Rule[]): Rule[][] {
  const substrings = rules.filter((rule): rule is SubstringRule => rule.kind === "substring");
  const index = new TriggerIndex(substrings.map((rule) => ({ ...rule, scope: {} })));
  const candidates = new Candidates(substrings.length);
  const cycles = new Map<string, Rule[]>();
  const add = (members: Iterable<Rule>) => {
    const set = new Set(members);
    const ordered = rules.filter((rule) => set.has(rule));
    cycles.set(ordered.map((rule) => rules.indexOf(rule)).join(), ordered);
  };
  for (const rule of substrings) {
    const cycle = rewriteReplacement(rule, substrings, index, candidates);
    if (cycle !== undefined) add(cycle);
  }
  for (const pair of contradictions(rules)) add(pair);
  return [...cycles.values()];
}

/** The list without rules that close a visible cycle: of each cycle, the rule that comes last in the list goes. */
export function dropCycles(rules: readonly Rule[]): { readonly rules: Rule[]; readonly dropped: Rule[] } {
  const dropped: Rule[] = [];
  let kept = [...rules];
  for (;;) {
    const last = findCycles(kept)[0]?.at(-1);
    if (last === undefined) return { rules: kept, dropped };
    dropped.push(last);
    kept = kept.filter((rule) => rule !== last);
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
    dropped.push(...acyclic.dropped);
    used = withoutOrphans(acyclic.rules);
    if (used.length === acyclic.rules.length) return { rules: [...used], dropped };
  }
}

/** A rule that was proven only behind others is not used without them. */
export function withoutOrphans(rules: readonly Rule[]): readonly Rule[] {
  const ids = new Set(rules.map(({ id }) => id));
  const kept = rules.filter(({ after }) => after === undefined || after.every((id) => ids.has(id)));
  return kept.length === rules.length ? rules : withoutOrphans(kept);
}

/**
 * Canonizes the rule's replacement alone, in the scope that all applied rules share. Returns the rules of the last
 * round where it does not come to rest.
 */
function rewriteReplacement(
  rule: SubstringRule,
  rules: readonly SubstringRule[],
  index: TriggerIndex,
  candidates: Candidates,
): Set<Rule> | undefined {
  let text = rule.to;
  let scope = rule.scope;
  let applications = 0;
  let active = new Set<Rule>();
  const bytes = new UrlBytes();
  const collect = () => {
    candidates.clear();
    bytes.set(text);
    index.collect(bytes, candidates, rule.start, rule.end);
  };
  collect();
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    active = new Set();
    for (let at = 0; at < candidates.count; at++) {
      const number = candidates.rules[at]!;
      const other = rules[number]!;
      const common = intersectScopes(scope, other.scope);
      if (common === undefined) continue;
      const isRepeated = shrinks(other);
      const before = text;
      for (;;) {
        const next = applySubstring(other, text, "ours", rule.start, rule.end);
        if (next === undefined) break;
        text = next;
        if (++applications > MAX_APPLICATIONS) return active.add(other);
        if (!isRepeated) break;
      }
      if (text === before) continue;
      active.add(other);
      scope = common;
      collect();
      at = 0;
      while (at < candidates.count && candidates.rules[at]! <= number) at++;
      at--;
    }
    if (active.size === 0) return undefined;
  }
  return active;
}

/** Pairs of rules that undo each other in every round: two values for one parameter, a slash that comes and goes. */
function contradictions(rules: readonly Rule[]): [Rule, Rule][] {
  const byKind = new Map<string, Rule[]>();
  const pairs: [Rule, Rule][] = [];
  for (const rule of rules) {
    const key = "name" in rule ? `${rule.kind} ${rule.name}` : rule.kind;
    const others = byKind.get(key) ?? [];
    byKind.set(key, others);
    for (const other of others) {
      if (contradict(other, rule) && intersectScopes(other.scope, rule.scope) !== undefined) pairs.push([other, rule]);
    }
    others.push(rule);
  }
  return pairs;
}
