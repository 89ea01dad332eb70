/**
 * The same operators on the three engines: time, memory and rows of each step against size. One engine and size a process.
 *
 *   node bench/speed/engines.mjs pairs duckdb 1000000 [--memory 8GB] [--scratch DIR]
 *   node bench/speed/engines.mjs clusters spark 1000000 --spark sc://127.0.0.1:15002
 *
 * Prints one JSON document; runs/ has those that were kept.
 */
import { existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { cpus, tmpdir, totalmem } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { DuckDBInstance } from "@duckdb/node-api";
import { findClusters } from "#src/engine/clusters.js";
import { pairSteps } from "#src/engine/detect.js";
import { DuckdbEngine } from "#src/engine/duckdb-engine.js";
import { runSteps } from "#src/engine/run-steps.js";
import { SparkEngine } from "#src/engine/spark-engine.js";
import { detectDefaults, detectLikelyPairs } from "#src/mine/detect.js";
import { quietly } from "#src/model.js";
import { clusterPages, fromColumns } from "#src/pages/cluster.js";
import { makeUrlList } from "./mine-urls.mjs";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    memory: { type: "string", default: "8" },
    scratch: { type: "string", default: path.join(tmpdir(), "dustpan-bench-engines") },
    spark: { type: "string", default: "sc://127.0.0.1:15002" },
  },
});
const [operator, engineName, sizeText] = positionals;
const size = Number(sizeText);
const memoryBytes = Number.parseFloat(values.memory) * 2 ** 30;
mkdirSync(values.scratch, { recursive: true });

/** Rows in chunks through DuckDB's own table functions and appender into one Parquet file. */
async function writeParquet(file, columns, fill) {
  if (existsSync(file)) return;
  const instance = await DuckDBInstance.create(":memory:", { memory_limit: "4GB", temp_directory: values.scratch });
  const connection = await instance.connect();
  await connection.run(`CREATE TABLE rows (${columns})`);
  await fill(connection);
  await connection.run(`COPY rows TO '${file}' (FORMAT parquet, ROW_GROUP_SIZE 250000)`);
  connection.closeSync();
  instance.closeSync();
}

async function urlFiles() {
  const urls = path.join(values.scratch, `urls-${size}.parquet`);
  const sizes = path.join(values.scratch, `sizes-${size}.parquet`);
  if (!existsSync(urls) || !existsSync(sizes)) {
    const list = makeUrlList(size);
    const decoder = new TextDecoder();
    const text = (i) => decoder.decode(list.urls.bytes.subarray(list.urls.offsets[i], list.urls.offsets[i + 1]));
    await writeParquet(urls, "site VARCHAR, id BIGINT, url VARCHAR", async (connection) => {
      const appender = await connection.createAppender("rows");
      for (let i = 0; i < size; i++) {
        appender.appendVarchar("example.org");
        appender.appendBigInt(BigInt(i));
        appender.appendVarchar(text(i));
        appender.endRow();
      }
      appender.closeSync();
    });
    await writeParquet(sizes, "id BIGINT, source INT, min_bytes DOUBLE, max_bytes DOUBLE", async (connection) => {
      const appender = await connection.createAppender("rows");
      for (let i = 0; i < size; i++) {
        appender.appendBigInt(BigInt(i));
        appender.appendInteger(0);
        appender.appendDouble(list.sizes.minBytes[i]);
        appender.appendDouble(list.sizes.maxBytes[i]);
        appender.endRow();
      }
      appender.closeSync();
    });
  }
  return { urls, sizes };
}

/** A third of the documents in clusters of two and more; a cluster's members share two to six supershingles. */
const documentSql = (count) => `SELECT id, ${[0, 1, 2, 3, 4, 5]
  .map((i) => `CAST(hash((CASE WHEN ${i} < 2 + id % 5 THEN grp ELSE -1 - id END) * 6 + ${i}) >> 1 AS BIGINT) AS s${i}`)
  .join(
    ", ",
  )} FROM (SELECT range AS id, CASE WHEN range % 3 = 0 THEN CAST(range / 3 AS BIGINT) // (1 + hash(range // 300) % 9)
  ELSE range + ${count} END AS grp FROM range(${count})) t`;

async function documentFile() {
  const file = path.join(values.scratch, `documents-${size}.parquet`);
  const columns = `id BIGINT, ${[0, 1, 2, 3, 4, 5].map((i) => `s${i} BIGINT`).join(", ")}`;
  await writeParquet(file, columns, (connection) => connection.run(`INSERT INTO rows ${documentSql(size)}`));
  return file;
}

async function openEngine() {
  if (engineName === "duckdb") {
    return DuckdbEngine.open({ memoryBytes, limitResult: 10, scratch: path.join(values.scratch, "duckdb") });
  }
  const output = path.join(values.scratch, `spark-${operator}-${size}-${process.pid}`);
  return SparkEngine.open({ address: values.spark, output, keepSteps: true, limitResult: 10 });
}

const steps = [];
const onReport = (report) => {
  steps.push({ ...report, ms: Math.round(report.ms) });
  console.error(`${report.step} ${(report.ms / 1000).toFixed(1)} s ${report.rows ?? ""}`);
};
const peakMiB = () => Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1]) / 1024);

async function run() {
  if (operator === "pairs") {
    const options = { ...detectDefaults, likely: "size" };
    if (engineName === "local") {
      const list = makeUrlList(size);
      const begin = performance.now();
      const { count } = await detectLikelyPairs(list, options, quietly);
      return { ms: performance.now() - begin, result: count };
    }
    const { urls, sizes } = await urlFiles();
    const engine = await openEngine();
    const begin = performance.now();
    await engine.view("urls", urls);
    await engine.view("sizes", sizes);
    await runSteps(engine, pairSteps(engine.dialect, options), ["pair"], quietly, onReport);
    const ms = performance.now() - begin;
    const [row] = await engine.rows("pair", "SELECT count(*) AS n FROM pair");
    await engine.close();
    return { ms, result: row.n, inputBytes: statSync(urls).size + statSync(sizes).size };
  }
  const file = await documentFile();
  if (engineName === "local") {
    const instance = await DuckDBInstance.create(":memory:", { memory_limit: "2GB" });
    const connection = await instance.connect();
    const values6 = new BigUint64Array(new SharedArrayBuffer(48 * size));
    for (let i = 0; i < 6; i++) {
      const stream = await connection.stream(`SELECT CAST(s${i} AS UBIGINT) FROM '${file}' ORDER BY id`);
      let at = i * size;
      for (let chunk = await stream.fetchChunk(); chunk?.rowCount > 0; chunk = await stream.fetchChunk()) {
        values6.set(chunk.getColumnVector(0).items.subarray(0, chunk.rowCount), at);
        at += chunk.rowCount;
      }
    }
    connection.closeSync();
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
  await engine.close();
  return { ms, result: row.n, rounds: edges.length, inputBytes: statSync(file).size };
}

const { ms, ...found } = await run();
const machine = {
  cpu: cpus()[0]?.model,
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  node: process.version,
};
const seconds = Math.round(ms / 100) / 10;
console.log(
  JSON.stringify({ operator, engine: engineName, size, seconds, peakMiB: peakMiB(), ...found, steps, machine }),
);
