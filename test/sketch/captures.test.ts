import fc from "fast-check";
import { expect, test } from "vitest";
import { areComparable, type CaptureTimes, nearestCaptures } from "#src/sketch/captures.js";

const times = fc
  .array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 8 })
  .map((all) => Float64Array.from(all).sort());
const all = (timeMs: Float64Array): CaptureTimes => ({ timeMs, from: 0, to: timeMs.length });

test("the nearest captures are the nearest of all pairs, whichever comes first", () => {
  fc.assert(
    fc.property(times, times, (a, b) => {
      const gaps = [...a].flatMap((first) => [...b].map((second) => Math.abs(first - second)));
      const [i, j] = nearestCaptures(all(a), all(b));
      expect(Math.abs(a[i]! - b[j]!)).toBe(Math.min(...gaps));
      const [q, p] = nearestCaptures(all(b), all(a));
      expect(Math.abs(a[p]! - b[q]!)).toBe(Math.min(...gaps));
    }),
  );
});

test("of several that are equally near the latest, and of those without a time the first", () => {
  expect(nearestCaptures(all(Float64Array.of(1, 5, 9)), all(Float64Array.of(2, 10)))).toEqual([2, 1]);
  const untimed = all(Float64Array.of(Number.NaN, Number.NaN, 7));
  expect(nearestCaptures(untimed, all(Float64Array.of(1, 2)))).toEqual([0, 1]);
  expect(nearestCaptures(all(Float64Array.of(1, 2)), untimed)).toEqual([1, 0]);
  expect(nearestCaptures(untimed, untimed)).toEqual([0, 0]);
});

test("a difference counts within a week, and where a time is unknown", () => {
  const week = 7 * 86_400_000;
  expect(areComparable(0, week)).toBe(true);
  expect(areComparable(week + 1, 0)).toBe(false);
  expect(areComparable(Number.NaN, 0)).toBe(true);
});
