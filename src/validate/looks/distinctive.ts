/** What of a text is its own: what most pages of the site do not have. Read only as far as an answer takes. */
import { SHINGLE_WORDS, shinglesOf } from "./align-words.js";
import type { CommonText } from "./common-text.js";

/** The shingles of a text that are not common, and how many words they cover. */
export class Distinctive {
  readonly #found = new Set<string>();
  readonly #text: readonly string[];
  readonly #common: CommonText;
  #next = 0;
  #words = 0;
  #covered = 0;

  constructor(text: readonly string[], common: CommonText) {
    this.#text = text;
    this.#common = common;
  }

  get shingles(): ReadonlySet<string> {
    this.hasWords(Number.POSITIVE_INFINITY);
    return this.#found;
  }

  get words(): number {
    this.hasWords(Number.POSITIVE_INFINITY);
    return this.#words;
  }

  /** Long texts show in a few words that they have enough of their own. */
  hasWords(least: number): boolean {
    const text = this.#text;
    const end = Math.max(Math.min(text.length, 1), text.length - SHINGLE_WORDS + 1);
    for (; this.#next < end && this.#words < least; this.#next++) {
      const shingle = shingleAt(text, this.#next);
      if (this.#common.has(shingle)) continue;
      this.#found.add(shingle);
      const after = Math.min(this.#next + SHINGLE_WORDS, text.length);
      this.#words += after - Math.max(this.#next, this.#covered);
      this.#covered = after;
    }
    return this.#words >= least;
  }
}

/**
 * Do the distinctive shingles of two texts resemble each other by at least so much? As `jaccard` of both sets says. With
 * each shingle of what both begin and end with they resemble each other more, or as much: once it is enough the rest of it is
 * not read, which is most of two long pages that differ in a phrase.
 */
export function resemble(a: readonly string[], b: readonly string[], common: CommonText, least: number): boolean {
  const shorter = Math.min(a.length, b.length);
  let head = 0;
  while (head < shorter && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < shorter - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  // With the words before and after, which shingles of what differs have too.
  const around = SHINGLE_WORDS - 1;
  const [start, rest] = [Math.max(0, head - around), Math.max(0, tail - around)];
  const ownOf = (text: readonly string[]) => {
    const differing = text.slice(start, text.length - rest);
    // Too short for a shingle only because of the cut, and not because the text is short: where the other text has more.
    const isNone = differing.length < SHINGLE_WORDS && differing.length < text.length;
    return new Distinctive(isNone ? [] : differing, common).shingles;
  };
  const [inA, inB] = [ownOf(a), ownOf(b)];
  let both = 0;
  for (const shingle of inA) if (inB.has(shingle)) both++;
  let either = inA.size + inB.size - both;
  const isEnough = () => either > 0 && both / either >= least;
  if (isEnough()) return true;
  const seen = new Set<string>();
  const isEnoughWith = (from: number, to: number) => {
    for (let at = from; at + SHINGLE_WORDS <= to; at++) {
      const shingle = shingleAt(a, at);
      if (seen.has(shingle) || common.has(shingle)) continue;
      seen.add(shingle);
      const [isInA, isInB] = [inA.has(shingle), inB.has(shingle)];
      if (isInA && isInB) continue;
      both++;
      if (!isInA && !isInB) either++;
      if (isEnough()) return true;
    }
    return false;
  };
  return isEnoughWith(0, head) || isEnoughWith(a.length - tail, a.length);
}

function shingleAt(text: readonly string[], at: number): string {
  if (text.length < SHINGLE_WORDS) return shinglesOf(text)[0] ?? "";
  return `${text[at]} ${text[at + 1]} ${text[at + 2]} ${text[at + 3]}`;
}
