import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyRule } from "#src/canon/apply.js";
import { compile } from "#src/canon/compile.js";
import { dropCycles, findCycles, rulesInUse } from "#src/canon/cycles.js";
import { ruleKinds } from "#src/canon/kinds.js";
import { applySubstring, type SubstringAction } from "#src/canon/replace-substring.js";
import type { Rule } from "#src/model.js";
import { queryParameters } from "#src/url/parameters.js";
import { parseUrl } from "#src/url/parse.js";
import { compareByTokens } from "#src/url/tokenize.js";
import { applyReference, canonizeReference, usedReference } from "./canon-reference.js";
import { changedInBytes } from "./changed-in-bytes.js";
import { makeRule, type RuleWords } from "./make-rule.js";
import { isSound, rule, rules, url } from "./random-rules.js";

const rulesOf = (...words: RuleWords[]): Rule[] => words.map(makeRule);

const isPathRule = (r: Rule) => r.kind === "parameter" && r.place === "path";
const parametersOf = (u: string) => queryParameters(u, parseUrl(u)!).map((p) => u.slice(p.start, p.end));

describe("applyRule", () => {
  it("equals the reference", () => {
    const changed = new Map<string, number>();
    fc.assert(
      fc.property(rule.filter(isSound), url, fc.constantFrom("ours", "paper"), (r, u, plan) => {
        const expected = applyReference(r, u, plan);
        expect(applyRule(r, u, plan as "ours") ?? u).toBe(expected);
        const kind = r.kind === "parameter" ? `${r.action} ${r.place}` : r.kind;
        if (expected !== u) changed.set(kind, (changed.get(kind) ?? 0) + 1);
      }),
      { numRuns: 9000 },
    );
    // A parameter is removed or set, in the query or in the path: four, and one for each other kind.
    expect(changed.size).toBe(ruleKinds.length + 3);
    for (const [kind, count] of changed) expect(count, kind).toBeGreaterThan(4);
  });

  it("leaves every other parameter what it was", () => {
    const edits = rule.filter((r) => isSound(r) && /parameter/i.test(r.kind) && !isPathRule(r));
    let changed = 0;
    fc.assert(
      fc.property(edits, url, (r, u) => {
        const after = applyRule(r, u);
        if (after === undefined) return;
        changed++;
        const [was, is] = [parametersOf(u), parametersOf(after)];
        if (r.kind === "parameterOrder") expect([...is].sort()).toEqual([...was].sort());
        else if (r.kind === "parameter" && r.action === "set") expect(is).toHaveLength(was.length);
        else {
          let at = 0;
          for (const kept of is) at = was.indexOf(kept, at) + 1 || Number.POSITIVE_INFINITY;
          expect(at).toBeLessThanOrEqual(was.length);
          expect(is.length).toBeLessThan(was.length);
        }
        expect(applyRule(r, after)).toBeUndefined();
      }),
      {
        numRuns: 3000,
        examples: [
          [makeRule({ kind: "parameter", name: "b", action: "remove" }), "/?a&amp&b=1;c"],
          [makeRule({ kind: "parameter", name: "b", action: "remove" }), "/?a&amp&b;b;c"],
          [makeRule({ kind: "parameter", name: "b", action: "remove" }), "/?amp&b;c"],
          [makeRule({ kind: "parameterOrder" }), "/?b&a;amp"],
        ],
      },
    );
    expect(changed).toBeGreaterThan(200);
  });
});

