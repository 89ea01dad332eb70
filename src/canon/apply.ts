/** What one rule does to one URL: one meaning for validation, canonization and exports. */
import type { Rule, RuleAction, Scope } from "../model.js";
import { parseUrl, type UrlParts } from "../url/parse.js";
import { compareByTokens, isAlphanumeric, isTokenBoundary } from "../url/tokenize.js";
import {
  dropEmptyParameters,
  dropRepeatedParameters,
  orderParameters,
  removeParameter,
  setParameter,
} from "./edit-parameters.js";
import { bordersOf, nextPlace } from "./occurrences.js";
import { inScope } from "./scope.js";

export type SubstringAction = Extract<RuleAction, { kind: "substring" }>;

/** "ours" skips an occurrence of from that is already inside to; "paper" is thesis figure 5.5 as printed. */
export type CanonPlan = "ours" | "paper";

/**
 * The URL that the rule makes of this one, or undefined where it does not apply, changes nothing, or where this is no
 * URL that `parseUrl` reads. There may be several
 * ways to apply a substring rule; the standard one (thesis 5.4, remark) is the first occurrence that qualifies.
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

/** `applyRule` without regard to the scope, where the URL has been parsed already. */
export function applyAction(action: RuleAction, url: string, parts: UrlParts, plan: CanonPlan): string | undefined {
  switch (action.kind) {
    case "substring":
      return applySubstring(action, url, plan);
    case "parameter":
      return action.action === "remove"
        ? removeParameter(url, parts, action.place, action.name)
        : setParameter(url, parts, action.place, action.name, action.value);
    case "parameterOrder":
      return orderParameters(url, parts);
    case "repeatedParameter":
      return dropRepeatedParameters(url, parts, action.name, action.keep);
    case "emptyParameter":
      return dropEmptyParameters(url, parts, action.name);
    case "case":
      return lowerPath(url, parts);
  }
}

/**
 * Replaces the first occurrence of `from` that begins and ends at token boundaries and whose replacement fuses no two
 * alphanumeric tokens. So tokens(result) is tokens(before) + tokens(to) + tokens(after), whatever surrounds it.
 *
 * `atStart` and `atEnd` say whether the text begins and ends where the URL does; where it is a piece from the middle of
 * a URL, its ends are taken for token boundaries and anchored rules do not match there.
 */
export function applySubstring(
  action: SubstringAction,
  text: string,
  plan: CanonPlan,
  atStart = true,
  atEnd = true,
): string | undefined {
  const { from, to, start, end } = action;
  if (from === to || (start && !atStart) || (end && !atEnd)) return undefined;
  if (start || end) {
    const at = start ? 0 : text.length - from.length;
    if (at < 0 || !text.startsWith(from, at) || (end && at + from.length !== text.length)) return undefined;
    if (!qualifies(action, text, at) || (plan === "ours" && isReplaced(action, text))) return undefined;
    return replaceInUrl(text, at, from, to, atStart);
  }
  if (from === "") return undefined;
  const borders = bordersOf(from);
  const isPart = plan === "ours" && to.length > from.length && nextPlace(to, from, borders, -1) >= 0;
  const replaced = isPart ? new Replaced(text, to) : undefined;
  for (let at = nextPlace(text, from, borders, -1); at >= 0; at = nextPlace(text, from, borders, at)) {
    if (!qualifies(action, text, at) || replaced?.includes(at, at + from.length)) continue;
    const result = replaceInUrl(text, at, from, to, atStart);
    if (result !== undefined) return result;
  }
  return undefined;
}

/**
 * The replacement, or undefined where it would take the URL apart. "/" -> "" must not make "http:/a/b" of "http://a/b",
 * which browsers and crawlers silently repair and which so would look like the same page for ever; nor "http://a-b" of
 * "http://a/-b": what is not replaced stays on its side of the border between host and path.
 */
function replaceInUrl(text: string, at: number, from: string, to: string, atStart: boolean): string | undefined {
  const result = replaceAt(text, at, from, to);
  // Behind the first "/" of the path nothing can go wrong.
  const slash = text.charCodeAt(0) === 0x2f ? 0 : text.indexOf("/", "https://".length);
  if (!atStart || (slash >= 0 && at > slash)) return result;
  const border = parseUrl(text)?.pathStart;
  const moved = parseUrl(result)?.pathStart;
  if (border === undefined || moved === undefined) return undefined;
  const isKept =
    at > border ||
    (at + from.length < border ? moved - border === to.length - from.length : at <= moved && moved <= at + to.length);
  return isKept ? result : undefined;
}

