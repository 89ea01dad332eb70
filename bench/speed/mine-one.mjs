/** One measurement in a process of its own: `node mine-one.mjs COUNT MODE`; prints JSON. MODE: auto, none, or sql. */
import { detectDefaults, detectLikelyPairs, readPair } from "#src/mine/detect.js";
import { eliminateDefaults, eliminateRedundancies } from "#src/mine/eliminate.js";
import { detectWithSql } from "./mine-peer.mjs";
import { makeUrlList } from "./mine-urls.mjs";

const count = Number(process.argv[2]);
const mode = process.argv[3] ?? "auto";
const list = makeUrlList(count);
const likely = mode === "none" ? "none" : "auto";
const listMb = Math.round(process.memoryUsage().rss / 1e6);

const steps = {};
let current = "";
let since = performance.now();
const mark = (step) => {
  const now = performance.now();
  if (current !== "") steps[current] = Math.round(now - since);
  current = step;
  since = now;
};
const context = {
  onProgress: ({ step }) => mark(step.replace("detect: ", "")),
  signal: new AbortController().signal,
};
/** Processor time of all threads: what other processes on the machine do not change. */
const cpuMs = () => Math.round((process.cpuUsage().user + process.cpuUsage().system) / 1e3);
const begin = performance.now();
const cpuBegin = cpuMs();
const table = await detectLikelyPairs(list, { ...detectDefaults, likely }, context);
const detectMs = Math.round(performance.now() - begin);
const detectCpuMs = cpuMs() - cpuBegin;
mark("eliminate");
const rules = eliminateRedundancies(table, eliminateDefaults);
mark("");
const ms = Math.round(performance.now() - begin);
const peakMb = Math.round(process.resourceUsage().maxRSS / 1e3);
const result = {
  count,
  likely,
  ms,
  cpuMs: cpuMs() - cpuBegin,
  detectMs,
  detectCpuMs,
  steps,
  listMb,
  peakMb,
  pairs: table.count,
  rules: rules.length,
};

if (mode === "sql") {
  const { ms: sqlMs, cpuMs: sqlCpuMs, rows } = await detectWithSql(list, cpuMs);
  const anchored = (text, { start, end }) => `${start ? "\u0001" : ""}${text}${end ? "\u0002" : ""}`;
  const keyOf = (alpha, beta, low, high) => JSON.stringify([...[alpha, beta].sort(), low, high]);
  const ours = new Set();
  for (let i = 0; i < table.count; i++) {
    const pair = readPair(table, i);
    ours.add(keyOf(anchored(pair.alpha, pair), anchored(pair.beta, pair), pair.supportLow, pair.supportHigh));
  }
  const theirs = new Set(rows.map(([alpha, beta, low, high]) => keyOf(alpha, beta, low, high)));
  result.sqlMs = Math.round(sqlMs);
  result.sqlCpuMs = sqlCpuMs;
  result.identical = ours.size === theirs.size && [...ours].every((key) => theirs.has(key));
}
console.log(JSON.stringify(result));
