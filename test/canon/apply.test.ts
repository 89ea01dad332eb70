import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { applyRule } from "#src/canon/apply.js";
import { shrinks, usableRule } from "#src/canon/kinds.js";
import { ruleId } from "#src/canon/rule-id.js";
import { intersectScopes, scopeCovers } from "#src/canon/scope.js";
import type { Scope } from "#src/model.js";
import { makeRule, type RuleWords } from "./make-rule.js";

interface Case {
  why: string;
  rule: RuleWords;
  from: string;
  to: string | null;
}
const cases = JSON.parse(readFileSync(new URL("./apply.cases.json", import.meta.url), "utf8")) as Case[];

describe("applyRule", () => {
  it.each(cases)("$why: $from", ({ rule, from, to }) => {
    expect(applyRule(makeRule(rule), from) ?? null).toBe(to);
  });
  it("does not look for former replacements on the paper's plan", () => {
    const slash = makeRule({ from: "", to: "/", end: true });
    expect(applyRule(slash, "http://a/", "paper")).toBe("http://a//");
  });
});

describe("shrinks", () => {
  it.each([
    ["story?id=", "story_", true],
    ["story_", "story?id=", false],
    ["b", "a", true],
    ["a", "b", false],
    ["x", "", true],
  ])("%j -> %j", (from, to, expected) => {
    expect(shrinks(makeRule({ from, to }))).toBe(expected);
  });
});

describe("usableRule", () => {
  const opposite = (status: string) => ({ status, positive: 9, negative: 0 });
  it.each([
    [{ status: "valid" }, "a -> b"],
    [{ status: "valid", decision: "rejected" }, undefined],
    [{ status: "likely" }, undefined],
    [{ status: "likely", decision: "accepted" }, "a -> b"],
    [{ status: "refuted", decision: "accepted" }, "a -> b"],
    [{ status: "refuted", opposite: opposite("valid") }, "b -> a"],
    [{ status: "valid", opposite: opposite("valid") }, "a -> b"],
    [{ status: "refuted", opposite: opposite("refuted") }, undefined],
    [{ status: "refuted", opposite: opposite("valid"), decision: "rejected" }, undefined],
  ])("%j", (fields, expected) => {
    const rule = makeRule({ from: "a", to: "b", ...fields });
    const usable = usableRule(rule);
    expect(usable?.kind === "substring" ? `${usable.from} -> ${usable.to}` : undefined).toBe(expected);
    if (usable !== undefined) expect(usable.id).toBe(rule.id);
  });
});

