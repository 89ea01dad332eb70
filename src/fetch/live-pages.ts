import { type DocumentSketches, sketchesOf } from "../sketch/document-sketches.js";
import { similarityTest } from "../sketch/similarity.js";
import { resemblance } from "../sketch/sketch.js";
import type { StoredFetch } from "../store/runs/runs.js";
import { OnePageHosts } from "../validate/one-page-hosts.js";
import type { Declared, Pages, PageView } from "../validate/pages.js";
import { isSoft404, type Probe, probesFor, type ReadPage } from "../validate/soft-404.js";
import { wallsOf } from "../validate/walls.js";
import { pageOfAnswer } from "./answered-page.js";
import type { Fetcher } from "./fetcher.js";
import { describeOutcome, type FetchOutcome } from "./outcome.js";

/** A page of the live site, as validation compares it. */
export interface LivePage extends DocumentSketches {
  readonly url: string;
  readonly finalUrl: string;
  readonly text: string;
  readonly mediaType?: string;
  readonly canonical?: string;
}

export interface LivePagesOptions {
  readonly similarity: string;
  readonly seed: number;
  /** What this run has fetched before it was stopped. */
  readonly fetches: readonly StoredFetch[];
  /** Called before the next request is sent; keeps the fetch for a resumed run. */
  readonly keep: (fetch: StoredFetch) => Promise<void>;
}

/** Probes of one family that were refused before others are spared. */
const refusalsEnough = 8;

/** Two pages with a higher resemblance may differ by an advertisement that has not been seen to change yet. */
const nearlyEqual = 0.9;

/**
 * Looks at the live site, each URL once per run and once more where validation asks for a second look. What makes a
 * false rule look true is taken out here: soft 404s count as missing, walls as unavailable.
 */
export class LivePages implements Pages<LivePage> {
  readonly #looks = new Map<string, StoredFetch>();
  readonly #test;
  readonly #volatile = new Set<string>();
  /** By family of probes and by probe: was it refused? */
  readonly #probed = new Map<string, Map<string, boolean>>();
  /** A few pages of each probe's neighbourhood: a probe that looks like all of them says nothing. */
  readonly #neighbours = new Map<string, LivePage[]>();

