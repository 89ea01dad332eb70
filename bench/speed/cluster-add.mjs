// New documents taken into old clusters (cluster --add) against a run on all of them, from Parquet files: time and result.
//   node bench/speed/cluster-add.mjs [DOCUMENTS=1e6] [ADDED=1e4] [FOLDER]
// Synthetic documents as in cluster-command.mjs; the added ones are of the same sorts, so that they join old clusters, merge
// some and make new ones. Both ways write no map; that their clusters are equal is checked by counts and by the pages of each.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { writeDocuments } from "./documents.mjs";

const documents = Number(process.argv[2] ?? 1e6);
const added = Number(process.argv[3] ?? documents / 100);
const folder = process.argv[4] ?? mkdtempSync(path.join(tmpdir(), "dustpan-bench-"));
mkdirSync(folder, { recursive: true });
const old = path.join(folder, "old.parquet");
const coming = path.join(folder, "new.parquet");
await writeDocuments(old, 0, documents, documents);
await writeDocuments(coming, documents, documents + added, documents);

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
for (const end of ["", ".wal", ".values0", ".values0.index"]) rmSync(state + end, { force: true });
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
if (process.argv[4] === undefined) rmSync(folder, { recursive: true });
