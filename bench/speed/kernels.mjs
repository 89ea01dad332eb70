// Kernels and tables of two builds, in turn, in one process and on the same data: is this version as fast as an earlier one?
//   npm run build && node bench/speed/kernels.mjs EARLIER [--rounds N] [--write]
// EARLIER is a clone of this repository at an earlier commit, built. Detection step by step on one thread, sketching, and what
// spends its time in hash tables. With --only WORD just what has the word in its name. Processor
// time, since a busy machine says little by the clock; the ratio of medians, and of the smallest. --write adds a dated table to
// bench/speed/runs.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { randomNumbers } from "#src/demo/text.js";
import { makeRules, makeUrl } from "./canon-urls.mjs";
import { makeUrlList } from "./mine-urls.mjs";

const [earlier, ...flags] = process.argv.slice(2);
if (earlier === undefined) throw new Error("expected the folder of an earlier version, built");
const flag = (name) => (flags.includes(name) ? flags[flags.indexOf(name) + 1] : undefined);
const rounds = Number(flag("--rounds") ?? 15);
const isWanted = (name) => name.includes(flag("--only") ?? "");
const roots = [path.resolve(earlier), process.cwd()];
const load = (file) => Promise.all(roots.map((root) => import(pathToFileURL(path.join(root, "dist", file)).href)));
const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
};

/** By name, the times of either version. */
const taken = new Map();
function took(name, version, ms) {
  if (!taken.has(name)) taken.set(name, [[], []]);
  taken.get(name)[version].push(ms);
}
async function inTurn(work) {
  for (let round = 0; round < rounds; round++) {
    for (const version of round % 2 === 0 ? [0, 1] : [1, 0]) await work(version);
  }
}

/** Once before the clock runs, to compile it. */
async function compare(name, task) {
  if (!isWanted(name)) return;
  for (const version of [0, 1]) await task(version);
  await inTurn(async (version) => {
    const begin = cpuMs();
    await task(version);
    took(name, version, cpuMs() - begin);
  });
}

// ------------------------------------------------------------------------------------------------------- detection

const URLS = 100_000;
const list = makeUrlList(URLS);
const detections = await load("mine/detect.js");
for (const [likely, title] of [
  ["auto", "sizes known"],
  ["none", "nothing known"],
]) {
  if (!isWanted(`detection, ${title}`)) continue;
  await inTurn(async (version) => {
    const { detectLikelyPairs, detectDefaults } = detections[version];
    const begin = cpuMs();
    let step = "";
    let since = begin;
    const mark = (next) => {
      const now = cpuMs();
      if (step !== "") took(`${step}, ${title}`, version, now - since);
      step = next;
      since = now;
    };
    const context = { onProgress: ({ step }) => mark(step), signal: new AbortController().signal };
    await detectLikelyPairs(list, { ...detectDefaults, likely, threads: 1 }, context);
    mark("");
    took(`detection of ${URLS.toLocaleString("en-US")} URLs, ${title}`, version, cpuMs() - begin);
  });
}

// ------------------------------------------------------------------------------------------------------- sketching

const draw = randomNumbers(1);
const words = Array.from({ length: 20_000 }, () =>
  Math.floor(draw() * 36 ** 6)
    .toString(36)
    .slice(draw() * 5),
);
const texts = Array.from({ length: 500 }, () =>
  Array.from({ length: 100 + draw() * 1900 }, () => words[Math.floor(draw() ** 2 * words.length)]).join(" "),
);
const encoder = new TextEncoder();
const ascii = texts.map((text) => encoder.encode(text));
const mixed = texts.map((text) => encoder.encode(text.replaceAll("a", "ä").replaceAll("e", "语").replaceAll("o", "ж")));
const lines = ascii.map((text) =>
  Uint32Array.from({ length: 2 * (text.length >> 6) }, (_, i) => (i >> 1) * 64 + 50 * (i & 1)),
);
const fingerprinters = (await load("sketch/kernel.js")).map(({ wasmFingerprinter }) => wasmFingerprinter());
const features = (pages, functions, reading) => (fingerprinter) => {
  for (const page of pages) fingerprinter.features(page, reading, [{ shingleWords: 5, wrap: true, functions }]);
};
const tasks = {
  "84 features, ASCII": features(ascii, 84, "unicode"),
  "84 features, three scripts": features(mixed, 84, "unicode"),
  "4 features, ASCII": features(ascii, 4, "unicode"),
  "4 features, ASCII read as in 2004": features(ascii, 4, "ascii"),
  "4 features, three scripts": features(mixed, 4, "unicode"),
  "fingerprints of lines": (fingerprinter) => {
    for (const [i, page] of ascii.entries()) fingerprinter.fingerprints(page, lines[i]);
  },
};
for (const [name, task] of Object.entries(tasks)) {
  await compare(`sketching: ${name}`, (version) => task(fingerprinters[version]));
}

