import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { mergeMined } from "#src/jobs/merge-mined.js";
import type { Rule } from "#src/model.js";
import { writeRulesFile } from "#src/store/rules-on-disk.js";
import { makeRule } from "../canon/make-rule.js";

const folder = mkdtempSync(path.join(tmpdir(), "dustpan-merge-"));
afterAll(() => rmSync(folder, { recursive: true }));

it("a decision about a pair of texts stays, whichever way the pair is mined later", () => {
  const there = makeRule({ from: "/~a/", to: "/%7Ea/", status: "likely", site: "a.test" });
  const back = makeRule({ from: "/%7Ea/", to: "/~a/", status: "likely", site: "a.test" });
  const file = path.join(folder, "dustpan.rules.json");
  const merged = (known: Rule, mined: Rule) => {
    writeRulesFile(file, { settings: {}, rules: [known] });
    const site = { site: "a.test", urls: 9, withSizes: 0, withSketches: 0, detected: 1, remaining: 1, rules: [mined] };
    return mergeMined(file, { sites: [site], normalized: [] }, {} as never).rules;
  };
  const [rejected, ...none] = merged({ ...there, decision: "rejected" }, back);
  expect([rejected!.id, rejected!.decision, none]).toEqual([there.id, "rejected", []]);
  expect(merged({ ...there, status: "valid" }, back)).toMatchObject([{ id: there.id, status: "valid" }]);
  expect(merged(there, back)).toMatchObject([{ id: back.id, status: "likely" }]);
});
