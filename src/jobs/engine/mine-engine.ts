/** Mining where the list is larger than memory, or than one machine: the operators of engine/ instead of typed arrays. */

import { mkdirSync } from "node:fs";
import path from "node:path";
import { applyRule } from "../../canon/apply.js";
import { pairSteps } from "../../engine/detect.js";
import { type Dialect, sparkDialect } from "../../engine/dialect.js";
import type { Row, SqlEngine, Step, StepReport } from "../../engine/engine.js";
import { parameterGroupSteps } from "../../engine/parameter-groups.js";
import { runStepsBySite } from "../../engine/passes.js";
import { runSteps } from "../../engine/run-steps.js";
import { commonCrawlColumns, type UrlInputOptions, urlInputSteps, urlInputTables } from "../../engine/url-input.js";
import { pairTableOf } from "../../mine/detect/from-pairs.js";
import type { LikelyPair } from "../../mine/detect.js";
import { eliminateRedundancies } from "../../mine/eliminate.js";
import type { JobContext, ParameterPlace } from "../../model.js";
import { PRIVATE_FOLDER } from "../../store/private.js";
import { removeScratch } from "../../store/scratch.js";
import { exportUrlList, listFiles } from "../../store/urls/list-files.js";
import type { SiteChoice } from "../../store/urls/url-lists.js";
import type { Workspace } from "../../store/workspace.js";
import {
  type LikelyRule,
  type MinedSite,
  type MineOptions,
  rankByWorth,
  ruleOf,
  type Site,
  siteName,
  siteScope,
  withoutSecrets,
} from "../mine/mined-site.js";
import { type EngineChoice, outputPath, withEngine } from "./open-engine.js";

export type OnReport = (report: StepReport) => void;

/** The steps that mining takes after `urls`, `sizes` and `captures`, for people who run them elsewhere. */
export function mineSteps(dialect: Dialect, options: MineOptions): Step[] {
  return [...pairSteps(dialect, options), ...parameterGroupSteps(dialect, options)];
}

/**
 * The steps before these, from a table `input` as people have it. Nothing is asked of a cluster only to print something: there the
 * table is taken for Common Crawl's index.
 */
export async function printedInputSteps(
  input: string,
  options: UrlInputOptions,
  engineChoice: EngineChoice,
  context: JobContext,
): Promise<Step[]> {
  if (engineChoice.engine === "spark") return urlInputSteps(sparkDialect, commonCrawlColumns, options);
  return withEngine({ ...engineChoice, keepSteps: false }, context, async (engine) => {
    await engine.view("input", input);
    return urlInputSteps(engine.dialect, await engine.columns("input"), options);
  });
}

/** Mines one site of a workspace beyond memory. */
export async function mineSiteOnDisk(
  workspace: Workspace,
  choice: SiteChoice,
  options: MineOptions,
  engineChoice: EngineChoice,
  context: JobContext,
  onReport: OnReport = () => {},
): Promise<MinedSite> {
  const folder = workspace.scratch();
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
  try {
    const site: Site = { name: siteName(choice), scope: siteScope(choice) };
    const begin = performance.now();
    await exportUrlList(workspace, choice, site.name, options.snapshot, folder);
    return await withEngine(engineChoice, context, async (engine) => {
      for (const name of listFiles) await engine.view(name, path.join(folder, `${name}.parquet`));
      const [counted] = await engine.rows("urls", "SELECT count(*) AS n FROM urls");
      const urls = Number(counted!.n);
      onReport({ step: "urls", ms: performance.now() - begin, rows: urls });
      const found = await mineTables(engine, () => site, options, context, onReport);
      return found[0] ?? { ...emptySite(site.name), urls };
    });
  } finally {
    removeScratch(folder);
  }
}

/** Mines every site of a table of URLs at once: Parquet that the engine reaches, such as Common Crawl's index. */
export async function mineInput(
  input: string,
  inputOptions: UrlInputOptions,
  options: MineOptions,
  engineChoice: EngineChoice,
  context: JobContext,
  onReport: OnReport = () => {},
): Promise<MinedSite[]> {
  return withEngine(engineChoice, context, async (engine) => {
    await engine.view("input", input);
    const steps = urlInputSteps(engine.dialect, await engine.columns("input"), inputOptions);
    await runSteps(engine, steps, urlInputTables, context, onReport);
    const siteOf = (name: string): Site => {
      const choice: SiteChoice =
        inputOptions.prefix !== undefined
          ? { by: "prefix", name: inputOptions.prefix }
          : inputOptions.host !== undefined
            ? { by: "host", name: inputOptions.host }
            : inputOptions.oneSite !== undefined
              ? { by: "all" }
              : { by: "domain", name };
      return { name: siteName(choice), scope: siteScope(choice) };
    };
    const sites = await mineTables(engine, siteOf, options, context, onReport);
    if (engineChoice.output !== undefined) {
      await engine.write("pair", "SELECT * FROM pair", outputPath(engineChoice, "pairs"));
      await engine.write("parameter_group", "SELECT * FROM parameter_group", outputPath(engineChoice, "parameters"));
    }
    return sites.map(withoutSecrets);
  });
}

