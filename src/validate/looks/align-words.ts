/** Where two texts say the same in the same order, word by word. */

/** Words that are compared at once: fewer in a row may be alike by chance. */
export const SHINGLE_WORDS = 4;

/** A run of words that both texts have: a[a .. a + length) is b[b .. b + length). */
export interface Run {
  readonly a: number;
  readonly b: number;
  readonly length: number;
}

// Languages that do not part words by spaces: each character is a word.
const UNSPACED = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}`;
// Marks are letters to many languages: without them "कि" and "की" would be one word.
// Signs that stand for things, the pieces of a game, are what a page shows: each is a word.
const wordPattern = new RegExp(String.raw`[${UNSPACED}\p{So}]|(?:(?![${UNSPACED}])[\p{L}\p{N}\p{M}])+`, "gu");

export function wordsOf(text: string): string[] {
  return text.match(wordPattern) ?? [];
}

/** The word n-grams of a text, in order; a text that is shorter than one is one. */
export function shinglesOf(text: readonly string[]): string[] {
  if (text.length < SHINGLE_WORDS) return text.length === 0 ? [] : [text.join(" ")];
  const shingles: string[] = [];
  // By hand: this is where validation spends its time, and `slice` and `join` take three times as long.
  for (let i = 3; i < text.length; i++) shingles.push(`${text[i - 3]} ${text[i - 2]} ${text[i - 1]} ${text[i]}`);
  return shingles;
}

/**
 * The runs that two texts have in common, in order: what stands before, between and after them differs. They grow from
 * shingles that each text has once, so that a word or two that unlike texts share by chance make no run.
 */
export function commonRuns(a: readonly string[], b: readonly string[]): Run[] {
  const runs: Run[] = [];
  let [nextA, nextB] = [0, 0];
  const add = (i: number, j: number, length: number) => {
    if (length > 0) runs.push({ a: i, b: j, length });
    [nextA, nextB] = [i + length, j + length];
  };
  // Two texts begin and end alike or not, however often their first and last words stand elsewhere.
  add(0, 0, equalFrom(a, b, 0, 0));
  let tail = 0;
  while (a.length - tail > nextA && b.length - tail > nextB && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  const [fromA, fromB] = [nextA, nextB];
  const [middleA, middleB] = [a.slice(fromA, a.length - tail), b.slice(fromB, b.length - tail)];
  for (const [i, j] of anchors(middleA, middleB)) {
    if (fromA + i < nextA || fromB + j < nextB) continue;
    let before = 0;
    while (
      fromA + i - before > nextA &&
      fromB + j - before > nextB &&
      middleA[i - before - 1] === middleB[j - before - 1]
    )
      before++;
    add(fromA + i - before, fromB + j - before, before + equalFrom(middleA, middleB, i, j));
  }
  add(a.length - tail, b.length - tail, tail);
  return runs;
}

function equalFrom(a: readonly string[], b: readonly string[], i: number, j: number): number {
  let length = 0;
  while (i + length < a.length && j + length < b.length && a[i + length] === b[j + length]) length++;
  return length;
}

/** Places of shingles that each text has once, as many as stand in the same order in both. */
function anchors(a: readonly string[], b: readonly string[]): [number, number][] {
  const inA = uniquePlaces(a);
  const inB = uniquePlaces(b);
  const pairs: [number, number][] = [];
  for (const [shingle, i] of inA) {
    const j = inB.get(shingle);
    if (i >= 0 && j !== undefined && j >= 0) pairs.push([i, j]);
  }
  return longestAscending(pairs.sort(([i], [j]) => i - j));
}

/** By shingle its place, or -1 where it has several. */
function uniquePlaces(text: readonly string[]): Map<string, number> {
  const places = new Map<string, number>();
  for (const [i, shingle] of shinglesOf(text).entries()) places.set(shingle, places.has(shingle) ? -1 : i);
  return places;
}

/** The longest part of the pairs, which ascend in the first place, that ascends in the second too. */
function longestAscending(pairs: readonly [number, number][]): [number, number][] {
  const piles: number[] = [];
  const before = new Int32Array(pairs.length).fill(-1);
  for (const [at, [, j]] of pairs.entries()) {
    let [low, high] = [0, piles.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[piles[middle]!]![1] < j) low = middle + 1;
      else high = middle;
    }
    if (low > 0) before[at] = piles[low - 1]!;
    piles[low] = at;
  }
  const chosen: [number, number][] = [];
  for (let at = piles.at(-1) ?? -1; at >= 0; at = before[at]!) chosen.push(pairs[at]!);
  return chosen.reverse();
}
