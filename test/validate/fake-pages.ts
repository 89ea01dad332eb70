import type { Sameness } from "#src/validate/looks/same-page.js";
import type { Declared, PageComparison, Pages, PageView } from "#src/validate/pages.js";

/** What a look at a URL shows: a text, or why there is none. `look` is 0 for the first look, 1 for the second. */
export type Site = (url: string, look: number) => PageView<string> | string | undefined;

/** A site in memory. A text is the page, undefined a 404. Counts its looks, and gives up after `budget` new ones. */
export class FakePages implements Pages<string> {
  readonly looks: string[] = [];

  constructor(
    private readonly site: Site,
    /** What an earlier run has seen: costs nothing. */
    readonly seen = new Map<string, PageView<string>>(),
    private readonly budget = Number.POSITIVE_INFINITY,
  ) {}

  get requestsLeft(): number {
    return this.budget - this.looks.length;
  }

  leftAlone(url: string): string | undefined {
    return url.startsWith("http://elsewhere.") ? "another host" : undefined;
  }

  async view(url: string, look: number): Promise<PageView<string>> {
    const key = `${look} ${url}`;
    const known = this.seen.get(key);
    if (known !== undefined) return known;
    if (this.looks.length >= this.budget) return { seen: "stopped" };
    this.looks.push(key);
    const found = this.site(url, look);
    const view: PageView<string> =
      found === undefined
        ? { seen: "missing", why: "404" }
        : typeof found === "string"
          ? { seen: "page", page: found }
          : found;
    this.seen.set(key, view);
    return view;
  }

  /** "old ..." cannot be compared with what is not; "nearly ..." differs in little. */
  compare(a: readonly string[], b: readonly string[]): PageComparison {
    const decided = (sameness: Sameness, certain = false) => ({ sameness, certain, lookAgain: false });
    const [u, v] = [a.at(-1)!, b.at(-1)!];
    if (u.startsWith("old ") !== v.startsWith("old "))
      return { ...decided("not comparable"), why: "seen at different times" };
    if (u === v) return decided("same");
    if (a.length < 2) return { sameness: "different", certain: false, lookAgain: true };
    if (a[0] !== a[1] || b[0] !== b[1]) return { ...decided("not comparable"), why: "the page is unlike itself" };
    return decided("different", !(u.startsWith("nearly ") && v.startsWith("nearly ")));
  }

  /** An error page may have an advertisement after its words. */
  likenessToError(page: string, errorPage: string): "same" | "partly" | "other" {
    return page === errorPage ? "same" : page.startsWith(errorPage) ? "partly" : "other";
  }

  declared(_a: string, _b: string): Declared {
    return undefined;
  }
}
