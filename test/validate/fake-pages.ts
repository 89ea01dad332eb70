import type { Declared, Pages, PageView } from "#src/validate/pages.js";

/** What a look at a URL shows: a text, or why there is none. `look` is 0 for the first look, 1 for the second. */
export type Site = (url: string, look: 0 | 1) => PageView<string> | string | undefined;

/** A site in memory. A text is the page, undefined a 404. Counts its looks, and gives up after `budget` new ones. */
export class FakePages implements Pages<string> {
  readonly looks: string[] = [];
  readonly learned: [string, string][] = [];

  constructor(
    private readonly site: Site,
    /** What an earlier run has seen: costs nothing. */
    readonly seen = new Map<string, PageView<string>>(),
    private readonly budget = Number.POSITIVE_INFINITY,
  ) {}

  leftAlone(url: string): string | undefined {
    return url.startsWith("http://elsewhere.") ? "another host" : undefined;
  }

  async view(url: string, again: boolean): Promise<PageView<string>> {
    const key = `${again ? 1 : 0} ${url}`;
    const known = this.seen.get(key);
    if (known !== undefined) return known;
    if (this.looks.length >= this.budget) return { seen: "stopped" };
    this.looks.push(key);
    const found = this.site(url, again ? 1 : 0);
    const view: PageView<string> =
      found === undefined
        ? { seen: "missing", why: "404" }
        : typeof found === "string"
          ? { seen: "page", page: found }
          : found;
    this.seen.set(key, view);
    return view;
  }

  seenBackToBack(): boolean {
    return true;
  }

  seenTogether(a: string, b: string): boolean {
    return a.startsWith("old ") === b.startsWith("old ");
  }

  similar(a: string, b: string): boolean {
    return a === b;
  }

  learn(a: string, b: string): void {
    this.learned.push([a, b]);
  }

  clearlyDifferent(a: string, b: string): boolean {
    return !(a.startsWith("nearly ") && b.startsWith("nearly "));
  }

  declared(): Declared {
    return undefined;
  }
}
