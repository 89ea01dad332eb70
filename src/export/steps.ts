/**
 * Rules as rows of plain values, for runtimes in other languages: one operation each, with its texts and its scope. What a
 * rule's kind means is decided here once; a kind that has no operation yet is refused by every target that uses rows.
 */
import { plainAction, shrinks } from "../canon/apply.js";
import { conditionsOf } from "../canon/scope.js";
import type { Rule, RuleAction } from "../model.js";
import { lowerAscii } from "../url/normalize.js";

/** What runtimes can do; docs/algorithms/urls-and-canonization.md says what each means. */
export type Operation =
  /** The first occurrence of `first`, in whole tokens, becomes `second`. */
  | "replace"
  /** Parameters named `first` go, or get the value `second`. */
  | "remove"
  | "remove-path"
  | "set"
  | "set-path"
  /** Query parameters by name, or all where `first` is absent. */
  | "keep-first"
  | "keep-last"
  | "drop-empty"
  | "sort"
  | "lower-path";

/** An absent text is null. */
export interface Step {
  readonly rule: string;
  readonly operation: Operation;
  readonly first: string | null;
  readonly second: string | null;
  readonly start: boolean;
  readonly end: boolean;
  /** Apply it again until it no longer applies. */
  readonly repeat: boolean;
  /** In lower case; "*.forum.test" is that host and all below it. */
  readonly host: string | null;
  readonly path: string | null;
  readonly script: string | null;
  readonly conditions: readonly Condition[];
}

/** What the query must have: the parameter is there, with this value wherever it stands if it is not null; or it is not. */
export interface Condition {
  readonly name: string;
  readonly isThere: boolean;
  readonly value: string | null;
}

/** The rule as a row, or undefined where runtimes do not know its kind, or a part of its scope. */
export function stepOf(rule: Rule): Step | undefined {
  const edit = editOf(plainAction(rule));
  const { host, path, script, parameters: _, ...unknown } = rule.scope;
  if (edit === undefined || Object.keys(unknown).length > 0) return undefined;
  const [operation, first = null, second = null] = edit;
  const isAnchored = rule.kind === "substring";
  return {
    rule: rule.id,
    ...{ operation, first, second },
    start: isAnchored && rule.start,
    end: isAnchored && rule.end,
    repeat: shrinks(rule),
    host: host === undefined ? null : lowerAscii(host),
    path: path ?? null,
    script: script ?? null,
    conditions: conditionsOf(rule.scope).map(([name, condition]) => ({
      name,
      isThere: condition !== false,
      value: typeof condition === "string" ? condition : null,
    })),
  };
}

function editOf(action: RuleAction): readonly [Operation, (string | undefined)?, string?] | undefined {
  switch (action.kind) {
    case "substring":
      return ["replace", action.from, action.to];
    case "parameter": {
      const isQuery = action.place === "query";
      return action.action === "remove"
        ? [isQuery ? "remove" : "remove-path", action.name]
        : [isQuery ? "set" : "set-path", action.name, action.value];
    }
    case "repeatedParameter":
      return [action.keep === "first" ? "keep-first" : "keep-last", action.name];
    case "emptyParameter":
      return ["drop-empty", action.name];
    case "parameterOrder":
      return ["sort"];
    case "case":
      return ["lower-path"];
    default:
      return undefined;
  }
}

/** For `refuse`: why a rule is no row. */
export function refuseStep(rule: Rule): string | undefined {
  return stepOf(rule) === undefined ? `it is of a kind (${(rule as Rule).kind}) that this cannot say yet` : undefined;
}
