import type { JobContext } from "../model.js";
import { stopIfAborted } from "../progress.js";
import { mentions, type SqlEngine, type Step, type StepReport } from "./engine.js";

/**
 * Makes the tables of the steps, one after the other, and lets go of each table of theirs once no later step reads it.
 * `results` stay.
 */
export async function runSteps(
  engine: SqlEngine,
  steps: readonly Step[],
  results: readonly string[],
  context: JobContext,
  onReport: (report: StepReport) => void = () => {},
): Promise<void> {
  for (const [done, step] of steps.entries()) {
    stopIfAborted(context, `stopped before step ${step.name}`);
    context.onProgress({ step: step.name, done, total: steps.length, unit: "steps" });
    onReport(await engine.make(step));
    for (const { name } of steps.slice(0, done + 1)) {
      const isRead = (later: Step) => mentions(later.select, name);
      if (results.includes(name) || steps.slice(done + 1).some(isRead)) continue;
      if (name === step.name || mentions(step.select, name)) await engine.drop(name);
    }
  }
  context.onProgress({ step: steps.at(-1)?.name ?? "", done: steps.length, total: steps.length, unit: "steps" });
}

/** The steps as a script, for people who run them elsewhere. */
export function printSteps(title: string, steps: readonly Step[]): string {
  const statements = steps.map(({ name, why, select }) => `-- ${why}\nCREATE TABLE ${name} AS\n${select};`);
  return [`-- ${title}`, ...statements].join("\n\n");
}
