/**
 * The same operators on the three engines: time, memory, rows and bytes of each step against size. One engine and size a process.
 *
 *   node bench/speed/engines.mjs pairs duckdb 1000000 [--sites 1000] [--memory 8] [--scratch DIR] [--steps DIR]
 *   node bench/speed/engines.mjs clusters spark 1000000
 *
 * With --steps the tables of DuckDB's steps are Parquet there, as with --keep-steps, and a run that was stopped goes on after them.
 * For Spark it starts a cluster of its own on loopback (two workers with a core and 3 GB each) and asks it what was shuffled. With --spark-home
 * and --spark-jars it is another version, such as 3.5 with the archive of its Connect server. Steps are kept, so that each is measured; with
 * --unkept they are not, as in the command without --keep-steps: fewer statements, and no table that only one of them reads.
 * Local detection is for one site, as in `mine`, which takes them one by one.
 * Prints one JSON document; runs/ has those that were kept.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { cpus, tmpdir, totalmem } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { DuckDBInstance } from "@duckdb/node-api";
import { findClusters } from "#src/engine/clusters.js";
import { pairSteps } from "#src/engine/detect.js";
import { DuckdbEngine } from "#src/engine/duckdb-engine.js";
import { runStepsBySite } from "#src/engine/passes.js";
import { SparkEngine } from "#src/engine/spark-engine.js";
import { detectDefaults, detectLikelyPairs } from "#src/mine/detect.js";
import { quietly } from "#src/model.js";
import { clusterPages, fromColumns } from "#src/pages/cluster.js";
import { columnOf } from "#src/string-column.js";
import { freePorts, startCluster } from "../../scripts/spark-cluster.mjs";
import { documentSql, urlSql } from "./engine-tables.mjs";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    memory: { type: "string", default: "8" },
    scratch: { type: "string", default: path.join(tmpdir(), "dustpan-bench-engines") },
    sites: { type: "string", default: "1" },
    steps: { type: "string" },
    unkept: { type: "boolean", default: false },
    "spark-home": { type: "string" },
    "spark-jars": { type: "string" },
  },
});
const [operator, engineName, sizeText] = positionals;
const size = Number(sizeText);
const sites = Number(values.sites);
const memoryBytes = Number.parseFloat(values.memory) * 2 ** 30;
let sparkUi;
mkdirSync(values.scratch, { recursive: true });

async function withDuckdb(work) {
  const instance = await DuckDBInstance.create(":memory:", { memory_limit: "2GB", temp_directory: values.scratch });
  const connection = await instance.connect();
  const result = await work(connection);
  connection.closeSync();
  instance.closeSync();
  return result;
}

/** What a query gives as a Parquet file, made once. */
async function parquetFile(name, select) {
  const file = path.join(values.scratch, `${name}-${size}-${sites}.parquet`);
  if (existsSync(file)) return file;
  await withDuckdb((connection) =>
    connection.run(`COPY (${select}) TO '${file}' (FORMAT parquet, ROW_GROUP_SIZE 250000)`),
  );
  return file;
}

const urlFile = () => parquetFile("urls", `SELECT site, id, url FROM (${urlSql(size, sites)})`);
const sizeFile = () =>
  parquetFile("sizes", `SELECT id, 0 AS source, bytes AS min_bytes, bytes AS max_bytes FROM (${urlSql(size, sites)})`);
const documentFile = () => parquetFile("documents", documentSql(size));

/** The same list in memory. */
async function readList() {
  const [urlsFile, sizesFile] = [await urlFile(), await sizeFile()];
  return withDuckdb(async (connection) => {
    const urls = [];
    const minBytes = new Float64Array(size);
    const stream = await connection.stream(
      `SELECT url, min_bytes FROM '${urlsFile}' JOIN '${sizesFile}' USING (id) ORDER BY id`,
    );
    for (let chunk = await stream.fetchChunk(); chunk?.rowCount > 0; chunk = await stream.fetchChunk()) {
      minBytes.set(chunk.getColumnValues(1), urls.length);
      for (const url of chunk.getColumnValues(0)) urls.push(url);
    }
    const rows = Uint32Array.from({ length: size + 1 }, (_, i) => i);
    return { urls: columnOf(urls), sizes: { rows, source: new Uint32Array(size), minBytes, maxBytes: minBytes } };
  });
}

