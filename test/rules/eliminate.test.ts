import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JobContext } from "#src/model.js";
import { detectLikelyPairs } from "#src/rules/detect.js";
import { eliminateRedundancies } from "#src/rules/eliminate.js";
import { likelySimilar } from "#src/rules/likely-similar.js";
import { refines } from "#src/rules/refine.js";
import * as oracle from "./oracle/dustbuster.js";
import { listArbitrary, optionsArbitrary, shape } from "./oracle/lists.js";

const context: JobContext = { onProgress: () => undefined, signal: new AbortController().signal };

const eliminationArbitrary = fc.record({
  maxRelativeDeficiency: fc.constantFrom(0, 0.05, 0.3, 1),
  maxAbsoluteDeficiency: fc.nat(2),
  maxWindow: fc.constantFrom(1, 2, 5, 20, 1100),
});

describe("eliminateRedundancies", () => {
  it("equals figure 2 on random lists, order included", async () => {
    let survivors = 0;
    let eliminated = 0;
    await fc.assert(
      fc.asyncProperty(
        listArbitrary,
        optionsArbitrary,
        eliminationArbitrary,
        async ({ texts, list }, options, limits) => {
          const candidates = oracle.detectLikelyRules(texts, options, likelySimilar(list, options));
          fc.pre(candidates.length < 500);
          const expected = oracle.eliminateRedundancies(candidates, limits).map(shape);
          const table = await detectLikelyPairs(list, { ...options, threads: 1 }, context);
          survivors += expected.length;
          eliminated += candidates.length - expected.length;
          expect(eliminateRedundancies(table, limits)).toEqual(expected);
        },
      ),
      { numRuns: Number(process.env.RUNS ?? 300) },
    );
    expect(survivors).toBeGreaterThan(500);
    expect(eliminated).toBeGreaterThan(500);
  });
});

describe("refines", () => {
  it("equals lemma 5.3 on random pairs", () => {
    let found = 0;
    fc.assert(
      fc.property(listArbitrary, optionsArbitrary, ({ texts }, options) => {
        const candidates = oracle.detectLikelyRules(texts, { ...options, minSupport: 1 }, () => 1).slice(0, 60);
        for (const a of candidates) {
          for (const b of candidates) {
            const expected = oracle.refinesLiterally(a, b);
            if (expected && a !== b) found++;
            expect(refines(shape(a), shape(b))).toBe(expected);
          }
        }
      }),
      { numRuns: Number(process.env.RUNS ?? 60) },
    );
    expect(found).toBeGreaterThan(500);
  });
});
