import type { RuleAction, Scope, UrlPair } from "../model.js";

/** A likely rule as mining finds it: what a Rule holds before it has an id, a status and a person's decision. */
export type MinedRule = RuleAction & {
  readonly scope: Scope;
  readonly support: number;
  readonly confirmed: number;
  /** How much of the support known sizes or sketches speak against. */
  readonly unlikely: number;
  readonly merges: number;
  readonly example: UrlPair;
};
