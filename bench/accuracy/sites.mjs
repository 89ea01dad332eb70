/**
 * Real third-party sites on loopback: mines each site's own log, proves the rules on the live server, and measures what
 * they merge against a crawl of the whole site.
 *   npm run build && node bench/accuracy/sites.mjs SITES_FOLDER [NAME...] [--seeds 1] [--plans]
 * SITES_FOLDER holds sites.sh and a folder per site with crawl.jsonl.xz and access logs. `--plans` validates the same
 * rules on the paper's plan too and compares fetches and verdicts. Writes runs/DATE-sites.{md,json} after every run, and
 * keeps what it says of other sites; fails where a rule of the sequential plan merges pages that differ.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { applyRule } from "#src/canon/apply.js";
import { compile } from "#src/canon/compile.js";
import { rulesInUse } from "#src/canon/cycles.js";
import { describeRule } from "#src/canon/describe.js";
import { reverse } from "#src/canon/kinds.js";
import { createFetcher } from "#src/fetch/fetcher.js";
import { add } from "#src/jobs/add.js";
import { mine } from "#src/jobs/mine.js";
import { validate, validateDefaults } from "#src/jobs/validate.js";
import { swapsData } from "#src/mine/swaps-data.js";
import { measureCoverage } from "#src/report/metrics.js";
import { Workspace } from "#src/store/workspace.js";
import { compareLive } from "./compare-live.mjs";
import { readCrawl } from "./crawl-pages.mjs";
import { miningDefaults } from "./defaults.mjs";
import { reachOf, UNKNOWN } from "./random/reach.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seeds: { type: "string", default: "1" }, plans: { type: "boolean" } },
});
const [folder, ...names] = positionals;
if (folder === undefined) throw new Error("usage: node bench/accuracy/sites.mjs SITES_FOLDER [NAME...]");
const sites = names.length > 0 ? names : ["apache-docs", "cgit", "mediawiki", "verdaccio"];
const context = { onProgress: () => {}, signal: new AbortController().signal };
/** Kinds of missed duplicates that are told. */
const MOST_MISSED = 10;
/** Doubtful merges that are looked at again on the live server; more than that are reported as unchecked. */
const mostChecked = 500;

const date = new Date().toISOString().slice(0, 10);
const runFile = (extension) => new URL(`./runs/${date}-sites.${extension}`, import.meta.url);
const earlier = existsSync(runFile("json")) ? JSON.parse(readFileSync(runFile("json"), "utf8")) : [];
const results = earlier.filter(({ name, plan }) => plan !== undefined && !sites.includes(name));
for (const name of sites) await measureSite(name);
const wrong = ({ name, plan, wrongMerges }) => plan === "sequential" && sites.includes(name) && wrongMerges > 0;
if (results.some(wrong)) process.exitCode = 1;

