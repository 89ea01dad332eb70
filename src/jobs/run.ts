/** `run`: the main job, from inputs to proven rules and a report. */
import { existsSync } from "node:fs";
import { rulesInUse } from "../canon/cycles.js";
import { UserError } from "../errors.js";
import type { JobContext } from "../model.js";
import { type Savings, savingsInReport } from "../report/savings.js";
import { readRulesFile, writeRulesFile } from "../store/rules-on-disk.js";
import { countUrls } from "../store/urls/url-lists.js";
import type { Workspace } from "../store/workspace.js";
import { type AddedInput, type AddOptions, add } from "./add.js";
import { mergeMined } from "./merge-mined.js";
import type { MineOptions } from "./mine/mined-site.js";
import { type MineResult, mine } from "./mine.js";
import { writeReport } from "./report.js";
import { pickCertified, type ValidateJobOptions, type ValidateResult, validate } from "./validate.js";

export interface RunOptions {
  readonly add: AddOptions;
  readonly mine: MineOptions;
  readonly validate: ValidateJobOptions;
  readonly rulesFile: string;
  readonly reportFile: string;
}

export interface RunResult {
  readonly inputs: readonly AddedInput[];
  readonly mined: MineResult;
  readonly validated: ValidateResult;
  readonly savings: Savings;
}

/** What `run` tells as soon as it is known. */
export interface RunEvents {
  readonly onAdded: (added: AddedInput) => void;
  readonly onMined: (mined: MineResult) => void;
}

/** The main job: inputs in, proven rules and a report out. Each step leaves its result, so an interrupted run goes on from there. */
export async function runAll(
  workspace: Workspace,
  inputs: readonly string[],
  options: RunOptions,
  events: RunEvents,
  context: JobContext,
): Promise<RunResult> {
  // A rules file that cannot be read is better known before a log of gigabytes is.
  if (existsSync(options.rulesFile)) readRulesFile(options.rulesFile);
  const added = await add(workspace, inputs, options.add, events.onAdded, context);
  if ((await countUrls(workspace)) === 0) {
    throw new UserError(
      `no URL was read from ${inputs.join(", ")}: expected an access log, a list of URLs or a crawl; name what it is with --format or --log-format`,
    );
  }
  const mined = await mine(workspace, options.mine, context);
  const merged = mergeMined(options.rulesFile, mined, options.mine);
  const { settings, rules } = merged;
  writeRulesFile(options.rulesFile, merged);
  events.onMined(mined);
  const validated = await validate(workspace, rules, options.validate, context);
  const decided = { settings, ...pickCertified(validated) };
  writeRulesFile(options.rulesFile, decided);
  const { snapshot } = options.validate;
  const about = { unmask: false, rulesFile: options.rulesFile, ...(snapshot !== undefined && { snapshot }) };
  const report = await writeReport(workspace, decided, options.reportFile, about, context);
  return { inputs: added, mined, validated, savings: savingsInReport(report, rulesInUse(validated.rules).dropped) };
}
