import { describe, expect, test } from "vitest";
import type { UrlList } from "#src/model.js";
import { CONFIRMED, type LikelyMode, likelySimilar, sizeGap, UNKNOWN, UNLIKELY } from "#src/rules/likely-similar.js";

interface Row {
  readonly sizes?: readonly (readonly [source: number, min: number, max: number])[];
  readonly sketch?: readonly [kind: number, a: bigint, b: bigint, c: bigint, d: bigint];
}

function list(...rows: readonly Row[]): UrlList {
  const sizes = rows.flatMap((row) => row.sizes ?? []);
  let seen = 0;
  return {
    urls: { count: rows.length, bytes: new Uint8Array(), offsets: new Uint32Array(rows.length + 1) },
    sizes: {
      rows: Uint32Array.from([0, ...rows.map((row) => (seen += row.sizes?.length ?? 0))]),
      source: Uint32Array.from(sizes, (size) => size[0]),
      minBytes: Float64Array.from(sizes, (size) => size[1]),
      maxBytes: Float64Array.from(sizes, (size) => size[2]),
    },
    sketches: {
      kind: Uint8Array.from(rows, (row) => row.sketch?.[0] ?? 0),
      values: BigUint64Array.from(
        rows.flatMap((row) => (row.sketch?.slice(1) as bigint[] | undefined) ?? [0n, 0n, 0n, 0n]),
      ),
    },
  };
}

function likeness(a: Row, b: Row, likely: LikelyMode = "auto", sketchMatches = 4) {
  const test = likelySimilar(list({}, a, b), { likely, sketchMatches });
  expect(test(1, 2)).toBe(test(2, 1));
  return test(1, 2);
}

describe("sizes", () => {
  test("the size example: movie-forum and politics-forum do not overlap", () => {
    expect(likeness({ sizes: [[0, 100, 200]] }, { sizes: [[0, 300, 400]] })).toBe(UNLIKELY);
  });
  test("ranges are closed: touching is overlapping", () => {
    expect(likeness({ sizes: [[0, 100, 200]] }, { sizes: [[0, 200, 400]] })).toBe(CONFIRMED);
  });
  test("ranges are compared within a source only", () => {
    expect(likeness({ sizes: [[0, 100, 200]] }, { sizes: [[1, 300, 400]] })).toBe(UNKNOWN);
    expect(
      likeness(
        {
          sizes: [
            [0, 100, 200],
            [1, 7, 7],
          ],
        },
        { sizes: [[1, 7, 9]] },
      ),
    ).toBe(CONFIRMED);
  });
  test("one source that disagrees tells them apart", () => {
    expect(
      likeness(
        {
          sizes: [
            [0, 1, 1],
            [1, 7, 7],
          ],
        },
        {
          sizes: [
            [1, 7, 9],
            [0, 2, 2],
          ],
        },
      ),
    ).toBe(UNLIKELY);
  });
  test("a wide range overlaps much and confirms nothing", () => {
    expect(likeness({ sizes: [[0, 0, 38_000]] }, { sizes: [[0, 9000, 9000]] })).toBe(UNKNOWN);
    expect(likeness({ sizes: [[0, 0, 38_000]] }, { sizes: [[0, 39_000, 39_000]] })).toBe(UNLIKELY);
  });
  test("the gap: in shared sources, where no sketch decides", () => {
    const gap = (a: Row, b: Row, likely: LikelyMode = "auto") =>
      sizeGap(list(a, b), { likely, sketchMatches: 4 })(0, 1);
    expect(gap({ sizes: [[0, 90, 90]] }, { sizes: [[0, 100, 110]] })).toBe(0.1);
    expect(gap({ sizes: [[0, 90, 100]] }, { sizes: [[0, 100, 110]] })).toBe(0);
    expect(gap({ sizes: [[0, 0, 0]] }, { sizes: [[0, 0, 0]] })).toBe(0);
    expect(gap({ sizes: [[0, 90, 90]] }, { sizes: [[1, 90, 90]] })).toBe(-1);
    expect(gap({ sizes: [[0, 90, 90]] }, { sizes: [[0, 100, 110]] }, "sketch")).toBe(-1);
    const sketch = [1, 1n, 2n, 3n, 4n] as const;
    expect(gap({ sizes: [[0, 90, 90]], sketch }, { sizes: [[0, 100, 110]], sketch })).toBe(-1);
  });
  test("unknown on one side is unknown", () => {
    expect(likeness({ sizes: [[0, 100, 200]] }, {})).toBe(UNKNOWN);
  });
});

describe("sketches", () => {
  const page: Row = { sketch: [1, 1n << 40n, 2n, 3n, 4n], sizes: [[0, 5, 5]] };
  test("by position, all 64 bits, at least k equal", () => {
    expect(likeness(page, { sketch: [1, 1n << 40n, 2n, 3n, 4n] })).toBe(CONFIRMED);
    expect(likeness(page, { sketch: [1, 1n << 41n, 2n, 3n, 4n] })).toBe(UNLIKELY);
    expect(likeness(page, { sketch: [1, 2n, 1n << 40n, 3n, 4n] }, "auto", 3)).toBe(UNLIKELY);
    expect(likeness(page, { sketch: [1, 2n, 1n << 40n, 3n, 4n] }, "auto", 2)).toBe(CONFIRMED);
  });
  test("kinds that differ say nothing, and leave it to the sizes", () => {
    expect(likeness(page, { sketch: [2, 9n, 9n, 9n, 9n] })).toBe(UNKNOWN);
    expect(likeness(page, { sketch: [2, 9n, 9n, 9n, 9n], sizes: [[0, 6, 6]] })).toBe(UNLIKELY);
    expect(likeness({ sizes: [[0, 5, 5]] }, { sizes: [[0, 5, 5]] })).toBe(CONFIRMED);
  });
  test("sketches go before sizes", () => {
    expect(likeness(page, { ...page, sizes: [[0, 6, 6]] })).toBe(CONFIRMED);
  });
});

describe("modes", () => {
  const a: Row = { sketch: [1, 1n, 2n, 3n, 4n], sizes: [[0, 5, 5]] };
  const b: Row = { sketch: [1, 5n, 6n, 7n, 8n], sizes: [[0, 5, 5]] };
  test.each([
    ["auto", UNLIKELY],
    ["sketch", UNLIKELY],
    ["size", CONFIRMED],
    ["none", UNKNOWN],
  ] as const)("%s", (mode, expected) => {
    expect(likeness(a, b, mode)).toBe(expected);
  });
  test("sketch alone does not look at sizes", () => {
    expect(likeness({ sizes: [[0, 5, 5]] }, { sizes: [[0, 6, 6]] }, "sketch")).toBe(UNKNOWN);
  });
});

test("a list that knows nothing", () => {
  const { urls } = list({}, {});
  for (const likely of ["auto", "size", "sketch", "none"] as const) {
    expect(likelySimilar({ urls }, { likely, sketchMatches: 4 })(0, 1)).toBe(UNKNOWN);
  }
});
