/** Tables of a test as Parquet files, which any engine reads. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { SqlEngine } from "#src/engine/engine.js";
import { DuckDBInstance } from "#src/store/duckdb.js";

export type Cell = string | number | bigint | boolean | null;

let shared: string | undefined;
let made = 0;

/** Another one each time: a view may still read what an earlier test staged under the same name. */
function ownFolder(): string {
  if (shared === undefined) {
    const folder = mkdtempSync(path.join(tmpdir(), "dustpan-engine-"));
    process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
    shared = folder;
  }
  const folder = path.join(shared, String(made++));
  mkdirSync(folder);
  return folder;
}

/** Columns as "name TYPE", and rows. */
export async function stage(
  engine: SqlEngine,
  name: string,
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
  folder = ownFolder(),
): Promise<string> {
  const file = path.join(folder, `${name}.parquet`);
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  await connection.run(`CREATE TABLE staged (${columns.join(", ")})`);
  const appender = await connection.createAppender("staged");
  const types = columns.map((column) => column.split(" ").at(-1)!);
  for (const row of rows) {
    row.forEach((cell, i) => {
      if (cell === null) appender.appendNull();
      else if (types[i] === "BIGINT") appender.appendBigInt(BigInt.asIntN(64, BigInt(cell)));
      else if (types[i] === "INT") appender.appendInteger(Number(cell));
      else if (types[i] === "DOUBLE") appender.appendDouble(Number(cell));
      else if (types[i] === "BOOLEAN") appender.appendBoolean(Boolean(cell));
      else appender.appendVarchar(String(cell));
    });
    appender.endRow();
  }
  appender.closeSync();
  await connection.run(`COPY staged TO '${file}' (FORMAT parquet)`);
  connection.closeSync();
  instance.closeSync();
  await engine.view(name, file);
  return file;
}
