import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Rule, Scope } from "#src/model.js";
import { applyRule } from "#src/rules/apply.js";
import { compile } from "#src/rules/compile.js";
import { dropCycles, findCycles } from "#src/rules/cycles.js";
import { applyReference, canonizeReference } from "./canon-reference.js";
import { makeRule, type RuleWords } from "./make-rule.js";

const rulesOf = (...words: RuleWords[]): Rule[] => words.map(makeRule);

// Few different pieces, so that rules meet URLs and each other.
const piece = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("a", "b", "/", ".", "-") },
  fc.constantFrom("A", "a1", "?", "&", ";", "=", "&amp;", "$", "é", "🔥", "amp", "?b&a=1"),
);
const text = (maxLength: number) => fc.array(piece, { maxLength }).map((pieces) => pieces.join(""));
const name = fc.constantFrom("a", "b", "a1", "amp", "a.b", "é");
const queryName = fc.oneof({ weight: 5, arbitrary: name }, { weight: 1, arbitrary: fc.constant("amp;a") });
/** Only a query has names with "amp;". */
const inQuery = <W extends { name: string; place: string }>(words: W): W =>
  words.name.includes(";") ? { ...words, place: "query" } : words;
const scope: fc.Arbitrary<Scope> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  fc.constantFrom<Scope[]>(
    { host: "a.test" },
    { host: "*.a.test" },
    { host: "b.a.test" },
    { path: "/a" },
    { path: "/" },
    { script: "a" },
    { host: "*.test", path: "/b" },
  ),
);
const words: fc.Arbitrary<RuleWords> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ from: text(3), to: text(3), start: fc.boolean(), end: fc.boolean() }),
  },
  { weight: 3, arbitrary: fc.record({ from: text(3), to: text(3) }) },
  {
    arbitrary: fc
      .record({
        kind: fc.constant("parameter"),
        name: queryName,
        place: fc.constantFrom("query", "path"),
        action: fc.constant("remove"),
      })
      .map(inQuery),
    weight: 1,
  },
  {
    arbitrary: fc
      .record({
        kind: fc.constant("parameter"),
        name: queryName,
        place: fc.constantFrom("query", "path"),
        action: fc.constant("set"),
        value: fc.constantFrom("", "a", "b=1"),
      })
      .map(inQuery),
    weight: 1,
  },
  fc.record({ kind: fc.constantFrom("parameterOrder", "case") }),
  fc.record({ kind: fc.constant("repeatedParameter"), keep: fc.constantFrom("first", "last") }),
  fc.record({ kind: fc.constant("repeatedParameter"), keep: fc.constantFrom("first", "last"), name }),
  fc.record({ kind: fc.constant("emptyParameter") }),
  fc.record({ kind: fc.constant("emptyParameter"), name }),
);
const rule = fc.tuple(words, scope).map(([own, where]) => makeRule({ ...own, scope: where }));
const isSound = (r: Rule) => r.kind !== "substring" || (r.from !== r.to && (r.from !== "" || r.start !== r.end));
const rules = fc.array(rule.filter(isSound), { minLength: 2, maxLength: 8, size: "max" });
const url = fc
  .tuple(fc.constantFrom("http://a.test/", "http://b.a.test/a", "http://a/", "https://A.test:81/b/", "/", ""), text(10))
  .map(([start, rest]) => start + rest);

describe("applyRule", () => {
  it("equals the reference", () => {
    let changed = 0;
    fc.assert(
      fc.property(rule.filter(isSound), url, fc.constantFrom("ours", "paper"), (r, u, plan) => {
        const expected = applyReference(r, u, plan);
        expect(applyRule(r, u, plan as "ours") ?? u).toBe(expected);
        if (expected !== u) changed++;
      }),
      { numRuns: 5000 },
    );
    expect(changed).toBeGreaterThan(300);
  });
});

