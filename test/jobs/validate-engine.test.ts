import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ruleId } from "#src/canon/rule-id.js";
import { mineInput } from "#src/jobs/engine/mine-engine.js";
import { DEFAULT_LIMIT_RESULT } from "#src/jobs/engine/open-engine.js";
import { validateInput } from "#src/jobs/engine/validate-engine.js";
import { detectDefaults } from "#src/mine/detect.js";
import { eliminateDefaults } from "#src/mine/eliminate.js";
import { quietly, type Rule } from "#src/model.js";
import { DuckDBInstance } from "#src/store/duckdb.js";
import { crawl, writeCommonCrawl } from "../engine/common-crawl.js";

const folder = mkdtempSync(path.join(tmpdir(), "dustpan-validate-engine-"));
const index = path.join(folder, "cc-index");
beforeAll(() => writeCommonCrawl(index));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const duckdb = { engine: "duckdb", keepSteps: false, memoryBytes: 2 ** 29, limitResult: DEFAULT_LIMIT_RESULT } as const;
const options = { epsilon: 0.05, now: () => new Date("2026-11-17T00:00:00Z") };

function dropped(site: string, name: string): Rule {
  const action = { kind: "parameter", name, place: "query", action: "remove" } as const;
  const scope = { host: `*.${site}` };
  const counts = { support: 10, confirmed: 0, merges: 0 };
  const likely = { status: "likely", decision: null, source: "mined", site } as const;
  return { id: ruleId(action, scope), ...action, scope, ...likely, ...counts };
}

it("proves what was mined from Common Crawl's index, and leaves open what digests speak against", async () => {
  const mining = { ...detectDefaults, ...eliminateDefaults };
  const sites = await mineInput(index, { snapshot: crawl }, mining, duckdb, quietly);
  const mined = sites.flatMap(({ rules }) => rules);
  expect(mined.length).toBeGreaterThan(1);
  const history = dropped("wiki.test", "action");
  const narrow: Rule = { ...dropped("shop.test", "sid"), id: "r-000001", scope: { host: "shop.test", path: "/item" } };
  const rules = [...mined, history, narrow];
  const found = await validateInput(index, rules, { ...options, snapshot: crawl }, duckdb, quietly);

  expect(found.rules.map(({ id }) => id)).toEqual(rules.map(({ id }) => id));
  expect(found.untried).toBe(1);
  expect(found.rules.at(-1)).toEqual(narrow);
  for (const { rule, alike, different } of found.verdicts.slice(0, mined.length)) {
    expect([rule.status, alike > 0, different]).toEqual(["valid", true, 0]);
    expect(rule.evidence).toMatchObject({ similarity: "digest", positive: alike, negative: 0 });
  }
  const refused = found.verdicts.at(-1)!;
  expect(refused).toMatchObject({ changed: 60, merges: 60, alike: 0, different: 60, rule: { status: "undecided" } });
  expect(refused.rule.evidence?.counterExamples).toEqual([
    { from: "https://wiki.test/page/0?action=history", to: "https://wiki.test/page/0", why: "another digest" },
  ]);
});

it("proves nothing on a site that answers with one page for everything", async () => {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const file = path.join(folder, "one-page.parquet");
  await connection.run(
    `COPY (SELECT 'app.test' AS site, 'SAME' AS digest, url FROM (SELECT 'http://app.test/?id=' || range AS url FROM range(100)
       UNION ALL SELECT 'http://app.test/?id=' || range || '&view=1' FROM range(100)) t) TO '${file}' (FORMAT parquet)`,
  );
  const { verdicts } = await validateInput(file, [dropped("app.test", "view")], options, duckdb, quietly);
  expect(verdicts).toMatchObject([{ merges: 100, alike: 100, different: 0, rule: { status: "undecided" } }]);
  await connection.run(`COPY (SELECT url, site FROM '${file}') TO '${file}.bare' (FORMAT parquet)`);
  connection.closeSync();
  instance.closeSync();
  const bare = validateInput(`${file}.bare`, [dropped("app.test", "view")], options, duckdb, quietly);
  await expect(bare).rejects.toThrow(/no content digests/);
});

it("opens no file of another crawl", async () => {
  const other = path.join(index, "crawl=CC-MAIN-2026-99", "subset=warc");
  mkdirSync(other, { recursive: true });
  writeFileSync(path.join(other, "damaged.parquet"), "this is not Parquet");
  const rule = dropped("shop.test", "sid");
  const found = await validateInput(index, [rule], { ...options, snapshot: crawl }, duckdb, quietly);
  expect(found.verdicts[0]).toMatchObject({ merges: 60, alike: 60 });
  await expect(validateInput(index, [rule], options, duckdb, quietly)).rejects.toThrow(/damaged\.parquet/);
});
