/**
 * Canonization (thesis 5.5). A list of rules is compiled once into a function from URLs to URLs.
 *
 * Figure 5.5 applies all rules in order, again and again, until a round changes nothing or MA rounds are over. Its
 * output need not be a fixed point. Ours is, for every URL: a shrinking rule is repeated until it no longer applies, an
 * occurrence that is already inside the replacement is skipped, and a URL that does not settle is returned as
 * it was. So C(u) is u itself, where canonizing u again ends the same way, or a URL that a whole round leaves alone.
 */
import { UserError } from "../errors.js";
import type { Rule, RuleAction } from "../model.js";
import { parseUrl, type UrlParts } from "../url/parse.js";
import { Candidates } from "./candidates.js";
import { problemOf } from "./check-rule.js";
import { findCycles, withoutOrphans } from "./cycles.js";
import { nameRule } from "./describe.js";
import type { CanonPlan } from "./kinds/kind.js";
import { applyAction, plainAction, shrinks, usableRule } from "./kinds.js";
import { applySubstring } from "./replace-substring.js";
import { inScope } from "./scope.js";
import type { Scanner, TriggerTables } from "./trigger.js";
import { TriggerIndex } from "./trigger-index.js";
import { UrlBytes } from "./url-bytes.js";

export interface CanonOptions {
  /** "paper": figure 5.5 as printed, with its loops; the result is what MA rounds leave. Default "ours". */
  readonly plan?: CanonPlan;
  /** MA, the maximum number of rounds (thesis 6.2: 10). */
  readonly maxRounds?: number;
  /** The rules to use, each in the direction to use it. Default `usableRule`: proven or accepted, never rejected. */
  readonly use?: (rule: Rule) => Rule | undefined;
}

/** One application of one rule. */
export interface CanonStep {
  readonly rule: Rule;
  readonly before: string;
  readonly after: string;
}

export interface Explanation {
  readonly url: string;
  readonly steps: readonly CanonStep[];
  /** Where false, the URL did not settle and was returned unchanged; the steps show what they did to it. */
  readonly isSettled: boolean;
  /** Where an alias was followed after the rules. */
  readonly alias?: { readonly before: string; readonly after: string };
}

/** A canonizer as plain data, which can be sent to another thread. */
export interface CanonRecipe {
  readonly rules: readonly Rule[];
  readonly plan: CanonPlan;
  readonly maxRounds: number;
  readonly aliases?: AliasParts;
}

/** A table of aliases (`canon/aliases.ts`) as it is in memory. */
export interface AliasParts {
  readonly bytes: Uint8Array;
  /** Four a pair: where the source starts and ends, one before the target, where that ends, and the source's hash. */
  readonly places: Uint32Array;
  /** The cells of `HashSlots`, at most half full: pairs by the hash of their source. */
  readonly slots: Uint32Array;
  /** Three bits for each source, small enough for a processor's cache: most URLs without an alias are known by them. */
  readonly filter: Uint32Array;
  /** Pairs in use, and pairs that are older than the file's limit. */
  readonly count: number;
  readonly expired: number;
  readonly maxAgeDays: number;
}

export interface Canonizer {
  (url: string): string;
  explain(url: string): Explanation;
  /**
   * Can a rule change the URL whose UTF-8 is bytes[start .. end)? True for every URL that the function changes, and for
   * few others: callers that have bytes need not make strings of all of them.
   */
  mayChange(bytes: Uint8Array, start: number, end: number): boolean;
  /**
   * What the URL in bytes[start .. end) becomes, or undefined where it stays as it is. The bytes are ASCII, `text` has the same
   * characters at the same places, and the path begins where `plainPathStart` says: no string is made of a URL that no
   * rule can touch.
   */
  changed(bytes: Uint8Array, text: string, start: number, end: number, pathStart: number): string | undefined;
  /** What a scanner needs to know of the rules; `scanWith` takes it. For those who have millions of URLs. */
  readonly triggers: TriggerTables;
  scanWith(scanner: Scanner): void;
  /** The rules in use, in order, each in the direction of its use. */
  readonly rules: readonly Rule[];
  /** What another thread needs to make the same function, by `fromRecipe`. */
  readonly recipe: CanonRecipe;
  /** URLs that did not settle so far: how many calls, and the first few of them. */
  readonly unsettled: { readonly count: number; readonly samples: readonly string[] };
}

/** For `use`: rules that were chosen and turned already. */
export const asTheyAre = (rule: Rule): Rule => rule;

const DEFAULT_MAX_ROUNDS = 10;
/** A bound on the work for one URL: ten thousand slashes, or rules that sort tokens by swapping neighbours. */
const MAX_APPLICATIONS = 1000;
const MAX_SAMPLES = 3;
/** Groups of rules in one message, and rules of a group. */
const MAX_SHOWN = 10;