describe("compile", () => {
  it("equals the reference, is idempotent and explains itself", () => {
    const seen = { changed: 0, severalSteps: 0, refused: 0 };
    fc.assert(
      fc.property(rules, fc.array(url, { minLength: 1, maxLength: 4 }), (list, urls) => {
        if (findCycles(list).length > 0) {
          seen.refused++;
          expect(() => compile(list)).toThrow(/undo each other/);
        }
        const kept = dropCycles(list).rules;
        const canon = compile(kept);
        for (const u of urls) {
          const expected = canonizeReference(kept, u);
          const before = canon.unsettled.count;
          const result = canon(u);
          expect(result).toBe(expected ?? u);
          expect(canon.unsettled.count - before).toBe(expected === undefined ? 1 : 0);
          expect(canon(result)).toBe(result);
          const { url: explained, steps, isSettled } = canon.explain(u);
          expect(explained).toBe(result);
          expect(isSettled).toBe(expected !== undefined);
          let at = u;
          for (const step of steps) {
            expect(step.before).toBe(at);
            expect(applyRule(step.rule, step.before)).toBe(step.after);
            at = step.after;
          }
          if (isSettled) expect(at).toBe(result);
          if (result !== u) seen.changed++;
          if (steps.length > 1) seen.severalSteps++;
        }
      }),
      { numRuns: 3000 },
    );
    expect(seen.changed).toBeGreaterThan(1000);
    expect(seen.severalSteps).toBeGreaterThan(200);
    expect(seen.refused).toBeGreaterThan(20);
  });

  it("is figure 5.5 on the paper's plan", () => {
    let unlike = 0;
    fc.assert(
      fc.property(rules, url, fc.integer({ min: 1, max: 4 }), (list, u, maxRounds) => {
        const expected = canonizeReference(list, u, "paper", maxRounds);
        expect(compile(list, { plan: "paper", maxRounds })(u)).toBe(expected);
        if (expected !== canonizeReference(list, u, "ours", maxRounds)) unlike++;
      }),
      { numRuns: 2000 },
    );
    expect(unlike).toBeGreaterThan(20);
  });

  it("repeats a shrinking rule: fifty slashes do not outlast ten rounds", () => {
    const canon = compile(rulesOf({ from: "//", to: "/" }));
    expect(canon(`a${"/".repeat(50)}b`)).toBe("a/b");
    expect(canon.unsettled.count).toBe(0);
  });
  it("returns, counts and keeps a few of the URLs that find no rest", () => {
    // What one step makes is no match by itself, only beside its neighbours: that cannot be seen when compiling.
    const canon = compile(rulesOf({ from: "-_", to: "__--" }));
    const restless = "http://h/----____";
    expect(canonizeReference(canon.rules, restless)).toBeUndefined();
    for (let i = 0; i < 5; i++) expect(canon(`${restless}${i}`)).toBe(`${restless}${i}`);
    expect(canon.unsettled).toEqual({ count: 5, samples: [`${restless}0`, `${restless}1`, `${restless}2`] });
    expect(canon.explain(restless).isSettled).toBe(false);
    expect(canon.unsettled.count).toBe(5);
  });
  it("bounds the work for one URL", () => {
    const canon = compile(rulesOf({ from: "//", to: "/" }));
    const slashes = `a${"/".repeat(5000)}b`;
    expect(canon(slashes)).toBe(slashes);
    expect(canon.unsettled.count).toBe(1);
  });
  it("grows where a rule says so, once", () => {
    const canon = compile(rulesOf({ from: "", to: "/", end: true }, { from: "story", to: "story/print" }));
    expect(canon("http://a/story")).toBe("http://a/story/print/");
  });
  it("uses proven and accepted rules, in the proven direction, and never rejected ones", () => {
    const opposite = { status: "valid", positive: 9, negative: 0 };
    const canon = compile(
      rulesOf(
        { from: "b", to: "c", status: "likely" },
        { from: "y", to: "x", status: "refuted", opposite },
        { from: "m", to: "n", status: "likely", decision: "accepted" },
        { from: "h", to: "i", status: "valid", decision: "rejected" },
      ),
    );
    expect(canon("/b/x/m/h")).toBe("/b/y/n/h");
    expect(canon.rules).toHaveLength(2);
    expect(compile(rulesOf({ from: "b", to: "c", status: "likely" }), { use: (r) => r })("/b")).toBe("/c");
  });
  it("follows a URL from host to host", () => {
    const canon = compile(
      rulesOf(
        { kind: "parameter", name: "sid", action: "remove", scope: { host: "a.test" } },
        { from: "://www.", to: "://" },
      ),
    );
    expect(canon("http://www.a.test/?sid=1")).toBe("http://a.test/");
    expect(canon("http://b.test/?sid=1")).toBe("http://b.test/?sid=1");
  });
  it("takes literals of any length and any number of rules", () => {
    const long = "/a".repeat(20_000);
    const many = Array.from({ length: 5000 }, (_, i) => ({ from: `/x${i}/`, to: `/y${i % 7}/` }));
    const canon = compile(rulesOf({ from: long, to: "/b" }, ...many));
    expect(canon(`http://h${long}/x4999/`)).toBe("http://h/b/y1/");
  });
  it("refuses rules that make no sense", () => {
    expect(() => compile(rulesOf({ from: "", to: "a" }))).toThrow(/"from" is empty/);
    expect(() => compile(rulesOf({ kind: "parameter", name: "a", action: "set", value: "b&a=c" }))).toThrow(/"value"/);
    expect(() => compile(rulesOf({ from: "a", to: "b", scope: { path: "a" } }))).toThrow(/"scope.path"/);
  });
});

