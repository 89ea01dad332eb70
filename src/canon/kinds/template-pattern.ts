/**
 * The texts of a template rule: literals and typed captures, such as "/print.pl?sid={id:segment}". They are matched against all
 * of a URL's path and query. "{{" and "}}" stand for braces.
 */

/** What a capture takes: at least one character of its class, as many as possible. */
const classes = {
  number: /\d/,
  hex: /[\dA-Fa-f]/,
  word: /[\w-]/,
  segment: /[^/?&;=]/,
  rest: /./s,
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
      const [whole, name, type] = capture as unknown as [string, string, CaptureType];
      if (!captureTypes.includes(type)) return `has a capture of type "${type}": expected ${captureTypes.join(", ")}`;
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

export const capturesOf = (parts: readonly TemplatePart[]) => parts.filter((part) => typeof part !== "string");

/** By the UTF-16 unit, all beyond ASCII as one: is it of the class? */
const members = Object.fromEntries(
  captureTypes.map((type) => [type, Uint8Array.from({ length: 129 }, (_, unit) => Number(isOf(type, unit)))]),
) as Readonly<Record<CaptureType, Uint8Array>>;

function isOf(type: CaptureType, unit: number): boolean {
  return classes[type].test(String.fromCharCode(unit));
}

function takes(type: CaptureType, text: string, at: number): boolean {
  return at < text.length && members[type][Math.min(text.charCodeAt(at), 128)] !== 0;
}

/**
 * What each part takes, a capture as much as can be after those before it; undefined where the text is not the template's. In
 * time of the text's length.
 */
export function matchTemplate(parts: readonly TemplatePart[], text: string): string[] | undefined {
  if (typeof parts[0] === "string" && !text.startsWith(parts[0])) return undefined;
  return isStraight(parts) ? matchStraight(parts, text) : matchFromEnd(parts, text);
}

/** Does every capture end where its class does, since what follows it begins with another character? Asked once a template. */
function isStraight(parts: readonly TemplatePart[]): boolean {
  let isIt = straight.get(parts);
  if (isIt === undefined) {
    isIt = parts.every((part, i) => {
      const next = parts[i + 1];
      return typeof part === "string" || next === undefined || (typeof next === "string" && !takes(part.type, next, 0));
    });
    straight.set(parts, isIt);
  }
  return isIt;
}

const straight = new WeakMap<readonly TemplatePart[], boolean>();

function matchStraight(parts: readonly TemplatePart[], text: string): string[] | undefined {
  const taken: string[] = [];
  let end = 0;
  for (const part of parts) {
    const start = end;
    if (typeof part !== "string") {
      while (takes(part.type, text, end)) end++;
      if (end === start) return undefined;
    } else if (text.startsWith(part, start)) end += part.length;
    else return undefined;
    taken.push(text.slice(start, end));
  }
  return end === text.length ? taken : undefined;
}

/** Whether the rest matches is known, from the right, before a part is looked at. */
function matchFromEnd(parts: readonly TemplatePart[], text: string): string[] | undefined {
  /** Where the part and the rest match from here: the furthest place where a capture ends. 0 where they do not. */
  const ends: Uint32Array[] = [];
  let rest = new Uint32Array(text.length + 1).fill(1, text.length);
  for (const part of parts.toReversed()) {
    const own = new Uint32Array(text.length + 1);
    for (let at = text.length; at >= 0; at--) {
      if (typeof part === "string") own[at] = text.startsWith(part, at) ? rest[at + part.length]! : 0;
      else if (takes(part.type, text, at)) own[at] = own[at + 1]! || (rest[at + 1]! && at + 1);
    }
    rest = own;
    ends.push(own);
  }
  let end = 0;
  return rest[0] === 0
    ? undefined
    : parts.map((part) => {
        const start = end;
        const own = ends.pop()!;
        end = typeof part === "string" ? start + part.length : own[start]!;
        return text.slice(start, end);
      });
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
    const own = part.replace(/^[0-9A-Za-z]+|[0-9A-Za-z]+$/g, "");
    if (own.length > longest.length) longest = own;
  }
  // Half a code point is not a token.
  return /^[\x21-\x7e]*$/.test(longest) ? longest : "";
}
