/** Which engine a job runs on, and how it is opened. */
import { totalmem } from "node:os";
import type { SqlEngine } from "../../engine/engine.js";
import { UserError } from "../../errors.js";
import type { JobContext } from "../../model.js";

export interface EngineChoice {
  readonly engine: "duckdb" | "spark";
  /** sc://HOST:PORT, for Spark. */
  readonly spark?: string;
  /** Where results and steps go as Parquet; for Spark a folder that the cluster reaches. */
  readonly output?: string;
  readonly keepSteps: boolean;
  readonly memoryBytes: number;
  readonly limitResult: number;
}

/** Half of the machine's memory: the other half is the system's and ours. */
export const DEFAULT_MEMORY_BYTES = Math.floor(totalmem() / 2);
export const DEFAULT_LIMIT_RESULT = 5_000_000;

/** What does not fit in memory goes to DuckDB by itself. */
export function duckdbWithin(memoryBytes: number): EngineChoice {
  return { engine: "duckdb", keepSteps: false, memoryBytes, limitResult: DEFAULT_LIMIT_RESULT };
}

export async function openEngine(choice: EngineChoice, { signal, onProgress }: JobContext): Promise<SqlEngine> {
  const { engine, spark, output, keepSteps, memoryBytes, limitResult } = choice;
  if (engine === "duckdb") {
    if (spark !== undefined) throw new UserError("--spark belongs to --engine spark");
    if (keepSteps && output === undefined) throw new UserError("--keep-steps needs --output DIR to keep them in");
    const { DuckdbEngine } = await import("../../engine/duckdb-engine.js");
    return DuckdbEngine.open({
      memoryBytes,
      limitResult,
      signal,
      ...(keepSteps && { stepsFolder: `${output}/steps` }),
    });
  }
  if (spark === undefined) throw new UserError("--engine spark needs --spark sc://HOST:PORT");
  if (output === undefined)
    throw new UserError("--engine spark needs --output, a folder that the cluster can write to");
  const { SparkEngine } = await import("../../engine/spark-engine.js");
  return SparkEngine.open({ address: spark, output, keepSteps, limitResult, signal, onProgress });
}

/** Opens an engine for some work, and closes it whatever happens. What was kept to go on from goes only after success. */
export async function withEngine<T>(
  choice: EngineChoice,
  context: JobContext,
  work: (engine: SqlEngine) => Promise<T>,
): Promise<T> {
  const engine = await openEngine(choice, context);
  try {
    const result = await work(engine);
    await engine.finish();
    return result;
  } finally {
    await engine.close();
  }
}

/** Where a result table goes: Spark writes folders. */
export function outputPath({ engine, output }: EngineChoice, table: string): string {
  return engine === "spark" ? `${output}/${table}` : `${output}/${table}.parquet`;
}
