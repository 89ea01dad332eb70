/** Plainer and wider rules that a proven pair of texts may be an instance of. */
import { applyRule } from "../canon/apply.js";
import { actionProblem, precedenceOf, reverse } from "../canon/kinds.js";
import type { SubstringAction } from "../canon/replace-substring.js";
import { ruleId } from "../canon/rule-id.js";
import { intersectScopes } from "../canon/scope.js";
import type { Rule, RuleAction, Scope, UrlPair } from "../model.js";
import { parameterName, queryParameters } from "../url/parameters.js";
import { hostIn, parseUrl } from "../url/parse.js";

/** What a substring rule says of paths, where the host, or its end, is in both of its texts: that is what scopes are for. */
function ofPaths(
  { from, to }: SubstringAction,
  url: string,
): { readonly from: string; readonly to: string } | undefined {
  const border = (parseUrl(url)?.pathStart ?? -1) - url.indexOf(from);
  const isHostKept = border >= 0 && border < from.length && from.slice(0, border) === to.slice(0, border);
  return isHostKept && to[border] === "/" ? { from: from.slice(border), to: to.slice(border) } : undefined;
}

/** The same of a likely rule, which has an example unless it begins with the scheme. */
function pathsOf(rule: Rule & SubstringAction): ReturnType<typeof ofPaths> {
  const url = rule.start ? rule.from : rule.example?.from;
  return url === undefined ? undefined : ofPaths(rule, url);
}

/**
 * "/w/index.php?title=" -> "/wiki/" is wrong wherever more parameters follow, and the other way round it is nothing that an
 * owner would write. As a template it is about URLs that end with the value: on all hosts of the rule, or on the one it names.
 */
export function asTemplates(rule: Rule): Rule[] {
  const { example } = rule;
  const other = reverse(rule);
  const back = other && { ...other, ...(example !== undefined && { example: { from: example.to, to: example.from } }) };
  return [...templatesOf(rule), ...(back === undefined ? [] : templatesOf(back))];
}

function templatesOf(rule: Rule): Rule[] {
  if (rule.kind !== "substring" || rule.end || rule.decision !== null) return [];
  const texts = pathsOf(rule);
  if (texts === undefined || !/^[^?]+\?[^?&;=/]+=$/.test(texts.from) || texts.to.includes("?")) return [];
  const whole = (text: string) => `${text.replace(/[{}]/g, "$&$&")}{value:segment}`;
  const action = { kind: "template", from: whole(texts.from), to: whole(texts.to) } as const;
  if (actionProblem(action) !== undefined) return [];
  const named = rule.start ? intersectScopes(rule.scope, { host: hostIn(rule.from) }) : undefined;
  const { status, decision, source, site, support, confirmed, merges, example } = rule;
  return [rule.scope, ...(named === undefined ? [] : [named])].map((scope) => ({
    id: ruleId(action, scope),
    ...action,
    scope,
    ...{ status, decision, source, support, confirmed, merges },
    ...(site !== undefined && { site }),
    ...(example !== undefined && { example }),
  }));
}

/** How far an owner is from writing the rule: a kind that is known by name first, and a text with a host in it last. */
export function oddnessOf(rule: Rule): number {
  const namesHost = rule.kind === "substring" && pathsOf(rule) !== undefined && pathsOf(rule)?.from !== rule.from;
  return precedenceOf(rule) + (namesHost ? 0.5 : 0);
}

/** ".test/story.php?id=" -> ".test/story_" was proven: most likely "/story.php?id=" -> "/story_" holds on every host. */
export function onEveryHost(rule: Rule, { scope }: Rule, proven: UrlPair, urls: readonly string[]): Rule[] {
  if (rule.kind !== "substring") return [];
  const texts = ofPaths(rule, proven.from);
  if (texts === undefined || texts.from === rule.from) return [];
  const action = { kind: "substring", ...texts, start: false, end: rule.end } as const;
  return actionProblem(action) === undefined ? [likelyRule(action, scope, rule, urls)] : [];
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

function removal(name: string, scope: Scope, rule: Rule, urls: readonly string[]): Rule {
  return likelyRule({ kind: "parameter", name, place: "query", action: "remove" }, scope, rule, urls);
}

function likelyRule(action: RuleAction, scope: Scope, { site, source }: Rule, urls: readonly string[]): Rule {
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
