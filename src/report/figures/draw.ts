/** Observable Plot on the server: a drawing as SVG text that reads in light and dark, on screen, on paper and aloud. */
import * as Plot from "@observablehq/plot";
import { parseHTML } from "linkedom";
import { escapeHtml } from "../html.js";

export interface Drawing extends Omit<Plot.PlotOptions, "document" | "figure" | "title" | "className"> {
  readonly title: string;
  /** For screen readers: what a look at it would tell. */
  readonly description: string;
}

/** Two of them stand side by side on a laptop, and one still reads on a phone. */
export const FIGURE_WIDTH = 480;

/** Colours are variables, so that a page can set its own; :where() lets any rule of the page win. */
const palette = (ink: string, faint: string, paper: string, ...series: readonly string[]) =>
  [`--ink:${ink}`, `--faint:${faint}`, `--paper:${paper}`, ...series.map((color, i) => `--series-${i}:${color}`)].join(
    ";",
  );
const STYLE = [
  `:where(.dustpan-figure){${palette("#1d2329", "#5c6670", "#ffffff", "#0b6e8a", "#b04f14", "#5a55a8", "#4f7016", "#a02f58")}}`,
  `@media screen and (prefers-color-scheme:dark){:where(.dustpan-figure){${palette("#e4e8ec", "#9aa5b0", "#14181c", "#57bfdb", "#f0975a", "#a9a6f2", "#b2cd68", "#ef87ad")}}}`,
  ".dustpan-figure{color:var(--ink);font:12px system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;max-width:100%;height:auto;background:none}",
  ".dustpan-figure text{white-space:pre}",
].join("");

/** Colour and stroke of the i-th series: never the colour alone. */
export const seriesColor = (i: number) => `var(--series-${i % 5})`;
export const seriesDash = (i: number) => ["none", "7 3", "2 3", "10 3 2 3", "4 2", "1 4", "12 4"][i % 7]!;
export const seriesSymbol = (i: number) =>
  (["circle", "triangle", "square", "diamond", "times", "plus", "star"] as const)[i % 7]!;

export function draw({ title, description, ...options }: Drawing): string {
  const { document } = parseHTML("<html><body></body></html>");
  const svg = Plot.plot({
    width: FIGURE_WIDTH,
    ...options,
    document: document as never,
    figure: false,
    className: "dustpan-plot",
  } as Plot.PlotOptions) as unknown as Element;
  // Plot's own style and its labels of groups: neither is wanted, and the labels are no names that ARIA allows there.
  for (const style of svg.querySelectorAll("style")) style.remove();
  for (const labelled of svg.querySelectorAll("[aria-label],[aria-description]")) {
    labelled.removeAttribute("aria-label");
    labelled.removeAttribute("aria-description");
  }
  for (const name of ["class", "fill", "font-family", "font-size", "text-anchor", "xmlns", "xmlns:xlink"]) {
    svg.removeAttribute(name);
  }
  const attributes = [...svg.attributes].map(({ name, value }) => ` ${name}="${escapeHtml(value)}"`).join("");
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="dustpan-figure" role="img" fill="currentColor" text-anchor="middle"${attributes}>`,
    `<title>${escapeHtml(title)}</title><desc>${escapeHtml(description)}</desc><style>${STYLE}</style>`,
    svg.innerHTML,
    "</svg>",
  ].join("");
}

interface Element {
  readonly attributes: Iterable<{ readonly name: string; readonly value: string }>;
  readonly innerHTML: string;
  querySelectorAll(selector: string): Iterable<Element>;
  removeAttribute(name: string): void;
  remove(): void;
}
