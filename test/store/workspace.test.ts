import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, it } from "vitest";
import { Workspace } from "#src/store/workspace.js";

it("somebody else's database is left as it is", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "dustpan-test-"));
  const file = path.join(folder, "other.duckdb");
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  await connection.run("CREATE TABLE visits (url VARCHAR)");
  connection.closeSync();
  instance.closeSync();
  const workspace = Workspace.at(file);
  const refusal = /other\.duckdb is a DuckDB file, but not a dustpan workspace; name another with -w/;
  await expect(workspace.read(async () => {})).rejects.toThrow(refusal);
  await expect(workspace.write(async () => {})).rejects.toThrow(refusal);
  await expect(workspace.write(async () => {})).rejects.toThrow(refusal);
  rmSync(folder, { recursive: true });
});
