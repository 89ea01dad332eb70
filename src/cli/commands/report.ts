/** `dustpan report`: what was found, as one HTML file or as JSON. */
import { appendFileSync, existsSync, renameSync, writeFileSync } from "node:fs";
import { describeRule } from "../../canon/describe.js";
import { collectReport, writeReport } from "../../jobs/report.js";
import type { Rule } from "../../model.js";
import { csvOf, urlHead } from "../../report/spreadsheet.js";
import { reportFileBeside, rulesFileBeside } from "../../store/beside.js";
import { readRulesFile } from "../../store/rules-on-disk.js";
import { Workspace } from "../../store/workspace.js";
import { maskSecrets } from "../../url/mask.js";
import { printDocument } from "../document.js";
import type { Arguments } from "../parse.js";
import type { Session } from "../session.js";

const ROWS_PER_WRITE = 1000;

/** Every URL that rules change, as a spreadsheet that is there whole or not at all. */
function openTable(file: string, unmask: boolean) {
  const draft = `${file}.part`;
  writeFileSync(draft, csvOf([urlHead]));
  let rows: (string | number)[][] = [];
  const flush = () => {
    appendFileSync(draft, csvOf(rows));
    rows = [];
  };
  const mask = unmask ? (text: string) => text : maskSecrets;
  return {
    add: (url: string, canonical: string, rules: readonly Rule[], requests: number) => {
      rows.push([mask(url), mask(canonical), mask(rules.map(describeRule).join("; ")), requests]);
      if (rows.length === ROWS_PER_WRITE) flush();
    },
    close: () => {
      flush();
      renameSync(draft, file);
    },
  };
}

export async function run(args: Arguments, { terminal, signal }: Session): Promise<undefined> {
  const workspace = Workspace.at(args.text("workspace")!);
  const rulesFile = args.text("rules") ?? rulesFileBeside(workspace.file);
  // A crawl whose copies were looked for has something to tell without any rule.
  const isMissing = args.text("rules") === undefined && !existsSync(rulesFile);
  const rules = isMissing ? { settings: {}, rules: [] } : readRulesFile(rulesFile);
  const snapshot = args.text("snapshot");
  const unmask = args.has("unmask");
  const table = args.text("table") === undefined ? undefined : openTable(args.text("table")!, unmask);
  const options = {
    ...{ unmask, rulesFile },
    ...(snapshot !== undefined && { snapshot }),
    ...(table !== undefined && { onDust: table.add }),
  };
  const context = { onProgress: terminal.progress, signal };
  const output = args.text("output");
  if (args.has("json") && output === undefined) {
    printDocument(terminal, "dustpan-report", await collectReport(workspace, rules, options, context));
    table?.close();
    return;
  }
  const file = output ?? reportFileBeside(workspace.file);
  const data = await writeReport(workspace, rules, file, options, context);
  table?.close();
  if (args.has("json")) printDocument(terminal, "dustpan-report", data);
  else terminal.out(file);
}
