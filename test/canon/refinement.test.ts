import { describe, expect, it } from "vitest";
import { isRefinement } from "#src/canon/refinement.js";
import type { Rule } from "#src/model.js";
import { makeRule } from "./make-rule.js";

const story = makeRule({ from: "story?id=", to: "story_" });
const removal = makeRule({ kind: "parameter", name: "sid", action: "remove" });
const within = (rule: Rule, scope: Rule["scope"]): Rule => ({ ...rule, scope });
const shop = { host: "a.test", path: "/shop/" };

describe("a rule refines", () => {
  it.each<[string, Rule, Rule]>([
    ["a shorter pair", makeRule({ from: "/story?id=", to: "/story_" }), story],
    ["a shorter pair written the other way round", makeRule({ from: "/story_", to: "/story?id=" }), story],
    ["the same pair in a wider scope", within(story, shop), story],
    ["the same removal in a wider scope", within(removal, shop), within(removal, { host: "a.test" })],
    ["removing what it sets", makeRule({ kind: "parameter", name: "sid", action: "set", value: "1" }), removal],
    [
      "the same about all parameters",
      makeRule({ kind: "emptyParameter", name: "q" }),
      makeRule({ kind: "emptyParameter" }),
    ],
    ["the same kind in a wider scope", within(makeRule({ kind: "case" }), shop), makeRule({ kind: "case" })],
  ])("%s, and is not refined by it", (_, rule, broader) => {
    expect(isRefinement(rule, broader)).toBe(true);
    expect(isRefinement(broader, rule)).toBe(false);
  });

  it.each<[string, Rule, Rule]>([
    ["itself", story, story],
    ["itself turned round", story, makeRule({ from: "story_", to: "story?id=" })],
    ["another parameter's removal", makeRule({ kind: "parameter", name: "x", action: "set", value: "1" }), removal],
    [
      "what sets another value in a wider scope",
      within(makeRule({ kind: "parameter", name: "v", action: "set", value: "1" }), shop),
      makeRule({ kind: "parameter", name: "v", action: "set", value: "2" }),
    ],
    [
      "a shorter pair elsewhere",
      within(makeRule({ from: "/story?id=", to: "/story_" }), shop),
      within(story, { host: "b.test" }),
    ],
    ["a rule of another kind", makeRule({ kind: "parameterOrder" }), makeRule({ kind: "case" })],
  ])("never %s", (_, rule, other) => {
    expect(isRefinement(rule, other)).toBe(false);
    expect(isRefinement(other, rule)).toBe(false);
  });
});
