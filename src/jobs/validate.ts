/** `validate`: proves or refutes rules on the live site or on known pages, resumably. */
import { applyRule } from "../canon/apply.js";
import type { RulesFile } from "../canon/file/rules-file.js";
import { usableRule } from "../canon/kinds.js";
import { UserError } from "../errors.js";
import type { FetchEffects } from "../fetch/effects.js";
import { createFetcher, type FetcherOptions, type FetchStats } from "../fetch/fetcher.js";
import { LivePages, ONE_PAGE_FOR_ALL } from "../fetch/live-pages.js";
import type { FetchPlan } from "../fetch/plan.js";
import { requestsNote } from "../fetch/requests-note.js";
import { detectDefaults } from "../mine/detect.js";
import { eliminateDefaults } from "../mine/eliminate.js";
import type { Certificate, JobContext, Rule, StringColumn } from "../model.js";
import { drive, stopIfAborted } from "../progress.js";
import { toStrings } from "../store/columns.js";
import { readKnownPages } from "../store/pages/known-page-rows.js";
import { KnownPages } from "../store/pages/known-pages.js";
import { attemptsBefore, beginningOf, keepAttempts } from "../store/runs/attempts.js";
import { FetchJournal, finishRun, goOnWith, openRun, type RunSettings } from "../store/runs/runs.js";
import { siteOfHost } from "../store/urls/site-of-host.js";
import { listHosts, readUrlList, readUrls } from "../store/urls/url-lists.js";
import type { Workspace } from "../store/workspace.js";
import { serverIn } from "../url/parse.js";
import { shellWord } from "../url/shell-word.js";
import { drawOrder } from "../validate/draws.js";
import { listName } from "../validate/list-name.js";
import { TEXT_SIMILARITY } from "../validate/looks/same-page.js";
import { sizesOf } from "../validate/odd-sizes.js";
import type { Pages } from "../validate/pages.js";
import { triageRules } from "../validate/triage.js";
import type { Draw, ValidateOptions } from "../validate/try-rule.js";
import { validateRules } from "../validate/validate-rules.js";
import { nextStep, skippedReasons } from "../validate/why-undecided.js";
import { ALL_SITES, siteChoice } from "./mine/mined-site.js";
import { mineSite } from "./mine.js";

export interface ValidateJobOptions extends Omit<ValidateOptions, "now"> {
  /** Where and how to fetch; absent: against the pages already in the workspace. */
  readonly fetch?: Omit<FetcherOptions, "signal">;
  /** What fetching needs from the world: a site that answers in process, a clock of one's own. */
  readonly effects?: Partial<FetchEffects>;
  readonly snapshot?: string;
  /** The share of changed URLs that may be wrong, with 95% confidence. */
  readonly assurance: number;
  /** Keep the text of fetched pages. */
  readonly text: boolean;
}

/** Wald's test; what `dustpan validate` does without flags. */
export const validateDefaults = {
  plan: "sequential",
  count: 100,
  epsilon: 0.05,
  seed: 1,
  similarity: TEXT_SIMILARITY,
  assurance: 0.01,
  text: true,
} as const satisfies ValidateJobOptions;

export interface ValidateResult {
  /** The rules with their verdicts, narrower ones added, redundant ones gone. */
  readonly rules: readonly Rule[];
  readonly draws: readonly Draw[];
  /** Absent offline. */
  readonly fetched?: Readonly<FetchStats>;
  /** Work is left: the budget ran out. The same call goes on from here. */
  readonly stopped: boolean;
  /** What all rules of a site together are worth; none on the paper's plan. */
  readonly certificates: readonly Certificate[];
  /** Hosts that answered everything with one page, so that nothing was learned from them. */
  readonly onePageHosts?: readonly string[];
  /** Rules that add nothing to the proven ones, and are gone. */
  readonly needless?: number;
  /** Where no page could be seen, and the rules are as they were: a sentence that says why. */
  readonly unseen?: string;
}

