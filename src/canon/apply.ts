/** What one rule does to one URL: one meaning for validation, canonization and exports. */
import type { RuleAction, Scope } from "../model.js";
import { parseUrl } from "../url/parse.js";
import type { CanonPlan } from "./kinds/kind.js";
import { applyAction } from "./kinds.js";
import { inScope } from "./scope.js";

/**
 * The URL that the rule makes of this one, or undefined where it does not apply, changes nothing, or where this is no
 * URL that `parseUrl` reads. There may be several ways to apply a substring rule; the standard one (thesis 5.4, remark)
 * is the first occurrence that qualifies.
 */
export function applyRule(
  rule: RuleAction & { readonly scope: Scope },
  url: string,
  plan: CanonPlan = "ours",
): string | undefined {
  const parts = parseUrl(url);
  if (parts === undefined || !inScope(rule.scope, url, parts)) return undefined;
  return applyAction(rule, url, parts, plan);
}
