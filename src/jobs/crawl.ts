/** `crawl`: a polite crawl that goes on where it was stopped. */

import { asTheyAre, compile } from "../canon/compile.js";
import { rulesInUse } from "../canon/cycles.js";
import { InterruptedError, InvariantError, UserError } from "../errors.js";
import { pageOfAnswer } from "../fetch/answered-page.js";
import { createFetcher, type Fetcher, type FetcherOptions, type FetchStats } from "../fetch/fetcher.js";
import { Frontier, type LeftOut } from "../fetch/frontier.js";
import { describeOutcome, type FetchOutcome, isAnswered } from "../fetch/outcome.js";
import { requestsNote } from "../fetch/requests-note.js";
import { finalSpelling, SightingTable } from "../input/sightings.js";
import type { JobContext, PageRecord, Rule } from "../model.js";
import { stopIfAborted } from "../progress.js";
import { pagesBehindAvoided } from "../store/copies/behind-avoided.js";
import { type AsJson, fromJson, toJson } from "../store/pages/page-json.js";
import { PageStage } from "../store/pages/page-stage.js";
import { Journal } from "../store/runs/journal.js";
import { removeScratch } from "../store/scratch.js";
import { addSource, crawledAnswers } from "../store/urls/sources.js";
import { listHosts } from "../store/urls/url-lists.js";
import type { Workspace } from "../store/workspace.js";
import type { AvoidMatcher } from "../url/avoid-list.js";
import { ALL_NORMALIZATION_STEPS } from "../url/normalize.js";
import { trimText } from "./add.js";
import { voidingCertificates } from "./validate/void-certificates.js";

export interface CrawlOptions {
  readonly snapshot: string;
  readonly maxPages: number;
  /** Rules for the frontier; none: every URL is asked for as it was found. */
  readonly rules: readonly Rule[];
  /** What is not fetched. Known pages that those link to are, wherever the crawl begins. */
  readonly avoids?: AvoidMatcher;
  /** Keep the pages' text. */
  readonly text: boolean;
  readonly fetch: Omit<FetcherOptions, "signal">;
}

export interface CrawlResult {
  readonly snapshot: string;
  /** Answers by what came of them, over all parts of this crawl. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Why URLs were not answered, the most frequent reason first. */
  readonly failures: Readonly<Record<string, number>>;
  readonly pages: number;
  /** Different URLs found on hosts that may be fetched from. */
  readonly found: number;
  /** Of them: without a request, because a request for their canonical form served them; because of the avoid-list. */
  readonly spared: number;
  readonly avoided: number;
  /** Each URL that was found and not asked for as it is, with the reason and what is fetched instead. */
  readonly leftOut: readonly LeftOut[];
  /** In addition: URLs that look like actions or carry tokens, by reason, the most frequent first. */
  readonly leftAlone: Readonly<Record<string, number>>;
  readonly waiting: number;
  /** Bytes of all pages. */
  readonly bytes: number;
  /** Of this part alone. */
  readonly fetched: Readonly<FetchStats>;
  readonly stoppedBy: "nothing left" | "max pages" | "budget";
}

/** What the journal has for each URL that was asked for: the pages that came of it, redirects first. */
interface Answer {
  readonly url: string;
  readonly kind: string;
  /** Why there are none. */
  readonly why?: string;
  readonly pages: readonly AsJson<PageRecord>[];
}

interface Start {
  readonly seeds: readonly string[];
  readonly rules: readonly string[];
  /** That the seeds' robots.txt named when the crawl began. */
  readonly sitemaps: readonly string[];
  /** Pages that what is avoided linked to when it was last seen. */
  readonly behind?: readonly string[];
}

type JournalRow = Start | Answer;

/** Hosts asked at the same time; each of them gets one request at a time. */
const HOSTS_AT_ONCE = 16;

/**
 * A polite crawl of a few sites into a snapshot. Every answer is in a journal beside the workspace before the next request
 * to that host is sent. However it ends, the same call goes on from there, as long as URLs wait.
 */
export async function crawl(
  workspace: Workspace,
  seeds: readonly string[],
  options: CrawlOptions,
  context: JobContext,
): Promise<CrawlResult> {
  const hosts = await listHosts(workspace);
  const fetcher = createFetcher({ ...options.fetch, hosts, signal: context.signal });
  const journal = new Journal<JournalRow>(`${workspace.file}.crawl-${encodeURIComponent(options.snapshot)}`);
  try {
    const session = new Crawl(fetcher, journal, options);
    const behind = async () => (options.avoids === undefined ? [] : pagesBehindAvoided(workspace, options.avoids));
    await session.open(seeds, behind, await crawledAnswers(workspace, options.snapshot));
    const stoppedBy = await session.run(context);
    await voidingCertificates(workspace, () => session.store(workspace));
    stopIfAborted(context, "the same command goes on where this one stopped");
    if (stoppedBy === "nothing left") journal.remove();
    return session.result(stoppedBy);
  } finally {
    await fetcher.close();
  }
}