/** Proves or refutes the rules, site by site. Interrupted or killed, the same call goes on where it stopped. */
export async function validate(
  workspace: Workspace,
  rules: readonly Rule[],
  options: ValidateJobOptions,
  context: JobContext,
): Promise<ValidateResult> {
  const test: ValidateOptions = { ...options, now: () => new Date() };
  if (options.fetch === undefined) {
    const pages = new KnownPages(await readKnownPages(workspace, options.snapshot, context.signal), options.similarity);
    const { certificates, ...validated } = await validateSites(
      workspace,
      rules,
      pages,
      test,
      { ...options, run: 0 },
      context,
    );
    return { ...settle(rules, validated.rules, validated.draws, false), certificates, stopped: false };
  }
  const { plan, count, epsilon, seed, similarity } = options;
  const settings = {
    plan,
    count,
    epsilon,
    seed,
    similarity,
    sites: options.fetch.sites,
    rules: rules.map(({ id }) => id),
  };
  const live = { ...options, fetch: options.fetch };
  // A mistyped workspace must not be made here.
  await workspace.read(async () => {});
  return withLivePages(workspace, settings, live, context, async (pages, stats, run, finish) => {
    const requests = requestsNote(stats);
    const {
      rules: decided,
      draws,
      complete,
      certificates,
    } = await validateSites(workspace, rules, pages, test, { ...options, run }, context, () => requests(stats));
    stopIfAborted(context, "the same command goes on where this one stopped");
    if (complete) await finish(draws);
    const { onePageHosts } = pages;
    const settled = settle(rules, decided, draws, true, onePageHosts);
    // Its rules are those that it came to: with them the same command goes on.
    if (!complete) await goOnWith(workspace, run, { ...settings, rules: settled.rules.map(({ id }) => id) });
    return {
      ...settled,
      certificates,
      fetched: stats,
      stopped: !complete,
      ...(onePageHosts.length > 0 && { onePageHosts }),
    };
  });
}

/** What of a validation the rules file keeps. */
export function pickCertified({ rules, certificates }: ValidateResult): Pick<RulesFile, "rules" | "certificates"> {
  return { rules, ...(certificates.length > 0 && { certificates }) };
}

/** A site that is down, or a mistyped one, does not undo verdicts: rules about unseen pages stay as they were. */
function settle(
  before: readonly Rule[],
  decided: readonly Rule[],
  draws: readonly Draw[],
  isLive: boolean,
  onePageHosts: readonly string[] = [],
): Pick<ValidateResult, "rules" | "draws" | "unseen" | "needless"> {
  const skipped = new Map<string, string[]>();
  const seen = new Set<string>();
  for (const { rule, from, outcome, why } of draws) {
    const reason = onePageHosts.includes(serverIn(from)) ? ONE_PAGE_FOR_ALL : why;
    if (outcome !== "skipped" && reason !== ONE_PAGE_FOR_ALL) seen.add(rule);
    else if (!skipped.get(rule)?.push(reason)) skipped.set(rule, [reason]);
  }
  if (seen.size === 0 && draws.length > 0) {
    const why = skippedReasons([...skipped.values()].flat())[0]!.why;
    const advice = isLive
      ? nextStep(why)
      : `to prove or refute them, let pages be fetched with --site ${siteToName(draws[0]!.from)}, or add a crawl of the site`;
    const unseen = `no page of these URLs could be seen (most often: ${why}); the rules stay as they were; ${advice}`;
    return { rules: before, draws, unseen };
  }
  const earlier = new Map(before.map((rule) => [rule.id, rule]));
  const rules = decided.map((rule) => {
    const known = rule.status === "undecided" && !seen.has(rule.id) ? earlier.get(rule.id) : undefined;
    if (known?.evidence !== undefined || known?.status === "declared") return known;
    const reasons = rule.status === "undecided" ? skippedReasons(skipped.get(rule.id) ?? []) : [];
    if (reasons.length === 0 || rule.evidence === undefined) return rule;
    return { ...rule, evidence: { ...rule.evidence, skipped: reasons } };
  });
  const left = new Set(decided.map(({ id }) => id));
  return { rules, draws, needless: before.filter(({ id }) => !left.has(id)).length };
}