// ---------------------------------------------------------------------------------------------------------- tables

const { bytes, offsets, count } = list.urls;
const byteTables = await load("input/byte-table.js");
await compare("tables: interning each URL three times", (version) => {
  const table = new byteTables[version].ByteTable();
  for (let i = 0; i < 3 * count; i++) table.intern(bytes, offsets[i % count], offsets[(i % count) + 1]);
});

const [minings, parameters, progress] = await Promise.all(
  ["mine/parameters/mining.js", "mine/parameters.js", "progress.js"].map(load),
);
const context = { onProgress: () => {}, signal: new AbortController().signal };
const options = { ...detections[1].detectDefaults, likely: "auto", sketchMatches: 4, minSupport: 3 };
await compare("tables: parameter rules", (version) =>
  progress[version].drive(
    parameters[version].mineParameterRules(new minings[version].Mining(list, options)),
    context,
    "",
  ),
);

const values = BigUint64Array.from({ length: 1e6 }, () => BigInt(Math.floor(draw() ** 2 * 1e6)) * 0x9e3779b97f4a7c15n);
const firstEquals = await load("pages/first-equal.js");
await compare("tables: first equal of a million values", (version) => firstEquals[version].firstEqual(values));

const supershingles = values.subarray(0, 6 * 160_000);
const clusters = await load("pages/cluster.js");
await compare("tables: clusters of 160,000 pages", (version) =>
  clusters[version].clusterPages(clusters[version].fromColumns(supershingles), { threads: 1 }),
);

const canons = await load("canon/index.js");
const canonUrls = Array.from({ length: 50_000 }, makeUrl);
const pairs = Array.from({ length: 200_000 }, (_, i) => ({
  from: `http://www.example.org/p/${i}`,
  to: `http://www.example.org/post/${i}`,
  seenMs: 1e12,
  why: "redirect",
}));
const aliasFile = encoder.encode([...canons[1].formatAliases(pairs, 1e6)].join(""));
const aliasTables = (await load("canon/aliases.js")).map(({ AliasTable }) =>
  AliasTable.read(aliasFile, 1e12, "aliases"),
);
const canonizers = canons.map(({ compile }) => compile(makeRules()));
const withAliases = canons.map((canon, version) => canon.withAliases(canonizers[version], aliasTables[version]));
for (const [name, functions] of Object.entries({
  "1,000 rules": canonizers,
  "1,000 rules and 200,000 aliases": withAliases,
})) {
  await compare(`tables: canon, ${name}`, (version) => {
    for (const url of canonUrls) functions[version](url);
  });
}

const pages = texts.map((text) =>
  encoder.encode(
    `<html><head><title>x</title></head><body>${text.replaceAll(" a", " <p class=x>a<b>b</b>")}</body></html>`,
  ),
);
const parsers = await load("sketch/html.js");
await compare("tables: names of tags", (version) => {
  for (const page of pages) parsers[version].parseHtml(page);
});

// ---------------------------------------------------------------------------------------------------------- report

const median = (times) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)];
const least = (times) => Math.min(...times);
const rows = [...taken].map(([name, versions]) => {
  const ratio = (choose) => (choose(versions[1]) / choose(versions[0])).toFixed(2);
  return `| ${[name, ...versions.map((times) => median(times).toFixed(1)), ratio(median), ratio(least)].join(" | ")} |`;
});
const commit = (root) =>
  spawnSync("git", ["-C", root, "log", "-1", "--format=%h, %s"], { encoding: "utf8" }).stdout.trim();
const day = new Date().toISOString().slice(0, 10);
const table = `# Kernels and tables, before and after, ${day}

Before: ${commit(roots[0])}. After: ${commit(roots[1])}. ${rounds} rounds of each in turn, in one process; load ${loadavg()[0].toFixed(1)} at the end, so read the ratios.

| what | before, processor ms | after | ratio of the medians | of the smallest |
| --- | --: | --: | --: | --: |
${rows.join("\n")}
`;
console.log(table);
if (flags.includes("--write")) writeFileSync(`bench/speed/runs/${day}-kernels.md`, table);
