import type { JobContext } from "../model.js";
import { stopIfAborted } from "../progress.js";
import { mentions, type SqlEngine, type Step, type StepReport } from "./engine.js";

/**
 * Makes the tables of the steps, one after the other, and drops each of them once no later step reads it.
 * `results` stay.
 */
export async function runSteps(
  engine: SqlEngine,
  steps: readonly Step[],
  results: readonly string[],
  context: JobContext,
  onReport: (report: StepReport) => void = () => {},
): Promise<void> {
  // What a view that stays reads must stay, too.
  const isUnder = ({ name }: Step) => steps.some(({ as, select }) => as === "view" && mentions(select, name));
  const staying = [...results, ...steps.filter(isUnder).map(({ name }) => name)];
  for (const [done, step] of steps.entries()) {
    stopIfAborted(context, `stopped before step ${step.name}`);
    context.onProgress({ step: step.name, done, total: steps.length, unit: "steps" });
    const isReadOnce = !results.includes(step.name) && readings(step.name, steps) === 1;
    onReport(await engine.make(step, isReadOnce));
    for (const { name } of steps.slice(0, done + 1)) {
      const isRead = (later: Step) => mentions(later.select, name);
      if (staying.includes(name) || steps.slice(done + 1).some(isRead)) continue;
      if (name === step.name || mentions(step.select, name)) await engine.drop(name);
    }
  }
  context.onProgress({ step: steps.at(-1)?.name ?? "", done: steps.length, total: steps.length, unit: "steps" });
}

function readings(table: string, steps: readonly Step[]): number {
  const reading = new RegExp(`\\b(?:FROM|JOIN)\\s+${table}\\b`, "g");
  return steps.reduce((sum, { select }) => sum + (select.match(reading)?.length ?? 0), 0);
}

/** The steps as a script, for people who run them elsewhere. */
export function printSteps(title: string, steps: readonly Step[]): string {
  const statements = steps.map(
    ({ name, why, select, as }) => `-- ${why}\nCREATE ${as === "view" ? "VIEW" : "TABLE"} ${name} AS\n${select};`,
  );
  return [`-- ${title}; reads ${inputsOf(steps).join(", ")}, with the columns of docs/scale.md`, ...statements].join(
    "\n\n",
  );
}

/** The tables that steps read and do not make. */
function inputsOf(steps: readonly Step[]): string[] {
  const made = new Set(steps.map(({ name }) => name));
  const read = steps.flatMap(({ select }) =>
    [...select.matchAll(/\b(?:FROM|JOIN)\s+(\w+)/g)].map(([, table]) => table!),
  );
  return [...new Set(read)].filter((table) => !made.has(table));
}
