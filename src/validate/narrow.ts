/** Where a refuted rule may hold after all: scopes narrower than its own in which it has not failed yet. */
import { conditionsOf, inScope, intersectScopes, isOneHost, scopeCovers } from "../canon/scope.js";
import type { ParameterCondition, Scope } from "../model.js";
import { parameterName, queryParameters } from "../url/parameters.js";
import { hostOf, parseUrl, pathOf, type UrlParts } from "../url/parse.js";

/** What became of one URL that a rule changes. */
export interface Trial {
  readonly url: string;
  readonly positive: boolean;
}

const MAX_SEGMENTS = 3;
const SAMPLES_OF_SCOPE = 3;
/** A parameter with more values than this in the list names things; a condition on one of them would name a thing. */
const MOST_VALUES = 40;
/** Scopes whose URLs are counted, those with most positives first. */
const MOST_COUNTED = 60;
/** A scope that names a page or a value has this share of what the rule changes, or it names a piece of data. */
const LEAST_OF_NAMED = 0.1;
/** Conditions on parameters that a scope may have. */
const MOST_CONDITIONS = 2;

interface Place {
  readonly scope: Scope;
  positive: number;
  negative: number;
}

/**
 * What trials of a refuted rule say about the scopes narrower than its own: by host, path prefix, script name, what the
 * query also has or lacks, and the values of parameters that have few.
 */
export class Places {
  readonly #within: Scope;
  readonly #places = new Map<string, Place>();
  readonly #names: readonly string[];
  /** Parameters that all of the URLs have: that they are there is not a condition. */
  readonly #everywhere: ReadonlySet<string>;
  readonly #fewValues: ReadonlySet<string>;
  readonly #leastOfNamed: number;
  readonly trials: Trial[] = [];

  /**
   * What parameters the URLs have, and how many values, says what can be a condition. `changed` is the number of those that the
   * rule changes.
   */
  constructor(within: Scope, urls: readonly string[], changed: number) {
    this.#within = within;
    const values = new Map<string, { readonly of: Set<string>; urls: number }>();
    const all = new Set(urls);
    for (const url of all) {
      const given = new Map(parametersOf(url));
      for (const [name, value] of given) {
        const known = values.get(name) ?? { of: new Set(), urls: 0 };
        values.set(name, known);
        known.of.add(value);
        known.urls++;
      }
    }
    this.#names = [...values.keys()].sort();
    this.#everywhere = new Set(this.#names.filter((name) => values.get(name)!.urls === all.size));
    this.#fewValues = new Set(this.#names.filter((name) => values.get(name)!.of.size <= MOST_VALUES));
    this.#leastOfNamed = LEAST_OF_NAMED * changed;
  }

