import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { UserError } from "../errors.js";
import type { Rule } from "../model.js";
import { mergeRules } from "../rules/merge-rules.js";
import { parseRulesFile, type RulesFile } from "../rules/rules-file.js";
import { formatRulesFile } from "../rules/write-rules-file.js";
import type { MineOptions, MineResult } from "./mine.js";

/** The rules file that belongs to a workspace. */
export function rulesFileBeside(workspaceFile: string): string {
  return path.join(path.dirname(workspaceFile), "dustpan.rules.json");
}

export function readRulesFile(file: string): RulesFile {
  if (!existsSync(file)) {
    throw new UserError(`no rules file at ${file}; make one with "dustpan mine", or name another with --rules`);
  }
  return parseRulesFile(readFileSync(file, "utf8"), file);
}

/** Replaces the file in one step: whoever reads it sees the old rules or the new ones. */
export function writeRulesFile(file: string, rules: RulesFile): void {
  const draft = `${file}.${process.pid}.tmp`;
  writeFileSync(draft, formatRulesFile(rules));
  renameSync(draft, file);
}

/** What was mined, with what people decided and validation proved before. */
export function mergeMined(file: string | undefined, mined: MineResult, options: MineOptions): RulesFile {
  const existing = file !== undefined && existsSync(file) ? readRulesFile(file).rules : [];
  const found = mined.sites.flatMap(({ rules }): readonly Rule[] => rules);
  const { sites: _, snapshot, ...parameters } = options;
  return {
    settings: { ...parameters, ...(snapshot !== undefined && { snapshot }) },
    rules: mergeRules(existing, found, new Set(mined.sites.map(({ site }) => site))),
  };
}
