import { usableRule } from "../canon/kinds.js";
import { isRefinement } from "../canon/refinement.js";
import type { Certificate, JobContext, Rule } from "../model.js";
import { drive } from "../progress.js";
import { Certification, type CertifyOptions } from "./certify.js";
import { drawOrder } from "./draws.js";
import { asTemplates, oddnessOf } from "./generalise.js";
import { inBestOrder, withoutHindering } from "./order-rules.js";
import type { Pages } from "./pages.js";
import { Validation } from "./search-rules.js";
import { suggestedRules } from "./suggest.js";
import { RuleTest, type ValidateEvents, type ValidateOptions } from "./try-rule.js";

/** How often rules are suggested by what those found so far make of the list. */
const SUGGESTING_ROUNDS = 3;
/**
 * Of the requests, what is kept for the certificate: rules that were only selected are not known to be true. It needs some
 * hundreds of draws however large the list is, so that there is no use in keeping more than this many requests.
 */
const SHARE_FOR_CERTIFICATE = 0.4;
const MOST_FOR_CERTIFICATE = 3000;

/**
 * Figure 4 of the 2007 paper: each pair in the shrinking direction first, then in the other; a rule waits until every
 * rule that it refines is decided, and is dropped unfetched where one of them is valid. A refuted rule is tried again
 * where its counter-examples do not lie, and what a proven one may be an instance of is tried before the rest. Rules keep
 * their order, narrower ones after the one they came from and more general ones before it.
 */
export async function validateRules<P>(
  rules: readonly Rule[],
  urls: readonly string[],
  pages: Pages<P>,
  options: ValidateOptions,
  events: ValidateEvents,
  context: JobContext,
  /** Absent: nothing but the rules that are given is decided, each by itself. */
  certify?: Omit<CertifyOptions, "seed" | "now">,
  /** Tried after the rules, and not worth a line where nothing comes of them. */
  more: readonly Rule[] = [],
): Promise<Validated> {
  const test = new RuleTest(pages, options, events, context.signal, urls);
  const ordered = drawOrder(urls, options.seed);
  pages.expect?.(ordered);
  const session = new Validation(ordered, test, options.plan);
  const list = [...rules];
  const decided = new Map<Rule, readonly Rule[]>();
  let stopped = false;
  const certifies = certify !== undefined && options.plan !== "paper";
  const kept = certifies ? Math.min(SHARE_FOR_CERTIFICATE * (pages.requestsLeft ?? 0), MOST_FOR_CERTIFICATE) : 0;
  // What is left of the rules is for another run; those found so far can still be certified.
  const isSpent = () => (pages.requestsLeft ?? 0) < kept;
  const decide = async (rule: Rule): Promise<void> => {
    if (decided.has(rule) || stopped) return;
    stopped = await test.isEnded();
    decided.set(rule, [rule]);
    if (stopped || isSpent()) return;
    let general: readonly Rule[] = [];
    // Figure 4 looks only at what stands before a pair in the list.
    const waits = options.plan === "sequential" || rule.kind !== "substring";
    for (const broader of list) {
      if (waits && broader !== rule && isRefinement(rule, broader)) await decide(broader);
    }
    const results = [...decided.values()].flat();
    if (rule.decision === "rejected" || results.some((other) => other !== rule && covers(other, rule))) {
      decided.set(rule, []);
    } else if (options.plan === "sequential" && session.isImplied(rule, results.filter(isAsPlainAs(rule)))) {
      decided.set(rule, []);
    } else if (rule.after !== undefined && options.plan === "sequential") {
      // Found only after others: it is tried there, once they are decided.
      decided.set(rule, [rule]);
    } else {
      const outcome = await session.decide(rule, results);
      stopped ||= outcome === undefined;
      decided.set(rule, outcome?.rules ?? [rule]);
      if (options.plan === "sequential") general = outcome?.general ?? [];
    }
    events.onVerdict(decided.get(rule)?.[0] ?? rule, decided.size, list.length);
    for (const broader of general) {
      if (list.some(({ id }) => id === broader.id)) continue;
      list.splice(list.indexOf(rule), 0, broader);
      await decide(broader);
    }
  };
  for (const rule of rules) await decide(rule);
  const suggested = [...more];
  list.push(...more);
  for (const rule of more) await decide(rule);
  // Looks are worth it only where pages can be had. After proven rules more URLs become one.
  const suggests = certifies && !test.knownOnly;
  for (let round = 0; suggests && round < SUGGESTING_ROUNDS && !stopped && !isSpent(); round++) {
    const { forms } = session.canonical([...decided.values()].flat());
    const news = suggestedRules(list, [...forms.keys()]);
    if (news.length === 0) break;
    suggested.push(...news);
    list.push(...news);
    for (const rule of news) await decide(rule);
  }
  // What the list suggested is not worth a line if nothing came of it.
  const isUseless = (rule: Rule) =>
    suggested.includes(rule) && decided.get(rule)?.every((result) => usableRule(result) === undefined) !== false;
  const results = list.flatMap((rule) => (isUseless(rule) ? [] : (decided.get(rule) ?? [rule])));
  if (options.plan === "paper") return { rules: results, stopped };
  const chosen = (list: readonly Rule[]) =>
    drive(withoutHindering(list, ordered), context, "the rules stay as they were");
  const selected = stopped
    ? { rules: results, stopped }
    : await retryBehind(session, test, await chosen(results), isSpent);
  if (certify === undefined) return selected;
  const best = await chosen(selected.rules);
  const inOrder = await drive(inBestOrder(best, ordered), context, "the rules stay as they were");
  const own = { ...certify, seed: options.seed, now: options.now };
  const certification = new Certification(ordered, test, session, own, context);
  const isUnfinished = isSpent();
  if (selected.stopped) return certification.uncertified(inOrder);
  const certified = await certification.certify(inOrder);
  return { ...certified, stopped: certified.stopped || isUnfinished };
}

