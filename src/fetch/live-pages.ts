/** The pages of the live site, for a validation. */
import { DEFAULT_SIMILARITY, type SimilarityTest, similarityTest } from "../sketch/similarity.js";
import type { StoredFetch } from "../store/runs/runs.js";
import { serverIn } from "../url/parse.js";
import { BlockedHosts } from "../validate/looks/blocked-hosts.js";
import { CommonText } from "../validate/looks/common-text.js";
import { Neighbours } from "../validate/looks/neighbours.js";
import { OnePagePlaces } from "../validate/looks/one-page-places.js";
import {
  areOtherDocuments,
  type Comparison,
  isBriefPage,
  isKnownByLittle,
  type Looked,
  learnChanging,
  likenessToAnswer,
  type Sameness,
  samePage,
  stableText,
  TEXT_SIMILARITY,
} from "../validate/looks/same-page.js";
import { isSoft404, neighbourhoodsOf, type Probe, probesFor, type ReadPage } from "../validate/looks/soft-404.js";
import type { Declared, PageComparison, Pages, PageView } from "../validate/pages.js";
import { oneOfEachSort } from "../validate/url-sorts.js";
import type { Fetcher } from "./fetcher.js";
import { asPage, blockedLook, describeLook, isMissing, keyOf, type LivePage, sentAway } from "./look.js";
import { compareShown } from "./shown.js";

export interface LivePagesOptions {
  readonly similarity: string;
  readonly seed: number;
  /** What this run has fetched before it was stopped. */
  readonly fetches: readonly StoredFetch[];
  /** Called before the next request is sent; keeps the fetch for a resumed run. */
  readonly keep: (fetch: StoredFetch) => Promise<void>;
}

/** After this time every clock that shows seconds shows a different one. */
const CLOCK_TICK_MS = 1100;

/** Probes of one family that were refused before others are spared. */
const REFUSALS_ENOUGH = 8;

/** Pages that are looked at twice beforehand: what most of them have, and what changes on them, belongs to no single page. */
const SAMPLED_PAGES = 16;

/**
 * Looks at the live site, each URL once per run and once more where validation asks for a second look. What would make a
 * false rule look true is sorted out here: soft 404s count as missing, walls as unavailable.
 */
export class LivePages implements Pages<LivePage> {
  readonly #looks = new Map<string, StoredFetch>();
  /** Absent: the pages are compared by what is stable and distinctive in them. */
  readonly #test: SimilarityTest | undefined;
  #common: CommonText | undefined;
  /** How many of the sampled pages had another size at the second look. */
  #varying = { pages: 0, of: 0 };
  /** By family of probes and by probe: was it refused? */
  readonly #probed = new Map<string, Map<string, boolean>>();
  /** A few pages of each probe's neighbourhood: a probe that looks like all of them says nothing. */
  readonly #neighbours = new Map<string, LivePage[]>();

  /** By URL of a page with little text of its own: pages that stand near it. */
  readonly #around = new Map<string, readonly LivePage[]>();

