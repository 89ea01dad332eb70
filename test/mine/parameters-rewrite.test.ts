import fc from "fast-check";
import { expect, test } from "vitest";
import { applyRule } from "#src/canon/apply.js";
import { Image, type Rewrite } from "#src/mine/parameters/buckets.js";
import {
  dropEmpty,
  keepOne,
  lowerPath,
  named,
  removeParameter,
  setParameter,
  sortParameters,
} from "#src/mine/parameters/rewrite.js";
import { UrlScanner } from "#src/mine/parameters/scan.js";
import type { RuleAction } from "#src/model.js";
import { columnOf, dustyUrl } from "./parameters-lists.js";

const encode = (text: string) => new TextEncoder().encode(text);

function rewriteOf(scanner: UrlScanner, action: RuleAction): Rewrite {
  const isNamed = (name: string) => named(scanner.bytes, [encode(name)]);
  switch (action.kind) {
    case "parameter":
      return action.action === "remove"
        ? removeParameter(scanner, action.place, isNamed(action.name))
        : setParameter(scanner, action.place, isNamed(action.name), encode(action.value));
    case "parameterOrder":
      return sortParameters(scanner);
    case "repeatedParameter":
      return keepOne(scanner, action.keep, action.name === undefined ? undefined : isNamed(action.name));
    case "emptyParameter":
      return dropEmpty(scanner, action.name === undefined ? undefined : isNamed(action.name));
    case "case":
      return lowerPath(scanner);
    default:
      throw new Error("not a rule about parameters");
  }
}

const name = fc.constantFrom("a", "b", "s", "é", "amp", "amp;a", "t");
const action: fc.Arbitrary<RuleAction> = fc.oneof(
  fc.record({
    kind: fc.constant("parameter" as const),
    name,
    place: fc.constantFrom("query" as const, "path" as const),
    action: fc.constant("remove" as const),
  }),
  fc.record({
    kind: fc.constant("parameter" as const),
    name,
    place: fc.constantFrom("query" as const, "path" as const),
    action: fc.constant("set" as const),
    value: fc.constantFrom("", "1", "2", "é", "100"),
  }),
  fc.constant<RuleAction>({ kind: "parameterOrder" }),
  fc.record({
    kind: fc.constant("repeatedParameter" as const),
    keep: fc.constantFrom("first" as const, "last" as const),
  }),
  fc.record({
    kind: fc.constant("repeatedParameter" as const),
    name,
    keep: fc.constantFrom("first" as const, "last" as const),
  }),
  fc.constant<RuleAction>({ kind: "emptyParameter" }),
  fc.record({ kind: fc.constant("emptyParameter" as const), name }),
  fc.constant<RuleAction>({ kind: "case" }),
);

test("rewriting bytes is applying the rule", () => {
  const changed = new Map<string, number>();
  fc.assert(
    fc.property(fc.array(dustyUrl, { maxLength: 8 }), action, (urls, action) => {
      const rewrite = rewriteOf(new UrlScanner(columnOf(urls)), action);
      const image = new Image();
      const actual = urls.map((_, i) => {
        image.length = 0;
        return rewrite(i, image) ? new TextDecoder().decode(image.bytes.subarray(0, image.length)) : undefined;
      });
      const expected = urls.map((url) => applyRule({ ...action, scope: {} }, url));
      expect(actual).toEqual(expected);
      if (expected.some((url) => url !== undefined)) changed.set(action.kind, (changed.get(action.kind) ?? 0) + 1);
    }),
    {
      numRuns: 3000,
      examples: [
        [["/?a&a", "/?a=1&amp;a#a", "/?a&&a"], { kind: "parameter", name: "a", place: "query", action: "remove" }],
      ],
    },
  );
  expect([...changed.values()].every((count) => count > 100)).toBe(true);
  expect(changed.size).toBe(5);
});

test("letters of percent-encoded bytes keep their case", () => {
  const urls = ["/A%3AB%3a%%4CZ%4G", "/%A", "/%"];
  const rewrite = lowerPath(new UrlScanner(columnOf(urls)));
  const image = new Image();
  expect(rewrite(0, image)).toBe(true);
  expect(new TextDecoder().decode(image.bytes.subarray(0, image.length))).toBe(
    applyRule({ kind: "case", scope: {} }, urls[0]!),
  );
});
