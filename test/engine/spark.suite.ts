import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { tableFromIPC } from "@uwdata/flechette";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findClusters } from "#src/engine/clusters.js";
import { sparkDialect } from "#src/engine/dialect.js";
import type { Row, SqlEngine, StepReport } from "#src/engine/engine.js";
import { printSteps } from "#src/engine/run-steps.js";
import { parseSparkAddress } from "#src/engine/spark-address.js";
import { SparkConnection } from "#src/engine/spark-connect.js";
import { SparkEngine, type SparkEngineOptions } from "#src/engine/spark-engine.js";
import { commonCrawlColumns, urlInputSteps } from "#src/engine/url-input.js";
import { mineInput, mineSteps } from "#src/jobs/engine/mine-engine.js";
import { clusterOperator, runOperator } from "#src/jobs/engine/table-operators.js";
import { detectDefaults } from "#src/mine/detect.js";
import { eliminateDefaults } from "#src/mine/eliminate.js";
import { type Progress, quietly } from "#src/model.js";
import { clusterPages, fromColumns } from "#src/pages/cluster.js";
import { type SparkCluster, startCluster } from "../../scripts/spark-cluster.mjs";
import { expectSparkAgreement } from "../exports/spark-sql.js";
import { crawl, writeCommonCrawl } from "./common-crawl.js";
import { engineConformance } from "./conformance.js";
import { hashVectors } from "./hash-vectors.js";
import { runCommands } from "./scale-commands.js";
import { type Cell, stage } from "./stage.js";

const duckdb = { engine: "duckdb", keepSteps: false, memoryBytes: 2 ** 29, limitResult: 1000 } as const;
const token = "not-for-anybodys-eyes";
const folder = mkdtempSync(path.join(tmpdir(), "dustpan-spark-suite-"));
let cluster: SparkCluster;
let address: string;

beforeAll(async () => {
  // Hundreds of small statements: compiling well would take longer than they do.
  const javaOptions = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";
  const conf = {
    "spark.connect.authenticate.token": token,
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.leafNodeDefaultParallelism": "2",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.parquet.compression.codec": "uncompressed",
    "spark.locality.wait": "0s",
    // Steps take less than the two seconds after which progress would be told.
    "spark.connect.progress.reportInterval": "100ms",
    // What a killed worker had is asked for once more, and then made again.
    "spark.shuffle.io.maxRetries": "1",
    "spark.shuffle.io.retryWait": "1s",
  };
  cluster = await startCluster({ javaOptions, conf });
  address = `${cluster.address}/;token=${token};use_ssl=false`;
});
afterAll(async () => {
  await cluster?.stop();
  rmSync(folder, { recursive: true, force: true });
});

let outputs = 0;
function open(options: Partial<SparkEngineOptions> = {}): Promise<SparkEngine> {
  const output = path.join(folder, `out-${outputs++}`);
  return SparkEngine.open({ address, output, keepSteps: false, limitResult: 1_000_000, ...options });
}

engineConformance("Spark", () => open(), 1);

it("the function that dustpan export writes agrees with canonization", async () => {
  const engine = await open();
  await expectSparkAgreement(engine);
  await engine.close();
});

/** Documents in chains of shared supershingles. */
function documents(count: number): bigint[][] {
  return Array.from({ length: count }, (_, d) => {
    const chain = BigInt(Math.floor(d / 5));
    return [0, 1, 2, 3, 4, 5].map((i) =>
      i < 2 + (d % 3) ? chain * 10n + BigInt(i) : BigInt(d) * 10n + 1_000_000n + BigInt(i),
    );
  });
}

async function stageDocuments(engine: SqlEngine, some: readonly (readonly bigint[])[]): Promise<string> {
  const rows = some.map((values, id): Cell[] => [id, ...values]);
  return stage(engine, "documents", ["id BIGINT", ...[0, 1, 2, 3, 4, 5].map((i) => `s${i} BIGINT`)], rows, folder);
}

async function localClusters(some: readonly (readonly bigint[])[]): Promise<Row[]> {
  const values = new BigUint64Array(6 * some.length);
  some.forEach((document, d) => {
    document.forEach((value, i) => {
      values[i * some.length + d] = value;
    });
  });
  const map = await clusterPages(fromColumns(values));
  return some.map((_, id) => ({ id, root: map.root[id]!, size: map.size[id]! }));
}

const clusterQuery = "SELECT id, root, size FROM cluster ORDER BY id";

