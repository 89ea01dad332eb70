/**
 * Shared by the commands whose work on an engine is one operator over tables; loaded only if an engine was asked for.
 */
import { duckdbDialect, sparkDialect } from "../../engine/dialect.js";
import type { StepReport, Value } from "../../engine/engine.js";
import { printSteps } from "../../engine/run-steps.js";
import type { EngineChoice } from "../../jobs/engine/open-engine.js";
import { type OperatorResult, runOperator, type TableOperator } from "../../jobs/engine/table-operators.js";
import { printDocument } from "../document.js";
import type { Arguments } from "../parse.js";
import type { Session } from "../session.js";
import { count, printable, table } from "../terminal.js";
import { inputTables, renderSteps } from "./engine-flags.js";

export async function runTables(
  args: Arguments,
  { terminal, context }: Session,
  choice: EngineChoice,
  operator: TableOperator,
): Promise<undefined> {
  if (args.has("print-sql")) {
    const dialect = choice.engine === "spark" ? sparkDialect : duckdbDialect;
    terminal.out(printSteps(`dustpan ${args.command.name}, for ${dialect.name}`, operator.steps(dialect)));
    return;
  }
  const inputs = inputTables(args, operator.inputs);
  const reports: StepReport[] = [];
  const onReport = (report: StepReport) => reports.push(report);
  const result = await runOperator(operator, inputs, args.integer("top")!, choice, context, onReport);
  if (choice.keepSteps) terminal.err(`${renderSteps(reports)}\n`);
  if (args.has("json")) printDocument(terminal, `dustpan-${args.command.name}-tables`, { ...result });
  else terminal.out(render(result));
  if (choice.output !== undefined) terminal.err(`\nthe tables are in ${choice.output}`);
}

function render({ numbers, tables }: OperatorResult): string {
  const parts = [
    Object.entries(numbers)
      .map(([name, value]) => `${name}: ${cell(value)}`)
      .join("\n"),
  ];
  for (const { table: name, columns, rows } of tables) {
    const cells = rows.map((row) => columns.map((column) => cell(row[column] ?? null)));
    const heads = columns.map((title) => ({ title, right: rows.some((row) => typeof row[title] === "number") }));
    parts.push(`${name}\n${rows.length === 0 ? "nothing" : table(heads, cells)}`);
  }
  return parts.join("\n\n");
}

function cell(value: Value): string {
  if (typeof value !== "number") return printable(String(value ?? ""));
  return Number.isInteger(value) ? count(value) : value.toFixed(4);
}
