import { describe, expect, it } from "vitest";
import { impliedByParameterRule } from "#src/rules/implied.js";
import { makeRule, type RuleWords } from "./make-rule.js";

const pairOf = (words: RuleWords) => {
  const rule = makeRule(words);
  if (rule.kind !== "substring") throw new Error("not a pair");
  return rule;
};

describe("impliedByParameterRule", () => {
  const sid = { kind: "parameter", name: "sid", action: "remove" };
  const path = { ...sid, name: "jsessionid", place: "path" };
  it.each<[RuleWords, RuleWords, boolean]>([
    [{ from: "&sid=1", to: "" }, sid, true],
    [{ from: "&amp;sid=1", to: "" }, sid, true],
    [{ from: "sid=1&", to: "" }, sid, true],
    [{ from: "?sid=1&", to: "?" }, sid, true],
    [{ from: "sid=1", to: "sid=2" }, sid, true],
    [{ from: "&sid=1-", to: "&sid=2-" }, sid, true],
    [{ from: "?sid=1", to: "", end: true }, sid, true],
    [{ from: "?sid=1", to: "" }, sid, false],
    [{ from: "&a=1&sid=1", to: "&a=1" }, sid, true],
    [{ from: "&a=1&sid=1", to: "&a=2&sid=1" }, sid, false],
    [{ from: "&id=1", to: "" }, sid, false],
    [{ from: "=1", to: "=2" }, sid, false],
    [{ from: "1", to: "2" }, sid, false],
    [{ from: "/a", to: "/b" }, sid, false],
    [{ from: "&sid=1", to: "" }, { ...sid, scope: { path: "/x" } }, false],
    [{ from: "&sid=1", to: "", scope: { path: "/x/y" } }, { ...sid, scope: { path: "/x" } }, true],
    [{ from: "&sid=1", to: "" }, { ...sid, action: "set", value: "0" }, false],
    [{ from: "&sid=1", to: "&sid=2" }, { ...sid, action: "set", value: "0" }, true],
    [{ from: ";jsessionid=1", to: "" }, path, true],
    [{ from: ";jsessionid=1?", to: "?" }, path, false],
    [{ from: "jsessionid=1", to: "jsessionid=2" }, path, true],
    [{ from: "&sid=1", to: "" }, path, false],
    [{ from: "&sid=1", to: "" }, { kind: "parameterOrder" }, false],
  ])("%j by %j: %s", (pair, rule, expected) => {
    expect(impliedByParameterRule(pairOf(pair), makeRule(rule))).toBe(expected);
  });
});
