/** A replaced substring as regular expressions, at token boundaries. */
import type { SubstringAction } from "../../canon/replace-substring.js";
import { isAlphanumeric } from "../../url/tokenize.js";
import { type Draft, END, literal, ORIGIN } from "./rewrite.js";

const TOKEN = "0-9A-Za-z";

export function substringVariants(rule: SubstringAction): Draft[][] {
  const { from, to, start, end } = rule;
  const needsLeft = isToken(from, 0) || isToken(to, 0);
  const needsRight = isToken(from, from.length - 1) || isToken(to, to.length - 1);
  const behind = end ? END : needsRight ? `((?:[^${TOKEN} ][^ ]*)?)${END}` : `([^ ]*)${END}`;
  const isGrown = to.length >= from.length && to.includes(from);
  const not = isGrown ? notReplaced(rule) : "";
  if (start) {
    const pattern = `${not}${literal(from)}${behind}`;
    return [[{ pattern, groups: end ? 0 : 1, replacement: end ? [to] : [to, 1], isPlain: not === "" }]];
  }
  // Two alphanumeric neighbours would be fused into one token.
  const mayFuse = to === "" && !needsLeft && !needsRight && !end;
  const found = mayFuse ? `(?:(?<![${TOKEN}])${literal(from)}|${literal(from)}(?![${TOKEN}]))` : literal(from);
  const anywhere = needsLeft ? `(?:[^ ]*?[^${TOKEN} ])??` : "[^ ]*?";
  const inPath = `${ORIGIN}/${anywhere}`;
  const fromPath = needsLeft ? inPath : `${ORIGIN}(?:/[^ ]*?)??`;
  return [anywhere, fromPath, inPath].map((before) => [
    {
      pattern: `(${before})${not}${found}${behind}`,
      groups: end ? 1 : 2,
      replacement: end ? [1, to] : [1, to, 2],
      isPlain: not === "" && !mayFuse,
    },
  ]);
}

/** At the beginning of an occurrence of `from`: it is not part of `to`, in whole tokens. */
function notReplaced({ from, to, start, end }: SubstringAction): string {
  const left = isToken(to, 0) ? `(?<![${TOKEN}])` : "";
  const right = isToken(to, to.length - 1) ? `(?![${TOKEN}])` : "";
  const places: number[] = [];
  if (start) places.push(0);
  else if (end) places.push(to.length - from.length);
  else for (let at = to.indexOf(from); at >= 0; at = to.indexOf(from, at + 1)) places.push(at);
  const fits = places.filter((at) => to.startsWith(from, at) && (!end || at === to.length - from.length));
  return fits
    .map((at) => {
      const before = at === 0 ? left : `(?<=${left}${literal(to.slice(0, at))})`;
      return `(?!${before}${literal(to.slice(at))}${end ? END : right})`;
    })
    .join("");
}

function isToken(text: string, index: number): boolean {
  return text !== "" && isAlphanumeric(text.charCodeAt(index));
}
