/** `mine`: likely rules of each site of a workspace. */

import { UserError } from "../errors.js";
import { declareRules, directRules } from "../mine/direction.js";
import type { JobContext, Progress, Rule, UrlList } from "../model.js";
import { drive } from "../progress.js";
import { storeAnalysis } from "../store/analyses.js";
import { readCanonicals, readSeenPairs } from "../store/pages/alias-pairs.js";
import { countMergedSpellings, type MergedSpellings } from "../store/urls/spellings.js";
import { readAskedFor } from "../store/urls/url-facts.js";
import { countUrls, listNames, listSites, readUrlList, type SiteChoice } from "../store/urls/url-lists.js";
import type { Workspace } from "../store/workspace.js";
import { Thread } from "../thread.js";
import { DEFAULT_MEMORY_BYTES, duckdbWithin, type EngineChoice } from "./engine/open-engine.js";
import { type MineSiteOptions, mineSiteHere, REMAINDER } from "./mine/mine-site.js";
import { type MinedSite, type MineOptions, siteName, withoutSecrets } from "./mine/mined-site.js";
import type { MineQuestion } from "./mine/worker.js";

/** What the workspace keeps of a mining for the report; the rules file has only what is left in the end. */
export interface MinedPhases {
  readonly sites: readonly Pick<MinedSite, "site" | "detected" | "remaining">[];
}

export interface MineResult {
  readonly sites: readonly MinedSite[];
  /** URLs that safe normalization made one, by step: dust that needs no rule. */
  readonly normalized: readonly MergedSpellings[];
  /** Every site and host that the workspace has URLs of; absent where the input is in none. */
  readonly names?: ReadonlySet<string>;
}

/** DustBuster's first three phases (2007 paper, section 5) on every site: likely rules, without a single fetch. */
export async function mine(workspace: Workspace, options: MineOptions, context: JobContext): Promise<MineResult> {
  const choices = await chooseSites(workspace, options);
  const sites: MinedSite[] = [];
  const isLarge = options.onDisk !== undefined || needsBytes(await countUrls(workspace)) > memoryOf(options);
  for (const choice of choices) {
    const engine = isLarge ? await chooseEngine(workspace, choice, options) : undefined;
    if (engine !== undefined) {
      const { mineSiteOnDisk } = await import("./engine/mine-engine.js");
      sites.push(await mineSiteOnDisk(workspace, choice, options, engine, context, options.onReport));
      continue;
    }
    const list = await readUrlList(workspace, choice, options.snapshot, context.signal);
    if (options.sites !== undefined && list.urls.count === 0) {
      const what = choice.by === "prefix" ? "URL begins with" : "URL has the host";
      if (choice.by !== "all") throw new UserError(`no ${what} ${choice.name}; "dustpan info" lists what is there`);
    }
    const mined = await mineSite(choice, list, options, context);
    const rules =
      options.plan === "paper" ? mined.rules : await directed(workspace, choice, mined.rules, options, context);
    sites.push({ ...mined, rules });
  }
  const phases: MinedPhases = { sites: sites.map(({ site, detected, remaining }) => ({ site, detected, remaining })) };
  await workspace.write((connection) => storeAnalysis(connection, "mine", null, {}, phases));
  return {
    sites: sites.map(withoutSecrets),
    normalized: await countMergedSpellings(workspace, options.snapshot),
    ...(!workspace.isInMemory && { names: await listNames(workspace) }),
  };
}

/** This many URLs of a site tell which way its rules should go, and all that it leads elsewhere. */
const DIRECTING_URLS = 20_000;

/** The rules in the direction to try first. */
async function directed(
  workspace: Workspace,
  choice: SiteChoice,
  rules: readonly Rule[],
  { snapshot }: MineOptions,
  context: JobContext,
): Promise<readonly Rule[]> {
  if (rules.length === 0) return rules;
  const { urls, requests, inSitemap } = await readAskedFor(workspace, choice, DIRECTING_URLS, snapshot);
  const seen = await readSeenPairs(workspace, snapshot);
  const redirects = new Map(seen.flatMap(({ from, to, why }) => (why === "redirect" ? [[from, to] as const] : [])));
  const canonicals = await readCanonicals(workspace, snapshot);
  const drawn = new Set(urls);
  const led = [...new Set([...redirects.keys(), ...canonicals.keys()])].filter((url) => !drawn.has(url));
  const said = {
    urls: [...urls, ...led.slice(0, DIRECTING_URLS)],
    requests: Float64Array.from({ length: urls.length + led.length }, (_, row) => requests[row] ?? 0),
    ...{ redirects, canonicals, inSitemap },
  };
  const towards = await drive(directRules(rules, said), context, REMAINDER);
  return drive(declareRules(towards, said), context, REMAINDER);
}

/** Detection takes this much for a URL of 24 tokens, columns and threads included; its own memory ends at 4 GB. */
const BYTES_PER_URL = 430;
const MOST_URLS = 16_000_000;

function needsBytes(urls: number): number {
  return urls > MOST_URLS ? Number.POSITIVE_INFINITY : urls * BYTES_PER_URL;
}

function memoryOf({ memoryBytes = DEFAULT_MEMORY_BYTES }: MineOptions): number {
  return memoryBytes;
}

/** DuckDB where it was asked for, and where the list does not fit in memory. */
async function chooseEngine(
  workspace: Workspace,
  choice: SiteChoice,
  options: MineOptions,
): Promise<EngineChoice | undefined> {
  if (options.onDisk !== undefined) return options.onDisk;
  const urls = await countUrls(workspace, choice, options.snapshot);
  if (needsBytes(urls) <= memoryOf(options)) return undefined;
  options.announce?.(
    `${siteName(choice)}: ${urls.toLocaleString("en")} URLs are more than fits in memory, so they are mined on disk by DuckDB (as with --engine duckdb)`,
  );
  return duckdbWithin(memoryOf(options));
}

/** The sites that were asked for, or all of the workspace. */
export async function chooseSites(
  workspace: Workspace,
  { sites, snapshot }: MineOptions,
): Promise<readonly SiteChoice[]> {
  if (sites !== undefined) return sites;
  return (await listSites(workspace, snapshot)).map(({ site }) => ({ by: "domain", name: site }));
}

/** Below this many URLs each step of mining is over before anybody could wait for it. */
const FEW_URLS = 10_000;

/** A long list is mined in a thread of its own: it ends at once when it is told to, wherever it is. */
export async function mineSite(
  choice: SiteChoice,
  list: UrlList,
  options: MineSiteOptions,
  context: JobContext,
): Promise<MinedSite> {
  if (list.urls.count < FEW_URLS) return mineSiteHere(choice, list, options, context);
  const { onProgress, signal } = context;
  const thread = new Thread<MineQuestion, MinedSite, Progress>(new URL("./mine/worker.js", import.meta.url), {
    ...{ onNote: onProgress, signal, remainder: REMAINDER },
  });
  try {
    return await thread.ask({ choice, list, options: settingsOf(options) });
  } finally {
    await thread.end();
  }
}

/** What the thread has to know; what else the caller's object has, such as functions, stays here. */
function settingsOf(options: MineSiteOptions): MineSiteOptions {
  const { maxTokens, lowBucket, highBucket, minSupport, likely, sketchMatches, plan } = options;
  const { maxRelativeDeficiency, maxAbsoluteDeficiency, maxWindow } = options;
  return {
    ...{ maxTokens, lowBucket, highBucket, minSupport, likely, sketchMatches, plan },
    ...{ maxRelativeDeficiency, maxAbsoluteDeficiency, maxWindow },
  };
}
