/** The one door to DuckDB's package. */
import { createRequire } from "node:module";
import type * as Api from "@duckdb/node-api";

/**
 * DuckDB's package, by `require`: it is CommonJS in 180 files that export each other's names, and an `import` reads all of
 * them once more to find these names, which takes longer than all else that a command loads.
 */
const api = createRequire(import.meta.url)("@duckdb/node-api") as typeof Api;

export const { BLOB, blobValue, DOUBLE, INTEGER, UBIGINT, UINTEGER, UTINYINT, VARCHAR, version } = api;
export const { DuckDBBlobValue, DuckDBDataChunk, DuckDBInstance, DuckDBScalarFunction } = api;

export type DuckDBBlobValue = Api.DuckDBBlobValue;
export type DuckDBDataChunk = Api.DuckDBDataChunk;
export type DuckDBInstance = Api.DuckDBInstance;
/** How often the engine is told to stop: a query that began after the last time has not heard of it. */
const INTERRUPT_MS = 50;

/** Once the signal has come, ends the queries of a connection in the engine, until the function that it returns is called. */
export function interruptOn(signal: AbortSignal | undefined, connection: Api.DuckDBConnection): () => void {
  let timer: NodeJS.Timeout | undefined;
  const interrupt = () => {
    connection.interrupt();
    timer = setInterval(() => connection.interrupt(), INTERRUPT_MS);
  };
  signal?.addEventListener("abort", interrupt, { once: true });
  if (signal?.aborted) interrupt();
  return () => {
    clearInterval(timer);
    signal?.removeEventListener("abort", interrupt);
  };
}

export type { DuckDBConnection, DuckDBType, DuckDBValue, DuckDBVector } from "@duckdb/node-api";
