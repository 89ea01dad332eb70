import { tableFromIPC } from "@uwdata/flechette";
import { EngineError, UserError } from "../errors.js";
import type { Progress } from "../model.js";
import { quotePath, sparkDialect } from "./dialect.js";
import { mentions, type Row, type SqlEngine, type Step, type StepReport } from "./engine.js";
import { stepDigest } from "./manifest.js";
import { parseSparkAddress } from "./spark-address.js";
import { SparkConnection, TooManyRows } from "./spark-connect.js";
import { tooManyRows, toValue } from "./values.js";

const ALL_OF_PATH = "SELECT * FROM ";

export interface SparkEngineOptions {
  /** sc://HOST:PORT and what Spark's connection strings allow after it. */
  readonly address: string;
  /** A folder that the cluster reaches: steps and results are Parquet there. */
  readonly output: string;
  /** Leaves the tables of the steps there after success. */
  readonly keepSteps: boolean;
  readonly limitResult: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

/**
 * Operators on a Spark cluster, by Spark Connect. Each step is written as Parquet, and only then entered in the manifest
 * beside it, so that a command goes on after the last finished step, whatever became of the server, and never reads a
 * step that is not whole.
 */
export class SparkEngine implements SqlEngine {
  readonly dialect = sparkDialect;
  readonly limitResult: number;
  readonly urlsAtOnce = Number.POSITIVE_INFINITY;
  /**
   * What each table is, those that it reads before it: where its files are, or the query of a step that is read once.
   * Statements name what they read themselves: a view would be one more question to the server.
   */
  readonly #tables = new Map<string, string>();
  readonly #digests = new Map<string, string>();
  readonly #finished = new Map<string, string>();
  readonly #connection: SparkConnection;
  readonly #options: SparkEngineOptions;

  private constructor(connection: SparkConnection, options: SparkEngineOptions) {
    this.#connection = connection;
    this.#options = options;
    this.limitResult = options.limitResult;
  }

  static async open(options: SparkEngineOptions): Promise<SparkEngine> {
    const connection = await SparkConnection.open(parseSparkAddress(options.address), options.signal);
    const engine = new SparkEngine(connection, options);
    try {
      await engine.#readManifest();
    } catch (error) {
      await connection.close();
      throw error;
    }
    return engine;
  }

  async make(step: Step, isReadOnce = false): Promise<StepReport> {
    const { name, select } = step;
    const begin = performance.now();
    const digest = stepDigest(step, this.#digests);
    this.#digests.set(name, digest);
    const isWorthKeeping = step.as === "table" || (step.as !== "view" && !isReadOnce);
    if (!isWorthKeeping && !this.#options.keepSteps) {
      this.#define(name, select);
      return { step: name, ms: 0 };
    }
    const folder = `${this.#stepsFolder()}/${name}`;
    const resumed = this.#finished.get(name) === digest;
    // This operator does not read a table of that name that an earlier one made.
    this.#tables.delete(name);
    if (!resumed) await this.write(name, select, folder);
    this.#define(name, filesAt(folder));
    const measured = this.#options.keepSteps ? await this.#measure(name, folder) : {};
    if (!resumed) {
      const entry = `SELECT /*+ COALESCE(1) */ '${name}' AS step, '${digest}' AS digest`;
      await this.#execute(name, `INSERT OVERWRITE DIRECTORY '${this.#manifestFolder()}/${name}' USING json ${entry}`);
      this.#finished.set(name, digest);
    }
    return { step: name, ms: performance.now() - begin, ...measured, resumed };
  }

  /** Only where steps are kept to be looked at, since every file has to be opened. */
  async #measure(name: string, folder: string): Promise<{ rows: number; bytes: number }> {
    const [row] = await this.rows(
      name,
      `SELECT coalesce(sum(n), 0) AS n, coalesce(sum(size), 0) AS bytes FROM (SELECT count(*) AS n, max(_metadata.file_size) AS size
       FROM ${sparkDialect.parquet(folder)} GROUP BY _metadata.file_path) AS files`,
    );
    return { rows: Number(row!.n), bytes: Number(row!.bytes) };
  }

