/** `dustpan export`: the rules in the form that another program reads. */

import { createWriteStream } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { withAliases } from "../../canon/aliases.js";
import { asTheyAre, type Canonizer, compile } from "../../canon/compile.js";
import { rulesInUse } from "../../canon/cycles.js";
import { ruleStatuses } from "../../canon/file/rules-file.js";
import { UserError } from "../../errors.js";
import { describeAliasLeftOut, describeDoubt, type Exported, exportRules } from "../../export/export-rules.js";
import { exportUrls } from "../../export/export-urls.js";
import { describeCovers, describeLeftOut } from "../../export/plan.js";
import { exportUses, type Target } from "../../export/target.js";
import { exportTargets, findTarget } from "../../export/targets.js";
import { type UrlTarget, urlTargets } from "../../export/url-targets.js";
import type { RuleStatus } from "../../model.js";
import { rulesFileBeside } from "../../store/beside.js";
import { PRIVATE_FILE } from "../../store/private.js";
import { readRulesFile } from "../../store/rules-on-disk.js";
import { replaceWhole, writeWhole } from "../../store/whole-file.js";
import { uncertifiedSites } from "../../validate/certificate-state.js";
import { documentPages, printDocument } from "../document.js";
import { openWorkspace } from "../inputs.js";
import type { Arguments } from "../parse.js";
import { droppedLines } from "../render-rules.js";
import { readAliases } from "../rules-flag.js";
import type { Session } from "../session.js";
import { counted, paint, printable, type Terminal, table } from "../terminal.js";

export async function run(args: Arguments, session: Session): Promise<undefined> {
  const { terminal } = session;
  const name = args.text("to");
  if (args.has("list")) {
    if (name !== undefined || args.inputs.length > 0)
      throw new UserError("--list: names all targets, and writes nothing");
    listTargets(args, terminal);
    return;
  }
  if (name === undefined) throw new UserError('export needs --to TARGET; "dustpan export --list" names the targets');
  const file = readRulesFile(args.text("rules") ?? rulesFileBeside(args.text("workspace")!));
  const { rules } = file;
  const table = await readAliases(args, terminal);
  const urlTarget = urlTargets.find((each) => each.name === name);
  if (urlTarget !== undefined) {
    const canon = compile(rulesInUse(rules).rules, { use: asTheyAre });
    const doubts = uncertifiedSites(file).map(({ site, text }) => describeDoubt(site, text));
    await writeUrls(args, session, urlTarget, table === undefined ? canon : withAliases(canon, table), doubts);
    return;
  }
  const target = findTarget(name);
  refuseUrlFlags(args, target);
  const use = args.choice("as", exportUses);
  const status = args.choice("status", ruleStatuses);
  const exported = exportRules(rules, target, {
    ...(use !== undefined && { use }),
    ...(status !== undefined && { status }),
    ...(table !== undefined && { aliases: table.pairs() }),
    ...(file.certificates !== undefined && { certificates: file.certificates }),
  });
  const output = args.text("output");
  if (output !== undefined) writeWhole(output, exported.text);
  if (args.has("json")) printExported(terminal, target, exported, output);
  else if (output === undefined) await terminal.write(Buffer.from(exported.text, "utf8").toString("latin1"));
  remark(terminal, target, exported, output, status);
}

/** Refuses flags that only files of URLs have. */
function refuseUrlFlags(args: Arguments, { name }: Target): void {
  const given = args.inputs.length > 0 ? "INPUT" : args.text("host") !== undefined ? "--host" : undefined;
  if (given === undefined) return;
  const names = urlTargets.map((each) => each.name).join(" and ");
  throw new UserError(`${given}: ${name} is made of rules alone; ${names} are made of URLs`);
}

