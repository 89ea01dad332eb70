/** Tables of single URLs after exported rules. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { AliasTable, formatAliases, settleAliases, withAliases } from "#src/canon/aliases.js";
import { asTheyAre, compile } from "#src/canon/compile.js";
import { randomNumbers } from "#src/demo/text.js";
import { exportRules } from "#src/export/export-rules.js";
import { exportTargets, findTarget } from "#src/export/targets.js";
import { normalize } from "#src/url/normalize.js";
import { makeRule } from "../canon/make-rule.js";
import { randomUrls } from "../exports/random-urls.js";

const rules = [
  makeRule({ kind: "parameter", name: "sid", action: "remove" }),
  makeRule({ from: "/story?id=", to: "/story_", scope: { host: "forum.test" } }),
  makeRule({ kind: "parameterOrder" }),
];
const urls = [...new Set(randomUrls(800, 31).map((url) => normalize(url).url))].filter((url) => !/\s/.test(url));

/** Some URLs are others: chains and circles among them. */
const pairs = (() => {
  const random = randomNumbers(32);
  const any = () => urls[Math.floor(random() * urls.length)]!;
  return Array.from({ length: 300 }, (_, i) => ({ from: any(), to: any(), seenMs: 1e12 + i, why: "content" as const }));
})();

/** As `dustpan canon --aliases` does it, with a table made for the same rules. */
const expected = (() => {
  const canon = compile(rules, { use: asTheyAre });
  const file = [...formatAliases(settleAliases(pairs, canon).aliases, 100_000)].join("");
  return withAliases(canon, AliasTable.read(new TextEncoder().encode(file), 1e12, "aliases"));
})();

it("are followed as canonization follows them", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "dustpan-aliases-"));
  try {
    const written = (target: string) => {
      const { text, file } = { ...exportRules(rules, findTarget(target), { aliases: pairs }), ...findTarget(target) };
      writeFileSync(path.join(folder, file), text);
      expect(text).toMatch(/follows \d+ aliases/);
      return path.join(folder, file);
    };
    const wanted = urls.map(expected);
    expect(wanted.filter((url, i) => url !== compile(rules, { use: asTheyAre })(urls[i]!)).length).toBeGreaterThan(50);
    const { canonical } = await import(pathToFileURL(written("javascript")).href);
    expect(urls.map(canonical)).toEqual(wanted);
    const { withUniqueKey } = await import(pathToFileURL(written("crawlee")).href);
    expect(urls.map((url) => withUniqueKey(url).uniqueKey)).toEqual(wanted);
    const python = spawnSync("python3", [written("python")], { input: urls.join("\n"), encoding: "utf8" });
    if (python.error === undefined) expect(python.stdout.trimEnd().split("\n")).toEqual(wanted);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it("are left out one by one where a program cannot write them, and named", () => {
  const pair = (from: string) => ({ from: `http://forum.test/${from}`, to: "http://forum.test/b", seenMs: 0 });
  const cases = [
    ["nginx", "x".repeat(4000)],
    ["apache", "$" + "{HOME}"],
    ["apache", 'a"b'],
    ["caddy", "{env.HOME}"],
    ["caddy", "a b"],
  ] as const;
  for (const [name, odd] of cases) {
    const { text, aliases, aliasesLeftOut } = exportRules(rules, findTarget(name), { aliases: [pair("a"), pair(odd)] });
    expect(aliases.map(({ from }) => from)).toEqual([pair("a").from]);
    expect(aliasesLeftOut.map(({ alias }) => alias.from)).toEqual([pair(odd).from]);
    expect(text).toContain(`1 aliases are left out:\n#   ${pair(odd).from.slice(0, 900)}`);
  }
});

it("that differ in letter case alone are divided among nginx's maps where they are too long for one word", () => {
  const long = "http://forum.test/".padEnd(1900, "x");
  const froms = [long, long.replace("xx", "xX"), long.replace("xx", "Xx")];
  const { text, aliasesLeftOut } = exportRules([], findTarget("nginx"), {
    aliases: froms.map((from) => ({ from, to: "http://forum.test/b", seenMs: 0 })),
  });
  expect(aliasesLeftOut).toEqual([]);
  expect(text).toContain("map $dustpan_by_rules $dustpan_aliases_1 {");
  expect(text.split("\n").filter((line) => Buffer.byteLength(line) > 2 * 4096)).toEqual([]);
  for (const from of froms) expect(text).toContain(` ${from} http://forum.test/b`);
});

it("are refused where a target has no table, and for redirects", () => {
  const pair = { from: "http://forum.test/a", to: "http://forum.test/b", seenMs: 0 };
  for (const target of exportTargets) {
    const write = () => exportRules(rules, target, { aliases: [pair] });
    if (target.noTable === undefined)
      expect([target.name, write().text.includes(pair.to)]).toEqual([target.name, true]);
    else expect(write).toThrow(`--aliases: ${target.name} has no table for single URLs: ${target.noTable}`);
  }
  expect(() => exportRules(rules, findTarget("worker"), { aliases: [pair], use: "redirect" })).toThrow(
    "--as key alone",
  );
});
