/** `dustpan export`: rules in, a target's own file out. */

import { rulesInUse } from "../canon/cycles.js";
import { usableRule } from "../canon/kinds.js";
import { verdictOf } from "../canon/legend.js";
import { UserError } from "../errors.js";
import type { Rule, RuleStatus } from "../model.js";
import { type ExportPlan, notesOf, planExport } from "./plan.js";
import type { ExportUse, Target } from "./target.js";

export interface ExportOptions {
  /** Default: what the target is mostly for. */
  readonly use?: ExportUse;
  /** The rules with this verdict instead of those in use; a rejected rule is never exported. */
  readonly status?: RuleStatus;
}

/** What a target gets of the rules, and what it does not. */
export interface PlannedExport extends ExportPlan {
  readonly use: ExportUse;
  /** Chosen, but not given to the target: each would undo another rule. */
  readonly dropped: readonly Rule[];
}

export interface Exported extends PlannedExport {
  readonly text: string;
}

export function exportRules(rules: readonly Rule[], target: Target, options: ExportOptions = {}): Exported {
  const plan = planRules(rules, target, options);
  return { ...plan, text: target.write(plan.rules, notesOf(plan, target, plan.use), plan.use) };
}

export function planRules(rules: readonly Rule[], target: Target, options: ExportOptions = {}): PlannedExport {
  const { use = target.uses[0]!, status } = options;
  if (!target.uses.includes(use)) {
    throw new UserError(`--as ${use}: ${target.name} has a place for ${target.uses.join(" and ")} only`);
  }
  const chosen = chooseRules(rules, status);
  return { ...planExport(chosen.rules, target, use), use, dropped: chosen.dropped };
}

function chooseRules(rules: readonly Rule[], status: RuleStatus | undefined): { rules: Rule[]; dropped: Rule[] } {
  if (status === undefined) return rulesInUse(rules);
  return rulesInUse(rules, (rule) =>
    verdictOf(rule) === status && rule.decision !== "rejected" ? (usableRule(rule) ?? rule) : undefined,
  );
}
