import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { DuckdbEngine } from "#src/engine/duckdb-engine.js";
import type { StepReport } from "#src/engine/engine.js";
import { add } from "#src/jobs/add.js";
import { mineInput } from "#src/jobs/engine/mine-engine.js";
import { DEFAULT_LIMIT_RESULT } from "#src/jobs/engine/open-engine.js";
import type { MineOptions } from "#src/jobs/mine/mined-site.js";
import { mine } from "#src/jobs/mine.js";
import { detectDefaults } from "#src/mine/detect.js";
import { eliminateDefaults } from "#src/mine/eliminate.js";
import { quietly, type Rule } from "#src/model.js";
import { Workspace } from "#src/store/workspace.js";
import { ALL_NORMALIZATION_STEPS } from "#src/url/normalize.js";
import { crawl, plantedRules, writeCommonCrawl } from "../engine/common-crawl.js";

const folder = mkdtempSync(path.join(tmpdir(), "dustpan-mine-engine-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const duckdb = { engine: "duckdb", keepSteps: false, memoryBytes: 2 ** 29, limitResult: DEFAULT_LIMIT_RESULT } as const;
const options: MineOptions = { ...detectDefaults, ...eliminateDefaults, plan: "paper" };

describe("mining on disk", () => {
  it("finds the same substring rules as in memory, examples and order included, and announces that it falls over", async () => {
    const workspace = Workspace.inMemory();
    const reading = { steps: ALL_NORMALIZATION_STEPS, strict: false, snapshot: "default", text: false };
    await add(workspace, ["examples/access.log.gz"], reading, () => {}, quietly);
    const announced: string[] = [];
    const inMemory = await mine(workspace, options, quietly);
    const reports: StepReport[] = [];
    const small = {
      ...options,
      memoryBytes: 100_000,
      announce: (text: string) => announced.push(text),
      onReport: (report: StepReport) => reports.push(report),
    };
    const onDisk = await mine(workspace, small, quietly);
    workspace.close();
    expect(announced).toEqual([expect.stringMatching(/^forum\.test: 2,048 URLs are more than fits in memory/)]);
    expect(reports[0]).toMatchObject({ step: "urls", rows: 2048 });
    expect(reports.map(({ step }) => step)).toContain("pair");
    const substrings = (rules: readonly Rule[]) => rules.filter(({ kind }) => kind === "substring");
    const [local, disk] = [inMemory.sites[0]!, onDisk.sites[0]!];
    expect(disk).toMatchObject({
      urls: 2048,
      withSizes: local.withSizes,
      detected: local.detected,
      remaining: local.remaining,
    });
    expect(substrings(disk.rules).length).toBeGreaterThan(50);
    expect(substrings(disk.rules)).toEqual(substrings(local.rules));
    const session = disk.rules.find((rule) => rule.kind === "parameter" && rule.name === "sid");
    const localSession = local.rules.find((rule) => rule.kind === "parameter" && rule.name === "sid");
    expect(session).toMatchObject({ support: localSession!.support, id: localSession!.id });
  });

  it("mines Common Crawl's index for every site at once: what was planted, and nothing else", async () => {
    const index = path.join(folder, "cc-index");
    await writeCommonCrawl(index);
    const output = path.join(folder, "out");
    const reports: StepReport[] = [];
    const run = () =>
      mineInput(
        index,
        { snapshot: crawl },
        { ...options, plan: "ours" },
        { ...duckdb, output, keepSteps: true },
        quietly,
        (report) => reports.push(report),
      );
    const sites = await run();
    for (const { site, rules } of sites) {
      const isTrue = plantedRules[site] ?? (() => false);
      expect(rules.filter((rule) => rule.confirmed > 0).length).toBeGreaterThan(0);
      expect(rules.filter((rule) => !isTrue(rule))).toEqual([]);
    }
    expect(sites.map(({ site }) => site).sort()).toEqual(Object.keys(plantedRules).sort());
    expect(sites.find(({ site }) => site === "shop.test")).toMatchObject({ urls: 180, withSketches: 180 });
    expect(existsSync(path.join(output, "pairs.parquet"))).toBe(true);
    // The same command again makes nothing twice.
    reports.length = 0;
    expect(await run()).toEqual(sites);
    expect(reports.filter(({ resumed }) => !resumed)).toEqual([]);
  });

  it("takes tables as others leave them: bytes, addresses without a domain, spellings of hosts, rows that are no URLs", async () => {
    const table = path.join(folder, "odd.parquet");
    const shop = "'://Shop.test/it''em/' || chr(128512) || chr(10) || '?id=' || i";
    const pages = "FROM range(9) AS t(i)";
    const session = `SELECT 'shop.test' AS site, '200' AS status, 'HTTP' || ${shop} || '&sid=' || 7 * i AS url, 'D' || i AS digest ${pages}`;
    const rows = [
      `SELECT 'shop.test', '200', 'http' || ${shop}, 'D' || i ${pages}`,
      session,
      session,
      // Common Crawl has no registered domain for addresses: these are two sites, not one of all that has none.
      `SELECT NULL, '200', 'http://' || host || '/p' || i || CASE WHEN suffix = '' THEN '' ELSE suffix || 7 * i END, 'IP' || i
       ${pages}, (VALUES ('192.0.2.1', ''), ('192.0.2.1', '?x='), ('[2001:db8::1]:80', '')) AS h(host, suffix)`,
      `SELECT '', NULL, 'no URL ' || i, 'IP' || i ${pages}`,
      "SELECT NULL, NULL, NULL, 'D1'",
    ];
    const engine = await DuckdbEngine.open({ memoryBytes: 2 ** 28, limitResult: 10 });
    const select = `SELECT site, status, encode(url) AS url, digest FROM (${session} UNION ALL ${rows.join(" UNION ALL ")}) AS every`;
    await engine.write("odd", select, table);
    await engine.close();
    const sites = await mineInput(table, {}, { ...options, plan: "ours", minSupport: 3 }, duckdb, quietly);
    expect(sites.map(({ site, urls }) => ({ site, urls })).sort((a, b) => (a.site < b.site ? -1 : 1))).toEqual([
      { site: "192.0.2.1", urls: 18 },
      { site: "shop.test", urls: 18 },
    ]);
    const found = sites.flatMap(({ rules }) =>
      rules.map(({ site, confirmed, ...rule }) => ({ site, confirmed, rule })),
    );
    expect(found.map(({ site, confirmed }) => ({ site, confirmed }))).toEqual(
      sites.map(({ site }) => ({ site, confirmed: 9 })),
    );
    for (const { site, rule } of found) {
      expect(rule).toMatchObject({ kind: "parameter", name: site === "shop.test" ? "sid" : "x" });
    }
  });

  it("says which file has other columns than the rest", async () => {
    const table = path.join(folder, "mixed");
    const engine = await DuckdbEngine.open({ memoryBytes: 2 ** 28, limitResult: 10 });
    await engine.write("mixed", "SELECT 'http://x.test/' AS url, 'D' AS digest", path.join(table, "1.parquet"));
    await engine.write("mixed", "SELECT 'http://x.test/' AS url", path.join(table, "2.parquet"));
    await engine.close();
    const mixed = mineInput(table, {}, options, duckdb, quietly);
    await expect(mixed).rejects.toMatchObject({
      name: "UserError",
      message: expect.stringMatching(/2\.parquet has no digest$/),
    });
  });

  it("says what was looked at where nothing is found", async () => {
    const table = path.join(folder, "different.parquet");
    const engine = await DuckdbEngine.open({ memoryBytes: 2 ** 28, limitResult: 10 });
    await engine.write("different", "SELECT 'http://x.test/' || i AS url FROM range(1) AS t(i)", table);
    await engine.close();
    expect(await mineInput(table, {}, options, duckdb, quietly)).toMatchObject([
      { site: "x.test", urls: 1, rules: [] },
    ]);
  });

  it("says which column is missing", async () => {
    const index = path.join(folder, "cc-index");
    const asked = mineInput(path.join(index, "**/*.parquet"), { snapshot: "x" }, options, duckdb, quietly);
    await expect(asked).resolves.toEqual([]);
    const steps = path.join(folder, "out/steps/pair.parquet");
    await expect(mineInput(steps, {}, options, duckdb, quietly)).rejects.toThrow(/no column url; it has site, alpha/);
  });
});
