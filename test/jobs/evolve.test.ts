import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { evolve } from "#src/jobs/evolve.js";
import { revisitAfterDays } from "#src/pages/advice.js";
import { readAvoidList } from "#src/store/copies/avoid-list.js";
import { context, inFolder, prose, type TestPage, workspaceOf } from "./near-duplicates.js";

const options = { plan: "ours", maxRisk: 0.2 } as const;

/** A cluster of four copies and one of two; in the second week one copy leaves, one fails, and two pages are new. */
const copies = (seed: number, urls: readonly number[]): TestPage[] =>
  urls.map((number) => ({ url: `http://a.test/${number}`, text: prose(seed) }));
const week1 = [...copies(1, [1, 2, 3, 4]), ...copies(2, [5, 6]), ...copies(3, [9])];
const week2 = [
  ...copies(1, [1, 2]),
  ...copies(7, [3]),
  { url: "http://a.test/4", text: "sorry", status: 404 },
  ...copies(2, [5, 6]),
  ...copies(1, [7]),
  ...copies(8, [8]),
];

it("tells leaving, failing, disappearing and arriving apart", async () => {
  await inFolder(async (folder) => {
    const workspace = await workspaceOf(folder, { one: week1, two: week2, three: week2 });
    const result = await evolve(workspace, { ...options, from: "one", to: "two" }, context);
    expect(result.snapshots).toEqual(["one", "two"]);
    const [comparison] = result.sinceFirst;
    expect(comparison!.classes).toMatchObject([
      { sizes: "1", urls: 0, gone: 1, failed: 0, left: 0 },
      // {1, 2, 3} became {1, 2} and {3}: 2²/3 + 1/3; {5, 6} stayed: 2.
      { sizes: "2-10", urls: 5, clusters: 2, left: 1, failed: 1, gone: 0 },
    ]);
    expect(comparison!.classes[1]!.containment).toBeCloseTo((5 / 3 + 2) / 5);
    // With page 7 in it, the cluster of 1 and 2 has three members.
    expect(comparison!.classes[1]!.reverseWithArrivals).toBeCloseTo((4 / 3 + 1 + 2) / 5);
    expect(comparison!.arrivals).toMatchObject({ urls: 2, joined: 1, alone: 1 });
    expect(comparison!.hosts).toMatchObject({
      hosts: 1,
      unchanged: 0,
      most: [{ host: "a.test", before: 3, after: 4 }],
    });
    // Five pages were downloaded twice: four are the same to the byte, one changed completely.
    expect(result.change.downloads).toBe(5);
    expect(result.change.counts[85]![1]).toBe(4);
    expect(result.change.counts[0]![1]).toBe(1);
    expect(result.change.byChange[1]).toEqual([0.2, 0, 0, 0, 0, 0.8]);
  });
});

it("writes every cluster that is not what it was a snapshot before", async () => {
  await inFolder(async (folder) => {
    const week3 = [...copies(1, [1, 2, 7, 5, 6]), ...copies(8, [8, 10])];
    const workspace = await workspaceOf(folder, { one: week1, two: week2, three: week3 });
    const changesFile = path.join(folder, "changes.jsonl");
    const { steps } = await evolve(workspace, { ...options, changesFile }, context);
    const none = { born: 0, grown: 0, merged: 0, shrunk: 0, split: 0, gone: 0, same: 0 };
    expect(steps.map(({ changes }) => changes.counts)).toEqual([
      // {1, 2, 3, 4} lost 3 and 4, which are in no cluster, and 7 came into what is left of it.
      { ...none, shrunk: 1, grown: 1, same: 1 },
      { ...none, merged: 1, born: 1 },
    ]);
    const rows = readFileSync(changesFile, "utf8").trim().split("\n");
    const row = (from: string, to: string, fate: string, number: number, before: number, after: number, parts = 1) => ({
      ...{ from_snapshot: from, to_snapshot: to, fate, root: `http://a.test/${number}`, before, after, parts },
    });
    expect(rows.map((line) => JSON.parse(line))).toEqual([
      row("one", "two", "grown", 1, 4, 3),
      row("one", "two", "shrunk", 1, 4, 2),
      row("two", "three", "born", 10, 0, 2),
      row("two", "three", "merged", 1, 3, 5, 2),
    ]);
  });
});

it("keeps what it found in the workspace, and writes the advice", async () => {
  await inFolder(async (folder) => {
    const workspace = await workspaceOf(folder, { one: week2, two: week2, three: week2 });
    const output = path.join(folder, "advice.csv");
    const [avoidFile, nowMs] = [path.join(folder, "avoid.json"), Date.parse("2026-01-01")];
    const { advice, steps, sinceFirst } = await evolve(workspace, { ...options, output, avoidFile, nowMs }, context);
    expect(steps.map(({ from, to }) => `${from}-${to}`)).toEqual(["one-two", "two-three"]);
    expect(sinceFirst.map(({ from, to }) => `${from}-${to}`)).toEqual(["one-two", "one-three"]);
    expect(advice.clusters.map(({ root, members, trials, left }) => [root, members, trials, left])).toEqual([
      ["http://a.test/1", 3, 4, 0],
      ["http://a.test/5", 2, 2, 0],
    ]);
    const [header, ...lines] = readFileSync(output, "utf8").trim().split("\n");
    expect(header).toBe("fetch,skip,members,trials,left_cluster,gone,risk,look_again");
    expect(lines.map((line) => line.split(",").slice(0, 2).join(" "))).toEqual([
      "http://a.test/1 http://a.test/2",
      "http://a.test/1 http://a.test/7",
      "http://a.test/5 http://a.test/6",
    ]);
    // The table, the avoid-list and the workspace say the same, and until when.
    for (const name of [output, avoidFile, "workspace"]) {
      const avoids = await readAvoidList(name, workspace, nowMs);
      expect(avoids("http://a.test/7")).toMatchObject({ kind: "page", keep: "http://a.test/1" });
      expect([avoids("http://a.test/1"), avoids("http://a.test/8")]).toEqual([undefined, undefined]);
      const { risk } = advice.clusters[0]!;
      const { lookAgainMs } = avoids("http://a.test/2")!;
      const days = (lookAgainMs! - nowMs) / 86_400_000;
      expect(days).toBeCloseTo(revisitAfterDays(risk, 1, options.maxRisk), 3);
      expect((await readAvoidList(name, workspace, lookAgainMs!))("http://a.test/2")).toBeUndefined();
    }
    const stored = await workspace.read((connection) =>
      connection.runAndReadAll(
        `SELECT b.name, a.name, sizes, urls FROM evolution JOIN snapshots b ON b.id = before_snapshot
         JOIN snapshots a ON a.id = after_snapshot WHERE sizes = '2-10' ORDER BY b.id, a.id`,
      ),
    );
    expect(stored.getRows()).toEqual([
      ["one", "two", "2-10", 5],
      ["one", "three", "2-10", 5],
      ["two", "three", "2-10", 5],
    ]);
  });
});

it("asks for two snapshots in their order", async () => {
  await inFolder(async (folder) => {
    const workspace = await workspaceOf(folder, { one: week1, two: week2 });
    await expect(evolve(workspace, { ...options, from: "one" }, context)).rejects.toThrow(/belong together/);
    await expect(evolve(workspace, { ...options, from: "two", to: "one" }, context)).rejects.toThrow(
      /earlier snapshot first/,
    );
    await expect(evolve(workspace, { ...options, from: "one", to: "one" }, context)).rejects.toThrow(
      /needs two snapshots/,
    );
  });
});
