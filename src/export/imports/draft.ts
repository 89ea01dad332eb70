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

/** Readers pass rules on one at a time: a short entry can stand for more rules than anybody should collect. */
export type Found = Iterable<Draft | Skipped>;

export const remove = (name: string): RuleAction => ({ kind: "parameter", name, place: "query", action: "remove" });

export function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === "string") : [];
}
