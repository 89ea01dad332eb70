import type { RuleStatus } from "../model.js";
import { parseUrl, pathOf } from "../url/parse.js";
import type { KnownOnlyPages } from "./pages.js";
import { sortOf } from "./url-sorts.js";
import { type Counts, knownVerdict, LEAST_USABLE } from "./verdict.js";

/** A URL is compared with at most this many that the rule maps onto the same one. */
const MOST_OTHERS = 300;
/** Of the pages that a rule changes, the share that must be of a sort that it was tried on. */
const TRIED_SHARE = 2 / 3;

/**
 * How a rule is judged where only the pages at hand can be looked at. Looks cost nothing, so all of them are taken. The
 * page that a rule leads to is often not at hand; then two URLs that lead there are compared, which canonization would
 * make one. A rule is valid only if
 * - some of its targets are known as pages: a name that no page has must not become canonical;
 * - it was seen to hold for several documents: all posts of one thread show the thread, whatever their numbers;
 * - most of what it changes is of a sort (see url-sorts.ts) that it was tried on, and where it makes another path, of a sort of
 *   which it leads to some page that is at hand: two URLs that show one page say nothing of a name that no page has.
 */
export class KnownOnly {
  /**
   * Per target the URLs to compare with: those outside the list, and those of it that were drawn before, so that no pair
   * counts twice.
   */
  readonly #others = new Map<string, string[]>();
  /** Pages that were drawn, by sort; the sorts of which one was tried, and those that keep their path or lead to a known page. */
  readonly #drawn = new Map<string, number>();
  readonly #triedSorts = new Set<string>();
  readonly #leadingSorts = new Set<string>();
  readonly #documents = new Set<string>();
  #document: string | undefined;
  /** The URL that the last draw was compared with. */
  lastPartner = "";
  #sources = 0;
  #targets = 0;
  readonly #pages: KnownOnlyPages;

  constructor(pages: KnownOnlyPages, list: ReadonlySet<string>, change: (url: string) => string | undefined) {
    this.#pages = pages;
    for (const url of pages.urls()) {
      const target = list.has(url) ? undefined : change(url);
      if (target !== undefined) this.#add(url, target);
    }
  }

  #add(url: string, target: string): void {
    const others = this.#others.get(target);
    if (others === undefined) this.#others.set(target, [url]);
    else if (others.length < MOST_OTHERS) others.push(url);
  }

  /** The URL to compare the next draw with. */
  partnerOf(url: string, target: string): string {
    const partner = this.#pages.partnerOf(url, target, this.#others.get(target) ?? []);
    this.#add(url, target);
    this.#document = partner.document;
    if (partner.targetIsPage) this.#targets++;
    if (partner.targetIsPage || pathIn(url) === pathIn(target)) this.#leadingSorts.add(sortOf(url));
    if (partner.document !== undefined) {
      const sort = sortOf(url);
      this.#drawn.set(sort, (this.#drawn.get(sort) ?? 0) + 1);
      this.#sources++;
    }
    this.lastPartner = partner.url;
    return partner.url;
  }

  /** This draw showed something. */
  count(url: string, isPositive: boolean): void {
    this.#triedSorts.add(sortOf(url));
    if (isPositive && this.#document !== undefined) this.#documents.add(this.#document);
  }

  verdict(counts: Counts, epsilon: number): RuleStatus {
    const status = knownVerdict(counts, this.#sources - counts.positive - counts.negative, epsilon);
    if (status !== "valid") return status;
    let tried = 0;
    for (const sort of this.#triedSorts) if (this.#leadingSorts.has(sort)) tried += this.#drawn.get(sort) ?? 0;
    const isProven =
      this.#targets >= LEAST_USABLE && this.#documents.size >= LEAST_USABLE && tried >= TRIED_SHARE * this.#sources;
    return isProven ? "valid" : "undecided";
  }
}

function pathIn(url: string): string | undefined {
  const parts = parseUrl(url);
  return parts && pathOf(url, parts);
}
