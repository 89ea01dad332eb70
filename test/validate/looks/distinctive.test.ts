import fc from "fast-check";
import { expect, it } from "vitest";
import { shinglesOf } from "#src/validate/looks/align-words.js";
import { CommonText, jaccard } from "#src/validate/looks/common-text.js";
import { Distinctive, resemble } from "#src/validate/looks/distinctive.js";

const words = fc.array(fc.constantFrom("ash", "elm", "fir", "ivy", "oak", "yew"), { maxLength: 30 });
const common = fc.array(words, { maxLength: 6 }).map((texts) => {
  const found = new CommonText();
  for (const text of texts) found.add(text.join(" "));
  return found;
});
const ownOf = (text: readonly string[], ofSite: CommonText) =>
  new Set(shinglesOf(text).filter((shingle) => !ofSite.has(shingle)));

it("two texts resemble each other as the sets of all their shingles do", () => {
  // Most pairs begin and end alike.
  const pair = fc.tuple(words, words, words, words).map(([head, a, b, tail]) => [
    [...head, ...a, ...tail],
    [...head, ...b, ...tail],
  ]);
  const least = fc.constantFrom(0.2, 0.5, 0.8, 0.95, 1);
  let alike = 0;
  fc.assert(
    fc.property(pair, common, least, ([a, b], ofSite, share) => {
      const expected = jaccard(ownOf(a!, ofSite), ownOf(b!, ofSite)) >= share;
      if (expected) alike++;
      expect(resemble(a!, b!, ofSite, share)).toBe(expected);
    }),
    { numRuns: 3000 },
  );
  expect(alike).toBeGreaterThan(300);
});

it("whether a text has so many words of its own is known before it is read to its end, and is the same", () => {
  fc.assert(
    fc.property(words, common, fc.nat(30), (text, ofSite, least) => {
      const covered = new Set<number>();
      for (const [at, shingle] of shinglesOf(text).entries()) {
        if (ofSite.has(shingle)) continue;
        for (let i = at; i < Math.min(at + 4, text.length); i++) covered.add(i);
      }
      const own = new Distinctive(text, ofSite);
      expect(own.hasWords(least)).toBe(covered.size >= least);
      expect(own.words).toBe(covered.size);
      expect(own.shingles).toEqual(ownOf(text, ofSite));
    }),
    { numRuns: 1000 },
  );
});
