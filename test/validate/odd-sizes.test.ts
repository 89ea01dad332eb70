import { describe, expect, it } from "vitest";
import type { SizeRanges } from "#src/model.js";
import { oddOnes, sizesOf, targetSizes } from "#src/validate/odd-sizes.js";

const translated = (name: string) => ({ from: `http://a.test/pt/${name}`, to: `http://a.test/en/${name}` });

describe("URLs whose sizes do not go together", () => {
  it("are those that differ otherwise than most, the oddest first", () => {
    // Each page says its own URL twice, so that all differ by a few bytes.
    const sizes = new Map<string, number>();
    const pairs = Array.from({ length: 20 }, (_, i) => translated(`page${i}`));
    for (const [i, { from, to }] of pairs.entries()) {
      sizes.set(to, 10_000 + 100 * i);
      sizes.set(from, 10_000 + 100 * i + 4 + (i === 7 ? 900 : 0) + (i === 9 ? 3000 : 0));
    }
    const sizeOf = (url: string) => sizes.get(url);
    expect(oddOnes(pairs, sizeOf, targetSizes(pairs, sizeOf))).toEqual([pairs[9], pairs[7]]);
  });

  it("are recognised by another URL with the same target where the target was not seen", () => {
    const [first, second] = [
      { from: "http://a.test/x.html?s=1", to: "http://a.test/x" },
      { from: "http://a.test/x.html?s=2", to: "http://a.test/x" },
    ];
    const same = Array.from({ length: 9 }, (_, i) => ({ from: `http://a.test/${i}.html`, to: `http://a.test/${i}` }));
    const sizeOf = (url: string) => (url === second.from ? 9000 : 5000);
    const pairs = [first, second, ...same];
    const known = (url: string) => (url.includes(".html") ? sizeOf(url) : undefined);
    expect(oddOnes(pairs, known, targetSizes(pairs, known))).toEqual([second]);
  });

  it("have sizes of one source only, and none that varies", () => {
    const sizes: SizeRanges = {
      rows: Uint32Array.from([0, 2, 3, 4]),
      source: Uint32Array.from([0, 1, 0, 0]),
      minBytes: Float64Array.from([10, 99, 20, 30]),
      maxBytes: Float64Array.from([10, 99, 25, 30]),
    };
    const sizeOf = sizesOf(["a", "b", "c"], sizes);
    expect(["a", "b", "c", "d"].map(sizeOf)).toEqual([10, undefined, 30, undefined]);
  });
});
