/** A substitution by a regular expression: what it is, and the texts that all of them are made of. */
import type { Rule } from "../../model.js";

/** A literal, or the number of a group. */
export type Piece = string | number;

/** One substitution. Pattern and conditions begin where the URL does; the pattern takes all of the URL. */
export interface Rewrite {
  /** Without the "^". Where the URL ends it has `END`. */
  readonly pattern: string;
  readonly groups: number;
  readonly replacement: readonly Piece[];
  /** These have to match too, from the URL's beginning. */
  readonly conditions: readonly string[];
  /** And these must not. */
  readonly exceptions: readonly string[];
  /** Free of what RE2 lacks, looking ahead and behind. */
  readonly isPlain: boolean;
}

/** Substitutions that are tried in order; the first that matches is done, as often as one of them matches or once. */
export interface RuleRewrites {
  readonly rule: Rule;
  readonly rewrites: readonly Rewrite[];
  /** Once a round, as canonization does with a rule that does not shrink; otherwise until none of them matches. */
  readonly isOnce: boolean;
}

/** Stands for the end of the URL: what is after it depends on the target. */
export const END = "\u0000";

export type Draft = Omit<Rewrite, "conditions" | "exceptions">;

export const ORIGIN = "https?://[^/? ]*";
/** No request to a server has one, but links that crawlers find may. */
export const USER = "(?:[^/? ]*@)?";

/** A literal in any dialect: classes instead of backslashes wherever that is possible. */
export function literal(text: string): string {
  return text.replace(/[.*+?()|{}$]/g, "[$&]").replace(/[[\]^\\]/g, (found, at, whole) => {
    // The brackets of the classes just made stay.
    const isMade =
      (found === "[" && /^\[[.*+?()|{}$]\]/.test(whole.slice(at))) ||
      (found === "]" && /\[[.*+?()|{}$]$/.test(whole.slice(0, at)));
    return isMade ? found : `\\${found}`;
  });
}

/** Any text without the given characters that is not `text`. */
export function anythingBut(text: string, without: string): string {
  const rest = `[^${without}]`;
  const ways = [...text].map(
    (character, i) => `${literal(text.slice(0, i))}(?:[^${inClass(character)}${without}]${rest}*)?`,
  );
  return `(?:${[...ways, `${literal(text)}${rest}+`].join("|")})`;
}

/** In Java alone, a bracket in a class begins another class. */
function inClass(character: string): string {
  return /[[\]\\^-]/.test(character) ? `\\${character}` : character;
}

export function plain(pattern: string, replacement: readonly Piece[]): Draft {
  return {
    pattern,
    groups: Math.max(...replacement.filter((piece) => typeof piece === "number")),
    replacement,
    isPlain: true,
  };
}

/** The pattern with its conditions, where looking ahead is possible. */
export function wholePattern({ pattern, conditions, exceptions }: Rewrite, end: string): string {
  const ahead = conditions.map((condition) => `(?=${condition})`).join("");
  const notAhead = exceptions.map((exception) => `(?!${exception})`).join("");
  return `^${ahead}${notAhead}${pattern}`.replaceAll(END, end);
}
