/** Figures with two axes: shares over something, and counts by size. */
import { count } from "../../numbers.js";
import { draw, FIGURE_WIDTH, line, type Place, seriesColor, seriesDash, symbols, text } from "./draw.js";

interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Line {
  readonly name: string;
  readonly points: readonly Point[];
}

export interface Axes {
  readonly x: string;
  readonly y: string;
  /** Names of x = 0, 1, ...; numbers where absent. */
  readonly ticks?: readonly string[];
}

/** Shares over something, one line a series; dash and symbol tell them apart, the key names them. */
export function drawShares(title: string, description: string, lines: readonly Line[], axes: Axes): string {
  const points = lines.flatMap((each) => each.points);
  const least = Math.min(...points.map(({ y }) => y));
  // Where all is close to 1, what happens there must still be seen; the axis says where it begins.
  const from = least >= 0.6 ? Math.max(0, Math.floor(least * 10 - 0.001) / 10) : 0;
  const height = 264 + keyHeight(lines);
  const frame = { left: 44, right: FIGURE_WIDTH - 12 - 3 * (axes.ticks?.at(-1)?.length ?? 1), top: 24, bottom: 224 };
  const xs = points.map(({ x }) => x);
  const [first, last] = axes.ticks === undefined ? [Math.min(...xs), Math.max(...xs)] : [0, axes.ticks.length - 1];
  const scale = {
    x: linear(first, last, frame.left, frame.right),
    y: linear(from, 1, frame.bottom, frame.top),
  };
  const place = ({ x, y }: Point): Place => [scale.x(x), scale.y(y)];
  const percents = niceTicks(100 * from, 100, 5).map((value) => ({ value: value / 100, label: `${value}%` }));
  const numbers = axes.ticks?.map((label, value) => ({ value, label }));
  return draw({
    title,
    description,
    height,
    marks: [
      ...yAxis(frame, percents, scale.y, axes.y),
      ...xAxis(frame, apart(numbers ?? countTicks(niceTicks(first, last, 5)), scale.x), scale.x, axes.x),
      rule(frame, frame.bottom, "var(--faint)", 0.75),
      ...lines.flatMap(({ points: own }, i) => [
        line(own.map(place), { stroke: seriesColor(i), "stroke-width": 1.75, "stroke-dasharray": seriesDash(i) }),
        symbols(i, marked(own, i).map(place), 3.2),
      ]),
      ...key(lines, frame),
    ],
  });
}

/** Ticks whose names do not touch: dates are long, and there may be many. The last one stays. */
export function apart(ticks: readonly Tick[], scale: Scale): Tick[] {
  const kept: Tick[] = [];
  let end = Number.POSITIVE_INFINITY;
  for (const tick of [...ticks].reverse()) {
    const half = (tick.label.length * CHARACTER_WIDTH) / 2;
    if (scale(tick.value) + half > end) continue;
    kept.unshift(tick);
    end = scale(tick.value) - half - CHARACTER_WIDTH;
  }
  return kept;
}

/** All points if they are few, else some, not at the same places in each line: the symbol tells which line it is. */
export function marked<T>(points: readonly T[], number: number): T[] {
  const step = Math.ceil(points.length / 12);
  return points.filter((_, i) => (i + number) % step === 0);
}

export interface Dots {
  readonly name: string;
  readonly points: readonly Point[];
  /** A line through them, from its first to its last point. */
  readonly trend?: readonly Point[];
  /** Names of some of them. */
  readonly labels?: readonly (Point & { readonly text: string })[];
}

/** Counts by size, both axes logarithmic: a power law is a straight line. */
export function drawLogLog(title: string, description: string, series: readonly Dots[], axes: Axes): string {
  const points = series.flatMap((dots) => dots.points);
  const powers = (values: readonly number[]) => {
    const last = Math.ceil(Math.log10(Math.max(10, ...values)));
    return Array.from({ length: last + 1 }, (_, power) => 10 ** power);
  };
  const sizes = powers(points.map(({ x }) => x));
  const counts = powers(points.map(({ y }) => y));
  const frame = { left: 18 + 7 * count(counts.at(-1)!).length, right: FIGURE_WIDTH - 24, top: 24, bottom: 250 };
  const logarithmic = (first: number, last: number, from: number, to: number) => {
    const scale = linear(Math.log10(first), Math.log10(last), from, to);
    return (value: number) => scale(Math.log10(value));
  };
  const scale = {
    x: logarithmic(1, sizes.at(-1)!, frame.left, frame.right),
    // A little below 1, so that the many sizes that only one cluster has do not sit on the axis.
    y: logarithmic(LEAST_COUNT, counts.at(-1)!, frame.bottom, frame.top),
  };
  const place = ({ x, y }: Point): Place => [scale.x(x), scale.y(y)];
  return draw({
    title,
    description,
    height: 290 + keyHeight(series),
    marks: [
      ...yAxis(frame, countTicks(counts), scale.y, axes.y),
      ...xAxis(frame, countTicks(sizes), scale.x, axes.x, true),
      ...series.flatMap((dots, i) => [
        symbols(i, dots.points.map(place), 2.6, { "stroke-opacity": 0.85 }),
        ...labelsAt(dots.labels ?? [], place, frame),
        ...(dots.trend === undefined
          ? []
          : [
              line(clipped(dots.trend).map(place), {
                stroke: seriesColor(i),
                "stroke-width": 1.25,
                "stroke-dasharray": "5 3",
              }),
            ]),
      ]),
      ...key(series, frame),
    ],
  });
}

