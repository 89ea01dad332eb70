/** A rule in one line of plain text: `story_ -> story?id=`, `drop ?sid on forum.test`. */
import type { Rule, RuleAction, Scope } from "../model.js";
import { actionWords, isKnownKind } from "./kinds.js";
import { scopeWords, textOf } from "./words.js";

export function describeRule(rule: RuleAction & { readonly scope: Scope }): string {
  // Callers without types may leave the scope out, or name an unknown kind, and are told by the rule's name.
  const action = isKnownKind(rule.kind) ? textOf(actionWords(rule)) : JSON.stringify((rule as RuleAction).kind);
  return action + textOf(scopeWords(rule.scope ?? {}));
}

/** The rule with its name, as messages about it have it. */
export function nameRule(rule: Rule): string {
  return `${rule.id} (${describeRule(rule)})`;
}

/** The rule with its words, as people are shown it. */
export function shownRule(rule: Rule): Rule & { readonly text: string } {
  return { ...rule, text: describeRule(rule) };
}
