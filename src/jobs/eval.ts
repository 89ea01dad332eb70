/** `eval`: the papers' measures on three disjoint lists. */

import { asTheyAre, compile } from "../canon/compile.js";
import { rulesInUse } from "../canon/cycles.js";
import type { CanonPlan } from "../canon/kinds/kind.js";
import { verdictOf } from "../canon/legend.js";
import type { FetchStats } from "../fetch/fetcher.js";
import type { LivePages } from "../fetch/live-pages.js";
import type { JobContext, Rule, SketchColumn, UrlList, UrlPair } from "../model.js";
import { stopIfAborted } from "../progress.js";
import {
  type Cause,
  type Causes,
  type Coverage,
  countCauses,
  measureCoverage,
  measureReduction,
  type Point,
  precisionAtK,
  precisionByValidations,
  type Reduction,
  type TestUrl,
} from "../report/metrics.js";
import { storeAnalysis } from "../store/analyses.js";
import { toStrings } from "../store/columns.js";
import { readKnownPages } from "../store/pages/known-page-rows.js";
import { KnownPages } from "../store/pages/known-pages.js";
import { pickUrls, type Split, splitUrls } from "../store/urls/split-lists.js";
import { type PageFacts, readUrlListWithFacts, type UrlFacts } from "../store/urls/url-facts.js";
import type { SiteChoice } from "../store/urls/url-lists.js";
import type { Workspace } from "../store/workspace.js";
import { isErrorText, wallOfText } from "../validate/looks/walls.js";
import type { Pages } from "../validate/pages.js";
import type { Draw, ValidateOptions } from "../validate/try-rule.js";
import { validateRules } from "../validate/validate-rules.js";
import { type MineOptions, siteName } from "./mine/mined-site.js";
import { chooseSites, mineSite } from "./mine.js";
import { type ValidateJobOptions, withLivePages } from "./validate.js";

export interface EvalOptions {
  readonly mine: MineOptions;
  readonly validate: ValidateJobOptions;
  /**
   * How the three lists are made. "same" takes the whole list for all three (table 4's academic row); two snapshots give one
   * to find and prove rules on, and one to judge them by, as the paper did with two logs of one site.
   */
  readonly split: Split | "same" | TwoSnapshots;
  readonly canon: { readonly plan: CanonPlan; readonly maxRounds: number };
}

export interface TwoSnapshots {
  readonly train: string;
  readonly judge: string;
}

/** The papers' measures for one site. */
export interface EvaluatedSite {
  readonly site: string;
  /** URLs in the lists to detect, to validate and to canonize, and how they were divided. */
  readonly lists: {
    readonly detect: number;
    readonly validate: number;
    readonly canonize: number;
    readonly by: string;
  };
  /** Pairs before and after redundancy elimination (table 2), and likely rules with those on parameters. */
  readonly detected: number;
  readonly remaining: number;
  readonly likely: number;
  /** Table 3. */
  readonly valid: number;
  readonly refuted: number;
  readonly undecided: number;
  readonly draws: number;
  /** Figure 5. */
  readonly precisionAtK: readonly Point[];
  /** Figure 6. */
  readonly precisionByValidations: readonly Point[];
  /** Table 4. */
  readonly reduction: Reduction;
  readonly coverage: Omit<Coverage, "representatives" | "unequal">;
  /**
   * URLs mapped together whose sketches are not equal: those whose pages differ clearly; and those that differ in so
   * little that an advertisement may explain it, or were seen at different times, or of which one shows a wall.
   */
  readonly wrongMerges: readonly UrlPair[];
  readonly unclearMerges: number;
  /** Figure 8. */
  readonly causes: Causes;
  readonly unsettled: number;
}

/** What the workspace keeps of an evaluation for the report. */
export interface EvaluatedSites {
  readonly sites: readonly EvaluatedSite[];
}

export interface EvalResult extends EvaluatedSites {
  /** Absent offline. */
  readonly fetched?: Readonly<FetchStats>;
  /** The budget ran out: measures are of what was seen. The same call with a larger one goes on. */
  readonly stopped: boolean;
}

/** Mines, validates and canonizes on three lists of each site, and measures what came of it. Keeps the measures, and no rule. */
export async function evaluate(workspace: Workspace, options: EvalOptions, context: JobContext): Promise<EvalResult> {
  const result = await measure(workspace, options, context);
  const { split, mine, validate, canon } = options;
  const { fetch: _, ...validation } = validate;
  const evaluated: EvaluatedSites = { sites: result.sites };
  await workspace.write((connection) =>
    storeAnalysis(connection, "eval", null, { split, mine, validate: validation, canon }, evaluated),
  );
  return result;
}

