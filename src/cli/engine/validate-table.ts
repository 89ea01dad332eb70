/** `dustpan validate --engine`: rules against a table of URLs with digests; loaded only if an engine was asked for. */
import { duckdbDialect, sparkDialect } from "../../engine/dialect.js";
import type { StepReport } from "../../engine/engine.js";
import { printSteps } from "../../engine/run-steps.js";
import { UserError } from "../../errors.js";
import { printedInputSteps } from "../../jobs/engine/mine-engine.js";
import type { EngineChoice } from "../../jobs/engine/open-engine.js";
import { type TableValidation, validateInput, validationSteps } from "../../jobs/engine/validate-engine.js";
import { rulesFileBeside } from "../../store/beside.js";
import { readRulesFile, writeRulesFile } from "../../store/rules-on-disk.js";
import { printDocument } from "../document.js";
import type { Arguments } from "../parse.js";
import { describeRule, documentRules } from "../render-rules.js";
import type { Session } from "../session.js";
import { count, counted, type Terminal, table } from "../terminal.js";
import { inputTables, renderSteps } from "./engine-flags.js";

export async function validateTable(
  args: Arguments,
  { terminal, context }: Session,
  choice: EngineChoice,
): Promise<undefined> {
  const unfit = ["site", "offline", "dry-run"].find((name) => args.has(name));
  if (unfit !== undefined) throw new UserError(`--${unfit} fetches or reads the workspace, and --engine does neither`);
  const file = args.text("rules") ?? rulesFileBeside(args.text("workspace")!);
  const before = readRulesFile(file);
  const input = inputTables(args, ["urls"]).urls;
  const snapshot = args.text("snapshot");
  const ofSnapshot = snapshot === undefined ? {} : { snapshot };
  if (args.has("print-sql")) {
    const dialect = choice.engine === "spark" ? sparkDialect : duckdbDialect;
    const inputSteps = input === undefined ? [] : await printedInputSteps(input, ofSnapshot, choice, context);
    const steps = [...inputSteps, ...validationSteps(dialect, before.rules)];
    terminal.out(printSteps(`dustpan validate, for ${dialect.name}`, steps));
    return;
  }
  if (input === undefined) throw new UserError("validate --engine needs --input, a table of URLs with content digests");
  const options = {
    ...ofSnapshot,
    epsilon: args.number("epsilon", 0, 1)!,
    now: () => new Date(),
  };
  const reports: StepReport[] = [];
  const onReport = (report: StepReport) => reports.push(report);
  const result = await validateInput(input, before.rules, options, choice, context, onReport);
  if (choice.keepSteps) terminal.err(`${renderSteps(reports)}\n`);
  writeRulesFile(file, { ...before, rules: result.rules });
  if (args.has("json")) {
    const verdicts = result.verdicts.map(({ rule, ...counts }) => ({ id: rule.id, status: rule.status, ...counts }));
    const rules = documentRules(terminal, result.rules);
    printDocument(terminal, "dustpan-validate-digests", { rules, verdicts, untried: result.untried });
    return;
  }
  terminal.out(render(terminal, result));
  terminal.err(`\nrules are in ${file}`);
}

/** Beyond this many, the rules file has the rest. */
const SHOWN = 30;

function render(terminal: Terminal, { verdicts, untried }: TableValidation): string {
  const right = (title: string) => ({ title, right: true });
  const shown = [...verdicts].sort((a, b) => b.alike - a.alike || b.merges - a.merges).slice(0, SHOWN);
  const rows = shown.map(({ rule, changed, merges, alike, different, unknown }) => [
    rule.status,
    ...[changed, merges, alike, different, unknown].map(count),
    describeRule(terminal, rule),
  ]);
  const heads = [
    { title: "" },
    ...["changes", "merges", "alike", "different", "unknown"].map(right),
    { title: "rule" },
  ];
  const proven = verdicts.filter(({ rule }) => rule.status === "valid").length;
  return [
    `${counted(verdicts.length, "rule")} tried by digest: ${count(proven)} proven`,
    "",
    table(heads, rows),
    ...(verdicts.length > SHOWN ? [`... and ${count(verdicts.length - SHOWN)} more in the rules file`] : []),
    ...(untried > 0
      ? [
          `${counted(untried, "rule")} not tried: engines apply substrings that shrink and dropped parameters, to whole sites`,
        ]
      : []),
  ].join("\n");
}
