/**
 * Speed of detection and elimination, and of the same detection as SQL: `node bench/speed/mine.mjs [--up-to COUNT]`. Each
 * measurement is a fresh process; the best of three up to 100,000 URLs. Writes a dated JSON, a table and a figure to runs/.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, loadavg, totalmem } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { growth } from "./growth.mjs";

const { values } = parseArgs({ options: { "up-to": { type: "string", default: "10000000" } } });
const script = fileURLToPath(new URL("mine-one.mjs", import.meta.url));
const runs = new URL("runs/", import.meta.url);

function measure(count, mode) {
  const times = count <= 100_000 ? 3 : 1;
  const results = Array.from({ length: times }, () =>
    JSON.parse(
      execFileSync(process.execPath, ["--max-old-space-size=8192", script, String(count), mode], { encoding: "utf8" }),
    ),
  );
  const least = (name) => Math.min(...results.map((result) => result[name]));
  const sql =
    mode === "sql" &&
    Object.fromEntries(["detectMs", "detectCpuMs", "sqlMs", "sqlCpuMs"].map((name) => [name, least(name)]));
  const best = { ...results.sort((a, b) => a.ms - b.ms)[0], ...sql };
  if (sql) best.identical = results.every((result) => result.identical);
  console.error(JSON.stringify(best));
  return best;
}

const machine = {
  cores: cpus().length,
  model: cpus()[0]?.model ?? "unknown",
  memoryGb: Math.round(totalmem() / 2 ** 30),
  node: process.version,
  // Above the number of cores, other work took part of them: then compare processor times.
  loadBefore: Number(loadavg()[0].toFixed(1)),
};

const results = [];
for (const count of [10_000, 20_000, 100_000, 1_000_000, 10_000_000]) {
  if (count > Number(values["up-to"])) break;
  for (const mode of ["auto", "none"]) results.push(measure(count, mode));
}
const peers = [20_000, 100_000]
  .filter((count) => count <= Number(values["up-to"]))
  .map((count) => measure(count, "sql"));

const date = new Date().toISOString().slice(0, 10);
const line = (cells) => `| ${cells.join(" | ")} |`;
const thousands = (value) => value.toLocaleString("en-US");
const markdown = [
  `# Mining, ${date}`,
  "",
  `${machine.cores} cores (${machine.model}), ${machine.memoryGb} GB, Node ${machine.node}, load ${machine.loadBefore} before. Detection and elimination; sizes known (auto) or not (none).`,
  "",
  line(["URLs", "likely", "time, s", "processor, s", "peak RSS, MB (list alone)", "candidates", "rules"]),
  line(["--:", "---", "--:", "--:", "--:", "--:", "--:"]),
  ...results.map((r) =>
    line([
      thousands(r.count),
      r.likely,
      (r.ms / 1000).toFixed(2),
      (r.cpuMs / 1000).toFixed(2),
      `${thousands(r.peakMb)} (${thousands(r.listMb)})`,
      thousands(r.pairs),
      thousands(r.rules),
    ]),
  ),
  "",
  "The same detection (figure 1, not figure 2) as SQL in DuckDB, each in a process that has not run it before, with all cores. Both",
  "start with the list in memory, ours as columns, theirs as a loaded table (loading is not counted), and end with the table of",
  "pairs and their supports. Ours includes the start of its threads. The best of three for both.",
  "",
  line(["URLs", "dustpan, s", "DuckDB, s", "ratio", "ratio of processor times", "pairs identical"]),
  line(["--:", "--:", "--:", "--:", "--:", "---"]),
  ...peers.map((r) =>
    line([
      thousands(r.count),
      (r.detectMs / 1000).toFixed(2),
      (r.sqlMs / 1000).toFixed(2),
      (r.sqlMs / r.detectMs).toFixed(1),
      (r.sqlCpuMs / r.detectCpuMs).toFixed(1),
      r.identical ? "yes" : "NO",
    ]),
  ),
  "",
].join("\n");
mkdirSync(runs, { recursive: true });
writeFileSync(new URL(`${date}-mine.json`, runs), `${JSON.stringify({ date, machine, results, peers }, null, 2)}\n`);
writeFileSync(new URL(`${date}-mine.md`, runs), `${markdown}\n![Time and memory](${date}-mine.svg)\n`);
writeFileSync(new URL(`${date}-mine.svg`, runs), growth(results));
console.log(markdown);
