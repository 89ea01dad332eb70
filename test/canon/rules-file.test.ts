import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergeRules } from "#src/canon/file/merge-rules.js";
import { parseRulesFile } from "#src/canon/file/rules-file.js";
import { formatRulesFile } from "#src/canon/file/write-rules-file.js";
import { compile } from "#src/canon/index.js";
import { DataError } from "#src/errors.js";
import type { Rule } from "#src/model.js";
import { makeRule, type RuleWords } from "./make-rule.js";

const evidence = {
  positive: 95,
  negative: 1,
  similarity: "shingles-4/4",
  redirected: 3,
  canonicalised: 2,
  canonicalConflicts: 1,
  examples: [{ from: "http://a/1", to: "http://a/2" }],
  counterExamples: [{ from: "http://a/3", to: "http://a/4", why: "404" }],
  checkedAt: "2026-01-02T03:04:05Z",
};

const everything = [
  makeRule({
    from: ".co.il/story_",
    to: ".co.il/story?id=",
    scope: { host: "*.co.il", path: "/" },
    status: "valid",
    decision: "accepted",
    site: "co.il",
    support: 512,
    confirmed: 480,
    merges: 500,
    example: { from: "http://a.co.il/story_1", to: "http://a.co.il/story?id=1" },
    evidence,
    opposite: { status: "undecided", positive: 0, negative: 0 },
    note: 'seen with "quotes" and é',
  }),
  makeRule({ kind: "parameter", name: "sid", action: "remove", status: "likely" }),
  makeRule({
    kind: "parameter",
    name: "view",
    action: "set",
    value: "full",
    place: "path",
    scope: { script: "x.php", parameters: { t: true } },
  }),
  makeRule({
    kind: "parameter",
    name: "page",
    action: "remove",
    scope: { path: "/a/", parameters: { lang: false, page: "1", t: true } },
  }),
  makeRule({ kind: "parameterOrder" }),
  makeRule({ kind: "repeatedParameter", keep: "last", name: "a" }),
  makeRule({ kind: "repeatedParameter", keep: "first" }),
  makeRule({ kind: "emptyParameter" }),
  makeRule({ kind: "case", source: "imported", decision: "rejected" }),
];

const fileOf = (...rules: unknown[]) => JSON.stringify({ format: "dustpan-rules", version: 1, rules });

