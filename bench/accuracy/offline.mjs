// The papers' measures (tables 2 to 4, figures 5, 6 and 8) on three disjoint lists, divided at random and by time, and on one
// list for all: for archived sites, without a network, and for the example site, live.
//   npm run build && node bench/accuracy/offline.mjs [--write] FILE.warc.xz...
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { compile, describeRule, usableRule } from "#src/canon/index.js";
import { renderMeasures } from "#src/cli/render-measures.js";
import { allHosts } from "#src/demo/pages.js";
import { startDemoSite } from "#src/demo/site.js";
import { browse } from "#src/demo/visitors.js";
import { add } from "#src/jobs/add.js";
import { evaluate } from "#src/jobs/eval.js";
import { mine } from "#src/jobs/mine.js";
import { validate } from "#src/jobs/validate.js";
import { measureCoverage } from "#src/report/metrics.js";
import { measureSavings } from "#src/report/savings.js";
import { toStrings } from "#src/store/columns.js";
import { readUrlList } from "#src/store/urls/url-lists.js";
import { Workspace } from "#src/store/workspace.js";
import { miningDefaults } from "./defaults.mjs";

const { values, positionals } = parseArgs({ options: { write: { type: "boolean" } }, allowPositionals: true });
const context = { onProgress: () => {}, signal: new AbortController().signal };
const validation = {
  plan: "sequential",
  count: 100,
  epsilon: 0.05,
  seed: 1,
  similarity: "shingles-4/4",
  text: true,
};
const canon = { plan: "ours", maxRounds: 10 };
const visits = 1200;

/**
 * What a person can write down who knows the software and sees the URLs: no rule on URLs covers more. (Most duplicates of
 * the forum are posts "?p=7546" of a topic "?t=12": only its database knows which belongs to which.)
 */
const parameter = (name, place = "query") => ({ kind: "parameter", name, place, action: "remove" });
const substring = (from, to, start, end) => ({ kind: "substring", from, to, start, end });
const byHand = {
  "avalanches-forum": [
    ...["sid", "highlight", "postdays", "postorder", "amp"].map((name) => parameter(name)),
    ...["sid", "view", "start", "postdays", "postorder", "highlight", "t", "u", "mode"].map((name) =>
      parameter(`amp;${name}`),
    ),
    substring("http://www.theavalanches.com/", "http://theavalanches.com/", true, false),
    substring("&start=0", "", false, true),
  ],
  certaindoubts: [parameter("replytocom")],
};

const folder = mkdtempSync(path.join(tmpdir(), "dustpan-offline-"));
const results = [];
try {
  for (const file of positionals) results.push(await measureArchive(file));
  results.push(await measureExample());
} finally {
  rmSync(folder, { recursive: true });
}

async function measureArchive(file) {
  const name = path.basename(file).replace(/\..*/, "");
  const workspace = Workspace.at(path.join(folder, `${name}.duckdb`));
  await add(workspace, [file], { snapshot: "default", text: true }, () => {}, context);
  return { name, ...(await measure(workspace, validation)), hand: await coverageByHand(workspace, byHand[name] ?? []) };
}

async function measureExample() {
  const log = path.join(folder, "access.log");
  const site = await startDemoSite({ port: 0, logFile: log });
  try {
    await browse(site.port, visits, 1, context.signal);
    await site.logWritten();
    // What validation asks for must not get into the log.
    copyFileSync(log, `${log}.1`);
    const workspace = Workspace.at(path.join(folder, "example.duckdb"));
    await add(workspace, [`${log}.1`], { snapshot: "default", text: false }, () => {}, context);
    const fetch = {
      sites: allHosts.map((host) => `http://${host}:${site.port}`),
      resolve: allHosts.map((host) => `${host}:127.0.0.1`),
      delayMs: 0,
      maxRequests: 1_000_000,
    };
    return { name: "the example site, live", ...(await measure(workspace, { ...validation, fetch })) };
  } finally {
    await site.close();
  }
}

