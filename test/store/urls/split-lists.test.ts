import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { StringColumn } from "#src/model.js";
import { toStrings } from "#src/store/columns.js";
import { pickUrls, splitUrls } from "#src/store/urls/split-lists.js";

function columnOf(strings: readonly string[]): StringColumn {
  const parts = strings.map((text) => Buffer.from(text));
  const offsets = new Uint32Array(strings.length + 1);
  parts.forEach((part, i) => {
    offsets[i + 1] = offsets[i]! + part.length;
  });
  return { count: strings.length, bytes: Buffer.concat(parts), offsets };
}

const urls = (n: number) => columnOf(Array.from({ length: n }, (_, i) => `http://a.test/${i}`));

describe("three lists", () => {
  it("are disjoint and together everything, however they are divided", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.integer({ min: 0, max: 50 }), fc.constant(Number.NaN)), { maxLength: 60 }),
        fc.constantFrom("auto" as const, "random" as const),
        fc.integer(),
        (times, split, seed) => {
          const lists = splitUrls(urls(times.length), Float64Array.from(times), split, seed);
          const all = [...lists.detect, ...lists.validate, ...lists.canonize];
          expect(all.sort((a, b) => a - b)).toEqual(times.map((_, i) => i));
        },
      ),
    );
  });

  it("by time begin one after the other", () => {
    const times = Float64Array.from([50, 10, Number.NaN, 20, 40, 30, 60, 70]);
    const lists = splitUrls(urls(8), times, "time", 1);
    expect([...lists.detect].map((i) => times[i])).toEqual([10, 20, 40, 30]);
    expect([...lists.validate].map((i) => times[i])).toEqual([50, 60]);
    expect([...lists.canonize].map((i) => times[i])).toEqual([Number.NaN, 70]);
    expect(() => splitUrls(urls(2), new Float64Array(2).fill(Number.NaN), "time", 1)).toThrow("--split random");
  });

  it("at random have their shares, and follow the seed", () => {
    const lists = splitUrls(urls(4000), new Float64Array(4000).fill(Number.NaN), "auto", 1);
    expect(lists.by).toBe("random");
    expect(lists.detect.length).toBeGreaterThan(1850);
    expect(lists.detect.length).toBeLessThan(2150);
    expect(splitUrls(urls(4000), new Float64Array(4000), "random", 1).detect).toEqual(lists.detect);
    expect(splitUrls(urls(4000), new Float64Array(4000), "random", 2).detect).not.toEqual(lists.detect);
  });
});

it("rows are picked with their sizes and sketches", () => {
  const list = {
    urls: columnOf(["a", "bb", "ccc"]),
    sizes: {
      rows: Uint32Array.from([0, 2, 2, 3]),
      source: Uint32Array.from([0, 1, 1]),
      minBytes: Float64Array.from([1, 2, 3]),
      maxBytes: Float64Array.from([4, 5, 6]),
    },
    sketches: {
      rows: Uint32Array.from([0, 1, 1, 3]),
      timeMs: Float64Array.from([Number.NaN, 10, 20]),
      kind: Uint8Array.from([1, 2, 1]),
      values: BigUint64Array.from({ length: 12 }, (_, i) => BigInt(i)),
    },
  };
  const picked = pickUrls(list, Uint32Array.from([2, 0]));
  expect(toStrings(picked.urls)).toEqual(["ccc", "a"]);
  expect(picked.sizes).toEqual({
    rows: Uint32Array.from([0, 1, 3]),
    source: Uint32Array.from([1, 0, 1]),
    minBytes: Float64Array.from([3, 1, 2]),
    maxBytes: Float64Array.from([6, 4, 5]),
  });
  expect(picked.sketches).toEqual({
    rows: Uint32Array.from([0, 2, 3]),
    timeMs: Float64Array.from([10, 20, Number.NaN]),
    kind: Uint8Array.from([2, 1, 1]),
    values: BigUint64Array.from([4n, 5n, 6n, 7n, 8n, 9n, 10n, 11n, 0n, 1n, 2n, 3n]),
  });
});