function siteToName(url: string): string {
  if (!URL.canParse(url)) return "ORIGIN (and --base ORIGIN where they were added: these URLs have no host)";
  const { hostname, port } = new URL(url);
  return shellWord(`${siteOfHost(hostname)}${port === "" ? "" : `:${port}`}`);
}

/**
 * Pages of the live site for one run of `work`, which may be interrupted anywhere: with the same settings the next run
 * sees again what this one has seen, until `finish` ends it.
 */
export async function withLivePages<T>(
  workspace: Workspace,
  settings: RunSettings,
  options: Pick<ValidateJobOptions, "effects" | "similarity" | "seed" | "text"> & {
    readonly fetch: Omit<FetcherOptions, "signal">;
  },
  context: JobContext,
  work: (
    pages: LivePages,
    stats: Readonly<FetchStats>,
    run: number,
    finish: (draws: readonly Draw[]) => Promise<void>,
  ) => Promise<T>,
): Promise<T> {
  const { run, fetches } = await openRun(workspace, settings);
  const journal = new FetchJournal(workspace, run);
  const hosts = await listHosts(workspace);
  const fetcher = createFetcher({ ...options.fetch, hosts, signal: context.signal }, options.effects);
  const { similarity, seed } = options;
  try {
    const pages = new LivePages(fetcher, { similarity, seed, fetches, keep: (fetch) => journal.append(fetch) });
    return await work(pages, fetcher.stats, run, async (draws) => {
      await journal.move();
      await finishRun(workspace, run, draws, options.text);
    });
  } finally {
    await fetcher.close();
    await journal.move();
  }
}

async function validateSites<P>(
  workspace: Workspace,
  rules: readonly Rule[],
  pages: Pages<P>,
  options: ValidateOptions,
  { snapshot, assurance, run }: Pick<ValidateJobOptions, "snapshot" | "assurance"> & { readonly run: number },
  context: JobContext,
  requests?: () => string,
): Promise<{ rules: Rule[]; draws: Draw[]; certificates: Certificate[]; complete: boolean }> {
  const draws: Draw[] = [];
  const decided: Rule[] = [];
  const certificates: Certificate[] = [];
  let done = 0;
  let complete = true;
  let listed = 0;
  for (const [site, ofSite] of groupBySite(rules)) {
    // Sizes say which pages to look at first, and only where pages are looked at.
    const { urls: column, sizes } =
      pages.known === undefined
        ? await readUrlList(workspace, siteChoice(site), snapshot)
        : { urls: await readUrls(workspace, siteChoice(site), snapshot) };
    const urls = toStrings(column);
    listed += urls.length;
    let reached = 0;
    // Rules that proven ones suggest come on top of those that were given.
    let found = ofSite.length;
    const events = {
      onDraw: (draw: Draw) => {
        draws.push(draw);
        report();
      },
      onVerdict: (_: Rule, verdicts: number, all: number) => {
        [reached, found] = [verdicts, all];
        report();
      },
    };
    const report = () =>
      context.onProgress({
        step: "validating",
        done: done + reached,
        total: rules.length - ofSite.length + found,
        unit: "rules",
        note: `${requests === undefined ? "" : `${requests()}, `}${draws.length} draws`,
      });
    // An archive answers for all rules at once; only those that may hold are looked at one by one.
    const sifted =
      pages.known === undefined || options.plan === "paper"
        ? { open: ofSite, decided: [], uncovered: () => [] }
        : await drive(
            triageRules(ofSite, [...pages.known.urls()], pages.known, options),
            context,
            "the rules stay as they were",
          );
    const more =
      options.plan === "paper" ? [] : await minedWithoutSizes(site, column, urls, ofSite, pages, options.seed, context);
    const list = await drive(listName(urls), context, "the rules stay as they were");
    const drawnBefore = draws.length;
    const certify = {
      ...{ site, list, assurance, sizeOf: sizesOf(urls, sizes) },
      attemptsBefore: (rules: string) => attemptsBefore(workspace, site, list, beginningOf(run, rules)),
      onAttempt: (rules: string, attempt: number) =>
        keepAttempts(workspace, site, list, beginningOf(run, rules), attempt),
    };
    const validateOpen = (open: readonly Rule[]) =>
      validateRules(open, urls, pages, options, events, context, certify, more);
    let validated = await validateOpen(sifted.open);
    // What a rule would have merged that does not hold may be another's.
    const holding = new Set(validated.rules.filter((rule) => usableRule(rule) !== undefined).map(({ id }) => id));
    const uncovered = validated.stopped ? [] : sifted.uncovered(({ id }) => holding.has(id));
    if (uncovered.length > 0) {
      draws.length = drawnBefore;
      validated = await validateOpen([...sifted.open, ...uncovered]);
    }
    // Nothing of a validation against known pages is kept halfway: it is as quick to begin again.
    if (pages.known !== undefined) stopIfAborted(context, "the rules stay as they were");
    for (const rule of [...validated.rules, ...sifted.decided]) decided.push(rule);
    if (validated.certificate !== undefined) certificates.push(validated.certificate);
    complete &&= !validated.stopped;
    done += ofSite.length;
  }
  if (listed === 0 && rules.length > 0) {
    throw new UserError(`${workspace.file} has no URL of the sites of these rules; add what they were mined from`);
  }
  return { rules: decided, draws, certificates, complete };
}

