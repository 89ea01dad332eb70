/** Ends of paths, hosts, schemes and templates as regular expressions. */
import { MARKS_IN_PATH, MARKS_IN_QUERY } from "../../canon/kinds/percent-encoding.js";
import { type CaptureType, capturesOf, parseTemplate, type TemplatePart } from "../../canon/kinds/template-pattern.js";
import type { Rule } from "../../model.js";
import { type Draft, END, literal, ORIGIN, plain, USER } from "./rewrite.js";

const QUERY = `((?:[?][^ ]*)?)${END}`;
const FOLDER = `${ORIGIN}/(?:[^? ]*/)?`;

export function editEndOfPath(rule: Extract<Rule, { kind: "trailingSlash" | "indexPage" | "extension" }>): Draft[] {
  if (rule.kind === "indexPage") return [plain(`(${FOLDER})${literal(rule.name)}${QUERY}`, [1, 2])];
  const end = rule.kind === "extension" ? rule.extension : "/";
  // A name with "." or ";" in it gets no end.
  if (rule.action === "add") return [plain(`(${FOLDER}[^/?.; ]+)${QUERY}`, [1, end, 2])];
  const before = rule.kind === "extension" ? `${FOLDER}[^/? ]+` : `${ORIGIN}/[^? ]*[^/? ]`;
  return [plain(`(${before})${literal(end)}${QUERY}`, [1, 2])];
}

/** One mark at a time, the nearest of each first. */
export function decodeMarks(): Draft[] {
  const decode = (before: string) => (mark: string) => {
    const digits = mark.charCodeAt(0).toString(16).toUpperCase();
    const either = digits.replace(/[A-F]/, (letter) => `[${letter}${letter.toLowerCase()}]`);
    return plain(`(${before})%${either}([^ ]*)${END}`, [1, mark, 2]);
  };
  return [
    ...[...MARKS_IN_PATH].map(decode(`${ORIGIN}[/?][^ ]*?`)),
    ...[...MARKS_IN_QUERY].map(decode("[^? ]*[?][^ ]*?")),
  ];
}

/** After it there must be a name with a dot in it that is not an address, and that does not begin with "www.". */
export function editWww(action: "drop" | "add"): Draft[] {
  const domain = `(?!www[.]|[^/? ]*@)(?![.]|[0-9.]*(?:[/:?]|${END}))([^/:?\\[ ]*[.][^ ]*)${END}`;
  const before = `(https?://${USER})`;
  const [pattern, prefix] = action === "drop" ? [`${before}www[.]${domain}`, ""] : [`${before}${domain}`, "www."];
  return [{ pattern, groups: 2, replacement: [1, prefix, 2], isPlain: false }];
}

/** Only on the default ports of http and https. */
export function editScheme(scheme: "http" | "https"): Draft[] {
  const other = scheme === "http" ? "https" : "http";
  const host = "(?:\\[[^\\]/? ]*\\]|[^/:?\\[ ]*)";
  return [plain(`${other}(://${host}(?:[/?][^ ]*)?)${END}`, [scheme, 1])];
}

/** What a capture takes, where no space occurs. */
export const captureClasses: Readonly<Record<CaptureType, string>> = {
  number: "[0-9]",
  hex: "[0-9A-Fa-f]",
  word: "[A-Za-z0-9_-]",
  segment: "[^/?&;= ]",
  rest: "[^ ]",
};

export function editTemplate(rule: Extract<Rule, { kind: "template" }>): Draft[] {
  const [from, to] = [partsOf(rule.from), partsOf(rule.to)];
  const groups = new Map(capturesOf(from).map(({ name }, i) => [name, i + 2]));
  const pattern = from.map((part) => (typeof part === "string" ? literal(part) : `(${captureClasses[part.type]}+)`));
  const image = to.map((part) => (typeof part === "string" ? part : groups.get(part.name)!));
  // A capture that nothing refers to is a group anyway.
  return [{ ...plain(`(${ORIGIN})${pattern.join("")}${END}`, [1, ...image]), groups: 1 + groups.size }];
}

/** The rules file has been checked: these are templates. */
export const partsOf = (text: string) => parseTemplate(text) as readonly TemplatePart[];
