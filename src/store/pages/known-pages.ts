/** Pages of the workspace for a validation that asks nobody. */
import {
  areComparable,
  type CaptureTimes,
  CHANGED_MATCHES,
  nearestCaptures,
  SAME_MONTH_MS,
} from "../../sketch/captures.js";
import type { DocumentSketches } from "../../sketch/document-sketches.js";
import { DEFAULT_SIMILARITY, similarityTest } from "../../sketch/similarity.js";
import { resemblance } from "../../sketch/sketch.js";
import { serverIn } from "../../url/parse.js";
import { CommonText } from "../../validate/looks/common-text.js";
import { type Looked, type Sameness, samePage, TEXT_SIMILARITY } from "../../validate/looks/same-page.js";
import { isErrorText, wallOfText } from "../../validate/looks/walls.js";
import type { Declared, KnownOnlyPages, PageComparison, Pages, PageView, Partner } from "../../validate/pages.js";
import type { KnownPage } from "./known-page-rows.js";

/** A download that shows a page, under the URL that was asked for. */
interface Download extends KnownPage {
  readonly finalUrl: string;
}

/** All downloads of a URL that show a page, the earliest first, and their times as sketch/captures.ts wants them. */
export interface Downloads {
  readonly captures: readonly Download[];
  readonly timeMs: Float64Array;
}

/** The pages already in the workspace (an archive, a crawl), for validation without a network. */
export class KnownPages implements Pages<Downloads>, KnownOnlyPages {
  readonly known = this;
  readonly #test;
  /** Texts have the last word; not with the papers' tests. */
  readonly #byText: boolean;
  /** By host. */
  readonly #common = new Map<string, CommonText>();
  readonly #views = new Map<string, PageView<Downloads>>();
  /** What texts said of two pages: rules and the certificate ask for the same pairs. */
  readonly #compared = new WeakMap<Download, WeakMap<Download, Sameness>>();
  #turnMs = 0;
  /** URLs that others redirect to. */
  readonly #targets = new Set<string>();
  readonly #pages: ReadonlyMap<string, readonly KnownPage[]>;

  constructor(pages: ReadonlyMap<string, readonly KnownPage[]>, similarity: string) {
    this.#pages = pages;
    for (const downloads of pages.values()) {
      for (const { redirect } of downloads) if (redirect !== undefined) this.#targets.add(redirect);
    }
    this.#byText = similarity === TEXT_SIMILARITY;
    this.#test = similarityTest(this.#byText ? DEFAULT_SIMILARITY : similarity);
  }

  leftAlone(url: string): string | undefined {
    return this.#downloadsOf(url) === undefined ? "not in the workspace" : undefined;
  }

  /** Nothing here waits, so no signal would be heard in between: now and then the event loop gets its turn. */
  async view(url: string): Promise<PageView<Downloads>> {
    if (performance.now() - this.#turnMs > TURN_MS) {
      await new Promise(setImmediate);
      this.#turnMs = performance.now();
    }
    return this.#view(url);
  }

  leads(from: string, to: string): boolean {
    return this.#pages.get(from)?.at(-1)?.redirect === to;
  }

  alike(a: string, b: string): boolean | undefined {
    const [first, second] = [this.#view(a), this.#view(b)];
    if (first.seen === "page" && second.seen === "page") {
      const { sameness } = this.compare([first.page], [second.page]);
      return sameness === "not comparable" ? undefined : sameness === "same";
    }
    const isBroken = [first, second].some(({ seen }) => seen === "missing");
    return isBroken && [first, second].some(({ seen }) => seen === "page") ? false : undefined;
  }

  urls(): Iterable<string> {
    return this.#pages.keys();
  }

  partnerOf(url: string, target: string, others: readonly string[]): Partner {
    const own = this.#view(url);
    const last = own.seen === "page" ? own.page.captures.at(-1) : undefined;
    // One that leads elsewhere, to what nobody has seen, cannot be tried.
    const canTell = last !== undefined && (hasContent(last) || last.finalUrl === target);
    const document = canTell ? nameOf(last) : undefined;
    const targetIsPage = this.#view(target).seen === "page";
    const isKnown = targetIsPage || this.#view(target).seen === "missing";
    let best = target;
    let leastMs = isKnown ? this.#gap(own, target) : Number.POSITIVE_INFINITY;
    if (leastMs <= SAME_MONTH_MS) return { url: target, document, targetIsPage };
    for (const other of others) {
      if (this.#view(other).seen !== "page") continue;
      const gapMs = this.#gap(own, other);
      if (gapMs < leastMs) {
        best = other;
        leastMs = gapMs;
      }
    }
    return { url: best, document, targetIsPage };
  }

  /** Between the captures that would be compared; none where one of the two shows no page. */
  #gap(own: PageView<Downloads>, other: string): number {
    const view = this.#view(other);
    return own.seen === "page" && view.seen === "page" ? gapOf(...nearest(own.page, view.page)) : 0;
  }

  #view(url: string): PageView<Downloads> {
    const known = this.#views.get(url) ?? this.#readAll(url);
    this.#views.set(url, known);
    return known;
  }