async function measure(workspace, options) {
  const seconds = {};
  const timed = async (step, work) => {
    const startMs = performance.now();
    const result = await work();
    seconds[step] = Number(((performance.now() - startMs) / 1000).toFixed(1));
    return result;
  };
  const mined = await timed("mine", () => mine(workspace, miningDefaults, context));
  const likely = mined.sites.flatMap(({ rules }) => rules);
  const { rules } = await timed("validate", () => validate(workspace, likely, options, context));
  const { redundancy, handled, urlsBefore } = await measureSavings(workspace, rules);
  const evaluations = {};
  for (const split of ["same", "random", "time"]) {
    const all = { mine: miningDefaults, validate: options, split, canon };
    const { sites } = await timed(`eval ${split}`, () => evaluate(workspace, all, context));
    evaluations[split] = sites[0];
  }
  return {
    urls: urlsBefore,
    likely: likely.length,
    valid: rules
      .flatMap((rule) => usableRule(rule) ?? [])
      .map((rule) => ({
        rule: describeRule(rule),
        positive: rule.evidence?.positive,
        negative: rule.evidence?.negative,
      })),
    redundancy,
    handled,
    evaluations,
    seconds,
  };
}

/** Coverage of rules written by hand, on the whole list. */
async function coverageByHand(workspace, actions) {
  const { urls, sketches } = await readUrlList(workspace, { by: "all" });
  const rules = actions.map((action, i) => ({
    ...action,
    id: `r-${100000 + i}`,
    scope: {},
    status: "valid",
    decision: "accepted",
    source: "hand",
    support: 0,
    confirmed: 0,
    merges: 0,
  }));
  const nameAt = (i) => {
    const last = sketches.rows[i + 1] - 1;
    return last < sketches.rows[i] ? undefined : sketches.values.subarray(4 * last, 4 * last + 4).join(" ");
  };
  const tests = toStrings(urls).map((url, i) => ({ url, document: nameAt(i), hits: 1, bytes: Number.NaN }));
  const { before, coverage } = measureCoverage(tests, compile(rules));
  return { before, coverage };
}

const percent = (share) => `${(100 * share).toFixed(1)}%`;
const terminal = { isTerminal: false, color: false, columns: 120 };
const lines = results.flatMap(({ name, evaluations, valid, seconds, hand, ...counts }) => [
  `## ${name}`,
  "",
  `${counts.urls} URLs; ${counts.likely} likely rules, ${valid.length} valid on the whole list. They save ${percent(counts.redundancy)} of the URLs, and ${percent(counts.handled.urls / counts.urls)} more that the site itself redirects or canonicalises.`,
  ...(hand === undefined
    ? []
    : [`Rules written by hand would cover ${percent(hand.coverage)} of the ${hand.before} duplicates.`]),
  `Seconds: ${Object.entries(seconds)
    .map(([step, took]) => `${step} ${took}`)
    .join(", ")}.`,
  "",
  ...Object.values(evaluations).flatMap((site) => ["```", renderMeasures(terminal, site), "```", ""]),
  "Valid rules on the whole list, with pairs alike and different:",
  "",
  ...valid.map(({ rule, positive, negative }) => `- \`${rule}\` ${positive} / ${negative}`),
  "",
]);
console.log(lines.join("\n"));

if (values.write) {
  const date = new Date().toISOString().slice(0, 10);
  const runs = new URL("./runs/", import.meta.url);
  mkdirSync(runs, { recursive: true });
  const about = `${date}, node ${process.version}, ${cpus()[0]?.model}: \`node bench/accuracy/offline.mjs ${positionals.map((file) => path.basename(file)).join(" ")}\``;
  writeFileSync(
    new URL(`${date}-offline.md`, runs),
    `${["# The papers' measures: archived sites without a network, the example site live", "", about, "", ...lines].join("\n")}`,
  );
  const short = (e) => ({ ...e, precisionAtK: e.precisionAtK.slice(0, 300), wrongMerges: e.wrongMerges.slice(0, 20) });
  const kept = results.map((r) => ({
    ...r,
    evaluations: Object.fromEntries(Object.entries(r.evaluations).map(([split, e]) => [split, short(e)])),
  }));
  writeFileSync(new URL(`${date}-offline.json`, runs), `${JSON.stringify({ date, results: kept })}\n`);
}
