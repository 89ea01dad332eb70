// What `dustpan mine` spends besides detection: each phase of mining a list, by the processor time of all threads.
//   npm run build && node bench/speed/mine-phases.mjs [URLS=1e5] [ROUNDS=5] [--write]
// The second look is detection on the list without the parameters that hide other rules, with what makes that list. "Beside detection" is all that
// a site takes more: rules known by name, contents, threads, and the three phases that are named.
// The list and its sizes are those of mine-urls.mjs. The smallest times of the rounds, and their ratio to detection. The first round also
// compiles what it runs, as a command does.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg, tmpdir } from "node:os";
import path from "node:path";
import { mergeMined } from "#src/jobs/merge-mined.js";
import { mineBehind } from "#src/jobs/mine/mine-site.js";
import { ruleOf, siteName, siteScope } from "#src/jobs/mine/mined-site.js";
import { mineSite } from "#src/jobs/mine.js";
import { detectDefaults, detectLikelyPairs } from "#src/mine/detect.js";
import { eliminateDefaults, eliminateRedundancies } from "#src/mine/eliminate.js";
import { Mining } from "#src/mine/parameters/mining.js";
import { mineParameterRules } from "#src/mine/parameters.js";
import { drive } from "#src/progress.js";
import { writeRulesFile } from "#src/store/rules-on-disk.js";
import { makeUrlList } from "./mine-urls.mjs";

const numbers = process.argv.slice(2).filter((word) => /^\d/.test(word));
const [count, rounds] = [Number(numbers[0] ?? 1e5), Number(numbers[1] ?? 5)];
const list = makeUrlList(count);
const options = { ...detectDefaults, ...eliminateDefaults, likely: "auto", sketchMatches: 4, plan: "ours" };
const choice = { by: "all" };
const context = { onProgress: () => {}, signal: new AbortController().signal };
const folder = mkdtempSync(path.join(tmpdir(), "dustpan-mine-phases-"));
const cpuMs = () => (process.cpuUsage().user + process.cpuUsage().system) / 1e3;

const first = {};
const best = {};
async function time(phase, work) {
  const begin = cpuMs();
  const result = await work();
  const taken = cpuMs() - begin;
  first[phase] ??= taken;
  best[phase] = Math.min(best[phase] ?? Number.POSITIVE_INFINITY, taken);
  return result;
}

try {
  for (let round = 0; round < rounds; round++) {
    const detected = await time("detection", () => detectLikelyPairs(list, options, context));
    await time("elimination", () => eliminateRedundancies(detected, options));
    const parameters = await time("parameter rules", () =>
      drive(mineParameterRules(new Mining(list, options)), context, ""),
    );
    const named = { name: siteName(choice), scope: siteScope(choice) };
    const direct = parameters.map((mined) => ruleOf(named, mined));
    await time("the second look", () => mineBehind(named, list, direct, options, context));
    const site = await time("all of a site", () => mineSite(choice, list, options, context));
    const file = path.join(folder, "rules.json");
    await time("writing", () => writeRulesFile(file, mergeMined(undefined, { sites: [site] }, options)));
  }
} finally {
  rmSync(folder, { recursive: true });
}
const phases = (taken) => {
  const beside = taken["all of a site"] - taken.detection;
  const three = taken["parameter rules"] + taken["the second look"] + taken.writing;
  const ms = Object.fromEntries(Object.entries(taken).map(([phase, value]) => [phase, Math.round(value)]));
  const inDetections = (value) => Number((value / taken.detection).toFixed(2));
  return {
    ms,
    "parameter rules, the second look and writing, in detections": inDetections(three),
    "beside detection, in detections": inDetections(beside + taken.writing),
  };
};
const report = {
  what: "phases of mining, processor time",
  date: new Date().toISOString(),
  machine: `${cpus()[0]?.model} x ${availableParallelism()}, Node ${process.version}, load ${loadavg()[0].toFixed(1)}`,
  urls: count,
  "first round": phases(first),
  "best of the rounds": phases(best),
};
console.log(JSON.stringify(report, null, 2));
if (process.argv.includes("--write")) {
  const name = `./runs/${report.date.slice(0, 10)}-mine-phases.json`;
  writeFileSync(new URL(name, import.meta.url), `${JSON.stringify(report, null, 2)}\n`);
}