  /** Where a redirect leads is a page, also where nobody was there: what robots.txt forbids, or what a crawl had no time for. */
  #downloadsOf(url: string): readonly KnownPage[] | undefined {
    return this.#pages.get(url) ?? (this.#targets.has(url) ? [{ url, status: NEVER_ASKED }] : undefined);
  }

  #readAll(url: string): PageView<Downloads> {
    const downloads = this.#downloadsOf(url);
    if (downloads === undefined) return { seen: "unavailable", why: "not in the workspace" };
    const views = downloads.map((page) => this.#read(page));
    // By time once more: what a redirect shows was not downloaded when the redirect was.
    const captures = views.flatMap((view) => (view.seen === "page" ? [view.page] : [])).sort(byTime);
    if (captures.length > 0) {
      return {
        seen: "page",
        page: { captures, timeMs: Float64Array.from(captures, ({ timeMs = Number.NaN }) => timeMs) },
      };
    }
    // What the latest download shows, since none shows a page.
    return views.at(-1) as Exclude<PageView<never>, { seen: "page" }>;
  }

  #read(page: KnownPage): PageView<Download> {
    if (page.status >= 400 && page.status < 500) return { seen: "missing", why: String(page.status) };
    if (page.status >= 500) return { seen: "unavailable", why: String(page.status) };
    const target = this.#endOf(page);
    if (target !== undefined && target.status >= 400) return { seen: "missing", why: `leads to ${target.status}` };
    // Where the text is not known, a redirect still says that the two are one page.
    const isNamed = target !== undefined && target.status < 300 && (page !== target || this.#targets.has(page.url));
    if (target === undefined || !(hasContent(target) || isNamed))
      return { seen: "unavailable", why: "its text is not in the workspace" };
    const wall = wallOfText(target.text ?? "");
    if (wall !== undefined) return { seen: "unavailable", why: `${wall.kind}: ${wall.why}` };
    if (isErrorText(target.text ?? "")) return { seen: "missing", why: "soft 404" };
    return { seen: "page", page: { ...target, url: page.url, finalUrl: target.url } };
  }

  /** Where redirects lead from here; undefined where they do not end. */
  #endOf(page: KnownPage): KnownPage | undefined {
    let end: KnownPage | undefined = page;
    for (let hops = 0; hops < MOST_HOPS && end?.redirect !== undefined; hops++)
      end = this.#nearestTo(end, end.redirect);
    return end?.redirect === undefined ? end : undefined;
  }

  /** The download of `url` nearest in time to this one. */
  #nearestTo({ timeMs = Number.NaN }: KnownPage, url: string): KnownPage | undefined {
    const downloads = this.#downloadsOf(url);
    if (downloads === undefined) return undefined;
    const times = Float64Array.from(downloads, (page) => page.timeMs ?? Number.NaN);
    const [, nearest] = nearestCaptures(allOf(Float64Array.of(timeMs)), allOf(times));
    return downloads[nearest];
  }

  /** Each page is looked at once; of an archive's captures, the two nearest in time are compared. */
  compare([a]: readonly Downloads[], [b]: readonly Downloads[]): PageComparison {
    const pair = nearest(a!, b!);
    const [first, second] = pair;
    const decided = (sameness: Sameness, certain = false) => ({ sameness, certain, lookAgain: false });
    const isWhereBothLead = first.finalUrl === second.finalUrl;
    // Two that lead to an unknown third may lead to a wall.
    const isOneOfThem = first.url === first.finalUrl || second.url === second.finalUrl;
    if (isWhereBothLead && (isOneOfThem || hasContent(first))) return decided("same");
    if (!hasContent(first) || !hasContent(second)) {
      return { ...decided("not comparable"), why: "its text is not in the workspace" };
    }
    const apart = { ...decided("not comparable"), why: "seen at different times" };
    if (gapOf(...pair) > SAME_MONTH_MS) return apart;
    if (this.#test(...pair) === true) {
      const sameness = this.#samenessOfTexts(a!, b!, pair);
      const isUntold = sameness === "not comparable";
      return { ...decided(sameness), ...(isUntold && { why: "they differ in a few words", isUnequal: true }) };
    }
    if (mayHaveChanged(...pair)) return { ...apart, isUnequal: true };
    return decided("different", gapOf(...pair) <= BACK_TO_BACK_MS && areClearlyDifferent(...pair));
  }

  /**
   * Four shingles that are equal say little where pages are mostly menu. What differs only in lines with numbers may be a
   * counter or a date: one capture does not tell.
   */
  #samenessOfTexts(a: Downloads, b: Downloads, [first, second]: readonly [Download, Download]): Sameness {
    if (!this.#byText || first.text === undefined || second.text === undefined || first.text === second.text)
      return "same";
    const compared = this.#compared.get(first) ?? new WeakMap<Download, Sameness>();
    this.#compared.set(first, compared);
    const sameness = compared.get(second) ?? this.#compareTexts(a, b, [first, second]);
    compared.set(second, sameness);
    return sameness;
  }

  #compareTexts(a: Downloads, b: Downloads, [first, second]: readonly [Download, Download]): Sameness {
    const { sameness } = samePage(looked(a, first), looked(b, second), this.#commonOf(serverIn(first.url)));
    const isInNumbers = first.wordLines !== undefined && first.wordLines === second.wordLines;
    return isInNumbers && sameness === "different" ? "not comparable" : sameness;
  }

  /** What most documents of a host have, by those of which the text is at hand. */
  #commonOf(host: string): CommonText {
    const known = this.#common.get(host);
    if (known !== undefined) return known;
    const common = new CommonText();
    this.#common.set(host, common);
    const documents = new Set<string>();
    for (const url of this.#pages.keys()) {
      if (documents.size === SAMPLED_DOCUMENTS) break;
      const view = serverIn(url) === host ? this.#view(url) : undefined;
      const last = view?.seen === "page" ? view.page.captures.at(-1)! : undefined;
      if (last?.text === undefined || documents.has(nameOf(last))) continue;
      documents.add(nameOf(last));
      common.add(last.text);
    }
    return common;
  }

  declared(a: Downloads, b: Downloads): Declared {
    const [first, second] = nearest(a, b);
    if (second.finalUrl === first.url && second.finalUrl !== second.url) return "back";
    if (first.finalUrl === second.finalUrl) return "redirect";
    if ((first.canonical ?? first.finalUrl) === (second.canonical ?? second.finalUrl)) return "canonical";
    return first.canonical !== undefined && second.canonical !== undefined ? "conflict" : undefined;
  }
}

