/**
 * Soft 404s: servers that answer 200 for pages that do not exist. To recognise them, a URL that cannot exist is asked for
 * in the neighbourhood of those that do; a page that looks like its answer counts as not found. The probe's URL depends
 * on the seed and the neighbourhood alone, so one probe serves all pages of a neighbourhood, and a resumed run finds it
 * in its cache.
 */
import { createHash } from "node:crypto";
import { queryParameters } from "../../url/parameters.js";
import { parseUrl } from "../../url/parse.js";
import { requestUrl } from "../../url/request-url.js";
import type { AnswerLikeness } from "./same-page.js";

export interface Probe {
  /** "sibling": another name of the same shape in the same folder. "value": the same script with numbers nobody has. */
  readonly kind: "sibling" | "value";
  /** The pattern of the probe's URL: "<word>" and "<number>" stand for what cannot exist. */
  readonly neighbourhood: string;
  /** Neighbourhoods that one handler most likely answers for: names alike in one folder, or below one. */
  readonly family: string;
  readonly url: string;
  /** What of the URL stands where the probe has what cannot exist. */
  readonly names: readonly string[];
}

/** A page or a probe's answer, with whatever the caller's similarity test compares. */
export interface ReadPage<Text> {
  readonly outcome: { readonly kind: string; readonly redirects: readonly unknown[]; readonly finalUrl: string };
  readonly text: Text;
}

const WORD = "<word>";
const NUMBER = "<number>";
const WORD_LENGTH = 12;

/**
 * Neighbours of this URL that cannot exist. "/f/about.html" has the neighbour "/f/<word>.html", "/f/story_12.html" has
 * "/f/story_<number>.html", since a server that rewrites such names says "no such story" only to such names;
 * "/f/story?mode=all&id=5&sid=ab12" also has "/f/story?mode=all&id=<number>".
 */
export function probesFor(text: string, seed: string): Probe[] {
  const url = requestUrl(text);
  if (url === undefined) return [];
  return placesOf(url).map((place) => ({ ...place, url: fillPattern(place.neighbourhood, seed, url.href) }));
}

/** The neighbourhoods of a URL, and its names there. */
export function neighbourhoodsOf(text: string): readonly Pick<Probe, "neighbourhood" | "names">[] {
  const url = requestUrl(text);
  return url === undefined ? [] : placesOf(url);
}

function placesOf(url: URL): Omit<Probe, "url">[] {
  const sibling = { kind: "sibling" as const, ...siblingPattern(url) };
  const value = valuePattern(url.href);
  return value === undefined ? [sibling] : [sibling, { kind: "value" as const, ...value }];
}

/**
 * Does this page look like the answer for a page that does not exist? Only a probe that was answered with 2xx can say
 * so. A "value" probe is weaker evidence: where a script shows one page whatever its numbers are (a numeric session id
 * of the front page, a page with a list of its own for each number), that page is not an error. So it counts only if
 * another page of its neighbourhood says hardly anything of it.
 */
export function isSoft404<Text>(
  page: ReadPage<Text>,
  probe: Pick<Probe, "kind"> & ReadPage<Text>,
  likeness: (page: Text, answer: Text) => AnswerLikeness,
  othersOfNeighbourhood: Iterable<Text> = [],
): boolean {
  if (page.outcome.kind !== "ok" || probe.outcome.kind !== "ok") return false;
  if (!redirectsAlike(page.outcome, probe.outcome) && likeness(page.text, probe.text) !== "same") return false;
  if (probe.kind === "sibling") return true;
  for (const other of othersOfNeighbourhood) {
    if (["little", "none"].includes(likeness(other, probe.text))) return true;
  }
  return false;
}

/** Both were sent away to the same place: the front page, a login, an error page. */
function redirectsAlike(page: ReadPage<unknown>["outcome"], probe: ReadPage<unknown>["outcome"]): boolean {
  return page.redirects.length > 0 && probe.redirects.length > 0 && page.finalUrl === probe.finalUrl;
}

type Place = Pick<Probe, "neighbourhood" | "family" | "names">;

function siblingPattern(url: URL): Place {
  const [, folder = "/", name = "", slash = ""] = /^(.*\/)([^/]+)(\/?)$/.exec(url.pathname) ?? [];
  const [, stem = "", extension = ""] = /^(.*?)((?:\.[a-z][a-z0-9]{0,4})?)$/i.exec(name) ?? [];
  // The digits of "%C3" are not numbers.
  const numbers: string[] = [];
  const numbered = stem.replace(/%[0-9A-F]{2}|\d+/gi, (run) => {
    if (run.startsWith("%")) return run;
    numbers.push(run);
    return NUMBER;
  });
  const isNumbered = numbers.length > 0;
  const place = isNumbered ? folder : (/^\/[^/]*/.exec(folder)?.[0] ?? "/");
  return {
    neighbourhood: `${url.origin}${folder}${isNumbered ? numbered : WORD}${extension}${slash}`,
    family: `${url.origin}${place} ${isNumbered ? NUMBER : WORD}${extension}${slash}`,
    names: isNumbered ? numbers : [stem],
  };
}

/**
 * Numbers are replaced, words kept ("mode=all" chooses the page), and all else dropped: a session id would make every
 * URL a neighbourhood of its own. Undefined where there is no number.
 */
function valuePattern(href: string): Place | undefined {
  const parts = parseUrl(href);
  if (parts === undefined) return undefined;
  const kept: string[] = [];
  const parameters: string[] = [];
  const names: string[] = [];
  for (const { start, nameEnd, valueStart, end } of queryParameters(href, parts)) {
    const value = href.slice(valueStart, end);
    parameters.push(href.slice(start, nameEnd));
    if (/^\d+$/.test(value)) {
      kept.push(`${href.slice(start, nameEnd)}=${NUMBER}`);
      names.push(value);
    } else if (/^[a-z_-]*$/i.test(value)) kept.push(href.slice(start, end));
  }
  const query = kept.join("&");
  if (!query.includes(NUMBER)) return undefined;
  const path = href.slice(0, parts.pathEnd);
  return { neighbourhood: `${path}?${query}`, family: `${path}?${parameters.sort().join("&")}`, names };
}

/** Never `besides`: a log may hold what a probe asked for, and no page can be compared with itself. */
function fillPattern(pattern: string, seed: string, besides: string): string {
  // 32 bytes of a digest are enough for the few letters of a word; each number takes four more of its own.
  const digest = (salt: number) => createHash("sha256").update(`${seed}\0${salt}\0${pattern}`).digest();
  const consonants = "bcdfghjklmnpqrstvwxz";
  let salt = 0;
  const filled = pattern.replace(/<word>|<number>/g, (slot) => {
    const bytes = digest(salt++);
    if (slot === WORD) return Array.from(bytes.subarray(0, WORD_LENGTH), (byte) => consonants[byte % 20]).join("");
    // Nine digits: beyond what counters reach, within what a 32-bit integer holds (else servers clamp or fail).
    return String(900_000_000 + (bytes.readUInt32BE(0) % 100_000_000));
  });
  return filled === besides ? fillPattern(pattern, `${seed} again`, besides) : filled;
}