let cluster;
async function openEngine() {
  if (engineName === "duckdb") {
    watchSpill();
    return DuckdbEngine.open({ memoryBytes, limitResult: 1000, scratch: duckdbScratch, stepsFolder: values.steps });
  }
  [sparkUi] = await freePorts(1);
  const jars = values["spark-jars"];
  cluster = await startCluster({
    home: values["spark-home"],
    workerMemory: "3500m",
    executorMemory: "3g",
    conf: {
      ...{ "spark.ui.enabled": "true", "spark.ui.port": String(sparkUi), "spark.sql.shuffle.partitions": "16" },
      ...(jars !== undefined && { "spark.jars": jars }),
    },
  });
  return SparkEngine.open({
    address: cluster.address,
    output: sparkOutput,
    keepSteps: !values.unkept,
    limitResult: 2000,
  });
}

const duckdbScratch = path.join(values.scratch, `duckdb-${process.pid}`);
let spilledMiB = 0;

/** What DuckDB has spilled at most at one time: looked at every second. */
function watchSpill() {
  const spill = path.join(duckdbScratch, "spill");
  const look = () => {
    if (!existsSync(spill)) return;
    const sizes = readdirSync(spill).map((name) => statSync(path.join(spill, name), { throwIfNoEntry: false })?.size);
    const total = sizes.reduce((sum, bytes) => sum + (bytes ?? 0), 0);
    spilledMiB = Math.max(spilledMiB, Math.round(total / 2 ** 20));
  };
  setInterval(look, 1000).unref();
}

const sparkOutput = path.join(values.scratch, `spark-${operator}-${size}-${process.pid}`);

/** What Spark says of its stages, for each step and in all: a stage is of the step at whose time it was begun. */
async function sparkTotals() {
  const ask = async (what) => (await fetch(`http://127.0.0.1:${sparkUi}/api/v1/applications${what}`)).json();
  const [{ id }] = await ask("");
  const none = { shuffledRows: 0, shuffledBytes: 0, spilledBytes: 0, processorSeconds: 0 };
  const totals = { ...none };
  for (const step of steps) Object.assign(step, none);
  for (const stage of await ask(`/${id}/stages?status=complete`)) {
    const begun = Date.parse(stage.submissionTime.replace("GMT", "Z"));
    const step = steps.find(({ endMs }) => begun <= endMs);
    for (const sums of [totals, ...(step === undefined ? [] : [step])]) {
      sums.shuffledRows += stage.shuffleWriteRecords;
      sums.shuffledBytes += stage.shuffleWriteBytes;
      sums.spilledBytes += stage.diskBytesSpilled;
      sums.processorSeconds += stage.executorCpuTime / 1e9;
    }
  }
  return { ...totals, executorPeakMiB: await executorPeak(ask, id), ...clusterProcesses() };
}

/** Processor time of all of the cluster's processes so far, compilers of Java among them, and their largest memory, summed up. */
function clusterProcesses() {
  const read = (pid, name) => {
    try {
      return readFileSync(`/proc/${pid}/${name}`, "utf8");
    } catch {
      return ""; // It has ended.
    }
  };
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const stats = new Map(
    pids.map((pid) => [
      pid,
      read(pid, "stat")
        .replace(/^.*\) /s, "")
        .split(" "),
    ]),
  );
  const ours = new Set([String(process.pid)]);
  for (let before = 0; before < ours.size; ) {
    before = ours.size;
    for (const [pid, stat] of stats) if (ours.has(stat[1])) ours.add(pid);
  }
  ours.delete(String(process.pid));
  let [ticks, kib] = [0, 0];
  for (const pid of ours) {
    const stat = stats.get(pid);
    // Its own, and that of processes that it has waited for.
    ticks += [11, 12, 13, 14].reduce((sum, at) => sum + Number(stat[at]), 0);
    kib += Number(/VmHWM:\s+(\d+)/.exec(read(pid, "status"))?.[1] ?? 0);
  }
  return { clusterProcessorSeconds: Math.round(ticks / 100), clusterPeakMiB: Math.round(kib / 1024) };
}

