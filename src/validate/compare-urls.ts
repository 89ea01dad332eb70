import { hostIn } from "../url/parse.js";
import type { Declared, Pages, PageView } from "./pages.js";

/** What came of comparing what two URLs show. */
export interface TrialResult {
  readonly outcome: "positive" | "negative" | "skipped";
  readonly why: string;
  /** Both pages are stable: a negative refutes by itself. */
  readonly certain: boolean;
  /** Skipped without a look. */
  readonly leftAlone?: boolean;
  /** Skipped, since the first URL shows nothing any more. */
  readonly gone?: boolean;
  /** Skipped, although both pages were seen: nothing can be said of what the rule does here. */
  readonly untold?: boolean;
  /** Skipped for being unequal, as it may be by chance. */
  readonly isUnequal?: boolean;
  readonly declared?: Declared;
}

/** Looks at a page that says some of what an error page says. */
const LOOKS_AT_ERRORS = 8;
const LED_HOME = "it leads to the front page";
const TOO_LITTLE = "too little text of its own to compare";

/** Looks at pages of a site, two URLs at a time, and remembers which of them are not the same page. */
export class UrlComparison<P> {
  /** By URL, what no rule may turn it into: another page, or none. */
  readonly #counterExamples = new Map<string, Set<string>>();
  readonly #pages: Pages<P>;
  /** Figure 3 as printed: one look at each, and whatever is not alike counts against the rule. */
  readonly #isPaper: boolean;
  readonly #signal: AbortSignal;
  /** Those of the list: nobody knows of any other that it has the site's pages. */
  readonly #hosts: ReadonlySet<string>;

  constructor(pages: Pages<P>, plan: "sequential" | "paper", signal: AbortSignal, urls: readonly string[]) {
    this.#pages = pages;
    this.#isPaper = plan === "paper";
    this.#signal = signal;
    this.#hosts = new Set(urls.map(hostIn));
  }

  /**
   * A pair that refuted another rule, or this one the other way round, refutes this one too, and its pages are at hand. It
   * need not be in the list: if the site has the page, someone will come across it.
   */
  counterExamplesOf(change: (url: string) => string | undefined): string[] {
    for (const [refuting, targets] of this.#counterExamples) {
      const target = change(refuting);
      if (target !== undefined && targets.has(target)) return [refuting];
    }
    return [];
  }

