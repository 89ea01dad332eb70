import * as Plot from "@observablehq/plot";
import { draw, FIGURE_WIDTH, seriesColor } from "./draw.js";

export interface Bar {
  readonly name: string;
  readonly value: number;
  /** What is written beside the bar. */
  readonly label: string;
}

const rowHeight = 26;
const longestName = 30;

/** Horizontal bars with their numbers, the first on top. */
export function drawBars(title: string, description: string, bars: readonly Bar[]) {
  const rows = bars.map((bar, row) => ({ ...bar, row, shown: shorten(bar.name) }));
  const most = Math.max(1, ...bars.map(({ value }) => value));
  return draw({
    title,
    description,
    height: rowHeight * bars.length + 8,
    marginLeft: nameWidth(rows.map(({ shown }) => shown)),
    marginRight: labelWidth(bars),
    marginTop: 4,
    marginBottom: 4,
    // The longest bar ends where the numbers begin.
    x: { domain: [0, most], axis: null },
    y: { domain: rows.map(({ row }) => row), axis: null, padding: 0.28 },
    marks: [
      Plot.barX(rows, { x: "value", y: "row", fill: seriesColor(0), rx: 1.5 }),
      Plot.text(rows, { x: 0, y: "row", text: "shown", textAnchor: "end", dx: -8 }),
      Plot.text(rows, { x: "value", y: "row", text: "label", textAnchor: "start", dx: 6, fill: "var(--faint)" }),
      Plot.ruleX([0], { stroke: "var(--faint)", strokeWidth: 0.75 }),
    ],
  });
}

export interface Stack {
  readonly name: string;
  readonly shares: readonly number[];
}

/**
 * Bars of the same length, cut into shares. Each part is lighter than the one before and carries its number, the key
 * below names the parts in their order: nothing depends on telling colours apart.
 */
export function drawStacks(
  title: string,
  description: string,
  stacks: readonly Stack[],
  parts: readonly string[],
): string {
  const pieces = stacks.flatMap(({ shares }, row) => {
    let from = 0;
    return shares.map((share, part) => {
      const piece = { row, part, from, to: from + share, middle: from + share / 2, label: String(part + 1), share };
      from += share;
      return piece;
    });
  });
  const opacity = (part: number) => 1 - (0.88 * part) / Math.max(1, parts.length - 1);
  const names = stacks.map(({ name }, row) => ({ row, name: shorten(name) }));
  const keyRows = Math.ceil(parts.length / keyColumns);
  const key = parts.map((part, i) => ({
    text: `${i + 1}  ${part}`,
    x: (i % keyColumns) / keyColumns,
    y: Math.floor(i / keyColumns),
  }));
  const marginBottom = 14 + 20 * keyRows;
  const bars = rowHeight * stacks.length;
  const ink = (part: number) => (opacity(part) > 0.55 ? "var(--paper)" : "var(--ink)");
  return draw({
    title,
    description,
    height: bars + 8 + marginBottom,
    marginLeft: nameWidth(names.map(({ name }) => name)),
    marginRight: 8,
    marginTop: 4,
    marginBottom,
    x: { domain: [0, 1], axis: null },
    y: { domain: names.map(({ row }) => row), axis: null, padding: 0.22 },
    marks: [
      Plot.barX(pieces, {
        x1: "from",
        x2: "to",
        y: "row",
        fill: seriesColor(0),
        fillOpacity: ({ part }: { part: number }) => opacity(part),
        stroke: seriesColor(0),
        strokeWidth: 0.6,
      }),
      Plot.text(
        pieces.filter(({ share }) => share >= 0.06),
        { x: "middle", y: "row", text: "label", fill: ({ part }: { part: number }) => ink(part) },
      ),
      Plot.text(names, { x: 0, y: "row", text: "name", textAnchor: "end", dx: -8 }),
      ...key.map(({ text, x, y }) =>
        Plot.text([text], {
          frameAnchor: "bottom-left",
          textAnchor: "start",
          dx: x * (FIGURE_WIDTH - 16) - nameWidth(names.map(({ name }) => name)) + 8,
          dy: 24 + 20 * y,
          fill: "var(--faint)",
        }),
      ),
    ],
  });
}

const keyColumns = 3;

export function shorten(name: string): string {
  return name.length <= longestName ? name : `${name.slice(0, longestName - 1)}\u2026`;
}

/** Text cannot be measured here; this is wide enough for the usual fonts. */
const characterWidth = 7;

function nameWidth(names: readonly string[]): number {
  return Math.max(40, ...names.map((name) => name.length * characterWidth + 16));
}

function labelWidth(bars: readonly Bar[]): number {
  return Math.max(20, ...bars.map(({ label }) => label.length * characterWidth + 14));
}
