/**
 * A guarantee for all rules together, after they were selected: uniform draws, which chose nothing, over the URLs of the
 * list that the rules change. A wrong one is traced to the rule that caused it; that rule is narrowed or dropped, and
 * the next attempt begins.
 */
import { asTheyAre, type Canonizer, type CanonStep, compile } from "../canon/compile.js";
import { rulesInUse } from "../canon/cycles.js";
import { ruleId } from "../canon/rule-id.js";
import { inScope } from "../canon/scope.js";
import type { Certificate, JobContext, Rule, UrlPair } from "../model.js";
import { drive, type InSteps, PAUSE_EVERY } from "../progress.js";
import { parseUrl } from "../url/parse.js";
import { boundOf, errorOfAttempt, isBlind, isBlindBeside, sharesOf, type Tally } from "./certificate.js";
import { rulesName } from "./certificate-state.js";
import type { TrialResult } from "./compare-urls.js";
import { drawOrder, orderKey } from "./draws.js";
import { oddOnes, type SizeOf, targetSizes } from "./odd-sizes.js";
import type { Validation } from "./search-rules.js";
import type { RuleTest } from "./try-rule.js";

/** URLs of each way in which rules follow each other that are looked at before the first draw, with odd sizes or any, and ways. */
const VETOES_OF_WAY = 2;
const ODD_VETOES_OF_WAY = 4;
/** Where a rule applies only after another has taken away what kept it from the URL. */
const VETOES_OF_UNCOVERED_WAY = 6;
const MOST_WAYS = 60;
/** A rule that was narrowed so often and fails again is given up: sooner if it only swaps two texts. */
const mostRepairs = ({ kind }: Rule) => (kind === "substring" ? 1 : 3);
/** The name under which draws are filed that are for no single rule. */
const ALL_RULES = "all";

export interface CertifyOptions {
  readonly site: string;
  /** The name of the list of URLs. */
  readonly list: string;
  readonly assurance: number;
  readonly seed: number;
  readonly now: () => Date;
  /** How large pages were, as far as the list says so. */
  readonly sizeOf?: SizeOf;
  /** Attempts that were made on this list before, whatever came of them, other than those that begin with these rules now. */
  readonly attemptsBefore: (rules: string) => Promise<number>;
  /** Told before the first draw of each attempt: which one it is of those that begin with these rules. */
  readonly onAttempt: (rules: string, attempt: number) => Promise<void>;
}

export interface Certified {
  readonly rules: readonly Rule[];
  readonly certificate: Certificate;
  readonly stopped: boolean;
}

export class Certification<P> {
  readonly #repairs = new Map<string, number>();

  /** In the order in which they are drawn. */
  readonly #urls: readonly string[];
  readonly #test: RuleTest<P>;
  readonly #session: Validation<P>;
  readonly #options: CertifyOptions;
  readonly #context: JobContext;

  constructor(
    urls: readonly string[],
    test: RuleTest<P>,
    session: Validation<P>,
    options: CertifyOptions,
    context: JobContext,
  ) {
    this.#urls = urls;
    this.#test = test;
    this.#session = session;
    this.#options = options;
    this.#context = context;
  }

  /** Where the work stopped before the rules could be tried together. */
  async uncertified(rules: readonly Rule[]): Promise<Certified> {
    const { tally } = await this.#population(rules);
    return this.#result(rules, 0, { tally, stopped: true, wrong: 0 });
  }

  async certify(selected: readonly Rule[]): Promise<Certified> {
    let rules = selected;
    const beginning = rulesName(rulesInUse(selected).rules);
    const before = await this.#options.attemptsBefore(beginning);
    let attempt = before;
    for (;;) {
      rules = await this.#drive(this.#session.withoutIdle(rules));
      const { canon, changed } = await this.#population(rules);
      let outcome: UrlPair | Drawn | undefined = await this.#veto(canon, changed);
      if (outcome === undefined) {
        if (!this.#test.knownOnly && changed.length > 0) await this.#options.onAttempt(beginning, ++attempt - before);
        // Once more: the vetoes are known now.
        outcome = await this.#draw(await this.#population(rules), attempt);
      }
      if (!("from" in outcome)) {
        const seeing = outcome.stopped || this.#test.knownOnly ? rules : await this.#withoutBlindest(rules);
        if (seeing === rules) return this.#result(rules, attempt, outcome);
        rules = seeing;
        continue;
      }
      const repaired = await this.#repair(rules, canon, outcome);
      if (!Array.isArray(repaired)) {
        return this.#result(rules, attempt, {
          ...(await this.#population(rules)),
          stopped: repaired === "stopped",
          wrong: 1,
        });
      }
      rules = repaired;
    }
  }

