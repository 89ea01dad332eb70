/** Why a rule cannot be written in regular expressions, though its kind can. */
import type { Rule } from "../../model.js";
import { textsOf } from "../steps.js";
import { captureClasses, partsOf } from "./url-parts.js";

/** Canonization looks at the scope once and then edits all places; these patterns edit one after another. */
export function scopeProblem(rule: Rule): string | undefined {
  const { path = "", script = "", parameters = {} } = rule.scope;
  const inScope = [path, script, ...Object.entries(parameters).flat()].join(" ");
  const mayLeave =
    (rule.kind === "percentEncoding" && inScope.includes("%")) ||
    (rule.kind === "repeatedSlash" && inScope.includes("//")) ||
    (rule.kind === "emptyParameter" &&
      rule.name === undefined &&
      Object.values(parameters).some((condition) => condition !== false)) ||
    (rule.kind === "parameter" && rule.action === "set" && typeof parameters[rule.name] === "string") ||
    (rule.kind === "parameter" && rule.place === "path" && path.includes(";"));
  return mayLeave ? "it may change what its own scope asks for" : undefined;
}

/** The pattern for "any other value" grows with the square of this. */
const MAX_VALUE_CHARS = 100;

/** Text that no such URL has, or that these patterns would misread. */
export function textProblem(rule: Rule): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  if (textsOf(rule).some((text) => /[\x00-\x20\x7f]/.test(text))) return "it has white space or control characters";
  if (textsOf(rule).some((text) => text.includes("#"))) return 'it has a "#", after which a URL has a fragment';
  const names = [
    rule.kind !== "substring" && "name" in rule ? rule.name : undefined,
    ...Object.keys(rule.scope.parameters ?? {}),
  ];
  for (const name of names) {
    if (name !== undefined && !/^(?:amp;)*(?!amp$)[^&;=?#]+$/.test(name))
      return `the name "${name}" is read in two ways`;
  }
  const values = Object.values(rule.scope.parameters ?? {}).filter((value) => typeof value === "string");
  if (rule.kind === "parameter" && rule.action === "set") values.push(rule.value);
  if (values.some((value) => value.length > MAX_VALUE_CHARS)) return "a value is too long to look for all others";
  if (values.some((value) => /[^!-~]|[&;/?#]/.test(value))) return "a value has separators, or characters beyond ASCII";
  if (rule.kind === "substring" && rule.start && ![rule.from, rule.to].every((text) => URL_BEGINNING.test(text)))
    return "what it puts at a URL's beginning is not how one with a plain host begins";
  return undefined;
}

/**
 * Scheme and host, or a part of them, and what may follow. To canonization nothing else begins a URL: it leaves other
 * texts alone.
 */
const URL_BEGINNING = /^(?:https?(?::\/?)?|https?:\/\/(?:[a-z0-9.-]+(?::[0-9]*)?(?:[/?].*)?)?)$/is;

/**
 * If the text after a capture may also be a part of it, expressions try every length. One such place takes time
 * quadratic in the URL's length; several let anybody who requests a URL keep a server busy.
 */
export function templateProblem(rule: Rule): string | undefined {
  if (rule.kind !== "template") return undefined;
  const parts = partsOf(rule.from);
  const open = parts.filter((part, i) => {
    if (typeof part === "string") return false;
    const next = parts[i + 1];
    return typeof next === "string" && new RegExp(captureClasses[part.type]).test(next[0]!);
  });
  return open.length > 1
    ? "it has captures that can be divided in many ways, which regular expressions try in turn"
    : undefined;
}
