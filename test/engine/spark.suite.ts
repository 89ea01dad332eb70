import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findClusters } from "#src/engine/clusters.js";
import { sparkDialect } from "#src/engine/dialect.js";
import type { Row, SqlEngine, StepReport } from "#src/engine/engine.js";
import { SparkEngine, type SparkEngineOptions } from "#src/engine/spark-engine.js";
import { clusterOperator, runOperator } from "#src/jobs/engine/table-operators.js";
import { type Progress, quietly } from "#src/model.js";
import { clusterPages, fromColumns } from "#src/pages/cluster.js";
import { type SparkCluster, startCluster } from "../../scripts/spark-cluster.mjs";
import { expectSparkAgreement } from "../exports/spark-sql.js";
import { engineConformance } from "./conformance.js";
import { hashVectors } from "./hash-vectors.js";
import { runCommands } from "./scale-commands.js";
import { type Cell, stage } from "./stage.js";

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
