/** `dustpan report`: what was found, as one HTML file or as JSON. */
import { appendFileSync, existsSync, writeFileSync } from "node:fs";
import { collectReport, writeReport } from "../../jobs/report.js";
import type { DustRow } from "../../report/data.js";
import { csvOf, dustCells, dustHead } from "../../report/spreadsheet.js";
import { reportFileBeside, rulesFileBeside } from "../../store/beside.js";
import { readRulesFile } from "../../store/rules-on-disk.js";
import { replaceWhole } from "../../store/whole-file.js";
import { Workspace } from "../../store/workspace.js";
import { printDocument } from "../document.js";
import type { Arguments } from "../parse.js";
import type { Session } from "../session.js";

const ROWS_PER_WRITE = 1000;

/** Writes every URL that rules change to a spreadsheet. */
function openTable(file: string) {
  writeFileSync(file, csvOf([dustHead]));
  let rows: (string | number)[][] = [];
  const flush = () => {
    appendFileSync(file, csvOf(rows));
    rows = [];
  };
  return {
    flush,
    add: (row: DustRow) => {
      rows.push(dustCells(row));
      if (rows.length === ROWS_PER_WRITE) flush();
    },
  };
}

export async function run(args: Arguments, { terminal, context }: Session): Promise<void> {
  const workspace = Workspace.at(args.text("workspace")!);
  const rulesFile = args.text("rules") ?? rulesFileBeside(workspace.file);
  // A crawl that was searched for copies has something to report even without rules.
  const isMissing = args.text("rules") === undefined && !existsSync(rulesFile);
  const rules = isMissing ? { settings: {}, rules: [] } : readRulesFile(rulesFile);
  const snapshot = args.text("snapshot");
  const unmask = args.has("unmask");
  const output = args.text("output");
  const make = async (more: { readonly onDust?: (row: DustRow) => void }) => {
    const options = { ...{ unmask, rulesFile }, ...(snapshot !== undefined && { snapshot }), ...more };
    const file = output ?? reportFileBeside(workspace.file);
    if (args.has("json") && output === undefined) {
      printDocument(terminal, "dustpan-report", await collectReport(workspace, rules, options, context));
      return;
    }
    const data = await writeReport(workspace, rules, file, options, context);
    if (args.has("json")) printDocument(terminal, "dustpan-report", data);
    else terminal.out(file);
  };
  const table = args.text("table");
  if (table === undefined) return make({});
  await replaceWhole(table, async (draft) => {
    const rows = openTable(draft);
    await make({ onDust: rows.add });
    rows.flush();
  });
}
