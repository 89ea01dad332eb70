/** How time and memory of mining grow with the list, as a figure: `growth(results)` gives an SVG. */
import { draw, FIGURE_WIDTH, line, seriesColor, seriesDash, symbols, text } from "#src/report/figures/draw.js";

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
  const all = lines.flatMap(({ points }) => points);
  const frame = { left: 48, right: FIGURE_WIDTH - 170, top: 16, bottom: 280 };
  const x = logarithmic(
    all.map(([urls]) => urls),
    frame.left,
    frame.right,
  );
  const y = logarithmic(
    all.map(([, value]) => value),
    frame.bottom,
    frame.top,
  );
  const grid = { stroke: "currentColor", "stroke-opacity": 0.1 };
  return draw({
    title: "Time and memory of mining",
    description: lines
      .map(({ name, points }) => `${name}: ${points.map(([urls, value]) => `${urls}: ${value}`).join(", ")}`)
      .join("; "),
    height: 320,
    marks: [
      ...x.ticks.flatMap((tick) => [
        line(
          [
            [x.at(tick), frame.top],
            [x.at(tick), frame.bottom],
          ],
          grid,
        ),
        text(x.at(tick), frame.bottom + 14, tick.toLocaleString("en-US")),
      ]),
      ...y.ticks.flatMap((tick) => [
        line(
          [
            [frame.left, y.at(tick)],
            [frame.right, y.at(tick)],
          ],
          grid,
        ),
        text(frame.left - 8, y.at(tick), String(tick), { "text-anchor": "end" }),
      ]),
      text(frame.left, frame.bottom + 31, "unique URLs", { "text-anchor": "start" }),
      ...lines.flatMap(({ name, i, points }) => {
        const places = points.map(([urls, value]) => [x.at(urls), y.at(value)]);
        const [endX, endY] = places.at(-1);
        return [
          line(places, { stroke: seriesColor(i), "stroke-width": 1.5, "stroke-dasharray": seriesDash(i) }),
          symbols(i, places, 3),
          text(endX + 8, endY, name, { "text-anchor": "start" }),
        ];
      }),
    ],
  });
}

/** From the power of ten below all values to the one above. */
function logarithmic(values, from, to) {
  const first = Math.floor(Math.log10(Math.min(...values)));
  const last = Math.max(first + 1, Math.ceil(Math.log10(Math.max(...values))));
  return {
    ticks: Array.from({ length: last - first + 1 }, (_, i) => Number((10 ** (first + i)).toPrecision(3))),
    at: (value) => from + ((Math.log10(value) - first) / (last - first)) * (to - from),
  };
}