describe("the rules file", () => {
  it("is read as it was written, for every kind and field", () => {
    const file = { settings: { S: 35, likely: "auto", sites: ["a", "b"], nested: {} }, rules: everything };
    const text = formatRulesFile(file);
    expect(parseRulesFile(text)).toEqual(file);
    expect(formatRulesFile(parseRulesFile(text))).toBe(text);
  });
  it("does so for any text in it", () => {
    const text = fc.string({ unit: "binary", maxLength: 8 });
    fc.assert(
      fc.property(text, text, text, (from, to, note) => {
        fc.pre(from !== to && from !== "");
        const file = { settings: { note }, rules: [makeRule({ from, to, note })] };
        expect(parseRulesFile(formatRulesFile(file))).toEqual(file);
      }),
    );
  });
  it("takes a few lines a rule", () => {
    expect(formatRulesFile({ settings: { MS: 3 }, rules: everything.slice(0, 2) })).toMatchInlineSnapshot(`
      "{
        "format": "dustpan-rules",
        "version": 2,
        "settings": {
          "MS": 3
        },
        "rules": [
          {
            "id": "r-122fbaf020", "kind": "substring", "from": ".co.il/story_", "to": ".co.il/story?id=", "start": false, "end": false,
            "scope": { "host": "*.co.il", "path": "/" },
            "status": "valid", "decision": "accepted", "source": "mined", "site": "co.il",
            "support": 512, "confirmed": 480, "merges": 500,
            "example": { "from": "http://a.co.il/story_1", "to": "http://a.co.il/story?id=1" },
            "evidence": {
              "positive": 95, "negative": 1, "similarity": "shingles-4/4", "checkedAt": "2026-01-02T03:04:05Z",
              "redirected": 3, "canonicalised": 2, "canonicalConflicts": 1,
              "examples": [
                { "from": "http://a/1", "to": "http://a/2" }
              ],
              "counterExamples": [
                { "from": "http://a/3", "to": "http://a/4", "why": "404" }
              ]
            },
            "opposite": { "status": "undecided", "positive": 0, "negative": 0 },
            "note": "seen with \\"quotes\\" and é"
          },
          {
            "id": "r-569dcd0d55", "kind": "parameter", "name": "sid", "place": "query", "action": "remove",
            "status": "likely", "decision": null, "source": "mined",
            "support": 0, "confirmed": 0, "merges": 0
          }
        ]
      }
      "
    `);
    expect(formatRulesFile({ settings: {}, rules: [] })).toMatchInlineSnapshot(`
      "{
        "format": "dustpan-rules",
        "version": 2,
        "settings": {},
        "rules": []
      }
      "
    `);
  });
  it("still reads the one parameter that a scope of version 1 could name, as the same rule", () => {
    const { rules } = parseRulesFile(fileOf({ kind: "case", scope: { parameter: "t" } }));
    expect(rules[0]).toMatchObject({ id: "r-d4f4d126e0", scope: { parameters: { t: true } } });
  });
  it("may be as short as people write it", () => {
    const text = fileOf(
      { kind: "parameter", name: "sid", action: "remove", decision: "accepted" },
      { kind: "substring", from: "/index.html", to: "/", end: true, decision: "accepted" },
    );
    const { rules, settings } = parseRulesFile(`\uFEFF${text}`);
    expect(settings).toEqual({});
    expect(rules[0]).toMatchObject({ source: "hand", status: "likely", place: "query", scope: {}, support: 0 });
    expect(rules[0]?.id).toBe(makeRule({ kind: "parameter", name: "sid", action: "remove" }).id);
    expect(compile(rules)("http://a/index.html")).toBe("http://a/");
  });
  it.each<[string, string, string]>([
    [" \n", "f.json", "empty: remove it, and it is made anew"],
    ["{", "f.json:1", "not JSON"],
    ['{\n"format": "dustpan-rules",\n"version" 1}', "f.json:3", "not JSON"],
    ["[]", "f.json", "[] is not an object"],
    ["{}", "f.json", '"format" is missing, expected "dustpan-rules"'],
    ['{"format":"x"}', "f.json: format", '"x" is not "dustpan-rules"'],
    [
      '{"format":"dustpan-rules","version":3,"rules":[]}',
      "f.json: version",
      "3 is newer than this dustpan, which reads up to 2",
    ],
    ['{"format":"dustpan-rules","version":1}', "f.json", '"rules" is missing, expected a list'],
    ['{"format":"dustpan-rules","version":1,"rules":[],"rule":[]}', "f.json", 'unknown field "rule"'],
    [fileOf(5), "f.json: rules[0]", "5 is not an object"],
    [fileOf({ kind: "pattern" }), "f.json: rules[0].kind", '"pattern" is not one of "substring", "parameter"'],
    [fileOf({ kind: "substring", from: "a" }), "f.json: rules[0]", '"to" is missing, expected a string'],
    [fileOf({ kind: "substring", form: "a", from: "b", to: "c" }), "f.json: rules[0]", 'unknown field "form"'],
    [
      fileOf({ kind: "substring", from: "a", to: "b", start: "yes" }),
      "f.json: rules[0].start",
      '"yes" is not true or false',
    ],
    [fileOf({ kind: "substring", from: "", to: "b" }), "f.json: rules[0].from", "is empty"],
    [fileOf({ kind: "case", scope: { path: "a" } }), "f.json: rules[0].scope.path", 'does not begin with "/"'],
    [fileOf({ kind: "case", scope: { host: "http://a/" } }), "f.json: rules[0].scope.host", "is not a host"],
    [fileOf({ kind: "case", scope: { port: 80 } }), "f.json: rules[0].scope", 'unknown field "port"'],
    [
      fileOf({ kind: "case", scope: { parameters: { t: 1 } } }),
      "f.json: rules[0].scope.parameters.t",
      "is neither true (it is there), false (it is not) nor the value that it has",
    ],
    [
      fileOf({ kind: "case", scope: { parameters: { "a=b": true } } }),
      "f.json: rules[0].scope.parameters.a=b",
      "contains one of =&;#",
    ],
    [fileOf({ kind: "case", support: -1 }), "f.json: rules[0].support", "-1 is not a whole number"],
    [fileOf({ kind: "case", decision: "yes" }), "f.json: rules[0].decision", 'not one of "accepted", "rejected", null'],
    [
      fileOf({ kind: "case", evidence: { ...evidence, lowerBound: 2 } }),
      "f.json: rules[0].evidence.lowerBound",
      "2 is not a number between 0 and 1",
    ],
    [
      fileOf({ kind: "case", evidence: { ...evidence, examples: ["x"] } }),
      "f.json: rules[0].evidence.examples[0]",
      '"x" is not an object',
    ],
    [fileOf({ kind: "parameter", name: "a=b", action: "remove" }), "f.json: rules[0].name", "no parameter's name"],
    [
      fileOf({ kind: "parameter", name: "a", action: "set", value: "x;y" }),
      "f.json: rules[0].value",
      "would end the value",
    ],
    [
      fileOf({ kind: "case", id: "r-123456" }),
      "f.json: rules[0].id",
      '"r-123456" does not belong to what the rule says',
    ],
    [
      fileOf({ kind: "case" }, { kind: "parameterOrder" }, { kind: "case" }),
      "f.json: rules[2]",
      "is the same rule as rules[0]",
    ],
  ])("says what is wrong with %s", (text, place, message) => {
    try {
      parseRulesFile(text, "f.json");
    } catch (error) {
      expect(error).toBeInstanceOf(DataError);
      expect((error as DataError).place).toBe(place);
      expect((error as DataError).message).toContain(message);
      return;
    }
    expect.unreachable();
  });
});

