/** Pairs of texts that do what a rule with a name does: "$" -> "/$" is a slash at the end of the path. */
import { applyRule } from "../canon/apply.js";
import { precedenceOf } from "../canon/kinds.js";
import type { Rule } from "../model.js";

/** Is the rule about a pair of URLs that one of the named rules makes one as well? Then that one is tried, and narrowed where it fails. */
export function isInstanceOf(rule: Rule, named: readonly Rule[]): boolean {
  const { example } = rule;
  if (rule.kind !== "substring" || example === undefined) return false;
  const { from, to } = example;
  return named.some((other) => applyRule(other, from) === to || applyRule(other, to) === from);
}

/** Rules about slashes, index pages, scheme, "www." and extensions: known by a name of their own, whatever the site is. */
export const isNamed = (rule: Rule) => precedenceOf(rule) <= MOST_PRECEDENCE;
const MOST_PRECEDENCE = 4;
