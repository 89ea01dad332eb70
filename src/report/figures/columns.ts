/** Columns of the same height, side by side, cut into shares. */
import { draw, FIGURE_WIDTH, rectangle, seriesColor, text } from "./draw.js";
import { type Axes, countTicks, keyHeight, linear, niceTicks, xAxis, yAxis } from "./lines.js";

const KEY_ROW_HEIGHT = 18;

/** Parts get lighter from the bottom up; the key names them in that order. */
export function drawColumns(
  title: string,
  description: string,
  columns: readonly (readonly number[])[],
  parts: readonly string[],
  axes: Axes,
): string {
  const frame = { left: 44, right: FIGURE_WIDTH - 16, top: 24, bottom: 224 };
  const width = (frame.right - frame.left) / Math.max(1, columns.length);
  const height = frame.bottom - frame.top;
  const opacity = (part: number) => 0.14 + (0.86 * part) / Math.max(1, parts.length - 1);
  const shares = [0, 0.25, 0.5, 0.75, 1].map((value) => ({ value, label: `${100 * value}%` }));
  const middle = linear(0, Math.max(1, columns.length - 1), frame.left + width / 2, frame.right - width / 2);
  return draw({
    title,
    description,
    height: 272 + keyHeight(parts.map((name) => ({ name }))),
    marks: [
      ...yAxis(frame, shares, linear(0, 1, frame.bottom, frame.top), axes.y),
      ...columns.flatMap((column, at) => {
        let from = 0;
        return column.flatMap((share, part) => {
          from += share;
          if (share === 0) return [];
          const place = { fill: seriesColor(0), "fill-opacity": opacity(part) };
          return [rectangle(frame.left + at * width, frame.bottom - height * from, width, height * share, place)];
        });
      }),
      ...xAxis(frame, countTicks(niceTicks(0, columns.length - 1, 5)), middle, axes.x),
      ...parts.flatMap((name, part) => {
        const x = frame.left + (part % 2) * 220;
        const y = frame.bottom + 52 + KEY_ROW_HEIGHT * Math.floor(part / 2);
        return [
          rectangle(x - 5, y - 5, 10, 10, {
            fill: seriesColor(0),
            "fill-opacity": opacity(part),
            stroke: seriesColor(0),
          }),
          text(x + 12, y, name, { "text-anchor": "start", fill: "var(--faint)" }),
        ];
      }),
    ],
  });
}
