import { isErrorText, wallOfText } from "../fetch/walls.js";
import type { Declared, Pages, PageView } from "../rules/validate-pages.js";
import type { DocumentSketches } from "../sketch/document-sketches.js";
import { similarityTest } from "../sketch/similarity.js";
import { resemblance } from "../sketch/sketch.js";
import type { KnownPage } from "../store/known-pages.js";

/** A download that shows a page, under the URL that was asked for. */
interface Download extends KnownPage {
  readonly finalUrl: string;
}

/** All downloads of a URL that show a page, the latest first. Two URLs are compared by those nearest in time. */
export type Downloads = readonly [Download, ...Download[]];

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
    const [first, ...others] = views.flatMap((view) => (view.seen === "page" ? [view.page] : []));
    if (first !== undefined) return { seen: "page", page: [first, ...others] };
    // What the latest download shows, since none shows a page.
    return views[0] as Exclude<PageView<never>, { seen: "page" }>;
  }

  #read(page: KnownPage): PageView<Download> {
    if (page.status >= 400 && page.status < 500) return { seen: "missing", why: String(page.status) };
    if (page.status >= 500) return { seen: "unavailable", why: String(page.status) };
    const target = page.redirect === undefined ? page : this.pages.get(page.redirect)?.[0];
    if (target === undefined || !hasContent(target))
      return { seen: "unavailable", why: "its text is not in the workspace" };
    const wall = wallOfText(target.text ?? "");
    if (wall !== undefined) return { seen: "unavailable", why: `${wall.kind}: ${wall.why}` };
    if (isErrorText(target.text ?? "")) return { seen: "missing", why: "soft 404" };
    return { seen: "page", page: { ...target, url: page.url, finalUrl: target.url } };
  }

  /** An archive holds pages of many years: what differs between two of them may be the years. */
  seenTogether(a: Downloads, b: Downloads): boolean {
    return nearest(a, b).gapMs <= sameTimeMs;
  }

  similar(a: Downloads, b: Downloads): boolean {
    const { first, second } = nearest(a, b);
    return this.#test(first, second) === true;
  }

  /** There is one look at each page: nothing can be learned from a second. */
  learn(): void {}

  clearlyDifferent(a: Downloads, b: Downloads): boolean {
    const { first, second } = nearest(a, b);
    if (first.sketch === undefined || second.sketch === undefined) return true;
    return resemblance(first.sketch, second.sketch) < nearlyEqual;
  }

  declared(a: Downloads, b: Downloads): Declared {
    const { first, second } = nearest(a, b);
    if (second.finalUrl === first.url && second.finalUrl !== second.url) return "back";
    if (first.finalUrl === second.finalUrl) return "redirect";
    if ((first.canonical ?? first.finalUrl) === (second.canonical ?? second.finalUrl)) return "canonical";
    return first.canonical !== undefined && second.canonical !== undefined ? "conflict" : undefined;
  }
}

const sameTimeMs = 86_400_000;

/** Two downloads with the least time between them; those without a time are near to all. */
function nearest(a: Downloads, b: Downloads): { first: Download; second: Download; gapMs: number } {
  let best = { first: a[0], second: b[0], gapMs: Number.POSITIVE_INFINITY };
  for (const first of a) {
    for (const second of b) {
      const { timeMs: at } = first;
      const { timeMs: other } = second;
      const gapMs = at === undefined || other === undefined ? 0 : Math.abs(at - other);
      if (gapMs < best.gapMs) best = { first, second, gapMs };
    }
  }
  return best;
}

/** Pages fetched at different times may differ in an advertisement. */
const nearlyEqual = 0.9;

function hasContent(page: DocumentSketches): boolean {
  return page.shingles !== undefined || page.sketch !== undefined || page.digest !== undefined;
}
