/** Plainer and wider rules that a proven pair of texts may be an instance of. */
import { applyRule } from "../canon/apply.js";
import { actionProblem } from "../canon/kinds.js";
import { ruleId } from "../canon/rule-id.js";
import { intersectScopes } from "../canon/scope.js";
import type { Rule, Scope, UrlPair } from "../model.js";
import { parameterName, queryParameters } from "../url/parameters.js";
import { hostOf, parseUrl } from "../url/parse.js";

/**
 * "/w/index.php?title=" -> "/wiki/" is wrong wherever more parameters follow, and the other way round it is nothing that an
 * owner would write. As a template it is about URLs that end with the value.
 */
export function asTemplate(rule: Rule): Rule | undefined {
  if (rule.kind !== "substring" || !rule.start || rule.end || rule.decision !== null) return undefined;
  const [from, to] = [parseUrl(rule.from), parseUrl(rule.to)];
  if (from === undefined || to === undefined || !/^[^?]+\?[^?&;=/]+=$/.test(rule.from) || rule.to.includes("?"))
    return undefined;
  const host = hostOf(rule.from, from);
  if (rule.from.slice(0, from.pathStart) !== rule.to.slice(0, to.pathStart)) return undefined;
  const scope = intersectScopes(rule.scope, { host });
  const whole = (text: string, start: number) => `${text.slice(start).replace(/[{}]/g, "$&$&")}{value:segment}`;
  const action = {
    kind: "template",
    from: whole(rule.from, from.pathStart),
    to: whole(rule.to, to.pathStart),
  } as const;
  if (scope === undefined || actionProblem(action) !== undefined) return undefined;
  const { status, decision, source, site, support, confirmed, merges, example } = rule;
  return {
    id: ruleId(action, scope),
    ...action,
    scope,
    ...{ status, decision, source, support, confirmed, merges },
    ...(site !== undefined && { site }),
    ...(example !== undefined && { example }),
  };
}

/** Pairs that differ in one parameter alone before it is worth a try without it. */
const LEAST_PAIRS = 3;

/**
 * Rules that a proven rule may be an instance of. Where "?h=14.x&id=" -> "?h=13.x&id=" holds, most likely "h" does not
 * matter next to "id" whatever its value is: the pages that were compared differ in nothing else. One rule about the
 * parameter then does what it would take dozens of pairs of values to do, most of which the log has too seldom. Where all
 * pairs drop one value, as ")?action=view$" -> ")$" does, that value alone may be a default: tried after the parameter.
 */
export function generalisationsOf(rule: Rule, proven: readonly UrlPair[], urls: readonly string[]): Rule[] {
  const pairs = new Map<string, { count: number; readonly dropped: Set<string | undefined> }>();
  for (const { from, to } of proven) {
    const difference = onlyDifference(from, to);
    if (difference === undefined) continue;
    const { name, dropped } = difference;
    const known = pairs.get(name) ?? { count: 0, dropped: new Set() };
    pairs.set(name, known);
    known.count++;
    known.dropped.add(dropped);
  }
  return [...pairs].flatMap(([name, { count, dropped }]) => {
    if (count < LEAST_PAIRS) return [];
    const [value] = dropped;
    const isOne = dropped.size === 1 && value !== undefined;
    const narrower = isOne ? intersectScopes(rule.scope, { parameters: { [name]: value } }) : undefined;
    return [rule.scope, ...(narrower === undefined ? [] : [narrower])].map((scope) => removal(name, scope, rule, urls));
  });
}

/** The name of the parameter without which the two URLs are one, and its one value where the second URL has none. */
function onlyDifference(
  a: string,
  b: string,
): { readonly name: string; readonly dropped: string | undefined } | undefined {
  const [left, right] = [namedParameters(a), namedParameters(b)];
  if (left === undefined || right === undefined || left.rest !== right.rest) return undefined;
  const names = new Set([...left.values.keys(), ...right.values.keys()]);
  const differing = [...names].filter((name) => left.values.get(name) !== right.values.get(name));
  const [name] = differing;
  if (differing.length !== 1 || name === undefined || name === "") return undefined;
  const value = right.values.has(name) ? undefined : /^&=([^&]+)$/.exec(left.values.get(name)!)?.[1];
  return { name, dropped: value };
}

/** A URL's parameters by name, equal names together in their order, and what is left of it without them. */
function namedParameters(url: string): { values: Map<string, string>; rest: string } | undefined {
  const parts = parseUrl(url);
  if (parts === undefined) return undefined;
  const values = new Map<string, string>();
  for (const parameter of queryParameters(url, parts)) {
    const name = parameterName(url, parameter);
    values.set(name, `${values.get(name) ?? ""}&${url.slice(parameter.nameEnd, parameter.end)}`);
  }
  return { values, rest: url.slice(0, parts.queryStart) + url.slice(parts.queryEnd) };
}

function removal(name: string, scope: Scope, { site, source }: Rule, urls: readonly string[]): Rule {
  const action = { kind: "parameter", name, place: "query", action: "remove" } as const;
  const known = new Set(urls);
  const buckets = new Map<string, number>();
  let merges = 0;
  for (const url of urls) {
    const image = applyRule({ ...action, scope }, url);
    if (image === undefined) continue;
    if (known.has(image)) merges++;
    buckets.set(image, (buckets.get(image) ?? (known.has(image) ? 1 : 0)) + 1);
  }
  let support = 0;
  for (const size of buckets.values()) support += size - 1;
  return {
    id: ruleId(action, scope),
    ...action,
    scope,
    status: "likely",
    decision: null,
    source,
    ...(site !== undefined && { site }),
    support,
    confirmed: 0,
    merges,
  };
}
