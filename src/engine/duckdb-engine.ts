import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { EngineError, UserError } from "../errors.js";
import { stopIfAborted } from "../progress.js";
import { type DuckDBConnection, DuckDBInstance, interruptOn } from "../store/duckdb.js";
import { removeScratch, scratchInTemporaryFolder } from "../store/scratch.js";
import { duckdbDialect } from "./dialect.js";
import type { Row, SqlEngine, Step, StepReport } from "./engine.js";
import { stepDigest } from "./manifest.js";
import { tooManyRows, toValue } from "./values.js";

/** Twice what the tables of detection take for a URL at any time: statements need room beside them. */
const BYTES_OF_URL = 3072;

export interface DuckdbEngineOptions {
  /** What DuckDB may use before it spills to disk. */
  readonly memoryBytes: number;
  /** Keeps the tables of finished steps there as Parquet; the same steps are not made again. */
  readonly stepsFolder?: string;
  /** Most rows that may come back. */
  readonly limitResult: number;
  readonly signal?: AbortSignal;
  /** As many as fit, if absent. */
  readonly urlsAtOnce?: number;
  /** Where it spills; a folder of its own in the system's temporary folder if absent. */
  readonly scratch?: string;
}

/** Operators on DuckDB, beyond memory: tables are in a database file of their own, which ends with the engine. */
export class DuckdbEngine implements SqlEngine {
  readonly dialect = duckdbDialect;
  readonly limitResult: number;
  /** Steps that are kept are about all URLs. */
  readonly urlsAtOnce: number;
  /** What each table was made of. */
  readonly #made = new Map<string, string>();
  readonly #kinds = new Map<string, "TABLE" | "VIEW">();
  readonly #scratch: string;
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;
  readonly #options: DuckdbEngineOptions;

  private constructor(
    scratch: string,
    instance: DuckDBInstance,
    connection: DuckDBConnection,
    options: DuckdbEngineOptions,
  ) {
    this.#scratch = scratch;
    this.#instance = instance;
    this.#connection = connection;
    this.#options = options;
    this.limitResult = options.limitResult;
    const fitting = Math.ceil(options.memoryBytes / BYTES_OF_URL);
    this.urlsAtOnce = options.urlsAtOnce ?? (options.stepsFolder === undefined ? fitting : Number.POSITIVE_INFINITY);
  }

  static async open(options: DuckdbEngineOptions): Promise<DuckdbEngine> {
    const scratch = options.scratch ?? scratchInTemporaryFolder();
    mkdirSync(scratch, { recursive: true, mode: 0o700 });
    if (options.stepsFolder !== undefined) mkdirSync(options.stepsFolder, { recursive: true });
    const instance = await DuckDBInstance.create(join(scratch, "steps.duckdb"), {
      autoinstall_known_extensions: "false",
      memory_limit: `${Math.max(64, Math.floor(options.memoryBytes / 2 ** 20))}MiB`,
      temp_directory: join(scratch, "spill"),
      // Without it, a large table is held back until its rows are in the order of their source.
      preserve_insertion_order: "false",
    });
    const engine = new DuckdbEngine(scratch, instance, await instance.connect(), options);
    engine.#stopInterrupting = interruptOn(options.signal, engine.#connection);
    return engine;
  }

  #stopInterrupting = () => {};