async function measure(workspace: Workspace, options: EvalOptions, context: JobContext): Promise<EvalResult> {
  const { fetch, ...validation } = options.validate;
  const choices = await chooseSites(workspace, options.mine);
  const run = async <P>(pages: Pages<P>, documentsOf: DocumentSource) => {
    const sites: EvaluatedSite[] = [];
    const draws: Draw[] = [];
    for (const choice of choices) {
      const evaluated = await evaluateSite(workspace, choice, options, pages, documentsOf, context);
      sites.push(evaluated.measures);
      for (const draw of evaluated.draws) draws.push(draw);
    }
    return { sites, draws };
  };
  if (fetch === undefined) {
    const pages = new KnownPages(
      await readKnownPages(workspace, options.mine.snapshot, context.signal),
      validation.similarity,
    );
    const { sites } = await run(pages, async (list, facts) => knownDocuments(list, facts));
    return { sites, stopped: false };
  }
  const settings = { eval: { ...options, validate: validation }, sites: fetch.sites };
  return withLivePages(workspace, settings, { ...validation, fetch }, context, async (pages, stats, _, finish) => {
    const { sites, draws } = await run(pages, (list) => liveDocuments(pages, list, context));
    stopIfAborted(context, "the same command goes on where this one stopped");
    const stopped = (stats.outcomes.budgetExhausted ?? 0) > 0;
    if (!stopped) await finish(draws);
    return { sites, fetched: stats, stopped };
  });
}

async function evaluateSite<P>(
  workspace: Workspace,
  choice: SiteChoice,
  { mine, validate, split, canon: canonOptions }: EvalOptions,
  pages: Pages<P>,
  documentsOf: DocumentSource,
  context: JobContext,
): Promise<{ measures: EvaluatedSite; draws: Draw[] }> {
  const site = siteName(choice);
  const { lists, by } = await divide(workspace, choice, split, mine.snapshot, validate.seed);
  const mined = await mineSite(choice, lists.detect.list, mine, context);
  const draws: Draw[] = [];
  const test: ValidateOptions = { ...validate, now: () => new Date() };
  const { rules } = await validateRules(
    mined.rules,
    toStrings(lists.validate.list.urls),
    pages,
    test,
    {
      onDraw: (draw) => draws.push(draw),
      onVerdict: (_, done, total) => context.onProgress({ step: `validating on ${site}`, done, total, unit: "rules" }),
    },
    context,
    { site, list: "", assurance: validate.assurance, attemptsBefore: async () => 0, onAttempt: async () => {} },
  );
  const { list: canonized, facts } = lists.canonize;
  const documents = await documentsOf(canonized, facts.pages);
  const tests = toStrings(canonized.urls).map((url, i): TestUrl => {
    const name = documents.names[i];
    return { url, hits: facts.hits[i]!, bytes: facts.bytes[i]!, ...(name !== undefined && { document: name }) };
  });
  const canon = compile(rulesInUse(rules).rules, { ...canonOptions, use: asTheyAre });
  const { representatives, unequal, ...coverage } = measureCoverage(tests, canon);
  const wrongMerges = await findClearlyDifferent(unequal, pages);
  const countOf = (status: Rule["status"]) => rules.filter((rule) => verdictOf(rule) === status).length;
  const measures: EvaluatedSite = {
    site,
    lists: {
      detect: lists.detect.list.urls.count,
      validate: lists.validate.list.urls.count,
      canonize: lists.canonize.list.urls.count,
      by,
    },
    detected: mined.detected,
    remaining: mined.remaining,
    likely: mined.rules.length,
    valid: countOf("valid"),
    refuted: countOf("refuted"),
    undecided: countOf("undecided"),
    draws: draws.length,
    precisionAtK: precisionAtK(mined.rules, rules),
    precisionByValidations: precisionByValidations(rules, draws, validate.epsilon),
    reduction: measureReduction(tests, canon),
    coverage,
    wrongMerges,
    unclearMerges: unequal.length - wrongMerges.length,
    causes: countCauses({ ...coverage, unequal, representatives }, (group) => documents.causeOf(group)),
    unsettled: canon.unsettled.count,
  };
  return { measures, draws };
}

type ListWithFacts = Awaited<ReturnType<typeof readUrlListWithFacts>>;

/** The lists to detect, to validate and to canonize, and how they were made. */
async function divide(
  workspace: Workspace,
  choice: SiteChoice,
  split: EvalOptions["split"],
  snapshot: string | undefined,
  seed: number,
): Promise<{ lists: Record<"detect" | "validate" | "canonize", ListWithFacts>; by: string }> {
  if (typeof split === "object") {
    const train = await readUrlListWithFacts(workspace, choice, split.train);
    const judge = await readUrlListWithFacts(workspace, choice, split.judge);
    return { lists: { detect: train, validate: train, canonize: judge }, by: "snapshot" };
  }
  const all = await readUrlListWithFacts(workspace, choice, snapshot);
  if (split === "same") return { lists: { detect: all, validate: all, canonize: all }, by: "same" };
  const { by, ...rows } = splitUrls(all.list.urls, all.facts.firstMs, split, seed);
  const pick = (some: Uint32Array): ListWithFacts => ({
    list: pickUrls(all.list, some),
    facts: pickFacts(all.facts, some),
  });
  return {
    lists: { detect: pick(rows.detect), validate: pick(rows.validate), canonize: pick(rows.canonize) },
    by,
  };
}

