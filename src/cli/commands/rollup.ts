/** `dustpan rollup`: ranked results of any search engine, one line for each group of copies. */
import { lineOrders } from "../../collections/rollup.js";
import { UserError } from "../../errors.js";
import { readResults, rollUpResults } from "../../jobs/rollup.js";
import { Workspace } from "../../store/workspace.js";
import { printDocument } from "../document.js";
import type { Arguments } from "../parse.js";
import { renderLine } from "../render-results.js";
import { rulesOf } from "../rules-flag.js";
import type { Session } from "../session.js";
import { counted } from "../terminal.js";

export async function run(args: Arguments, { terminal, context }: Session): Promise<undefined> {
  if (args.inputs.length > 1) throw new UserError("rollup takes one FILE of ranked results, or - for standard input");
  const workspace = Workspace.at(args.text("workspace")!);
  const snapshot = args.text("snapshot");
  const results = await readResults(args.inputs[0] ?? "-");
  const lines = await rollUpResults(
    workspace,
    results,
    {
      rules: rulesOf(args, workspace),
      by: args.choice("by", lineOrders)!,
      ...(snapshot !== undefined && { snapshot }),
    },
    context,
  );
  if (args.has("json")) printDocument(terminal, "dustpan-rollup", { results: results.length, lines });
  else {
    for (const line of lines) terminal.out(renderLine(terminal, line));
    terminal.err(`\n${counted(results.length, "result")} on ${counted(lines.length, "line")}`);
  }
}