/**
 * A page may have changed between its capture under one URL and that under another: what differs only in lines with
 * numbers (counters, dates), or only in part after more than a week, says nothing.
 */
function mayHaveChanged(first: Download, second: Download): boolean {
  const gapMs = gapOf(first, second);
  if (gapMs === 0) return false;
  if (first.wordLines !== undefined && first.wordLines === second.wordLines) return true;
  return !areComparable(0, gapMs) && equalShingles(first, second) >= CHANGED_MATCHES;
}

const SAMPLED_DOCUMENTS = 32;
const MOST_HOPS = 10;
/** In place of the status of a URL that is known only as where a redirect leads. */
const NEVER_ASKED = 0;

/** A page as it was then, and as it was within a month of that: what changes on it is not its own. */
function looked({ captures }: Downloads, capture: Download): Looked {
  const others = captures.filter((other) => other !== capture && gapOf(other, capture) <= SAME_MONTH_MS);
  const texts = [capture, ...others].flatMap(({ text }) => text ?? []);
  return { url: capture.url, finalUrl: capture.finalUrl, texts };
}

function nearest(a: Downloads, b: Downloads): readonly [Download, Download] {
  const [first, second] = nearestCaptures(allOf(a.timeMs), allOf(b.timeMs));
  return [a.captures[first]!, b.captures[second]!];
}

/** 0 where a time is unknown. */
function gapOf(a: Download, b: Download): number {
  return a.timeMs === undefined || b.timeMs === undefined ? 0 : Math.abs(a.timeMs - b.timeMs);
}

/** Unknown times first. */
function byTime({ timeMs: a = -1 }: Download, { timeMs: b = -1 }: Download): number {
  return a - b;
}

function allOf(timeMs: Float64Array): CaptureTimes {
  return { timeMs, from: 0, to: timeMs.length };
}

/** How long a computation keeps the event loop waiting. */
const TURN_MS = 50;
const BACK_TO_BACK_MS = 3_600_000;
/** Pages fetched at different times may differ in an advertisement. */
const NEARLY_EQUAL = 0.9;

function areClearlyDifferent(a: Download, b: Download): boolean {
  return a.sketch === undefined || b.sketch === undefined || resemblance(a.sketch, b.sketch) < NEARLY_EQUAL;
}

function equalShingles({ shingles: a }: Download, { shingles: b }: Download): number {
  return a === undefined || b === undefined ? 0 : a.reduce((count, value, i) => count + Number(value === b[i]), 0);
}

function nameOf({ url, shingles, digest }: Download): string {
  return shingles?.join(" ") ?? digest ?? url;
}

function hasContent(page: DocumentSketches): boolean {
  return page.shingles !== undefined || page.sketch !== undefined || page.digest !== undefined;
}
