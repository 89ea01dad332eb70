import type { Scope } from "../model.js";
import { hostOf, parseUrl, pathOf } from "../url/parse.js";

/** What became of one URL that a rule changes. */
export interface Trial {
  readonly url: string;
  readonly positive: boolean;
}

const maxSegments = 3;

/**
 * Scopes in which a refuted rule may still be true: those that hold a positive trial and no negative one, by host, path
 * prefix, script name, and host with one of these; those with most positives first, so that least is left to fetch.
 * `applicable` are all the URLs that the rule changes: a scope needs `least` of them to be worth a rule.
 */
export function narrowerScopes(
  scope: Scope,
  trials: readonly Trial[],
  applicable: readonly string[],
  least: number,
): Scope[] {
  const tally = new Map<string, { scope: Scope; positive: number; negative: number; urls: number }>();
  const entry = (candidate: Scope) => {
    const key = JSON.stringify([candidate.host, candidate.path, candidate.script]);
    let found = tally.get(key);
    if (found === undefined) {
      found = { scope: candidate, positive: 0, negative: 0, urls: 0 };
      tally.set(key, found);
    }
    return found;
  };
  for (const { url, positive } of trials) {
    for (const candidate of scopesOf(url, scope)) {
      if (positive) entry(candidate).positive++;
      else entry(candidate).negative++;
    }
  }
  for (const url of applicable) {
    for (const candidate of scopesOf(url, scope)) {
      const known = tally.get(JSON.stringify([candidate.host, candidate.path, candidate.script]));
      if (known !== undefined) known.urls++;
    }
  }
  return [...tally.values()]
    .filter(({ positive, negative, urls }) => positive > 0 && negative === 0 && urls >= least)
    .sort((a, b) => b.positive - a.positive || b.urls - a.urls || fields(a.scope) - fields(b.scope))
    .map((candidate) => candidate.scope);
}

/** Does every URL in `inner` lie in `outer` too? */
export function isWithin(inner: Scope, outer: Scope): boolean {
  return (
    (outer.host === undefined || hostWithin(inner.host, outer.host)) &&
    (outer.path === undefined || (inner.path?.startsWith(outer.path) ?? false)) &&
    (outer.script === undefined || inner.script === outer.script)
  );
}

function hostWithin(inner: string | undefined, outer: string): boolean {
  if (inner === undefined) return false;
  if (inner === outer) return true;
  return outer.startsWith("*.") && (inner === outer.slice(2) || inner.endsWith(outer.slice(1)));
}

/** The part of a site that a URL belongs to: its host with the first folder, or with the script where there is none. */
export function placeOf(url: string): string {
  const parts = parseUrl(url);
  if (parts === undefined) return "";
  const path = pathOf(url, parts);
  const folder = path.indexOf("/", 1);
  return hostOf(url, parts) + (folder > 0 ? path.slice(0, folder + 1) : path.replace(/[;\d].*/, ""));
}

/** The scopes narrower than `within` that the URL lies in. */
function scopesOf(url: string, within: Scope): Scope[] {
  const parts = parseUrl(url);
  if (parts === undefined) return [];
  const host = hostOf(url, parts);
  const path = pathOf(url, parts);
  const places: Scope[] = [];
  for (
    let at = path.indexOf("/", 1), depth = 0;
    at > 0 && depth < maxSegments;
    at = path.indexOf("/", at + 1), depth++
  ) {
    places.push({ path: path.slice(0, at + 1) });
  }
  const script = /\/([^/;]+)[^/]*$/.exec(path)?.[1];
  if (script !== undefined) places.push({ script });
  const candidates = host === "" ? places : [{ host }, ...places, ...places.map((place) => ({ host, ...place }))];
  return candidates
    .map((candidate) => ({ ...within, ...candidate }))
    .filter(
      (candidate) =>
        isWithin(candidate, within) && fields(candidate) + length(candidate) > fields(within) + length(within),
    );
}

const fields = (scope: Scope) => Object.keys(scope).length;
const length = (scope: Scope) => (scope.path?.length ?? 0) + (scope.host?.length ?? 0);
