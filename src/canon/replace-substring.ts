/** Replacing one text in a URL by another, at token boundaries: what substring rules do. */
import { parseUrl } from "../url/parse.js";
import { isAlphanumeric, isTokenBoundary } from "../url/tokenize.js";
import type { ActionOf, CanonPlan } from "./kinds/kind.js";
import { bordersOf, nextPlace } from "./occurrences.js";

export type SubstringAction = ActionOf<"substring">;

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
 * which browsers and crawlers silently repair, so that both would always look like the same page; nor "http://a-b" of
 * "http://a/-b": what is not replaced stays on its side of the border between host and path.
 */
function replaceInUrl(text: string, at: number, from: string, to: string, atStart: boolean): string | undefined {
  const result = replaceAt(text, at, from, to);
  // After the first "/" of the path nothing can go wrong.
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
  readonly #borders: Int32Array | undefined;
  #next: number;
  #last = Number.NEGATIVE_INFINITY;
  readonly #text: string;
  readonly #to: string;

  constructor(text: string, to: string) {
    this.#text = text;
    this.#to = to;
    this.#borders = bordersOf(to);
    this.#next = nextPlace(text, to, this.#borders, -1);
  }

  /** Is text[start, end) part of one? Of those that begin before it, the last reaches farthest. */
  includes(start: number, end: number): boolean {
    const text = this.#text;
    const to = this.#to;
    for (; this.#next >= 0 && this.#next <= start; this.#next = nextPlace(text, to, this.#borders, this.#next)) {
      if (isTokenBoundary(text, this.#next) && isTokenBoundary(text, this.#next + to.length)) this.#last = this.#next;
    }
    return end <= this.#last + to.length;
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
