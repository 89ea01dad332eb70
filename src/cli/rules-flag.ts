/** What canonization is made of, as flags name it: the rules file, and the table of aliases. */
import { existsSync } from "node:fs";
import type { AliasTable } from "../canon/aliases.js";
import { readAliasTable } from "../jobs/canon/read-aliases.js";
import type { Rule } from "../model.js";
import { rulesFileBeside } from "../store/beside.js";
import { readRulesFile } from "../store/rules-on-disk.js";
import type { Workspace } from "../store/workspace.js";
import type { Arguments } from "./parse.js";
import { count, counted, type Terminal } from "./terminal.js";

/** The rules that `--rules` names, or those beside the workspace: for commands that also work without rules. */
export function rulesOf(args: Arguments, workspace: Workspace): readonly Rule[] {
  const named = args.text("rules");
  const file = named ?? rulesFileBeside(workspace.file);
  return named !== undefined || existsSync(file) ? readRulesFile(file).rules : [];
}

/** The table that `--aliases` names. */
export async function readAliases(args: Arguments, terminal: Terminal): Promise<AliasTable | undefined> {
  const file = args.text("aliases");
  if (file === undefined) return undefined;
  const table = await readAliasTable(file, Date.now());
  const { expired, count: used, maxAgeDays } = table.parts;
  if (expired > 0) {
    terminal.err(
      `${count(expired)} of ${count(expired + used)} aliases are older than ${count(maxAgeDays)} days and not used; "dustpan aliases --max-age DAYS" makes a table with another limit`,
    );
  }
  if (used > 0) {
    terminal.err(`${counted(used, "alias", "aliases")} in use after the rules; no certificate speaks of them`);
  }
  return table;
}
