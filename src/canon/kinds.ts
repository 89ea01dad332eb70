/**
 * The one table of rule kinds. What is asked of a rule, whatever its kind, is asked here. A new kind is its type in
 * model.ts, a file in kinds/, and a line here.
 */
import type { Rule, RuleAction } from "../model.js";
import type { UrlParts } from "../url/parse.js";
import type { Edit } from "./edit.js";
import type { Fields } from "./file/fields.js";
import { letterCase } from "./kinds/case.js";
import { emptyParameter } from "./kinds/empty-parameter.js";
import { extension } from "./kinds/extension.js";
import { indexPage } from "./kinds/index-page.js";
import type { ActionOf, CanonPlan, FormField, Problem, RuleKind, RuleSubject } from "./kinds/kind.js";
import { parameter } from "./kinds/parameter.js";
import { parameterOrder } from "./kinds/parameter-order.js";
import { percentEncoding } from "./kinds/percent-encoding.js";
import { repeatedParameter } from "./kinds/repeated-parameter.js";
import { repeatedSlash } from "./kinds/repeated-slash.js";
import { scheme } from "./kinds/scheme.js";
import { substring } from "./kinds/substring.js";
import { template } from "./kinds/template.js";
import { trailingSlash } from "./kinds/trailing-slash.js";
import { www } from "./kinds/www.js";
import type { Trigger } from "./trigger.js";
import type { Segment, Shorten } from "./words.js";

const table: { readonly [K in RuleAction["kind"]]: RuleKind<ActionOf<K>> } = {
  substring,
  parameter,
  parameterOrder,
  repeatedParameter,
  emptyParameter,
  case: letterCase,
  percentEncoding,
  repeatedSlash,
  trailingSlash,
  indexPage,
  extension,
  www,
  scheme,
  template,
};

/** All kinds, in the order in which people are offered them. */
export const ruleKinds = Object.keys(table) as readonly RuleAction["kind"][];

/** The entry of an action's kind, as a table of functions that take that action. */
function entryOf<A extends RuleAction>(action: A): RuleKind<A> {
  return table[action.kind] as unknown as RuleKind<A>;
}

export function isKnownKind(kind: string): kind is RuleAction["kind"] {
  return Object.hasOwn(table, kind);
}

export const subjectOf = (kind: RuleAction["kind"]): RuleSubject | undefined => table[kind].about;
export const titleOf = (kind: RuleAction["kind"]): string => table[kind].title;
export const formOf = (kind: RuleAction["kind"]): readonly FormField[] => table[kind].form;

export function readAction(fields: Fields): RuleAction {
  return table[fields.oneOf("kind", ruleKinds)].read(fields);
}

/** What the rule does, without its name, scope, verdict and the rest; fields in the order of the rules file. */
export function plainAction(action: RuleAction): RuleAction {
  return entryOf(action).plain(action);
}

export function contentOf(action: RuleAction): readonly (string | boolean | null)[] {
  return entryOf(action).content(action);
}

export function actionProblem(action: RuleAction): Problem | undefined {
  // Callers without types, and rules made by a newer version.
  if (!isKnownKind(action.kind)) {
    return {
      field: "kind",
      problem: `is ${JSON.stringify((action as RuleAction).kind)}, which this version does not know`,
    };
  }
  return entryOf(action).problem?.(action);
}

/** `applyRule` without regard to the scope, where the URL has been parsed already. */
export function applyAction(action: RuleAction, url: string, parts: UrlParts, plan: CanonPlan): string | undefined {
  return entryOf(action).apply(action, url, parts, plan);
}

/** Does the rule make a URL smaller? Then repeating it ends on every URL. */
export function shrinks(action: RuleAction): boolean {
  return entryOf(action).shrinks?.(action) ?? false;
}

/**
 * The other direction of a rule, or undefined where it has none. It keeps the id: file and evidence know both directions
 * by one name.
 */
export function reverse<A extends RuleAction>(action: A): A | undefined {
  return entryOf(action).reverse?.(action);
}

/**
 * The rule in the direction in which people or evidence allow its use, or undefined where they do not: a rejected rule
 * is never used; a valid or accepted one is; and where only the opposite direction proved valid, it is that one.
 */
export function usableRule(rule: Rule): Rule | undefined {
  if (rule.decision === "rejected") return undefined;
  if (rule.status === "valid") return rule;
  if (rule.opposite?.status === "valid") return reverse(rule);
  return rule.decision === "accepted" ? rule : undefined;
}

/** The same where the site's own word is taken: what its rel=canonical declares is used as well. */
export function usableIfTrusted(rule: Rule): Rule | undefined {
  return usableRule(rule) ?? (rule.status === "declared" && rule.decision !== "rejected" ? rule : undefined);
}

export function triggerOf(action: RuleAction): Trigger {
  return entryOf(action).trigger(action);
}

/** The operation that an action of any kind is in other languages, if there is one. */
export function editOf(action: RuleAction): Edit | undefined {
  return isKnownKind(action.kind) ? entryOf(action).edit?.(action) : undefined;
}

/** A text without which the rule cannot change a URL; "" where there is none. */
export function requiredText(action: RuleAction): string {
  return entryOf(action).requiredText(action);
}

/** Is what `action` does done by `broader` too, wherever both apply? */
export function isInstance(action: RuleAction, broader: RuleAction): boolean {
  return action.kind === broader.kind && entryOf(action).isInstance(action, broader);
}

/** Do the two rules undo each other, wherever both apply? */
export function contradict(a: RuleAction, b: RuleAction): boolean {
  return a.kind === b.kind && (entryOf(a).contradicts?.(a, b) ?? false);
}

export function precedenceOf(action: RuleAction): number {
  return entryOf(action).precedence;
}

const whole: Shorten = (difference) => difference;

/** What a rule does, in words; where it does so is `scopeWords`. */
export function actionWords(action: RuleAction, shorten: Shorten = whole): readonly Segment[] {
  return entryOf(action).words(action, shorten);
}

/** A few words for what a rule changes, the same for all places where it does so. */
export function causeOf(action: RuleAction): string {
  return entryOf(action).cause(action);
}

/** The action alone, without the secrets that `mask` finds in texts. */
export function maskAction(action: RuleAction, mask: (text: string) => string): RuleAction {
  const plain = plainAction(action);
  return entryOf(action).mask?.(plain, mask) ?? plain;
}
