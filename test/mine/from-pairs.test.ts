import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pairTableOf } from "#src/mine/detect/from-pairs.js";
import { detectLikelyPairs, readPair } from "#src/mine/detect.js";
import { eliminateRedundancies } from "#src/mine/eliminate.js";
import { quietly } from "#src/model.js";
import { listArbitrary, optionsArbitrary } from "./oracle/lists.js";

describe("pairs as strings", () => {
  it("are eliminated as those that point into URLs", async () => {
    let eliminated = 0;
    const limits = fc.record({
      maxRelativeDeficiency: fc.constantFrom(0, 0.05, 0.5),
      maxAbsoluteDeficiency: fc.nat(2),
      maxWindow: fc.constantFrom(5, 50, 1100),
    });
    await fc.assert(
      fc.asyncProperty(listArbitrary, optionsArbitrary, limits, async ({ list }, options, limit) => {
        const detected = await detectLikelyPairs(list, { ...options, threads: 1 }, quietly);
        const pairs = Array.from({ length: detected.count }, (_, i) => readPair(detected, i));
        const expected = eliminateRedundancies(detected, limit);
        eliminated += detected.count - expected.length;
        // In another order: nothing may depend on it.
        expect(eliminateRedundancies(pairTableOf(pairs.reverse()), limit)).toEqual(expected);
      }),
      { numRuns: 150 },
    );
    expect(eliminated).toBeGreaterThan(100);
  });
});
