import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { paperVerdict, sequentialVerdict } from "#src/validate/verdict.js";

/** Straight positives until the rule is valid. */
function straightPositives(urls: number): number | undefined {
  for (let positive = 0; positive <= urls; positive++) {
    if (sequentialVerdict({ positive, negative: 0 }, urls) === "valid") return positive;
  }
  return undefined;
}

const choose = (n: number, k: number): bigint => {
  let result = 1n;
  for (let i = 0; i < k; i++) result = (result * BigInt(n - i)) / BigInt(i + 1);
  return k > n ? 0n : result;
};

describe("straight positives", () => {
  it("are 31 where there are many URLs, as in Wald's test", () => {
    expect(straightPositives(1_000_000)).toBe(31);
  });

  it("are as many as make one negative in a hundred 19 times as likely as one in ten", () => {
    fc.assert(
      fc.property(fc.integer({ min: 5, max: 400 }), (urls) => {
        const [good, bad] = [Math.floor(urls / 100), Math.ceil(urls / 10)];
        // Of all ways to draw n of the URLs, those without a negative; the number of all ways is the same on both sides.
        const isEnough = (n: number) => 19n * choose(urls - bad, n) <= choose(urls - good, n);
        let expected = 5;
        while (!isEnough(expected)) expected++;
        expect(Math.min(expected, 31)).toBe(straightPositives(urls));
      }),
    );
  });

  it("are at least five", () => {
    for (let urls = 0; urls < 5; urls++) expect(straightPositives(urls)).toBeUndefined();
    expect(straightPositives(5)).toBe(5);
  });
});

it("one negative takes 56 positives, two early ones refute", () => {
  expect(sequentialVerdict({ positive: 55, negative: 1 }, 10_000)).toBeUndefined();
  expect(sequentialVerdict({ positive: 56, negative: 1 }, 10_000)).toBe("valid");
  expect(sequentialVerdict({ positive: 0, negative: 2 }, 10_000)).toBe("refuted");
});

it("the paper's bounds are whole numbers where they are so, however they are computed", () => {
  // 0.07 * 100 is a little more than 7 to a computer, and (1 - 0.07) * 100 a little less than 93.
  expect(paperVerdict({ positive: 0, negative: 7 }, 100, 0.07)).toBe("refuted");
  expect(paperVerdict({ positive: 0, negative: 6 }, 100, 0.07)).toBeUndefined();
  expect(paperVerdict({ positive: 93, negative: 6 }, 100, 0.07)).toBe("valid");
  expect(paperVerdict({ positive: 92, negative: 6 }, 100, 0.07)).toBeUndefined();
});
