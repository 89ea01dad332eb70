/** `dustpan export`: the rules in the form that another program reads. */

import { writeFileSync } from "node:fs";
import { ruleStatuses } from "../../canon/file/rules-file.js";
import { UserError } from "../../errors.js";
import { type Exported, exportRules } from "../../export/export-rules.js";
import { describeCovers, describeLeftOut } from "../../export/plan.js";
import { exportUses, type Target } from "../../export/target.js";
import { exportTargets, findTarget } from "../../export/targets.js";
import { rulesFileBeside } from "../../store/beside.js";
import { readRulesFile } from "../../store/rules-on-disk.js";
import { printDocument } from "../document.js";
import type { Arguments } from "../parse.js";
import { certificateLines } from "../render-certificates.js";
import { droppedLines } from "../render-rules.js";
import type { Session } from "../session.js";
import { counted, printable, type Terminal, table } from "../terminal.js";

export async function run(args: Arguments, { terminal }: Session): Promise<undefined> {
  if (args.has("list")) {
    listTargets(args, terminal);
    return;
  }
  const name = args.text("to");
  if (name === undefined) throw new UserError('export needs --to TARGET; "dustpan export --list" names the targets');
  const target = findTarget(name);
  const file = readRulesFile(args.text("rules") ?? rulesFileBeside(args.text("workspace")!));
  const { rules } = file;
  const use = args.choice("as", exportUses);
  const status = args.choice("status", ruleStatuses);
  const exported = exportRules(rules, target, {
    ...(use !== undefined && { use }),
    ...(status !== undefined && { status }),
  });
  const output = args.text("output");
  if (output !== undefined) writeFileSync(output, exported.text);
  if (args.has("json")) printExported(terminal, target, exported, output);
  else if (output === undefined) await terminal.write(Buffer.from(exported.text, "utf8").toString("latin1"));
  remark(terminal, target, exported, output);
  for (const line of certificateLines(terminal, file, true)) terminal.err(line);
}

function remark(
  terminal: Terminal,
  { covers }: Target,
  { rules, leftOut, dropped }: Exported,
  output: string | undefined,
): void {
  for (const line of droppedLines(terminal, dropped)) terminal.err(line);
  if (rules.length + leftOut.length === 0) {
    terminal.err('no rule is proven or accepted: nothing is exported; see "dustpan rules list"');
    return;
  }
  const where = output === undefined ? "" : ` to ${printable(output)}`;
  terminal.err(`${counted(rules.length, "rule")} exported${where}`);
  if (covers !== undefined) terminal.err(describeCovers(covers));
  if (leftOut.length > 0) terminal.err("left out:");
  for (const each of leftOut) terminal.err(printable(describeLeftOut(each)));
}

function printExported(
  terminal: Terminal,
  target: Target,
  { use, rules, leftOut, dropped, text }: Exported,
  output: string | undefined,
): void {
  printDocument(terminal, "dustpan-export", {
    target: target.name,
    as: use,
    exported: rules.map(({ id }) => id),
    leftOut: leftOut.map(({ rule: { id }, reason }) => ({ id, reason })),
    dropped: dropped.map(({ id }) => id),
    ...(output === undefined ? { text } : { file: output }),
  });
}

function listTargets(args: Arguments, terminal: Terminal): void {
  if (args.has("json")) {
    const targets = exportTargets.map(({ name, title, expresses, uses, file }) => ({
      name,
      title,
      expresses,
      as: uses,
      file,
    }));
    printDocument(terminal, "dustpan-export-targets", { targets });
    return;
  }
  const rows = exportTargets.map(({ name, uses, title, expresses }) => [
    name,
    uses.join(", "),
    `${title}; ${expresses}`,
  ]);
  terminal.out(table([{ title: "target" }, { title: "as" }, { title: "what it is and can express" }], rows));
}
