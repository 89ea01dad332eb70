import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JobContext } from "#src/model.js";
import { detectLikelyPairs, readPair } from "#src/rules/detect.js";
import { likelySimilar } from "#src/rules/likely-similar.js";
import { detectLikelyRules } from "./oracle/dustbuster.js";
import { listArbitrary, optionsArbitrary, shape } from "./oracle/lists.js";

const context: JobContext = { onProgress: () => undefined, signal: new AbortController().signal };

const sortedJson = (pairs: readonly unknown[]) =>
  pairs.map((pair) => JSON.stringify(pair, Object.keys(pair as object).sort())).sort();

describe("detectLikelyPairs", () => {
  it("equals figure 1 on random lists", async () => {
    let found = 0;
    await fc.assert(
      fc.asyncProperty(listArbitrary, optionsArbitrary, async ({ texts, list }, options) => {
        const expected = detectLikelyRules(texts, options, likelySimilar(list, options)).map(shape);
        const table = await detectLikelyPairs(list, { ...options, threads: 1 }, context);
        const actual = Array.from({ length: table.count }, (_, i) => readPair(table, i));
        found += expected.length;
        expect(sortedJson(actual)).toEqual(sortedJson(expected));
      }),
      { numRuns: Number(process.env.RUNS ?? 300) },
    );
    expect(found).toBeGreaterThan(1000);
  });
});
