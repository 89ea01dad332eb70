// Ways in which a validation can fool itself, each as a small site with known truth: in how many of many runs do the rules in
// use change more than 1% of their URLs to another page or to none, and how much of what they could merge do they merge?
// A certificate claims that at most 1% is wrong, with 95% confidence: beside it how often that was not so.
//   npm run build && node bench/accuracy/fooled.mjs [--runs 60] [--only NAME] [--write]
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { CASES } from "./random/cases.mjs";
import { runOnSite } from "./random/run.mjs";

const { values } = parseArgs({
  options: { runs: { type: "string", default: "60" }, only: { type: "string" }, write: { type: "boolean" } },
});
const runs = Number(values.runs);
/** A certificate may be wrong so often. */
const CLAIMED_ERROR = 0.05;
const lines = [
  "| case | runs | with rules | certified | claimed: of these more than 1% wrong | delivered | more than 1% wrong at all | wrong of changed | merged of reach | rules a run | requests a run |",
  "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
];
console.log(lines.join("\n"));
for (const [name, { site, rules }] of Object.entries(CASES)) {
  if (values.only !== undefined && values.only !== name) continue;
  const results = [];
  for (let seed = 1; seed <= runs; seed++) {
    results.push(await runOnSite(site(seed), { seed, ...(rules !== undefined && { rules }) }));
  }
  const line = rowOf(name, results);
  lines.push(line);
  console.log(line);
}
if (values.write) {
  const date = new Date().toISOString().slice(0, 10);
  const about = `${date}, node ${process.version}, ${cpus()[0]?.model}: \`node bench/accuracy/fooled.mjs --runs ${runs}\``;
  const text = ["# Ways to fool oneself", "", about, "", ...lines, ""].join("\n");
  writeFileSync(new URL(`./runs/${date}-fooled.md`, import.meta.url), text);
}

function isWrong({ wrong, changed }) {
  return wrong.length > 0.01 * changed;
}

function isCertified({ rules, certificates }) {
  return rules.length > 0 && certificates.every(({ certified }) => certified);
}

function rowOf(name, results) {
  const sum = (of) => results.reduce((total, result) => total + of(result), 0);
  const count = (holds) => results.filter(holds).length;
  const cells = [
    name,
    results.length,
    count((r) => r.rules.length > 0),
    count(isCertified),
    `at most ${Math.floor(CLAIMED_ERROR * count(isCertified))}`,
    count((r) => isCertified(r) && isWrong(r)),
    count(isWrong),
    percent(
      sum((r) => r.wrong.length),
      sum((r) => r.changed),
    ),
    percent(
      sum((r) => Math.min(r.merged, r.reach)),
      sum((r) => r.reach),
    ),
    (sum((r) => r.rules.length) / results.length).toFixed(1),
    Math.round(sum((r) => r.requests) / results.length),
  ];
  return `| ${cells.join(" | ")} |`;
}

function percent(part, whole) {
  return whole === 0 ? "-" : `${((100 * part) / whole).toFixed(1)}%`;
}