  /** The URLs that the rules change, what is known of them, and the others. */
  #population(rules: readonly Rule[]): Promise<Population> {
    return this.#drive(this.#populationInSteps(rules));
  }

  #drive<T>(steps: InSteps<T>): Promise<T> {
    return drive(steps, this.#context, "the rules stay as they were");
  }

  *#populationInSteps(rules: readonly Rule[]): InSteps<Population> {
    const canon = compile(rulesInUse(rules).rules, { use: asTheyAre });
    const changed: UrlPair[] = [];
    for (const [i, from] of this.#urls.entries()) {
      const to = canon(from);
      if (from !== to) changed.push({ from, to });
      if (i % PAUSE_EVERY === PAUSE_EVERY - 1) {
        yield { step: "trying all rules together", done: i, total: this.#urls.length, unit: "URLs" };
      }
    }
    const rest = changed.filter(({ from, to }) => this.#test.known(from, to) === undefined);
    return { canon, changed, rest, tally: tallyOf(changed, this.#test) };
  }

  /**
   * A wrong one among those known; else, of each way in which rules follow each other, a few URLs: what single rules do
   * was seen, what they do together was not.
   */
  async #veto(canon: Canonizer, changed: readonly UrlPair[]): Promise<UrlPair | Drawn | undefined> {
    const isWrong = ({ from, to }: UrlPair) => isCounterExample(this.#test.known(from, to));
    const wrong = changed.find(isWrong);
    if (wrong !== undefined) return wrong;
    const ways = new Map<string, { readonly pairs: UrlPair[]; readonly steps: number; readonly vetoes: number }>();
    for (const pair of changed) {
      const { steps } = canon.explain(pair.from);
      const rules = [...new Set(steps.map(({ rule }) => rule))];
      const parts = parseUrl(pair.from);
      const isUncovered = parts !== undefined && rules.some(({ scope }) => !inScope(scope, pair.from, parts));
      const key = `${isUncovered ? "!" : ""}${rules.map(({ id }) => id).join(" ")}`;
      const vetoes = isUncovered ? VETOES_OF_UNCOVERED_WAY : VETOES_OF_WAY;
      const way = ways.get(key) ?? { pairs: [], steps: rules.length, vetoes };
      ways.set(key, way);
      way.pairs.push(pair);
    }
    const { sizeOf = () => undefined } = this.#options;
    const shortest = [...ways.values()].sort((a, b) => a.steps - b.steps);
    // What fewer rules have changed is more likely to show the target's own page.
    const sizeOfTarget = targetSizes(
      shortest.flatMap(({ pairs }) => pairs),
      sizeOf,
    );
    const largest = [...ways.values()].sort((a, b) => b.pairs.length - a.pairs.length);
    for (const { pairs, vetoes } of largest.slice(0, MOST_WAYS)) {
      const odd = oddOnes(pairs, sizeOf, sizeOfTarget).slice(0, ODD_VETOES_OF_WAY);
      for (const pair of [...odd, ...pairs.slice(0, vetoes)]) {
        const trial = await this.#test.tryOne(ALL_RULES, "forward", pair.from, pair.to);
        if (trial === undefined) return { tally: tallyOf(changed, this.#test), stopped: true, wrong: 0 };
        if (isWrong(pair)) return pair;
      }
    }
    return undefined;
  }

  /** Uniform draws from what is not known, until they say enough or one is wrong. */
  async #draw({ rest, tally: known }: Population, attempt: number): Promise<UrlPair | Drawn> {
    let tally = known;
    const isEnough = () => !this.#test.knownOnly && boundOf(tally, errorOfAttempt(attempt)) <= this.#options.assurance;
    const targets = new Map(rest.map(({ from, to }) => [from, to]));
    // An order of its own for each attempt: what came before has no part in it.
    const order = drawOrder([...targets.keys()], orderKey(`attempt ${attempt}`, this.#options.seed));
    for (const from of order) {
      if (isEnough()) break;
      const to = targets.get(from)!;
      const trial = await this.#test.tryOne(ALL_RULES, "forward", from, to);
      if (trial === undefined) return { tally, stopped: true, wrong: 0 };
      if (isCounterExample(trial)) return { from, to };
      const counted = trial.gone === true ? "gone" : trial.outcome === "positive" ? "same" : "notComparable";
      tally = { ...tally, [counted]: tally[counted] + 1 };
    }
    return { tally, stopped: false, wrong: 0 };
  }

  /**
   * Where too much of what the rules change cannot be compared, nobody knows what they do there: the rule with the largest
   * share of it is in doubt. The same rules where they see enough.
   */
  async #withoutBlindest(rules: readonly Rule[]): Promise<readonly Rule[]> {
    const { canon, changed } = await this.#population(rules);
    const counts = new Map<string, { seen: number; unseen: number }>();
    for (const { from, to } of changed) {
      const known = this.#test.known(from, to);
      if (known === undefined || (known.outcome === "skipped" && known.untold !== true)) continue;
      for (const id of new Set(canon.explain(from).steps.map(({ rule }) => rule.id))) {
        const count = counts.get(id) ?? { seen: 0, unseen: 0 };
        counts.set(id, count);
        if (known.outcome === "skipped") count.unseen++;
        else count.seen++;
      }
    }
    let blindest: Rule | undefined;
    let most = 0;
    for (const rule of rules) {
      const { seen, unseen } = counts.get(rule.id) ?? { seen: 0, unseen: 0 };
      if (rule.decision !== null || !isBlindBeside(unseen, seen) || unseen / (seen + unseen) <= most) continue;
      [blindest, most] = [rule, unseen / (seen + unseen)];
    }
    return blindest === undefined ? rules : replaced(rules, blindest, [inDoubt(blindest)]);
  }

  /** The rules without what made this pair wrong. */
  async #repair(
    rules: readonly Rule[],
    canon: Canonizer,
    { from, to }: UrlPair,
  ): Promise<Rule[] | "stopped" | "accepted"> {
    const culprit = await this.#culprit(canon, from);
    if (culprit === undefined) return "stopped";
    const least = await this.#leastToLose(rules, canon, from, culprit);
    if (least === undefined) return "stopped";
    const { rule: used, before, after } = least;
    const own = rules.find(({ id }) => id === used.id)!;
    // What people have decided stays, and the certificate says what it does.
    if (own.decision === "accepted") return "accepted";
    const repairs = this.#repairs.get(own.id) ?? 0;
    const isForward = own.status === "valid";
    const failed = withCounterExample(own, { from: before, to: after, why: `${from} is not ${to}` }, isForward);
    // Another rule's doing: where this one holds by itself is not the question.
    if (least !== culprit || repairs >= mostRepairs(own) || own.after !== undefined) {
      return replaced(rules, own, [failed]);
    }
    const trial = await this.#test.tryOne(used.id, "forward", before, after);
    if (trial === undefined) return "stopped";
    const applied: Rule = isForward ? own : { ...used, id: ruleId(used, used.scope) };
    const narrower = await this.#session.narrow(
      applied,
      rules.filter((rule) => rule !== own),
    );
    if (narrower === undefined) return "stopped";
    for (const { id } of narrower) this.#repairs.set(id, repairs + 1);
    return replaced(rules, own, [failed, ...narrower.filter(({ id }) => rules.every((rule) => rule.id !== id))]);
  }

  /**
   * Of the steps without which the URL's page would be shown, the one whose rule merges least: `curid` may be set to any value
   * where `title` is there, and then `title` must not go, but it is the setting that nobody would miss. Undefined where the work was
   * stopped.
   */
  async #leastToLose(
    rules: readonly Rule[],
    canon: Canonizer,
    from: string,
    culprit: CanonStep,
  ): Promise<CanonStep | undefined> {
    const formsWithout = (id: string) => {
      const rest = compile(rulesInUse(rules.filter((rule) => rule.id !== id)).rules, { use: asTheyAre });
      return { to: rest(from), forms: new Set(this.#urls.map(rest)).size };
    };
    let least = culprit;
    let fewest = formsWithout(culprit.rule.id).forms;
    for (const step of canon.explain(from).steps) {
      const own = rules.find(({ id }) => id === step.rule.id);
      if (step.rule.id === culprit.rule.id || own === undefined || own.decision === "accepted") continue;
      const { to, forms } = formsWithout(step.rule.id);
      if (forms >= fewest) continue;
      const trial = to === from ? undefined : await this.#test.tryOne(ALL_RULES, "forward", from, to);
      if (to !== from && trial === undefined) return undefined;
      if (to === from || trial?.outcome === "positive") [least, fewest] = [step, forms];
    }
    return least;
  }

  /** The step after which no later URL shows the page; undefined where the work was stopped. */
  async #culprit(canon: Canonizer, from: string): Promise<CanonStep | undefined> {
    const { steps } = canon.explain(from);
    for (let at = steps.length - 1; at > 0; at--) {
      // Where this one still shows it, the step from it on is the one.
      const trial = await this.#test.tryOne(ALL_RULES, "forward", from, steps[at]!.before);
      if (trial === undefined) return undefined;
      if (trial.outcome === "positive") return steps[at];
    }
    return steps[0];
  }

  #result(rules: readonly Rule[], attempt: number, { tally, stopped, wrong }: Drawn): Certified {
    const { site, assurance, now } = this.#options;
    const { changed } = tally;
    const shares = sharesOf(tally);
    const atMost = attempt === 0 ? Number(changed > 0) : boundOf(tally, errorOfAttempt(attempt));
    const isEnough = this.#test.knownOnly ? shares.tried === changed : atMost <= assurance && !isBlind(tally);
    const certificate: Certificate = {
      site,
      certified: wrong === 0 && isEnough,
      changed,
      ...shares,
      wrong,
      ...(!this.#test.knownOnly && { atMost }),
      assurance,
      attempt,
      rules: rulesName(rulesInUse(rules).rules),
      list: this.#options.list,
      at: now().toISOString(),
    };
    return { rules, certificate, stopped };
  }
}

/** How far the draws have come. */
interface Drawn {
  readonly tally: Tally;
  /** No more pages were available. */
  readonly stopped: boolean;
  readonly wrong: number;
}

interface Population {
  readonly canon: Canonizer;
  readonly changed: readonly UrlPair[];
  readonly rest: readonly UrlPair[];
  readonly tally: Tally;
}

/** A difference that no time between two captures explains. */
const isCounterExample = (trial: TrialResult | undefined) => trial?.outcome === "negative" && trial.certain;

function tallyOf<P>(changed: readonly UrlPair[], test: RuleTest<P>): Tally {
  const counts = { knownSame: 0, knownGone: 0, knownNotComparable: 0 };
  for (const { from, to } of changed) {
    const known = test.known(from, to);
    if (known === undefined) continue;
    if (known.gone === true) counts.knownGone++;
    else if (known.outcome === "positive") counts.knownSame++;
    else counts.knownNotComparable++;
  }
  return { changed: changed.length, ...counts, same: 0, gone: 0, notComparable: 0 };
}

function replaced(rules: readonly Rule[], old: Rule, news: readonly Rule[]): Rule[] {
  return rules.flatMap((rule) => (rule === old ? news : [rule]));
}

function inDoubt(rule: Rule): Rule {
  if (rule.status === "valid") return { ...rule, status: "undecided" };
  return rule.opposite === undefined ? rule : { ...rule, opposite: { ...rule.opposite, status: "undecided" } };
}

function withCounterExample(rule: Rule, example: UrlPair & { why: string }, isForward: boolean): Rule {
  const { evidence, opposite } = rule;
  const counted = evidence && {
    ...evidence,
    negative: evidence.negative + 1,
    counterExamples: [example, ...evidence.counterExamples],
  };
  const known = counted === undefined ? rule : { ...rule, evidence: counted };
  if (isForward || opposite === undefined) return { ...known, status: "refuted" };
  return { ...known, opposite: { ...opposite, status: "refuted", negative: opposite.negative + 1 } };
}
