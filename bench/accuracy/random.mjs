// Random sites with known truth: how much of what canonization changes is wrong, how much is merged of what exact rules
// can merge, and for how many requests? The whole pipeline, in process, with defaults.
//   npm run build && node bench/accuracy/random.mjs [--seeds 1-24] [--hostile] [--show] [--write]
// --hostile makes the servers block, fail, change or answer at random while they are looked at: only what is wrong counts there.
// --show names what is wrong and what is missed on each site. Seeds from 1000 on are kept for final runs: see README.md.
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { makeHostile } from "./random/hostile.mjs";
import { runOnSite } from "./random/run.mjs";
import { randomSite } from "./random/site.mjs";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "1-24" },
    hostile: { type: "boolean" },
    show: { type: "boolean" },
    write: { type: "boolean" },
  },
});
const [first, last = first] = values.seeds.split("-").map(Number);

const header = [
  "| seed | URLs | duplicates | reach | changed | wrong | merged | of reach | rules | requests | seconds |",
  "|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
];
console.log(header.join("\n"));
const results = [];
const rows = [];
for (let seed = first; seed <= last; seed++) {
  const site = values.hostile ? makeHostile(randomSite(seed), seed) : randomSite(seed);
  const result = { seed: site.hostile ? `${seed} ${site.hostile}` : seed, ...(await runOnSite(site)) };
  const row = rowOf(result);
  console.log(row);
  if (values.show) show(result);
  rows.push(row);
  results.push(result);
}
const pooled = pool(results);
console.log(["", ...pooled].join("\n"));

if (values.write) {
  const date = new Date().toISOString().slice(0, 10);
  const runs = new URL("./runs/", import.meta.url);
  mkdirSync(runs, { recursive: true });
  const about = `${date}, node ${process.version}, ${cpus()[0]?.model}: \`node bench/accuracy/random.mjs --seeds ${values.seeds}${values.hostile ? " --hostile" : ""}\``;
  const name = `${date}-random-${values.hostile ? "hostile-" : ""}${values.seeds}`;
  writeFileSync(
    new URL(`${name}.md`, runs),
    ["# Random sites", "", about, "", ...pooled, "", ...header, ...rows, ""].join("\n"),
  );
  const kept = results.map(({ wrong, missed, ...rest }) => ({ ...rest, wrong: wrong.length }));
  writeFileSync(
    new URL(`${name}.json`, runs),
    `${JSON.stringify({ date, seeds: values.seeds, results: kept }, null, 2)}\n`,
  );
}

function rowOf(result) {
  const { seed, urls, duplicates, reach, changed, wrong, merged, rules, requests, seconds } = result;
  const cells = [seed, urls, duplicates, reach, changed, wrong.length, merged, percent(mergedInReach(result), reach)];
  return `| ${[...cells, rules.length, requests, seconds.toFixed(1)].join(" | ")} |`;
}

/** Finer rules than reach knows of on one site do not make up for what is missed on another. */
function mergedInReach({ merged, reach }) {
  return Math.min(merged, reach);
}

function pool(all) {
  const sum = (of) => all.reduce((total, result) => total + of(result), 0);
  const [changed, wrong, reach] = [sum((r) => r.changed), sum((r) => r.wrong.length), sum((r) => r.reach)];
  const isBad = ({ wrong, changed }) => wrong.length > 0.01 * changed;
  const merged = sum(mergedInReach);
  const mostSeconds = Math.max(...all.map(({ seconds }) => seconds));
  return [
    `- ${all.length} sites, ${sum((r) => r.urls)} URLs, ${sum((r) => r.duplicates)} duplicates`,
    `- wrong: ${wrong} of ${changed} changed URLs, ${percent(wrong, changed)}; more than 1% on ${all.filter(isBad).length} sites (${percent(all.filter(isBad).length, all.length)}), any on ${all.filter((r) => r.wrong.length > 0).length}`,
    `- merged: ${merged} of ${reach} that exact rules reach, ${percent(merged, reach)}; ${percent(
      sum((r) => r.merged),
      sum((r) => r.duplicates),
    )} of all duplicates`,
    `- requests: ${Math.round(sum((r) => r.requests) / all.length)} a site, ${percent(
      sum((r) => r.requests),
      sum((r) => r.urls),
    )} of the URLs; ${(sum((r) => r.seconds) / all.length).toFixed(1)} s a site, ${mostSeconds.toFixed(1)} at most`,
  ];
}

function show({ wrong, missed, rules }) {
  for (const rule of rules) console.log(`  rule    ${rule}`);
  const bySteps = new Map();
  for (const one of wrong) {
    const key = one.steps.map((step) => step.split(" => ")[0]).join(", ");
    bySteps.set(key, [...(bySteps.get(key) ?? []), one]);
  }
  const largest = [...bySteps].sort((a, b) => b[1].length - a[1].length).slice(0, 8);
  for (const [key, some] of largest) {
    console.log(`  wrong   ${some.length} by ${key}: ${some[0].url} -> ${some[0].to} (${some[0].shows})`);
  }
  for (const { rule, urls, example } of missed.slice(0, 8))
    console.log(`  missed  ${urls} by ${rule}: ${example.join(" and ")}`);
}

function percent(part, whole) {
  return whole === 0 ? "-" : `${((100 * part) / whole).toFixed(2)}%`;
}