async function mineTables(
  engine: SqlEngine,
  siteOf: (name: string) => Site,
  options: MineOptions,
  context: JobContext,
  onReport: OnReport,
): Promise<MinedSite[]> {
  await runStepsBySite(engine, mineSteps(engine.dialect, options), ["pair", "parameter_group"], context, onReport);
  const pairs = groupBySite(await engine.rows("pair", PAIR_QUERY));
  const parameters = groupBySite(await engine.rows("parameter_group", PARAMETER_QUERY));
  const isFound = pairs.size + parameters.size > 0;
  const counts = await countUrls(engine, isFound ? SITES_WITH_RULES : LARGEST_SITES);
  // Where nothing was found, the largest sites say what was looked at.
  const names = isFound ? [...new Set([...pairs.keys(), ...parameters.keys()])] : [...counts.keys()];
  const sites = names.map((name): MinedSite => {
    const site = siteOf(name);
    const rows = pairs.get(name) ?? [];
    const examples = rows.flatMap((row) => [String(row.example_from), String(row.example_to)]);
    const survivors = eliminateRedundancies(pairTableOf(rows.map(toPair)), options);
    const rules = [
      ...(parameters.get(name) ?? []).map((row) => fromParameter(site, row)),
      ...survivors.map((pair) => fromPair(site, pair, examples)),
    ];
    return {
      ...emptySite(site.name),
      ...counts.get(name),
      detected: rows.length,
      remaining: survivors.length,
      rules: rankByWorth(rules, options.plan),
    };
  });
  return sites.sort((a, b) => b.urls - a.urls);
}

const PAIR_QUERY = `SELECT p.site AS site, alpha, beta, at_start, at_end, support_low, support_high, confirmed,
   x.url AS example_from, y.url AS example_to
 FROM pair AS p JOIN urls AS x ON x.id = p.example_alpha JOIN urls AS y ON y.id = p.example_beta
 ORDER BY site, alpha, beta, at_start, at_end`;

function emptySite(site: string): MinedSite {
  return { site, urls: 0, withSizes: 0, withSketches: 0, detected: 0, remaining: 0, rules: [] };
}

function groupBySite(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(String(row.site));
    if (group === undefined) groups.set(String(row.site), [row]);
    else group.push(row);
  }
  return groups;
}

const SITES_WITH_RULES = "SELECT site FROM pair UNION SELECT site FROM parameter_group";
const LARGEST_SITES =
  "SELECT site FROM (SELECT site, count(*) AS n FROM urls GROUP BY site ORDER BY n DESC, site LIMIT 3) AS largest";

/** Some sites, with what is known of their URLs. */
async function countUrls(engine: SqlEngine, sites: string) {
  const rows = await engine.rows(
    "urls",
    `SELECT u.site AS site, count(*) AS urls, count(s.id) AS sized, count(c.id) AS sketched FROM urls AS u
     LEFT JOIN (SELECT DISTINCT id FROM sizes) AS s ON s.id = u.id LEFT JOIN (SELECT DISTINCT id FROM captures) AS c ON c.id = u.id
     WHERE u.site IN (${sites}) GROUP BY u.site`,
  );
  const countsOf = ({ urls, sized, sketched }: Row) => ({
    urls: Number(urls),
    withSizes: Number(sized),
    withSketches: Number(sketched),
  });
  return new Map(rows.map((row) => [String(row.site), countsOf(row)]));
}

const PARAMETER_QUERY = `SELECT g.site AS site, g.place AS place, g.name AS name, g.support AS support, g.merged AS merged,
   g.confirmed AS confirmed, g.unlikely AS unlikely, x.url AS example
 FROM parameter_group AS g JOIN urls AS x ON x.id = g.example ORDER BY site, place, name`;

function toPair(row: Row, i: number): LikelyPair {
  return {
    alpha: String(row.alpha),
    beta: String(row.beta),
    start: row.at_start === true,
    end: row.at_end === true,
    supportLow: Number(row.support_low),
    supportHigh: Number(row.support_high),
    confirmed: Number(row.confirmed),
    example: [2 * i, 2 * i + 1],
  };
}

function fromPair(site: Site, pair: LikelyPair, examples: readonly string[]): LikelyRule {
  const { alpha: from, beta: to, start, end, supportLow: support, supportHigh: merges, confirmed } = pair;
  const [first, second] = pair.example;
  const example = { from: examples[first]!, to: examples[second]! };
  return ruleOf(site, {
    kind: "substring",
    from,
    to,
    start,
    end,
    scope: {},
    support,
    confirmed,
    unlikely: 0,
    merges,
    example,
  });
}

function fromParameter(site: Site, row: Row): LikelyRule {
  const action = {
    kind: "parameter",
    name: String(row.name),
    place: row.place as ParameterPlace,
    action: "remove",
  } as const;
  const counts = {
    support: Number(row.support),
    confirmed: Number(row.confirmed),
    unlikely: Number(row.unlikely),
    merges: Number(row.merged),
  };
  const url = String(row.example);
  const example = { from: url, to: applyRule({ ...action, scope: {} }, url) ?? url };
  return ruleOf(site, { ...action, scope: {}, ...counts, example });
}
