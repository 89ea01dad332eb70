/** Drawings as SVG text that read in light and dark, on screen, on paper and aloud. Marks are plain functions to text. */
import { escapeHtml } from "../html.js";

export interface Drawing {
  readonly title: string;
  /** For screen readers: what one would see in it. */
  readonly description: string;
  readonly height: number;
  readonly marks: readonly string[];
}

/** Two of them stand side by side on a laptop, and one still reads on a phone. */
export const FIGURE_WIDTH = 480;

/** Colours are variables, so that a page can set its own; :where() lets any rule of the page win. */
const palette = (ink: string, faint: string, paper: string, ...series: readonly string[]) =>
  [`--ink:${ink}`, `--faint:${faint}`, `--paper:${paper}`, ...series.map((color, i) => `--series-${i}:${color}`)].join(
    ";",
  );
const styleRules = [
  `:where(.dustpan-figure){${palette("#1d2329", "#5c6670", "#ffffff", "#0b6e8a", "#b04f14", "#5a55a8", "#4f7016", "#a02f58")}}`,
  `@media screen and (prefers-color-scheme:dark){:where(.dustpan-figure){${palette("#e4e8ec", "#9aa5b0", "#14181c", "#57bfdb", "#f0975a", "#a9a6f2", "#b2cd68", "#ef87ad")}}}`,
  ".dustpan-figure{color:var(--ink);font:12px system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;max-width:100%;height:auto;background:none}",
  ".dustpan-figure text{white-space:pre}",
];

/** Colour and stroke of the i-th series: never the colour alone. */
export const seriesColor = (i: number) => `var(--series-${i % 5})`;
export const seriesDash = (i: number) => ["none", "7 3", "2 3", "10 3 2 3", "4 2", "1 4", "12 4"][i % 7]!;

export function draw({ title, description, height, marks }: Drawing): string {
  const attributes = attributesOf({ width: FIGURE_WIDTH, height, viewBox: `0 0 ${FIGURE_WIDTH} ${round(height)}` });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="dustpan-figure" role="img" fill="currentColor" text-anchor="middle"${attributes}>`,
    `<title>${escapeHtml(title)}</title><desc>${escapeHtml(description)}</desc><style>${styleRules.join("")}</style>`,
    ...marks,
    "</svg>",
  ].join("");
}

type Attributes = Readonly<Record<string, string | number | undefined>>;

/** Hundredths of a pixel are as fine as anybody sees. */
const round = (value: number) => Math.round(100 * value) / 100;

function attributesOf(attributes: Attributes): string {
  return Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${escapeHtml(String(typeof value === "number" ? round(value) : value))}"`)
    .join("");
}

/** Text whose middle is at this height. */
export function text(x: number, y: number, content: string, attributes: Attributes = {}): string {
  return `<text${attributesOf({ x, y, dy: "0.32em", ...attributes })}>${escapeHtml(content)}</text>`;
}

export function rectangle(x: number, y: number, width: number, height: number, attributes: Attributes): string {
  return `<rect${attributesOf({ x, y, width, height, ...attributes })}/>`;
}

export type Place = readonly [x: number, y: number];

/** A straight line through these places. */
export function line(places: readonly Place[], attributes: Attributes): string {
  const d = places.map(([x, y], i) => `${i === 0 ? "M" : "L"}${round(x)},${round(y)}`).join("");
  return `<path${attributesOf({ d, fill: "none", ...attributes })}/>`;
}

/** Paths around 0 of about that radius; the i-th series has the i-th. */
const symbolPaths: readonly ((r: number) => string)[] = [
  (r) => `M${r},0A${r},${r},0,1,1,${-r},0A${r},${r},0,1,1,${r},0Z`,
  (r) => polygon(r, [0, -1.3], [1.13, 0.65], [-1.13, 0.65]),
  (r) => polygon(r, [-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]),
  (r) => polygon(r, [0, -1.4], [0.95, 0], [0, 1.4], [-0.95, 0]),
  (r) => polygon(r, [-0.9, -0.9], [0.9, 0.9]) + polygon(r, [0.9, -0.9], [-0.9, 0.9]),
  (r) => polygon(r, [0, -1.2], [0, 1.2]) + polygon(r, [-1.2, 0], [1.2, 0]),
  (r) => polygon(r, [0, -1.2], [0, 1.2]) + polygon(r, [-1, -0.6], [1, 0.6]) + polygon(r, [-1, 0.6], [1, -0.6]),
];

const polygon = (r: number, ...places: readonly Place[]) =>
  `M${places.map(([x, y]) => `${round(r * x)},${round(r * y)}`).join("L")}Z`;

/** The i-th series' symbol at these places, in its colour. */
export function symbols(i: number, places: readonly Place[], radius: number, attributes: Attributes = {}): string {
  const d = symbolPaths[i % symbolPaths.length]!(radius);
  const style = attributesOf({ fill: "none", stroke: seriesColor(i), "stroke-width": 1.5, ...attributes });
  const marks = places.map(([x, y]) => `<path d="${d}" transform="translate(${round(x)},${round(y)})"/>`);
  return `<g${style}>${marks.join("")}</g>`;
}
