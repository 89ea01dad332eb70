/** `dustpan canon`: URLs in, canonical URLs out. */
import { existsSync, fstatSync } from "node:fs";
import { withAliases } from "../../canon/aliases.js";
import { asTheyAre, type Canonizer, compile, type Explanation } from "../../canon/compile.js";
import { findCycles, rulesInUse } from "../../canon/cycles.js";
import { usableIfTrusted, usableRule } from "../../canon/kinds.js";
import { UserError } from "../../errors.js";
import { expandInputs } from "../../input/expand.js";
import { openCanon } from "../../jobs/canon.js";
import type { Rule, StringColumn } from "../../model.js";
import { rulesFileBeside } from "../../store/beside.js";
import { readRulesFile } from "../../store/rules-on-disk.js";
import { columnOf } from "../../string-column.js";
import type { CanonizedUrl } from "../command-documents.js";
import { printDocument } from "../document.js";
import type { Arguments } from "../parse.js";
import { doubtLines } from "../render-certificates.js";
import { describeRule, droppedLines } from "../render-rules.js";
import { readAliases } from "../rules-flag.js";
import type { Session } from "../session.js";
import { shownUrl } from "../shown-url.js";
import { count, counted, paint, printable, type Terminal } from "../terminal.js";

export async function run(args: Arguments, { terminal, context }: Session): Promise<undefined> {
  const column = args.text("column");
  if (args.inputs.length === 0 && column !== undefined) {
    throw new UserError("--column needs a FILE: the URLs of the workspace are in no table");
  }
  const canon = await openAliases(args, terminal, openRules(args, terminal));
  const output = args.text("output");
  if (output !== undefined || /\.parquet$/i.test(args.inputs[0] ?? "")) {
    await canonTables(args, canon, output, terminal, context.signal);
    return;
  }
  const explain = args.has("explain");
  const json = args.has("json");
  let items = 0;
  const job = openCanon(
    canon,
    {
      dedupe: args.has("dedupe"),
      signal: context.signal,
      ...(column !== undefined && { column }),
      ...(json && { describe: (url, found) => asItem(items++ === 0, url, found, explain) }),
      ...(explain && !json && { describe: (url, found) => asText(terminal, url, found) }),
    },
    terminal.write,
  );
  // A document with an entry for each URL may be larger than memory, so it is written as it grows.
  if (json) await terminal.write('{ "format": "dustpan-canon", "version": 1, "urls": [');
  if (args.inputs.length === 0) {
    if (isPipedInto()) terminal.err('these are the URLs of the workspace; "dustpan canon -" reads what is piped in');
    await job.list(await readWorkspace(args));
  }
  for (const name of args.inputs) {
    if (isUrl(name)) await job.list(columnOf([name]));
    else for (const file of expandInputs([name])) await job.file(file);
  }
  const { notUrls } = job.counts;
  const { count: unsettled, samples } = job.unsettled;
  if (json) await terminal.write(`\n], "counts": ${JSON.stringify({ ...job.counts, unsettled })} }\n`);
  if (notUrls > 0) {
    const of = `${count(notUrls)} of ${count(job.counts.records)} records`;
    terminal.err(
      column === undefined
        ? `${of} are not URLs and stay as they are; for a table or JSON lines, name the --column`
        : `${of} have no URL in "${printable(column)}" and stay as they are`,
    );
  }
  if (unsettled > 0) {
    terminal.err(
      `${counted(unsettled, "URL")} ${unsettled === 1 ? "does" : "do"} not settle under these rules and ${unsettled === 1 ? "stays as it is" : "stay as they are"}, such as ${shownUrl(terminal, samples[0]!)}`,
    );
  }
}

/** Whoever writes "... | dustpan canon" means these URLs, and would not notice that others came out. */
function isPipedInto(): boolean {
  try {
    const stdin = fstatSync(0);
    return stdin.isFIFO() || stdin.isFile();
  } catch {
    return false;
  }
}

