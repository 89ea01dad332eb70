// The whole command, from Parquet files with supershingles to the cluster map in Parquet: time and peak memory.
//   node bench/speed/cluster-command.mjs [DOCUMENTS=1e6] [FOLDER] > bench/speed/runs/DATE-cluster-command-DOCUMENTS.json
// Ten files of synthetic documents, as in cluster.mjs: 62% alone, the others in clusters whose sizes follow a power law;
// each supershingle of a clustered document has been replaced with probability 0.15. URLs of about 60 bytes are in no
// order. Making the files is not counted; they stay in FOLDER if one is given.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { writeDocuments } from "./documents.mjs";
import { watchProcess } from "./watch-process.mjs";

const documents = Number(process.argv[2] ?? 1e6);
const folder = process.argv[3] ?? mkdtempSync(path.join(tmpdir(), "dustpan-bench-"));
const parts = 10;

mkdirSync(folder, { recursive: true });
for (let part = 0; part < parts; part++) {
  const [from, to] = [part, part + 1].map((number) => (documents / parts) * number);
  await writeDocuments(path.join(folder, `part-${part}.parquet`), from, to, documents);
}

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
const { code, cpu, peak } = await watchProcess(child);
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