function pickFacts({ firstMs, hits, bytes, pages }: UrlFacts, rows: Uint32Array): UrlFacts {
  const pick = (values: Float64Array) => Float64Array.from(rows, (row) => values[row]!);
  return { firstMs: pick(firstMs), hits: pick(hits), bytes: pick(bytes), pages: Array.from(rows, (row) => pages[row]) };
}

/** Looks of their own: what validation saw and learned has no part in judging it. */
const JUDGING_LOOKS = 10;

/** The pairs that are not one page, or of which one is none. */
async function findClearlyDifferent<P>(pairs: readonly UrlPair[], pages: Pages<P>): Promise<UrlPair[]> {
  const wrong: UrlPair[] = [];
  for (const pair of pairs) {
    const looks: [P[], P[]] = [[], []];
    let later = false;
    for (let look = JUDGING_LOOKS; ; look++) {
      const a = await pages.view(pair.from, look, later);
      const b = await pages.view(pair.to, look, later);
      if (a.seen !== "page" || b.seen !== "page") {
        if ((a.seen === "missing") !== (b.seen === "missing")) wrong.push(pair);
        break;
      }
      looks[0].push(a.page);
      looks[1].push(b.page);
      const { sameness, lookAgain, isClock = false } = pages.compare(...looks, true);
      later = isClock;
      if (lookAgain) continue;
      if (sameness === "different") wrong.push(pair);
      break;
    }
  }
  return wrong;
}

/** The documents of a list's URLs by name, where known, and why URLs have one in common. */
interface Documents {
  readonly names: readonly (string | undefined)[];
  readonly causeOf: (group: readonly TestUrl[]) => Cause;
}

type DocumentSource = (list: UrlList, facts: readonly (PageFacts | undefined)[]) => Promise<Documents>;

function knownDocuments({ urls, sketches }: UrlList, facts: readonly (PageFacts | undefined)[]): Documents {
  const names = Array.from({ length: urls.count }, (_, i) => sketches && sketchName(sketches, i));
  const byUrl = new Map(toStrings(urls).map((url, i) => [url, facts[i]]));
  return { names, causeOf: (group) => causeOf(group, (url) => byUrl.get(url)) };
}

/** Of the latest capture. */
function sketchName({ rows, kind, values }: SketchColumn, row: number): string | undefined {
  const last = rows[row + 1]! - 1;
  if (last < rows[row]!) return undefined;
  return `${kind[last]} ${values.subarray(4 * last, 4 * last + 4).join(" ")}`;
}

/** Fetches every URL of the list, as the paper did; what the budget does not reach stays unknown. */
async function liveDocuments(pages: LivePages, list: UrlList, context: JobContext): Promise<Documents> {
  const urls = toStrings(list.urls);
  const names: (string | undefined)[] = [];
  const facts = new Map<string, PageFacts>();
  for (const [done, url] of urls.entries()) {
    context.onProgress({ step: "fetching the list to canonize", done, total: urls.length, unit: "URLs" });
    const view = await pages.view(url, JUDGING_LOOKS);
    const again = pages.hasChangingPages && view.seen === "page" ? await pages.view(url, JUDGING_LOOKS + 1) : view;
    if (view.seen === "stopped" || again.seen === "stopped") break;
    if (view.seen === "page") {
      facts.set(url, {
        mediaType: view.page.mediaType ?? null,
        digest: view.page.digest ?? null,
        text: view.page.text,
      });
      names.push(pages.nameOf(again.seen === "page" ? [view.page, again.page] : [view.page]));
    } else names.push(view.why === SOFT_ERROR ? SOFT_ERROR : undefined);
  }
  return {
    names: urls.map((_, i) => names[i]),
    causeOf: (group) => (group[0]!.document === SOFT_ERROR ? "softError" : causeOf(group, (url) => facts.get(url))),
  };
}

/** What LivePages calls a page that looks like the answer for one that cannot exist. */
const SOFT_ERROR = "soft 404";
const IMAGE_NAME = /\.(?:gif|jpe?g|png|ico|svg|webp|bmp)(?:[?;]|$)/i;

/** Figure 8's kinds; exact copies have the same bytes, the rest the same text in other bytes. */
function causeOf(group: readonly TestUrl[], factsOf: (url: string) => PageFacts | undefined): Cause {
  const facts = group.map(({ url }) => factsOf(url));
  const isImage = facts.every((page, i) => page?.mediaType?.startsWith("image/") ?? IMAGE_NAME.test(group[i]!.url));
  if (isImage) return "image";
  const text = facts[0]?.text ?? "";
  if (wallOfText(text) !== undefined || isErrorText(text)) return "softError";
  const digest = facts[0]?.digest;
  return digest != null && facts.every((page) => page?.digest === digest) ? "copy" : "similar";
}