  async rows(step: string, select: string): Promise<Row[]> {
    try {
      const watch = { ...this.#watch(step), maxRows: this.limitResult };
      const batches = await this.#connection.execute(step, this.#withTables(select), watch);
      return batches.flatMap((batch) => readRows(batch, step));
    } catch (error) {
      throw error instanceof TooManyRows ? tooManyRows(step, this.limitResult) : error;
    }
  }

  async view(name: string, path: string): Promise<void> {
    this.#tables.delete(name);
    // As a view of the server's, its columns are looked up once, and not for each statement.
    const options = `OPTIONS (path ${sparkDialect.quote(path)})`;
    await this.#execute(name, `CREATE OR REPLACE TEMPORARY VIEW ${name} USING parquet ${options}`);
    // A path whose files have changed since is another input. They are listed and not opened: an index has a hundred thousand of them,
    // nearly all in partitions that nobody asks for.
    const [files] = await this.rows(
      name,
      `SELECT count(*) AS n, coalesce(sum(length), 0) AS bytes, coalesce(CAST(max(modificationTime) AS STRING), '') AS changed
       FROM binaryFile.${quotePath(path)}`,
    );
    this.#digests.set(name, [path, files!.n, files!.bytes, files!.changed].join("\0"));
  }

  async columns(name: string): Promise<readonly string[]> {
    const select = this.#withTables(`SELECT * FROM ${name} LIMIT 0`);
    const [batch] = await this.#connection.execute(name, select, this.#watch(name));
    return batch === undefined ? [] : tableFromIPC(Uint8Array.from(batch)).names.map(String);
  }

  /**
   * Its name goes, unless a step reads it that is itself left to a later one. Its files stay until the command has succeeded: the
   * next one may begin after any of them.
   */
  async drop(name: string): Promise<void> {
    const isRead = ([other, of]: [string, string]) => other !== name && mentions(of, name);
    if (![...this.#tables].some(isRead)) this.#tables.delete(name);
  }

  async write(step: string, select: string, path: string): Promise<void> {
    const target = sparkDialect.quote(path);
    await this.#execute(step, `INSERT OVERWRITE DIRECTORY ${target} USING parquet ${this.#withTables(select)}`);
  }

  async finish(): Promise<void> {
    if (this.#options.keepSteps) return;
    // SQL cannot remove a folder; it can empty it, with all folders in it. What is not entered any more may go.
    for (const folder of [this.#manifestFolder(), this.#stepsFolder()]) {
      const nothing = "SELECT '' AS step, '' AS digest WHERE false";
      await this.#execute("finish", `INSERT OVERWRITE DIRECTORY '${folder}' USING json ${nothing}`);
    }
    this.#finished.clear();
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }

  #stepsFolder(): string {
    return `${this.#base()}/steps`;
  }

  #manifestFolder(): string {
    return `${this.#base()}/manifest`;
  }

  #base(): string {
    return this.#options.output.replace(/\/+$/, "");
  }

  /** After all that were defined before. */
  #define(name: string, select: string): void {
    this.#tables.delete(name);
    this.#tables.set(name, select);
  }

  #withTables(select: string): string {
    const named: string[] = [];
    const read = [select];
    for (const [name, of] of [...this.#tables].reverse()) {
      if (!read.some((sql) => mentions(sql, name))) continue;
      named.unshift(`${name} AS (${of})`);
      // A path may have any words in it.
      if (!of.startsWith(ALL_OF_PATH)) read.push(of);
    }
    return named.length === 0 ? select : `WITH ${named.join(", ")} ${select}`;
  }

  async #readManifest(): Promise<void> {
    const base = this.#base();
    if (/['`\\]/.test(base)) throw new UserError(`--output ${base}: quotes and backslashes are not allowed here`);
    try {
      const rows = await this.rows(
        "manifest",
        `SELECT step, digest FROM json.\`${this.#manifestFolder()}/*\` WHERE step IS NOT NULL`,
      );
      for (const { step, digest } of rows) this.#finished.set(String(step), String(digest));
    } catch (error) {
      // Nothing is there yet, or nothing that was finished.
      const isNew = error instanceof UserError && /finds nothing/.test(error.message);
      const isEmpty = error instanceof EngineError && /UNABLE_TO_INFER_SCHEMA|UNRESOLVED_COLUMN/.test(error.message);
      if (!isNew && !isEmpty) throw error;
    }
  }

  async #execute(step: string, sql: string): Promise<void> {
    await this.#connection.execute(step, sql, this.#watch(step));
  }

  #watch(step: string) {
    const { onProgress, signal } = this.#options;
    return {
      signal,
      onProgress: ({ tasks, done, stages }: { tasks: number; done: number; stages: number }) =>
        onProgress?.({ step, done, total: tasks, unit: "tasks", note: `${stages} stages on Spark` }),
    };
  }
}

function filesAt(path: string): string {
  return `${ALL_OF_PATH}${sparkDialect.parquet(path)}`;
}

function readRows(batch: Uint8Array, step: string): Row[] {
  // A copy begins where numbers of eight bytes may; the message's part does not.
  const table = tableFromIPC(Uint8Array.from(batch), { useBigInt: true });
  const rows: Record<string, ReturnType<typeof toValue>>[] = Array.from({ length: table.numRows }, () => ({}));
  for (const name of table.names) {
    const column = table.getChild(name)!;
    for (let i = 0; i < rows.length; i++) rows[i]![name] = toValue(column.at(i), step);
  }
  return rows;
}
