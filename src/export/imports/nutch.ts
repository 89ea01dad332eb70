/**
 * Nutch's regex-normalize.xml: substitutions, of which those that are literal on both sides are rules. A file that was exported
 * names its rules.
 */
import { plainAction } from "../../canon/kinds.js";
import { decodeReferences, elementText, withoutComments } from "../../http/xml-text.js";
import { rulesOfNutchFile } from "../servers/nutch.js";
import type { Draft, Found } from "./draft.js";
import { expandPattern } from "./expand-pattern.js";

export function isRegexNormalize(text: string): boolean {
  return /<regex-normalize[\s>]/.test(text);
}

/** The rules of an exported file; undefined if it does not name its rules, or has been changed since. */
export function readExportedRegexNormalize(text: string): Found | undefined {
  return rulesOfNutchFile(text)?.map((rule) => ({ action: plainAction(rule), scope: rule.scope }));
}

export function* readRegexNormalize(text: string): Found {
  for (const piece of withoutComments(text).split("<regex>").slice(1)) {
    const inside = piece.split("</regex>", 1)[0]!;
    const pattern = elementText(inside, /<pattern>/, decoded);
    const substitution = inside.includes("<substitution>") ? elementText(inside, /<substitution>/, decoded) : "";
    const found =
      pattern === undefined || substitution === undefined
        ? "it has no pattern, or text that only definitions of the file's own explain"
        : substitute(pattern, substitution);
    if (typeof found === "string") yield { entry: pattern ?? inside.trim(), why: found };
    else yield* found;
  }
}

function substitute(pattern: string, substitution: string): Draft[] | string {
  const [, start, body, end] = /^(\^?)([\s\S]*?)((?<!\\)\$)?$/.exec(pattern)!;
  if (/(?<!\\)\$/.test(substitution)) return "its substitution refers to groups";
  const froms = expandPattern(body!);
  if (froms === undefined) return "its pattern matches too many texts";
  const to = substitution.replace(/\\(.)/g, "$1");
  return froms
    .filter((from) => from !== to)
    .map((from) => ({
      action: { kind: "substring", from, to, start: start === "^", end: end === "$" },
      scope: {},
    }));
}

/** Undefined if an "&" does not begin an entity that XML itself defines. */
function decoded(text: string): string | undefined {
  for (const [reference] of text.matchAll(/&[^;&]{0,10};?/g)) {
    if (decodeReferences(reference) === reference) return undefined;
  }
  return decodeReferences(text);
}
