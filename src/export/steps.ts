/**
 * Rules as rows of plain values, for runtimes in other languages: one operation each, with its texts and its scope. What a
 * rule's kind means is in the table of kinds; a kind that has no operation there is refused by every target that uses rows.
 */
import type { Operation } from "../canon/edit.js";
import { editOf, plainAction, shrinks } from "../canon/kinds.js";
import { conditionsOf } from "../canon/scope.js";
import type { Rule } from "../model.js";
import { lowerAscii } from "../url/normalize.js";

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

/** What every runtime in runtimes/ does. An operation that is not here yet is refused, never misread. */
const runtimeOperations: ReadonlySet<Operation> = new Set<Operation>([
  ...(["replace", "remove", "remove-path", "set", "set-path", "keep-first", "keep-last", "drop-empty"] as const),
  ...(["sort", "lower-path", "drop-slash", "add-slash", "drop-name", "drop-extension", "add-extension"] as const),
  ...(["drop-www", "add-www", "scheme", "template", "decode-marks", "single-slash"] as const),
]);

/** The rule as a row, or undefined where runtimes do not know its kind, or a part of its scope. */
export function stepOf(rule: Rule): Step | undefined {
  const edit = editOf(rule);
  const { host, path, script, parameters: _, ...unknown } = rule.scope;
  if (edit === undefined || !runtimeOperations.has(edit.operation) || Object.keys(unknown).length > 0) return undefined;
  return {
    rule: rule.id,
    operation: edit.operation,
    first: edit.first ?? null,
    second: edit.second ?? null,
    start: edit.start ?? false,
    end: edit.end ?? false,
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

/** For `refuse`: why a rule is not a row. */
export function refuseStep(rule: Rule): string | undefined {
  return stepOf(rule) === undefined ? `it is of a kind (${rule.kind}) that this cannot say yet` : undefined;
}

/** All texts that a rule and its scope are made of, for what cannot write every text. */
export function textsOf(rule: Rule): string[] {
  const { parameters = {}, ...scope } = rule.scope;
  return [...Object.values(plainAction(rule)), ...Object.values(scope), ...Object.entries(parameters).flat()].filter(
    (value): value is string => typeof value === "string",
  );
}
