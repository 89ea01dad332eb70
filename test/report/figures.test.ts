import { describe, expect, it } from "vitest";
import { drawFigures, type FigureName, figures } from "#src/report/figures.js";
import { sampleFigures } from "./sample-figures.js";

const names = Object.keys(figures) as FigureName[];

describe("figures", () => {
  it("has every figure that the report promises", () => {
    expect([...names].sort()).toEqual(Object.keys(sampleFigures).sort());
    expect(names).toHaveLength(16);
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

  it("draws only what there is data for, what matters most first", () => {
    expect(drawFigures({})).toEqual([]);
    const drawn = drawFigures({
      "precision-at-k": sampleFigures["precision-at-k"],
      "cluster-sizes": sampleFigures["cluster-sizes"],
    });
    expect(drawn.map(({ name }) => name)).toEqual(["cluster-sizes", "precision-at-k"]);
  });

  it("does not grow with the number of sizes", () => {
    const distribution = Array.from({ length: 100_000 }, (_, i) => ({ size: i + 2, count: 1 + (i % 3) }));
    const series = [{ snapshot: "one", level: "similar", distribution, share: 0.5 }];
    expect(figures["cluster-sizes"].render(series).length).toBeLessThan(60_000);
  });
});
