import type { Dialect } from "./dialect.js";

export type Value = string | number | boolean | null;
export type Row = Readonly<Record<string, Value>>;

/** A query whose result is kept as a table, under a name that later steps use. */
export interface Step {
  readonly name: string;
  /** What it is for, in the printed SQL. */
  readonly why: string;
  readonly select: string;
  /**
   * A view is a few columns of one table, and so worth keeping only to be looked at. A table is kept even where only one statement reads it,
   * since a planner would compute it wherever it is used. Everything else an engine may treat as it likes.
   */
  readonly as?: "view" | "table";
}

/** Does a statement read this table? The answer may also be yes where a column has that name. */
export function mentions(sql: string, table: string): boolean {
  return new RegExp(`\\b${table}\\b`).test(sql);
}

/** What a step took. Bytes are of the table as it is kept; an engine that cannot tell leaves a count out. */
export interface StepReport {
  readonly step: string;
  readonly ms: number;
  readonly rows?: number;
  readonly bytes?: number;
  /** An earlier run had finished it. */
  readonly resumed?: boolean;
}

/**
 * Where operators run. Tables have names; a step is done or not there at all. Errors are EngineErrors with the step and
 * its SQL, or UserErrors where the user can do something about it.
 */
export interface SqlEngine {
  readonly dialect: Dialect;
  /** Most rows of a result. */
  readonly limitResult: number;
  /** How many URLs it takes at once where sites are looked at one by one (passes.ts). */
  readonly urlsAtOnce: number;
  /** Keeps what the step selects as a table of that name; one that is read once may be left to the statement that reads it. */
  make(step: Step, isReadOnce?: boolean): Promise<StepReport>;
  /** The result of a query, refused beyond the limit on results. Integers beyond 2^53 are refused too. */
  rows(step: string, select: string): Promise<Row[]>;
  /** Names a Parquet path of the user's. */
  view(name: string, path: string): Promise<void>;
  /** The columns of a table or view. */
  columns(name: string): Promise<readonly string[]>;
  /** Lets go of a table that no later step reads. */
  drop(name: string): Promise<void>;
  /** Writes what a query gives as Parquet, for good. */
  write(step: string, select: string, path: string): Promise<void>;
  /** The work is done: lets go of what was only kept to go on from. */
  finish(): Promise<void>;
  close(): Promise<void>;
}