describe("a Spark server", () => {
  it("computes the one hash as TypeScript does", async () => {
    const engine = await open();
    for (const [text, expected] of hashVectors) {
      const sql = `SELECT CAST(${sparkDialect.hash(sparkDialect.quote(text))} AS STRING) AS h`;
      expect(await engine.rows("hash", sql)).toEqual([{ h: expected }]);
    }
    await engine.close();
  });

  it("that is not there, a token that is wrong, a path that is missing, a result too large: one sentence each", async () => {
    const nowhere = SparkEngine.open({ address: "sc://127.0.0.1:1", output: folder, keepSteps: false, limitResult: 1 });
    await expect(nowhere).rejects.toMatchObject({
      name: "UserError",
      message: expect.stringContaining("no Spark Connect server answers at 127.0.0.1:1"),
    });
    const wrong = open({ address: `${cluster.address}/;token=wrong-${token};use_ssl=false` });
    await expect(wrong).rejects.toMatchObject({
      name: "UserError",
      message: expect.stringMatching(/refused the token$/),
    });
    await expect(open({ address: cluster.address })).rejects.toThrow(/refused a caller without a token/);
    const engine = await open({ limitResult: 5 });
    await expect(engine.view("nothing", path.join(folder, "nothing"))).rejects.toMatchObject({
      name: "UserError",
      message: expect.stringContaining("finds nothing at"),
    });
    await expect(engine.rows("many", "SELECT id FROM range(6)")).rejects.toThrow(/more than 5 rows.*--limit-result/);
    const failing = engine.make({ name: "wrong", why: "", select: "SELECT no_such_column FROM range(3)" });
    await expect(failing).rejects.toMatchObject({ name: "EngineError", step: "step wrong" });
    await expect(failing).rejects.toThrow(/no_such_column/);
    await expect(failing).rejects.not.toThrow(token);
    await engine.close();
  });

  it("stops within a step when the command is cancelled", async () => {
    const stop = new AbortController();
    // Tasks are running once there is progress to tell of.
    const engine = await open({ signal: stop.signal, onProgress: ({ total = 0 }) => total > 0 && stop.abort() });
    const working = engine.rows("long", "SELECT count(*) AS n FROM range(30000000000) WHERE id % 7 = 3");
    await expect(working).rejects.toMatchObject({ name: "InterruptedError" });
    await engine.close();
  });

  it("whose connection is cut while it works: taken up again, the same answer", async () => {
    const connected = new Set<net.Socket>();
    let cuts = 0;
    const proxy = net.createServer((client) => {
      const server = net.connect(Number(cluster.address.split(":").at(-1)), "127.0.0.1");
      for (const socket of [client, server]) socket.on("error", () => {});
      client.pipe(server).pipe(client);
      connected.add(client);
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    const onProgress = ({ total = 0 }: Progress) => {
      if (total === 0 || cuts > 0) return;
      cuts++;
      for (const socket of connected) socket.destroy();
    };
    const { port } = proxy.address() as net.AddressInfo;
    const engine = await open({ address: `sc://127.0.0.1:${port}/;token=${token};use_ssl=false`, onProgress });
    const before = connected.size;
    const rows = await engine.rows("long", "SELECT count(*) AS n FROM range(30000000) WHERE id % 7 = 3");
    expect(rows).toEqual([{ n: 4285714 }]);
    expect(cuts).toBe(1);
    expect(connected.size).toBeGreaterThan(before);
    await engine.close();
    for (const socket of connected) socket.destroy();
    await new Promise((resolve) => proxy.close(resolve));
  });

  it("sketches pages on the workers by the statements of docs/scale.md, as sketch does here", async () => {
    const data = path.join(folder, "sketching");
    const bin = path.join(data, "dustpan", "node_modules", ".bin");
    mkdirSync(bin, { recursive: true });
    const main = path.resolve("dist/cli/main.js");
    writeFileSync(path.join(bin, "dustpan"), `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`, { mode: 0o755 });
    execFileSync("tar", ["-czf", path.join(data, "dustpan.tar.gz"), "-C", path.join(data, "dustpan"), "."]);
    const html = (i: number) =>
      `<p>${'one page of many, "quoted"\n\tand 😀 so on '.repeat(9)}${Math.floor(i / 3)} ${"é".repeat(i % 3)}</p>`;
    const pages = Array.from({ length: 30 }, (_, i) => ({
      url: `http://x.test/${i}`,
      status: i === 7 ? 404 : 200,
      html: html(i),
    }));
    const engine = await open();
    const columns = ["url VARCHAR", "status INT", "html VARCHAR"];
    await stage(
      engine,
      "pages",
      columns,
      pages.map(({ url, status, html: of }): Cell[] => [url, status, of]),
      data,
    );

    const [block] = [...readFileSync("docs/scale.md", "utf8").matchAll(/```sql\n([\s\S]*?)```/g)].map(
      (match) => match[1]!,
    );
    const connection = await SparkConnection.open(parseSparkAddress(address));
    for (const statement of block!
      .replaceAll("$DATA", data)
      .split(";\n")
      .filter((one) => one.trim() !== "")) {
      await connection.execute("sketch", statement);
    }
    await connection.close();

    await engine.view("sketched", path.join(data, "sketches"));
    const fields = ["url", "status", ...[0, 1, 2, 3, 4, 5].map((i) => `CAST(s${i} AS STRING) AS s${i}`)];
    const rows = await engine.rows("sketched", `SELECT ${fields.join(", ")} FROM sketched ORDER BY url`);
    await engine.close();
    const lines = execFileSync(process.execPath, [main, "sketch", "-", "-o", "-"], {
      input: pages.map((page) => `${JSON.stringify(page)}\n`).join(""),
      encoding: "utf8",
    });
    expect(rows.map((row) => Object.values(row).join("\t"))).toEqual(lines.trim().split("\n").sort());
    expect(new Set(rows.map(({ s0 }) => s0)).size).toBeGreaterThan(3);
  });

  it("runs the steps that --print-sql prints as they are printed", async () => {
    const connection = await SparkConnection.open(parseSparkAddress(address));
    const run = async (script: string) => {
      for (const statement of script.split(/;\n/)) await connection.execute("printed", statement.replace(/;\s*$/, ""));
    };
    const count = async (table: string) => {
      const batches = await connection.execute("count", `SELECT count(*) AS n FROM ${table}`);
      return batches.flatMap((batch) => [...tableFromIPC(Uint8Array.from(batch)).getChild("n")]).map(Number)[0];
    };
    const index = path.join(folder, "printed-index");
    await writeCommonCrawl(index);
    const mining = { ...detectDefaults, ...eliminateDefaults, plan: "paper" } as const;
    const sites = await mineInput(index, { snapshot: crawl }, mining, duckdb, quietly);
    await connection.execute("input", `CREATE TABLE input USING parquet LOCATION '${index}'`);
    await connection.execute("input", "MSCK REPAIR TABLE input");
    const input = urlInputSteps(sparkDialect, commonCrawlColumns, { snapshot: crawl });
    await run(printSteps("mine", [...input, ...mineSteps(sparkDialect, mining)]));
    expect(await count("pair")).toBe(sites.reduce((sum, { detected }) => sum + detected, 0));
    expect(await count("parameter_group")).toBe(1);
    await connection.close();
  });

  it("runs every command of docs/scale.md as it is written: in Common Crawl's index what was planted, and nothing else", async () => {
    await runCommands("docs/scale.md", folder, address);
  });

  it("gives the right answer when a worker is killed in the middle", async () => {
    const some = documents(300);
    let killed: Promise<void> | undefined;
    // Tasks are running once there is progress to tell of.
    const onProgress = ({ step, total = 0 }: Progress) => {
      if (step === "megashingle" && total > 0) killed ??= cluster.end("worker-1", "SIGKILL");
    };
    const engine = await open({ onProgress });
    await stageDocuments(engine, some);
    await findClusters(engine, "similar", quietly);
    expect(killed).toBeDefined();
    await killed;
    expect(await engine.rows("cluster", clusterQuery)).toEqual(await localClusters(some));
    await engine.close();
    cluster.startWorker(1);
  });

  it("that is killed: a clean error, earlier results untouched, and the same command goes on after the finished steps", async () => {
    const some = documents(200);
    const output = path.join(folder, "killed");
    const earlier = await open({ output });
    const file = await stageDocuments(earlier, some);
    await earlier.write("cluster", "SELECT 7 AS id, 7 AS root, 1 AS size", path.join(output, "cluster"));
    await earlier.close();
    const untouched = filesIn(path.join(output, "cluster"));

    const choice = {
      engine: "spark",
      spark: address,
      output,
      keepSteps: false,
      memoryBytes: 0,
      limitResult: 1000,
    } as const;
    const run = (onReport: (report: StepReport) => void) =>
      runOperator(clusterOperator("similar"), { documents: file }, 0, choice, quietly, onReport);
    let killed: Promise<void> | undefined;
    const failing = run(({ step }) => {
      if (step === "megashingle") killed ??= cluster.end("connect", "SIGKILL");
    });
    await expect(failing).rejects.toMatchObject({ name: "EngineError", message: expect.stringMatching(/goes on/) });
    await killed;
    expect(filesIn(path.join(output, "cluster"))).toEqual(untouched);
    await cluster.startServer();

    const reports: StepReport[] = [];
    const { tables } = await run((report) => reports.push(report));
    const resumed = reports.filter((report) => report.resumed).map(({ step }) => step);
    expect(resumed).toEqual(["documents", "supershingle", "megashingle"]);
    expect(tables.find(({ table }) => table === "cluster")?.rows).toEqual(await localClusters(some));
    expect(filesIn(path.join(output, "cluster"))).not.toEqual(untouched);
  });
});

/** Names and contents. */
function filesIn(some: string): Record<string, string> {
  const names = readdirSync(some).sort();
  return Object.fromEntries(names.map((name) => [name, readFileSync(path.join(some, name), "base64")]));
}
