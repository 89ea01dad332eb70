/** `report`: gathers what the report says and writes it. */

import { readFileSync } from "node:fs";
import path from "node:path";
import type { RulesFile } from "../canon/file/rules-file.js";
import { causeOf } from "../canon/kinds.js";
import { byStanding, verdictOf } from "../canon/legend.js";
import type { ContainsResult } from "../documents.js";
import type { JobContext, Rule } from "../model.js";
import { drive } from "../progress.js";
import {
  type DustRow,
  type Listed,
  type ReportCopies,
  type ReportData,
  type ReportRule,
  type ReportSettings,
  reportRule,
} from "../report/data.js";
import { type CountedDust, DustCounts } from "../report/dust-count.js";
import { DustRows, dustRow } from "../report/dust-rows.js";
import { packExports } from "../report/exports-html.js";
import type { FigureData } from "../report/figures/figure.js";
import { maskTables } from "../report/mask-tables.js";
import { type Causes, type Point, precisionAtK, precisionByValidations } from "../report/metrics.js";
import { renderReport } from "../report/page.js";
import {
  engineVersion,
  type LastRun,
  readAnalyses,
  readLastRun,
  readShownUrls,
  withReportData,
} from "../store/browse/report-data.js";
import { toStrings } from "../store/columns.js";
import { readAvoided } from "../store/copies/avoid-entries.js";
import { countMergedSpellings } from "../store/urls/spellings.js";
import { readUrls } from "../store/urls/url-lists.js";
import { writeWhole } from "../store/whole-file.js";
import type { Workspace } from "../store/workspace.js";
import { maskSecrets } from "../url/mask.js";
import { certificateStates, toldCertificates } from "../validate/certificate-state.js";
import { listName } from "../validate/list-name.js";
import type { SnapshotClusters } from "./cluster.js";
import type { CollectionsResult } from "./collections.js";
import { copyFigures } from "./copy-figures.js";
import type { EvaluatedSite, EvaluatedSites } from "./eval.js";
import type { EvolveResult } from "./evolve.js";
import { siteChoice } from "./mine/mined-site.js";
import type { MinedPhases } from "./mine.js";
import type { SnapshotMirrors } from "./mirrors.js";

export interface ReportOptions {
  /** Only this snapshot; all of them where absent. */
  readonly snapshot?: string;
  /** Show session ids and tokens. */
  readonly unmask: boolean;
  /** Name of the rules file, for the settings. */
  readonly rulesFile: string;
  /** Is shown every URL that rules change, beyond those that the report has. */
  readonly onDust?: (row: DustRow) => void;
  readonly now?: () => Date;
}

/** Writes the report in one step, and returns the data behind it. */
export async function writeReport(
  workspace: Workspace,
  rules: RulesFile,
  file: string,
  options: ReportOptions,
  context: JobContext,
): Promise<ReportData> {
  const data = await collectReport(workspace, rules, options, context);
  writeWhole(file, renderReport(data, packExports(rules)));
  return data;
}

const PROVEN_SHOWN = 150;
const OTHERS_SHOWN = 50;
const LIKELY_SHOWN = 20;
const SITES_SHOWN = 25;