async function writeUrls(
  args: Arguments,
  session: Session,
  target: UrlTarget,
  canon: Canonizer,
  doubts: readonly string[],
): Promise<void> {
  const { terminal, context } = session;
  for (const flag of ["as", "status"]) {
    if (args.text(flag) !== undefined) throw new UserError(`--${flag}: ${target.name} has the rules in use, for URLs`);
  }
  const workspace = await openWorkspace(args, session, false);
  try {
    const output = args.text("output");
    const host = args.text("host");
    const snapshot = args.text("snapshot");
    const { files, urls, secrets } = await exportUrls(
      workspace,
      target,
      {
        ...{ canon, doubts, file: path.basename(output ?? target.file) },
        ...(host !== undefined && { host: host.toLowerCase() }),
        ...(snapshot !== undefined && { snapshot }),
      },
      context,
    );
    if (output === undefined && (files.length > 1 || args.has("json"))) {
      throw new UserError(`--to ${target.name}: name the first of ${counted(files.length, "file")} with -o`);
    }
    for (const { name, pieces } of files) {
      if (output === undefined) for (const piece of pieces) await terminal.write(Buffer.from(piece).toString("latin1"));
      else {
        const whole = path.join(path.dirname(output), name);
        const access = target.isPrivate ? { mode: PRIVATE_FILE } : {};
        await replaceWhole(whole, (draft) => pipeline(Readable.from(pieces), createWriteStream(draft, access)));
      }
    }
    const names = output === undefined ? [] : files.map(({ name }) => name);
    if (args.has("json")) {
      printDocument(terminal, "dustpan-export-urls", { target: target.name, urls, secrets, files: names });
    }
    const where = output === undefined ? "" : `, in ${printable(names.join(", "))}`;
    terminal.err(`${counted(urls, "URL")} by canonical URLs${where}`);
    if (secrets > 0) terminal.err(`${counted(secrets, "URL")} left out: an action, or a token in the URL`);
    for (const doubt of doubts) terminal.err(paint(terminal, "yellow", printable(doubt)));
  } finally {
    workspace.close();
  }
}

function remark(
  terminal: Terminal,
  { covers }: Target,
  { rules, leftOut, dropped, aliases, aliasesLeftOut, doubts }: Exported,
  output: string | undefined,
  status: RuleStatus | undefined,
): void {
  for (const line of droppedLines(terminal, dropped)) terminal.err(line);
  const where = output === undefined ? "" : ` to ${printable(output)}`;
  const pairs = aliases.length === 0 ? "" : ` and ${counted(aliases.length, "alias", "aliases")}`;
  terminal.err(`${counted(rules.length, "rule")}${pairs} exported${where}`);
  if (rules.length + leftOut.length === 0) {
    terminal.err(`no rule is ${status ?? "proven or accepted"}; "dustpan rules list" shows what is known of each`);
  }
  for (const doubt of doubts) terminal.err(paint(terminal, "yellow", printable(doubt)));
  if (covers !== undefined) terminal.err(describeCovers(covers));
  if (leftOut.length > 0) terminal.err("left out:");
  for (const each of leftOut) terminal.err(printable(describeLeftOut(each)));
  if (aliasesLeftOut.length > 0) terminal.err("aliases left out:");
  for (const each of aliasesLeftOut) terminal.err(printable(describeAliasLeftOut(each)));
}

function printExported(
  terminal: Terminal,
  target: Target,
  { use, rules, leftOut, dropped, aliases, aliasesLeftOut, doubts, text }: Exported,
  output: string | undefined,
): void {
  printDocument(terminal, "dustpan-export", {
    target: target.name,
    as: use,
    exported: rules.map(({ id }) => id),
    leftOut: leftOut.map(({ rule: { id }, reason }) => ({ id, reason })),
    dropped: dropped.map(({ id }) => id),
    doubts,
    aliases: aliases.length,
    aliasesLeftOut: documentPages(
      terminal,
      aliasesLeftOut.map(({ alias: { from }, reason }) => ({ from, reason })),
    ),
    ...(output === undefined ? { text } : { file: output }),
  });
}

function listTargets(args: Arguments, terminal: Terminal): void {
  if (args.has("json")) {
    const targets = [
      ...exportTargets.map(({ name, title, expresses, uses, file, noTable }) => ({
        ...{ name, title, expresses, as: uses, file, aliases: noTable === undefined },
      })),
      ...urlTargets.map(({ name, title, expresses, file }) => ({
        ...{ name, title, expresses, as: ["key"] as const, file, aliases: true },
      })),
    ];
    printDocument(terminal, "dustpan-export-targets", { targets });
    return;
  }
  const words = ({ title, expresses }: Target | UrlTarget, noTable?: string) =>
    `${title}; ${expresses}; ${noTable === undefined ? "--aliases" : `no --aliases: ${noTable}`}`;
  const rows = [
    ...exportTargets.map((each) => [each.name, each.uses.join(", "), words(each, each.noTable)]),
    ...urlTargets.map((each) => [each.name, "key", words(each)]),
  ];
  terminal.out(table([{ title: "target" }, { title: "as" }, { title: "what it is and can express" }], rows));
}
