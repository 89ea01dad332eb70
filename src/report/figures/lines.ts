import * as Plot from "@observablehq/plot";
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
  const few = lines.every(({ points }) => points.length <= 15);
  return draw({
    title,
    description,
    height: 264 + keyHeight(lines),
    marginLeft: 44,
    marginRight: 16,
    marginBottom: 40 + keyHeight(lines),
    marginTop: 24,
    x: {
      label: axes.x,
      labelArrow: "none",
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
        ...(few ? [Plot.dot(points, { x: "x", y: "y", symbol: seriesSymbol(i), stroke: seriesColor(i), r: 3.2 })] : []),
      ]),
      ...key(lines.map(({ name }) => name)),
    ],
  });
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
  const most = (pick: (point: { x: number; y: number }) => number) =>
    10 ** Math.ceil(Math.log10(Math.max(10, ...points.map(pick))));
  return draw({
    title,
    description,
    height: 290 + keyHeight(series),
    marginLeft: 52,
    marginRight: 16,
    marginBottom: 40 + keyHeight(series),
    marginTop: 24,
    x: {
      type: "log",
      domain: [1, most(({ x }) => x)],
      label: axes.x,
      labelArrow: "none",
      tickFormat: powerTick,
      grid: true,
    },
    y: {
      type: "log",
      domain: [0.8, most(({ y }) => y)],
      label: axes.y,
      labelArrow: "none",
      tickFormat: powerTick,
      grid: true,
    },
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

/** Only the powers of ten are written. */
function powerTick(value: number): string {
  const power = Math.log10(value);
  return Math.abs(power - Math.round(power)) < 1e-9 && value >= 1 ? value.toLocaleString("en-US") : "";
}

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
    dy: 54 + keyRowHeight * Math.floor(i / keyColumns),
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