/** Everything the report says. All URLs are canonized once; what is kept of them are sums. */
export async function collectReport(
  workspace: Workspace,
  file: RulesFile,
  options: ReportOptions,
  context: JobContext,
): Promise<ReportData> {
  const { snapshot, now = () => new Date() } = options;
  const mask = options.unmask ? (text: string) => text : maskSecrets;
  const { rules, settings } = file;
  const counts = new DustCounts(rules);
  const { used, dropped, proven, handled, ours, all } = counts;

  const fetched = await readShownUrls(workspace);
  const { facts, dust, own, rows } = await withReportData(workspace, snapshot, context, async (data) => {
    await counts.read(data, context);
    context.onProgress({ step: "summing up", done: all.total.urls, unit: "URLs" });
    const found = await data.readFacts(all.columns());
    const counted = all.finish(found.kept);
    const unseen = new Set([...all.missingTargets(found.kept)].filter((url) => !fetched.has(url)));
    const dustRows = new DustRows();
    await all.list(data, context, (url) => {
      dustRows.take(url);
      options.onDust?.(dustRow(url, mask, unseen));
    });
    return {
      rows: dustRows.finish(mask, unseen),
      facts: found,
      dust: counted,
      own: all === ours ? counted : ours.finish(await data.findKept(ours.columns())),
    };
  });
  const run = await readLastRun(workspace);
  const spellings = await countMergedSpellings(workspace, snapshot);
  const kept = await readAnalyses(workspace, ["mine", "eval"]);

  const inUse = new Map(used.map((rule) => [rule.id, rule]));
  const left = rules.filter(({ id, decision }) => !inUse.has(id) && decision !== "rejected");
  const isDropped = new Set(dropped.map(({ id }) => id));
  const show = (list: readonly Rule[], most: number, counts?: CountedDust): Listed<ReportRule> => ({
    shown: list.slice(0, most).map((rule) => reportRule(rule, mask, counts?.byRule.get(rule))),
    more: Math.max(0, list.length - most),
  });
  const bySaved = (counts: CountedDust) => (a: Rule, b: Rule) =>
    (counts.byRule.get(b)?.urls ?? 0) - (counts.byRule.get(a)?.urls ?? 0) || b.support - a.support;
  const bySupport = (a: Rule, b: Rule) => b.support - a.support;
  const withStatus = (status: Rule["status"]) =>
    left.filter((rule) => rule.status === status && !isDropped.has(rule.id)).sort(bySupport);
  return {
    made: now().toISOString(),
    masked: !options.unmask,
    read: facts.read,
    dust: {
      all: all.total,
      dust: all.dust,
      saved: dust.saved,
      copyBytes: all.copyBytes,
      savedCopyBytes: dust.savedCopyBytes,
      unsettled: dust.unsettled,
    },
    sites: { shown: facts.sites.slice(0, SITES_SHOWN), more: Math.max(0, facts.sites.length - SITES_SHOWN) },
    crawlers: facts.crawlers,
    certificates: certificateStates(file, await changedLists(workspace, file, context)),
    rules: {
      proven: show([...proven].sort(bySaved(dust)), PROVEN_SHOWN, dust),
      handled: show([...handled].sort(bySaved(dust)), OTHERS_SHOWN, dust),
      refuted: show(withStatus("refuted"), OTHERS_SHOWN),
      undecided: show(withStatus("undecided"), OTHERS_SHOWN),
      likely: show(byStanding(withStatus("likely")), LIKELY_SHOWN),
      declared: withStatus("declared").length,
      rejected: rules.filter(({ decision }) => decision === "rejected").length,
      dropped: dropped.slice(0, OTHERS_SHOWN).map((rule) => reportRule(rule, mask)),
    },
    handled: { ...facts.handled, saved: dust.saved.urls - own.saved.urls },
    tables: maskTables(facts.tables, rules, mask),
    rows,
    spellings: spellings.map(({ step, urls, example }) => ({
      step,
      urls,
      example: { from: mask(example.from), to: mask(example.to) },
    })),
    figures: {
      ...evalFigures(kept.get("eval") as EvaluatedSites | undefined),
      ...ruleFigures(rules, run),
      ...phaseFigure(rules, kept.get("mine") as MinedPhases | undefined),
      ...dustFigures(dust.byFirst, spellings, facts.sites, mask),
      ...(await copyFigures(workspace, mask)),
    },
    ...(await collectCopies(workspace, mask)),
    settings: {
      versions: { dustpan: packageVersion(), node: process.versions.node, duckdb: engineVersion() },
      workspace: path.basename(workspace.file),
      rulesFile: path.basename(options.rulesFile),
      ...(snapshot !== undefined && { snapshot }),
      mining: settings,
      ...(run !== undefined && { validation: validationOf(run) }),
    },
  };
}

function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  return String(version);
}

/** Sites with a certificate whose lists of URLs have changed since. */
async function changedLists(
  workspace: Workspace,
  { certificates = [] }: RulesFile,
  context: JobContext,
): Promise<Set<string>> {
  const changed = new Set<string>();
  for (const { site, list } of toldCertificates(certificates)) {
    const urls = toStrings(await readUrls(workspace, siteChoice(site)));
    if ((await drive(listName(urls), context, "nothing was written")) !== list) changed.add(site);
  }
  return changed;
}

