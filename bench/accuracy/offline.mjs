// The papers' measures for archived sites, without a network: add, mine, validate --offline, eval.
//   npm run build && node bench/accuracy/offline.mjs [--write] FILE.warc.xz...
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { add } from "#src/jobs/add.js";
import { evaluate } from "#src/jobs/eval.js";
import { mine } from "#src/jobs/mine.js";
import { measureSavings } from "#src/jobs/savings.js";
import { validate } from "#src/jobs/validate.js";
import { describeRule, usableRule } from "#src/rules/canon.js";
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
const folder = mkdtempSync(path.join(tmpdir(), "dustpan-offline-"));
const results = [];
try {
  for (const file of positionals) results.push(await measure(file));
} finally {
  rmSync(folder, { recursive: true });
}

async function measure(file) {
  const name = path.basename(file).replace(/\..*/, "");
  const workspace = Workspace.at(path.join(folder, `${name}.duckdb`));
  const seconds = {};
  const timed = async (step, work) => {
    const startMs = performance.now();
    const result = await work();
    seconds[step] = Number(((performance.now() - startMs) / 1000).toFixed(1));
    return result;
  };
  const [added] = await timed("add", () =>
    add(workspace, [file], { snapshot: "default", text: true }, () => {}, context),
  );
  const mined = await timed("mine", () => mine(workspace, miningDefaults, context));
  const likely = mined.sites.flatMap(({ rules }) => rules);
  const { rules, draws } = await timed("validate", () => validate(workspace, likely, validation, context));
  const savings = await measureSavings(workspace, rules);
  const evaluations = {};
  for (const split of ["same", "random", "time"]) {
    const options = { mine: miningDefaults, validate: validation, split, canon };
    const { sites } = await timed(`eval ${split}`, () => evaluate(workspace, options, context));
    evaluations[split] = sites[0];
  }
  const valid = rules.map(usableRule).filter((rule) => rule !== undefined);
  return {
    name,
    urls: added.urls,
    pages: added.pages,
    likely: likely.length,
    valid: valid.map(describeRule),
    draws: draws.length,
    redundancy: savings.redundancy,
    handled: savings.handled,
    evaluations,
    seconds,
  };
}

const percent = (share) => `${(100 * share).toFixed(1)}%`;
const at = (points, x) => (points.length === 0 ? "-" : percent(points[Math.min(x, points.length) - 1].y));
const lines = results.flatMap(({ name, evaluations, valid, seconds, ...counts }) => [
  `## ${name}`,
  "",
  `${counts.urls} URLs, ${counts.pages} pages; ${counts.likely} likely rules, ${valid.length} valid on the whole list. They save ${percent(counts.redundancy)} of the URLs, and ${percent(counts.handled.urls / counts.urls)} more that the site itself redirects or canonicalises.`,
  `Seconds: ${Object.entries(seconds)
    .map(([step, took]) => `${step} ${took}`)
    .join(", ")}.`,
  "",
  "| lists | detect / validate / canonize | pairs (after elimination) | likely | valid | precision@10, @50 | redundancy | duplicates | coverage | images | copies | soft errors | similar | wrong merges (unclear) |",
  "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|",
  ...Object.values(evaluations).map((e) =>
    [
      "",
      e.lists.by,
      `${e.lists.detect} / ${e.lists.validate} / ${e.lists.canonize}`,
      `${e.detected} (${e.remaining})`,
      e.likely,
      e.valid,
      `${at(e.precisionAtK, 10)}, ${at(e.precisionAtK, 50)}`,
      percent(e.reduction.redundancy),
      e.coverage.before,
      percent(e.coverage.coverage),
      ...[e.causes.image, e.causes.copy, e.causes.softError, e.causes.similar],
      `${e.wrongMerges.length} (${e.unclearMerges})`,
      "",
    ]
      .join(" | ")
      .trim(),
  ),
  "",
  "Valid rules:",
  "",
  ...valid.map((rule) => `- \`${rule}\``),
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
    `${["# Archived sites, offline", "", about, "", ...lines].join("\n")}`,
  );
  const short = (e) => ({ ...e, precisionAtK: e.precisionAtK.slice(0, 300), wrongMerges: e.wrongMerges.slice(0, 20) });
  const kept = results.map((r) => ({
    ...r,
    evaluations: Object.fromEntries(Object.entries(r.evaluations).map(([split, e]) => [split, short(e)])),
  }));
  writeFileSync(new URL(`${date}-offline.json`, runs), `${JSON.stringify({ date, results: kept })}\n`);
}
