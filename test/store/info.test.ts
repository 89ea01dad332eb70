import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { crawlerFamilies } from "#src/input/crawlers.js";
import { SightingTable } from "#src/input/sightings.js";
import { compactWorkspace, describeWorkspace } from "#src/store/browse/info.js";
import { removeSnapshot } from "#src/store/urls/remove.js";
import { addSource } from "#src/store/urls/sources.js";
import { Workspace } from "#src/store/workspace.js";

it("a workspace tells what it holds, forgets a snapshot and shrinks", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "dustpan-test-"));
  const workspace = Workspace.at(path.join(folder, "w.duckdb"));
  for (const [snapshot, urls] of [
    ["old", 20_000],
    ["new", 3],
  ] as const) {
    const table = new SightingTable();
    const family = crawlerFamilies.indexOf("Applebot");
    for (let i = 0; i < urls; i++) table.add(`http://a.test/${snapshot}/${i}`, { status: i === 0 ? 404 : 200, family });
    await addSource(
      workspace,
      {
        snapshot,
        series: "s",
        name: `${snapshot}.log`,
        format: "combined",
        compression: "none",
        bytes: 1,
        lines: urls,
        records: urls,
        settings: {},
        damage: [
          { reason: "torn", count: 2, places: [] },
          { reason: "odd", count: 1, places: [] },
        ],
      },
      table.finish(),
      undefined,
    );
  }
  const info = await describeWorkspace(workspace);
  expect(info.snapshots.map(({ name, urls, failedUrls }) => [name, urls, failedUrls])).toEqual([
    ["old", 19_999, 1],
    ["new", 2, 1],
  ]);
  expect(info.sources[1]).toMatchObject({ name: "new.log", format: "combined", records: 3, damaged: 3 });
  expect(info.sites).toEqual([{ site: "a.test", hosts: 1, urls: 20_003, hits: 20_003 }]);
  expect(info.crawlers).toEqual([{ family: "Applebot", hits: 20_003, urls: 20_003 }]);

  await removeSnapshot(workspace, "old");
  await expect(removeSnapshot(workspace, "old")).rejects.toThrow(/no snapshot "old" in the workspace; it has new/);
  expect((await describeWorkspace(workspace)).sources.map(({ name }) => name)).toEqual(["new.log"]);
  const { before, after } = await compactWorkspace(workspace);
  expect(after).toBeLessThan(before);
  expect((await describeWorkspace(workspace)).snapshots).toHaveLength(1);
  rmSync(folder, { recursive: true });
});

it("a file that is not a workspace is refused with its name", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "dustpan-test-"));
  await expect(describeWorkspace(Workspace.at(path.join(folder, "none.duckdb")))).rejects.toThrow(
    /no workspace at .*none/,
  );
  const { writeFileSync } = await import("node:fs");
  writeFileSync(path.join(folder, "text.duckdb"), "hello ".repeat(1000));
  await expect(describeWorkspace(Workspace.at(path.join(folder, "text.duckdb")))).rejects.toThrow(/cannot open .*text/);
  rmSync(folder, { recursive: true });
});