/** Anything with a scheme is a URL, unless there is a file of that name. */
function isUrl(name: string): boolean {
  return name.includes("://") && !existsSync(name);
}

async function canonTables(
  args: Arguments,
  canon: Canonizer,
  output: string | undefined,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<void> {
  const [file, ...more] = args.inputs;
  if (output === undefined) throw new UserError(`${file} is a table: name the one to write with --output`);
  if (file === undefined || more.length > 0 || args.has("explain")) {
    throw new UserError("--output takes one table, and no --explain");
  }
  const column = args.text("column");
  const { canonTable } = await import("../../jobs/canon/canon-table.js");
  const counts = await canonTable(canon, file, {
    ...{ dedupe: args.has("dedupe"), output, signal },
    ...(column !== undefined && { column }),
  });
  if (args.has("json")) printDocument(terminal, "dustpan-canon", { output, counts });
  else {
    terminal.err(
      `${count(counts.records)} rows, ${count(counts.changed)} URLs changed, ${count(counts.repeated)} left out as repeated, ${count(counts.notUrls)} without a URL; in ${printable(output)}`,
    );
  }
}

/** The engine takes longer to load than a short list takes to canonize. */
async function readWorkspace(args: Arguments): Promise<StringColumn> {
  const { Workspace } = await import("../../store/workspace.js");
  const { readUrls } = await import("../../store/urls/url-lists.js");
  return readUrls(Workspace.at(args.text("workspace")!), { by: "all" }, args.text("snapshot"));
}

function openRules(args: Arguments, terminal: Terminal): Canonizer {
  const file = readRulesFile(args.text("rules") ?? rulesFileBeside(args.text("workspace")!));
  const { rules } = file;
  const use = args.has("trust-site") ? usableIfTrusted : usableRule;
  const { rules: used, dropped } = rulesInUse(rules, use);
  for (const line of doubtLines(terminal, file, use, used)) terminal.err(line);
  const plan = args.choice("plan", ["ours", "paper"])!;
  const maxRounds = args.integer("max-rounds", 1)!;
  if (plan === "paper") return compile(rules, { plan, maxRounds });
  if (used.length === 0) terminal.err('no rule is proven or accepted: URLs stay as they are; see "dustpan rules list"');
  const undone = (rule: Rule) => findCycles([...used, rule])[0]?.filter((other) => other !== rule) ?? [];
  for (const line of droppedLines(terminal, dropped, undone)) terminal.err(line);
  return compile(used, { maxRounds, use: asTheyAre });
}

async function openAliases(args: Arguments, terminal: Terminal, canon: Canonizer): Promise<Canonizer> {
  const table = await readAliases(args, terminal);
  return table === undefined ? canon : withAliases(canon, table);
}

function asText(terminal: Terminal, url: string, { steps, isSettled, alias }: Explanation): string {
  const lines = steps.map(
    ({ rule, after }) => `  ${printable(after)}  ${paint(terminal, "dim", rule.id)} ${describeRule(terminal, rule)}\n`,
  );
  if (alias !== undefined) lines.push(`  ${printable(alias.after)}  ${paint(terminal, "dim", "alias")}\n`);
  if (!isSettled) lines.push("  it does not settle under these rules, and stays as it is\n");
  return `${printable(url)}\n${lines.join("")}`;
}

function asItem(
  isFirst: boolean,
  url: string,
  { url: canonical, steps, isSettled, alias }: Explanation,
  all: boolean,
): string {
  const shown = steps.map(({ rule, before, after }) => ({ rule: rule.id, before, after }));
  const item: CanonizedUrl = {
    url,
    canonical,
    ...(all && { steps: shown, ...(alias && { alias }) }),
    ...(!isSettled && { isSettled }),
  };
  return `${isFirst ? "" : ","}\n${JSON.stringify(item)}`;
}
