/** Horizontal bars: one number each, or shares of a whole. */
import { draw, FIGURE_WIDTH, line, rectangle, seriesColor, text } from "./draw.js";

export interface Bar {
  readonly name: string;
  readonly value: number;
  /** The whole that the value is a part of: a lighter bar under it. */
  readonly whole?: number;
  /** What is written beside the bar. */
  readonly label: string;
}

const ROW_HEIGHT = 26;
const MARGIN_TOP = 4;
export const LONGEST_NAME = 30;

/** Horizontal bars with their numbers, the first on top. */
export function drawBars(title: string, description: string, bars: readonly Bar[]) {
  const names = bars.map(({ name }) => shorten(name));
  const left = nameWidth(names);
  // The longest bar ends where the numbers begin.
  const right = FIGURE_WIDTH - labelWidth(bars);
  const lengthOf = ({ value, whole = value }: Bar) => Math.max(value, whole);
  const most = Math.max(1, ...bars.map(lengthOf));
  const bottom = MARGIN_TOP + ROW_HEIGHT * bars.length;
  return draw({
    title,
    description,
    height: bottom + 4,
    marks: [
      ...bars.flatMap((bar, row) => {
        const { value, whole, label } = bar;
        const { top, middle, height } = placeOf(row, 0.28);
        const widthOf = (length: number) => ((right - left) * length) / most;
        const ground = { fill: seriesColor(0), "fill-opacity": 0.2, rx: 1.5 };
        return [
          ...(whole === undefined ? [] : [rectangle(left, top, widthOf(whole), height, ground)]),
          rectangle(left, top, widthOf(value), height, { fill: seriesColor(0), rx: 1.5 }),
          text(left - 8, middle, names[row]!, { "text-anchor": "end" }),
          text(left + widthOf(lengthOf(bar)) + 6, middle, label, { "text-anchor": "start", fill: "var(--faint)" }),
        ];
      }),
      line(
        [
          [left, MARGIN_TOP],
          [left, bottom],
        ],
        { stroke: "var(--faint)", "stroke-width": 0.75 },
      ),
    ],
  });
}

/** Where the bar of a row is; `gap` is the share of the row that stays empty. */
function placeOf(row: number, gap: number) {
  const height = ROW_HEIGHT * (1 - gap);
  const middle = MARGIN_TOP + ROW_HEIGHT * (row + 0.5);
  return { top: middle - height / 2, middle, height };
}

export interface Stack {
  readonly name: string;
  readonly shares: readonly number[];
}

const LEAST_SHARE_WITH_NUMBER = 0.06;
const KEY_COLUMNS = 3;
const KEY_ROW_HEIGHT = 20;

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
  const opacity = (part: number) => 1 - (0.88 * part) / Math.max(1, parts.length - 1);
  const ink = (part: number) => (opacity(part) > 0.55 ? "var(--paper)" : "var(--ink)");
  const names = stacks.map(({ name }) => shorten(name));
  const left = nameWidth(names);
  const width = FIGURE_WIDTH - 8 - left;
  const bottom = MARGIN_TOP + ROW_HEIGHT * stacks.length;
  return draw({
    title,
    description,
    height: bottom + 18 + KEY_ROW_HEIGHT * Math.ceil(parts.length / KEY_COLUMNS),
    marks: [
      ...stacks.flatMap(({ shares }, row) => {
        const { top, middle, height } = placeOf(row, 0.22);
        let from = 0;
        const pieces = shares.flatMap((share, part) => {
          const x = left + width * from;
          from += share;
          if (share === 0) return [];
          const piece = rectangle(x, top, width * share, height, {
            fill: seriesColor(0),
            "fill-opacity": opacity(part),
            stroke: seriesColor(0),
            "stroke-width": 0.6,
          });
          const number = text(x + (width * share) / 2, middle, String(part + 1), { fill: ink(part) });
          return share < LEAST_SHARE_WITH_NUMBER ? [piece] : [piece, number];
        });
        return [...pieces, text(left - 8, middle, names[row]!, { "text-anchor": "end" })];
      }),
      ...parts.map((part, i) =>
        text(
          8 + ((i % KEY_COLUMNS) / KEY_COLUMNS) * (FIGURE_WIDTH - 16),
          bottom + 24 + KEY_ROW_HEIGHT * Math.floor(i / KEY_COLUMNS),
          `${i + 1}  ${part}`,
          { "text-anchor": "start", fill: "var(--faint)" },
        ),
      ),
    ],
  });
}

export function shorten(name: string): string {
  if (name.length <= LONGEST_NAME) return name;
  // Titles of one site begin alike: their ends tell them apart.
  const half = Math.floor((LONGEST_NAME - 1) / 2);
  return `${name.slice(0, LONGEST_NAME - 1 - half)}\u2026${name.slice(-half)}`;
}

/** Text cannot be measured here; this is wide enough for the usual fonts. */
const CHARACTER_WIDTH = 7;

function nameWidth(names: readonly string[]): number {
  return Math.max(40, ...names.map((name) => name.length * CHARACTER_WIDTH + 16));
}

function labelWidth(bars: readonly Bar[]): number {
  return Math.max(20, ...bars.map(({ label }) => label.length * CHARACTER_WIDTH + 14));
}
