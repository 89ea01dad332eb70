/** Which rules a target gets, and why it does not get the others. */

import { dropCycles } from "../canon/cycles.js";
import { describeRule } from "../canon/describe.js";
import { verdictOf } from "../canon/legend.js";
import type { Rule } from "../model.js";
import { textsOf } from "./steps.js";
import type { ExportUse, Target } from "./target.js";

export interface LeftOut {
  readonly rule: Rule;
  readonly reason: string;
}

export interface ExportPlan {
  /** In their order, each in the direction of its use. */
  readonly rules: readonly Rule[];
  readonly leftOut: readonly LeftOut[];
}

/**
 * The rules that the target can say exactly. A rule that needs an omitted one is omitted too, and so is a rule that
 * would go round in circles with others without it.
 */
export function planExport(rules: readonly Rule[], target: Target, use: ExportUse): ExportPlan {
  const reasons = new Map<Rule, string>();
  for (;;) {
    const before = reasons.size;
    const taken = take(rules, reasons, target, use);
    for (const rule of dropCycles(taken).dropped) {
      reasons.set(rule, "it would undo others without the rules that are left out");
    }
    if (reasons.size === before) {
      return { rules: taken, leftOut: [...reasons].map(([rule, reason]) => ({ rule, reason })) };
    }
  }
}

/** One pass over the rules that have no reason against them yet; adds new reasons. */
function take(rules: readonly Rule[], reasons: Map<Rule, string>, target: Target, use: ExportUse): Rule[] {
  const taken: Rule[] = [];
  const present = new Set(rules.filter((rule) => !reasons.has(rule)).map(({ id }) => id));
  for (const rule of rules) {
    if (reasons.has(rule)) continue;
    const missing = rule.after?.find((id) => !present.has(id));
    const reason =
      missing !== undefined
        ? `it was proven only after ${missing}, which is left out`
        : (refuseCharacters(rule) ??
          refuseNowhere(rule) ??
          (use === "redirect" ? refuseRedirect(rule) : undefined) ??
          target.refuse(rule, taken, use));
    if (reason === undefined) taken.push(rule);
    else {
      reasons.set(rule, reason);
      present.delete(rule.id);
    }
  }
  return taken;
}

/**
 * Half of a surrogate pair, or a control character: a rules file can have one, but no URL can, and few programs'
 * sources.
 */
export function refuseCharacters(rule: Rule): string | undefined {
  const texts = textsOf(rule);
  if (texts.some((text) => /\p{Surrogate}/u.test(text))) return "it has half of a character";
  return texts.some((text) => /\p{Cc}/u.test(text)) ? "it has a control character" : undefined;
}

/** To a program that compares whole URLs, such a path could be the beginning of a query. */
function refuseNowhere({ scope: { path = "", script = "" } }: Rule): string | undefined {
  return /[?#]/.test(path + script) ? 'its scope is a path with "?" or "#" in it, and no URL has one' : undefined;
}

/**
 * Clients are sent only where a proof says that the page is the same. Where the site itself redirects, it may do so the
 * other way, and the two would send a client back and forth.
 */
function refuseRedirect(rule: Rule): string | undefined {
  if (verdictOf(rule) !== "valid") return "it is not proven, and so redirects nobody";
  return rule.evidence !== undefined && rule.evidence.redirected > 0
    ? "the site itself redirects such URLs: with a redirect of ours that could be a loop"
    : undefined;
}

/** What the exported file says about itself, and about what is uncertain in its rules. */
export function notesOf(
  { rules, leftOut }: ExportPlan,
  target: Target,
  use: ExportUse,
  doubts: readonly string[],
): string[] {
  const total = rules.length + leftOut.length;
  const purpose = use === "redirect" ? "redirects to the canonical URL" : "the canonical URL, as a key for duplicates";
  const notes = [
    `Made by "dustpan export --to ${target.name}${use === target.uses[0] ? "" : ` --as ${use}`}": ${purpose}.`,
    ...(target.covers === undefined ? [] : [describeCovers(target.covers)]),
  ];
  if (leftOut.length === 0) {
    return [...notes, total === 1 ? "The only rule is here." : `All ${total} rules are here.`, ...doubts];
  }
  return [
    ...notes,
    `${rules.length} of ${total} rules are here.`,
    ...doubts,
    "Left out, since they cannot be said exactly here:",
    ...leftOut.map(describeLeftOut),
  ];
}

/** Some URLs a program reads differently from canonization, whatever the rules are. */
export function describeCovers({ words }: NonNullable<Target["covers"]>): string {
  return `It holds for ${words}; others may come out otherwise.`;
}

export function describeLeftOut({ rule, reason }: LeftOut): string {
  return `  ${rule.id} (${describeRule(rule)}): ${reason}`;
}