  #addCounterExample(from: string, to: string): void {
    const known = this.#counterExamples.get(from);
    if (known === undefined) this.#counterExamples.set(from, new Set([to]));
    else known.add(to);
  }

  /** All looks so far, this one at least. */
  #looksAt(url: string, page: P): P[] {
    const looks = this.#pages.looksAt?.(url) ?? [];
    return looks.length === 0 ? [page] : [...looks];
  }

  /** Is it an error page by itself, or since it says what this one says, by which it was not known yet? */
  #likenessToError(view: PageView<P>, errorPage: P | undefined): "same" | "partly" | "other" {
    if (view.seen === "missing" && view.errorPage !== undefined) return "same";
    if (view.seen !== "page" || errorPage === undefined) return "other";
    return this.#pages.likenessToError?.(view.page, errorPage) ?? "other";
  }

  /**
   * Does the first URL show an error page too, where the second does? As long as it says some of it, both are looked at again:
   * an advertisement that came twice may be all that it has besides. Undefined where the work was stopped.
   */
  async #isErrorToo(from: string, to: string, errorPage: P): Promise<boolean | undefined> {
    for (let look = 1; look < LOOKS_AT_ERRORS; look++) {
      const u = await this.#pages.view(from, look);
      const v = await this.#pages.view(to, look);
      if (u.seen === "stopped" || v.seen === "stopped") return undefined;
      const likeness = this.#likenessToError(u, errorPage);
      if (likeness !== "partly") return likeness === "same";
    }
    return false;
  }

  /** Do both URLs show the same page? Undefined where the work was stopped. */
  async compare(from: string, to: string): Promise<TrialResult | undefined> {
    const skip = (why: string): TrialResult => ({ outcome: "skipped", why, certain: false });
    const bad = (why: string, certain: boolean): TrialResult => ({ outcome: "negative", why, certain });
    const good = (a: P, b: P): TrialResult => {
      const declared = this.#pages.declared(a, b);
      // A URL that the site redirects is not a canonical one, however much alike the pages are.
      if (declared === "back" && !this.#isPaper) return bad("the site redirects it back", true);
      return { outcome: "positive", why: "", certain: true, declared };
    };
    // The first page is not worth its fetch where the second cannot be had.
    const leftAlone = this.#isPaper ? undefined : this.#pages.leftAlone(to);
    if (leftAlone !== undefined) {
      // "www." before every host invents hosts, and nobody can tell what they show.
      const isMadeUp = !this.#hosts.has(hostIn(to)) && this.#pages.leftAlone(from) === undefined;
      return { ...skip(leftAlone), ...(isMadeUp ? { untold: true } : { leftAlone: true }) };
    }
    const u = await this.#pages.view(from, 0);
    if (u.seen === "stopped" || this.#signal.aborted) return undefined;
    if (u.seen !== "page") return { ...skip(u.why), gone: u.seen === "missing" };
    const v = await this.#pages.view(to, 0);
    if (v.seen === "stopped") return undefined;
    // Unless that is where the rule leads too.
    const isLedHome = !this.#isPaper && this.#pages.isLedHome?.(u.page) === true;
    const isHome = v.seen === "page" && this.#pages.isLedHome?.(v.page) === false;
    if (isLedHome && !(isHome && this.#pages.declared(u.page, v.page) === "redirect")) {
      return { ...skip(LED_HOME), gone: true };
    }
    if (v.seen === "unavailable") return this.#isPaper ? bad(v.why, false) : skip(v.why);
    if (v.seen !== "page") {
      if (this.#isPaper) return bad(v.why, false);
      // Where the first URL shows a page and the second a wall, they are not the same page to anyone.
      const v2 = await this.#pages.view(to, 1);
      if (v2.seen === "stopped") return undefined;
      if (v2.seen !== v.seen) return skip("answers come and go");
      if (v2.seen === "missing" && v2.errorPage !== undefined) {
        const isErrorToo = await this.#isErrorToo(from, to, v2.errorPage);
        if (isErrorToo === undefined) return undefined;
        if (isErrorToo) return { ...skip(v.why), gone: true };
      }
      this.#addCounterExample(from, to);
      return bad(v.why, true);
    }
    // What changes on a page that was looked at before is known, and need not be found out again.
    const [us, vs] = [this.#looksAt(from, u.page), this.#looksAt(to, v.page)];
    for (;;) {
      const { sameness, lookAgain, isClock, certain, isUnequal, why = TOO_LITTLE } = this.#pages.compare(us, vs);
      if (sameness === "same") return good(us[0]!, vs[0]!);
      if (this.#isPaper) return bad("different text", false);
      if (lookAgain) {
        // Before it counts against the rule, both are looked at again; back to back, unless one was before.
        const [ofU, ofV] = [us.length, vs.length];
        const v2 = ofV <= ofU ? await this.#pages.view(to, ofV, isClock) : v;
        if (v2.seen === "stopped") return undefined;
        const u2 = ofU <= ofV ? await this.#pages.view(from, ofU, isClock) : u;
        if (u2.seen === "stopped") return undefined;
        // What is known to change by now may show that one of them is an error page.
        const error = v2.seen === "missing" ? v2.errorPage : undefined;
        if (this.#likenessToError(u2, error) === "same") return { ...skip("soft 404"), gone: true };
        if (v2.seen === "missing" && error !== undefined && u2.seen === "page") {
          const isErrorToo = await this.#isErrorToo(from, to, error);
          if (isErrorToo === undefined) return undefined;
          if (isErrorToo) return { ...skip(v2.why), gone: true };
          this.#addCounterExample(from, to);
          return bad(v2.why, true);
        }
        if (u2.seen !== "page" || v2.seen !== "page") return skip("answers come and go");
        if (ofU <= ofV) us.push(u2.page);
        if (ofV <= ofU) vs.push(v2.page);
        continue;
      }
      if (sameness === "not comparable") return { ...skip(why), untold: true, ...(isUnequal && { isUnequal }) };
      if (certain) {
        this.#addCounterExample(from, to);
        this.#addCounterExample(to, from);
      }
      return bad("different text", certain);
    }
  }
}
