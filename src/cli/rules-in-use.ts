import { existsSync } from "node:fs";
import type { Rule } from "../model.js";
import { readRulesFile, rulesFileBeside } from "../store/rules-on-disk.js";
import type { Workspace } from "../store/workspace.js";
import type { Arguments } from "./parse.js";

/** The rules of --rules, or those beside the workspace if there are any: for commands that can do without. */
export function rulesOf(args: Arguments, workspace: Workspace): readonly Rule[] {
  const named = args.text("rules");
  const file = named ?? rulesFileBeside(workspace.file);
  return named !== undefined || existsSync(file) ? readRulesFile(file).rules : [];
}