async function measureSite(name) {
  const up = spawnSync(path.join(folder, "sites.sh"), ["up", name], { encoding: "utf8" });
  const origin = /UP \S+ (http:\/\/127\.0\.0\.1:\d+)/.exec(up.stdout)?.[1];
  if (origin === undefined) throw new Error(`${name} did not come up: ${up.stdout}${up.stderr}`);
  const work = mkdtempSync(path.join(tmpdir(), "dustpan-sites-bench-"));
  try {
    const crawl = path.join(folder, name, "crawl.jsonl.xz");
    const pages = await readCrawl(crawl);
    // What rules can express, by the texts of the crawl alone: `random/reach.mjs`.
    const reach = reachOf(
      { truth: (url) => pages.get(url) ?? UNKNOWN },
      [...pages.keys()],
      (action) => !swapsData(action),
    );
    const runs = [];
    for (let seed = 1; seed <= Number(values.seeds); seed++) runs.push({ seed, plan: "sequential" });
    if (values.plans) runs.push({ seed: 1, plan: "paper" });
    let ours;
    for (const { seed, plan } of runs) {
      // A workspace of its own for each: a run must not know what another has fetched.
      const workspace = Workspace.at(path.join(work, `${plan}-${seed}.duckdb`));
      const logs = readdirSync(path.join(folder, name)).filter((file) => /^access.*\.log\.xz$/.test(file));
      // A site whose log is not an access log is mined from the crawl's list of URLs.
      const inputs = name === "verdaccio" ? [crawl] : logs.map((file) => path.join(folder, name, file));
      await add(workspace, inputs, { snapshot: "default", base: origin, text: false }, () => {}, context);
      const mined = await mine(workspace, miningDefaults, context);
      const likely = mined.sites.flatMap(({ rules }) => rules);
      const options = { ...validateDefaults, plan, seed, ...(plan === "paper" && { similarity: "shingles-4/4" }) };
      const fetch = { sites: [origin], delayMs: 0, maxRequests: 100_000 };
      const requestsAfter = new Map();
      const onProgress = ({ note }) => {
        const [, requests, draws] = /^([\d,]+) requests? .*, ([\d,]+) draws?$/.exec(note ?? "") ?? [];
        const numberOf = (text) => Number(text.replaceAll(",", ""));
        if (draws !== undefined) requestsAfter.set(numberOf(draws), numberOf(requests));
      };
      const validated = await validate(workspace, likely, { ...options, fetch }, { ...context, onProgress });
      const requestsBeyond = countBeyond(validated.draws, likely, requestsAfter);
      const urls = mined.sites.reduce((sum, site) => sum + site.urls, 0);
      const { rules, ...measures } = await describeRun(validated, pages, reach, origin);
      ours ??= rules;
      const row = { name, seed, plan, urls, likely: likely.length, requestsBeyond, ...measures };
      results.push(plan === "paper" ? { ...row, verdicts: compareVerdicts(likely, ours, rules, pages) } : row);
      results.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
      console.log(line(row));
      report(results);
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
    spawnSync(path.join(folder, "sites.sh"), ["down", name]);
  }
}

/** Requests for rules that are not in the list of likely ones: narrower scopes, and what proven rules suggest. */
function countBeyond(draws, likely, requestsAfter) {
  if (requestsAfter.size === 0) throw new Error("progress does not say draws and requests as it did");
  const listed = new Set(likely.map(({ id }) => id));
  let beyond = 0;
  let before = 0;
  for (const [i, { rule }] of draws.entries()) {
    const after = requestsAfter.get(i + 1) ?? before;
    if (!listed.has(rule)) beyond += after - before;
    before = after;
  }
  return beyond;
}

async function describeRun(validated, pages, reach, origin) {
  const { rules } = rulesInUse(validated.rules);
  const canon = compile(rules, { use: (rule) => rule });
  const tests = Array.from(pages, ([url, document]) => ({ url, document, hits: 1, bytes: Number.NaN }));
  const { before, coverage, representatives, unequal } = measureCoverage(tests, canon);
  const wrong = await findDifferent(unequal, origin);
  const has = (status) => validated.rules.filter((rule) => rule.status === status && rule.opposite?.status !== "valid");
  return {
    rules: validated.rules,
    proven: rules.map(describeRule),
    refuted: has("refuted").length,
    undecided: has("undecided").length,
    draws: validated.draws.length,
    requests: validated.fetched.requests,
    crawled: pages.size,
    duplicates: before,
    covered: coverage,
    expressible: reach.merged,
    // Merges of the crawl's duplicates: what was different then is not among what rules can express.
    reached: coverage * before,
    missed: reach.missedBy(canon).slice(0, MOST_MISSED),
    mergedUrls: pages.size - representatives.length,
    doubtfulMerges: unequal.length,
    uncheckedMerges: Math.max(0, unequal.length - mostChecked),
    wrongMerges: wrong.length,
    wrongExamples: wrong.slice(0, 5),
  };
}

/**
 * Merged URLs whose texts differed in the crawl and that are not one page when fetched now: by their whole texts, menus and
 * all, with looks that have nothing to do with those of the validation.
 */
async function findDifferent(doubtful, origin) {
  const fetcher = createFetcher({ sites: [origin], delayMs: 0, maxRequests: 20 * mostChecked });
  const wrong = [];
  for (const { from, to } of doubtful.slice(0, mostChecked)) {
    if ((await compareLive(fetcher, from, to)) === "different") wrong.push([from, to]);
  }
  await fetcher.close();
  return wrong;
}

/**
 * For each likely rule, what the two plans say of it. A rule that is not in the result any more refines a valid one, or
 * does only what valid ones do. Where they differ, the crawl says who is right, as far as it has both URLs of a pair.
 */
function compareVerdicts(likely, ours, papers, pages) {
  const statusIn = (rules) => {
    const byId = new Map(rules.map((rule) => [rule.id, rule]));
    return (rule) => {
      const found = byId.get(rule.id);
      if (found === undefined || found.status === "valid" || found.opposite?.status === "valid") return "valid";
      return found.status;
    };
  };
  const [oursOf, papersOf] = [statusIn(ours), statusIn(papers)];
  const compared = { same: 0, oursRight: 0, papersRight: 0, unknown: 0, differing: [] };
  for (const rule of likely) {
    const verdicts = [oursOf(rule), papersOf(rule)];
    // Refuted and undecided come to the same: the rule is not used.
    if ((verdicts[0] === "valid") === (verdicts[1] === "valid")) {
      compared.same++;
      continue;
    }
    const directions = rule.kind === "substring" ? [rule, reverse(rule)] : [rule];
    const shares = directions.map((applied) => agreement(applied, pages));
    const known = shares.filter(({ pairs }) => pairs > 0);
    const isTrue = known.some(({ pairs, equal }) => pairs === equal);
    const right = known.length === 0 ? "unknown" : isTrue === (verdicts[0] === "valid") ? "oursRight" : "papersRight";
    compared[right]++;
    compared.differing.push({
      rule: describeRule(rule),
      sequential: verdicts[0],
      paper: verdicts[1],
      pairs: shares,
      right,
    });
  }
  return compared;
}

/** Pairs of the crawl that the rule makes, and how many of them have the same text. */
function agreement(rule, pages) {
  let pairs = 0;
  let equal = 0;
  for (const [url, text] of pages) {
    const to = applyRule(rule, url);
    const other = to === undefined ? undefined : pages.get(to);
    if (other === undefined) continue;
    pairs++;
    if (other === text) equal++;
  }
  return { pairs, equal };
}

function line(r) {
  const cells = [r.name, r.seed, r.plan, r.urls, r.likely, r.proven.length, r.refuted, r.undecided];
  const ofExpressible = r.expressible === 0 ? "-" : percent(r.reached / r.expressible);
  const covered = [r.duplicates, percent(r.covered), r.expressible, ofExpressible];
  const measured = [r.draws, r.requests, r.crawled, ...covered, r.mergedUrls, r.wrongMerges];
  return `| ${[...cells, ...measured].join(" | ")} |`;
}

function percent(share) {
  return `${(100 * share).toFixed(1)}%`;
}

function report(rows) {
  const lines = [
    `# Real sites, ${date}`,
    "",
    `node ${process.version}, ${cpus().length} cores: \`node bench/accuracy/sites.mjs SITES --seeds 2 --plans\`. The papers covered 47.1% of the duplicates of their academic site.`,
    "",
    "| site | seed | plan | URLs in the log | likely | proven | refuted | undecided | draws | requests | crawled pages | duplicates | covered | expressible | covered of it | merged URLs | wrong merges |",
    "|---|--:|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ...rows.map(line),
    "",
    "Duplicates are crawled pages minus distinct visible texts. A merge is wrong where two URLs that the rules make one had different texts in the crawl and are not one page when fetched now: the whole texts, looked at apart from the validation, resemble each other by less than 0.95 beside what changes from look to look and what echoes the URL.",
    "",
    "Expressible: duplicates that rules of our kinds merge which are exact on a scope by the texts of the crawl, found greedily (`random/reach.mjs`), so that it is a lower bound and more than all of it can be covered. A scope has ten URLs at least; rules that put one piece of data for another are left out.",
    "",
    ...planLines(rows),
    ...rows
      .filter(({ plan, seed }) => plan === "sequential" && seed === 1)
      .flatMap((r) => [`## ${r.name}`, "", ...r.proven.map((rule) => `- \`${rule}\``), "", ...missedLines(r)]),
  ];
  writeFileSync(runFile("md"), lines.join("\n"));
  writeFileSync(runFile("json"), `${JSON.stringify(rows, null, 2)}\n`);
}

function missedLines({ missed }) {
  if (missed.length === 0) return [];
  const cells = missed.map(({ rule, urls, example }) => `| \`${rule}\` | ${urls} | ${example.join(" ")} |`);
  return [
    "What exact rules would merge and these do not:",
    "",
    "| rule | URLs | such as |",
    "|---|--:|---|",
    ...cells,
    "",
  ];
}

function planLines(rows) {
  const papers = rows.filter(({ plan }) => plan === "paper");
  if (papers.length === 0) return [];
  return [
    "## Both plans on the same likely rules",
    "",
    "Verdicts on each likely rule: valid (also where valid rules make it needless), or not. Where they differ, the crawl's pairs of pages tell which is right: a rule is true where all its pairs have the same text.",
    "",
    "Figure 3 fetches both pages again in every draw and says nothing of keeping them; with dustpan's cache of pages the same loop needs fewer requests. Both are given. The paper's plan looks at the likely rules alone; the sequential plan also looks for narrower scopes and for rules that proven ones suggest, which is in its first figure and left out of its second.",
    "",
    "| site | fetches, figure 3 | requests, figure 3 with the cache | requests, sequential | share of figure 3 | of them for the likely rules | share of figure 3 with the cache | same verdict | differ: sequential right | paper right | no pair to tell |",
    "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ...papers.map((paper) => {
      const ours = rows.find(({ name, plan, seed }) => name === paper.name && plan === "sequential" && seed === 1);
      const { same, oursRight, papersRight, unknown } = paper.verdicts;
      const [printed, listed] = [2 * paper.draws, ours.requests - ours.requestsBeyond];
      const shares = [percent(ours.requests / printed), listed, percent(listed / paper.requests)];
      const cells = [
        paper.name,
        printed,
        paper.requests,
        ours.requests,
        ...shares,
        same,
        oursRight,
        papersRight,
        unknown,
      ];
      return `| ${cells.join(" | ")} |`;
    }),
    "",
  ];
}
