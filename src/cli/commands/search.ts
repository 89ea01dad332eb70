/** `dustpan search`: the pages of the workspace, copies rolled up. */
import { lineOrders } from "../../collections/rollup.js";
import { UserError } from "../../errors.js";
import { searchPages } from "../../jobs/search.js";
import { Workspace } from "../../store/workspace.js";
import { documentPages, printDocument } from "../document.js";
import type { Arguments } from "../parse.js";
import { renderLine } from "../render-results.js";
import { rulesOf } from "../rules-flag.js";
import type { Session } from "../session.js";
import { counted } from "../terminal.js";

export async function run(args: Arguments, { terminal, context }: Session): Promise<undefined> {
  if (args.inputs.length === 0) throw new UserError("search needs words to look for: dustpan search WORD...");
  const workspace = Workspace.at(args.text("workspace")!);
  const snapshot = args.text("snapshot");
  const result = await searchPages(
    workspace,
    args.inputs.join(" "),
    {
      limit: args.integer("top", 1)!,
      rollUp: !args.has("flat"),
      by: args.choice("by", lineOrders)!,
      rules: rulesOf(args, workspace),
      ...(snapshot !== undefined && { snapshot }),
    },
    context,
  );
  if (args.has("json")) printDocument(terminal, "dustpan-search", documentPages(terminal, result));
  else {
    for (const line of result.lines) terminal.out(renderLine(terminal, line, line.title, line.snippet));
    terminal.err(
      `\n${counted(result.matches, "page")} with any of the words` +
        (result.isRolledUp || args.has("flat") ? "" : "; copies are not rolled up, since the pages have no links"),
    );
  }
}
