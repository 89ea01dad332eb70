import type { RuleAction, Scope } from "../model.js";
import { parseUrl } from "../url/parse.js";
import { applyAction, type SubstringAction } from "./apply.js";
import { scopeCovers } from "./scope.js";

/**
 * Does the parameter rule say already what the pair says? It does where it makes one URL of every two that the pair
 * maps onto each other: ("&sid=1", "") and ("sid=1", "sid=2") follow from removing sid. Such pairs are dropped once the
 * parameter rule is valid.
 *
 * Tried in a few URLs in which the pair's strings stand where parameters begin and end. That "sid=1" might also stand
 * inside another parameter's value is left out on purpose: hardly any of a pair's support is of that kind.
 */
export function impliedByParameterRule(
  pair: SubstringAction & { readonly scope: Scope },
  rule: RuleAction & { readonly scope: Scope },
): boolean {
  if (rule.kind !== "parameter" || !scopeCovers(rule.scope, pair.scope)) return false;
  const lefts = pair.start ? [""] : agreed(pair, rule.place === "query" ? beforeInQuery : beforeInPath);
  const rights = pair.end ? [""] : agreed(pair, rule.place === "query" ? afterInQuery : afterInPath);
  if (lefts === undefined || rights === undefined) return false;
  const canonize = (url: string) => applyAction(rule, url, parseUrl(url), "ours") ?? url;
  return lefts.every((left) =>
    rights.every((right) => canonize(left + pair.from + right) === canonize(left + pair.to + right)),
  );
}

/** The texts that may surround both strings of the pair; an empty string goes where the other does. */
function agreed(pair: SubstringAction, contextsOf: (text: string) => readonly string[]): readonly string[] | undefined {
  const from = contextsOf(pair.from || pair.to);
  const to = contextsOf(pair.to || pair.from);
  return from === to ? from : undefined;
}

const PAGE = "http://h.test/p";

const FIRST_SEPARATOR = [PAGE];
const LATER_SEPARATOR = [`${PAGE}?b=1`];
const IN_QUERY = [`${PAGE}?`, `${PAGE}?b=1&`];
function beforeInQuery(text: string): readonly string[] {
  if (text.startsWith("?")) return FIRST_SEPARATOR;
  return /^[&;]/.test(text) ? LATER_SEPARATOR : IN_QUERY;
}

const PARAMETER = ["c=1"];
const QUERY_VALUE = ["9", "9&c=1"];
const END_IN_QUERY = ["", "&c=1"];
function afterInQuery(text: string): readonly string[] {
  if (/[?&;]$/.test(text)) return PARAMETER;
  return text.endsWith("=") ? QUERY_VALUE : END_IN_QUERY;
}

const IN_PATH = [`${PAGE};`];
function beforeInPath(text: string): readonly string[] {
  return text.startsWith(";") ? FIRST_SEPARATOR : IN_PATH;
}

const PATH_VALUE = ["9", "9?c=1", "9/q"];
const END_IN_PATH = ["", "?c=1", "/q"];
function afterInPath(text: string): readonly string[] {
  if (text.endsWith(";")) return PARAMETER;
  return text.endsWith("=") ? PATH_VALUE : END_IN_PATH;
}
