/**
 * The texts of a template rule: literals and typed captures, such as "/print.pl?sid={id:segment}". They are matched against all
 * of a URL's path and query. "{{" and "}}" stand for braces.
 */
import { isAlphanumeric } from "../../url/tokenize.js";

/** What a capture takes: at least one character of its class, as many as can be. */
const classes = {
  number: "[0-9]",
  hex: "[0-9A-Fa-f]",
  word: "[A-Za-z0-9_-]",
  segment: "[^/?&;=]",
  rest: "[^]",
} as const;

export type CaptureType = keyof typeof classes;
export const captureTypes = Object.keys(classes) as readonly CaptureType[];

/** A value of each type that no other takes. */
const examples: Readonly<Record<CaptureType, string>> = {
  number: "7",
  hex: "a7",
  word: "w-7",
  segment: "s.7",
  rest: "r/7",
};

export type TemplatePart = string | { readonly name: string; readonly type: CaptureType };

/** The parts of a template, literals joined; a sentence where it is none. */
export function parseTemplate(text: string): readonly TemplatePart[] | string {
  const parts: TemplatePart[] = [];
  let literal = "";
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if ((char === "{" || char === "}") && text[at + 1] === char) {
      literal += char;
      at++;
    } else if (char === "{") {
      const capture = /^\{([A-Za-z][A-Za-z0-9]*):([a-z]+)\}/.exec(text.slice(at));
      if (capture === null) return `has "{" at ${at + 1}: expected a capture such as {id:number}, or "{{" for a brace`;
      const [whole, name, type] = capture as unknown as [string, string, string];
      if (!isType(type)) return `has a capture of type "${type}": expected ${captureTypes.join(", ")}`;
      if (literal !== "") parts.push(literal);
      literal = "";
      parts.push({ name, type });
      at += whole.length - 1;
    } else if (char === "}") {
      return `has "}" at ${at + 1}: expected "}}" for a brace`;
    } else literal += char;
  }
  if (literal !== "") parts.push(literal);
  return parts;
}

function isType(type: string): type is CaptureType {
  return Object.hasOwn(classes, type);
}

export const capturesOf = (parts: readonly TemplatePart[]) => parts.filter((part) => typeof part !== "string");

/** The expression that matches what the template does: one group for each capture. */
export function expressionOf(parts: readonly TemplatePart[]): RegExp {
  const pieces = parts.map((part) =>
    typeof part === "string" ? part.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&") : `(${classes[part.type]}+)`,
  );
  return new RegExp(`^${pieces.join("")}$`);
}

export function fillTemplate(parts: readonly TemplatePart[], values: ReadonlyMap<string, string>): string {
  return parts.map((part) => (typeof part === "string" ? part : values.get(part.name)!)).join("");
}

/** A text that the template matches. */
export function exampleOf(parts: readonly TemplatePart[]): string {
  return parts.map((part) => (typeof part === "string" ? part : examples[part.type])).join("");
}

/**
 * The longest text between token boundaries, whatever the captures take, that everything matched by the template has: what is
 * left of a literal without the letters and digits that may be part of a longer token.
 */
export function longestAnchor(parts: readonly TemplatePart[]): string {
  let longest = "";
  for (const part of parts) {
    if (typeof part !== "string") continue;
    let [start, end] = [0, part.length];
    while (start < end && isAlphanumeric(part.charCodeAt(start))) start++;
    while (end > start && isAlphanumeric(part.charCodeAt(end - 1))) end--;
    if (end - start > longest.length) longest = part.slice(start, end);
  }
  // Half a code point is not a token.
  return /^[\x21-\x7e]*$/.test(longest) ? longest : "";
}
