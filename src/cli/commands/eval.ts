/** `dustpan eval`: the papers' measures. */
import { existsSync } from "node:fs";
import { UserError } from "../../errors.js";
import { type EvalOptions, type EvalResult, evaluate, type TwoSnapshots } from "../../jobs/eval.js";
import { Workspace } from "../../store/workspace.js";
import { documentPages, printDocument } from "../document.js";
import { validateOptions } from "../fetching.js";
import { addInputs, openWorkspace } from "../inputs.js";
import type { Arguments } from "../parse.js";
import { renderMeasures } from "../render-measures.js";
import type { Session } from "../session.js";
import { count } from "../terminal.js";
import { mineOptions } from "./mine.js";

export async function run(args: Arguments, session: Session): Promise<undefined> {
  const { terminal, context } = session;
  const offline = args.texts("site").length === 0;
  if (!offline && args.inputs.length > 0) {
    throw new UserError(
      'eval --site needs a workspace, so that it can go on where it stopped: "dustpan add" the inputs',
    );
  }
  const two = twoLists(args, offline);
  const same = args.choice("test", ["other", "same"]) === "same";
  const options: EvalOptions = {
    mine: mineOptions(args),
    validate: validateOptions(args, offline),
    split: two?.snapshots ?? (same ? "same" : args.choice("split", ["auto", "time", "random"] as const)!),
    canon: {
      plan: args.choice("canon-plan", ["ours", "paper"])!,
      maxRounds: args.integer("max-rounds", 1)!,
    },
  };
  const workspace = two?.areFiles === true ? Workspace.inMemory() : await openWorkspace(args, session, true);
  if (two?.areFiles === true) {
    await addInputs(workspace, [two.train], two.snapshots.train, args, session, true);
    await addInputs(workspace, [two.judge], two.snapshots.judge, args, session, true);
  }
  const result: EvalResult = await evaluate(workspace, options, context);
  workspace.close();
  if (args.has("json")) {
    printDocument(terminal, "dustpan-eval", documentPages(terminal, result));
    return;
  }
  terminal.out(result.sites.map((site) => renderMeasures(terminal, site)).join("\n\n"));
  if (result.fetched !== undefined) terminal.err(`\n${count(result.fetched.requests)} requests`);
  if (result.stopped) terminal.err("the budget is used up: the same command with a larger --budget goes on from here");
}

/** `--train` and `--judge`: two files, or two snapshots of the workspace. */
interface TwoLists {
  readonly train: string;
  readonly judge: string;
  readonly areFiles: boolean;
  readonly snapshots: TwoSnapshots;
}

function twoLists(args: Arguments, offline: boolean): TwoLists | undefined {
  const [train, judge] = [args.text("train"), args.text("judge")];
  if (train === undefined && judge === undefined) return undefined;
  if (train === undefined || judge === undefined) {
    throw new UserError("--train and --judge come together: one list to find rules on, one to judge them by");
  }
  for (const flag of ["test", "split", "snapshot"]) {
    if (args.has(flag)) throw new UserError(`--${flag} divides one list; --train and --judge are two`);
  }
  const areFiles = existsSync(train) && existsSync(judge);
  if (!areFiles && (existsSync(train) || existsSync(judge))) {
    throw new UserError(`--train ${train} and --judge ${judge}: expected two files, or two snapshots of the workspace`);
  }
  if (areFiles && !offline) {
    throw new UserError(
      `eval --site needs a workspace: "dustpan add ${train} --snapshot train" and "dustpan add ${judge} --snapshot judge", then --train train --judge judge`,
    );
  }
  if (areFiles && args.inputs.length > 0) throw new UserError("--train and --judge are the inputs; give no others");
  return { train, judge, areFiles, snapshots: areFiles ? { train: "train", judge: "judge" } : { train, judge } };
}
