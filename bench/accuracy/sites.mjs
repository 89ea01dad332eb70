/**
 * Real third-party sites on loopback: mines each site's own log, proves the rules on the live server, and measures what
 * they merge against a crawl of the whole site. Usage: node bench/accuracy/sites.mjs SITES_FOLDER [NAME...]
 * SITES_FOLDER holds sites.sh and a folder per site with crawl.jsonl.xz and access logs. Writes runs/DATE-sites.{md,json};
 * fails where a rule merges pages that differ.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import path from "node:path";
import { createFetcher } from "#src/fetch/fetcher.js";
import { openInput } from "#src/input/open.js";
import { readContent } from "#src/input/page-content.js";
import { add } from "#src/jobs/add.js";
import { mine } from "#src/jobs/mine.js";
import { validate } from "#src/jobs/validate.js";
import { compile } from "#src/rules/compile.js";
import { rulesInUse } from "#src/rules/cycles.js";
import { describeRule } from "#src/rules/describe.js";
import { detectDefaults } from "#src/rules/detect.js";
import { eliminateDefaults } from "#src/rules/eliminate.js";
import { resemblance } from "#src/sketch/sketch.js";
import { Workspace } from "#src/store/workspace.js";

const [folder, ...names] = process.argv.slice(2);
if (folder === undefined) throw new Error("usage: node bench/accuracy/sites.mjs SITES_FOLDER [NAME...]");
const sites = names.length > 0 ? names : ["apache-docs", "cgit", "mediawiki", "verdaccio"];
const context = { onProgress: () => {}, signal: new AbortController().signal };
/** Pages of a merge that are looked at again, on the live server, where the crawl's digests differ. */
const checkedMerges = 60;

const results = [];
for (const name of sites) results.push(await measure(name));
report(results);
if (results.some(({ wrongMerges }) => wrongMerges > 0)) process.exitCode = 1;

async function measure(name) {
  const up = spawnSync(path.join(folder, "sites.sh"), ["up", name], { encoding: "utf8" });
  const origin = /UP \S+ (http:\/\/127\.0\.0\.1:\d+)/.exec(up.stdout)?.[1];
  if (origin === undefined) throw new Error(`${name} did not come up: ${up.stdout}${up.stderr}`);
  const work = mkdtempSync(path.join(tmpdir(), "dustpan-sites-bench-"));
  try {
    const workspace = Workspace.at(path.join(work, "w.duckdb"));
    const files = readdirSync(path.join(folder, name)).filter((file) => /^access.*\.log\.xz$/.test(file));
    const crawl = path.join(folder, name, "crawl.jsonl.xz");
    // A site whose log is not an access log is mined from the crawl's list of URLs.
    const inputs = name === "verdaccio" ? [crawl] : files.map((file) => path.join(folder, name, file));
    await add(workspace, inputs, { snapshot: "default", base: origin, text: false }, () => {}, context);
    const mined = await mine(workspace, { ...detectDefaults, ...eliminateDefaults }, context);
    const likely = mined.sites.flatMap(({ rules }) => rules);
    const options = { plan: "sequential", count: 100, epsilon: 0.05, seed: 1, similarity: "shingles-4/4", text: true };
    const fetch = { sites: [origin], delayMs: 0, maxRequests: 20_000 };
    const validated = await validate(workspace, likely, { ...options, fetch }, context);
    const { rules } = rulesInUse(validated.rules);
    const canon = compile(rules, { use: (rule) => rule });
    const pages = (await readCrawl(crawl)).filter(({ status, tsha1 }) => status === 200 && tsha1 !== undefined);
    const merges = await checkMerges(pages, canon, origin);
    const duplicates = pages.length - new Set(pages.map(({ tsha1 }) => tsha1)).size;
    const after = new Map();
    for (const page of pages) if (!after.has(canon(page.url))) after.set(canon(page.url), page.tsha1);
    const left = after.size - new Set(after.values()).size;
    return {
      name,
      urls: mined.sites.reduce((sum, site) => sum + site.urls, 0),
      likely: likely.length,
      proven: rules.map(describeRule),
      refuted: validated.rules.filter(({ status }) => status === "refuted").length,
      undecided: validated.rules.filter(({ status }) => status === "undecided").length,
      requests: validated.fetched.requests,
      crawled: pages.length,
      duplicates,
      covered: duplicates === 0 ? 0 : (duplicates - left) / duplicates,
      ...merges,
    };
  } finally {
    rmSync(work, { recursive: true, force: true });
    spawnSync(path.join(folder, "sites.sh"), ["down", name]);
  }
}

async function readCrawl(file) {
  const input = await openInput(file);
  const chunks = [];
  for await (const chunk of input.chunks(() => {})) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks)
    .toString("utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** URLs that the rules map together. Where the crawl saw different texts, both are fetched now and compared. */
async function checkMerges(pages, canon, origin) {
  const groups = new Map();
  for (const page of pages) {
    const canonical = canon(page.url);
    const group = groups.get(canonical);
    if (group === undefined) groups.set(canonical, [page]);
    else group.push(page);
  }
  const merged = [...groups.values()].filter((group) => group.length > 1);
  const doubtful = merged.flatMap((group) =>
    group
      .slice(1)
      .filter((page) => page.tsha1 !== group[0].tsha1)
      .map((page) => [group[0].url, page.url]),
  );
  const fetcher = createFetcher({ sites: [origin], delayMs: 0 });
  const textOf = async (url) => {
    const outcome = await fetcher.fetch(url);
    return outcome.kind === "ok" ? readContent(outcome.finalUrl, outcome.contentType, outcome.body) : undefined;
  };
  const wrong = [];
  for (const [a, b] of doubtful.slice(0, checkedMerges)) {
    const [left, right] = [await textOf(a), await textOf(b)];
    const alike =
      left?.sketch !== undefined && right?.sketch !== undefined && resemblance(left.sketch, right.sketch) >= 0.9;
    if (!alike) wrong.push([a, b]);
  }
  await fetcher.close();
  return {
    mergedUrls: merged.reduce((sum, group) => sum + group.length - 1, 0),
    doubtfulMerges: doubtful.length,
    wrongMerges: wrong.length,
    wrongExamples: wrong.slice(0, 5),
  };
}

function report(rows) {
  const date = new Date().toISOString().slice(0, 10);
  const percent = (share) => `${(100 * share).toFixed(1)}%`;
  const lines = [
    `# Real sites, ${date}`,
    "",
    `node ${process.version}, ${cpus().length} cores. The papers covered 47.1% of the duplicates of their academic site.`,
    "",
    "| site | URLs in the log | likely | proven | refuted | undecided | requests | crawled pages | duplicates | covered | merged URLs | wrong merges |",
    "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ...rows.map(
      (r) =>
        `| ${[r.name, r.urls, r.likely, r.proven.length, r.refuted, r.undecided, r.requests, r.crawled, r.duplicates, percent(r.covered), r.mergedUrls, r.wrongMerges].join(" | ")} |`,
    ),
    "",
    "A merge is wrong where two URLs that the rules make one had different texts in the crawl and still resemble each other by less than 0.9 when fetched now.",
    "",
    ...rows.flatMap((r) => [`## ${r.name}`, "", ...r.proven.map((rule) => `- \`${rule}\``), ""]),
  ];
  const runs = new URL("./runs/", import.meta.url);
  writeFileSync(new URL(`${date}-sites.md`, runs), lines.join("\n"));
  writeFileSync(new URL(`${date}-sites.json`, runs), `${JSON.stringify(rows, null, 2)}\n`);
  console.log(lines.slice(4, 6 + rows.length).join("\n"));
}
