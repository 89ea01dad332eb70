// URLs canonized per second with 10, 100 and 1,000 rules, compared with npm's normalize-url, in one process and one run.
//   npm run build && node bench/speed/canon.mjs [--urls FILE] [--write]
// Three workloads: nothing to change, the usual mixture, and something to change in every URL. With --urls also a list of
// your own, one URL a line. --write adds a dated result to bench/speed/runs.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import normalizeUrl from "normalize-url";
import { compile } from "#src/canon/index.js";
import { makeRules, makeUrl } from "./canon-urls.mjs";

const URL_COUNT = 200_000;
const ROUNDS = 200;
const URLS_A_ROUND = 2_000;
const PEER_URLS_A_ROUND = 200;

const rules = makeRules();
const canonizers = [10, 100, 1000].map((count) => {
  const start = performance.now();
  const canonize = compile(rules.slice(0, count));
  return { rules: count, canonize, compileMs: Number((performance.now() - start).toFixed(1)) };
});
const [ten, , thousand] = canonizers;
const made = Array.from({ length: URL_COUNT }, makeUrl);
const own = process.argv.indexOf("--urls");
const workloads = {
  "nothing changes": made.map((url) => thousand.canonize(url)),
  typical: made,
  "everything changes": made.filter((url) => ten.canonize(url) !== url),
  ...(own > 0 && {
    own: readFileSync(process.argv[own + 1], "utf8")
      .split("\n")
      .filter((url) => URL.canParse(url)),
  }),
};

// In turns of a few milliseconds, so that all meet the same machine and some turns meet it undisturbed; of each the best
// twentieth counts (the median of it). The sum keeps the work from being skipped.
let total = 0;
function measure(list) {
  // Joined and split, as a reader of lines has them: slices of one long text.
  const urls = list.join("\n").split("\n");
  const encoded = new TextEncoder().encode(list.join("\n"));
  const ends = new Uint32Array(urls.length);
  for (let i = 0, at = -1; i < urls.length; i++) {
    at = encoded.indexOf(10, at + 1);
    ends[i] = at < 0 ? encoded.length : at;
  }
  const { canonize: hundred } = canonizers[1];
  const contestants = [
    ...canonizers.map(({ canonize }) => ({ count: URLS_A_ROUND, visit: (i) => canonize(urls[i]).length })),
    {
      count: URLS_A_ROUND,
      visit: (i) => (hundred.mayChange(encoded, i === 0 ? 0 : ends[i - 1] + 1, ends[i]) ? 1 : 0),
    },
    { count: PEER_URLS_A_ROUND, visit: (i) => normalizeUrl(urls[i]).length },
  ];
  const rates = contestants.map(() => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [c, { count, visit }] of contestants.entries()) {
      const from = (round * URLS_A_ROUND) % Math.max(1, urls.length - URLS_A_ROUND);
      const until = Math.min(urls.length, from + count);
      const start = performance.now();
      for (let i = from; i < until; i++) total += visit(i);
      rates[c].push(((until - from) / (performance.now() - start)) * 1000);
    }
  }
  const best = rates.map((all) => Math.round(all.sort((a, b) => b - a)[Math.floor(ROUNDS / 40)]));
  const share = ({ canonize }) => Number((urls.filter((url) => canonize(url) !== url).length / urls.length).toFixed(3));
  return {
    urls: urls.length,
    meanLength: Math.round(urls.reduce((sum, url) => sum + url.length, 0) / urls.length),
    dustpan: canonizers.map((canonizer, i) => ({
      rules: canonizer.rules,
      urlsPerSecond: best[i],
      shareChanged: share(canonizer),
    })),
    "mayChange, 100 rules": { urlsPerSecond: best[3] },
    normalizeUrl: { urlsPerSecond: best[4] },
    ratios: {
      "1,000 rules against 10 (time)": Number((best[0] / best[2]).toFixed(2)),
      "100 rules against normalize-url (speed)": Number((best[1] / best[4]).toFixed(1)),
      "1,000 rules against normalize-url (speed)": Number((best[2] / best[4]).toFixed(1)),
    },
  };
}

const report = {
  what: "URLs canonized per second, one core",
  date: new Date().toISOString(),
  machine: `${cpus()[0]?.model} x ${cpus().length}, Node ${process.version}`,
  compileMs: Object.fromEntries(canonizers.map(({ rules: count, compileMs }) => [`${count} rules`, compileMs])),
  workloads: Object.fromEntries(Object.entries(workloads).map(([name, list]) => [name, measure(list)])),
};
if (total === 0) throw new Error("nothing was canonized");
console.log(JSON.stringify(report, null, 2));
if (process.argv.includes("--write")) {
  const folder = new URL("./runs/", import.meta.url);
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL(`${report.date.slice(0, 10)}-canon.json`, folder), `${JSON.stringify(report, null, 2)}\n`);
}
