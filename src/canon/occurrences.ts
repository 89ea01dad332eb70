/**
 * Places of a string in a text, overlapping ones too, in linear time, however much the two repeat themselves ("/a/a/a" in
 * "/a/a/a/a"): a long string is looked for as Knuth, Morris and Pratt do.
 */

/** Up to this length a search may start over after every place: that costs at most this many times the text. */
export const SHORT_LITERAL = 256;

/**
 * Of a long string: borders[n] is the length of its longest beginning, but not all, that its first n characters end with.
 * Undefined for a short one.
 */
export function bordersOf(sought: string): Int32Array | undefined {
  if (sought.length <= SHORT_LITERAL) return undefined;
  const borders = new Int32Array(sought.length + 1);
  for (let n = 1; n < sought.length; n++) {
    borders[n + 1] = extend(sought, borders, borders[n]!, sought.charCodeAt(n));
  }
  return borders;
}

/** The first place after the one at `place` (-1: the first of all), or -1. */
export function nextPlace(text: string, sought: string, borders: Int32Array | undefined, place: number): number {
  if (borders === undefined) return text.indexOf(sought, place + 1);
  const { length } = sought;
  let matched = place < 0 ? 0 : borders[length]!;
  for (let read = place < 0 ? 0 : place + length; read < text.length; read++) {
    matched = extend(sought, borders, matched, text.charCodeAt(read));
    if (matched === length) return read + 1 - length;
  }
  return -1;
}

/** How much of the string stands at the end of a text that had `matched` of it there, with one character more. */
function extend(sought: string, borders: Int32Array, matched: number, code: number): number {
  let length = matched;
  // After its end the string has no code: NaN equals none.
  while (length > 0 && sought.charCodeAt(length) !== code) length = borders[length]!;
  return sought.charCodeAt(length) === code ? length + 1 : 0;
}
