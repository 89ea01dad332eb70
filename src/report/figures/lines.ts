import * as Plot from "@observablehq/plot";
import { count } from "../../numbers.js";
import { draw, seriesColor, seriesDash, seriesSymbol } from "./draw.js";

export interface Line {
  readonly name: string;
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

interface Axes {
  readonly x: string;
  readonly y: string;
  /** Names of x = 0, 1, ...; numbers where absent. */
  readonly ticks?: readonly string[];
}

/** Shares over something, one line a series; dash and symbol tell them apart, the key names them. */
export function drawShares(title: string, description: string, lines: readonly Line[], axes: Axes): string {
  const least = Math.min(...lines.flatMap(({ points }) => points.map(({ y }) => y)));
  // Where all is close to 1, what happens there must still be seen; the axis says where it begins.
  const from = least >= 0.6 ? Math.floor(least * 10 - 0.001) / 10 : 0;
  return draw({
    title,
    description,
    height: 264 + keyHeight(lines),
    marginLeft: 44,
    marginRight: 12 + 3 * (axes.ticks?.at(-1)?.length ?? 1),
    marginBottom: 40 + keyHeight(lines),
    marginTop: 24,
    x: {
      label: axes.x,
      labelArrow: "none",
      labelOffset,
      ...(axes.ticks !== undefined && {
        ticks: axes.ticks.map((_, i) => i),
        tickFormat: (i: number) => axes.ticks![i] ?? "",
      }),
    },
    y: { domain: [Math.max(0, from), 1], label: axes.y, labelArrow: "none", tickFormat: "%", ticks: 5, grid: true },
    marks: [
      Plot.ruleY([Math.max(0, from)], { stroke: "var(--faint)", strokeWidth: 0.75 }),
      ...lines.flatMap(({ points }, i) => [
        Plot.line(points, {
          x: "x",
          y: "y",
          stroke: seriesColor(i),
          strokeWidth: 1.75,
          strokeDasharray: seriesDash(i),
        }),
        Plot.dot(marked(points, i), { x: "x", y: "y", symbol: seriesSymbol(i), stroke: seriesColor(i), r: 3.2 }),
      ]),
      ...key(lines.map(({ name }) => name)),
    ],
  });
}

/** All points where they are few, else some, not at the same places in each line: the symbol tells whose it is. */
function marked<T>(points: readonly T[], line: number): T[] {
  const step = Math.ceil(points.length / 12);
  return points.filter((_, i) => (i + line) % step === 0);
}

export interface Dots {
  readonly name: string;
  readonly points: readonly { readonly x: number; readonly y: number }[];
  /** A line through them, from its first to its last point. */
  readonly trend?: readonly { readonly x: number; readonly y: number }[];
}

/** Counts by size, both axes logarithmic: a power law is a straight line. */
export function drawLogLog(title: string, description: string, series: readonly Dots[], axes: Axes): string {
  const points = series.flatMap((dots) => dots.points);
  const powers = (pick: (point: { x: number; y: number }) => number) => {
    const last = Math.ceil(Math.log10(Math.max(10, ...points.map(pick))));
    return Array.from({ length: last + 1 }, (_, power) => 10 ** power);
  };
  const axis = (label: string, ticks: readonly number[], first: number) => ({
    type: "log" as const,
    domain: [first, ticks.at(-1)!],
    ticks,
    tickFormat: count,
    label,
    labelArrow: "none" as const,
    grid: true,
  });
  const counts = powers(({ y }) => y);
  return draw({
    title,
    description,
    height: 290 + keyHeight(series),
    marginLeft: 18 + 7 * count(counts.at(-1)!).length,
    marginRight: 24,
    marginBottom: 40 + keyHeight(series),
    marginTop: 24,
    x: {
      ...axis(
        axes.x,
        powers(({ x }) => x),
        1,
      ),
      labelOffset,
    },
    // A little below 1, so that the many clusters of a size of their own do not sit on the axis.
    y: axis(axes.y, counts, 0.8),
    marks: [
      ...series.flatMap((dots, i) => [
        Plot.dot(dots.points, {
          x: "x",
          y: "y",
          symbol: seriesSymbol(i),
          stroke: seriesColor(i),
          r: 2.6,
          strokeOpacity: 0.85,
        }),
        ...(dots.trend === undefined
          ? []
          : [
              Plot.line(dots.trend, {
                x: "x",
                y: "y",
                stroke: seriesColor(i),
                strokeWidth: 1.25,
                strokeDasharray: "5 3",
                clip: true,
              }),
            ]),
      ]),
      ...key(series.map(({ name }) => name)),
    ],
  });
}

/** Pixels from the axis to its name; the key is below. */
const labelOffset = 34;

const keyColumns = 2;
const keyRowHeight = 18;

function keyHeight(series: readonly { readonly name: string }[]): number {
  return series.length < 2 ? 0 : 8 + keyRowHeight * Math.ceil(series.length / keyColumns);
}

/** Below the axis: a piece of each line with its symbol and its name. */
function key(names: readonly string[]): Plot.Markish[] {
  if (names.length < 2) return [];
  const place = (i: number) => ({
    frameAnchor: "bottom-left" as const,
    dx: (i % keyColumns) * 220,
    dy: 52 + keyRowHeight * Math.floor(i / keyColumns),
  });
  return names.flatMap((name, i) => [
    Plot.dot([0], { ...place(i), symbol: seriesSymbol(i), stroke: seriesColor(i), r: 3.4 }),
    Plot.text([name], {
      ...place(i),
      dx: (i % keyColumns) * 220 + 12,
      textAnchor: "start" as const,
      fill: "var(--faint)",
    }),
  ]);
}
