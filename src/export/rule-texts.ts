/** What a rule and its scope are made of, for targets that cannot write every text. */
import { plainAction } from "../canon/kinds.js";
import type { Rule } from "../model.js";

/** All texts that people or URLs brought into the rule. */
export function textsOf(rule: Rule): string[] {
  const { parameters = {}, ...scope } = rule.scope;
  return [...Object.values(plainAction(rule)), ...Object.values(scope), ...Object.entries(parameters).flat()].filter(
    (value): value is string => typeof value === "string",
  );
}

/** Half of a character of two: a rules file can have one, but no URL, and no program's source. */
export function refuseHalves(rule: Rule): string | undefined {
  return textsOf(rule).some((text) => /\p{Surrogate}/u.test(text)) ? "it has half of a character" : undefined;
}
