import { describe, expect, test } from "vitest";
import type { MinedRule } from "#src/mine/mined-rule.js";
import { Mining } from "#src/mine/parameters/mining.js";
import { mineParameterRules } from "#src/mine/parameters.js";
import { toTheEnd } from "#src/progress.js";
import { type Known, listOf } from "./parameters-lists.js";

const site = "http://a.test";
const times = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i));

/** The rules that are not substitution of a parameter, without the example. */
function mineKinds(known: readonly Known[]) {
  const options = { minSupport: 3, likely: "auto", sketchMatches: 4, plan: "paper" } as const;
  const rules = toTheEnd(mineParameterRules(new Mining(listOf(known), options)));
  return rules
    .filter((rule) => rule.kind !== "parameter")
    .map(({ example, scope, unlikely, ...rule }: MinedRule) => rule);
}

const pages = (variants: readonly string[], size: (page: number, variant: number) => number, count = 4): Known[] =>
  times(count, (p) => variants.map((variant, v) => ({ url: `${site}/p${p}${variant}`, size: size(p, v) }))).flat();
const same = (page: number) => 1000 * (page + 1);
const different = (page: number, variant: number) => 1000 * (page + 1) + 333 * variant;

test("the order of parameters does not matter, or it does", () => {
  expect(mineKinds(pages(["?a=1&b=2", "?b=2&a=1"], same))).toEqual([
    { kind: "parameterOrder", support: 4, confirmed: 4, merges: 4 },
  ]);
  expect(mineKinds(pages(["?a=1&b=2", "?b=2&a=1"], different))).toEqual([]);
});

describe("a repeated parameter", () => {
  test("with one value: the first stays", () => {
    const size = (page: number, variant: number) => same(page) + 333 * Math.max(0, variant - 1);
    expect(mineKinds(pages(["?a=1", "?a=1&a=1", "?a=5", "?a=7"], size))).toEqual([
      { kind: "repeatedParameter", name: "a", keep: "first", support: 4, confirmed: 4, merges: 4 },
    ]);
  });
  test("with two values: the page says which stays", () => {
    const size = (page: number, variant: number) => same(page) + (variant === 0 ? 444 : 0);
    expect(mineKinds(pages(["?a=1", "?a=2", "?a=1&a=2"], size))).toEqual([
      { kind: "repeatedParameter", name: "a", keep: "last", support: 4, confirmed: 4, merges: 4 },
    ]);
  });
  test("of several names: one rule for all", () => {
    const known = pages(
      ["?a=1", "?a=1&a=1", "?b=1", "?b=1&b=1"],
      (page, variant) => same(page) + (variant > 1 ? 444 : 0),
    );
    expect(mineKinds(known)).toEqual([
      { kind: "repeatedParameter", keep: "first", support: 8, confirmed: 8, merges: 8 },
    ]);
  });
  test("that is a list stays", () => {
    expect(mineKinds(pages(["?a=1", "?a=2", "?a=1&a=2"], different))).toEqual([]);
  });
});

describe("an empty parameter", () => {
  const named = (name: string) => ({ kind: "emptyParameter", name, support: 4, confirmed: 4, merges: 4 });
  // The parameter has values too, which matter: no rule removes it everywhere.
  test("of one name, which says nothing of others", () => {
    const known = pages(
      ["", "?q=", "?q=1", "?q=2", "?q=3"],
      (page, variant) => same(page) + 301 * Math.max(0, variant - 1),
    );
    expect(mineKinds(known)).toEqual([named("q")]);
  });
  test("of several names: one rule for all", () => {
    const known = pages(
      ["", "?q=", "?r=", "?q=1", "?q=2", "?r=1", "?r=2", "?q=3", "?r=3"],
      (page, variant) => same(page) + 301 * Math.max(0, variant - 2),
    );
    expect(mineKinds(known)).toEqual([{ kind: "emptyParameter", support: 8, confirmed: 8, merges: 8 }]);
  });
  test("of several names, one of which matters: rules for the others", () => {
    const known = pages(
      ["", "?q=", "?edit", "?q=1", "?q=2", "?q=3"],
      (page, variant) => same(page) + 301 * Math.max(0, variant - 1),
    );
    expect(mineKinds(known)).toEqual([named("q")]);
  });
  test("that is removed everywhere needs no rule of its own", () => {
    expect(mineKinds(pages(["", "?sid=", "?sid=1", "?sid=2"], same))).toEqual([]);
  });
});

describe("the letter case of the path", () => {
  test("does not matter", () => {
    const known = times(4, (i) => [
      { url: `${site}/docs/page${i}?Q=A`, size: same(i) },
      { url: `${site}/Docs/Page${i}?Q=A`, size: same(i) },
    ]).flat();
    expect(mineKinds(known)).toEqual([{ kind: "case", support: 4, confirmed: 4, merges: 4 }]);
  });
  test("matters", () => {
    const known = times(4, (i) => [
      { url: `${site}/wiki/page${i}`, size: different(i, 0) },
      { url: `${site}/wiki/Page${i}`, size: different(i, 1) },
    ]).flat();
    expect(mineKinds(known)).toEqual([]);
  });
});
