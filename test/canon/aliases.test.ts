import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Alias, AliasTable, formatAliases, settleAliases, withAliases } from "#src/canon/aliases.js";
import { asTheyAre, compile } from "#src/canon/compile.js";
import { DataError } from "#src/errors.js";
import { changedInBytes } from "./changed-in-bytes.js";
import { makeRule } from "./make-rule.js";

const nowMs = Date.UTC(2026, 10, 16);
const alias = (from: string, to: string, seenMs = nowMs): Alias => ({ from, to, seenMs, why: "redirect" });
const fileOf = (aliases: Iterable<Alias>, days = 90) =>
  new TextEncoder().encode([...formatAliases(aliases, days)].join(""));
const tableOf = (aliases: Iterable<Alias>, days = 90) => AliasTable.read(fileOf(aliases, days), nowMs, "a.tsv");
const noRules = compile([]);
const dropSid = compile([makeRule({ kind: "parameter", name: "sid", place: "query", action: "remove" })], {
  use: asTheyAre,
});

describe("aliases", () => {
  it("follow a number to its slug after the rules", () => {
    const { aliases } = settleAliases([alias("http://a.test/?p=7&sid=1", "http://a.test/a-slug?sid=2")], dropSid);
    expect(aliases.map(({ from, to }) => [from, to])).toEqual([["http://a.test/?p=7", "http://a.test/a-slug"]]);
    const canon = withAliases(dropSid, tableOf(aliases));
    expect(canon("http://a.test/?sid=3&p=7")).toBe("http://a.test/a-slug");
    expect(canon.explain("http://a.test/?p=7").alias?.after).toBe("http://a.test/a-slug");
    expect(canon("http://a.test/?p=8")).toBe("http://a.test/?p=8");
  });

  it("follow chains to their end, and refuse circles with what leads into them", () => {
    const pairs = [alias("/a", "/b"), alias("/b", "/c"), alias("/x", "/y"), alias("/y", "/x"), alias("/w", "/x")];
    const { aliases, circles } = settleAliases(pairs, (url) => url);
    expect(aliases.map(({ from, to }) => `${from} ${to}`)).toEqual(["/a /c", "/b /c"]);
    expect(circles).toHaveLength(1);
  });

  it("believe the later of two targets", () => {
    const { aliases } = settleAliases([alias("/a", "/old", nowMs - 1000), alias("/a", "/new")], (url) => url);
    expect(aliases.map(({ to }) => to)).toEqual(["/new"]);
  });

  it("expire", () => {
    const table = tableOf([alias("/a", "/b", nowMs - 91 * 86_400_000), alias("/c", "/d")]);
    expect([table.parts.count, table.parts.expired]).toEqual([1, 1]);
    expect(withAliases(noRules, table)("/a")).toBe("/a");
  });

  it("say where a file is not a table", () => {
    const read = (text: string) => () => AliasTable.read(new TextEncoder().encode(text), nowMs, "a.tsv");
    const head = '{"format":"dustpan-aliases","version":1,"maxAgeDays":90}\n';
    expect(read("http://a.test/")).toThrow(DataError);
    expect(read(head.replace('"version":1', '"version":2'))).toThrow(/version 2/);
    expect(read(`${head}/a\t/b\t1\tredirect\n/c /d\n`)).toThrow(/a\.tsv:3/);
    expect(read(`${head}/a\t/b\tsoon\tredirect`)).toThrow(/a\.tsv:2/);
    expect(read(head)().parts.count).toBe(0);
  });

  it("canonize idempotently, also with rules that the table was not made for", () => {
    const url = fc
      .tuple(fc.constantFrom("/a", "/b", "/c", "/é"), fc.constantFrom("", "?sid=1", "?sid=2"))
      .map((parts) => `http://a.test${parts.join("")}`);
    const pairs = fc.array(fc.tuple(url, url), { maxLength: 12 });
    let changed = 0;
    fc.assert(
      fc.property(pairs, fc.boolean(), url, (found, settles, text) => {
        const given = found.map(([from, to]) => alias(from, to));
        const canon = withAliases(dropSid, tableOf(settles ? settleAliases(given, dropSid).aliases : given));
        const once = canon(text);
        expect(canon(once)).toBe(once);
        expect(canon.explain(text).url).toBe(once);
        const bytes = new TextEncoder().encode(text);
        if (once !== text) expect(canon.mayChange(bytes, 0, bytes.length)).toBe(true);
        const inBytes = changedInBytes(canon, text);
        if (inBytes.isPlain) expect(inBytes.changed).toBe(once === text ? undefined : once);
        if (once !== dropSid(text)) changed++;
      }),
      { numRuns: 500 },
    );
    expect(changed).toBeGreaterThan(50);
  });
});