class Crawl {
  readonly #frontier: Frontier;
  /** URLs of these hosts that are never asked for, with the reason. */
  readonly #leftAlone = new Map<string, string>();
  readonly #outcomes: Record<string, number> = {};
  readonly #failures: string[] = [];
  #answers = 0;
  /** Taken from the frontier when the work was stopped. */
  #unanswered = 0;
  #stored = 0;
  #pages = 0;
  #bytes = 0;
  readonly #fetcher: Fetcher;
  readonly #journal: Journal<JournalRow>;
  readonly #options: CrawlOptions;

  constructor(fetcher: Fetcher, journal: Journal<JournalRow>, options: CrawlOptions) {
    this.#fetcher = fetcher;
    this.#journal = journal;
    this.#options = options;
    const { rules, avoids = () => undefined } = options;
    this.#frontier = new Frontier({
      canon: compile(rulesInUse(rules).rules, { use: asTheyAre }),
      avoids,
      isAllowed: (url) => {
        const { hosts, skipped } = fetcher.plan([url]);
        for (const { reason } of skipped) this.#leftAlone.set(url, reason);
        return hosts.length === 1;
      },
    });
  }

  #whyNoSeed(): string {
    const [first] = this.#frontier.leftOut;
    if (first === undefined) return "none of the seeds may be fetched: expected http or https";
    const instead = first.keep === undefined ? "" : `; begin with ${first.keep}, which is kept`;
    return `the avoid-list leaves out all seeds, such as ${first.url}${instead}`;
  }

  /** Begins a crawl, or finds again where an earlier one stopped. */
  async open(
    seeds: readonly string[],
    behind: () => Promise<readonly string[]>,
    stored: number | undefined,
  ): Promise<void> {
    const rules = rulesInUse(this.#options.rules).rules.map(({ id }) => id);
    const start = { seeds: seeds.map(spell), rules };
    this.#stored = stored ?? 0;
    const isNew = !this.#journal.exists;
    if (isNew) {
      if (stored !== undefined) {
        throw new UserError(`snapshot "${this.#options.snapshot}" already holds a crawl; name another with --snapshot`);
      }
      this.#journal.append({ ...start, sitemaps: await this.#sitemapsOf(seeds), behind: await behind() });
    }
    for await (const row of this.#journal.rows()) {
      if (!("seeds" in row)) {
        if (!this.#frontier.skip(row.url)) throw new InvariantError(`${this.#journal.file} does not fit: ${row.url}`);
        this.#take(row);
        continue;
      }
      if (JSON.stringify({ seeds: row.seeds, rules: row.rules }) !== JSON.stringify(start)) {
        throw new UserError(
          `snapshot "${this.#options.snapshot}" holds an unfinished crawl with other seeds or rules (${row.seeds.join(", ")}); go on with those, name another --snapshot, or remove ${this.#journal.file}`,
        );
      }
      for (const seed of row.seeds) this.#frontier.add(seed);
      if (this.#frontier.waiting === 0) {
        // Nothing was begun that other seeds would have to go on with.
        if (isNew) this.#journal.remove();
        throw new UserError(this.#whyNoSeed());
      }
      for (const url of [...row.sitemaps, ...(row.behind ?? [])]) this.#frontier.add(url);
    }
  }

  /** What a sitemap or an index of sitemaps names are its links: from here on it is a page like any other. */
  async #sitemapsOf(seeds: readonly string[]): Promise<string[]> {
    const sitemaps = new Set<string>();
    for (const seed of seeds) {
      const named = await this.#fetcher.sitemaps(seed);
      if (named === undefined) throw new InterruptedError("nothing was fetched yet");
      for (const url of named) if (URL.canParse(url)) sitemaps.add(spell(url));
    }
    return [...sitemaps];
  }

  async run(context: JobContext): Promise<CrawlResult["stoppedBy"]> {
    const busy = new Set<string>();
    const underWay = new Set<Promise<void>>();
    let spent = false;
    const requests = requestsNote(this.#fetcher.stats);
    const ask = async (url: string, host: string) => {
      busy.add(host);
      const outcome = await this.#fetcher.fetch(url);
      busy.delete(host);
      if (outcome.kind === "interrupted" || outcome.kind === "budgetExhausted") {
        spent = true;
        this.#unanswered++;
        return;
      }
      const answer = {
        url,
        kind: outcome.kind,
        ...(!isAnswered(outcome) && { why: describeOutcome(outcome) }),
        pages: this.#read(outcome).map(toJson),
      };
      this.#journal.append(answer);
      this.#take(answer);
      context.onProgress({
        step: "crawling",
        done: this.#pages,
        unit: "pages",
        note: `${requests(this.#fetcher.stats)}, ${this.#frontier.waiting} URLs wait`,
      });
    };
    for (;;) {
      while (!spent && busy.size < HOSTS_AT_ONCE && this.#pages + busy.size < this.#options.maxPages) {
        const next = this.#frontier.next(busy);
        if (next === undefined) break;
        const asking = ask(next.url, next.host).finally(() => underWay.delete(asking));
        underWay.add(asking);
      }
      if (underWay.size === 0) break;
      await Promise.race(underWay);
    }
    if (spent) return "budget";
    return this.#frontier.waiting > 0 ? "max pages" : "nothing left";
  }

  /** The pages of an answer: one for each redirect on the way, and the one at its end. */
  #read(outcome: FetchOutcome): PageRecord[] {
    const hops = outcome.redirects.map(({ from, status, to }) => ({
      url: spell(from),
      status,
      timeMs: outcome.startedAtMs,
      redirectTo: spell(to),
    }));
    if (!isAnswered(outcome)) return hops;
    const page = trimText(pageOfAnswer(outcome), this.#options.text);
    const { links, canonical, redirectTo } = page;
    return [
      ...hops,
      {
        ...page,
        url: spell(page.url),
        ...(links !== undefined && { links: [...new Set(links.map(spell))] }),
        ...(canonical !== undefined && { canonical: spell(canonical) }),
        ...(redirectTo !== undefined && { redirectTo: spell(redirectTo) }),
      },
    ];
  }

  #take({ kind, why, pages }: Answer): void {
    this.#answers++;
    if (why !== undefined) this.#failures.push(why);
    this.#outcomes[kind] = (this.#outcomes[kind] ?? 0) + 1;
    if (kind === "ok" || kind === "httpError") this.#pages++;
    for (const { url, status, bodyBytes = 0, links = [], redirectTo } of pages) {
      this.#frontier.answer(url);
      this.#bytes += bodyBytes;
      // Where a page itself sends its reader; what a server redirects to was followed.
      if (redirectTo !== undefined && status < 300) this.#frontier.add(redirectTo);
      for (const link of links) this.#frontier.add(link);
    }
  }

  /** Brings what is new in the journal into the workspace, in one transaction that also says how far it is. */
  async store(workspace: Workspace): Promise<void> {
    if (this.#answers === this.#stored) return;
    const stageFile = workspace.scratch();
    const table = new SightingTable();
    const stage = await PageStage.create(stageFile);
    try {
      const seen = new Set<string>();
      let number = 0;
      let batch: PageRecord[] = [];
      let records = 0;
      for await (const row of this.#journal.rows()) {
        if ("seeds" in row) continue;
        const isNew = number++ >= this.#stored;
        for (const json of row.pages) {
          // Two URLs may be redirected to one page: it was downloaded twice, but once is enough.
          if (seen.has(json.url)) continue;
          seen.add(json.url);
          if (!isNew) continue;
          const page: PageRecord = fromJson(json);
          const { status, timeMs, bodyBytes, redirectTo } = page;
          table.add(page.url, {
            status,
            ...(timeMs !== undefined && { timeMs }),
            ...(bodyBytes !== undefined && { bytes: bodyBytes }),
            ...(redirectTo !== undefined && { redirectTo }),
          });
          batch.push(page);
          records++;
        }
        if (batch.length >= 500) {
          await stage.append(batch);
          batch = [];
        }
      }
      await stage.append(batch);
      stage.close();
      const { snapshot, fetch } = this.#options;
      const entry = {
        snapshot,
        series: `crawl ${snapshot}`,
        name: `crawl of ${fetch.sites.join(", ")}`,
        format: "crawl",
        compression: "none",
        bytes: this.#bytes,
        lines: 0,
        records,
        settings: { answers: this.#answers },
        damage: [],
      };
      await addSource(workspace, entry, table.finish(), stage.file);
      this.#stored = this.#answers;
    } finally {
      stage.close();
      removeScratch(stageFile);
    }
  }

  result(stoppedBy: CrawlResult["stoppedBy"]): CrawlResult {
    const { found, spared, avoided, leftOut } = this.#frontier;
    return {
      snapshot: this.#options.snapshot,
      outcomes: this.#outcomes,
      failures: countReasons(this.#failures),
      pages: this.#pages,
      found,
      spared,
      avoided,
      leftOut,
      leftAlone: countReasons(this.#leftAlone.values()),
      waiting: this.#frontier.waiting + this.#unanswered,
      bytes: this.#bytes,
      fetched: this.#fetcher.stats,
      stoppedBy,
    };
  }
}

function countReasons(reasons: Iterable<string>): Record<string, number> {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([, a], [, b]) => b - a));
}

/** As the URL list spells it. */
function spell(url: string): string {
  return finalSpelling(url, ALL_NORMALIZATION_STEPS);
}
