// The same commands of two builds, in turn, on the same files: is this version as fast as an earlier one?
//   npm run build && node bench/speed/before-after.mjs EARLIER [--rounds N] [--only WORD,...] [--write]
// EARLIER is a clone of this repository at an earlier commit, built. Processor time, since a busy machine says little by the
// clock; the ratio of medians, between what half of the rounds lie, and of the smallest. --only takes the commands with one of the words in their names. --write adds a
// dated table to bench/speed/runs.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import path from "node:path";
import { formatRulesFile } from "#src/canon/file/write-rules-file.js";
import { randomNumbers } from "#src/demo/text.js";
import { writeCombinedLog } from "./add-log.mjs";
import { makeRules, makeUrl } from "./canon-urls.mjs";
import { makeUrlList } from "./mine-urls.mjs";

const [earlier, ...flags] = process.argv.slice(2);
if (earlier === undefined) throw new Error("expected the folder of an earlier version, built");
const flag = (name) => (flags.includes(name) ? flags[flags.indexOf(name) + 1] : undefined);
const rounds = Number(flag("--rounds") ?? 5);
const wanted = (flag("--only") ?? "").split(",");
const roots = { before: path.resolve(earlier), after: process.cwd() };
const folder = mkdtempSync(path.join(tmpdir(), "dustpan-before-after-"));
const at = (name) => path.join(folder, name);

writeCombinedLog(at("access.log"), 500_000);
const { urls } = makeUrlList(200_000);
const listed = Array.from({ length: urls.count }, (_, i) =>
  Buffer.from(urls.bytes.subarray(urls.offsets[i], urls.offsets[i + 1])).toString("latin1"),
);
writeFileSync(at("urls.txt"), `${listed.join("\n")}\n`);
writeFileSync(at("canon.txt"), `${Array.from({ length: 1_000_000 }, makeUrl).join("\n")}\n`);
// Version 1 of the file has all kinds that these rules are of, and is what every version reads.
const rules = makeRules().map((rule) => ({ ...rule, source: "hand", support: 0, confirmed: 0, merges: 0 }));
const rulesText = formatRulesFile({ settings: {}, rules: rules.slice(0, 100) });
writeFileSync(at("rules.json"), rulesText.replace('"version": 2', '"version": 1'));
writePages(at("pages.jsonl"), 6_000);

/** Pages of a few mirrored sites, with menus and links, some words of each changed. */
function writePages(file, count) {
  const draw = randomNumbers(5);
  const words = Array.from({ length: 4000 }, (_, i) => `w${i.toString(36)}`);
  const text = (seed, length) => {
    const own = randomNumbers(seed);
    return Array.from({ length }, () => words[Math.floor(own() * words.length)]);
  };
  const lines = [];
  for (let i = 0; i < count; i++) {
    const [site, page] = [i % 4, Math.floor(i / 4)];
    const body = text(page + 1, 300);
    if (draw() < 0.3) body[Math.floor(draw() * 300)] = "changed";
    const links = [1, 2, 3].map(
      (step) => `<li><a href="/d/${(page * 3 + step) % (count / 4)}.html">next ${step}</a></li>`,
    );
    const html = `<html><head><title>Page ${page}</title></head><body><ul>${links.join("\n")}</ul><p>${body.join(" ")}</p></body></html>`;
    lines.push(JSON.stringify({ url: `http://host${site}.test/d/${page}.html`, status: 200, html }));
  }
  writeFileSync(file, `${lines.join("\n")}\n`);
}

const workspace = (version) => ["-w", at(`${version}.duckdb`), "--quiet"];
const tasks = [
  ["start", () => ["rules", "--help"]],
  ["add, 500,000 log lines", (version) => ["add", at("access.log"), ...workspace(version)], "fresh"],
  // Before there were plans, the paper's was the only one.
  [
    "mine, 200,000 URLs, the paper's plan",
    (version) => ["mine", at("urls.txt"), "--json", ...(version === "after" ? ["--plan", "paper"] : [])],
  ],
  ["canon, a million URLs, 100 rules", () => ["canon", at("canon.txt"), "--rules", at("rules.json")]],
  ["add, 6,000 pages", (version) => ["add", at("pages.jsonl"), "--snapshot", "one", ...workspace(version)], "fresh"],
  ["cluster, 6,000 pages", (version) => ["cluster", ...workspace(version)]],
  ["mirrors, 6,000 pages", (version) => ["mirrors", ...workspace(version)]],
  ["collections, 6,000 pages", (version) => ["collections", ...workspace(version)]],
];

function run(version, args) {
  const command = ["node", path.join(roots[version], "dist/cli/main.js"), ...args]
    .map((word) => `'${word.replaceAll("'", "'\\''")}'`)
    .join(" ");
  const { status, stderr } = spawnSync("bash", ["-c", `TIMEFORMAT='took %U %S %R'; time ${command} >/dev/null`], {
    encoding: "utf8",
  });
  const [, user, system, real] = /took ([\d.]+) ([\d.]+) ([\d.]+)/.exec(stderr) ?? [];
  if (status !== 0) throw new Error(`${version}: ${stderr}`);
  return { cpu: Number(user) + Number(system), clock: Number(real) };
}

const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const load = loadavg()[0].toFixed(1);
const rows = [];
try {
  for (const [name, argsOf, how] of tasks.filter(([name]) => wanted.some((word) => name.includes(word)))) {
    const taken = { before: [], after: [] };
    for (let round = 0; round < rounds; round++) {
      for (const version of round % 2 === 0 ? ["before", "after"] : ["after", "before"]) {
        if (how === "fresh") for (const end of ["", ".wal"]) rmSync(at(`${version}.duckdb${end}`), { force: true });
        taken[version].push(run(version, argsOf(version)));
      }
    }
    const of = (version, what, choose) => choose(taken[version].map((one) => one[what]));
    const smallest = (list) => Math.min(...list);
    const ratio = (what, choose) => (of("after", what, choose) / of("before", what, choose)).toFixed(2);
    const rounded = taken.before.map(({ cpu }, round) => taken.after[round].cpu / cpu).sort((a, b) => a - b);
    const [low, high] = [1, 3].map((quarter) => rounded[Math.floor((quarter * rounds) / 4)].toFixed(2));
    const seconds = ["before", "after"].map((version) => of(version, "cpu", median).toFixed(2));
    rows.push(
      `| ${[name, ...seconds, ratio("cpu", median), `${low}-${high}`, ratio("cpu", smallest), ratio("clock", median)].join(" | ")} |`,
    );
    console.log(rows.at(-1));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const commit = (version) =>
  spawnSync("git", ["-C", roots[version], "log", "-1", "--format=%h, %s"], { encoding: "utf8" }).stdout.trim();
const day = new Date().toISOString().slice(0, 10);
const table = `# Before and after, ${day}

Before: ${commit("before")}. After: ${commit("after")}. ${rounds} rounds of each in turn; load ${load} at the beginning, so read the ratios.

| command | before, processor s | after | ratio of the medians | middle half of the rounds | of the smallest | by the clock |
| --- | --: | --: | --: | --: | --: | --: |
${rows.join("\n")}
`;
console.log(`\n${table}`);
if (flags.includes("--write")) writeFileSync(`bench/speed/runs/${day}-before-after.md`, table);