  async make(step: Step): Promise<StepReport> {
    const { name, select } = step;
    const begin = performance.now();
    const folder = this.#options.stepsFolder;
    const digest = stepDigest(step, this.#made);
    this.#made.set(name, digest);
    if (folder === undefined) {
      await this.#create(step.as === "view" ? "VIEW" : "TABLE", name, select);
      return { step: name, ms: performance.now() - begin, ...(await this.#count(name)) };
    }
    const file = join(folder, `${name}.parquet`);
    const entry = readManifest(folder)[name];
    const resumed = entry?.digest === digest && statSync(file, { throwIfNoEntry: false })?.size === entry.bytes;
    if (!resumed) {
      // Under its name only when whole.
      const partial = `${file}.partial`;
      await this.#run(name, `COPY (${select}) TO ${duckdbDialect.quote(partial)} (FORMAT parquet)`);
      renameSync(partial, file);
    }
    await this.#name(name, file);
    const counted = { ...(await this.#count(name)), bytes: statSync(file).size };
    if (!resumed) addToManifest(folder, name, { digest, ...counted });
    return { step: name, ms: performance.now() - begin, ...counted, resumed };
  }

  async rows(step: string, select: string): Promise<Row[]> {
    return this.#read(step, select, this.limitResult);
  }

  async #read(step: string, select: string, limitResult = Number.POSITIVE_INFINITY): Promise<Row[]> {
    const result = await this.#do(step, select, () => this.#connection.stream(select));
    const names = result.columnNames();
    const rows: Row[] = [];
    for (;;) {
      const chunk = await this.#do(step, select, () => result.fetchChunk());
      if (chunk === null || chunk.rowCount === 0) return rows;
      if (rows.length + chunk.rowCount > limitResult) throw tooManyRows(step, limitResult);
      for (const values of chunk.getRows()) {
        rows.push(Object.fromEntries(values.map((value, i) => [names[i]!, toValue(value, step)])));
      }
    }
  }

  async view(name: string, path: string): Promise<void> {
    const isFolder = existsSync(path) && statSync(path).isDirectory();
    const file = isFolder ? `${path.replace(/\/+$/, "")}/**/*.parquet` : path;
    await this.#name(name, file);
    const files = await this.#read(name, `SELECT file FROM glob(${duckdbDialect.quote(file)}) ORDER BY file`);
    const states = files.map((row) => statSync(String(row.file))).map(({ mtimeMs, size }) => `${mtimeMs}:${size}`);
    // A path whose files have changed in the meantime is another input.
    this.#made.set(name, [file, ...states].join("\0"));
  }

  async #name(name: string, file: string): Promise<void> {
    await this.#create("VIEW", name, `SELECT * FROM ${duckdbDialect.parquet(file)}`);
  }

  async columns(name: string): Promise<readonly string[]> {
    const select = `SELECT * FROM ${name} LIMIT 0`;
    return (await this.#do(name, select, () => this.#connection.stream(select))).columnNames();
  }

  async drop(name: string): Promise<void> {
    const kind = this.#kinds.get(name);
    if (kind !== undefined) await this.#run(name, `DROP ${kind} ${name}`);
    this.#kinds.delete(name);
  }

  async write(step: string, select: string, file: string): Promise<void> {
    mkdirSync(dirname(file), { recursive: true });
    await this.#run(step, `COPY (${select}) TO ${duckdbDialect.quote(file)} (FORMAT parquet)`);
  }

  async finish(): Promise<void> {}

  async close(): Promise<void> {
    this.#stopInterrupting();
    this.#connection.closeSync();
    this.#instance.closeSync();
    removeScratch(this.#scratch);
  }

  /** A name may have been a table of an earlier operator and be an input of the next. */
  async #create(kind: "TABLE" | "VIEW", name: string, select: string): Promise<void> {
    const before = this.#kinds.get(name);
    if (before !== undefined && before !== kind) await this.drop(name);
    await this.#run(name, `CREATE OR REPLACE ${kind} ${name} AS ${select}`);
    this.#kinds.set(name, kind);
  }

  async #count(name: string): Promise<{ rows: number }> {
    const [row] = await this.rows(name, `SELECT count(*) AS n FROM ${name}`);
    return { rows: Number(row!.n) };
  }

  async #run(step: string, sql: string): Promise<void> {
    await this.#do(step, sql, () => this.#connection.run(sql));
  }

  async #do<T>(step: string, sql: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      stopIfAborted(this.#options, `stopped in step ${step}`);
      throw explain(error, step, sql);
    }
  }
}

function explain(error: unknown, step: string, sql: string): Error {
  const message = error instanceof Error ? error.message.split("\n", 1)[0]! : String(error);
  const missing = /No files found that match the pattern "(.+)"/.exec(message)?.[1];
  if (missing !== undefined) return new UserError(`no Parquet file at ${missing}`);
  const unlike = /schema mismatch in glob: column "(.+?)" .* could not be found in file "(.+?)"/.exec(message);
  if (unlike !== null) {
    return new UserError(`the files of a table must have the same columns: ${unlike[2]} has no ${unlike[1]}`);
  }
  if (/No space left|max_temp_directory_size/i.test(message)) {
    return new UserError(`step ${step} needs more disk than there is for spilling: ${message}`);
  }
  const used = /^Out of Memory Error:.*?\(([^()]+ used)\)/.exec(message)?.[1];
  if (used !== undefined) {
    return new UserError(
      `step ${step} does not fit in memory, though it spills to disk (${used}): give it more by --memory`,
    );
  }
  return new EngineError(message, `step ${step}`, sql);
}

// ------------------------------------------------------------------------------------------------------ the manifest

interface ManifestEntry {
  readonly digest: string;
  readonly rows: number;
  /** Of the file: one that was cut short since is not the step's. */
  readonly bytes: number;
}

const MANIFEST_NAME = "manifest.json";

/** One that cannot be read costs what it kept: the steps are made again. */
function readManifest(folder: string): Readonly<Record<string, ManifestEntry | undefined>> {
  const file = join(folder, MANIFEST_NAME);
  if (!existsSync(file)) return {};
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return {};
  }
}

function addToManifest(folder: string, name: string, entry: ManifestEntry): void {
  const file = join(folder, MANIFEST_NAME);
  const entries = { ...readManifest(folder), [name]: entry };
  writeFileSync(`${file}.partial`, `${JSON.stringify(entries, undefined, 2)}\n`);
  renameSync(`${file}.partial`, file);
}
