/** Which parts of a site's URLs name things: pages, items, commits. A rule that swaps two of them is about two pages. */
import type { Rule, StringColumn, UrlPair } from "../model.js";
import { stringAt } from "../string-column.js";
import { difference } from "../url/difference.js";
import { parameterName, queryParameters } from "../url/parameters.js";
import { parseUrl } from "../url/parse.js";

/** A parameter, or a folder, with more values than this names things; with fewer, it may as well choose a view. */
const MOST_CHOICES = 40;
/** What is cut from the names of fewer things says something about these alone. */
const LEAST_SHARE = 0.01;
/** A folder with this many URLs, this share of which is merged with another folder's, is a part of the site under two names, not a thing. */
const LEAST_IN_FOLDER = 10;
const SHARE_OF_FOLDER = 0.5;
/** Some URLs of a long list say as much as all of them. */
const SAMPLED_URLS = 20_000;

export class NamedThings {
  /** By parameter its values, and by folder what lies in it: no more than it takes to tell. */
  readonly #values = new Map<string, Set<string>>();
  /** By place how many URLs have a value there. */
  readonly #urls = new Map<string, number>();

  constructor(urls: StringColumn) {
    const step = Math.max(1, Math.floor(urls.count / SAMPLED_URLS));
    for (let row = 0; row < urls.count; row += step) {
      for (const { place, value } of partsOf(stringAt(urls, row))) {
        this.#urls.set(place, (this.#urls.get(place) ?? 0) + step);
        const values = this.#values.get(place);
        if (values === undefined) this.#values.set(place, new Set([value]));
        else if (values.size <= MOST_CHOICES) values.add(value);
      }
    }
  }

  /** Does the rule put one thing's name, or words of it, where another's was? */
  areSwapped(rule: Rule): boolean {
    if (rule.kind !== "substring" || rule.to === "" || rule.example === undefined) return false;
    const at = placeOf(rule.from, rule.to, rule.example);
    if (at === undefined) return false;
    const { from, to } = rule.example;
    const [olds, news] = [from, to].map((url) => this.#names(url).filter((part) => !this.#isMoved(part, rule)));
    if (hasName(olds!, at, at + rule.from.length) && hasName(news!, at, at + rule.to.length)) return true;
    const core = difference(rule.from, rule.to);
    const start = at + core.prefix.length;
    // ".php3" and ".php" are not names, and neither are "(" and "%28".
    if (from[start - 1] === "." || !isWords(core.from) || !isWords(core.to)) return false;
    return isWithinName(olds!, start, start + core.from.length) && isWithinName(news!, start, start + core.to.length);
  }

  /**
   * Does the rule cut a word from the names of a few things? "Inb_p" and "Inb" may be one page, and "-print" at the end of
   * most names is a view, but "_p" says nothing about the other names.
   */
  areCut(rule: Rule): boolean {
    if (rule.kind !== "substring" || rule.example === undefined) return false;
    const core = difference(rule.from, rule.to);
    const { from, to } = rule.example;
    const [cut, long, longer] = core.to === "" ? [core.from, from, rule.from] : [core.to, to, rule.to];
    if ((core.from !== "" && core.to !== "") || !isWords(cut)) return false;
    const at = placeOf(rule.from, rule.to, rule.example);
    if (at === undefined || longer === cut) return false;
    const start = at + core.prefix.length;
    const name = this.#names(long).find((part) => part.start <= start && part.end >= start + cut.length);
    return name !== undefined && name.value !== cut && rule.support < LEAST_SHARE * this.#urls.get(name.place)!;
  }

  /** Has the query parameter no value wherever it stands? Then nothing is known of what its values do. */
  isAlwaysEmpty(name: string): boolean {
    return !this.#values.has(`?${name}`);
  }

  /** Does the rule make most of what lies in the folder of this name one with something else? */
  #isMoved({ place, value }: UrlPart, { support }: Rule): boolean {
    const urls = this.#urls.get(`${place}${value}/`) ?? 0;
    return urls >= LEAST_IN_FOLDER && support >= SHARE_OF_FOLDER * urls;
  }

  #names(url: string): UrlPart[] {
    return partsOf(url).filter(({ place }) => (this.#values.get(place)?.size ?? 0) > MOST_CHOICES);
  }
}

const hasName = (names: readonly UrlPart[], start: number, end: number) =>
  names.some((part) => part.start >= start && part.end <= end);

const isWithinName = (names: readonly UrlPart[], start: number, end: number) =>
  names.some((part) => part.start <= start && part.end >= end);

/** Letters and digits, and what joins them in a name; not a separator alone. */
const isWords = (text: string) => /^[\p{L}\p{N}+_-]+$/u.test(text) && /[\p{L}\p{N}]/u.test(text);

/** Where the one text stands in the first URL, and the other in its place in the second. */
function placeOf(from: string, to: string, pair: UrlPair): number | undefined {
  for (let at = pair.from.indexOf(from); at >= 0; at = pair.from.indexOf(from, at + 1)) {
    if (pair.from.slice(0, at) + to + pair.from.slice(at + from.length) === pair.to) return at;
  }
  return undefined;
}

interface UrlPart {
  /** What has values: a parameter, or a folder. */
  readonly place: string;
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** The values of parameters, and the names in the path; not the empty ones. */
function partsOf(url: string): UrlPart[] {
  const parts = parseUrl(url);
  if (parts === undefined) return [];
  const found: UrlPart[] = [];
  const { pathStart, pathEnd } = parts;
  const path = url.slice(pathStart, pathEnd);
  for (let start = 1; start < path.length; ) {
    const next = path.indexOf("/", start);
    const end = next < 0 ? path.length : next;
    const value = path.slice(start, end);
    if (value !== "")
      found.push({ place: path.slice(0, start), value, start: pathStart + start, end: pathStart + end });
    start = end + 1;
  }
  for (const parameter of queryParameters(url, parts)) {
    const { valueStart: start, end } = parameter;
    if (start < end)
      found.push({ place: `?${parameterName(url, parameter)}`, value: url.slice(start, end), start, end });
  }
  return found;
}
