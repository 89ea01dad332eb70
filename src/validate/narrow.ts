import { conditionsOf, intersectScopes, isOneHost, scopeCovers } from "../canon/scope.js";
import type { Scope } from "../model.js";
import { parameterName, queryParameters } from "../url/parameters.js";
import { hostOf, parseUrl, pathOf } from "../url/parse.js";

/** What became of one URL that a rule changes. */
export interface Trial {
  readonly url: string;
  readonly positive: boolean;
}

const maxSegments = 3;
const samplesOfScope = 3;

interface Place {
  readonly scope: Scope;
  positive: number;
  negative: number;
}

/**
 * What trials of a refuted rule say about the scopes narrower than its own: by host, path prefix, script name, and a
 * parameter that the query has beside, and by host with one of these.
 */
export class Places {
  readonly #within: Scope;
  readonly #places = new Map<string, Place>();
  readonly trials: Trial[] = [];

  constructor(within: Scope, trials: readonly Trial[]) {
    this.#within = within;
    for (const trial of trials) this.add(trial);
  }

  add(trial: Trial): void {
    this.trials.push(trial);
    const { url, positive } = trial;
    for (const scope of scopesOf(url, this.#within)) {
      const key = keyOf(scope);
      const place = this.#places.get(key) ?? { scope, positive: 0, negative: 0 };
      this.#places.set(key, place);
      if (positive) place.positive++;
      else place.negative++;
    }
  }

  /**
   * URLs of which a trial would say something about a scope that has none yet and `least` of the URLs, largest first. Where
   * nothing came of one, the next of the scope follows.
   */
  *untried(urls: readonly string[], least: number): Generator<string> {
    const counts = new Map<string, { readonly samples: string[]; urls: number }>();
    for (const url of urls) {
      for (const scope of scopesOf(url, this.#within)) {
        const count = counts.get(keyOf(scope)) ?? { samples: [], urls: 0 };
        counts.set(keyOf(scope), count);
        count.urls++;
        if (count.samples.length < samplesOfScope) count.samples.push(url);
      }
    }
    const large = [...counts].filter(([, { urls }]) => urls >= least).sort(([, a], [, b]) => b.urls - a.urls);
    for (const [key, { samples }] of large) {
      for (const url of samples) if (!this.#places.has(key)) yield url;
    }
  }

  /**
   * Scopes in which the rule may still be true: with a positive trial and no negative one; those with most positives
   * first, so that least is left to fetch. `applicable` are all the URLs that the rule changes: a scope needs `least` of
   * them to be worth a rule.
   */
  promising(applicable: readonly string[], least: number): Scope[] {
    const counts = new Map<string, { place: Place; urls: number }>();
    for (const [key, place] of this.#places) {
      if (place.positive > 0 && place.negative === 0) counts.set(key, { place, urls: 0 });
    }
    if (counts.size === 0) return [];
    for (const url of applicable) {
      for (const scope of scopesOf(url, this.#within)) {
        const count = counts.get(keyOf(scope));
        if (count !== undefined) count.urls++;
      }
    }
    return [...counts.values()]
      .filter(({ urls }) => urls >= least)
      .sort(
        (a, b) =>
          b.place.positive - a.place.positive || b.urls - a.urls || fields(a.place.scope) - fields(b.place.scope),
      )
      .map(({ place }) => place.scope);
  }
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
  const names = new Set(queryParameters(url, parts).map((parameter) => parameterName(url, parameter)));
  for (const name of names) if (name !== "") places.push({ parameters: { [name]: true } });
  const canNameHost = isOneHost(host) && host !== within.host;
  const candidates = canNameHost ? [{ host }, ...places, ...places.map((place) => ({ host, ...place }))] : places;
  return candidates
    .map((candidate) => intersectScopes(within, candidate))
    .filter((candidate) => candidate !== undefined)
    .filter((candidate) => scopeCovers(within, candidate) && !scopeCovers(candidate, within));
}

const keyOf = (scope: Scope) => JSON.stringify([scope.host, scope.path, scope.script, conditionsOf(scope)]);
const fields = (scope: Scope) => Object.keys(scope).length;
