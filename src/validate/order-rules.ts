/**
 * Which of the proven rules merge most together, and in what order. Each holds by itself; but where ":" -> "/" fires first, a
 * longer rule with a ":" in its text never matches, and where one rule adds a folder that another removes, no URL ever
 * settles. The certificate then judges what was chosen.
 */
import { applyRule } from "../canon/apply.js";
import { asTheyAre, type Canonizer, compile } from "../canon/compile.js";
import { rulesInUse } from "../canon/cycles.js";
import type { Rule } from "../model.js";
import type { InSteps } from "../progress.js";

/** URLs that an order is measured on, and URLs that show whether a rule is applied at all. */
const MEASURED_URLS = 20_000;
const SHOWING_URLS = 200;
/** URLs that show whether measuring is worthwhile. */
const FEW_URLS = 2_000;
/** Orders that are tried; each takes a canonization of the list. */
const MOST_TRIES = 16;

/** `urls` in random order. Rules that need others before them stay where they are. Pauses, so that a Ctrl-C is heard. */
export function* inBestOrder(rules: readonly Rule[], urls: readonly string[]): InSteps<readonly Rule[]> {
  const measured = urls.slice(0, MEASURED_URLS);
  const countForms = (canon: Canonizer) => new Set(measured.map(canon)).size;
  let best = rules;
  let canon = inUse(best);
  let least: number | undefined;
  const tried = new Set<string>();
  while (tried.size < MOST_TRIES) {
    const starved = yield* findStarved(canon, measured, tried);
    if (starved === undefined) return best;
    const { rule, before } = starved;
    yield orderProgress(tried.size);
    tried.add(rule);
    least ??= countForms(canon);
    const moved = moveBefore(best, rule, before);
    const other = inUse(moved);
    // Two rules may undo each other in one order and not in the other.
    if (other.rules.length < canon.rules.length) continue;
    const forms = countForms(other);
    if (forms < least) [best, canon, least] = [moved, other, forms];
  }
  return best;
}

/** Drops each rule without which the others merge more. What people have decided stays, and what other rules need. */
export function* withoutHindering(rules: readonly Rule[], urls: readonly string[]): InSteps<readonly Rule[]> {
  const countForms = (list: readonly Rule[], sample: number) => new Set(urls.slice(0, sample).map(inUse(list))).size;
  let best = rules;
  for (let hindering: Rule | undefined; ; best = best.filter((rule) => rule !== hindering)) {
    const needed = new Set(best.flatMap(({ after = [] }) => after));
    const used = new Set(rulesInUse(best).rules.map(({ id }) => id));
    const [few, all] = [countForms(best, FEW_URLS), countForms(best, MEASURED_URLS)];
    let least = all;
    hindering = undefined;
    for (const rule of best) {
      yield orderProgress(0);
      if (!used.has(rule.id) || rule.decision !== null || needed.has(rule.id)) continue;
      const others = best.filter((other) => other !== rule);
      if (countForms(others, FEW_URLS) >= few) continue;
      const forms = countForms(others, MEASURED_URLS);
      if (forms < least) [hindering, least] = [rule, forms];
    }
    if (hindering === undefined) return best;
  }
}

const orderProgress = (done: number) => ({ step: "ordering rules", done, unit: "orders" });

const inUse = (rules: readonly Rule[]) => compile(rulesInUse(rules).rules, { use: asTheyAre });

/** A rule that fails to merge a URL with its own result, since another rule comes first; and that other one. */
function* findStarved(
  canon: Canonizer,
  urls: readonly string[],
  tried: ReadonlySet<string>,
): InSteps<{ readonly rule: string; readonly before: string } | undefined> {
  for (const [at, rule] of canon.rules.entries()) {
    yield orderProgress(tried.size);
    if (rule.after !== undefined || tried.has(rule.id)) continue;
    let shown = 0;
    for (const url of urls) {
      const changed = applyRule(rule, url);
      if (changed === undefined) continue;
      if (canon(url) !== canon(changed)) {
        const first = canon.explain(url).steps[0]?.rule;
        if (first !== undefined && canon.rules.indexOf(first) < at) return { rule: rule.id, before: first.id };
      }
      if (++shown === SHOWING_URLS) break;
    }
  }
  return undefined;
}

function moveBefore(rules: readonly Rule[], id: string, before: string): Rule[] {
  const moved = rules.find((rule) => rule.id === id)!;
  return rules.flatMap((rule) => (rule === moved ? [] : rule.id === before ? [moved, rule] : [rule]));
}
