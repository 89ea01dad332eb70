// Four ways to find rules, side by side on the same random sites with known truth, each with the requests that ours took there:
//   npm run build && node bench/accuracy/baselines.mjs [--seeds 1-8] [--write]
// ours: the whole pipeline with defaults. paper: DustBuster as published (`mine --plan paper`, `validate --plan paper`, four of
// four shingles). alignment and tree: baselines in the spirit of its successors, whose papers were not at hand; what was assumed is in
// the first lines of baselines/alignment.mjs and baselines/pattern-tree.mjs. They learn from that many fetched URLs of the log; once
// more as "told", with the true classes of these URLs instead of what their pages show, which is the best that they can do.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { compile, rulesInUse } from "#src/canon/index.js";
import { add } from "#src/jobs/add.js";
import { mine } from "#src/jobs/mine.js";
import { validate, validateDefaults } from "#src/jobs/validate.js";
import { toStrings } from "#src/store/columns.js";
import { readUrls } from "#src/store/urls/url-lists.js";
import { Workspace } from "#src/store/workspace.js";
import { applyAligned, learnByAlignment } from "./baselines/alignment.mjs";
import { applyPatternTree, learnPatternTree } from "./baselines/pattern-tree.mjs";
import { fetchClasses } from "./baselines/sample.mjs";
import { miningDefaults } from "./defaults.mjs";
import { formatLog, inProcess, judge, runOnSite } from "./random/run.mjs";
import { randomSite } from "./random/site.mjs";

const { values } = parseArgs({ options: { seeds: { type: "string", default: "1-8" }, write: { type: "boolean" } } });
const [first, last = first] = values.seeds.split("-").map(Number);
const context = { onProgress: () => {}, signal: new AbortController().signal };

/** A canonization without steps to explain. */
const plain = (canon) => Object.assign(canon, { explain: () => ({ steps: [] }) });

async function asPublished(site, log, budget) {
  const folder = mkdtempSync(path.join(tmpdir(), "dustpan-paper-"));
  try {
    const file = path.join(folder, "access.log");
    writeFileSync(file, log);
    const workspace = Workspace.at(path.join(folder, "dustpan.duckdb"));
    await add(workspace, [file], { snapshot: "default", text: false }, () => {}, context);
    const { sites } = await mine(workspace, { ...miningDefaults, plan: "paper" }, context);
    const world = inProcess(site);
    const hosts = [...new Set(site.origins.map((origin) => new URL(origin).host))];
    const { rules } = await validate(
      workspace,
      sites.flatMap((mined) => mined.rules),
      {
        ...validateDefaults,
        ...{ plan: "paper", similarity: "shingles-4/4" },
        fetch: { sites: hosts, maxRequests: budget },
        effects: world.effects,
      },
      context,
    );
    const used = rulesInUse(rules).rules;
    const urls = toStrings(await readUrls(workspace, { by: "all" }));
    return { urls, canon: compile(used, { use: (rule) => rule }), rules: used.length, requests: world.requests() };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const names = ["ours", "paper", "alignment", "tree", "alignment, told", "tree, told"];
const header = [
  "| seed | way | changed | wrong | merged | of reach | rules | requests |",
  "|--:|---|--:|--:|--:|--:|--:|--:|",
];
console.log(header.join("\n"));
const results = [];
const rows = [];
for (let seed = first; seed <= last; seed++) {
  const ours = await runOnSite(randomSite(seed));
  const take = (name, { changed, wrong, merged, reach }, rules, requests) => {
    const result = { seed, name, changed, wrong: wrong.length, merged, reach, rules, requests };
    const row = `| ${[seed, name, changed, wrong.length, merged, percent(Math.min(merged, reach), reach), rules, requests].join(" | ")} |`;
    console.log(row);
    rows.push(row);
    results.push(result);
  };
  take("ours", ours, ours.rules.length, ours.requests);
  const site = randomSite(seed);
  const paper = await asPublished(site, formatLog(site.log), ours.requests);
  take("paper", judge(site, paper.urls, paper.canon), paper.rules, paper.requests);
  for (const [name, learn, apply, isTold] of [
    ["alignment", learnByAlignment, applyAligned, false],
    ["tree", learnPatternTree, applyPatternTree, false],
    ["alignment, told", learnByAlignment, applyAligned, true],
    ["tree, told", learnPatternTree, applyPatternTree, true],
  ]) {
    const { classes, requests } = fetchClasses(randomSite(seed), paper.urls, ours.requests, isTold);
    const rules = learn(classes);
    take(name, judge(site, paper.urls, plain(apply(rules))), rules.length, requests);
  }
}
const summary = names.map((name) => {
  const own = results.filter((result) => result.name === name);
  const sum = (of) => own.reduce((total, result) => total + of(result), 0);
  const [changed, wrong, reach] = [sum((r) => r.changed), sum((r) => r.wrong), sum((r) => r.reach)];
  const merged = sum((r) => Math.min(r.merged, r.reach));
  return `| ${[name, changed, wrong, percent(wrong, changed), percent(merged, reach), sum((r) => r.rules), sum((r) => r.requests)].join(" | ")} |`;
});
const pooled = [
  `${last - first + 1} sites together:`,
  "",
  "| way | changed | wrong | wrong of changed | merged of reach | rules | requests |",
  "|---|--:|--:|--:|--:|--:|--:|",
  ...summary,
];
console.log(["", ...pooled].join("\n"));
if (values.write) {
  const date = new Date().toISOString().slice(0, 10);
  const runs = new URL("./runs/", import.meta.url);
  mkdirSync(runs, { recursive: true });
  const about = `${date}, node ${process.version}: \`node bench/accuracy/baselines.mjs --seeds ${values.seeds}\`. What the baselines assume is in \`bench/accuracy/baselines\`: their papers were not at hand.`;
  writeFileSync(
    new URL(`${date}-baselines-${values.seeds}.md`, runs),
    [
      "# Four ways to find rules, the same sites and requests",
      "",
      about,
      "",
      ...pooled,
      "",
      ...header,
      ...rows,
      "",
    ].join("\n"),
  );
}

function percent(part, whole) {
  return whole === 0 ? "-" : `${((100 * part) / whole).toFixed(1)}%`;
}
