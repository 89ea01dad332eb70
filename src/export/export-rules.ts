/** `dustpan export`: rules in, a target's own file out. */

import { type SeenAlias, settleAliases } from "../canon/aliases.js";
import { asTheyAre, compile } from "../canon/compile.js";
import { rulesInUse } from "../canon/cycles.js";
import { usableRule } from "../canon/kinds.js";
import { verdictOf } from "../canon/legend.js";
import { UserError } from "../errors.js";
import type { Certificate, Rule, RuleStatus } from "../model.js";
import { counted } from "../numbers.js";
import { maskSecrets } from "../url/mask.js";
import { uncertifiedSites } from "../validate/certificate-state.js";
import { type ExportPlan, notesOf, planExport } from "./plan.js";
import type { ExportUse, SingleAlias, Target } from "./target.js";

export interface ExportOptions {
  /** Default: the target's main use. */
  readonly use?: ExportUse;
  /** The rules with this verdict instead of those in use; a rejected rule is never exported. */
  readonly status?: RuleStatus;
  /** Pairs of single URLs, to be followed after the rules. */
  readonly aliases?: Iterable<SeenAlias>;
  /** What was shown about all rules together, as the rules file has it. */
  readonly certificates?: readonly Certificate[];
}

/** Which rules a target gets, and which it does not. */
export interface PlannedExport extends ExportPlan {
  readonly use: ExportUse;
  /** Chosen, but not given to the target: each would undo another rule. */
  readonly dropped: readonly Rule[];
}

export interface Exported extends PlannedExport {
  readonly text: string;
  /** As they are under the exported rules: from canonical URLs to canonical ones, no circles. */
  readonly aliases: readonly SeenAlias[];
  readonly aliasesLeftOut: readonly AliasLeftOut[];
  /** Why no certificate covers what was exported; none if one does. */
  readonly doubts: readonly string[];
}

export interface AliasLeftOut {
  readonly alias: SingleAlias;
  readonly reason: string;
}

export function exportRules(rules: readonly Rule[], target: Target, options: ExportOptions = {}): Exported {
  const plan = planRules(rules, target, options);
  const settled = options.aliases === undefined ? [] : settle(options.aliases, plan, target);
  const aliasesLeftOut = settled.flatMap((alias) => {
    const reason = target.refuseAlias?.(alias);
    return reason === undefined ? [] : [{ alias, reason }];
  });
  const refused = new Set<SingleAlias>(aliasesLeftOut.map(({ alias }) => alias));
  const aliases = settled.filter((alias) => !refused.has(alias));
  const doubts = doubtsOf(plan, rules, options);
  const notes = notesOf(plan, target, plan.use, doubts);
  if (aliases.length > 0) {
    notes.push(
      `After the rules it follows ${counted(aliases.length, "alias", "aliases")} of single URLs, which no certificate speaks of.`,
    );
  }
  if (refused.size > 0)
    notes.push(`${refused.size} aliases are left out:`, ...aliasesLeftOut.map(describeAliasLeftOut));
  return { ...plan, aliases, aliasesLeftOut, doubts, text: target.write(plan.rules, notes, plan.use, aliases) };
}

function doubtsOf({ rules, leftOut }: ExportPlan, all: readonly Rule[], options: ExportOptions): string[] {
  const { status, certificates = [] } = options;
  if (rules.length === 0) return [];
  if (status !== undefined)
    return [`Not certified: these are the ${status} rules, and certificates are of those in use.`];
  if (leftOut.length > 0)
    return ["Not certified: what was shown of all rules together is not shown of a part of them."];
  return uncertifiedSites({ rules: all, certificates }).map(({ site, text }) => describeDoubt(site, text));
}

/** As a sentence: the site, and what is uncertain about its rules. */
export function describeDoubt(site: string, text: string): string {
  return site === "" ? `${text[0]!.toUpperCase()}${text.slice(1)}.` : `${site}: ${text}.`;
}

export function describeAliasLeftOut({ alias: { from }, reason }: AliasLeftOut): string {
  return `  ${maskSecrets(from)}: ${reason}`;
}

/** A client that is sent where a table says could arrive at a URL from which the site itself sends it back. */
function settle(
  aliases: Iterable<SeenAlias>,
  { rules, use }: PlannedExport,
  { name, noTable }: Target,
): readonly SeenAlias[] {
  if (noTable !== undefined) {
    throw new UserError(
      `--aliases: ${name} has no table for single URLs: ${noTable}; "dustpan export --list" says which have`,
    );
  }
  if (use === "redirect") throw new UserError("--aliases: single URLs are for --as key alone");
  return settleAliases(aliases, compile(rules, { use: asTheyAre })).aliases;
}

export function planRules(rules: readonly Rule[], target: Target, options: ExportOptions = {}): PlannedExport {
  const { use = target.uses[0]!, status } = options;
  if (!target.uses.includes(use)) {
    throw new UserError(`--as ${use}: ${target.name} has no place for that; "dustpan export --list" says which have`);
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
