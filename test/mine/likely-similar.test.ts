import { describe, expect, test } from "vitest";
import { type LikelyMode, likelySimilar, sizeGap } from "#src/mine/likely-similar.js";
import { CONFIRMED, UNKNOWN, UNLIKELY } from "#src/mine/likeness.js";
import type { UrlList } from "#src/model.js";

interface Row {
  readonly sizes?: readonly (readonly [source: number, min: number, max: number])[];
  readonly sketch?: Sketch;
  /** Several captures, oldest first. */
  readonly captures?: readonly (readonly [timeMs: number, sketch: Sketch])[];
}
type Sketch = readonly [kind: number, a: bigint, b: bigint, c: bigint, d: bigint];

function list(...rows: readonly Row[]): UrlList {
  const sizes = rows.flatMap((row) => row.sizes ?? []);
  const capturesOf = ({ sketch, captures = [] }: Row) =>
    sketch === undefined ? captures : [[Number.NaN, sketch] as const, ...captures];
  const captures = rows.flatMap(capturesOf);
  let seen = 0;
  let captured = 0;
  return {
    urls: { count: rows.length, bytes: new Uint8Array(), offsets: new Uint32Array(rows.length + 1) },
    sizes: {
      rows: Uint32Array.from([0, ...rows.map((row) => (seen += row.sizes?.length ?? 0))]),
      source: Uint32Array.from(sizes, (size) => size[0]),
      minBytes: Float64Array.from(sizes, (size) => size[1]),
      maxBytes: Float64Array.from(sizes, (size) => size[2]),
    },
    sketches: {
      rows: Uint32Array.from([0, ...rows.map((row) => (captured += capturesOf(row).length))]),
      timeMs: Float64Array.from(captures, ([timeMs]) => timeMs),
      kind: Uint8Array.from(captures, ([, [kind]]) => kind),
      values: BigUint64Array.from(captures.flatMap(([, [, ...values]]) => values)),
    },
  };
}

function likeness(a: Row, b: Row, likely: LikelyMode = "auto", sketchMatches = 4) {
  const test = likelySimilar(list({}, a, b), { likely, sketchMatches, plan: "ours" });
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
      sizeGap(list(a, b), { likely, sketchMatches: 4, plan: "ours" })(0, 1);
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
  test("of several captures the nearest in time are compared", () => {
    const [old, young, other] = [1n, 2n, 3n].map((value) => [1, value, value, value, value] as const) as [
      Sketch,
      Sketch,
      Sketch,
    ];
    const years: Row = {
      captures: [
        [0, old],
        [1e12, young],
      ],
    };
    expect(likeness(years, { captures: [[1000, old]] })).toBe(CONFIRMED);
    expect(likeness(years, { captures: [[1e12, young]] })).toBe(CONFIRMED);
    expect(likeness(years, { captures: [[1000, young]] })).toBe(UNLIKELY);
    // Without a time the latest counts.
    expect(likeness(years, { sketch: young })).toBe(CONFIRMED);
    expect(likeness(years, { sketch: other })).toBe(UNLIKELY);
  });
  test("what differs somewhat after more than a week may only have changed; sizes are not asked", () => {
    const day = 86_400_000;
    const at = (timeMs: number, sketch: Sketch, bytes: number): Row => ({
      captures: [[timeMs, sketch]],
      sizes: [[0, bytes, bytes]],
    });
    const first = at(0, [1, 1n, 2n, 3n, 4n], 5);
    expect(likeness(first, at(7 * day, [1, 1n, 2n, 5n, 6n], 5))).toBe(UNLIKELY);
    expect(likeness(first, at(8 * day, [1, 1n, 2n, 5n, 6n], 9))).toBe(UNKNOWN);
    expect(likeness(first, at(8 * day, [1, 1n, 5n, 6n, 7n], 5))).toBe(UNLIKELY);
    expect(likeness(first, at(800 * day, [1, 1n, 2n, 3n, 4n], 9))).toBe(CONFIRMED);
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
    expect(likelySimilar({ urls }, { likely, sketchMatches: 4, plan: "ours" })(0, 1)).toBe(UNKNOWN);
  }
});