/** How the last validation was made; its rules are listed elsewhere. */
function validationOf({ settings, started }: LastRun): NonNullable<ReportSettings["validation"]> {
  const { rules: _, ...shown } = settings;
  return { ...shown, started };
}

function ruleFigures(rules: readonly Rule[], run: LastRun | undefined): Partial<FigureData> {
  if (run === undefined || run.draws.length === 0) return {};
  const { rules: ids, epsilon } = run.settings;
  const likely = ids.map((id) => ({ id }));
  const precision = precisionAtK(likely, rules);
  const validations = precisionByValidations(rules, run.draws, epsilon);
  return {
    ...(precision.length > 0 && { "precision-at-k": [{ name: "all rules", points: precision }] }),
    ...(validations.length > 0 && {
      "precision-by-validations": [{ name: "substring rules", points: validations }],
    }),
  };
}

/** The papers' measures as `dustpan eval` took them last; what was found since about the rules in use goes before. */
function evalFigures(evaluated: EvaluatedSites | undefined): Partial<FigureData> {
  if (evaluated === undefined || evaluated.sites.length === 0) return {};
  const { sites } = evaluated;
  const named = ({ site }: EvaluatedSite) => site || "all URLs";
  const series = (pick: (site: EvaluatedSite) => readonly Point[]) =>
    sites.map((site) => ({ name: named(site), points: pick(site) })).filter(({ points }) => points.length > 0);
  const precision = series((site) => site.precisionAtK);
  const validations = series((site) => site.precisionByValidations);
  const sum = (cause: keyof Causes) => sites.reduce((total, { causes }) => total + causes[cause], 0);
  return {
    ...(precision.length > 0 && { "precision-at-k": precision }),
    ...(validations.length > 0 && { "precision-by-validations": validations }),
    redundancy: sites.map((site) => ({
      site: named(site),
      urls: site.reduction.before,
      saved: site.reduction.redundancy,
    })),
    "duplicates-by-cause": {
      covered: sum("covered"),
      image: sum("image"),
      softError: sum("softError"),
      copy: sum("copy"),
      similar: sum("similar"),
    },
  };
}

function phaseFigure(rules: readonly Rule[], mined: MinedPhases | undefined): Partial<FigureData> {
  if (mined === undefined || mined.sites.length === 0) return {};
  const proven = (name: string) =>
    rules.filter((rule) => rule.kind === "substring" && rule.site === name && verdictOf(rule) === "valid").length;
  return {
    "rules-per-phase": mined.sites.map(({ site, detected, remaining }) => ({
      site: site || "all URLs",
      detected,
      remaining,
      proven: proven(site),
    })),
  };
}

const CAUSES_SHOWN = 8;

function dustFigures(
  byFirst: ReadonlyMap<Rule, number>,
  spellings: readonly { readonly step: string; readonly urls: number }[],
  sites: readonly { readonly site: string; readonly urls: number; readonly savedUrls: number }[],
  mask: (text: string) => string,
): Partial<FigureData> {
  const urlsOf = new Map<string, number>();
  const addCause = (name: string, urls: number) => urlsOf.set(name, (urlsOf.get(name) ?? 0) + urls);
  for (const [rule, urls] of byFirst) addCause(causeOf(reportRule(rule, mask).action), urls);
  for (const { step, urls } of spellings) addCause(`spelling: ${step}`, urls);
  const causes = [...urlsOf]
    .map(([name, urls]) => ({ name, urls }))
    .filter(({ urls }) => urls > 0)
    .sort((a, b) => b.urls - a.urls);
  const others = causes.slice(CAUSES_SHOWN);
  const shown = causes.slice(0, CAUSES_SHOWN);
  if (others.length > 0) {
    shown.push({ name: `${others.length} other causes`, urls: others.reduce((sum, { urls }) => sum + urls, 0) });
  }
  const redundancy = sites
    .filter(({ savedUrls }) => savedUrls > 0)
    .slice(0, 12)
    .map(({ site, urls, savedUrls }) => ({ site: site || "all URLs", urls, saved: savedUrls / urls }));
  return {
    ...(shown.length > 0 && { "dust-by-rule": shown }),
    ...(redundancy.length > 0 && { redundancy }),
  };
}

