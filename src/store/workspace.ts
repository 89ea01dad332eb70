/** The workspace file: who may open it when, and in which version. */
import { chmodSync, existsSync, renameSync, statSync } from "node:fs";
import { totalmem } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { EngineError, UserError } from "../errors.js";
import { pause, stopIfAborted } from "../progress.js";
import { type DuckDBConnection, DuckDBInstance, interruptOn } from "./duckdb.js";
import { privately } from "./private.js";
import { createTables, migrateTables, OLDEST_VERSION, SCHEMA_VERSION } from "./schema.js";
import { scratchBeside, scratchInTemporaryFolder } from "./scratch.js";

export type Connection = DuckDBConnection;

const LOCK_WAIT_MS = 10_000;
const LOCK_POLL_MS = 100;
const MEMORY_FILE = ":memory:";

/**
 * One DuckDB file with everything dustpan knows. Nobody holds it: `read` and `write` open it, run one transaction and
 * close it, so that other commands and other DuckDB clients get their turn.
 *
 * DuckDB's file lock protects processes from each other, but not one process from itself: a second instance on the
 * same file silently loses rows. So there is one queue per file, and this is the only module that opens it.
 */
export class Workspace {
  readonly file: string;
  /** Only for a workspace in memory, which lives as long as its one instance. */
  #instance: DuckDBInstance | undefined;
  #prepared = false;

  private constructor(file: string) {
    this.file = file;
  }

  /** The workspace in that file; it need not exist yet. */
  static at(file: string): Workspace {
    return new Workspace(path.resolve(file));
  }

  /** A workspace of its own that ends with the process, for commands that take their input directly. */
  static inMemory(): Workspace {
    return new Workspace(MEMORY_FILE);
  }

  get isInMemory(): boolean {
    return this.file === MEMORY_FILE;
  }

  get exists(): boolean {
    return this.isInMemory ? this.#instance !== undefined : existsSync(this.file);
  }

  /** A name for a file or folder of this process alone; its user removes it. */
  scratch(): string {
    return this.isInMemory ? scratchInTemporaryFolder() : scratchBeside(this.file);
  }

  /** Runs `work` on a connection that only reads. The file must exist. */
  async read<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    if (!this.exists) {
      throw new MissingWorkspaceError(
        `no workspace at ${this.file}; make one with "dustpan add INPUT", or name another with -w`,
      );
    }
    return this.#open(true, work);
  }

  /** The same for reads that take long: a cancelled one ends in the engine, and `remainder` is what is left. */
  async readUntil<T>(
    signal: AbortSignal | undefined,
    remainder: string,
    work: (connection: Connection) => Promise<T>,
  ): Promise<T> {
    return this.read((connection) => until(signal, remainder, connection, work));
  }

  /** Runs `work` in one transaction: all of it is there afterwards, or nothing. Creates the file where needed. */
  async write<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.#open(false, async (connection) => {
      await connection.run("BEGIN");
      try {
        const result = await work(connection);
        await connection.run("COMMIT");
        return result;
      } catch (error) {
        await connection.run("ROLLBACK").catch(() => {});
        throw error;
      }
    });
  }

  /** Lets `work` write another file, and puts it in this one's place while the lock still keeps everybody out. */
  async replaceFile(other: string, work: (connection: Connection) => Promise<void>): Promise<void> {
    await this.#open(false, async (connection) => {
      await work(connection);
      chmodSync(other, statSync(this.file).mode);
      renameSync(other, this.file);
    });
  }

  /** Lets go of a database that a transaction attached; a workspace in a file has done so by closing. */
  async detach(name: string): Promise<void> {
    if (this.#instance === undefined) return;
    await this.#open(false, (connection) => connection.run(`DETACH DATABASE IF EXISTS ${name}`));
  }

  /** Ends a workspace in memory. A workspace in a file is never open between two calls. */
  close(): void {
    this.#instance?.closeSync();
    this.#instance = undefined;
  }

  #open<T>(readOnly: boolean, work: (connection: Connection) => Promise<T>): Promise<T> {
    return inTurn(this.file, async () => {
      try {
        return await this.#connect(readOnly, work);
      } catch (error) {
        if (!(error instanceof OlderTables)) throw error;
      }
      // Opened to write, it is migrated before anything else.
      await this.#connect(false, async () => {});
      return this.#connect(readOnly, work);
    });
  }

  #connect<T>(readOnly: boolean, work: (connection: Connection) => Promise<T>): Promise<T> {
    // What is only read may be written out for others, as tables.
    return readOnly ? this.#use(true, work) : privately(() => this.#use(false, work));
  }

  async #use<T>(readOnly: boolean, work: (connection: Connection) => Promise<T>): Promise<T> {
    const instance = this.#instance ?? (await openInstance(this.file, readOnly && !this.isInMemory));
    if (this.isInMemory) this.#instance = instance;
    try {
      const connection = await instance.connect();
      try {
        await this.#prepare(connection, readOnly);
        return await work(connection);
      } catch (error) {
        throw asEngineError(error, `workspace ${this.file}`);
      } finally {
        connection.closeSync();
      }
    } finally {
      if (!this.isInMemory) instance.closeSync();
    }
  }

  async #prepare(connection: Connection, readOnly: boolean): Promise<void> {
    if (this.#prepared) return;
    const version = await storedVersion(connection);
    if (version === undefined) {
      if (readOnly || (await hasTables(connection))) {
        throw new UserError(`${this.file} is a DuckDB file, but not a dustpan workspace; name another with -w`);
      }
      await createTables(connection);
    } else if (version > SCHEMA_VERSION) {
      throw new UserError(
        `workspace ${this.file} is of a newer dustpan (tables of version ${version}, this one knows ${SCHEMA_VERSION}); use that one`,
      );
    } else if (!(version >= OLDEST_VERSION)) {
      throw new UserError(
        `workspace ${this.file} has tables of version ${version}, too old to be brought along (${OLDEST_VERSION} is the oldest); add its inputs to a new workspace`,
      );
    } else if (version < SCHEMA_VERSION) {
      if (readOnly) throw new OlderTables();
      await migrateTables(connection, version);
    }
    this.#prepared = true;
  }
}