describe("compile", () => {
  it("equals the reference, is idempotent and explains itself", () => {
    const seen = { changed: 0, severalSteps: 0, refused: 0, plain: 0 };
    fc.assert(
      fc.property(rules, fc.array(url, { minLength: 1, maxLength: 4 }), (list, urls) => {
        const used = usedReference(list);
        if (findCycles(used).length > 0) {
          seen.refused++;
          expect(() => compile(list)).toThrow(/undo each other/);
        }
        const kept = usedReference(rulesInUse(list).rules, (r) => r);
        const canon = compile(rulesInUse(list).rules, { use: (r) => r });
        expect(canon.rules).toEqual(kept);
        for (const u of urls) {
          const expected = canonizeReference(kept, u);
          const before = canon.unsettled.count;
          const result = canon(u);
          expect(result).toBe(expected ?? u);
          expect(canon.unsettled.count - before).toBe(expected === undefined ? 1 : 0);
          expect(canon(result)).toBe(result);
          if (parseUrl(u) === undefined) expect(result).toBe(u);
          else expect(parseUrl(result)).toBeDefined();
          if (result !== u && !/\p{Surrogate}/u.test(u)) {
            const bytes = new TextEncoder().encode(u);
            expect(canon.mayChange(bytes, 0, bytes.length)).toBe(true);
            // And among others, where they are looked at in place.
            const among = Buffer.concat([Buffer.from("?a"), bytes, Buffer.from("a=1;")]);
            expect(canon.mayChange(among, 2, 2 + bytes.length)).toBe(true);
          }
          const found = changedInBytes(canon, u);
          if (found.isPlain) {
            seen.plain++;
            expect(found.changed).toBe(result === u ? undefined : result);
          }
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
      { numRuns: 2000 },
    );
    expect(seen.changed).toBeGreaterThan(700);
    expect(seen.severalSteps).toBeGreaterThan(200);
    expect(seen.refused).toBeGreaterThan(20);
    expect(seen.plain).toBeGreaterThan(1000);
  });

  it("is figure 5.5 on the paper's plan", () => {
    let unlike = 0;
    fc.assert(
      fc.property(rules, url, fc.integer({ min: 1, max: 4 }), (list, u, maxRounds) => {
        const used = usedReference(list);
        const expected = canonizeReference(used, u, "paper", maxRounds);
        expect(compile(list, { plan: "paper", maxRounds })(u)).toBe(expected);
        if (expected !== canonizeReference(used, u, "ours", maxRounds)) unlike++;
      }),
      { numRuns: 2000 },
    );
    expect(unlike).toBeGreaterThan(20);
  });

  it("repeats a shrinking rule: fifty slashes do not outlast ten rounds", () => {
    const canon = compile(rulesOf({ from: "//", to: "/" }));
    expect(canon(`/a${"/".repeat(50)}b`)).toBe("/a/b");
    expect(canon.unsettled.count).toBe(0);
  });
  it("takes no square of a hostile URL's length", () => {
    const kinds: RuleWords[] = [
      { kind: "repeatedParameter", keep: "last" },
      { kind: "parameterOrder" },
      { kind: "parameter", name: "p1", action: "remove" },
    ];
    const many = Array.from({ length: 100_000 }, (_, i) => `p${i}=${i}`);
    const canon = compile(rulesOf(...kinds));
    const sorted = many.filter((p) => p !== "p1=1").sort((a, b) => (a.split("=")[0]! < b.split("=")[0]! ? -1 : 1));
    expect(canon(`/?${many.join("&")}`)).toBe(`/?${sorted.join("&")}`);
  });
  it("returns, counts and keeps a few of the URLs that find no rest", () => {
    // What one step makes is not a match by itself, only next to its neighbours: that cannot be seen when compiling.
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
    const slashes = `/a${"/".repeat(5000)}b`;
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
    const long = "/a".repeat(3000);
    const many = Array.from({ length: 5000 }, (_, i) => ({ from: `/x${i}/`, to: `/y${i % 7}/` }));
    const canon = compile(rulesOf({ from: long, to: "/b" }, ...many));
    expect(canon(`http://h${long}/x4999/`)).toBe("http://h/b/y1/");
  });
  it("refuses rules that make no sense", () => {
    expect(() => compile(rulesOf({ from: "", to: "a" }))).toThrow(/"from" is empty/);
    const newer = { ...makeRule({ kind: "case" }), kind: "pattern" } as unknown as Rule;
    expect(() => compile([newer])).toThrow(/"kind" is "pattern", which this version does not know/);
    const { scope: _, ...unscoped } = makeRule({ kind: "case" });
    expect(() => compile([unscoped as Rule])).toThrow(/"scope" is missing: expected {} for everywhere/);
    const placeless = { ...makeRule({ kind: "case" }), kind: "parameter", name: "sid", action: "remove" };
    expect(() => compile([placeless as unknown as Rule])).toThrow(/"place" is missing/);
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
    follow(new URL(import.meta.resolve("#src/canon/index.js")));
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

describe("cycles in long lists", () => {
  const link = (i: number, j: number): RuleWords => ({ from: `/a${i}/`, to: `/a${j}/` });

  it("a chain is none, in whatever order and however long", () => {
    for (const length of [30, 3000]) {
      const chain = rulesOf(...Array.from({ length }, (_, i) => link(i, i + 1)));
      expect(findCycles(chain)).toEqual([]);
      expect(rulesInUse(chain.toReversed())).toEqual({ rules: chain.toReversed(), dropped: [] });
    }
  });

  it("a ring is one, of all its rules, and loses its last", () => {
    const ring = rulesOf(...Array.from({ length: 2000 }, (_, i) => link(i, (i + 1) % 2000)));
    for (const list of [ring, ring.toReversed()]) {
      expect(findCycles(list)).toEqual([list]);
      expect(dropCycles(list)).toEqual({ rules: list.slice(0, -1), dropped: [list.at(-1)] });
      // A message that people can read, not one line for each of two thousand rules.
      expect(() => compile(list)).toThrow(/^these rules undo each other[\s\S]{0,1000}$/);
    }
  });

  it("rules where each cycle hides the next lose what closes them", () => {
    const tangle = rulesOf(...Array.from({ length: 60 }, (_, i) => [link(0, i + 1), link(i + 1, 0)]).flat());
    const { rules: kept, dropped } = dropCycles(tangle);
    expect(kept.length + dropped.length).toBe(tangle.length);
    expect(kept.length).toBeGreaterThan(0);
    compile(kept);
  });

  it("rules after rules that are not there go, however many are in a row", () => {
    const row: Rule[] = [];
    for (let i = 0; i < 20_000; i++) row.push(makeRule({ ...link(i, -1 - i), after: [row.at(-1)?.id ?? "r-none"] }));
    expect(rulesInUse([...row, makeRule(link(7, 8))]).rules).toHaveLength(1);
  });

  it("are what never comes to rest, and nothing else", () => {
    const token = fc.constantFrom("a", "b", "c", "a.b", "b.a", "c.a.c", "");
    const lists = fc.uniqueArray(fc.record({ from: fc.constantFrom("a", "b", "c", "a.b", "b.c"), to: token }), {
      minLength: 2,
      maxLength: 4,
      selector: ({ from, to }) => `${from} ${to}`,
    });
    const seen = { cycles: 0, none: 0 };
    fc.assert(
      fc.property(lists, (words) => {
        const list = rulesOf(...words.filter(({ from, to }) => from !== to));
        const isCyclic = findCycles(list).length > 0;
        seen[isCyclic ? "cycles" : "none"]++;
        expect(list.some((rule) => "to" in rule && !comesToRest(list, rule.to))).toBe(isCyclic);
      }),
      { numRuns: 2000 },
    );
    expect(Math.min(seen.cycles, seen.none)).toBeGreaterThan(100);
  });

  /** Rewrites a text from the middle of a URL, rule after rule, for far more rounds than rules that end need. */
  function comesToRest(list: readonly Rule[], start: string): boolean {
    let text = start;
    for (let round = 0; round < 200 && text.length < 5000; round++) {
      let isChanged = false;
      for (const rule of list as (Rule & SubstringAction)[]) {
        for (let left = 200; left > 0; left--) {
          const next = applySubstring(rule, text, "ours", false, false);
          if (next === undefined) break;
          text = next;
          isChanged = true;
          if (compareByTokens(rule.from, rule.to) <= 0) break;
        }
      }
      if (!isChanged) return true;
    }
    return false;
  }
});

it("rules in use need no rule that is not there, and compile as they are", () => {
  const first = makeRule({ from: "a", to: "b" });
  const orphan = makeRule({ from: "c", to: "d", after: [makeRule({ from: "x", to: "y" }).id] });
  const back = makeRule({ from: "b", to: "a" });
  const behindBack = makeRule({ from: "e", to: "f", after: [back.id] });
  // `back` undoes `first` and goes; what was proven after it goes with it.
  const { rules, dropped } = rulesInUse([first, orphan, back, behindBack]);
  expect(rules).toEqual([first]);
  expect(dropped).toEqual([back]);
  expect(compile(rules)("http://h/a")).toBe("http://h/b");
});
