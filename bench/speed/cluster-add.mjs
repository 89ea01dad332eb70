// New documents taken into old clusters (cluster --add) against a run on all of them, from Parquet files: time and result.
//   node bench/speed/cluster-add.mjs [DOCUMENTS=1e6] [ADDED=1e4] [FOLDER]
// Synthetic documents as in cluster-command.mjs; the added ones are of the same sorts, so that they join old clusters, merge
// some and make new ones. Both ways write no map; that their clusters are equal is checked by counts and by the pages of each.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { DuckDBInstance } from "@duckdb/node-api";

const documents = Number(process.argv[2] ?? 1e6);
const added = Number(process.argv[3] ?? documents / 100);
const folder = process.argv[4] ?? mkdtempSync(path.join(tmpdir(), "dustpan-bench-"));
mkdirSync(folder, { recursive: true });
const instance = await DuckDBInstance.create(":memory:", { memory_limit: "2GB" });
const connection = await instance.connect();
const share = (seed) => `(hash(i, ${seed}) / 18446744073709551616.0)`;
const make = async (name, from, to) => {
  const file = path.join(folder, `${name}.parquet`);
  if (existsSync(file)) return file;
  const supershingles = [0, 1, 2, 3, 4, 5].map(
    (column) =>
      `CASE WHEN cluster < 0 OR ${share(100 + column)} < 0.15 THEN hash(i, ${200 + column}) ELSE hash(cluster, ${300 + column}) END AS s${column}`,
  );
  await connection.run(
    `COPY (
       SELECT 'http://www.' || (hash(i, 1) % 100000) || '.example/section/' || (hash(i, 2) % 1000) || '/document-' || i || '.html' AS url,
         200::SMALLINT AS status, ${supershingles.join(", ")}
       FROM (
         SELECT i, CASE WHEN draw < 0.38 THEN floor(${documents} * 0.088 * pow(draw / 0.38, 2.5))::BIGINT ELSE -1 END AS cluster
         FROM (SELECT i, ${share(3)} AS draw FROM range(${from}, ${to}) t(i))))
     TO '${file}' (FORMAT parquet)`,
  );
  return file;
};
const old = await make("old", 0, documents);
const coming = await make("new", documents, documents + added);

const command = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
// Processor time and the clock's: where others use the machine, only the first can be compared.
const run = (...args) => {
  const words = [process.execPath, command, "cluster", "--json", ...args]
    .map((word) => `'${word.replaceAll("'", "'\\''")}'`)
    .join(" ");
  const { status, stdout, stderr } = spawnSync("bash", ["-c", `TIMEFORMAT='took %U %S %R'; time ${words}`], {
    maxBuffer: 1 << 28,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  const [, user, system, clock] = /took ([\d.]+) ([\d.]+) ([\d.]+)/.exec(stderr);
  return { cpu: Number(user) + Number(system), clock: Number(clock), result: JSON.parse(stdout) };
};
const times = ({ cpu, clock }) => `${cpu.toFixed(1)} s of processor time, ${clock.toFixed(1)} s by the clock`;
const state = path.join(folder, "state.duckdb");
for (const end of ["", ".wal", ".values0"]) rmSync(state + end, { force: true });
const report = (text) => console.log(text);
report(
  `${new Date().toISOString()}, Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model}, load ${loadavg()[0].toFixed(1)}`,
);
const first = run("--add", state, old);
report(`${documents} documents into a new state: ${times(first)}; ${first.result.clusters} clusters`);
const whole = run(old, coming);
const [{ clusters, clustered }] = whole.result.results;
report(`a run on all ${documents + added}: ${times(whole)}; ${clusters} clusters with ${clustered} documents`);
const more = run("--add", state, coming);
report(
  `${added} documents added: ${times(more)} (${(more.cpu / whole.cpu).toFixed(3)} and ${(more.clock / whole.clock).toFixed(3)} of the run on all); ` +
    `${more.result.clusters} clusters with ${more.result.clustered} documents; ${JSON.stringify(more.result.changes.counts)}`,
);
if (more.result.clusters !== clusters || more.result.clustered !== clustered) {
  console.log("FAIL the clusters differ");
  process.exitCode = 1;
}
connection.closeSync();
instance.closeSync();
if (process.argv[4] === undefined) rmSync(folder, { recursive: true });
