/** The rules that `--rules` names, or those beside the workspace: for commands that can do without. */
import { existsSync } from "node:fs";
import type { Rule } from "../model.js";
import { rulesFileBeside } from "../store/beside.js";
import { readRulesFile } from "../store/rules-on-disk.js";
import type { Workspace } from "../store/workspace.js";
import type { Arguments } from "./parse.js";

export function rulesOf(args: Arguments, workspace: Workspace): readonly Rule[] {
  const named = args.text("rules");
  const file = named ?? rulesFileBeside(workspace.file);
  return named !== undefined || existsSync(file) ? readRulesFile(file).rules : [];
}
