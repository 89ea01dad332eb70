import { expect, it } from "vitest";
import { reduceList } from "#src/mine/reduce-list.js";
import type { UrlList } from "#src/model.js";
import { stringAt } from "#src/string-column.js";

const encode = (strings: readonly string[]) => {
  const bytes = new TextEncoder().encode(strings.join(""));
  const offsets = Uint32Array.from([0, ...strings].map((_, i) => strings.slice(0, i).join("").length));
  return { count: strings.length, bytes, offsets };
};

it("a reduced list unites what became one URL", () => {
  const list: UrlList = {
    urls: encode(["/a?s=1", "/b", "/a", "/a?s=2"]),
    sizes: {
      rows: Uint32Array.of(0, 1, 2, 4, 5),
      source: Uint32Array.of(0, 0, 1, 0, 0),
      minBytes: Float64Array.of(10, 5, 7, 12, 8),
      maxBytes: Float64Array.of(11, 5, 7, 20, 9),
    },
    sketches: {
      rows: Uint32Array.of(0, 2, 2, 3, 4),
      timeMs: Float64Array.of(Number.NaN, 30, Number.NaN, 20),
      kind: Uint8Array.of(1, 1, 2, 1),
      values: BigUint64Array.from([1, 1, 1, 1, 3, 3, 3, 3, 9, 9, 9, 9, 2, 2, 2, 2].map(BigInt)),
    },
  };
  const reduced = reduceList(list, (url) => url.replace(/\?.*/, ""));
  expect([0, 1].map((i) => stringAt(reduced.urls, i))).toEqual(["/a", "/b"]);
  expect(reduced.urls.count).toBe(2);
  expect([...reduced.sizes!.rows]).toEqual([0, 2, 3]);
  expect([...reduced.sizes!.source]).toEqual([0, 1, 0]);
  expect([...reduced.sizes!.minBytes]).toEqual([8, 7, 5]);
  expect([...reduced.sizes!.maxBytes]).toEqual([20, 7, 5]);
  expect([...reduced.sketches!.rows]).toEqual([0, 4, 4]);
  expect([...reduced.sketches!.timeMs]).toEqual([Number.NaN, Number.NaN, 20, 30]);
  expect([...reduced.sketches!.kind]).toEqual([2, 1, 1, 1]);
  expect([0, 4, 8, 12].map((at) => reduced.sketches!.values[at])).toEqual([9n, 1n, 2n, 3n]);
});
