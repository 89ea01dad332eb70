import { describe, expect, test } from "vitest";
import { describeRule } from "#src/canon/describe.js";
import { parseRulesFile } from "#src/canon/file/rules-file.js";
import {
  actionProblem,
  actionWords,
  contentOf,
  formOf,
  isInstance,
  maskAction,
  plainAction,
  precedenceOf,
  reverse,
  ruleKinds,
  titleOf,
  triggerOf,
} from "#src/canon/kinds.js";
import { isRefinement } from "#src/canon/refinement.js";
import { textOf } from "#src/canon/words.js";
import type { Rule, RuleAction } from "#src/model.js";
import { makeRule } from "./make-rule.js";

/** One action of each kind: a kind without one here fails the first test. */
const samples: Readonly<Record<RuleAction["kind"], RuleAction>> = {
  substring: { kind: "substring", from: "/story_", to: "/story?id=", start: false, end: false },
  parameter: { kind: "parameter", name: "sid", place: "query", action: "remove" },
  parameterOrder: { kind: "parameterOrder" },
  repeatedParameter: { kind: "repeatedParameter", name: "a", keep: "first" },
  emptyParameter: { kind: "emptyParameter", name: "a" },
  case: { kind: "case" },
  percentEncoding: { kind: "percentEncoding" },
  repeatedSlash: { kind: "repeatedSlash" },
  trailingSlash: { kind: "trailingSlash", action: "drop" },
  indexPage: { kind: "indexPage", name: "index.html" },
  extension: { kind: "extension", extension: ".html", action: "drop" },
  www: { kind: "www", action: "drop" },
  scheme: { kind: "scheme", scheme: "https" },
  template: { kind: "template", from: "/print.pl?sid={id:segment}", to: "/{id:segment}.shtml" },
};

describe("every kind of rules", () => {
  test.each(ruleKinds)("%s has all that is asked of a kind", (kind) => {
    const action = samples[kind];
    expect(actionProblem(action)).toBeUndefined();
    expect(textOf(actionWords(action))).not.toBe("");
    expect(titleOf(kind)).not.toBe("");
    expect(precedenceOf(action)).toBeGreaterThan(0);
    expect(isInstance(action, action)).toBe(true);
    expect(contentOf(action)[0]).toBe(kind);
    expect(plainAction(Object.assign({ id: "x" }, action))).toEqual(action);
    expect(maskAction(action, (text) => text)).toEqual(action);
    expect(triggerOf(action)).toBeDefined();
    const opposite = reverse(action);
    if (opposite !== undefined) expect(reverse(opposite)).toEqual(action);
    // What the form asks for is what the action has.
    const asked = formOf(kind).map(({ name }) => name);
    for (const name of Object.keys(action).filter((field) => field !== "kind")) expect(asked).toContain(name);
    const file = { format: "dustpan-rules", version: 1, rules: [action] };
    expect(plainAction(parseRulesFile(JSON.stringify(file)).rules[0]!)).toEqual(action);
  });

  test("is told in the same words everywhere", () => {
    expect(ruleKinds.map((kind) => describeRule({ ...samples[kind], scope: { host: "a.test" } }))).toEqual([
      "/story_ -> /story?id= on a.test",
      "drop ?sid on a.test",
      "sort the parameters on a.test",
      "keep the first of repeated ?a on a.test",
      "drop empty ?a on a.test",
      "write the path in lower case on a.test",
      "write marks such as %28 as they are on a.test",
      "make one slash of several in the path on a.test",
      "drop / at the end of the path on a.test",
      "drop index.html at the end of the path on a.test",
      "drop .html at the end of the path on a.test",
      "drop www. before the host on a.test",
      "http -> https on a.test",
      "/print.pl?sid={id:segment} -> /{id:segment}.shtml on a.test",
    ]);
    const anchored = { kind: "substring", from: "/", to: "", start: false, end: true } as const;
    expect(describeRule({ ...anchored, scope: {} })).toBe("/$ -> $");
    expect(describeRule({ ...anchored, end: false, scope: {} })).toBe("/ -> (nothing)");
  });
});

describe("refinement", () => {
  const drop = (scope: Rule["scope"], name = "sid") =>
    makeRule({ kind: "parameter", name, place: "query", action: "remove", scope });
  const set = (value: string, scope: Rule["scope"] = {}) =>
    makeRule({ kind: "parameter", name: "sid", place: "query", action: "set", value, scope });
  const pair = (from: string, to: string, scope: Rule["scope"] = {}) =>
    makeRule({ kind: "substring", from, to, start: false, end: false, scope });

  test.each<[string, Rule, Rule, boolean]>([
    ["the same in a narrower scope", drop({ host: "a.test" }), drop({}), true],
    ["the same in a wider scope", drop({}), drop({ host: "a.test" }), false],
    ["the same", drop({}), drop({}), false],
    ["another parameter", drop({ host: "a.test" }, "x"), drop({}), false],
    ["a value of what is dropped", set("1"), drop({}), true],
    ["another value", set("1", { host: "a.test" }), set("2"), false],
    ["a longer pair", pair("/a/b", "/a/c"), pair("/b", "/c"), true],
    ["a longer pair the other way round", pair("/a/c", "/a/b"), pair("/b", "/c"), true],
    ["the same pair in a narrower scope", pair("/b", "/c", { path: "/x" }), pair("/b", "/c"), true],
    ["the same pair", pair("/b", "/c"), pair("/b", "/c"), false],
  ])("%s", (_, rule, broader, refines) => {
    expect(isRefinement(rule, broader)).toBe(refines);
  });
});
