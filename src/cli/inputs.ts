/** The inputs of a command: how they are read, and the workspace that they go into. */
import { UserError } from "../errors.js";
import { originOf } from "../input/base-origin.js";
import type { InputSettings, ReadOptions } from "../input/read-source.js";
import { add } from "../jobs/add.js";
import { DEFAULT_SNAPSHOT } from "../model.js";
import { Workspace } from "../store/workspace.js";
import { ALL_NORMALIZATION_STEPS, allSteps, type NormalizationStep, normalizationMask } from "../url/normalize.js";
import type { Arguments } from "./parse.js";
import { describeDamage } from "./render-inputs.js";
import type { Session } from "./session.js";

/** The flags that say how inputs are read. */
export function readOptions(args: Arguments): InputSettings & Pick<ReadOptions, "strict"> {
  const format = args.text("format");
  const logFormat = args.text("log-format");
  if (format !== undefined && logFormat !== undefined) {
    throw new UserError("--format and --log-format cannot be given together: the second describes a format of its own");
  }
  const base = args.text("base");
  const column = args.text("column");
  const kept = args.texts("keep");
  return {
    ...(format !== undefined && { format }),
    ...(logFormat !== undefined && { logFormat }),
    ...(base !== undefined && { base: originOf(base, "--base") }),
    ...(column !== undefined && { column }),
    ...(kept.length > 0 && { steps: ALL_NORMALIZATION_STEPS & ~normalizationMask(kept.map(stepOf)) }),
    strict: args.has("strict"),
  };
}

function stepOf(name: string): NormalizationStep {
  const step = allSteps.find((known) => known === name);
  if (step === undefined) throw new UserError(`--keep ${name}: expected one of ${allSteps.join(", ")}`);
  return step;
}

/** The workspace that a command works on: the named one, or one in memory with the inputs that it was given. */
export async function openWorkspace(args: Arguments, session: Session, text: boolean): Promise<Workspace> {
  if (args.inputs.length === 0) return Workspace.at(args.text("workspace")!);
  const workspace = Workspace.inMemory();
  await addInputs(workspace, args.inputs, args.text("snapshot") ?? DEFAULT_SNAPSHOT, args, session, text);
  return workspace;
}

/** Reads inputs into a snapshot, and says what is damaged in them. */
export async function addInputs(
  workspace: Workspace,
  inputs: readonly string[],
  snapshot: string,
  args: Arguments,
  { terminal, context }: Session,
  text: boolean,
): Promise<void> {
  await add(
    workspace,
    inputs,
    { ...readOptions(args), snapshot, text },
    ({ damage }) => {
      for (const entry of damage) terminal.err(describeDamage(terminal, entry).join("\n"));
    },
    context,
  );
}
