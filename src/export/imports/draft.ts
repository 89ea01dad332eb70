/** What a reader of somebody else's rules hands on. */
import type { RuleAction, Scope } from "../../model.js";

export interface Draft {
  readonly action: RuleAction;
  readonly scope: Scope;
  readonly note?: string;
}

/** An entry that is not a rule of ours, and why. */
export interface Skipped {
  readonly entry: string;
  readonly why: string;
}

export interface Drafts {
  readonly drafts: readonly Draft[];
  readonly skipped: readonly Skipped[];
}

export const remove = (name: string): RuleAction => ({ kind: "parameter", name, place: "query", action: "remove" });

/** One after another. */
export function joinDrafts(parts: readonly Drafts[]): Drafts {
  return { drafts: parts.flatMap(({ drafts }) => drafts), skipped: parts.flatMap(({ skipped }) => skipped) };
}
