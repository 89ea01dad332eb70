import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ContainInput, estimateContainment, findContained, patternOf } from "#src/pages/contains.js";
import { toTheEnd } from "#src/progress.js";
import { commonFeatures, sketchText } from "#src/sketch/sketch.js";

const FEATURES = 84;

function inputOf(texts: readonly string[]): ContainInput {
  const features = new BigUint64Array(texts.length * FEATURES);
  for (const [i, text] of texts.entries()) features.set(sketchText(text)!.features, i * FEATURES);
  return { count: texts.length, features, words: Uint32Array.from(texts, (text) => text.split(" ").length) };
}

/** This many words, of which no two texts have five in a row in common. */
const text = (name: string, count: number) => Array.from({ length: count }, (_, i) => `${name}${i}`).join(" ");

describe("containment", () => {
  it("is estimated from features and sizes", () => {
    expect(estimateContainment(84, 100, 100)).toBe(1);
    expect(estimateContainment(0, 100, 300)).toBe(0);
    // A third of the union, all of the smaller: 28 of 84 features.
    expect(estimateContainment(28, 100, 300)).toBeCloseTo(1);
    let sum = 0;
    for (let i = 0; i < 40; i++) {
      const [part, rest] = [text(`p${i}x`, 120), text(`q${i}x`, 360)];
      const common = commonFeatures(sketchText(part)!, sketchText(`${rest} ${part}`)!);
      sum += estimateContainment(common, 120, 480) / 40;
    }
    expect(sum).toBeGreaterThan(0.8);
    expect(sum).toBeLessThanOrEqual(1);
  });

  it("is found for parts of a whole, and neither for near-duplicates nor for what has little in common", () => {
    const parts = [text("a", 150), text("b", 150), text("c", 150)];
    const all = parts.join(" ");
    const texts = [...parts, all, `${all} more`, text("d", 150), `${text("a", 30)} ${text("e", 150)}`];
    const { pairs } = toTheEnd(findContained(inputOf(texts), 0.7, false));
    const found = pairs.map(({ part, whole }) => `${part} in ${whole}`);
    expect(found.filter((pair) => pair.endsWith("in 3")).sort()).toEqual(["0 in 3", "1 in 3", "2 in 3"]);
    expect(found.some((pair) => /^[3-6] in/.test(pair))).toBe(false);
  });

  it("equals a comparison of all pairs", () => {
    let some = 0;
    fc.assert(
      fc.property(
        fc.array(fc.subarray(["u", "v", "w", "x", "y", "z"], { minLength: 1 }), { minLength: 2, maxLength: 9 }),
        fc.constantFrom(0.5, 0.9),
        (pieces, share) => {
          const texts = [...new Set(pieces.map((names) => names.map((name) => text(name, 40)).join(" ")))];
          const input = inputOf(texts);
          const expected: string[] = [];
          for (const [part] of texts.entries()) {
            for (const [whole] of texts.entries()) {
              if (input.words[part]! > 0.9 * input.words[whole]!) continue;
              const common = commonFeatures(sketchText(texts[part]!)!, sketchText(texts[whole]!)!);
              const isPart =
                common >= 2 && estimateContainment(common, input.words[part]!, input.words[whole]!) >= share;
              if (isPart) expected.push(`${part} ${whole}`);
            }
          }
          const { pairs } = toTheEnd(findContained(input, share, false));
          const found = pairs.map(({ part, whole }) => `${part} ${whole}`);
          // At most five wholes are kept for a part.
          expect(expected).toEqual(expect.arrayContaining(found));
          if (texts.length <= 6) expect(found.sort()).toEqual(expected.sort());
          if (found.length > 0) some++;
        },
      ),
      { numRuns: 60 },
    );
    expect(some).toBeGreaterThan(20);
  });
});

it.each([
  ["http://f.test/t/7?page=2", "http://f.test/t/7?page=all", "?page={n}", "?page=all"],
  ["http://f.test/t/7?page=12&s=1", "http://f.test/t/7?page=all&s=1", "?page={n}", "?page=all"],
  ["http://f.test/print/7", "http://f.test/story/7", "/print", "/story"],
  ["http://f.test/t/7", "http://f.test/t/7/comments", "/{n}", "/{n}/comments"],
])("the pattern of %s and %s", (part, whole, a, b) => {
  expect(patternOf(part, whole)).toEqual({ part: a, whole: b });
});
