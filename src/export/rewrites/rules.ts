/**
 * A rule as substitutions by regular expressions, for programs that have nothing else. The text is an absolute URL after
 * safe normalization, in which no space occurs. What canonization means by a rule is kept: token boundaries, the first
 * occurrence, scopes, how parameters are separated. Each rule is tried on probes before it is handed out.
 */
import { shrinks } from "../../canon/kinds.js";
import type { Rule } from "../../model.js";
import { keepFirst, keepLast, remove, removeAllEmpty, removeFromPath, setInPath, setInQuery } from "./parameters.js";
import { agreesOnProbes, takesSeveral } from "./probes.js";
import { scopeProblem, templateProblem, textProblem } from "./problems.js";
import { type Draft, END, literal, ORIGIN, plain, type RuleRewrites } from "./rewrite.js";
import { scopeConditions, scopeExceptions } from "./scopes.js";
import { substringVariants } from "./substrings.js";
import { decodeMarks, editEndOfPath, editScheme, editTemplate, editWww } from "./url-parts.js";

/** Trying a rule on its probes takes milliseconds, and a target asks more than once. */
const known = new WeakMap<Rule, RuleRewrites | string>();

/** The substitutions that do what the rule does, or the reason why there are none. */
export function rewritesOf(rule: Rule): RuleRewrites | string {
  const before = known.get(rule);
  if (before !== undefined) return before;
  const found = findRewrites(rule);
  known.set(rule, found);
  return found;
}

function findRewrites(rule: Rule): RuleRewrites | string {
  const ways = variants(rule);
  if (typeof ways === "string") return ways;
  const problem = textProblem(rule) ?? scopeProblem(rule) ?? templateProblem(rule);
  if (problem !== undefined) return problem;
  const conditions = scopeConditions(rule.scope);
  const exceptions = scopeExceptions(rule.scope);
  for (const way of ways) {
    const rewrites = way.map((rewrite) => ({ ...rewrite, conditions, exceptions }));
    const candidate = { rule, rewrites, isOnce: !takesSeveral(rule) && !shrinks(rule) };
    if (agreesOnProbes(candidate)) return candidate;
  }
  return "what it may do to a URL's host cannot be said in regular expressions";
}

/** Ways to write a rule of each kind; the first one that proves right on the probes is taken. Or why there is none. */
function variants(rule: Rule): Draft[][] | string {
  switch (rule.kind) {
    case "substring":
      return substringVariants(rule);
    case "parameter":
      if (rule.place === "path") return [rule.action === "remove" ? removeFromPath(rule.name) : setInPath(rule)];
      return [rule.action === "remove" ? remove(`${literal(rule.name)}(?:=[^&; ]*)?`) : setInQuery(rule)];
    case "repeatedParameter":
      if (rule.name === undefined) return "regular expressions cannot tell which of all names are alike";
      return [rule.keep === "first" ? keepFirst(rule.name) : keepLast(rule.name)];
    case "emptyParameter":
      return [rule.name === undefined ? removeAllEmpty() : remove(`${literal(rule.name)}=?`)];
    case "trailingSlash":
    case "indexPage":
    case "extension":
      return [editEndOfPath(rule)];
    case "repeatedSlash":
      return [[plain(`(${ORIGIN}(?:/[^? ]*?)??/)/+((?:[^/ ][^ ]*)?)${END}`, [1, 2])]];
    case "percentEncoding":
      return [decodeMarks()];
    case "www":
      return [editWww(rule.action)];
    case "scheme":
      return [editScheme(rule.scheme)];
    case "template":
      return [editTemplate(rule)];
    case "case":
      return "regular expressions cannot change letter case";
    case "parameterOrder":
      return "regular expressions cannot sort";
    default:
      // For callers without types; the compiler ensures that every kind is here.
      return unknownKind(rule);
  }
}

function unknownKind(rule: never): string {
  return `a rule of the kind "${(rule as Rule).kind}" cannot be said in regular expressions`;
}