  #listed: readonly string[] = [];
  readonly #onePage = new OnePageHosts<LivePage>({
    similar: (a, b) => this.similar(a, b),
    look: async (url) => {
      if (this.leftAlone(url) !== undefined) return "none";
      const look = await this.#look(url, 0);
      return look === undefined ? undefined : ((look.kind === "ok" ? asPage(look) : undefined) ?? "none");
    },
    listed: () => this.#listed,
  });

  constructor(
    private readonly fetcher: Fetcher,
    private readonly options: LivePagesOptions,
  ) {
    this.#test = similarityTest(options.similarity);
    for (const fetch of options.fetches) this.#looks.set(keyOf(fetch.url, fetch.attempt), fetch);
  }

  expect(urls: readonly string[]): void {
    this.#listed = urls;
  }

  /** Hosts that answered everything with one page: nothing that was seen there says anything. */
  get onePageHosts(): readonly string[] {
    return this.#onePage.hosts;
  }

  leftAlone(url: string): string | undefined {
    const { skipped, refused } = this.fetcher.plan([url]);
    return (skipped[0] ?? refused[0])?.reason;
  }

  async view(url: string, again: boolean): Promise<PageView<LivePage>> {
    const look = await this.#look(url, again ? 1 : 0);
    if (look === undefined) return { seen: "stopped" };
    const page = asPage(look);
    if (page === undefined) {
      return { seen: isMissing(look) ? "missing" : "unavailable", why: look.why ?? look.kind };
    }
    if (look.kind === "wall") return { seen: "wall", why: look.why ?? "a wall" };
    for (const probe of probesFor(url, String(this.options.seed))) {
      if (this.#isNeedless(probe)) continue;
      const answer = await this.#look(probe.url, 0);
      if (answer === undefined) return { seen: "stopped" };
      this.#probed.get(probe.family)!.set(probe.url, isMissing(answer));
      if (this.#isSoft404(page, probe, answer)) return { seen: "missing", why: "soft 404" };
    }
    const isOnePage = await this.#onePage.isOnePage(url, page);
    if (isOnePage === undefined) return { seen: "stopped" };
    return isOnePage ? { seen: "wall", why: onePageForAll } : { seen: "page", page };
  }

  /** Where the server has said "not found" time and again, and never anything else, it says so to every name. */
  #isNeedless({ family, url }: Probe): boolean {
    const answers = this.#probed.get(family) ?? new Map<string, boolean>();
    this.#probed.set(family, answers);
    if (answers.has(url)) return false;
    return answers.size >= refusalsEnough && [...answers.values()].every((refused) => refused);
  }

  /** One run is one time. */
  seenBackToBack(): boolean {
    return true;
  }

  seenTogether(): boolean {
    return true;
  }

  similar(a: LivePage, b: LivePage): boolean {
    return this.#test(a, b) === true || (this.#volatile.size > 0 && this.#test(...this.#steadyPair(a, b)) === true);
  }

  /** Lines that only one of two looks has: advertisements, counters, dates. Numbers in them stand for all numbers. */
  learn(a: LivePage, b: LivePage): void {
    const inA = new Set(a.text.split("\n"));
    const inB = new Set(b.text.split("\n"));
    for (const line of inA) if (!inB.has(line)) this.#volatile.add(templateOf(line));
    for (const line of inB) if (!inA.has(line)) this.#volatile.add(templateOf(line));
    this.#onePage.reconsider();
  }

  clearlyDifferent(a: LivePage, b: LivePage): boolean {
    const [{ sketch: sketchOfA }, { sketch: sketchOfB }] = this.#steadyPair(a, b);
    return sketchOfA === undefined || sketchOfB === undefined || resemblance(sketchOfA, sketchOfB) < nearlyEqual;
  }

  /** Equal for pages with the same sketch, by what is stable in them. */
  nameOf(page: LivePage): string {
    const { shingles } = this.#steady(page, nowhere);
    return shingles === undefined ? (page.digest ?? page.url) : shingles.join(" ");
  }

  /** What stands where the other page has a line that changes by itself changes too: one more advertisement. */
  #steadyPair(a: LivePage, b: LivePage): [DocumentSketches, DocumentSketches] {
    return [this.#steady(a, this.#volatilePlaces(b)), this.#steady(b, this.#volatilePlaces(a))];
  }

  /** The page without the lines that are known to change by themselves, and without what stands in their places. */
  #steady(page: LivePage, places: ReadonlySet<string>): DocumentSketches {
    if (page.text === "") return page;
    const lines = page.text.split("\n").map(templateOf);
    const isKept = (line: string, i: number) => !this.#volatile.has(line) && !places.has(placeOf(lines, i));
    const kept = page.text.split("\n").filter((_, i) => isKept(lines[i]!, i));
    if (kept.length === lines.length) return page;
    return sketchesOf(kept.join("\n"));
  }

  /** Where the page has lines that are known to change by themselves. */
  #volatilePlaces(page: LivePage): ReadonlySet<string> {
    const lines = page.text.split("\n").map(templateOf);
    return new Set(lines.flatMap((line, i) => (this.#volatile.has(line) ? [placeOf(lines, i)] : [])));
  }

  declared(a: LivePage, b: LivePage): Declared {
    if (b.finalUrl === a.url && b.url !== b.finalUrl) return "back";
    if (a.finalUrl === b.finalUrl && (a.finalUrl !== a.url || b.finalUrl !== b.url)) return "redirect";
    const canonicalOfA = a.canonical ?? a.finalUrl;
    const canonicalOfB = b.canonical ?? b.finalUrl;
    if (canonicalOfA === canonicalOfB) return "canonical";
    return a.canonical !== undefined && b.canonical !== undefined ? "conflict" : undefined;
  }

  #isSoft404(page: LivePage, probe: Probe, answer: StoredFetch): boolean {
    const answered = asPage(answer);
    if (answered === undefined) return false;
    const neighbours = this.#neighbours.get(probe.neighbourhood) ?? [];
    this.#neighbours.set(probe.neighbourhood, neighbours);
    const soft = isSoft404(readPage(page), { kind: probe.kind, ...readPage(answered) }, looksLike, neighbours);
    if (neighbours.length < 8) neighbours.push(page);
    return soft;
  }

  async #look(url: string, attempt: 0 | 1): Promise<StoredFetch | undefined> {
    const known = this.#looks.get(keyOf(url, attempt));
    if (known !== undefined) return known;
    const outcome = await this.fetcher.fetch(url);
    if (outcome.kind === "budgetExhausted" || outcome.kind === "interrupted") return undefined;
    const look = describeLook(url, attempt, outcome);
    this.#looks.set(keyOf(url, attempt), look);
    await this.options.keep(look);
    return look;
  }
}