/** The most memory of a worker's process, where Spark knows it. */
async function executorPeak(ask, id) {
  const executors = await ask(`/${id}/allexecutors`);
  const peaks = executors.map(
    ({ peakMemoryMetrics: peak }) => (peak?.JVMHeapMemory ?? 0) + (peak?.JVMOffHeapMemory ?? 0),
  );
  return Math.round(Math.max(...peaks) / 2 ** 20);
}

async function closeEngine(engine) {
  const totals = cluster === undefined ? {} : await sparkTotals();
  await engine.close();
  await cluster?.stop();
  rmSync(sparkOutput, { recursive: true, force: true });
  return totals;
}

const steps = [];
let cpuBefore = process.cpuUsage();
const onReport = (report) => {
  const { user, system } = process.cpuUsage(cpuBefore);
  cpuBefore = process.cpuUsage();
  const cpuMs = Math.round((user + system) / 1000);
  steps.push({ ...report, ms: Math.round(report.ms), endMs: Date.now(), ...(engineName === "duckdb" && { cpuMs }) });
  console.error(
    `${report.step} ${(report.ms / 1000).toFixed(1)} s, processor ${(cpuMs / 1000).toFixed(1)} s, ${report.rows ?? ""} rows`,
  );
};
const peakMiB = () => Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1]) / 1024);

async function run() {
  if (operator === "pairs") {
    const options = { ...detectDefaults, likely: "size" };
    if (engineName === "local") {
      const list = await readList();
      const begin = performance.now();
      const { count } = await detectLikelyPairs(list, options, quietly);
      return { ms: performance.now() - begin, result: count };
    }
    const [urls, sizes] = [await urlFile(), await sizeFile()];
    const engine = await openEngine();
    const begin = performance.now();
    await engine.view("urls", urls);
    await engine.view("sizes", sizes);
    await runStepsBySite(engine, pairSteps(engine.dialect, options), ["pair"], quietly, onReport);
    const ms = performance.now() - begin;
    const [row] = await engine.rows("pair", "SELECT count(*) AS n FROM pair");
    const totals = await closeEngine(engine);
    return { ms, result: row.n, inputBytes: statSync(urls).size + statSync(sizes).size, ...totals };
  }
  const file = await documentFile();
  if (engineName === "local") {
    const values6 = new BigUint64Array(new SharedArrayBuffer(48 * size));
    await withDuckdb(async (connection) => {
      for (let i = 0; i < 6; i++) {
        const stream = await connection.stream(`SELECT CAST(s${i} AS UBIGINT) FROM '${file}' ORDER BY id`);
        let at = i * size;
        for (let chunk = await stream.fetchChunk(); chunk?.rowCount > 0; chunk = await stream.fetchChunk()) {
          values6.set(chunk.getColumnVector(0).items.subarray(0, chunk.rowCount), at);
          at += chunk.rowCount;
        }
      }
    });
    const begin = performance.now();
    const { root, size: sizes } = await clusterPages(fromColumns(values6));
    const ms = performance.now() - begin;
    let clusters = 0;
    for (let d = 0; d < size; d++) if (root[d] === d && sizes[d] > 1) clusters++;
    return { ms, result: clusters };
  }
  const engine = await openEngine();
  const begin = performance.now();
  await engine.view("documents", file);
  const { edges } = await findClusters(engine, "similar", quietly, onReport);
  const ms = performance.now() - begin;
  const [row] = await engine.rows("cluster", "SELECT count(*) AS n FROM cluster WHERE id = root AND size > 1");
  const totals = await closeEngine(engine);
  return { ms, result: row.n, rounds: edges.length, inputBytes: statSync(file).size, ...totals };
}

const { ms, ...found } = await run();
const machine = {
  cpu: cpus()[0]?.model,
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  node: process.version,
};
const seconds = Math.round(ms / 100) / 10;
const { user, system } = process.cpuUsage();
const processorSeconds = Math.round((user + system) / 100_000) / 10;
console.log(
  JSON.stringify({
    operator,
    engine: engineName,
    size,
    ...(operator === "pairs" && { sites }),
    seconds,
    processorSeconds,
    peakMiB: peakMiB(),
    ...(engineName === "duckdb" && { memoryGiB: memoryBytes / 2 ** 30, spilledMiB }),
    ...found,
    steps,
    machine,
  }),
);
