import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, it } from "vitest";
import { PageStage } from "#src/store/page-stage.js";
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

it("what a killed process left behind is removed, and nothing of a living one", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "dustpan-test-"));
  const ended = spawnSync(process.execPath, ["--version"]).pid;
  const names = [`a.duckdb.stage-${ended}`, `a.duckdb.stage-${ended}.wal`, `a.duckdb.stage-${process.ppid}`];
  for (const name of [...names, `b.duckdb.stage-${ended}`, "a.duckdb"]) writeFileSync(path.join(folder, name), "");
  const stage = await PageStage.create(path.join(folder, `a.duckdb.stage-${process.pid}`));
  stage.close();
  const left = readdirSync(folder).filter((name) => !name.includes(`-${process.pid}`));
  expect(left.sort()).toEqual(["a.duckdb", `a.duckdb.stage-${process.ppid}`, `b.duckdb.stage-${ended}`]);
  rmSync(folder, { recursive: true });
});
