/** Every rule is in one group: what is proven is never listed among what is refuted. */
import { rulesInUse } from "../../canon/cycles.js";
import { usableRule } from "../../canon/kinds.js";
import { type RuleGroup, ruleGroups } from "../../documents.js";
import type { Rule } from "../../model.js";

/** By the rule's id. */
export function groupRules(rules: readonly Rule[]): Map<string, RuleGroup> {
  const used = new Set(rulesInUse(rules).rules.map(({ id }) => id));
  return new Map(rules.map((rule) => [rule.id, groupOf(rule, used)]));
}

function groupOf(rule: Rule, used: ReadonlySet<string>): RuleGroup {
  if (used.has(rule.id)) return "used";
  // Allowed by people or evidence, but it undoes a rule in use or needs one that is not.
  if (usableRule(rule) !== undefined) return "aside";
  if (rule.decision === "rejected" || rule.status === "refuted") return "out";
  return rule.status === "undecided" ? "undecided" : "likely";
}

export function countGroups(groups: ReadonlyMap<string, RuleGroup>): Record<RuleGroup, number> {
  const counts = Object.fromEntries(ruleGroups.map((group) => [group, 0])) as Record<RuleGroup, number>;
  for (const group of groups.values()) counts[group]++;
  return counts;
}
