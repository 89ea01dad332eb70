/** How time and memory of mining grow with the list, as a figure: `growth(results)` gives an SVG. */
import * as Plot from "@observablehq/plot";
import { draw, seriesColor, seriesDash } from "#src/report/figures/draw.js";

const SERIES = [
  { name: "seconds, sizes known", likely: "auto", of: ({ ms }) => ms / 1000 },
  { name: "seconds, nothing known", likely: "none", of: ({ ms }) => ms / 1000 },
  { name: "GB, sizes known", likely: "auto", of: ({ peakMb }) => peakMb / 1000 },
];

export function growth(results) {
  const lines = SERIES.map(({ name, likely, of }, i) => {
    const points = results.filter((result) => result.likely === likely).map((result) => [result.count, of(result)]);
    return { name, i, points };
  });
  return draw({
    title: "Time and memory of mining",
    description: lines
      .map(({ name, points }) => `${name}: ${points.map(([x, y]) => `${x}: ${y}`).join(", ")}`)
      .join("; "),
    height: 320,
    marginLeft: 48,
    marginRight: 170,
    x: { type: "log", label: "unique URLs", labelAnchor: "left", grid: true, ticks: 4 },
    y: { type: "log", label: null, grid: true, tickFormat: (value) => String(value) },
    marks: lines.flatMap(({ name, i, points }) => [
      Plot.line(points, { stroke: seriesColor(i), strokeDasharray: seriesDash(i) }),
      Plot.dot(points, { fill: seriesColor(i), r: 3 }),
      Plot.text([points.at(-1)], { text: () => name, dx: 8, textAnchor: "start", fill: "currentColor" }),
    ]),
  });
}
