/** Ratios over something, on a logarithmic axis: 1 is what one would expect. */
import { draw, FIGURE_WIDTH, line, type Place, seriesColor, seriesDash, symbols } from "./draw.js";
import {
  type Axes,
  countTicks,
  key,
  keyHeight,
  type Line,
  linear,
  marked,
  niceTicks,
  rule,
  xAxis,
  yAxis,
} from "./lines.js";

/** Points that follow each other; a line over what has no ratio would invent one. */
function runsOf<P extends { readonly x: number }>(points: readonly P[]): P[][] {
  const runs: P[][] = [];
  for (const point of points) {
    const last = runs.at(-1);
    if (last !== undefined && point.x - last.at(-1)!.x <= 1) last.push(point);
    else runs.push([point]);
  }
  return runs;
}

/** A line per series, broken where it has no ratio; a point that stands alone is a symbol. */
export function drawRatios(title: string, description: string, lines: readonly Line[], axes: Axes): string {
  const points = lines.flatMap((each) => each.points);
  const powers = points.map(({ y }) => Math.log10(y));
  const [low, high] = [Math.floor(Math.min(-1, ...powers)), Math.ceil(Math.max(1, ...powers))];
  const frame = { left: 44, right: FIGURE_WIDTH - 16, top: 24, bottom: 224 };
  const scale = {
    x: linear(0, Math.max(1, ...points.map(({ x }) => x)), frame.left, frame.right),
    y: linear(low, high, frame.bottom, frame.top),
  };
  const place = ({ x, y }: { readonly x: number; readonly y: number }): Place => [scale.x(x), scale.y(Math.log10(y))];
  const ticks = Array.from({ length: high - low + 1 }, (_, i) => low + i).map((power) => ({
    value: power,
    label: String(Number((10 ** power).toPrecision(1))),
  }));
  return draw({
    title,
    description,
    height: 272 + keyHeight(lines),
    marks: [
      ...yAxis(frame, ticks, scale.y, axes.y),
      ...xAxis(frame, countTicks(niceTicks(0, Math.max(1, ...points.map(({ x }) => x)), 5)), scale.x, axes.x),
      rule(frame, scale.y(0), "var(--faint)", 1),
      ...lines.flatMap(({ points: own }, i) => {
        const stroke = { stroke: seriesColor(i), "stroke-width": 1.5, "stroke-dasharray": seriesDash(i) };
        const runs = runsOf(own);
        const alone = runs.filter(({ length }) => length === 1).flat();
        return [
          ...runs.filter(({ length }) => length > 1).map((run) => line(run.map(place), stroke)),
          symbols(i, [...new Set([...marked(own, i), ...alone])].map(place), 2.8),
        ];
      }),
      ...key(lines, frame),
    ],
  });
}
