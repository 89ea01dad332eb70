/** Which rule is a special case of which. */
import type { Rule } from "../model.js";
import { isInstance } from "./kinds.js";
import { scopeCovers } from "./scope.js";

/**
 * Does `rule` refine `broader`: is it the same in a narrower scope, a longer pair (lemma 5.3), a value of a parameter that
 * the other removes? No rule refines one that refines it.
 */
export function isRefinement(rule: Rule, broader: Rule): boolean {
  return isCovered(rule, broader) && !isCovered(broader, rule);
}

function isCovered(rule: Rule, broader: Rule): boolean {
  return scopeCovers(broader.scope, rule.scope) && isInstance(rule, broader);
}