/** Beside their dots, on the side where there is room; one that another would cover is left out. */
function labelsAt(
  labels: NonNullable<Dots["labels"]>,
  place: (point: Point) => Place,
  { left, right }: Frame,
): string[] {
  const taken: Place[] = [];
  return labels.flatMap((label) => {
    const [x, y] = place(label);
    if (taken.some((other) => Math.abs(other[1] - y) < LABEL_HEIGHT)) return [];
    taken.push([x, y]);
    const isLeft = x > (left + right) / 2;
    const room = Math.floor((isLeft ? x - left - 8 : right - x - 8) / CHARACTER_WIDTH);
    const shown = label.text.length <= room ? label.text : `${label.text.slice(0, Math.max(0, room - 1))}\u2026`;
    return [text(x + (isLeft ? -7 : 7), y, shown, { "text-anchor": isLeft ? "end" : "start", fill: "var(--faint)" })];
  });
}

const LABEL_HEIGHT = 14;

/** Text cannot be measured here; this is wide enough for the usual fonts. */
const CHARACTER_WIDTH = 7;

const LEAST_COUNT = 0.8;

/** The part of a falling line, straight in logarithms, that is not below the axis. */
function clipped(trend: readonly Point[]): readonly Point[] {
  const [start, end] = [trend[0]!, trend.at(-1)!];
  if (end.y >= LEAST_COUNT || start.y <= end.y) return trend;
  const share = (Math.log(start.y) - Math.log(LEAST_COUNT)) / (Math.log(start.y) - Math.log(end.y));
  const x = Math.exp(Math.log(start.x) + share * (Math.log(end.x) - Math.log(start.x)));
  return share <= 0 ? [] : [start, { x, y: LEAST_COUNT }];
}

export interface Frame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export interface Tick {
  readonly value: number;
  readonly label: string;
}

export type Scale = (value: number) => number;

export function linear(first: number, last: number, from: number, to: number): Scale {
  return (value) => (last === first ? (from + to) / 2 : from + ((value - first) / (last - first)) * (to - from));
}

export const countTicks = (values: readonly number[]): Tick[] =>
  values.map((value) => ({ value, label: count(value) }));

/** About this many round numbers from `first` to `last`: steps of 1, 2 or 5 times a power of ten. */
export function niceTicks(first: number, last: number, about: number): number[] {
  if (!(last > first)) return [first];
  const rough = (last - first) / about;
  const power = 10 ** Math.floor(Math.log10(rough));
  // The step that is nearest, as a ratio.
  const times = [10, 5, 2, 1].find((each, i) => rough / power >= Math.sqrt(each * [5, 2, 1, 0][i]!))!;
  const step = power * times;
  const start = Math.ceil(first / step - 1e-9);
  const end = Math.floor(last / step + 1e-9);
  // Whole multiples of the step, so that 0.1 + 0.2 is 0.3.
  return Array.from({ length: end - start + 1 }, (_, i) => Number(((start + i) * step).toPrecision(12)));
}

export const rule = ({ left, right }: Frame, y: number, stroke: string, width: number) =>
  line(
    [
      [left, y],
      [right, y],
    ],
    { stroke, "stroke-width": width },
  );

export function yAxis(frame: Frame, ticks: readonly Tick[], scale: Scale, label: string): string[] {
  return [
    ...ticks.flatMap((tick) => {
      const y = scale(tick.value);
      const grid = line(
        [
          [frame.left, y],
          [frame.right, y],
        ],
        gridStyle,
      );
      return [grid, text(frame.left - 9, y, tick.label, { "text-anchor": "end" })];
    }),
    text(0, 9, label, { "text-anchor": "start" }),
  ];
}

export function xAxis(frame: Frame, ticks: readonly Tick[], scale: Scale, label: string, withGrid = false): string[] {
  return [
    ...ticks.flatMap((tick) => {
      const x = scale(tick.value);
      const mark = line(
        [
          [x, withGrid ? frame.top : frame.bottom],
          [x, frame.bottom + (withGrid ? 0 : 6)],
        ],
        withGrid ? gridStyle : { stroke: "currentColor" },
      );
      return [mark, text(x, frame.bottom + 15, tick.label)];
    }),
    text(frame.right, frame.bottom + LABEL_OFFSET, label, { "text-anchor": "end" }),
  ];
}

const gridStyle = { stroke: "currentColor", "stroke-opacity": 0.1 } as const;

/** Pixels from the axis to its name; the key is below. */
const LABEL_OFFSET = 31;

const KEY_COLUMNS = 2;
const KEY_ROW_HEIGHT = 18;

export function keyHeight(series: readonly { readonly name: string }[]): number {
  return series.length < 2 ? 0 : 8 + KEY_ROW_HEIGHT * Math.ceil(series.length / KEY_COLUMNS);
}

/** Below the axis: each series' symbol and name. */
export function key(series: readonly { readonly name: string }[], { left, bottom }: Frame): string[] {
  if (series.length < 2) return [];
  return series.flatMap(({ name }, i) => {
    const x = left + (i % KEY_COLUMNS) * 220;
    const y = bottom + 52 + KEY_ROW_HEIGHT * Math.floor(i / KEY_COLUMNS);
    return [symbols(i, [[x, y]], 3.4), text(x + 12, y, name, { "text-anchor": "start", fill: "var(--faint)" })];
  });
}