const COLLECTIONS_SHOWN = 20;
const ROOTS_SHOWN = 4;
const HOSTS_SHOWN = 20;
const CLUSTERS_IN_REPORT = 10;
const PATTERNS_SHOWN = 10;

/** What is known about copies. */
async function collectCopies(
  workspace: Workspace,
  mask: (text: string) => string,
): Promise<Pick<ReportData, "copies">> {
  const kept = await readAnalyses(workspace, ["collections", "mirrors", "clusters-similar", "contains", "evolution"]);
  const collections = kept.get("collections") as CollectionsResult | undefined;
  const mirrors = kept.get("mirrors") as SnapshotMirrors | undefined;
  const spared = mirrors === undefined ? [] : await readAvoided(workspace, mirrors.snapshot, "mirror");
  const clusters = kept.get("clusters-similar") as SnapshotClusters | undefined;
  const contains = kept.get("contains") as ContainsResult | undefined;
  const evolution = kept.get("evolution") as EvolveResult | undefined;
  const list = <T, U>(all: readonly T[], most: number, show: (entry: T) => U): Listed<U> => ({
    shown: all.slice(0, most).map(show),
    more: Math.max(0, all.length - most),
  });
  const copies: ReportCopies = {
    ...(collections && {
      collections: {
        snapshot: collections.snapshot,
        pages: collections.pages,
        replicatedPages: collections.replicatedPages,
        avoidable: collections.avoid.pages,
        entries:
          collections.avoid.hosts +
          collections.avoid.prefixes +
          collections.avoid.singlePages +
          collections.avoid.exceptions,
        ...(collections.simulation && { replay: collections.simulation }),
        shown: list(
          [...collections.clusters].sort((a, b) => b.size * (b.cardinality - 1) - a.size * (a.cardinality - 1)),
          COLLECTIONS_SHOWN,
          ({ name, cardinality, size, replicas }) => ({
            name: mask(name),
            copies: cardinality,
            size,
            roots: replicas.slice(0, ROOTS_SHOWN).map(({ root }) => mask(root)),
          }),
        ),
      },
    }),
    ...(mirrors && {
      mirrors: {
        snapshot: mirrors.snapshot,
        share: mirrors.share,
        avoidable: spared.reduce((sum, { pages }) => sum + pages, 0),
        pages: mirrors.share === 0 ? 0 : Math.round(mirrors.mirroredPages / mirrors.share),
        groups: list(mirrors.groups, COLLECTIONS_SHOWN, (hosts) => {
          const kept = spared.find(
            ({ kind, value }) => kind !== "except" && hosts.includes(value.split("/")[0]!),
          )?.keep;
          return { hosts: hosts.slice(0, HOSTS_SHOWN), ...(kept !== undefined && { kept: mask(kept) }) };
        }),
      },
    }),
    ...(clusters && {
      clusters: {
        snapshot: clusters.snapshot,
        ...{ documents: clusters.documents, clustered: clusters.clustered, clusters: clusters.clusters },
        share: clusters.share,
        largest: clusters.largest.slice(0, CLUSTERS_IN_REPORT).map(({ size, hosts, kind, title, representative }) => ({
          ...{ size, hosts, kind, url: mask(representative) },
          ...(title !== undefined && { title: mask(title) }),
        })),
      },
    }),
    ...(contains && {
      parts: {
        snapshot: contains.snapshot,
        pages: contains.pages,
        parts: contains.parts,
        patterns: list(contains.patterns, PATTERNS_SHOWN, ({ part, whole, pairs, example }) => ({
          ...{ part: mask(part), whole: mask(whole), pairs },
          example: { part: mask(example.part), whole: mask(example.whole) },
        })),
      },
    }),
    ...(evolution && {
      advice: {
        clusters: evolution.advice.savedFetches === 0 ? 0 : evolution.advice.advised,
        savedFetches: evolution.advice.savedFetches,
        savedBytes: evolution.advice.savedBytes,
        expectedMissed: evolution.advice.expectedMissed,
      },
    }),
  };
  return Object.keys(copies).length === 0 ? {} : { copies };
}