describe("mergeRules", () => {
  const rule = (from: string, words: RuleWords = {}) =>
    makeRule({ from, to: "z", status: "likely", site: "s", ...words });
  const names = (rules: readonly Rule[]) => rules.map((r) => (r.kind === "substring" ? r.from : r.kind)).join("");
  const site = new Set(["s"]);

  it("keeps people's rules first, then the new ranking, then what is worth keeping", () => {
    const existing = [
      rule("a"),
      rule("b", { source: "hand" }),
      rule("c", { decision: "rejected" }),
      rule("d", { status: "refuted", evidence }),
      rule("e"),
      rule("f", { source: "imported" }),
      rule("g", { site: "other" }),
      rule("h", { note: "watch this" }),
    ];
    const merged = mergeRules(existing, [rule("n"), rule("e"), rule("b")], site);
    expect(names(merged)).toBe("bfnecdgh");
  });
  it("keeps decisions, verdicts, notes and evidence, and takes new numbers", () => {
    const old = rule("a", {
      decision: "accepted",
      status: "valid",
      evidence,
      note: "mine",
      source: "hand",
      support: 3,
    });
    expect(mergeRules([old], [rule("a", { support: 9 })], site)).toEqual([{ ...old, support: 9 }]);
  });
  it("takes a new verdict with its evidence, and keeps the decision", () => {
    const old = rule("a", { decision: "rejected", status: "valid", evidence });
    const newer = rule("a", { status: "refuted", evidence: { ...evidence, negative: 50 } });
    expect(mergeRules([old], [newer], site)).toEqual([{ ...newer, decision: "rejected" }]);
  });
  it("has each rule once", () => {
    expect(mergeRules([], [rule("a", { support: 5 }), rule("a", { site: "t" })], site)).toEqual([
      rule("a", { support: 5 }),
    ]);
  });
  it("changes nothing where nothing is new", () => {
    expect(mergeRules(everything, [], new Set())).toEqual([everything.at(-1), ...everything.slice(0, -1)]);
  });
});
