/**
 * Which way a rule goes: to what the site says (redirect, rel=canonical, sitemap), else to what is asked for most, else to
 * the more readable text. Mining gives the shrinking direction, which is right where nothing speaks against it.
 */
import { applyRule } from "../canon/apply.js";
import { actionProblem, reverse } from "../canon/kinds.js";
import { ruleId } from "../canon/rule-id.js";
import type { Rule, RuleAction } from "../model.js";
import type { InSteps } from "../progress.js";
import { difference } from "../url/difference.js";
import { findApplicable } from "./applicable.js";

/** What is known of the URLs of a list, row by row. */
export interface SaidOfUrls {
  readonly urls: readonly string[];
  readonly requests: ArrayLike<number>;
  /** Where the site leads from a URL. */
  readonly redirects: ReadonlyMap<string, string>;
  /** What a page calls its canonical URL, also where that is its own. */
  readonly canonicals: ReadonlyMap<string, string>;
  readonly inSitemap: ReadonlySet<string>;
}

/** "Asked for most" means this many times as often: less may be chance. */
const CLEARLY_MORE = 2;

/** URLs that one direction of one rule is tried on. */
const MOST_ROWS = 200;

/** The rules, each in the direction to try first; those that a person decided about, or that were tried, as they are. */
export function* directRules(rules: readonly Rule[], said: SaidOfUrls): InSteps<Rule[]> {
  const others = rules.map((rule) => (isOpen(rule) ? turned(rule) : undefined));
  // Where nothing was asked for twice, a list was made by a program, and says nothing about what people ask for.
  const isTelling =
    said.redirects.size + said.canonicals.size + said.inSitemap.size > 0 ||
    Array.from(said.requests).some((n) => n > 1);
  const urls = isTelling ? said.urls : [];
  const rows = findApplicable([...rules, ...others.map((other, i) => other ?? rules[i]!)], urls);
  const ids = new Set(rules.map(({ id }) => id));
  const directed: Rule[] = [];
  for (const [i, rule] of rules.entries()) {
    yield { step: "choosing directions", done: i, total: rules.length, unit: "rules" };
    const other = others[i];
    if (other === undefined || ids.has(other.id)) {
      directed.push(rule);
      continue;
    }
    const [here, there] = [tallyOf(rule, rows[i]!, said), tallyOf(other, rows[rules.length + i]!, said)];
    const isBack =
      there.redirected - here.redirected ||
      there.canonical - here.canonical ||
      there.listed - here.listed ||
      // What is changed should be what few ask for.
      clearly(here.requests, there.requests) ||
      escapes(other) - escapes(rule);
    directed.push(isBack > 0 ? other : rule);
  }
  return directed;
}

/** This many pages at least, and at most this share against, make a rule one that the site declares. */
const LEAST_DECLARED = 5;
const MOST_AGAINST = 0.05;

/** Rules that explain what the pages of the site call their canonical URL have the status "declared". */
export function* declareRules(rules: readonly Rule[], said: SaidOfUrls): InSteps<Rule[]> {
  if (said.canonicals.size === 0) return [...rules];
  const rows = findApplicable(rules, said.urls);
  const declared: Rule[] = [];
  for (const [i, rule] of rules.entries()) {
    yield { step: "comparing with rel=canonical", done: i, total: rules.length, unit: "rules" };
    declared.push(isOpen(rule) && isDeclared(rule, rows[i]!, said) ? { ...rule, status: "declared" } : rule);
  }
  return declared;
}

function isDeclared(rule: Rule, rows: Iterable<number>, said: SaidOfUrls): boolean {
  let [agreed, disagreed] = [0, 0];
  for (const row of rows) {
    const url = said.urls[row]!;
    const canonical = said.canonicals.get(url);
    const target = canonical === undefined ? undefined : applyRule(rule, url);
    if (target === undefined) continue;
    const further = said.canonicals.get(target);
    if (canonical === target || canonical === further) agreed++;
    // What the rule leaves may be changed by other rules too; but the rule must not change a canonical URL.
    else if (further !== undefined || applyRule(rule, canonical!) !== undefined) disagreed++;
  }
  return agreed >= LEAST_DECLARED && disagreed <= MOST_AGAINST * (agreed + disagreed);
}

/** Does the rule make a repetition longer, as "/a/" -> "/a/a/" does? It would lead into a crawler trap, never out of it. */
export function lengthensRepetition(action: RuleAction): boolean {
  if (action.kind !== "substring" || action.to.length <= action.from.length) return false;
  const { prefix, from, to, suffix } = difference(action.from, action.to);
  return from === "" && (prefix.endsWith(to) || suffix.startsWith(to));
}

/** Does the rule only add a parameter? Nobody would do that to make URLs equal. */
export function addsParameter(action: RuleAction): boolean {
  if (action.kind !== "substring") return false;
  const { from, to } = difference(action.from, action.to);
  return from === "" && to.includes("=");
}

const isOpen = ({ status, decision, after }: Rule) => status === "likely" && decision === null && after === undefined;

/** The rule in the other direction, as one of its own, if it has one that makes sense. */
export function turned(rule: Rule): Rule | undefined {
  const other = reverse(rule);
  if (other === undefined || actionProblem(other) !== undefined) return undefined;
  if (lengthensRepetition(other) || addsParameter(other)) return undefined;
  // Where a text is only added, nothing says where.
  if (other.kind === "substring" && other.from === "") return undefined;
  const { example } = rule;
  return {
    ...other,
    id: ruleId(other, other.scope),
    ...(example !== undefined && { example: { from: example.to, to: example.from } }),
  };
}

/** Of the URLs that the rule changes: how many the site itself leads that way, and how often all of them were asked for. */
function tallyOf(rule: Rule, rows: readonly number[], said: SaidOfUrls) {
  const tally = { redirected: 0, canonical: 0, listed: 0, requests: 0 };
  // Spread evenly: a few hundred say as much as all.
  const step = Math.max(1, Math.floor(rows.length / MOST_ROWS));
  for (let at = 0; at < rows.length; at += step) {
    const row = rows[at]!;
    const url = said.urls[row]!;
    const target = applyRule(rule, url);
    if (target === undefined) continue;
    tally.requests += step * said.requests[row]!;
    if (said.redirects.get(url) === target) tally.redirected += step;
    if (said.canonicals.get(url) === target) tally.canonical += step;
    if (said.inSitemap.has(target) && !said.inSitemap.has(url)) tally.listed += step;
  }
  return tally;
}

function clearly(here: number, there: number): number {
  return here > CLEARLY_MORE * there ? 1 : there > CLEARLY_MORE * here ? -1 : 0;
}

/** Letters in disguise that the rule leaves behind, beyond those that it takes away. */
function escapes(rule: Rule): number {
  return rule.kind === "substring" ? count(rule.from) - count(rule.to) : 0;
}

const count = (text: string) => text.match(/%[0-9a-f]{2}/gi)?.length ?? 0;