describe("dustpan/canon", () => {
  it("reaches no package and nothing of Node", () => {
    const seen = new Set<string>();
    const follow = (file: URL) => {
      if (seen.has(file.href)) return;
      seen.add(file.href);
      const source = readFileSync(file, "utf8");
      for (const [, target] of source.matchAll(/^(?:import|export) [^"]*from "([^"]+)";$/gm)) {
        expect(target).toMatch(/^\.\.?\//);
        follow(new URL(target!, file));
      }
    };
    follow(new URL(import.meta.resolve("#src/rules/canon.js")));
    expect(seen.size).toBeGreaterThan(10);
  });
});

describe("visible cycles", () => {
  const ids = (cycles: Rule[][]) => cycles.map((cycle) => cycle.map((r) => (r.kind === "substring" ? r.from : r.kind)));
  const cases: [string, RuleWords[], string[][]][] = [
    [
      "both directions",
      [
        { from: "a", to: "b" },
        { from: "b", to: "a" },
      ],
      [["a", "b"]],
    ],
    [
      "three rules",
      [
        { from: "a", to: "b" },
        { from: "x", to: "y" },
        { from: "b", to: "c" },
        { from: "c", to: "a" },
      ],
      [["a", "b", "c"]],
    ],
    [
      "growth",
      [
        { from: "a", to: "a.x" },
        { from: "x", to: "x.a" },
      ],
      [["a", "x"]],
    ],
    [
      "the end, with and without a slash",
      [
        { from: "/", to: "", end: true },
        { from: "", to: "/", end: true },
      ],
      [["/", ""]],
    ],
    [
      "an index page added and taken",
      [
        { from: "/", to: "/index.html", end: true },
        { from: "index.html", to: "" },
      ],
      [["/", "index.html"]],
    ],
    [
      "no cycle where only one is anchored there",
      [
        { from: "a", to: "b", start: true },
        { from: "b", to: "a", end: true },
      ],
      [],
    ],
    [
      "no cycle on different hosts",
      [
        { from: "a", to: "b", scope: { host: "x" } },
        { from: "b", to: "a", scope: { host: "y" } },
      ],
      [],
    ],
    [
      "no cycle where three scopes have nothing in common",
      [
        { from: "a", to: "b" },
        { from: "b", to: "c", scope: { host: "x" } },
        { from: "c", to: "a", scope: { host: "y" } },
      ],
      [],
    ],
    [
      "a cycle where scopes overlap",
      [
        { from: "a", to: "b", scope: { path: "/" } },
        { from: "b", to: "a", scope: { path: "/p", host: "h" } },
      ],
      [["a", "b"]],
    ],
    ["no cycle in one rule that grows", [{ from: "story", to: "story/print" }], []],
    [
      "no cycle in a chain",
      [
        { from: "a", to: "b" },
        { from: "b", to: "c" },
      ],
      [],
    ],
    [
      "one parameter, two values",
      [
        { kind: "parameter", name: "v", action: "set", value: "1" },
        { kind: "parameter", name: "v", action: "set", value: "2" },
      ],
      [["parameter", "parameter"]],
    ],
    [
      "one parameter, two values, two paths",
      [
        { kind: "parameter", name: "v", action: "set", value: "1", scope: { path: "/a" } },
        { kind: "parameter", name: "v", action: "set", value: "2", scope: { path: "/b" } },
      ],
      [],
    ],
  ];
  it.each(cases)("%s", (_, words, expected) => {
    const list = rulesOf(...words);
    expect(ids(findCycles(list))).toEqual(expected);
    if (expected.length === 0) compile(list);
    else {
      expect(() => compile(list)).toThrow(new RegExp(`${list[0]!.id}[^]*${list.at(-1)!.id}`));
      compile(list, { plan: "paper" });
      const { rules: kept, dropped } = dropCycles(list);
      expect(dropped).toEqual([list.at(-1)]);
      compile(kept);
    }
  });
});
