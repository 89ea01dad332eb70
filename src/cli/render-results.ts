/** Search results with copies rolled up, as lines for people. */
import type { RolledUpLine } from "../collections/rollup.js";
import { shownUrl } from "./shown-url.js";
import { count, counted, paint, printable, type Terminal } from "./terminal.js";

const SHOWN_BEHIND = 5;

/** A line of rolled-up results, with the first few entries after its Collection and Replica links. */
export function renderLine(terminal: Terminal, line: RolledUpLine, title?: string, snippet?: string): string {
  const behind = (name: string, urls: readonly string[]) => {
    const more = urls.length > SHOWN_BEHIND ? `, and ${count(urls.length - SHOWN_BEHIND)} more` : "";
    return `       ${paint(terminal, "dim", name)} ${urls
      .slice(0, SHOWN_BEHIND)
      .map((url) => shownUrl(terminal, url))
      .join("  ")}${more}`;
  };
  return [
    `${String(line.rank).padStart(4)}  ${paint(terminal, "bold", title === undefined ? shownUrl(terminal, line.url) : printable(title))}  ${paint(terminal, "dim", line.score.toFixed(2))}${line.copies === undefined || line.copies === 1 ? "" : `  ${count(line.copies)} copies`}`,
    ...(title === undefined ? [] : [`      ${paint(terminal, "cyan", shownUrl(terminal, line.url))}`]),
    ...(snippet === undefined || snippet === "" ? [] : [`      ${printable(snippet)}`]),
    ...(line.cluster === undefined ? [] : [describeCluster(line, behind)]),
  ].join("\n");
}

function describeCluster(
  line: Extract<RolledUpLine, { cluster: number }>,
  behind: (name: string, urls: readonly string[]) => string,
): string {
  const hits = line.collection.map(({ url }) => url).filter((url) => url !== line.url);
  const copies = line.replicas.map(({ root }) => root);
  return [
    `      in ${printable(line.name)}: ${counted(line.replicas.length, "copy", "copies")} of ${counted(line.size, "page")}`,
    ...(hits.length === 0 ? [] : [behind("Collection", hits)]),
    behind("Replica   ", copies),
  ].join("\n");
}
