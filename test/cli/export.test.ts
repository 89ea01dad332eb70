/** `dustpan export` and `dustpan import` as people call them: what they write, and what they say where they cannot. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { formatAliases } from "#src/canon/aliases.js";
import { parseRulesFile } from "#src/canon/file/rules-file.js";
import { formatRulesFile } from "#src/canon/file/write-rules-file.js";
import type { Certificate } from "#src/model.js";
import { rulesName } from "#src/validate/certificate-state.js";
import { makeRule } from "../canon/make-rule.js";
import { Folder } from "./folder.js";

const session = makeRule({ kind: "parameter", name: "sid", action: "remove" });
const lower = makeRule({ kind: "case" });
const behind = { ...makeRule({ from: "/old/", to: "/new/" }), after: [lower.id] };
const certificate: Certificate = {
  ...{ site: "", certified: true, changed: 9, tried: 9, gone: 0, notComparable: 0, wrong: 0, atMost: 0 },
  ...{ assurance: 0.01, attempt: 1, rules: rulesName([session]), list: "known", at: "2026-01-01T00:00:00.000Z" },
};

let folder: Folder;
beforeAll(() => {
  folder = new Folder();
  const certified = { settings: {}, rules: [session], certificates: [certificate] };
  writeFileSync(folder.at("dustpan.rules.json"), formatRulesFile(certified));
  writeFileSync(folder.at("three.json"), formatRulesFile({ settings: {}, rules: [session, lower, behind] }));
  const pair = { from: "http://a.test/x", to: "http://a.test/y", seenMs: Date.now(), why: "content" as const };
  writeFileSync(folder.at("aliases.tsv"), [...formatAliases([pair], 30)].join(""));
  mkdirSync(folder.at("folder"));
});
afterAll(() => folder.remove());

it.each<[string, RegExp]>([
  ["", /needs --to TARGET/],
  ["--to nginks", /--to nginks: expected one of .*nginx/],
  ["--to python --as redirect", /--as redirect: python has no place for that; "dustpan export --list" says which have/],
  ["--to nginx --as cookie", /--as cookie: expected one of key, redirect/],
  ["--to nginx --status rejected", /--status rejected: expected one of likely,/],
  ["--to nginx --aliases missing.tsv", /missing\.tsv cannot be read: no such file/],
  ["--to nginx --as redirect --aliases aliases.tsv", /--aliases: single URLs are for --as key alone/],
  ["--to varnish --aliases aliases.tsv", /--aliases: varnish has no table for single URLs/],
  ["--to nginx --rules missing.json", /no rules file at missing\.json/],
  ["--to nginx -o missing/dustpan.conf", /missing\/dustpan\.conf: no such file or directory/],
  ["--to nginx -o folder", /cannot open folder: illegal operation on a directory/],
  ["--to nginx urls.txt", /INPUT: nginx is made of rules alone/],
  ["--to nginx --host a.test", /--host: nginx is made of rules alone/],
  ["--to sitemap --as redirect", /--as: sitemap has the rules in use/],
  ["--to sitemap --status likely", /--status: sitemap has the rules in use/],
  ["--list --to nginx", /--list: names all targets/],
])("export %s is refused, and nothing is written", async (words, expected) => {
  const { status, stdout, stderr } = await folder.run(["export", ...words.split(" ").filter(Boolean)]);
  expect({ status, stdout, stderr }).toEqual({ status: 2, stdout: "", stderr: expect.stringMatching(expected) });
});

it("export takes the place of a file that is there, and says what no certificate speaks for", async () => {
  writeFileSync(folder.at("dustpan.conf"), "# what was there before\n".repeat(5000));
  const whole = await folder.run(["export", "--to", "nginx", "-o", "dustpan.conf"]);
  expect(whole).toMatchObject({ status: 0, stdout: "", stderr: "1 rule exported to dustpan.conf\n" });
  expect(readFileSync(folder.at("dustpan.conf"), "utf8")).not.toContain("before\n");
  const part = await folder.run(["export", "--to", "nginx", "--rules", "three.json"]);
  const lines = ["Not certified: what was shown of all rules together is not shown of a part of them.", lower.id];
  for (const line of [...lines, `it was proven only after ${lower.id}, which is left out`]) {
    expect(part.stdout).toContain(line);
    expect(part.stderr).toContain(line);
  }
});

it("import adds candidates and leaves what is there as it was, certificates too", async () => {
  const file = folder.at("own.rules.json");
  writeFileSync(file, readFileSync(folder.at("dustpan.rules.json")));
  writeFileSync(folder.at("moved.csv"), "from,to\n/a/,/b/\n");
  const words = ["import", "moved.csv", "--rules", "own.rules.json"];
  expect((await folder.run([...words, "--dry-run"])).stderr).toContain("nothing was written");
  const before = parseRulesFile(readFileSync(file, "utf8"));
  expect((await folder.run(words)).stdout).toContain("moved.csv (table): 1 rule\n");
  const { rules, certificates } = parseRulesFile(readFileSync(file, "utf8"));
  expect(rules.slice(0, 1)).toEqual(before.rules);
  expect(rules[1]).toMatchObject({ from: "/a/", to: "/b/", status: "likely", source: "imported" });
  expect(certificates).toEqual([certificate]);
  const conf = await folder.run(["export", "--to", "nginx", "--rules", "own.rules.json", "-o", "again.conf"]);
  expect([conf.stderr, existsSync(folder.at("again.conf"))]).toEqual(["1 rule exported to again.conf\n", true]);
});
