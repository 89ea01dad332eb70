// The whole command, from Parquet files with supershingles to the cluster map in Parquet: time and peak memory.
//   node bench/speed/cluster-command.mjs [DOCUMENTS=1e6] [FOLDER] > bench/speed/runs/DATE-cluster-command-DOCUMENTS.json
// Ten files of synthetic documents, as in cluster.mjs: 62% alone, the others in clusters whose sizes follow a power law;
// each supershingle of a clustered document has been replaced with probability 0.15. URLs of about 60 bytes are in no
// order. Making the files is not counted; they stay in FOLDER if one is given.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { DuckDBInstance } from "@duckdb/node-api";

const documents = Number(process.argv[2] ?? 1e6);
const folder = process.argv[3] ?? mkdtempSync(path.join(tmpdir(), "dustpan-bench-"));
const parts = 10;

const instance = await DuckDBInstance.create(":memory:", { memory_limit: "2GB" });
const connection = await instance.connect();
mkdirSync(folder, { recursive: true });
const share = (seed) => `(hash(i, ${seed}) / 18446744073709551616.0)`;
for (let part = 0; part < parts; part++) {
  const file = path.join(folder, `part-${part}.parquet`);
  if (existsSync(file)) continue;
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
         FROM (SELECT i, ${share(3)} AS draw FROM range(${(documents / parts) * part}, ${(documents / parts) * (part + 1)}) t(i))))
     TO '${file}' (FORMAT parquet)`,
  );
}
connection.closeSync();
instance.closeSync();

const files = readdirSync(folder)
  .filter((name) => /^part-\d+\.parquet$/.test(name))
  .map((name) => path.join(folder, name));
const output = path.join(folder, "map.parquet");
rmSync(output, { force: true });
const command = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const load = Number(loadavg()[0].toFixed(1));
const begin = performance.now();
const child = spawn(process.execPath, [command, "cluster", "--json", "-o", output, ...files]);
let text = "";
let complaint = "";
child.stdout.on("data", (chunk) => {
  text += chunk;
});
child.stderr.on("data", (chunk) => {
  complaint += chunk;
});
// The kernel keeps the peak itself (Linux), so that looking now and then misses only the last moment.
let peak = 0;
let cpu = 0;
const watch = setInterval(() => {
  try {
    peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1] ?? peak);
    const fields = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(" ");
    cpu = (Number(fields[13]) + Number(fields[14])) / 100;
  } catch {
    // It has just ended.
  }
}, 50);
const [code] = await once(child, "close");
clearInterval(watch);
const seconds = (performance.now() - begin) / 1000;
if (code !== 0) throw new Error(complaint);
const [result] = JSON.parse(text).results;
console.log(
  JSON.stringify(
    {
      date: new Date().toISOString().slice(0, 10),
      cpu: cpus()[0].model,
      cores: cpus().length,
      load,
      node: process.version,
      documents,
      seconds: Number(seconds.toFixed(1)),
      cpuSeconds: Number(cpu.toFixed(1)),
      peakGigabytes: Number((peak / 2 ** 20).toFixed(2)),
      inputGigabytes: Number((files.reduce((sum, file) => sum + statSync(file).size, 0) / 1e9).toFixed(2)),
      outputGigabytes: Number((statSync(output).size / 1e9).toFixed(2)),
      clusters: result.clusters,
      nearDuplicates: result.nearDuplicates,
      share: Number(result.share.toFixed(4)),
      largest: result.largest[0].size,
    },
    null,
    1,
  ),
);
if (process.argv[3] === undefined) rmSync(folder, { recursive: true });
