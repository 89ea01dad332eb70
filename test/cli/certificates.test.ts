/** What voids a certificate is seen wherever rules are looked at or used. */
import { readFileSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, expect, it } from "vitest";
import { formatRulesFile } from "#src/canon/file/write-rules-file.js";
import type { Certificate } from "#src/model.js";
import { rulesName } from "#src/validate/certificate-state.js";
import { makeRule } from "../canon/make-rule.js";
import { Folder } from "./folder.js";

const session = makeRule({ kind: "parameter", name: "sid", action: "remove" });
const lower = { ...makeRule({ kind: "case" }), status: "refuted" as const };
const certificate: Certificate = {
  ...{ site: "a.test", certified: true, changed: 9, tried: 9, gone: 0, notComparable: 0, wrong: 0, atMost: 0 },
  ...{ assurance: 0.01, attempt: 1, rules: rulesName([session]), list: "known", at: "2026-01-01T00:00:00.000Z" },
};
const sentence = /of 9 URLs changed, 9 were tried, none was wrong/;

let folder: Folder;
beforeEach(async () => {
  folder = new Folder();
  writeFileSync(folder.at("first.txt"), "http://a.test/1?sid=1\nhttp://a.test/1\nhttp://b.test/1\n");
  expect(await folder.run(["add", "first.txt"])).toMatchObject({ status: 0 });
  const rules = [session, lower].map((rule) => ({ ...rule, site: "a.test" }));
  writeFileSync(folder.at("dustpan.rules.json"), formatRulesFile({ settings: {}, rules, certificates: [certificate] }));
});
afterEach(() => folder.remove());

/** What the commands say of it. */
async function said(): Promise<string[]> {
  writeFileSync(folder.at("urls.txt"), "http://a.test/2?sid=1\n");
  const commands = [
    ["rules", "list"],
    ["canon", "urls.txt"],
    ["export", "--to", "python"],
  ];
  const answers: string[] = [];
  for (const words of commands) {
    const { status, stdout, stderr } = await folder.run(words);
    expect(status).toBe(0);
    answers.push(`${stdout}${stderr}`);
  }
  return answers;
}

it("is current until something changes", async () => {
  const [listed, ...others] = await said();
  expect(listed).toMatch(sentence);
  for (const answer of others) expect(answer).not.toMatch(/not certified/i);
});

it("is void where URLs of its site are added, and only then", async () => {
  writeFileSync(folder.at("other.txt"), "http://b.test/2\nhttp://a.test/1\n");
  await folder.run(["add", "other.txt"]);
  expect((await said())[0]).toMatch(sentence);
  writeFileSync(folder.at("more.txt"), "http://a.test/3?sid=7\n");
  await folder.run(["add", "more.txt"]);
  for (const answer of await said()) expect(answer).toMatch(/not certified: the list of URLs has changed/i);
  const { certificates } = JSON.parse(readFileSync(folder.at("dustpan.rules.json"), "utf8"));
  expect(certificates).toMatchObject([{ site: "a.test", list: "" }]);
});

it("is void where inputs were added before one that cannot be read", async () => {
  writeFileSync(folder.at("more.txt"), "http://a.test/3?sid=7\n");
  expect(await folder.run(["add", "more.txt", "missing.txt"])).not.toMatchObject({ status: 0 });
  expect((await said())[0]).toMatch(/not certified: the list of URLs has changed/);
});

it("is void where a rule is accepted or rejected, and holds again once that is taken back", async () => {
  for (const [action, { id }] of [
    ["accept", lower],
    ["reject", session],
  ] as const) {
    expect((await folder.run(["rules", action, id])).stderr).toMatch(/not certified/);
    const [listed, canon] = await said();
    expect(listed).toMatch(/not certified: the rules in use are others/);
    if (action === "accept") expect(canon).toMatch(/not certified: the rules in use are others/);
    await folder.run(["rules", "reset", id]);
    expect((await said())[0]).toMatch(sentence);
  }
});
