/** `dustpan eval`: the papers' measures. */
import { UserError } from "../../errors.js";
import { type EvalResult, evaluate } from "../../jobs/eval.js";
import { printDocument } from "../document.js";
import { validateOptions } from "../fetching.js";
import { openWorkspace } from "../inputs.js";
import type { Arguments } from "../parse.js";
import { renderMeasures } from "../render-measures.js";
import type { Session } from "../session.js";
import { count } from "../terminal.js";
import { mineOptions } from "./mine.js";

export async function run(args: Arguments, session: Session): Promise<undefined> {
  const { terminal, signal } = session;
  const offline = args.texts("site").length === 0;
  if (!offline && args.inputs.length > 0) {
    throw new UserError(
      'eval --site needs a workspace, so that it can go on where it stopped: "dustpan add" the inputs',
    );
  }
  const same = args.choice("test", ["other", "same"]) === "same";
  const options = {
    mine: mineOptions(args),
    validate: validateOptions(args, offline),
    split: same ? ("same" as const) : args.choice("split", ["auto", "time", "random"])!,
    canon: {
      plan: args.choice("canon-plan", ["ours", "paper"])!,
      maxRounds: args.integer("max-rounds", 1)!,
    },
  };
  const workspace = await openWorkspace(args, session, true);
  const result: EvalResult = await evaluate(workspace, options, { onProgress: terminal.progress, signal });
  workspace.close();
  if (args.has("json")) {
    printDocument(terminal, "dustpan-eval", result);
    return;
  }
  terminal.out(result.sites.map((site) => renderMeasures(terminal, site)).join("\n\n"));
  if (result.fetched !== undefined) terminal.err(`\n${count(result.fetched.requests)} requests`);
  if (result.stopped) terminal.err("the budget is used up: the same command with a larger --budget goes on from here");
}
