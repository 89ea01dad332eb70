/**
 * Thousands of likely rules against an archive, all at once: a join of what the rules make of its URLs with what these
 * showed. Exact counts, no draws; what is left is decided by `validateRules`, one rule at a time.
 */

import { applyRule } from "../canon/apply.js";
import { actionProblem, reverse } from "../canon/kinds.js";
import { ruleId } from "../canon/rule-id.js";
import { findApplicable } from "../mine/applicable.js";
import type { CounterExample, Rule } from "../model.js";
import { findRoot, makeSets, union } from "../pages/union-find.js";
import type { InSteps } from "../progress.js";
import type { KnownOnlyPages } from "./pages.js";
import type { ValidateOptions } from "./try-rule.js";
import { LEAST_USABLE, lowerBound } from "./verdict.js";

type KnownPairs = Pick<KnownOnlyPages, "alike" | "leads">;

export interface Triage {
  /** To be decided by themselves, in their order; turned where the site redirects the other way. */
  readonly open: readonly Rule[];
  /**
   * Refuted: more pairs speak against them than a rule may have, and hardly any place is left where they could hold.
   * Undecided: too few pairs of known pages.
   */
  readonly decided: readonly Rule[];
  /** Rules in neither list, since open rules merge the same: those to try after all, given the open rules that hold. */
  readonly uncovered: (holding: (rule: Rule) => boolean) => readonly Rule[];
}

interface Counted {
  readonly rule: Rule;
  readonly positive: number;
  readonly negative: number;
  readonly counterExamples: readonly CounterExample[];
  /** Rows that the rule makes one and that show one page, two by two. */
  readonly pairs: Uint32Array;
  /** Redirects from the URL to what the rule makes of it, minus those in the other direction. */
  readonly redirected: number;
}

/** This many of the pairs may speak against a rule that may yet hold in a narrower place; then it has to save this much. */
const LEAST_OF_MIXED = 20;
/** A URL without a known target is compared with this many others that the rule maps onto the same one. */
const MOST_MATES = 3;
const MOST_COUNTER_EXAMPLES = 3;

/** `urls` are all URLs of which a page is known. Pauses with how far it is, so that its driver can end it. */
export function* triageRules(
  rules: readonly Rule[],
  urls: readonly string[],
  known: KnownPairs,
  { epsilon, similarity, now }: Pick<ValidateOptions, "epsilon" | "similarity" | "now">,
): InSteps<Triage> {
  const rowOf = new Map(urls.map((url, row) => [url, row]));
  const applicable = findApplicable(rules, urls);
  const counted: Counted[] = [];
  const answers = new PairAnswers(urls, known);
  for (const [r, rule] of rules.entries()) {
    yield { step: "comparing known pages", done: r, total: rules.length, unit: "rules" };
    counted.push(yield* countPairs(rule, applicable[r]!, urls, rowOf, answers));
  }
  // Nothing is known of any: one of them is enough to say why.
  if (counted.every(({ positive, negative }) => positive + negative === 0)) {
    return { open: rules.slice(0, 1), decided: rules.slice(1), uncovered: () => [] };
  }
  const { open, isRefuted, isTold } = sortOut(counted, urls.length, epsilon);
  const decided = counted.flatMap((rule): Rule[] => {
    if (open.has(rule.rule) || (isTold(rule) && !isRefuted(rule))) return [];
    const { positive, negative, counterExamples } = rule;
    const evidence = {
      ...{ positive, negative, lowerBound: lowerBound(rule), similarity },
      ...{ redirected: 0, canonicalised: 0, canonicalConflicts: 0, examples: [], counterExamples },
      checkedAt: now().toISOString(),
    };
    return [{ ...rule.rule, status: isTold(rule) ? "refuted" : "undecided", evidence }];
  });
  const isBack = new Set(counted.filter(({ redirected }) => redirected < 0).map(({ rule }) => rule));
  const turned = rules.filter((rule) => open.has(rule)).map((rule) => (isBack.has(rule) ? turn(rule) : rule));
  const chosen = turned.filter(({ id }, at) => turned.findIndex((other) => other.id === id) === at);
  const uncovered = (holding: (rule: Rule) => boolean): readonly Rule[] => {
    const isHolding = (rule: Rule) => open.has(rule) && holding(isBack.has(rule) ? turn(rule) : rule);
    const isCovered = (told: Counted) => !open.has(told.rule) && isTold(told) && !isRefuted(told);
    return needed(
      counted.filter(({ rule }) => isHolding(rule)),
      counted.filter(isCovered),
      urls.length,
    );
  };
  return { open: chosen, decided, uncovered };
}

/** The rule in the other direction, as one of its own, if it has one that makes sense. */
function turn(rule: Rule): Rule {
  const turned = rule.decision === null ? reverse(rule) : undefined;
  if (turned === undefined || actionProblem(turned) !== undefined) return rule;
  const { opposite: _, ...rest } = turned;
  return { ...rest, id: ruleId(turned, turned.scope) } as Rule;
}