export interface Validated {
  /** With their verdicts; those that were not reached keep their status. */
  readonly rules: readonly Rule[];
  /** No more pages were available: work is left. */
  readonly stopped: boolean;
  /** What all rules together are worth; absent on the paper's plan, and where the work stopped before. */
  readonly certificate?: Certificate;
}

/**
 * A rule may be refuted only by what other rules take away: "story?id=" -> "story_" fails wherever "&sid=..." follows,
 * and holds once sessions are dropped. So refuted rules are tried once more on canonical URLs, as part of the whole
 * canonization; those that hold there go to the end of the list and name the rules that they need before them.
 */
async function retryBehind<P>(
  session: Validation<P>,
  test: RuleTest<P>,
  results: readonly Rule[],
  isSpent: () => boolean,
): Promise<Validated> {
  const list = [...results];
  for (const rule of results) {
    if (isSpent()) break;
    if (rule.kind !== "substring" || rule.status === "valid" || rule.opposite?.status === "valid") continue;
    // What holds as a template goes its way: the other way would only undo it.
    const isTemplate = ({ id, status }: Rule) =>
      status === "valid" && asTemplates(rule).some((whole) => whole.id === id);
    if (list.some(isTemplate)) continue;
    if (await test.isEnded()) return { rules: list, stopped: true };
    if (session.isImplied(rule, list)) {
      list.splice(list.indexOf(rule), 1);
      continue;
    }
    const behind = await session.decideBehind(rule, list);
    if (behind === undefined) return { rules: list, stopped: true };
    if (behind.status === "valid" || behind.opposite?.status === "valid") {
      list.splice(list.indexOf(rule), 1);
      list.push(behind);
    } else {
      list[list.indexOf(rule)] = behind;
    }
  }
  return { rules: await prune(session, test, list), stopped: false };
}

/**
 * Valid rules that the others make needless go: those first that an owner would be the last to write, then the weakest.
 * What is left is a short list of plain rules.
 */
async function prune<P>(session: Validation<P>, test: RuleTest<P>, list: readonly Rule[]): Promise<Rule[]> {
  let kept = [...list];
  const valid = list.filter((rule) => usableRule(rule) !== undefined).toReversed();
  for (const rule of valid.sort((a, b) => oddnessOf(b) - oddnessOf(a))) {
    if (await test.isEnded()) break;
    const isNeeded = rule.decision !== null || kept.some(({ after }) => after?.includes(rule.id));
    if (!isNeeded && session.isImplied(rule, kept)) kept = kept.filter((other) => other !== rule);
  }
  return kept;
}

/** Would an owner write the other one rather than this? What only less plain rules do is worth a try. */
const isAsPlainAs = (rule: Rule) => (other: Rule) => oddnessOf(other) <= oddnessOf(rule);

/** Is there nothing left for `rule` to do where `other` is applied? */
function covers(other: Rule, rule: Rule): boolean {
  const valid = other.status === "valid" || other.opposite?.status === "valid";
  return valid && isRefinement(rule, other);
}