  add(trial: Trial): void {
    this.trials.push(trial);
    for (const scope of this.#scopesOf(trial.url)) {
      const key = keyOf(scope);
      const place = this.#places.get(key) ?? { scope, positive: 0, negative: 0 };
      this.#places.set(key, place);
      if (trial.positive) place.positive++;
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
      for (const scope of this.#plainScopesOf(url)) {
        const key = keyOf(scope);
        const count = counts.get(key) ?? { samples: [], urls: 0 };
        counts.set(key, count);
        count.urls++;
        if (count.samples.length < SAMPLES_OF_SCOPE) count.samples.push(url);
      }
    }
    const large = [...counts].filter(([, { urls }]) => urls >= least).sort(([, a], [, b]) => b.urls - a.urls);
    for (const [key, { samples }] of large) {
      for (const url of samples) if (!this.#places.has(key)) yield url;
    }
  }

  /**
   * Scopes in which the rule may still be true: with a positive trial and no negative one; those that cover most first,
   * the plainer of two that cover the same. `applicable` are all the URLs that the rule changes: a scope needs `least` of
   * them to be worth a rule.
   */
  promising(applicable: readonly string[], least: number): Scope[] {
    const candidates = [...this.#places.values()]
      .filter(({ positive, negative }) => positive > 0 && negative === 0)
      .sort((a, b) => b.positive - a.positive || limits(a.scope) - limits(b.scope))
      .slice(0, MOST_COUNTED);
    if (candidates.length === 0) return [];
    const parsed = applicable.map((url) => ({ url, parts: parseUrl(url)! }));
    return candidates
      .map(({ scope, positive }) => {
        const within = parsed.filter(({ url, parts }) => inScope(scope, url, parts));
        const urls = within.length;
        const mayBeData = namesValue(scope) || (scope.script !== undefined && !isInSeveral(scope.script, within));
        // One positive trial says less about many URLs than several.
        return { scope, urls, mayBeData, worth: (urls * positive) / (positive + 1) };
      })
      .filter(({ urls, mayBeData }) => urls >= (mayBeData ? Math.max(least, this.#leastOfNamed) : least))
      .sort((a, b) => b.worth - a.worth || limits(a.scope) - limits(b.scope))
      .map(({ scope }) => scope);
  }

  /** The narrower scopes that the URL lies in: one limit, or one of the path and one of the query, or two of the query. */
  #scopesOf(url: string): Scope[] {
    const { places, conditions } = this.#limitsOf(url);
    const room = MOST_CONDITIONS - conditionsOf(this.#within).length;
    const pairs = conditions.flatMap((a, i) => (room < 2 ? [] : conditions.slice(i + 1).map((b) => both(a, b))));
    const mixed = places.flatMap((place) => conditions.map((condition) => both(place, condition)));
    return this.#narrower(url, [...places, ...(room < 1 ? [] : [...conditions, ...mixed, ...pairs])]);
  }

  /** Those with a single limit. */
  #plainScopesOf(url: string): Scope[] {
    const { places, conditions } = this.#limitsOf(url);
    return this.#narrower(url, [...places, ...conditions]);
  }

  #narrower(url: string, candidates: readonly (Scope | undefined)[]): Scope[] {
    const parts = parseUrl(url);
    if (parts === undefined) return [];
    const host = hostOf(url, parts);
    const hosts: Scope[] = isOneHost(host) && host !== this.#within.host ? [{ host }] : [];
    const all = [
      ...hosts,
      ...candidates,
      ...hosts.flatMap((one) => candidates.map((other) => other && both(one, other))),
    ];
    return all
      .map((candidate) => candidate && both(this.#within, candidate))
      .filter((candidate) => candidate !== undefined)
      .filter((candidate) => inScope(candidate, url, parts) && !scopeCovers(candidate, this.#within));
  }

  #limitsOf(url: string): { readonly places: Scope[]; readonly conditions: Scope[] } {
    const parts = parseUrl(url);
    if (parts === undefined) return { places: [], conditions: [] };
    const path = pathOf(url, parts);
    const places: Scope[] = [];
    let at = path.indexOf("/", 1);
    for (let depth = 0; at > 0 && depth < MAX_SEGMENTS; at = path.indexOf("/", at + 1), depth++) {
      places.push({ path: path.slice(0, at + 1) });
    }
    const script = /\/([^/;]+(?:\/$)?)[^/]*$/.exec(path)?.[1];
    // A name with digits in it is an item's.
    if (script !== undefined && !/\d/.test(script)) places.push({ script });
    const given = new Map(parametersOf(url));
    const conditions: [string, ParameterCondition][] = [];
    for (const name of this.#names) {
      const value = given.get(name);
      if (value === undefined || !this.#everywhere.has(name)) conditions.push([name, value !== undefined]);
      if (value !== undefined && this.#fewValues.has(name)) conditions.push([name, value]);
    }
    return { places, conditions: conditions.map(([name, condition]) => ({ parameters: { [name]: condition } })) };
  }
}

const both = intersectScopes;

function parametersOf(url: string): [name: string, value: string][] {
  const parts = parseUrl(url);
  if (parts === undefined) return [];
  return queryParameters(url, parts)
    .map((parameter): [string, string] => [
      parameterName(url, parameter),
      url.slice(parameter.valueStart, parameter.end),
    ])
    .filter(([name]) => name !== "");
}

const keyOf = (scope: Scope) => JSON.stringify([scope.host, scope.path, scope.script, conditionsOf(scope)]);

const namesValue = (scope: Scope) => conditionsOf(scope).some(([, condition]) => typeof condition === "string");

/** A name that lies in several folders is a kind of pages; one that lies in a single one may be a page. */
function isInSeveral(script: string, urls: readonly { readonly url: string; readonly parts: UrlParts }[]): boolean {
  const folderOf = (path: string) => path.replace(/;[^/]*$/, "").slice(0, -script.length);
  const folders = new Set(urls.map(({ url, parts }) => folderOf(pathOf(url, parts))));
  return folders.size > 1;
}

/** How much a scope says: a value is more to say than a parameter, which is more to say than a place. */
function limits(scope: Scope): number {
  const places = [scope.host, scope.path, scope.script].filter((limit) => limit !== undefined).length;
  const said = conditionsOf(scope).map(([, condition]) => (typeof condition === "string" ? 3 : 2));
  return places + said.reduce((sum, one) => sum + one, 0);
}
