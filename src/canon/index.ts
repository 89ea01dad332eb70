/** `dustpan/canon`: canonize URLs with a rules file's rules. No dependency, no I/O: runs in browsers and edge workers. */
export type { Evidence, Rule, RuleAction, RuleDecision, RuleSource, RuleStatus, Scope } from "../model.js";
export { type Alias, AliasTable, formatAliases, settleAliases, withAliases } from "./aliases.js";
export { applyRule } from "./apply.js";
export { type Canonizer, type CanonOptions, type CanonStep, compile, type Explanation } from "./compile.js";
export { dropCycles, findCycles, rulesInUse } from "./cycles.js";
export { describeRule } from "./describe.js";
export { mergeRules } from "./file/merge-rules.js";
export { parseRulesFile, type RulesFile } from "./file/rules-file.js";
export { formatRulesFile } from "./file/write-rules-file.js";
export type { CanonPlan } from "./kinds/kind.js";
export { actionWords, usableRule } from "./kinds.js";
export { ruleId } from "./rule-id.js";
export { type Segment, scopeWords } from "./words.js";
