import { isErrorText, wallOfText } from "../fetch/walls.js";
import type { Declared, Pages, PageView } from "../rules/validate.js";
import type { DocumentSketches } from "../sketch/document-sketches.js";
import { similarityTest } from "../sketch/similarity.js";
import { resemblance } from "../sketch/sketch.js";
import type { KnownPage } from "../store/known-pages.js";

/** The pages already in the workspace (an archive, a crawl), for validation without a network. */
export class KnownPages implements Pages<KnownPage> {
  readonly looksAreFree = true;
  readonly #test;

  constructor(
    private readonly pages: ReadonlyMap<string, KnownPage>,
    similarity: string,
  ) {
    this.#test = similarityTest(similarity);
  }

  async view(url: string): Promise<PageView<KnownPage>> {
    const page = this.pages.get(url);
    if (page === undefined) return { seen: "unavailable", why: "not in the workspace" };
    if (page.status >= 400 && page.status < 500) return { seen: "missing", why: String(page.status) };
    if (page.status >= 500) return { seen: "unavailable", why: String(page.status) };
    const target = page.redirect === undefined ? page : this.pages.get(page.redirect);
    if (target === undefined || !hasContent(target))
      return { seen: "unavailable", why: "its text is not in the workspace" };
    const wall = wallOfText(target.text ?? "");
    if (wall !== undefined) return { seen: "unavailable", why: `${wall.kind}: ${wall.why}` };
    if (isErrorText(target.text ?? "")) return { seen: "missing", why: "soft 404" };
    return { seen: "page", page: { ...target, url: page.url, finalUrl: target.url } };
  }

  similar(a: KnownPage, b: KnownPage): boolean {
    return this.#test(a, b) === true;
  }

  /** There is one look at each page: nothing can be learned from a second. */
  learn(): void {}

  clearlyDifferent(a: KnownPage, b: KnownPage): boolean {
    return a.sketch === undefined || b.sketch === undefined || resemblance(a.sketch, b.sketch) < nearlyEqual;
  }

  declared(a: KnownPage, b: KnownPage): Declared {
    const finalA = a.finalUrl ?? a.url;
    const finalB = b.finalUrl ?? b.url;
    if (finalB === a.url && finalB !== b.url) return "back";
    if (finalA === finalB) return "redirect";
    if ((a.canonical ?? finalA) === (b.canonical ?? finalB)) return "canonical";
    return a.canonical !== undefined && b.canonical !== undefined ? "conflict" : undefined;
  }
}

/** Pages fetched at different times may differ in an advertisement. */
const nearlyEqual = 0.9;

function hasContent(page: DocumentSketches): boolean {
  return page.shingles !== undefined || page.sketch !== undefined || page.digest !== undefined;
}
