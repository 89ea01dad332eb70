/**
 * URLs as strings over an alphabet of tokens (thesis, chapter 3). A token is a run of ASCII letters and digits, or one
 * other code point. The anchors ^ and $ are not characters here: a URL may contain both, so an anchored string
 * says so in a separate flag and counts one token more per anchor.
 */

/** Is this an ASCII letter or digit? Takes a UTF-16 code unit, a code point or a byte of UTF-8 alike. */
export function isAlphanumeric(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90);
}

/** Where the token that begins at `start` ends. `start` must be a token's first index, below the text's length. */
export function tokenEnd(text: string, start: number): number {
  const code = text.charCodeAt(start);
  if (!isAlphanumeric(code)) {
    const isPair = (code & 0xfc00) === 0xd800 && (text.charCodeAt(start + 1) & 0xfc00) === 0xdc00;
    return isPair ? start + 2 : start + 1;
  }
  let end = start + 1;
  while (end < text.length && isAlphanumeric(text.charCodeAt(end))) end++;
  return end;
}

/** The tokens of a text, without anchors. */
export function tokenize(text: string): string[] {
  const tokens: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = tokenEnd(text, start);
    tokens.push(text.slice(start, end));
    start = end;
  }
  return tokens;
}

/** How many tokens a text has, without anchors. */
export function countTokens(text: string): number {
  let count = 0;
  for (let start = 0; start < text.length; start = tokenEnd(text, start)) count++;
  return count;
}

/** Can a token begin or end at this index? True at both ends of the text. */
export function isTokenBoundary(text: string, index: number): boolean {
  if (index <= 0 || index >= text.length) return true;
  const before = text.charCodeAt(index - 1);
  const after = text.charCodeAt(index);
  if ((before & 0xfc00) === 0xd800 && (after & 0xfc00) === 0xdc00) return false;
  return !(isAlphanumeric(before) && isAlphanumeric(after));
}

/**
 * The order of the substrings of a pair: negative where `a` is the smaller. More tokens is larger; at equal length the
 * first different token decides, by code points, which is also the order of its UTF-8 bytes. Both strings of a pair
 * are anchored alike, so anchors never change the answer. A rule from the larger to the smaller string shrinks.
 *
 * Refinement keeps this order: a common prefix and suffix added to both strings adds as many tokens to each.
 */
export function compareByTokens(a: string, b: string): number {
  const difference = countTokens(a) - countTokens(b);
  if (difference !== 0) return difference;
  let startA = 0;
  let startB = 0;
  while (startA < a.length) {
    const endA = tokenEnd(a, startA);
    const endB = tokenEnd(b, startB);
    const order = compareCodePoints(a.slice(startA, endA), b.slice(startB, endB));
    if (order !== 0) return order;
    startA = endA;
    startB = endB;
  }
  return 0;
}

/** The order of two texts by code points, a prefix first. (`<` compares UTF-16 units: U+1F600 would precede U+FF01.) */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const unitA = a.charCodeAt(i);
    const unitB = b.charCodeAt(i);
    if (unitA === unitB) continue;
    // Surrogates stand for code points above every other unit.
    const isHighA = (unitA & 0xf800) === 0xd800;
    const isHighB = (unitB & 0xf800) === 0xd800;
    return isHighA === isHighB ? unitA - unitB : isHighA ? 1 : -1;
  }
  return a.length - b.length;
}
