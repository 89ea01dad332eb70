import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { apart, niceTicks } from "#src/report/figures/lines.js";
import { drawRatios } from "#src/report/figures/ratios.js";
import { drawFigures, type FigureName, figures } from "#src/report/figures.js";
import { sampleFigures } from "./sample-figures.js";

const names = Object.keys(figures) as FigureName[];

describe("figures", () => {
  it("draws no ratio where there is none: lines are broken, what stands alone is a symbol", () => {
    const points = [3, 4, 5, 40, 60, 61].map((x) => ({ x, y: 1 + x / 100 }));
    const drawn = (some: typeof points) =>
      drawRatios("title", "told", [{ name: "one", points: some }], { x: "x", y: "y" });
    const lines = (svg: string) => svg.match(/stroke-width="1.5"/g)?.length ?? 0;
    const whole = [3, 4, 5, 6].map((x) => ({ x, y: 1 }));
    expect(lines(drawn(points)) - lines(drawn(whole))).toBe(1);
  });

  it("has every figure that the report promises", () => {
    expect([...names].sort()).toEqual(Object.keys(sampleFigures).sort());
    expect(names).toHaveLength(22);
  });

  it.each(names)("%s is an image with a name, a description and a table, and nothing of the data is markup", (name) => {
    const [figure] = drawFigures({ [name]: sampleFigures[name] });
    const { svg, sentence, table } = figure!;
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" class="dustpan-figure" role="img"/);
    expect(svg).toMatch(/<title>[^<]{5,}<\/title><desc>[^<]{10,}<\/desc>/);
    expect(svg).not.toMatch(/aria-label|<script|NaN|undefined|Infinity/);
    expect(svg).not.toContain("\n");
    expect(sentence).toMatch(/^[A-Z0-9"].*\.$/);
    expect(table.rows.length).toBeGreaterThan(0);
    for (const row of table.rows) expect(row).toHaveLength(table.columns.length);
  });

  it("calls nobody the stablest where all change alike, and shows noise alone last", () => {
    const told = (shares: readonly number[][]) => {
      const classes = ["1", "2-10"].map((sizes, at) => ({ sizes, downloads: 100, shares: shares[at]! }));
      return figures["change-by-cluster-size"].sentence({ changes: [], classes });
    };
    const changed = (complete: number, large: number) => [complete, large, 0, 0, 0, 1 - complete - large];
    expect(told([changed(0.2, 0), changed(0, 0.2)])).toMatch(/^Pages in clusters of every size change alike: 80%/);
    expect(told([changed(0.2, 0), changed(0.1, 0)])).toMatch(/^Pages in clusters of 2-10 change least: 90%/);
    // A size with hardly any download is no news either.
    const shares = [
      [0, 0, 1],
      [0.6, 0.4, 0],
    ];
    const few = {
      sizes: ["1", "2-10", "11-100"],
      downloads: [20, 100],
      shares,
      relative: [
        [0, 0, 2],
        [2, 2, 0],
      ],
    };
    expect(figures["size-by-change-normalized"].sentence(few)).not.toContain("11-100");
    const weightOf = (isNoise: boolean) =>
      figures["collections-scatter"].weight([{ copies: 2, pages: 1, clusters: 1, isNoise }]);
    expect(weightOf(true)).toBeLessThan(weightOf(false));
  });

  it("draws only what there is data for, what matters most first", () => {
    expect(drawFigures({})).toEqual([]);
    const drawn = drawFigures({
      "precision-at-k": sampleFigures["precision-at-k"],
      "cluster-sizes": sampleFigures["cluster-sizes"],
    });
    expect(drawn.map(({ name }) => name)).toEqual(["cluster-sizes", "precision-at-k"]);
  });

  it("names both hosts of a pair, whole where there is room", () => {
    const [pair] = sampleFigures["mirrored-pairs"];
    expect(figures["mirrored-pairs"].render([pair!])).toContain("docs.test = mirror.test");
    const long = { ...pair!, a: "amd64.guide.test", b: "ppc64el.guide.test" };
    expect(figures["mirrored-pairs"].render([long])).toContain("amd64 = ppc64el .guide.test");
  });

  it("says of two hosts how much of each the other has", () => {
    const [pair] = sampleFigures["mirrored-pairs"];
    expect(figures["mirrored-pairs"].sentence([pair!])).toContain(
      '120 of 130 pages of "docs.test" and 118 of 240 of "mirror.test" are on both hosts',
    );
    expect(figures["mirrored-pairs"].render([pair!])).toContain("120 of 130, 118 of 240");
  });

  it("does not grow with the number of sizes", () => {
    const distribution = Array.from({ length: 100_000 }, (_, i) => ({ size: i + 2, count: 1 + (i % 3) }));
    const series = [{ snapshot: "one", level: "similar", distribution, share: 0.5 }];
    expect(figures["cluster-sizes"].render(series).length).toBeLessThan(60_000);
  });
});

describe("names on an axis", () => {
  it("do not touch, and the last one is there", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1, maxLength: 14 }), { minLength: 1, maxLength: 60 }), (labels) => {
        const scale = (value: number) => 44 + (value * 400) / Math.max(1, labels.length - 1);
        const kept = apart(
          labels.map((label, value) => ({ label, value })),
          scale,
        );
        expect(kept.at(-1)).toEqual({ label: labels.at(-1), value: labels.length - 1 });
        kept.slice(1).forEach((tick, i) => {
          const half = (text: string) => (7 * text.length) / 2;
          const before = kept[i]!;
          expect(scale(before.value) + half(before.label)).toBeLessThan(scale(tick.value) - half(tick.label));
        });
      }),
    );
  });
});

describe("round numbers on an axis", () => {
  it.each([
    [0, 1, 5, [0, 0.2, 0.4, 0.6, 0.8, 1]],
    [70, 100, 5, [70, 75, 80, 85, 90, 95, 100]],
    [1, 200, 5, [50, 100, 150, 200]],
    [3, 3, 5, [3]],
  ])("from %d to %d, about %d", (first, last, about, ticks) => {
    expect(niceTicks(first, last, about)).toEqual(ticks);
  });

  it("are within it, evenly spaced, and about as many as asked for", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1000 }), fc.integer({ min: 1, max: 100_000 }), (first, length) => {
        const ticks = niceTicks(first, first + length, 5);
        expect(ticks.length).toBeGreaterThanOrEqual(2);
        expect(ticks.length).toBeLessThanOrEqual(9);
        expect(ticks[0]).toBeGreaterThanOrEqual(first);
        expect(ticks.at(-1)).toBeLessThanOrEqual(first + length);
      }),
    );
  });
});
