// The whole command `dustpan canon` on a list of URLs, compared with `sed` with one expression, and with a million aliases compared with none:
// in turns, in one run.
//   npm run build && node bench/speed/canon-command.mjs [URLS=4e6] [ROUNDS=3] [--write]
// The rules are the ten usual ones of canon-urls.mjs; sed removes one parameter with its value, in the locale "C", which is its
// fastest. A tenth of the aliases' sources are in the list. All outputs go to a file. Times are the best of the rounds, by the clock
// and by the processor: on a busy machine only the latter says something. What start-up and reading the aliases take is known from the
// list's beginning, long enough for threads: what the rest takes is the rate per URL after them.
import { spawnSync } from "node:child_process";
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync, writeSync } from "node:fs";
import { availableParallelism, cpus, loadavg, tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { compile, formatAliases, formatRulesFile, settleAliases } from "#src/canon/index.js";
import { makeRules, makeUrl } from "./canon-urls.mjs";

const numbers = process.argv.slice(2).filter((word) => /^\d/.test(word));
const urlCount = Number(numbers[0] ?? 4e6);
const rounds = Number(numbers[1] ?? 3);
const aliasCount = 1e6;

const folder = mkdtempSync(path.join(tmpdir(), "dustpan-canon-"));
const at = (name) => path.join(folder, name);
const rules = makeRules()
  .slice(0, 10)
  .map((rule) => ({ ...rule, source: "hand", support: 0, confirmed: 0, merges: 0 }));
writeFileSync(at("rules.json"), formatRulesFile({ rules, settings: {} }));
const canon = compile(rules);
const file = openSync(at("urls.txt"), "w");
const shortCount = 150_000;
const short = openSync(at("short.txt"), "w");
const pairs = [];
const seenMs = Date.now();
for (let i = 0; i < urlCount; i += 10_000) {
  const urls = Array.from({ length: Math.min(10_000, urlCount - i) }, makeUrl);
  for (const url of urls.slice(0, Math.ceil((aliasCount / 10 / urlCount) * urls.length))) {
    pairs.push({ from: url, to: `https://target.test/${pairs.length}`, seenMs, why: "redirect" });
  }
  writeSync(file, `${urls.join("\n")}\n`);
  if (i < shortCount) writeSync(short, `${urls.join("\n")}\n`);
}
closeSync(file);
closeSync(short);
while (pairs.length < aliasCount) {
  pairs.push({
    from: `${makeUrl()}#${pairs.length}`,
    to: `https://target.test/${pairs.length}`,
    seenMs,
    why: "redirect",
  });
}
writeFileSync(at("aliases"), [...formatAliases(settleAliases(pairs, canon).aliases, 365)].join(""));

const command = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const sed = ["sed", "-E", "s/[?&]sid=[0-9a-f]*//"];
const dustpan = [process.execPath, command, "canon", "--rules", at("rules.json")];
const aliases = ["--aliases", at("aliases")];
const quoted = (words) => words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
const piped = (words) => `cat ${quoted([at("urls.txt")])} | ${quoted(words)}`;
const contestants = {
  sed: quoted([...sed, at("urls.txt")]),
  dustpan: quoted([...dustpan, at("urls.txt")]),
  "dustpan, a million aliases": quoted([...dustpan, ...aliases, at("urls.txt")]),
  "sed, piped": piped(sed),
  "dustpan, piped": piped([...dustpan, "-"]),
  "dustpan, short list": quoted([...dustpan, at("short.txt")]),
  "dustpan, short list, a million aliases": quoted([...dustpan, ...aliases, at("short.txt")]),
};
const best = {};
const processor = {};
const smaller = (a, b) => Math.min(a ?? Number.POSITIVE_INFINITY, b);
for (let round = 0; round < rounds; round++) {
  for (const [name, line] of Object.entries(contestants)) {
    const output = openSync(at("out"), "w");
    const { status, stderr } = spawnSync("bash", ["-c", `TIMEFORMAT='took %U %S %R'; time { ${line}; }`], {
      stdio: ["ignore", output, "pipe"],
      encoding: "utf8",
      env: { ...process.env, LC_ALL: "C" },
    });
    const [, user, system, real] = /took ([\d.]+) ([\d.]+) ([\d.]+)/.exec(stderr) ?? [];
    closeSync(output);
    if (status !== 0 || statSync(at("out")).size === 0) throw new Error(`${name} ended with ${status}: ${stderr}`);
    best[name] = smaller(best[name], Number(real));
    processor[name] = smaller(processor[name], Number(user) + Number(system));
  }
}
const ratios = (times) => {
  const ratio = (a, b) => Number((a / b).toFixed(2));
  const rest = (all, beginning) => times[all] - times[beginning];
  return {
    "dustpan against sed": ratio(times.dustpan, times.sed),
    "dustpan against sed, piped": ratio(times["dustpan, piped"], times["sed, piped"]),
    "a million aliases against none": ratio(times["dustpan, a million aliases"], times.dustpan),
    "the same after they are read": ratio(
      rest("dustpan, a million aliases", "dustpan, short list, a million aliases"),
      rest("dustpan", "dustpan, short list"),
    ),
  };
};
const rounded = (times) =>
  Object.fromEntries(Object.entries(times).map(([name, seconds]) => [name, Number(seconds.toFixed(2))]));
const report = {
  what: "dustpan canon on a list, whole command",
  date: new Date().toISOString(),
  machine: `${cpus()[0]?.model} x ${availableParallelism()}, Node ${process.version}, load ${loadavg()[0].toFixed(1)}`,
  urls: urlCount,
  bytes: statSync(at("urls.txt")).size,
  "seconds by the clock": rounded(best),
  "seconds of processor": rounded(processor),
  "ratios by the clock": ratios(best),
  "ratios of processor time": ratios(processor),
};
rmSync(folder, { recursive: true });
console.log(JSON.stringify(report, null, 2));
if (process.argv.includes("--write")) {
  const runs = new URL("./runs/", import.meta.url);
  mkdirSync(runs, { recursive: true });
  writeFileSync(
    new URL(`${report.date.slice(0, 10)}-canon-command.json`, runs),
    `${JSON.stringify(report, null, 2)}\n`,
  );
}