/** Runs `work` on the connection; where the signal comes, its queries end in the engine, and `remainder` is what is left. */
export async function until<T>(
  signal: AbortSignal | undefined,
  remainder: string,
  connection: Connection,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  // A signal that came while others worked is heard now: it does not call listeners that come later.
  await pause({ signal }, remainder);
  const stopInterrupting = interruptOn(signal, connection);
  try {
    return await work(connection);
  } catch (error) {
    stopIfAborted({ signal }, remainder);
    throw error;
  } finally {
    stopInterrupting();
  }
}

/** There is nothing to read yet. */
export class MissingWorkspaceError extends UserError {}

/** Says that a workspace has to be migrated before it can be read; never leaves this file. */
class OlderTables extends Error {}

/** Runs `work` on a database of our own beside the workspace, such as a list put in order; opened and closed like it. */
export async function useDatabase<T>(
  file: string,
  access: "read" | "write",
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const use = async () => {
    const instance = await openInstance(file, access === "read");
    try {
      const connection = await instance.connect();
      try {
        return await work(connection);
      } catch (error) {
        throw asEngineError(error, file);
      } finally {
        connection.closeSync();
      }
    } finally {
      instance.closeSync();
    }
  };
  return inTurn(file, access === "read" ? use : () => privately(use));
}

const queues = new Map<string, Promise<unknown>>();

/** One after the other per file, in the order of the calls. Not re-entrant: `work` must not open the file again. */
function inTurn<T>(file: string, work: () => Promise<T>): Promise<T> {
  // Every workspace in memory is a database of its own; they may wait for each other anyway.
  const turn = (queues.get(file) ?? Promise.resolve()).then(work);
  queues.set(
    file,
    turn.catch(() => {}),
  );
  return turn;
}

async function openInstance(file: string, readOnly: boolean): Promise<DuckDBInstance> {
  const options: Record<string, string> = {
    // Extensions cannot be downloaded everywhere, and none is needed.
    autoinstall_known_extensions: "false",
    memory_limit: `${Math.floor(totalmem() / 2 ** 21)}MiB`,
    // Long texts are compressed with zstd from this version on.
    storage_compatibility_version: "v1.2.0",
  };
  if (readOnly) options.access_mode = "READ_ONLY";
  const deadline = Date.now() + LOCK_WAIT_MS;
  for (;;) {
    try {
      return await DuckDBInstance.create(file, options);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (!/could not set lock/i.test(message)) {
        throw new UserError(`cannot open the workspace ${file}: ${message.split("\n", 1)[0]}`);
      }
      if (Date.now() > deadline) {
        const holder = /held in (.+?\(PID \d+\))/.exec(message)?.[1] ?? "another process";
        throw new UserError(`workspace ${file} is in use by ${holder}; gave up after ${LOCK_WAIT_MS / 1000} s`);
      }
      await sleep(LOCK_POLL_MS);
    }
  }
}

/** Tables of somebody who would not want ours among them. */
async function hasTables(connection: Connection): Promise<boolean> {
  const tables = await connection.runAndReadAll("SELECT 1 FROM duckdb_tables() WHERE NOT temporary LIMIT 1");
  return tables.currentRowCount > 0;
}

async function storedVersion(connection: Connection): Promise<number | undefined> {
  const tables = await connection.runAndReadAll("SELECT 1 FROM duckdb_tables() WHERE table_name = 'meta'");
  if (tables.currentRowCount === 0) return undefined;
  const rows = await connection.runAndReadAll("SELECT value FROM meta WHERE key = 'schema'");
  return Number(rows.getRows()[0]?.[0]);
}

/** DuckDB's errors are plain Errors whose message begins with a kind ("Binder Error: ..."); ours pass through. */
export function asEngineError(error: unknown, step: string): unknown {
  if (error instanceof Error && error.name === "Error" && /^[A-Z][A-Za-z -]* Error: /.test(error.message)) {
    return new EngineError(error.message, step);
  }
  return error;
}