export const onePageForAll = "the host answers everything with one page";

const nowhere: ReadonlySet<string> = new Set();

/** A line's place is between its neighbours. */
const placeOf = (lines: readonly string[], i: number) => `${lines[i - 1] ?? ""}\n${lines[i + 1] ?? ""}`;

const templateOf = (line: string) => line.replace(/\d+/g, "0");

const keyOf = (url: string, attempt: number) => `${attempt} ${url}`;

function describeLook(url: string, attempt: number, outcome: FetchOutcome): StoredFetch {
  const base = {
    url,
    attempt,
    timeMs: outcome.startedAtMs,
    kind: outcome.kind as string,
    ...(outcome.redirects.length > 0 && { redirect: outcome.finalUrl }),
  };
  if (outcome.kind !== "ok") {
    const status = "status" in outcome && outcome.status !== undefined ? { status: outcome.status } : {};
    return { ...base, ...status, why: describeOutcome(outcome) };
  }
  const { status, bodyBytes, digest, mediaType, canonical, title, shingles, sketch, text } = pageOfAnswer(outcome);
  const wall = wallsOf(outcome, text ?? "")[0];
  return {
    ...base,
    status,
    ...(bodyBytes !== undefined && { bodyBytes }),
    ...(digest !== undefined && { digest }),
    ...(mediaType !== undefined && { mediaType }),
    ...(canonical !== undefined && { canonical }),
    ...(title !== undefined && { title }),
    ...(shingles !== undefined && { shingles }),
    ...(sketch !== undefined && { sketch }),
    ...(text !== undefined && { text }),
    ...(wall !== undefined && { kind: "wall", why: `${wall.kind}: ${wall.why}` }),
  };
}

const isMissing = ({ kind, status }: StoredFetch) => kind === "httpError" && status! >= 400 && status! < 500;

/** A look that showed a page. */
function asPage(look: StoredFetch): LivePage | undefined {
  if (look.kind !== "ok" && look.kind !== "wall") return undefined;
  return {
    url: look.url,
    finalUrl: look.redirect ?? look.url,
    text: look.text ?? "",
    ...(look.sketch !== undefined && { sketch: look.sketch }),
    ...(look.shingles !== undefined && { shingles: look.shingles }),
    ...(look.digest !== undefined && { digest: look.digest }),
    ...(look.mediaType !== undefined && { mediaType: look.mediaType }),
    ...(look.canonical !== undefined && { canonical: look.canonical }),
  };
}

function readPage(page: LivePage): ReadPage<LivePage> {
  const redirects = page.finalUrl === page.url ? [] : [{ from: page.url, status: 302, to: page.finalUrl }];
  return { outcome: { kind: "ok", redirects, finalUrl: page.finalUrl }, text: page };
}

/**
 * Does a page look like the answer to a probe? Error pages are short and carry the advertisements and counters of all
 * others, so a sketch is too strict: most of the answer's lines must be in the page, and the page not much longer.
 */
function looksLike(page: LivePage, answer: LivePage): boolean {
  if (page.digest !== undefined && page.digest === answer.digest) return true;
  const lines = answer.text.split("\n").filter((line) => line !== "");
  if (lines.length === 0) return false;
  const inPage = countLines(page.text);
  const words = (text: string) => text.split(/\s+/).length;
  const shared = lines.filter((line) => inPage.has(line)).reduce((sum, line) => sum + words(line), 0);
  return shared >= 0.6 * words(answer.text) && words(page.text) <= 1.5 * words(answer.text);
}

function countLines(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of text.split("\n")) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}
