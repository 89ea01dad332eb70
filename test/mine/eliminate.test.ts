import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { refines } from "#src/canon/refine-pairs.js";
import { detectDefaults, detectLikelyPairs } from "#src/mine/detect.js";
import { eliminateDefaults, eliminateRedundancies } from "#src/mine/eliminate.js";
import { likelySimilar } from "#src/mine/likely-similar.js";
import type { JobContext } from "#src/model.js";
import * as oracle from "./oracle/dustbuster.js";
import { listArbitrary, optionsArbitrary, shape, stringColumn } from "./oracle/lists.js";

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
          const table = await detectLikelyPairs(list, { ...detectDefaults, ...options }, context);
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

  it("keeps the full context of story?id= and story_ (2007, section 5.2)", async () => {
    const texts = [1, 2, 3, 4, 5, 6].flatMap((n) => [
      `${"abc"[n % 3]}.co.il/story?id=${n}`,
      `${"abc"[n % 3]}.co.il/story_${n}`,
    ]);
    const table = await detectLikelyPairs({ urls: stringColumn(texts) }, { ...detectDefaults, minSupport: 6 }, context);
    expect(table.count).toBe(7);
    const [best, ...others] = eliminateRedundancies(table, eliminateDefaults);
    expect(best).toMatchObject({ alpha: ".co.il/story?id=", beta: ".co.il/story_", supportLow: 6 });
    expect(others).toEqual([]);
  });
});

describe("refines (lemma 5.3)", () => {
  const pair = (alpha: string, beta: string, start = false, end = false) => ({ alpha, beta, start, end });

  it("equals the lemma on random pairs", () => {
    let found = 0;
    fc.assert(
      fc.property(listArbitrary, optionsArbitrary, ({ texts }, options) => {
        const candidates = oracle.detectLikelyRules(texts, { ...options, minSupport: 1 }, () => 1).slice(0, 60);
        for (const a of candidates) {
          for (const b of candidates) {
            const expected = oracle.refinesLiterally(a, b);
            if (expected && a !== b) found++;
            if (refines(shape(a), shape(b)) !== expected) throw new Error(JSON.stringify([a, b, expected]));
          }
        }
      }),
      { numRuns: 60 },
    );
    expect(found).toBeGreaterThan(500);
  });

  it("tries every occurrence", () => {
    expect(refines(pair("a/a/b", "a/b"), pair("a/b", "b"))).toBe(true);
    expect(refines(pair("x.a.x.b", "x.a.y.b"), pair("x", "y"))).toBe(true);
  });

  it("respects tokens and anchors", () => {
    expect(refines(pair("pic12", "pic22"), pair("1", "2"))).toBe(false);
    expect(refines(pair("a/", "/", true), pair("a", "", true))).toBe(true);
    expect(refines(pair("/a", "/", true), pair("a", "", true))).toBe(false);
    expect(refines(pair("a", ""), pair("a", "", true))).toBe(false);
    expect(refines(pair("a", "", false, true), pair("a", ""))).toBe(true);
  });
});
