/** What the commands have in common whose work on an engine is one operator over tables. */
import { duckdbDialect, sparkDialect } from "../engine/dialect.js";
import { printSteps } from "../engine/run-steps.js";
import type { EngineChoice } from "../jobs/engine.js";
import { type OperatorResult, runOperator, type TableOperator } from "../jobs/table-operators.js";
import { printDocument } from "./document.js";
import { inputTables } from "./engine.js";
import type { Arguments } from "./parse.js";
import type { Session } from "./session.js";
import { printable, type Terminal, table } from "./terminal.js";

export async function runTables(
  args: Arguments,
  { terminal, signal }: Session,
  choice: EngineChoice,
  operator: TableOperator,
): Promise<undefined> {
  if (args.has("print-sql")) {
    const dialect = choice.engine === "spark" ? sparkDialect : duckdbDialect;
    terminal.out(printSteps(`dustpan ${args.command.name}, for ${dialect.name}`, operator.steps(dialect)));
    return;
  }
  const inputs = inputTables(args, operator.inputs);
  const context = { onProgress: terminal.progress, signal };
  const result = await runOperator(operator, inputs, args.integer("top")!, choice, context);
  if (args.has("json")) printDocument(terminal, `dustpan-${args.command.name}-tables`, { ...result });
  else terminal.out(render(terminal, result));
  if (choice.output !== undefined) terminal.err(`\nthe tables are in ${choice.output}`);
}

function render(_terminal: Terminal, { summary, tables }: OperatorResult): string {
  const parts = [JSON.stringify(summary, undefined, 2)];
  for (const { table: name, columns, rows } of tables) {
    const cells = rows.map((row) => columns.map((column) => printable(String(row[column] ?? ""))));
    parts.push(
      `${name}\n${
        rows.length === 0
          ? "nothing"
          : table(
              columns.map((title) => ({ title })),
              cells,
            )
      }`,
    );
  }
  return parts.join("\n\n");
}