/** Rules that are likely by the URLs alone; this many of them are tried, the most worthwhile first. */
const MOST_WITHOUT_SIZES = 40;

/**
 * Where pages change in size from look to look, the sizes in a log speak against most rules that hold. Then the list is
 * mined once more without them.
 */
async function minedWithoutSizes<P>(
  site: string,
  urls: StringColumn,
  texts: readonly string[],
  known: readonly Rule[],
  pages: Pages<P>,
  seed: number,
  context: JobContext,
): Promise<Rule[]> {
  if ((await pages.sizesVary?.(drawOrder(texts, seed))) !== true) return [];
  const options = { ...detectDefaults, ...eliminateDefaults, likely: "none" } as const;
  const { rules } = await mineSite(siteChoice(site), { urls }, options, context);
  const ids = new Set(known.map(({ id }) => id));
  return rules.filter(({ id }) => !ids.has(id)).slice(0, MOST_WITHOUT_SIZES);
}

/** What a live validation would fetch at most, and what it would leave alone and why; nothing is sent. */
export async function planValidation(
  workspace: Workspace,
  rules: readonly Rule[],
  options: ValidateJobOptions,
): Promise<FetchPlan> {
  if (options.fetch === undefined) throw new UserError("there is nothing to plan offline: no page is fetched");
  const perRule = options.plan === "paper" ? options.count : SEQUENTIAL_DRAWS;
  const urls = new Set<string>();
  for (const [site, ofSite] of groupBySite(rules)) {
    const list = await readUrls(workspace, siteChoice(site), options.snapshot);
    const ordered = drawOrder(toStrings(list), options.seed);
    for (const rule of ofSite) {
      let drawn = 0;
      for (const from of ordered) {
        const to = applyRule(rule, from);
        if (to === undefined) continue;
        urls.add(from).add(to);
        if (++drawn === perRule) break;
      }
    }
  }
  const fetcher = createFetcher({ ...options.fetch, hosts: await listHosts(workspace) });
  try {
    return fetcher.plan(urls);
  } finally {
    await fetcher.close();
  }
}

/** Straight positives that accept a rule. */
const SEQUENTIAL_DRAWS = 31;

function groupBySite(rules: readonly Rule[]): Map<string, Rule[]> {
  const sites = new Map<string, Rule[]>();
  for (const rule of rules) {
    const site = rule.site ?? ALL_SITES;
    const ofSite = sites.get(site);
    if (ofSite === undefined) sites.set(site, [rule]);
    else ofSite.push(rule);
  }
  return sites;
}