  #listed: readonly string[] = [];
  #near = new Neighbours([]);
  readonly #onePage = new OnePagePlaces<LivePage>({
    similar: (a, b) => this.#isAlike(a, b),
    look: (url) => this.#lookElsewhere(url),
    listed: (host) => this.#listed.filter((url) => serverIn(url) === host),
    namesOf: (url) => [url.replace(/[?#;].*/s, "")],
  });
  /** Where names that cannot exist are told from those that do. */
  readonly #oneForNames = new OnePagePlaces<LivePage>({
    similar: (a, b) => this.compare([a], [b]).sameness === "same",
    look: (url) => this.#lookElsewhere(url),
    listed: (place) => this.#listed.filter((url) => namesIn(place, url).length > 0),
    namesOf: (url, place) => namesIn(place, url),
  });

  readonly #blocked = new BlockedHosts(async (url) => {
    const outcome = await this.#fetcher.fetch(url);
    return outcome.kind === "ok" ? describeLook(url, 0, outcome).look.text : undefined;
  });

  readonly #fetcher: Fetcher;
  readonly #options: LivePagesOptions;

  constructor(fetcher: Fetcher, options: LivePagesOptions) {
    this.#fetcher = fetcher;
    this.#options = options;
    this.#test = options.similarity === TEXT_SIMILARITY ? undefined : similarityTest(options.similarity);
    for (const fetch of options.fetches) this.#looks.set(keyOf(fetch.url, fetch.attempt), fetch);
  }

  get requestsLeft(): number {
    return this.#fetcher.maxRequests - this.#fetcher.stats.requests;
  }

  expect(urls: readonly string[]): void {
    this.#listed = urls;
    this.#near = new Neighbours(urls);
    this.#common = undefined;
    this.#around.clear();
  }

  async sizesVary(urls: readonly string[]): Promise<boolean | undefined> {
    this.expect(urls);
    if (!(await this.#sample())) return undefined;
    return this.#varying.pages > this.#varying.of / 2;
  }

  /** Hosts that answered everything with one page: nothing that was seen there says anything. */
  get onePageHosts(): readonly string[] {
    return this.#onePage.places;
  }

  leftAlone(url: string): string | undefined {
    const { skipped, refused } = this.#fetcher.plan([url]);
    return (skipped[0] ?? refused[0])?.reason;
  }

  async view(url: string, attempt: number, later = false): Promise<PageView<LivePage>> {
    if (!(await this.#sample())) return { seen: "stopped" };
    const look = later ? await this.#lookLater(url, attempt) : await this.#look(url, attempt);
    if (look === undefined) return { seen: "stopped" };
    const page = asPage(look);
    if (page === undefined) {
      return { seen: isMissing(look) ? "missing" : "unavailable", why: look.why ?? look.kind };
    }
    if (look.kind === "wall") return { seen: "wall", why: look.why ?? "a wall" };
    const refusing: string[] = [];
    for (const probe of probesFor(url, String(this.#options.seed))) {
      if (this.#isNeedless(probe)) {
        refusing.push(probe.neighbourhood);
        continue;
      }
      const answer = await this.#look(probe.url, 0);
      if (answer === undefined) return { seen: "stopped" };
      const shown = asPage(answer);
      // Pages that are led to the front page too are known by that.
      const isLed = shown !== undefined && this.isLedHome(shown);
      if (isMissing(answer)) refusing.push(probe.neighbourhood);
      this.#probed.get(probe.family)!.set(probe.url, isMissing(answer) || isLed);
      const answers = [answer];
      while (shown !== undefined && !isLed && answers.length < this.#probeLooks) {
        const again = await this.#look(probe.url, answers.length);
        if (again === undefined) return { seen: "stopped" };
        answers.push(again);
      }
      if (this.#isSoft404(page, attempt, probe, answers)) {
        return { seen: "missing", why: "soft 404", errorPage: page };
      }
    }
    const isOnePage = await this.#onePage.isOnePage(serverIn(url), url, page);
    if (isOnePage === undefined || !(await this.#lookAround(page, attempt))) return { seen: "stopped" };
    if (isOnePage) return { seen: "wall", why: ONE_PAGE_FOR_ALL };
    for (const place of this.#test === undefined ? refusing : []) {
      const isOne = await this.#oneForNames.isOnePage(place, url, page);
      if (isOne === undefined) return { seen: "stopped" };
      if (isOne) return { seen: "unavailable", why: ONE_PAGE_FOR_NAMES };
    }
    return { seen: "page", page };
  }

  looksAt(url: string): readonly LivePage[] {
    const pages: LivePage[] = [];
    // The papers' tests compare single looks.
    const most = this.#test === undefined ? Number.POSITIVE_INFINITY : 1;
    for (let look = 0; look < most; look++) {
      const known = this.#looks.get(keyOf(url, look));
      const page = known?.kind === "ok" ? asPage(known) : undefined;
      if (page === undefined) break;
      pages.push(page);
    }
    return pages;
  }

  /** Where something changes, two looks may well show the same. */
  get #probeLooks(): number {
    return this.hasChangingPages ? 4 : 2;
  }

  /** Where the server has said "not found" again and again, and never anything else, it says so to every name. */
  #isNeedless({ family, url }: Probe): boolean {
    const answers = this.#probed.get(family) ?? new Map<string, boolean>();
    this.#probed.set(family, answers);
    if (answers.has(url)) return false;
    return answers.size >= REFUSALS_ENOUGH && [...answers.values()].every((refused) => refused);
  }

  /** A look at some pages of the list, of as many sorts as there are, twice. False where no more can be looked at. */
  async #sample(): Promise<boolean> {
    if (this.#common !== undefined) return true;
    const common = new CommonText();
    const { urls } = oneOfEachSort(this.#listed, () => false);
    let pages = 0;
    let varying = 0;
    for (const url of this.#test === undefined ? urls.slice(0, 3 * SAMPLED_PAGES) : []) {
      if (pages === SAMPLED_PAGES) break;
      if (this.leftAlone(url) !== undefined) continue;
      const looks: LivePage[] = [];
      const sizes = new Set<number | undefined>();
      for (const attempt of [0, 1]) {
        const look = await this.#look(url, attempt);
        if (look === undefined) return false;
        const page = look.kind === "ok" ? asPage(look) : undefined;
        if (page === undefined || page.text === "") break;
        looks.push(page);
        sizes.add(look.bodyBytes);
      }
      if (looks.length < 2) continue;
      pages++;
      if (sizes.size > 1) varying++;
      common.add(looks[0]!.text);
      this.#blocked.addControl(
        url,
        looks.map(({ text }) => text),
      );
      learnChanging(looked(looks), common);
    }
    this.#common = common;
    this.#varying = { pages: varying, of: pages };
    return true;
  }

  /** The pages near a brief one show whether its few words distinguish it. False where no more can be looked at. */
  async #lookAround(page: LivePage, attempt: number): Promise<boolean> {
    const common = this.#common;
    if (this.#test !== undefined || common === undefined || page.text === "" || this.#around.has(page.url)) return true;
    if (!isBriefPage(looked(this.#looksUpTo(page, attempt)), common)) return true;
    const around: LivePage[] = [];
    for (const url of this.#near.of(page.url)) {
      if (this.leftAlone(url) !== undefined) continue;
      const look = await this.#look(url, 0);
      if (look === undefined) return false;
      const near = look.kind === "ok" ? asPage(look) : undefined;
      if (near !== undefined && near.text !== "") around.push(near);
    }
    this.#around.set(page.url, around);
    return true;
  }

  /** The page as it was at the looks before this one, and at this one. */
  #looksUpTo(page: LivePage, attempt: number): LivePage[] {
    const earlier = Array.from({ length: attempt }, (_, look) => this.#looks.get(keyOf(page.url, look)));
    return [...earlier.map((look) => look && asPage(look)), page].filter((look) => look !== undefined);
  }

  compare(a: readonly LivePage[], b: readonly LivePage[], whole = false): PageComparison {
    const common = whole || this.#common === undefined ? new CommonText() : this.#common;
    if (this.#test === undefined && areOtherDocuments(a[0]!.mediaType, b[0]!.mediaType)) {
      return { sameness: "different", lookAgain: false, certain: true };
    }
    const comparison = this.#test === undefined ? compareTexts(a, b, common) : compareBy(this.#test, a, b);
    if (comparison.brief !== undefined && !comparison.lookAgain) {
      const around = (this.#around.get(a[0]!.url) ?? []).map((page) => looked([page]));
      const isKnown = isKnownByLittle(looked(a), around, common);
      if (isKnown) return { sameness: comparison.brief, lookAgain: false, certain: comparison.brief === "different" };
    }
    return { ...comparison, certain: comparison.sameness === "different" };
  }

  /** Was any page seen to change between two looks? */
  get hasChangingPages(): boolean {
    return this.#common?.hasChanging ?? true;
  }

  #isAlike(a: LivePage, b: LivePage): boolean {
    const test = this.#test ?? similarityTest(DEFAULT_SIMILARITY);
    return test(a, b) === true;
  }

  /** Equal for pages that say the same, by what is stable in them. */
  nameOf(pages: readonly LivePage[]): string {
    const text = stableText(pages.map((page) => page.text));
    return text === "" ? (pages[0]!.digest ?? pages[0]!.url) : text;
  }

  likenessToError(page: LivePage, errorPage: LivePage): "same" | "partly" | "other" {
    if (this.#test !== undefined || page.text === "") {
      return page.digest !== undefined && page.digest === errorPage.digest ? "same" : "other";
    }
    const [own, error] = [page, errorPage].map(({ url }) => looked(this.looksAt(url))) as [Looked, Looked];
    const common = this.#common ?? new CommonText();
    const likeness = likenessToAnswer(own, error, common);
    // Both ways: an error page that says nothing of its own is not what a page with a few words says.
    const isBoth = likeness === "same" && likenessToAnswer(error, own, common) === "same";
    if (isBoth) return "same";
    return likeness === "none" || !this.hasChangingPages ? "other" : "partly";
  }

  isLedHome({ url, finalUrl }: LivePage): boolean {
    return finalUrl !== url && URL.canParse(finalUrl) && new URL(finalUrl).href === `${new URL(finalUrl).origin}/`;
  }

  declared(a: LivePage, b: LivePage): Declared {
    if (b.finalUrl === a.url && b.url !== b.finalUrl) return "back";
    if (a.finalUrl === b.finalUrl && (a.finalUrl !== a.url || b.finalUrl !== b.url)) return "redirect";
    const canonicalOfA = a.canonical ?? a.finalUrl;
    const canonicalOfB = b.canonical ?? b.finalUrl;
    if (canonicalOfA === canonicalOfB) return canonicalOfA === a.url ? "canonicalBack" : "canonical";
    if (a.canonical !== undefined && b.canonical !== undefined) return "conflict";
    if (a.isOwnLanguage === b.isOwnLanguage) return undefined;
    return a.isOwnLanguage === true ? "languageBack" : "language";
  }

  /** By all looks at it up to this one. */
  #isSoft404(page: LivePage, attempt: number, probe: Probe, answers: readonly StoredFetch[]): boolean {
    const looks = this.#looksUpTo(page, attempt);
    const answered = answers.map(asPage).filter((answer) => answer !== undefined);
    if (answered.length < answers.length) return false;
    const common = this.#common ?? new CommonText();
    const likeness = (own: LivePage) => {
      if (own.digest !== undefined && own.digest === answered[0]!.digest) return "same";
      return own.text === ""
        ? "none"
        : likenessToAnswer(looked(own === page ? looks : [own]), looked(answered), common);
    };
    const neighbours = this.#neighbours.get(probe.neighbourhood) ?? [];
    this.#neighbours.set(probe.neighbourhood, neighbours);
    const soft = isSoft404(readPage(page), { kind: probe.kind, ...readPage(answered[0]!) }, likeness, neighbours);
    if (neighbours.length < 8) neighbours.push(page);
    return soft;
  }

  /** The first look from `attempt` on that was taken in another second than the very first. */
  async #lookLater(url: string, attempt: number): Promise<StoredFetch | undefined> {
    const earliestMs = (this.#looks.get(keyOf(url, 0))?.timeMs ?? 0) + CLOCK_TICK_MS;
    let at = attempt;
    for (let known = this.#looks.get(keyOf(url, at)); known !== undefined && known.timeMs < earliestMs; ) {
      known = this.#looks.get(keyOf(url, ++at));
    }
    if (!this.#looks.has(keyOf(url, at))) await this.#fetcher.waitUntil(earliestMs);
    return this.#look(url, at);
  }

  async #look(url: string, attempt: number): Promise<StoredFetch | undefined> {
    const known = this.#looks.get(keyOf(url, attempt));
    if (known !== undefined) return known;
    if (this.#blocked.has(url)) return blockedLook(url, attempt);
    const asked = await this.#ask(url, attempt);
    if (asked === undefined) return undefined;
    const { look, requests } = asked;
    if (look.kind === "ok" && (await this.#blocked.add(url, look.text ?? ""))) return blockedLook(url, attempt);
    this.#looks.set(keyOf(url, attempt), look);
    // What cost no request (no address, robots.txt says no) is not worth keeping: a resumed run had better look again.
    if (requests > 0) await this.#options.keep(look);
    return look;
  }

  /** A page that sends its readers on shows what they come to. */
  async #ask(url: string, attempt: number): Promise<{ look: StoredFetch; requests: number } | undefined> {
    const outcome = await this.#fetcher.fetch(url);
    if (outcome.kind === "budgetExhausted" || outcome.kind === "interrupted") return undefined;
    const { look, sentTo } = describeLook(url, attempt, outcome);
    const { requests } = outcome;
    if (sentTo === undefined) return { look, requests };
    const why = this.leftAlone(sentTo);
    if (why !== undefined) return { look: sentAway(look, sentTo, why), requests };
    const next = await this.#fetcher.fetch(sentTo);
    if (next.kind === "budgetExhausted" || next.kind === "interrupted") return undefined;
    return { look: { ...describeLook(url, attempt, next).look, redirect: next.finalUrl }, requests };
  }

  async #lookElsewhere(url: string): Promise<LivePage | "none" | undefined> {
    if (this.leftAlone(url) !== undefined) return "none";
    const look = await this.#look(url, 0);
    return look === undefined ? undefined : ((look.kind === "ok" ? asPage(look) : undefined) ?? "none");
  }
}

export const ONE_PAGE_FOR_ALL = "the host answers everything with one page";
const ONE_PAGE_FOR_NAMES = "one page stands in for all that exists here";

/** What the URL is called in this neighbourhood; nothing where it is in another. */
const namesIn = (place: string, url: string) =>
  neighbourhoodsOf(url).find(({ neighbourhood }) => neighbourhood === place)?.names ?? [];

function readPage(page: LivePage): ReadPage<LivePage> {
  const redirects = page.finalUrl === page.url ? [] : [{ from: page.url, status: 302, to: page.finalUrl }];
  return { outcome: { kind: "ok", redirects, finalUrl: page.finalUrl }, text: page };
}

const looked = (pages: readonly LivePage[]): Looked => ({
  url: pages[0]!.url,
  finalUrl: pages[0]!.finalUrl,
  texts: pages.map(({ text }) => text),
  timesMs: pages.map(({ timeMs }) => timeMs),
});

function compareTexts(a: readonly LivePage[], b: readonly LivePage[], common: CommonText): Comparison {
  const hasText = (pages: readonly LivePage[]) => pages.every(({ text }) => text !== "");
  if (!hasText(a) || !hasText(b)) return compareBy(similarityTest("digest"), a, b);
  const comparison = samePage(looked(a), looked(b), common);
  return comparison.sameness === "same" ? compareShown(a, b) : comparison;
}

/** By a test of two documents: the latest looks, and each page must be like itself. */
function compareBy(test: SimilarityTest, a: readonly LivePage[], b: readonly LivePage[]): Comparison {
  const decided = (sameness: Sameness): Comparison => ({ sameness, lookAgain: false });
  if (test(a.at(-1)!, b.at(-1)!) === true) return decided("same");
  if (a.length < 2) return { sameness: "different", lookAgain: true };
  const isSteady = [a, b].every((looks) => test(looks[0]!, looks.at(-1)!) === true);
  return decided(isSteady ? "different" : "not comparable");
}
