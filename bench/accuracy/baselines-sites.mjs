// Four ways to find rules, side by side on real sites on loopback (`baselines.mjs` does so on random ones), each with the requests that ours took there:
//   npm run build && node bench/accuracy/baselines-sites.mjs SITES_FOLDER RUN.json NAME...
// RUN.json is what sites.mjs wrote: ours is its row. paper: DustBuster as published, on the site's log and the live site, until the requests are
// used. alignment and tree learn from that many URLs of the log, drawn at random, whose visible text is taken from the crawl: what changes from look to
// look is left out there, so that they are told more than they would see. All are measured on the crawl as sites.mjs does. Prints a table.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { compile, rulesInUse } from "#src/canon/index.js";
import { randomNumbers } from "#src/demo/text.js";
import { createFetcher } from "#src/fetch/fetcher.js";
import { add } from "#src/jobs/add.js";
import { mine } from "#src/jobs/mine.js";
import { validate, validateDefaults } from "#src/jobs/validate.js";
import { measureCoverage } from "#src/report/metrics.js";
import { toStrings } from "#src/store/columns.js";
import { readUrls } from "#src/store/urls/url-lists.js";
import { Workspace } from "#src/store/workspace.js";
import { applyAligned, learnByAlignment } from "./baselines/alignment.mjs";
import { applyPatternTree, learnPatternTree } from "./baselines/pattern-tree.mjs";
import { compareLive } from "./compare-live.mjs";
import { readCrawl } from "./crawl-pages.mjs";
import { miningDefaults } from "./defaults.mjs";

const [folder, run, ...names] = process.argv.slice(2);
if (names.length === 0) throw new Error("usage: node bench/accuracy/baselines-sites.mjs SITES_FOLDER RUN.json NAME...");
const rows = JSON.parse(readFileSync(run, "utf8"));
const context = { onProgress: () => {}, signal: new AbortController().signal };
/** Merges of pages that differed in the crawl and that are looked at again. */
const MOST_CHECKED = 200;

console.log("| site | way | rules | requests | duplicates | covered | merged URLs | wrong merges |");
console.log("|---|---|--:|--:|--:|--:|--:|--:|");
const tell = (...cells) => console.log(`| ${cells.join(" | ")} |`);
const percent = (share) => `${(100 * share).toFixed(1)}%`;

for (const name of names) {
  const ours = rows.find((row) => row.name === name && row.plan === "sequential" && row.seed === 1);
  const { requests, duplicates, covered, mergedUrls, wrongMerges } = ours;
  tell(name, "ours", ours.proven.length, requests, duplicates, percent(covered), mergedUrls, wrongMerges);
  const up = spawnSync(path.join(folder, "sites.sh"), ["up", name], { encoding: "utf8" });
  const origin = /UP \S+ (http:\/\/127\.0\.0\.1:\d+)/.exec(up.stdout)?.[1];
  if (origin === undefined) throw new Error(`${name} did not come up: ${up.stdout}${up.stderr}`);
  const work = mkdtempSync(path.join(tmpdir(), "dustpan-baselines-"));
  try {
    await measureOthers(name, origin, work, requests);
  } finally {
    rmSync(work, { recursive: true, force: true });
    spawnSync(path.join(folder, "sites.sh"), ["down", name]);
  }
}

async function measureOthers(name, origin, work, budget) {
  const pages = await readCrawl(path.join(folder, name, "crawl.jsonl.xz"));
  const logs = readdirSync(path.join(folder, name)).filter((file) => /^access.*\.log\.xz$/.test(file));
  const inputs = logs.map((file) => path.join(folder, name, file));
  const workspace = Workspace.at(path.join(work, "dustpan.duckdb"));
  await add(workspace, inputs, { snapshot: "default", base: origin, text: false }, () => {}, context);
  const tests = Array.from(pages, ([url, document]) => ({ url, document, hits: 1, bytes: Number.NaN }));
  const judge = async (way, rules, requests, canon) => {
    const { before, coverage, representatives, unequal } = measureCoverage(tests, canon);
    const fetcher = createFetcher({ sites: [origin], delayMs: 0, maxRequests: 20 * MOST_CHECKED });
    let wrong = 0;
    for (const { from, to } of unequal.slice(0, MOST_CHECKED)) {
      if ((await compareLive(fetcher, from, to)) === "different") wrong++;
    }
    await fetcher.close();
    const isPart = unequal.length > MOST_CHECKED;
    const said = isPart ? `${wrong} of ${MOST_CHECKED} tried, ${unequal.length} differed in the crawl` : wrong;
    tell(name, way, rules, requests, before, percent(coverage), pages.size - representatives.length, said);
  };

  const { sites } = await mine(workspace, { ...miningDefaults, plan: "paper" }, context);
  const likely = sites.flatMap(({ rules }) => rules);
  const options = { ...validateDefaults, plan: "paper", similarity: "shingles-4/4" };
  const fetch = { sites: [origin], delayMs: 0, maxRequests: budget };
  const validated = await validate(workspace, likely, { ...options, fetch }, context);
  const used = rulesInUse(validated.rules).rules;
  await judge("paper", used.length, validated.fetched.requests, compile(used, { use: (rule) => rule }));

  const next = randomNumbers(1);
  const urls = toStrings(await readUrls(workspace, { by: "all" }));
  const drawn = urls.map((url) => ({ url, key: next() })).sort((a, b) => a.key - b.key);
  const sample = drawn.slice(0, budget).map(({ url }) => url);
  const classes = new Map(sample.filter((url) => pages.has(url)).map((url) => [url, pages.get(url)]));
  const aligned = learnByAlignment(classes);
  await judge("alignment", aligned.length, sample.length, applyAligned(aligned));
  const tree = learnPatternTree(classes);
  await judge("tree", tree.length, sample.length, applyPatternTree(tree));
}
