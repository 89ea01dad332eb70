/** `dustpan validate`: proves or refutes rules on the live site or on known pages. */
import { UserError } from "../../errors.js";
import { pickCertified, planValidation, validate } from "../../jobs/validate.js";
import { measureSavings } from "../../report/savings.js";
import { rulesFileBeside } from "../../store/beside.js";
import { readRulesFile, writeRulesFile } from "../../store/rules-on-disk.js";
import { Workspace } from "../../store/workspace.js";
import { documentPlan, printDocument } from "../document.js";
import { engineChoice } from "../engine/engine-flags.js";
import { validateOptions } from "../fetching.js";
import type { Arguments } from "../parse.js";
import { documentRules } from "../render-rules.js";
import { renderPlan, renderSavings, renderVerdicts } from "../render-verdicts.js";
import type { Session } from "../session.js";
import { printable } from "../terminal.js";

export async function run(args: Arguments, session: Session): Promise<undefined> {
  const { terminal, context } = session;
  const engine = engineChoice(args);
  if (engine !== undefined) {
    const { validateTable } = await import("../engine/validate-table.js");
    return validateTable(args, session, engine);
  }
  const offline = args.has("offline");
  if (!offline && args.texts("site").length === 0) {
    throw new UserError(
      "validate needs to know where it may fetch: --site example.com, or --offline for the pages in the workspace",
    );
  }
  const options = validateOptions(args, offline);
  const workspace = Workspace.at(args.text("workspace")!);
  const file = args.text("rules") ?? rulesFileBeside(workspace.file);
  const { settings, rules } = readRulesFile(file);
  if (args.has("dry-run")) {
    const plan = await planValidation(workspace, rules, options);
    if (args.has("json")) printDocument(terminal, "dustpan-validate-plan", documentPlan(terminal, plan));
    else terminal.out(renderPlan(terminal, plan));
    return;
  }
  const result = await validate(workspace, rules, options, context);
  if (result.unseen !== undefined) throw new UserError(printable(result.unseen));
  writeRulesFile(file, { settings, ...pickCertified(result) });
  const savings = await measureSavings(workspace, result.rules, options.snapshot, context);
  if (args.has("json")) {
    const { draws, ...rest } = result;
    const shown = documentRules(terminal, result.rules);
    printDocument(terminal, "dustpan-validate", { ...rest, rules: shown, draws: draws.length, savings });
    return;
  }
  terminal.out(renderVerdicts(terminal, result));
  terminal.out(renderSavings(terminal, savings));
  terminal.err(`\nrules are in ${file}`);
}
