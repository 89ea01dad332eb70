/** `dustpan contains`: pages that are a part of another page. */
import type { ContainsResult } from "../../documents.js";
import { findParts } from "../../jobs/contains.js";
import { Workspace } from "../../store/workspace.js";
import { documentPages, printDocument } from "../document.js";
import type { Arguments } from "../parse.js";
import type { Session } from "../session.js";
import { shownUrl } from "../shown-url.js";
import { count, counted, paint, percent, printable, type Terminal, table } from "../terminal.js";

export async function run(args: Arguments, { terminal, context }: Session): Promise<undefined> {
  const [snapshot, output] = [args.text("snapshot"), args.text("output")];
  const result = await findParts(
    Workspace.at(args.text("workspace")!),
    {
      share: args.number("share", 0, 1)!,
      ...(snapshot !== undefined && { snapshot }),
      ...(output !== undefined && { output }),
    },
    context,
  );
  if (args.has("json")) printDocument(terminal, "dustpan-contains", documentPages(terminal, result));
  else terminal.out(render(terminal, result, args.integer("top")!));
  if (output !== undefined) terminal.err(`\nthe pairs are in ${output}`);
}

function render(terminal: Terminal, result: ContainsResult, top: number): string {
  const { pages, parts, pairs, patterns, share, snapshot } = result;
  const head = `${counted(parts, "page")} of ${count(pages)} ${parts === 1 ? "is" : "are"} a part of another one (${percent(share)} of ${parts === 1 ? "it" : "each"} or more; snapshot ${printable(snapshot)})`;
  if (parts === 0) return paint(terminal, "bold", head);
  const shown = <T>(all: readonly T[]) => (top === 0 ? all : all.slice(0, top));
  const more = (all: readonly unknown[], what: string) =>
    all.length > shown(all).length
      ? [`... and ${count(all.length - shown(all).length)} more ${what} (--top 0 shows all)`]
      : [];
  return [
    paint(terminal, "bold", head),
    "",
    table(
      [{ title: "pairs", right: true }, { title: "part" }, { title: "whole" }],
      shown(patterns).map((pattern) => [
        count(pattern.pairs),
        shownUrl(terminal, pattern.part),
        shownUrl(terminal, pattern.whole),
      ]),
    ),
    ...more(patterns, "patterns"),
    "",
    ...shown(pairs).flatMap(({ part, whole, partWords, wholeWords, containment, isExact }) => [
      `${percent(containment)}${isExact ? "" : " (estimated)"} of ${shownUrl(terminal, part)} (${counted(partWords, "word")})`,
      paint(terminal, "dim", `  is in ${shownUrl(terminal, whole)} (${counted(wholeWords, "word")})`),
    ]),
    ...more(pairs, "pairs"),
    "",
    "nothing is merged: a part is a page of its own",
  ].join("\n");
}
