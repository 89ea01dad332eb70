/** `dustpan add`: inputs into the workspace. */
import { UserError } from "../../errors.js";
import { add } from "../../jobs/add.js";
import { Workspace } from "../../store/workspace.js";
import { printDocument } from "../document.js";
import { readOptions } from "../inputs.js";
import type { Arguments } from "../parse.js";
import { describeAdded } from "../render-inputs.js";
import type { Session } from "../session.js";

export async function run(args: Arguments, { terminal, context }: Session): Promise<undefined> {
  if (args.inputs.length === 0) {
    throw new UserError('add needs an input: a log, a crawl, or "-" for standard input; see "dustpan add --help"');
  }
  const workspace = Workspace.at(args.text("workspace")!);
  const options = { ...readOptions(args), snapshot: args.text("snapshot")!, text: !args.has("no-text") };
  const json = args.has("json");
  const inputs = await add(
    workspace,
    args.inputs,
    options,
    (added) => {
      if (!json) terminal.out(describeAdded(terminal, added));
    },
    context,
  );
  if (json) printDocument(terminal, "dustpan-add", { workspace: workspace.file, inputs });
}
