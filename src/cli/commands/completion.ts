/** `dustpan completion`: what a shell needs to complete commands and flags. */
import { UserError } from "../../errors.js";
import { listCommands } from "../commands.js";
import { completionFor, shells } from "../help/completion.js";
import type { Arguments } from "../parse.js";
import type { Session } from "../session.js";

export async function run(args: Arguments, { terminal }: Session): Promise<undefined> {
  const [name] = args.inputs;
  const shell = shells.find((known) => known === name);
  if (name === undefined) throw new UserError(`completion needs a shell: ${shells.join(", ")}`);
  if (shell === undefined) throw new UserError(`completion ${name}: expected one of ${shells.join(", ")}`);
  terminal.out(completionFor(shell, listCommands()).trimEnd());
}
