import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, it } from "vitest";
import { SightingTable } from "#src/input/sightings.js";
import { describeWorkspace } from "#src/store/browse/info.js";
import { addSource } from "#src/store/urls/sources.js";
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

it("what a killed process left behind is removed, and nothing of a living one", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "dustpan-test-"));
  const workspace = Workspace.at(path.join(folder, "a.duckdb"));
  const [, place] = /\.tmp-([0-9a-f]+)-\d+-\d+$/.exec(workspace.scratch())!;
  const ended = spawnSync(process.execPath, ["--version"]).pid;
  const kept = [
    "a.duckdb",
    `a.duckdb.crawl-${place}-${ended}-0`,
    `a.duckdb.tmp-${place}-${process.ppid}-0`,
    `a.duckdb.tmp-${place}-${process.pid}-0`,
    `b.duckdb.tmp-${place}-${ended}-0`,
  ];
  const gone = [`a.duckdb.tmp-${place}-${ended}-0`, `a.duckdb.tmp-${place}-${ended}-0.wal`];
  for (const name of [...kept, ...gone]) writeFileSync(path.join(folder, name), "");
  mkdirSync(path.join(folder, `a.duckdb.tmp-${place}-${ended}-1`, "spill"), { recursive: true });
  // Nobody here can ask whether a process of another container runs, whatever runs here under its number.
  for (const id of [ended, process.pid]) {
    for (const [number, daysAgo] of [1, 6, 8, 100].entries()) {
      const name = `a.duckdb.tmp-0123456789ab-${id}-${number}`;
      writeFileSync(path.join(folder, name), "");
      const then = new Date(Date.now() - daysAgo * 24 * 3600 * 1000);
      utimesSync(path.join(folder, name), then, then);
      if (daysAgo < 7) kept.push(name);
    }
  }
  workspace.scratch();
  expect(readdirSync(folder).sort()).toEqual(kept.sort());
  rmSync(folder, { recursive: true });
});

it.skipIf(process.getuid?.() === 0)("a workspace in a folder that cannot be written to is told about", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "dustpan-test-"));
  const workspace = Workspace.at(path.join(folder, "w.duckdb"));
  const table = new SightingTable();
  table.add("http://a.test/", { status: 200 });
  const entry = { snapshot: "s", series: "s", name: "a.log", format: "combined", compression: "none" };
  await addSource(
    workspace,
    { ...entry, bytes: 1, lines: 1, records: 1, settings: {}, damage: [] },
    table.finish(),
    undefined,
  );
  chmodSync(folder, 0o555);
  expect((await describeWorkspace(workspace)).sites).toMatchObject([{ site: "a.test", urls: 1 }]);
  chmodSync(folder, 0o755);
  expect(readdirSync(folder)).toEqual(["w.duckdb"]);
  rmSync(folder, { recursive: true });
});

it("hears an interruption that came before its turn", async () => {
  const workspace = Workspace.inMemory();
  const table = new SightingTable();
  table.add("http://a.test/", {});
  const entry = { name: "a.log", format: "list", compression: "none", bytes: 1, lines: 1, records: 1 };
  const source = { ...entry, snapshot: "default", series: "a.log", settings: {}, damage: [] };
  await expect(addSource(workspace, source, table.finish(), undefined, [], AbortSignal.abort())).rejects.toThrow(
    "nothing was kept",
  );
  workspace.close();
});