/** Throws a UserError that names the rules where one makes no sense or where some visibly go round in circles. */
export function compile(rules: readonly Rule[], options: CanonOptions = {}): Canonizer {
  const { plan = "ours", maxRounds = DEFAULT_MAX_ROUNDS, use = usableRule } = options;
  const used = withoutOrphans(rules.map(use).filter((rule) => rule !== undefined));
  for (const rule of used) {
    const problem = problemOf(rule, rule.scope);
    if (problem) throw new UserError(`rule ${nameRule(rule)}: "${problem.field}" ${problem.problem}`);
  }
  if (plan === "ours") refuseCycles(used);
  const engine = new Engine(used, plan, maxRounds);
  const unsettled = { count: 0, samples: [] as string[] };

  const settled = (url: string, result: string | undefined): string => {
    if (result !== undefined) return result;
    unsettled.count++;
    if (unsettled.samples.length < MAX_SAMPLES) unsettled.samples.push(url);
    return url;
  };
  const canon = (url: string): string => settled(url, engine.canonize(url));
  const changed: Canonizer["changed"] = (bytes, text, start, end, pathStart) => {
    if (!engine.hasCandidates(bytes, start, end, pathStart)) return undefined;
    const url = text.slice(start, end);
    const result = settled(url, engine.apply(url));
    return result === url ? undefined : result;
  };
  const explain = (url: string): Explanation => {
    const steps: CanonStep[] = [];
    const result = engine.canonize(url, steps);
    return { url: result ?? url, steps, isSettled: result !== undefined };
  };
  const mayChange = (bytes: Uint8Array, start: number, end: number) => engine.hasCandidates(bytes, start, end);
  const recipe: CanonRecipe = { rules: used, plan, maxRounds };
  const scanWith = (scanner: Scanner) => engine.scanWith(scanner);
  const { triggers } = engine;
  return Object.assign(canon, { explain, mayChange, changed, triggers, scanWith, rules: used, recipe, unsettled });
}

function refuseCycles(rules: readonly Rule[]): void {
  const cycles = findCycles(rules);
  if (cycles.length === 0) return;
  const shown = cycles
    .slice(0, MAX_SHOWN)
    .map((cycle) => `\n  ${cycle.slice(0, MAX_SHOWN).map(nameRule).join("\n    and ")}`);
  throw new UserError(
    `these rules undo each other or grow forever; reject one of each group (or canonize on the paper's plan):${shown.join("")}`,
  );
}

class Engine {
  readonly #triggers: TriggerIndex;
  readonly #candidates: Candidates;
  /** One for texts that are encoded here, one for bytes that others hold: each keeps its view of them. */
  #encoded = new UrlBytes();
  readonly #given = new UrlBytes();
  readonly #isRepeated: readonly boolean[];
  /** The rules' actions alone: objects of few shapes, for which the engine's compiler makes faster code. */
  readonly #actions: readonly RuleAction[];
  readonly #isScoped: readonly boolean[];
  // The parts of the text that they were asked for last.
  #parsed = "";
  #parts: UrlParts | undefined;
  readonly #rules: readonly Rule[];
  readonly #plan: CanonPlan;
  readonly #maxRounds: number;

  constructor(rules: readonly Rule[], plan: CanonPlan, maxRounds: number) {
    this.#rules = rules;
    this.#plan = plan;
    this.#maxRounds = maxRounds;
    this.#triggers = new TriggerIndex(rules);
    this.#candidates = new Candidates(rules.length);
    this.#isRepeated = rules.map((rule) => plan === "ours" && shrinks(rule));
    this.#actions = rules.map(plainAction);
    this.#isScoped = rules.map((rule) => Object.keys(rule.scope).length > 0);
  }

  get triggers(): TriggerTables {
    return this.#triggers.tables;
  }

  scanWith(scanner: Scanner): void {
    this.#triggers.scanner = scanner;
    this.#encoded = new UrlBytes(scanner.memory);
  }

  /** The canonical URL, or undefined where it does not settle. */
  canonize(url: string, steps?: CanonStep[]): string | undefined {
    this.#collect(url);
    return this.#candidates.count === 0 || this.#partsOf(url) === undefined ? url : this.apply(url, steps);
  }

  /** The same of what is a URL, and whose candidates are collected already. */
  apply(url: string, steps?: CanonStep[]): string | undefined {
    const candidates = this.#candidates;
    let text = url;
    let applications = 0;
    // Rules after the one that changed the text last have been tried on it already.
    let lastChanged = this.#rules.length;
    for (let round = 1; round <= this.#maxRounds; round++) {
      const previous = text;
      let hasChanged = false;
      for (let at = 0; at < candidates.count; ) {
        const number = candidates.rules[at++]!;
        if (!hasChanged && number > lastChanged) break;
        const before = text;
        for (let after = this.#apply(number, text); after !== undefined; after = this.#apply(number, text)) {
          if (this.#plan === "ours" && ++applications > MAX_APPLICATIONS) return undefined;
          steps?.push({ rule: this.#rules[number]!, before: text, after });
          text = after;
          if (!this.#isRepeated[number]) break;
        }
        if (text === before) continue;
        hasChanged = true;
        lastChanged = number;
        this.#collect(text);
        for (at = 0; at < candidates.count && candidates.rules[at]! <= number; ) at++;
      }
      if (text === previous) return text;
    }
    return this.#plan === "paper" ? text : undefined;
  }

  #apply(number: number, text: string): string | undefined {
    const action = this.#actions[number]!;
    if (action.kind === "substring" && !this.#isScoped[number]) return applySubstring(action, text, this.#plan);
    const parts = this.#partsOf(text)!;
    if (this.#isScoped[number] && !inScope(this.#rules[number]!.scope, text, parts)) return undefined;
    return applyAction(action, text, parts, this.#plan);
  }

  hasCandidates(bytes: Uint8Array, start: number, end: number, pathStart?: number): boolean {
    this.#candidates.clear();
    if (pathStart === undefined) this.#given.setBytes(bytes, start, end);
    else this.#given.setPlain(bytes, start, end, pathStart);
    this.#triggers.collect(this.#given, this.#candidates);
    return this.#candidates.count > 0;
  }

  #collect(text: string): void {
    this.#candidates.clear();
    this.#encoded.set(text);
    this.#triggers.collect(this.#encoded, this.#candidates);
  }

  #partsOf(text: string): UrlParts | undefined {
    if (this.#parsed !== text) {
      this.#parts = parseUrl(text);
      this.#parsed = text;
    }
    return this.#parts;
  }
}
