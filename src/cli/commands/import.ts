/** `dustpan import`: rules of other programs into the rules file. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { UserError } from "../../errors.js";
import { type Imported, importRules } from "../../export/import-rules.js";
import { expandInputs } from "../../input/expand.js";
import type { Rule } from "../../model.js";
import { rulesFileBeside } from "../../store/beside.js";
import { readRulesFile, writeRulesFile } from "../../store/rules-on-disk.js";
import { printDocument } from "../document.js";
import type { Arguments } from "../parse.js";
import type { Session } from "../session.js";
import { count, counted, printable, type Terminal } from "../terminal.js";

export async function run(args: Arguments, { terminal }: Session): Promise<undefined> {
  if (args.inputs.length === 0) throw new UserError('import needs a FILE with rules; see "dustpan import --help"');
  const rulesFile = args.text("rules") ?? rulesFileBeside(args.text("workspace")!);
  const before = existsSync(rulesFile) ? readRulesFile(rulesFile) : { settings: {}, rules: [] };
  const known = new Set(before.rules.map(({ id }) => id));
  const added: Rule[] = [];
  const files = expandInputs(args.inputs).map((file) => {
    const imported = importRules(readFileSync(file, "utf8"), path.basename(file));
    const own = imported.rules.filter(({ id }) => !known.has(id));
    for (const rule of own) known.add(rule.id);
    added.push(...own);
    return { file, imported, added: own.length };
  });
  if (!args.has("dry-run") && added.length > 0) {
    writeRulesFile(rulesFile, { ...before, rules: [...before.rules, ...added] });
  }
  if (args.has("json")) {
    printDocument(terminal, "dustpan-import", {
      files: files.map(({ file, imported, added: own }) => ({
        ...{ file, format: imported.format, rules: imported.rules.length, added: own, skipped: imported.skipped },
      })),
      rules: added,
    });
    return;
  }
  for (const each of files) render(terminal, each, args.integer("top")!);
  if (args.has("dry-run")) terminal.err("nothing was written");
  else if (added.length > 0)
    terminal.err(`rules are in ${printable(rulesFile)}; "dustpan validate" says which of them hold`);
}

interface ImportedFile {
  readonly file: string;
  readonly imported: Imported;
  readonly added: number;
}

function render(terminal: Terminal, { file, imported, added }: ImportedFile, top: number): void {
  const { format, rules, skipped } = imported;
  const there = rules.length === added ? "" : `, ${count(rules.length - added)} of them there already`;
  terminal.out(`${printable(file)} (${format}): ${counted(rules.length, "rule")}${there}`);
  const reasons = new Map<string, string[]>();
  for (const { entry, why } of skipped) reasons.set(why, [...(reasons.get(why) ?? []), entry]);
  for (const [why, entries] of reasons) {
    const shown = top === 0 ? entries : entries.slice(0, top);
    terminal.out(`  no rule, ${why}: ${count(entries.length)}`);
    for (const entry of shown) terminal.out(`    ${printable(entry).slice(0, 160)}`);
    if (shown.length < entries.length) terminal.out(`    and ${count(entries.length - shown.length)} more (--top 0)`);
  }
}