/** Does the rule make a URL smaller in the order of `compareByTokens`? Then repeating it ends on every URL. */
export function shrinks(action: RuleAction): boolean {
  return action.kind === "substring" && compareByTokens(action.from, action.to) > 0;
}

/** What the rule does, without its name, scope, verdict and the rest; fields in the order of the rules file. */
export function plainAction(action: RuleAction): RuleAction {
  const { kind } = action;
  switch (kind) {
    case "substring":
      return { kind, from: action.from, to: action.to, start: action.start, end: action.end };
    case "parameter": {
      const { name, place } = action;
      return action.action === "remove"
        ? { kind, name, place, action: "remove" }
        : { kind, name, place, action: "set", value: action.value };
    }
    case "repeatedParameter":
      return action.name === undefined ? { kind, keep: action.keep } : { kind, name: action.name, keep: action.keep };
    case "emptyParameter":
      return action.name === undefined ? { kind } : { kind, name: action.name };
    case "parameterOrder":
    case "case":
      return { kind };
  }
}

/** The other direction of a substring rule. It keeps the id: file and evidence know both directions by one name. */
export function reverse<T extends SubstringAction>(rule: T): T {
  return { ...rule, from: rule.to, to: rule.from };
}

/**
 * The rule in the direction in which people or evidence allow its use, or undefined where they do not: a rejected rule
 * is never used; a valid or accepted one is; and where only the opposite direction proved valid, it is that one.
 */
export function usableRule(rule: Rule): Rule | undefined {
  if (rule.decision === "rejected") return undefined;
  if (rule.status === "valid") return rule;
  if (rule.kind === "substring" && rule.opposite?.status === "valid") return reverse(rule);
  return rule.decision === "accepted" ? rule : undefined;
}

function qualifies(action: SubstringAction, text: string, at: number): boolean {
  const { from, to } = action;
  const after = at + from.length;
  if (!isTokenBoundary(text, at) || !isTokenBoundary(text, after)) return false;
  if (to === "") {
    if (at > 0 && after < text.length && fuses(text, at - 1, text, after)) return false;
  } else {
    if (at > 0 && fuses(text, at - 1, to, 0)) return false;
    if (after < text.length && fuses(to, to.length - 1, text, after)) return false;
  }
  return true;
}

/** Would the two characters, side by side, be part of one token? */
function fuses(left: string, leftIndex: number, right: string, rightIndex: number): boolean {
  const before = left.charCodeAt(leftIndex);
  const after = right.charCodeAt(rightIndex);
  if (isAlphanumeric(before) && isAlphanumeric(after)) return true;
  return (before & 0xfc00) === 0xd800 && (after & 0xfc00) === 0xdc00;
}

/**
 * What an occurrence of `from` is part of where the rule has been before: the occurrences of `to` in whole tokens. Asked from
 * left to right, it reads the text once.
 */
class Replaced {
  private readonly borders: Int32Array | undefined;
  private next: number;
  private last = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly text: string,
    private readonly to: string,
  ) {
    this.borders = bordersOf(to);
    this.next = nextPlace(text, to, this.borders, -1);
  }

  /** Is text[start, end) part of one? Of those that begin before it, the last reaches farthest. */
  includes(start: number, end: number): boolean {
    const { text, to } = this;
    for (; this.next >= 0 && this.next <= start; this.next = nextPlace(text, to, this.borders, this.next)) {
      if (isTokenBoundary(text, this.next) && isTokenBoundary(text, this.next + to.length)) this.last = this.next;
    }
    return end <= this.last + to.length;
  }
}

/** The same of an anchored rule: does `to` stand where it has to, and `from` in it? */
function isReplaced({ from, to, start }: SubstringAction, text: string): boolean {
  if (to.length < from.length || !(start ? text.startsWith(to) : text.endsWith(to))) return false;
  return isTokenBoundary(text, start ? to.length : text.length - to.length);
}

function replaceAt(text: string, at: number, from: string, to: string): string {
  return text.slice(0, at) + to + text.slice(at + from.length);
}

/** Percent-encoded bytes keep their case: that is a matter of safe normalization. */
function lowerPath(url: string, parts: UrlParts): string | undefined {
  const path = url.slice(parts.pathStart, parts.pathEnd);
  const lower = path.replace(/%[0-9A-Fa-f]{2}|[A-Z]+/g, (found) => (found[0] === "%" ? found : found.toLowerCase()));
  return lower === path ? undefined : url.slice(0, parts.pathStart) + lower + url.slice(parts.pathEnd);
}
