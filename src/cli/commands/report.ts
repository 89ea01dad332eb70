/** `dustpan report`: what was found, as one HTML file or as JSON. */
import { existsSync } from "node:fs";
import { collectReport, writeReport } from "../../jobs/report.js";
import { reportFileBeside, rulesFileBeside } from "../../store/beside.js";
import { readRulesFile } from "../../store/rules-on-disk.js";
import { Workspace } from "../../store/workspace.js";
import { printDocument } from "../document.js";
import type { Arguments } from "../parse.js";
import type { Session } from "../session.js";

export async function run(args: Arguments, { terminal, signal }: Session): Promise<undefined> {
  const workspace = Workspace.at(args.text("workspace")!);
  const rulesFile = args.text("rules") ?? rulesFileBeside(workspace.file);
  // A crawl whose copies were looked for has something to tell without any rule.
  const isMissing = args.text("rules") === undefined && !existsSync(rulesFile);
  const rules = isMissing ? { settings: {}, rules: [] } : readRulesFile(rulesFile);
  const snapshot = args.text("snapshot");
  const options = { unmask: args.has("unmask"), rulesFile, ...(snapshot !== undefined && { snapshot }) };
  const context = { onProgress: terminal.progress, signal };
  const output = args.text("output");
  if (args.has("json") && output === undefined) {
    printDocument(terminal, "dustpan-report", await collectReport(workspace, rules, options, context));
    return;
  }
  const file = output ?? reportFileBeside(workspace.file);
  const data = await writeReport(workspace, rules, file, options, context);
  if (args.has("json")) printDocument(terminal, "dustpan-report", data);
  else terminal.out(file);
}