/** Pauses within a rule: one may change every URL. */
const PAUSE_EVERY = 5000;

function* countPairs(
  rule: Rule,
  rows: readonly number[],
  urls: readonly string[],
  rowOf: ReadonlyMap<string, number>,
  answers: PairAnswers,
): InSteps<Counted> {
  const mates = new Map<string, number[]>();
  const pairs: number[] = [];
  const counterExamples: CounterExample[] = [];
  let [positive, negative, redirected] = [0, 0, 0];
  for (const [at, row] of rows.entries()) {
    if (at % PAUSE_EVERY === PAUSE_EVERY - 1) yield { step: "comparing known pages", done: at, unit: "URLs" };
    const image = applyRule(rule, urls[row]!);
    if (image === undefined) continue;
    const target = rowOf.get(image);
    let partners = target === undefined ? [] : [target];
    if (target === undefined) {
      const others = mates.get(image);
      if (others === undefined) mates.set(image, [row]);
      else {
        partners = others;
        if (others.length < MOST_MATES) mates.set(image, [...others, row]);
      }
    }
    for (const partner of partners) {
      const answer = answers.of(row, partner);
      if (answer === undefined) continue;
      if (answer) {
        positive++;
        pairs.push(row, partner);
        redirected += Number(answers.leads(row, partner)) - Number(answers.leads(partner, row));
      } else {
        negative++;
        if (counterExamples.length < MOST_COUNTER_EXAMPLES) {
          counterExamples.push({ from: urls[row]!, to: urls[partner]!, why: "different text" });
        }
      }
      break;
    }
  }
  return { rule, positive, negative, counterExamples, pairs: Uint32Array.from(pairs), redirected };
}

/** Rules share most of their pairs: each is compared once. */
class PairAnswers {
  readonly #answers = new Map<number, boolean | undefined>();
  readonly #urls: readonly string[];
  readonly #known: KnownPairs;

  constructor(urls: readonly string[], known: KnownPairs) {
    this.#urls = urls;
    this.#known = known;
  }

  leads(from: number, to: number): boolean {
    return this.#known.leads(this.#urls[from]!, this.#urls[to]!);
  }

  of(a: number, b: number): boolean | undefined {
    const key = Math.min(a, b) * this.#urls.length + Math.max(a, b);
    if (this.#answers.has(key)) return this.#answers.get(key);
    // A Map ends at 2^24 entries.
    if (this.#answers.size > 8_000_000) this.#answers.clear();
    const answer = this.#known.alike(this.#urls[a]!, this.#urls[b]!);
    this.#answers.set(key, answer);
    return answer;
  }
}

/** Of the rules those that make URLs one which the holding ones, and those before them, do not. */
function needed(holding: readonly Counted[], rules: readonly Counted[], urls: number): Rule[] {
  const merged = new Merged(urls);
  for (const { pairs } of holding) merged.add(pairs);
  return byPositives(rules)
    .filter(({ pairs }) => merged.add(pairs) > 0)
    .map(({ rule }) => rule);
}

const byPositives = (rules: readonly Counted[]) => [...rules].sort((a, b) => b.positive - a.positive);

/** Rows that are one. */
class Merged {
  readonly #parent: Uint32Array;

  constructor(count: number) {
    this.#parent = new Uint32Array(count);
    makeSets(this.#parent);
  }

  /** How many of the pairs were two before. */
  add(pairs: Uint32Array): number {
    let joined = 0;
    for (let p = 0; p < pairs.length; p += 2) {
      if (findRoot(this.#parent, pairs[p]!) === findRoot(this.#parent, pairs[p + 1]!)) continue;
      union(this.#parent, pairs[p]!, pairs[p + 1]!);
      joined++;
    }
    return joined;
  }
}

/** Those that merge most come first, and what they merge needs no other rule. */
function sortOut(counted: readonly Counted[], urls: number, epsilon: number) {
  const merged = new Merged(urls);
  const isRefuted = ({ positive, negative }: Counted) => negative > Math.max(1, epsilon * (positive + negative));
  const isTold = ({ positive, negative }: Counted) => positive + negative >= LEAST_USABLE;
  const open = new Set<Rule>();
  const sift = (some: readonly Counted[], least: number) => {
    for (const { rule, pairs } of byPositives(some)) {
      if (merged.add(pairs) >= least || rule.decision !== null) open.add(rule);
    }
  };
  const told = counted.filter(isTold);
  sift(
    told.filter((rule) => !isRefuted(rule)),
    1,
  );
  sift(
    told.filter((rule) => isRefuted(rule) && rule.positive >= LEAST_OF_MIXED),
    LEAST_OF_MIXED,
  );
  return { open, isRefuted, isTold };
}