describe("ruleId", () => {
  it("depends on action and scope alone", () => {
    const id = makeRule({ from: "a", to: "b" }).id;
    expect(id).toMatch(/^r-[0-9a-f]{10}$/);
    expect(makeRule({ from: "a", to: "b", status: "refuted", support: 7 }).id).toBe(id);
    expect(ruleId({ end: false, start: false, to: "b", from: "a", kind: "substring" }, {})).toBe(id);
  });
  it("never changes: decisions in people's files hang on it", () => {
    expect(makeRule({ from: ".co.il/story_", to: ".co.il/story?id=" }).id).toBe("r-db1e66e330");
    expect(makeRule({ kind: "parameter", name: "sid", action: "remove", scope: { host: "a.test" } }).id).toBe(
      "r-9be90f1f72",
    );
  });
  it("tells all small variations apart", () => {
    const ids = [
      makeRule({ from: "a", to: "b" }),
      makeRule({ from: "b", to: "a" }),
      makeRule({ from: "a", to: "b", start: true }),
      makeRule({ from: "a", to: "b", end: true }),
      makeRule({ from: "a", to: "b", scope: { host: "a" } }),
      makeRule({ from: "a", to: "b", scope: { path: "a" } }),
      makeRule({ from: "a", to: "b", scope: { script: "a" } }),
      makeRule({ from: "a", to: "b", scope: { parameters: { a: true } } }),
      makeRule({ from: "a", to: "b", scope: { parameters: { a: false } } }),
      makeRule({ from: "a", to: "b", scope: { parameters: { a: "" } } }),
      makeRule({ from: "a", to: "b", scope: { parameters: { a: "true" } } }),
      makeRule({ from: "a", to: "b", scope: { parameters: { a: true, b: true } } }),
      makeRule({ kind: "parameter", name: "a", action: "remove" }),
      makeRule({ kind: "parameter", name: "a", action: "remove", place: "path" }),
      makeRule({ kind: "parameter", name: "a", action: "set", value: "" }),
      makeRule({ kind: "repeatedParameter", keep: "first" }),
      makeRule({ kind: "repeatedParameter", keep: "last" }),
      makeRule({ kind: "repeatedParameter", keep: "last", name: "a" }),
      makeRule({ kind: "emptyParameter" }),
      makeRule({ kind: "emptyParameter", name: "a" }),
      makeRule({ kind: "parameterOrder" }),
      makeRule({ kind: "case" }),
    ].map((rule) => rule.id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe("scopes", () => {
  const cases: [Scope, Scope, Scope | undefined][] = [
    [{}, {}, {}],
    [{}, { host: "a" }, { host: "a" }],
    [{ host: "a" }, { host: "b" }, undefined],
    [{ host: "*.a" }, { host: "a" }, { host: "a" }],
    [{ host: "*.a" }, { host: "b.a" }, { host: "b.a" }],
    [{ host: "*.a" }, { host: "*.b.a" }, { host: "*.b.a" }],
    [{ host: "*.a" }, { host: "*.a" }, { host: "*.a" }],
    [{ host: "*.a" }, { host: "ba" }, undefined],
    [{ path: "/" }, { path: "/a" }, { path: "/a" }],
    [{ path: "/a" }, { path: "/b" }, undefined],
    [
      { path: "/a", script: "x" },
      { host: "h", script: "x" },
      { host: "h", path: "/a", script: "x" },
    ],
    [{ script: "x" }, { script: "y" }, undefined],
    [{ parameters: { t: true } }, { host: "h" }, { host: "h", parameters: { t: true } }],
    [{ parameters: { t: true } }, { parameters: { t: false } }, undefined],
    [{ parameters: { t: "1" } }, { parameters: { t: false } }, undefined],
    [{ parameters: { t: "1" } }, { parameters: { t: "2" } }, undefined],
    [{ parameters: { t: true } }, { parameters: { t: "1" } }, { parameters: { t: "1" } }],
    [{ parameters: { t: true } }, { parameters: { f: false } }, { parameters: { f: false, t: true } }],
  ];
  it.each(cases)("%j and %j", (a, b, both) => {
    expect(intersectScopes(a, b)).toEqual(both);
    expect(intersectScopes(b, a)).toEqual(both);
  });
  it("cover what lies within them", () => {
    expect(scopeCovers({}, { path: "/a" })).toBe(true);
    expect(scopeCovers({ path: "/a" }, {})).toBe(false);
    expect(scopeCovers({ host: "*.a" }, { host: "b.a", path: "/" })).toBe(true);
    expect(scopeCovers({ host: "b.a" }, { host: "*.a" })).toBe(false);
    expect(scopeCovers({ path: "/" }, { path: "/a", parameters: { t: true } })).toBe(true);
    expect(scopeCovers({ parameters: { t: true } }, { path: "/a" })).toBe(false);
    expect(scopeCovers({ parameters: { t: true } }, { parameters: { f: true } })).toBe(false);
    expect(scopeCovers({ parameters: { t: true } }, { parameters: { f: true, t: "1" } })).toBe(true);
    expect(scopeCovers({ parameters: { t: "1" } }, { parameters: { t: true } })).toBe(false);
    expect(scopeCovers({ parameters: { t: false } }, {})).toBe(false);
  });
});

describe("what was a URL stays one", () => {
  it.each([
    ["/", "", "http://a.test/b//c", "http://a.test/b/c"],
    ["/", "", "http://a.test/b", undefined],
    ["a", "", "http://a/", undefined],
    ["http", "ftp", "http://a.test/", undefined],
    ["//", "/", "http://a.test//b", "http://a.test/b"],
    ["/", "?", "/b", undefined],
  ])("%j -> %j on %s", (from, to, url, result) => {
    expect(applyRule({ kind: "substring", from, to, start: false, end: false, scope: {} }, url)).toBe(result);
  });
});
