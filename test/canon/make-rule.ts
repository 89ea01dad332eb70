import { ruleId } from "#src/canon/rule-id.js";
import type { Rule, RuleAction, Scope } from "#src/model.js";

/** A rule in a few words: what is left out has its plainest value. */
export type RuleWords = Record<string, unknown> & { scope?: Scope };

export function makeRule(words: RuleWords): Rule {
  const { scope = {}, ...rest } = words;
  const kind = rest.kind ?? "substring";
  const action = {
    ...(kind === "substring" ? { start: false, end: false } : kind === "parameter" ? { place: "query" } : {}),
    ...rest,
    kind,
  } as unknown as RuleAction;
  return {
    status: "valid",
    decision: null,
    source: "mined",
    support: 0,
    confirmed: 0,
    merges: 0,
    ...action,
    id: ruleId(action, scope),
    scope,
  };
}
