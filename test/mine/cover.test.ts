import { expect, test } from "vitest";
import { contentClasses } from "#src/mine/content-classes.js";
import { withoutCovered } from "#src/mine/cover.js";
import type { Rule } from "#src/model.js";
import { makeRule } from "../canon/make-rule.js";
import { listOf } from "./parameters-lists.js";

const languages = ["de", "en", "es", "fr", "ja"];
const swap = (from: string, to: string): Rule =>
  makeRule({ kind: "substring", from: `/${from}/`, to: `/${to}/`, start: false, end: false });

test("of the pairs of languages, as many are kept as it takes to make one of all", () => {
  const known = Array.from({ length: 4 }, (_, page) =>
    languages.map((language) => ({ url: `http://a.test/${language}/page${page}`, size: 1000 + page })),
  ).flat();
  const pairs = languages.flatMap((from, i) => languages.slice(i + 1).map((to) => swap(from, to)));
  const classes = contentClasses(listOf(known), "auto")!;
  const candidates = pairs.map((rule) => ({ rule, isOptional: true, isCovering: true }));
  expect(withoutCovered(candidates, classes, 3)).toHaveLength(languages.length - 1);
  // What is uncertain covers nothing, and what must stay does.
  expect(
    withoutCovered(
      candidates.map((c) => ({ ...c, isCovering: false })),
      classes,
      3,
    ),
  ).toHaveLength(pairs.length);
  expect(
    withoutCovered(
      candidates.map((c) => ({ ...c, isOptional: false })),
      classes,
      3,
    ),
  ).toHaveLength(pairs.length);
  expect(withoutCovered(candidates, classes, 5)).toEqual([]);
});
