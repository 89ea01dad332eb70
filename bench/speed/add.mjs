// How fast a combined log is read, against goaccess and DuckDB with a regular expression, on the same file in one run.
//   node bench/speed/add.mjs [LINES]
// Prints a table and writes it to bench/speed/runs/. Every program runs in a process of its own, three times; the best
// wall time and that run's peak memory count. "up to the columns" is reading without the workspace.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { cpus, tmpdir, totalmem } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { writeCombinedLog } from "./add-log.mjs";

const lines = Number(process.argv[2] ?? 1_000_000);
const root = path.join(path.dirname(fileURLToPath(import.meta.url)), "../..");
const folder = mkdtempSync(path.join(tmpdir(), "dustpan-bench-"));
const log = path.join(folder, "access.log");
const RUNS = 3;

/** Wall seconds and peak megabytes of a command, by GNU time. */
function measure(command, ...args) {
  const { status, stderr, error } = spawnSync("/usr/bin/time", ["-f", "\n%e %M", command, ...args], {
    encoding: "utf8",
    stdio: ["ignore", "ignore", "pipe"],
    cwd: folder,
    maxBuffer: 2 ** 28,
  });
  if (error !== undefined || status !== 0) return undefined;
  const [seconds, kilobytes] = stderr.trim().split("\n").at(-1).split(" ").map(Number);
  return { seconds, megabytes: kilobytes / 1024 };
}

function best(command, ...args) {
  const runs = Array.from({ length: RUNS }, () => measure(command, ...args)).filter((run) => run !== undefined);
  return runs.sort((a, b) => a.seconds - b.seconds)[0];
}

function script(name, text) {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
}

const url = (file) => JSON.stringify(new URL(`file://${path.join(root, file)}`).href);
const reading = (threads) =>
  script(
    `read-${threads}.mjs`,
    `import { readSource } from ${url("dist/input/read-source.js")};
     const context = { onProgress() {}, signal: new AbortController().signal };
     const { lines } = await readSource(${JSON.stringify(log)}, { threads: ${threads} }, context);
     if (lines !== ${lines}) process.exit(1);`,
  );
const duckdb = script(
  "duckdb.mjs",
  `import { DuckDBInstance } from ${url("node_modules/@duckdb/node-api/lib/index.js")};
   const instance = await DuckDBInstance.create(":memory:", { autoinstall_known_extensions: "false" });
   const connection = await instance.connect();
   const reader = await connection.runAndReadAll(\`
     WITH lines AS (
       SELECT regexp_extract(line, '^(\\\\S+) \\\\S+ \\\\S+ \\\\[([^\\\\]]+)\\\\] "(\\\\S+) (\\\\S+) [^"]*" (\\\\d+) (\\\\S+) "[^"]*" "([^"]*)"',
         ['client', 'time', 'method', 'url', 'status', 'bytes', 'agent']) AS f
       FROM read_csv(${JSON.stringify(log).replaceAll('"', "'")}, columns = {'line': 'VARCHAR'}, delim = '\\u0001', quote = '', escape = '', header = false, auto_detect = false))
     SELECT f.url, count(*), min(TRY_CAST(f.bytes AS BIGINT)), max(TRY_CAST(f.bytes AS BIGINT)), min(f.time), max(f.time),
       count(*) FILTER (f.agent ILIKE '%googlebot%')
     FROM lines WHERE f.method IN ('GET', 'HEAD') GROUP BY f.url\`);
   if (reader.currentRowCount < 10) process.exit(1);`,
);

writeCombinedLog(log, lines);
const megabytes = statSync(log).size / 1e6;
const goaccess = () =>
  best(
    "goaccess",
    log,
    "--log-format=COMBINED",
    "--no-global-config",
    "--no-progress",
    "-o",
    path.join(folder, "report.json"),
  );
const cli = path.join(root, "dist/cli/main.js");
const whole = () => {
  const runs = Array.from({ length: RUNS }, (_, i) =>
    measure("node", cli, "add", log, "-w", path.join(folder, `workspace-${i}.duckdb`)),
  ).filter((run) => run !== undefined);
  return runs.sort((a, b) => a.seconds - b.seconds)[0];
};
const rows = [
  ["dustpan add, whole command", existsSync(cli) ? whole() : undefined],
  ["dustpan, up to the columns, 2 threads", best("node", reading(2))],
  ["dustpan, up to the columns, 1 thread", best("node", reading(1))],
  ["DuckDB, regular expression and GROUP BY", best("node", duckdb)],
  ["goaccess", goaccess()],
];
rmSync(folder, { recursive: true });

const base = rows[0][1] ?? rows[1][1];
const date = new Date().toISOString().slice(0, 10);
const report = [
  `# Reading a combined log, ${date}`,
  "",
  `${lines.toLocaleString("en")} lines, ${megabytes.toFixed(0)} MB, seed 1; Node ${process.version}, ${cpus().length} x ${cpus()[0].model.trim()}, ${(totalmem() / 2 ** 30).toFixed(0)} GB. Best of ${RUNS}.`,
  "",
  "| program | seconds | lines/s | peak MB | times as long |",
  "|---|--:|--:|--:|--:|",
  ...rows.map(([name, run]) =>
    run === undefined
      ? `| ${name} | not installed, or failed | | | |`
      : `| ${name} | ${run.seconds.toFixed(2)} | ${Math.round(lines / run.seconds).toLocaleString("en")} | ${run.megabytes.toFixed(0)} | ${(run.seconds / base.seconds).toFixed(1)} |`,
  ),
  "",
].join("\n");
const runs = path.join(root, "bench/speed/runs");
mkdirSync(runs, { recursive: true });
writeFileSync(path.join(runs, `${date}-add.md`), report);
console.log(report);
