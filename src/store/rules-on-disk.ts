/** The rules file on disk: read and written in one step. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseRulesFile, type RulesFile } from "../canon/file/rules-file.js";
import { formatRulesFile } from "../canon/file/write-rules-file.js";
import { UserError } from "../errors.js";
import { writeWhole } from "./whole-file.js";

export function readRulesFile(file: string): RulesFile {
  if (!existsSync(file)) {
    const other = path.join(path.dirname(file), "dustpan.rules.json");
    const there = existsSync(other) ? `; ${other} is another workspace's: give it with --rules where it is meant` : "";
    throw new UserError(`no rules file at ${file}; make one with "dustpan mine", or name another with --rules${there}`);
  }
  return parseRulesFile(readFileSync(file, "utf8"), file);
}

/** Replaces the file in one step: readers see the old rules or the new ones. */
export function writeRulesFile(file: string, rules: RulesFile): void {
  writeWhole(file, formatRulesFile(rules));
}
