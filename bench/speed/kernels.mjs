// The kernels of two builds, in turn, in one process and on the same data: is this version as fast as an earlier one?
//   npm run build && node bench/speed/kernels.mjs EARLIER [--rounds N] [--write]
// EARLIER is a clone of this repository at an earlier commit, built. Detection step by step on one thread, and sketching. Processor
// time, since a busy machine says little by the clock; the ratio of medians, and of the smallest. --write adds a dated table to
// bench/speed/runs.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { makeUrlList, random } from "./mine-urls.mjs";

const [earlier, ...flags] = process.argv.slice(2);
if (earlier === undefined) throw new Error("expected the folder of an earlier version, built");
const rounds = flags.includes("--rounds") ? Number(flags[flags.indexOf("--rounds") + 1]) : 15;
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

// ------------------------------------------------------------------------------------------------------- detection

const URLS = 100_000;
const list = makeUrlList(URLS);
const detections = await load("mine/detect.js");
for (const [likely, title] of [
  ["auto", "sizes known"],
  ["none", "nothing known"],
]) {
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

const draw = random(1);
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
  for (const fingerprinter of fingerprinters) task(fingerprinter);
  await inTurn((version) => {
    const begin = cpuMs();
    task(fingerprinters[version]);
    took(`sketching: ${name}`, version, cpuMs() - begin);
  });
}

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
const table = `# Kernels, before and after, ${day}

Before: ${commit(roots[0])}. After: ${commit(roots[1])}. ${rounds} rounds of each in turn, in one process; load ${loadavg()[0].toFixed(1)} at the end, so read the ratios.

| what | before, processor ms | after | ratio of the medians | of the smallest |
| --- | --: | --: | --: | --: |
${rows.join("\n")}
`;
console.log(table);
if (flags.includes("--write")) writeFileSync(`bench/speed/runs/${day}-kernels.md`, table);
