import { isErrorText, wallOfText } from "../fetch/walls.js";
import type { Declared, Pages, PageView } from "../rules/validate-pages.js";
import { areComparable, type CaptureTimes, nearestCaptures } from "../sketch/captures.js";
import type { DocumentSketches } from "../sketch/document-sketches.js";
import { similarityTest } from "../sketch/similarity.js";
import { resemblance } from "../sketch/sketch.js";
import type { KnownPage } from "../store/known-pages.js";

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
export class KnownPages implements Pages<Downloads> {
  readonly looksAreFree = true;
  readonly #test;

  constructor(
    private readonly pages: ReadonlyMap<string, readonly KnownPage[]>,
    similarity: string,
  ) {
    this.#test = similarityTest(similarity);
  }

  async view(url: string): Promise<PageView<Downloads>> {
    const downloads = this.pages.get(url);
    if (downloads === undefined) return { seen: "unavailable", why: "not in the workspace" };
    const views = downloads.map((page) => this.#read(page));
    const captures = views.flatMap((view) => (view.seen === "page" ? [view.page] : []));
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
    const target = page.redirect === undefined ? page : this.#nearestTo(page, page.redirect);
    if (target === undefined || !hasContent(target))
      return { seen: "unavailable", why: "its text is not in the workspace" };
    const wall = wallOfText(target.text ?? "");
    if (wall !== undefined) return { seen: "unavailable", why: `${wall.kind}: ${wall.why}` };
    if (isErrorText(target.text ?? "")) return { seen: "missing", why: "soft 404" };
    return { seen: "page", page: { ...target, url: page.url, finalUrl: target.url } };
  }

  /** The download of `url` nearest in time to this one. */
  #nearestTo({ timeMs = Number.NaN }: KnownPage, url: string): KnownPage | undefined {
    const downloads = this.pages.get(url);
    if (downloads === undefined) return undefined;
    const times = Float64Array.from(downloads, (page) => page.timeMs ?? Number.NaN);
    const [, nearest] = nearestCaptures(allOf(Float64Array.of(timeMs)), allOf(times));
    return downloads[nearest];
  }

  seenTogether(a: Downloads, b: Downloads): boolean {
    const [first, second] = nearest(a, b);
    return areComparable(first.timeMs ?? Number.NaN, second.timeMs ?? Number.NaN);
  }

  similar(a: Downloads, b: Downloads): boolean {
    return this.#test(...nearest(a, b)) === true;
  }

  /** There is one look at each page: nothing can be learned from a second. */
  learn(): void {}

  clearlyDifferent(a: Downloads, b: Downloads): boolean {
    const [first, second] = nearest(a, b);
    if (first.sketch === undefined || second.sketch === undefined) return true;
    return resemblance(first.sketch, second.sketch) < nearlyEqual;
  }

  declared(a: Downloads, b: Downloads): Declared {
    const [first, second] = nearest(a, b);
    if (second.finalUrl === first.url && second.finalUrl !== second.url) return "back";
    if (first.finalUrl === second.finalUrl) return "redirect";
    if ((first.canonical ?? first.finalUrl) === (second.canonical ?? second.finalUrl)) return "canonical";
    return first.canonical !== undefined && second.canonical !== undefined ? "conflict" : undefined;
  }
}

function nearest(a: Downloads, b: Downloads): readonly [Download, Download] {
  const [first, second] = nearestCaptures(allOf(a.timeMs), allOf(b.timeMs));
  return [a.captures[first]!, b.captures[second]!];
}

function allOf(timeMs: Float64Array): CaptureTimes {
  return { timeMs, from: 0, to: timeMs.length };
}

/** Pages fetched at different times may differ in an advertisement. */
const nearlyEqual = 0.9;

function hasContent(page: DocumentSketches): boolean {
  return page.shingles !== undefined || page.sketch !== undefined || page.digest !== undefined;
}
