// How many fetches do `--plan sequential` and `--plan paper` need on the example site, and how right are the verdicts?
// The site says the truth about its documents, so wrong merges and coverage are exact.
//   npm run build && node bench/accuracy/validate.mjs [--visits 1200] [--seeds 3] [--write]
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { compile, describeRule, rulesInUse } from "#src/canon/index.js";
import { allHosts, documentOf } from "#src/demo/pages.js";
import { startDemoSite } from "#src/demo/site.js";
import { browse } from "#src/demo/visitors.js";
import { add } from "#src/jobs/add.js";
import { mine } from "#src/jobs/mine.js";
import { validate } from "#src/jobs/validate.js";
import { measureCoverage, measureReduction } from "#src/report/metrics.js";
import { toStrings } from "#src/store/columns.js";
import { readUrls } from "#src/store/urls/url-lists.js";
import { Workspace } from "#src/store/workspace.js";
import { miningDefaults } from "./defaults.mjs";

const { values } = parseArgs({
  options: {
    visits: { type: "string", default: "1200" },
    seeds: { type: "string", default: "3" },
    write: { type: "boolean" },
    costs: { type: "boolean" },
  },
});
const visits = Number(values.visits);
const context = { onProgress: () => {}, signal: new AbortController().signal };
const folder = mkdtempSync(path.join(tmpdir(), "dustpan-bench-"));
const results = [];
try {
  for (let seed = 1; seed <= Number(values.seeds); seed++) {
    const log = path.join(folder, `access-${seed}.log`);
    const site = await startDemoSite({ port: 0, logFile: log });
    try {
      await browse(site.port, visits, seed, context.signal);
      await site.logWritten();
      // What validation asks for must not get into the log.
      copyFileSync(log, `${log}.1`);
      for (const similarity of ["shingles-4/4", "shingles-2/4"]) {
        for (const plan of ["sequential", "paper"])
          results.push(await measure(site, `${log}.1`, seed, plan, similarity));
      }
    } finally {
      await site.close();
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}

async function measure(site, log, seed, plan, similarity) {
  const workspace = Workspace.at(path.join(folder, `${plan}-${seed}-${similarity.replace("/", "-")}.duckdb`));
  await add(workspace, [log], { snapshot: "default", text: false }, () => {}, context);
  const mined = await mine(workspace, miningDefaults, context);
  const likely = mined.sites.flatMap(({ rules }) => rules);
  const fetch = {
    sites: allHosts.map((host) => `http://${host}:${site.port}`),
    resolve: allHosts.map((host) => `${host}:127.0.0.1`),
    delayMs: 0,
    maxRequests: 1_000_000,
  };
  const options = { plan, count: 100, epsilon: 0.05, seed, similarity, text: false, fetch };
  const { rules, draws, fetched } = await validate(workspace, likely, options, context);
  const { rules: used } = rulesInUse(rules);
  const canon = compile(used, { use: (rule) => rule });
  const urls = toStrings(await readUrls(workspace, { by: "all" }));
  const tests = urls.map((url) => ({ url, document: documentOf(url), hits: 1, bytes: Number.NaN }));
  const coverage = measureCoverage(tests, canon);
  const reduction = measureReduction(tests, canon);
  const status = (name) => rules.filter((rule) => rule.status === name && rule.opposite?.status !== "valid").length;
  if (values.costs) printCosts(`${plan} ${similarity}`, draws, [...likely, ...rules]);
  for (const { from, to } of coverage.unequal.slice(0, 5)) console.log(`wrong, ${plan}: ${from} and ${to}`);
  return {
    similarity,
    plan,
    seed,
    urls: urls.length,
    likely: likely.length,
    valid: rules.filter((rule) => rule.status === "valid" || rule.opposite?.status === "valid").length,
    refuted: status("refuted"),
    undecided: status("undecided"),
    draws: draws.length,
    fetches: fetched.requests,
    wrongMerges: coverage.unequal.length,
    coverage: coverage.coverage,
    redundancy: reduction.redundancy,
  };
}

/** Which rules cost what: pages looked at for the first time, by rule. */
function printCosts(plan, draws, rules) {
  const seen = new Set();
  const costs = new Map();
  for (const { rule, from, to, outcome } of draws) {
    const cost = costs.get(rule) ?? { draws: 0, pages: 0, positive: 0, negative: 0, skipped: 0 };
    costs.set(rule, cost);
    cost.draws++;
    cost[outcome]++;
    for (const url of [from, to]) {
      if (!seen.has(url)) cost.pages++;
      seen.add(url);
    }
  }
  const name = (id) => {
    const rule = rules.find((other) => other.id === id);
    return rule === undefined ? id : describeRule(rule);
  };
  console.log(`${plan}: ${seen.size} pages`);
  const sorted = [...costs].sort((a, b) => b[1].pages - a[1].pages);
  for (const [id, c] of sorted.slice(0, 60)) {
    console.log(`${c.pages} pages, ${c.draws} draws (+${c.positive} -${c.negative} ?${c.skipped})  ${name(id)}`);
  }
}

const percent = (share) => `${(100 * share).toFixed(1)}%`;
const lines = [
  "| seed | similarity | plan | URLs | likely rules | valid | refuted | undecided | draws | fetches | wrong merges | coverage | redundancy |",
  "|---|---|---|---|---|---|---|---|---|---|---|---|---|",
  ...results.map((r) =>
    [
      "",
      ...[
        r.seed,
        r.similarity,
        r.plan,
        r.urls,
        r.likely,
        r.valid,
        r.refuted,
        r.undecided,
        r.draws,
        r.fetches,
        r.wrongMerges,
      ],
      percent(r.coverage),
      percent(r.redundancy),
      "",
    ]
      .join(" | ")
      .trim(),
  ),
];
const sum = (plan, similarity) =>
  results.filter((r) => r.plan === plan && r.similarity === similarity).reduce((total, r) => total + r.fetches, 0);
const ratio = ["shingles-4/4", "shingles-2/4"].map(
  (similarity) =>
    `${similarity}: sequential needs ${percent(sum("sequential", similarity) / sum("paper", similarity))} of the paper plan's fetches.`,
);
console.log([...lines, "", ...ratio].join("\n"));

if (values.write) {
  const date = new Date().toISOString().slice(0, 10);
  const runs = new URL("./runs/", import.meta.url);
  mkdirSync(runs, { recursive: true });
  const about = `${date}, node ${process.version}, ${cpus()[0]?.model}: \`node bench/accuracy/validate.mjs\`, ${visits} visits`;
  const text = ["# Validation on the example site", "", about, "", ...lines, "", ...ratio, ""].join("\n");
  writeFileSync(new URL(`${date}-validate.md`, runs), text);
  writeFileSync(new URL(`${date}-validate.json`, runs), `${JSON.stringify({ date, visits, results }, null, 2)}\n`);
}
