import fc from "fast-check";
import { expect, test } from "vitest";
import { Mining } from "#src/mine/parameters/mining.js";
import { mineParameterRules } from "#src/mine/parameters.js";
import { toTheEnd } from "#src/progress.js";
import { oracle } from "./oracle-parameters.js";
import { dustyUrl, type Known, listOf } from "./parameters-lists.js";

/** Few sizes and sketches, so that some agree and some do not. */
const known: fc.Arbitrary<Known> = fc.record(
  {
    url: dustyUrl,
    size: fc.oneof(
      fc.constantFrom(100, 100, 101, 103, 200, 203),
      fc.constant([50, 150] as const),
      fc.constant([95, 101] as const),
    ),
    sketch: fc.constantFrom([1, 2, 3, 4] as const, [1, 2, 3, 5] as const, [6, 7, 8, 9] as const),
  },
  { requiredKeys: ["url"] },
);
const sized = fc.record({ url: dustyUrl, size: fc.constantFrom(100, 102, 200) });

/** Sizes that depend on the path, now and then on something else: rules come out scoped. */
const bySite = fc
  .tuple(
    fc.uniqueArray(dustyUrl, { minLength: 20, maxLength: 60 }),
    fc.array(fc.nat(12), { minLength: 60, maxLength: 60 }),
  )
  .map(([urls, noise]): Known[] =>
    urls.map((url, i) => {
      const path = url.replace(/[?;#].*/, "");
      const size = 1000 * (1 + path.length) + (path.endsWith("y") ? url.length : 0) * 40 + (noise[i] === 0 ? 777 : 0);
      return noise[i] === 1 ? { url } : { url, size: size + (noise[i]! % 3) };
    }),
  );

/** Few pieces: the same parameters come in several orders, repeated and empty. */
const shuffled: fc.Arbitrary<Known> = fc.record(
  {
    url: fc
      .tuple(
        fc.constantFrom("/x", "/X", "/x/y", "/x/Y", "/x/z"),
        fc.shuffledSubarray(["a=1", "b=2", "b=2", "b=3", "a=", "b="], { minLength: 1, maxLength: 3 }),
      )
      .map(([path, pieces]) => `http://a.test${path}?${pieces.join("&")}`),
    size: fc.constantFrom(100, 100, 100, 300),
  },
  { requiredKeys: ["url"] },
);

/** A parameter that matters on one host only. */
const byHost = fc.uniqueArray(
  fc.tuple(fc.constantFrom("http://a.test", "http://b.test:80"), fc.constantFrom("/x", "/y"), fc.nat(9), fc.nat(20)),
  { selector: ([origin, path, s]) => `${origin}${path}${s}`, minLength: 20, maxLength: 40 },
);
const onHosts = fc.tuple(byHost, fc.constantFrom("?", ";")).map(([rows, separator]): Known[] =>
  rows.map(([origin, path, s, noise]) => ({
    url: `${origin}${path}${separator}s=${s}`,
    size: origin === "http://a.test" && noise > 0 ? 500 : 500 + 50 * s,
  })),
);

const list = fc.oneof(
  onHosts,
  fc.uniqueArray(shuffled, { selector: ({ url }) => url, minLength: 20, maxLength: 50 }),
  fc.uniqueArray(known, { selector: ({ url }) => url, minLength: 10, maxLength: 50 }),
  fc.uniqueArray(sized, { selector: ({ url }) => url, minLength: 10, maxLength: 50 }),
  bySite,
);

const options = fc.record({
  minSupport: fc.constantFrom(1, 2, 3),
  likely: fc.constantFrom("auto" as const, "auto" as const, "size" as const, "sketch" as const, "none" as const),
  sketchMatches: fc.constantFrom(4, 3),
  plan: fc.constantFrom("ours" as const, "ours" as const, "paper" as const),
});

test("the miner is the oracle", () => {
  const found = new Map<string, number>();
  fc.assert(
    fc.property(list, options, (known, options) => {
      const expected = oracle(listOf(known), options);
      for (const rule of expected) {
        const kind = rule.kind === "parameter" ? `${rule.action} ${rule.place}` : rule.kind;
        found.set(kind, (found.get(kind) ?? 0) + 1);
        for (const field of Object.keys(rule.scope)) found.set(field, (found.get(field) ?? 0) + 1);
      }
      expect(toTheEnd(mineParameterRules(new Mining(listOf(known), options)))).toEqual(expected);
    }),
    { numRuns: 800 },
  );
  const kinds = ["parameterOrder", "repeatedParameter", "emptyParameter", "case", "host", "path", "script"];
  for (const kind of ["remove query", "set query", "remove path", "set path", ...kinds]) {
    expect(found.get(kind), kind).toBeGreaterThan(5);
  }
});
