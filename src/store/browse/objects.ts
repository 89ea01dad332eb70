/** Rows of a query as plain objects: small answers only, for lists that people read. */
import type { DuckDBValue } from "../duckdb.js";
import type { Connection } from "../workspace.js";

export async function objects(connection: Connection, sql: string, values: DuckDBValue[] = []) {
  const found = await connection.runAndReadAll(sql, values);
  return found.getRowObjectsJson();
}
