/**
 * Rules that a list of URLs suggests by itself, whatever their pages' sizes say: without a parameter, or with the
 * parameters in order, URLs of the list become other ones of it. Most are refuted at the first look; what is left is where
 * a parameter does not matter next to another one, without it, or with one value.
 */
import { applyRule } from "../canon/apply.js";
import { ruleId } from "../canon/rule-id.js";
import type { Rule, RuleAction, Scope } from "../model.js";
import { parameterName, queryParameters } from "../url/parameters.js";
import { parseUrl } from "../url/parse.js";

/** URLs that become others of the list, at least, and their share of the list. */
const LEAST_MERGES = 5;
const LEAST_SHARE = 0.004;
/** Parameters that are looked at, those of most URLs first. */
const MOST_NAMES = 60;

/** Rules that are not in the list yet, those that merge most first. */
export function suggestedRules(known: readonly Rule[], urls: readonly string[]): Rule[] {
  const listed = new Set(urls);
  const scope = scopeOf(known);
  const site = known[0]?.site;
  const ids = new Set(known.map(({ id }) => id));
  const actions: RuleAction[] = [
    { kind: "parameterOrder" },
    ...namesOf(urls).map((name): RuleAction => ({ kind: "parameter", name, place: "query", action: "remove" })),
  ];
  const suggested: Rule[] = [];
  for (const action of actions) {
    const id = ruleId(action, scope);
    if (ids.has(id)) continue;
    const images = new Map<string, number>();
    let merges = 0;
    for (const url of urls) {
      const image = applyRule({ ...action, scope }, url);
      if (image === undefined) continue;
      const others = images.get(image) ?? 0;
      if (listed.has(image) || others > 0) merges++;
      images.set(image, others + 1);
    }
    if (merges < Math.max(LEAST_MERGES, LEAST_SHARE * urls.length)) continue;
    suggested.push({
      id,
      ...action,
      scope,
      status: "likely",
      decision: null,
      source: "mined",
      ...(site !== undefined && { site }),
      support: merges,
      confirmed: 0,
      merges,
    });
  }
  return suggested.sort((a, b) => b.merges - a.merges);
}

/** The scope that the site's rules have in common: its host. */
function scopeOf(known: readonly Rule[]): Scope {
  const hosts = new Set(known.map((rule) => rule.scope.host));
  const [host] = hosts;
  return hosts.size === 1 && host !== undefined ? { host } : {};
}

function namesOf(urls: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const url of urls) {
    const parts = parseUrl(url);
    if (parts === undefined || parts.queryStart === parts.queryEnd) continue;
    // Nothing is known about one that never has a value.
    const given = queryParameters(url, parts).filter(({ valueStart, end }) => valueStart < end);
    for (const name of new Set(given.map((parameter) => parameterName(url, parameter)))) {
      if (name !== "") counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return [...counts]
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .slice(0, MOST_NAMES)
    .map(([name]) => name);
}
