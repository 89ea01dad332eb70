/**
 * What a page shows besides its text, at each look: media, data for scripts, and whether it depends on the reader. The pictures of
 * an album may stand under the same words: pages that say the same and show something else at every look are two.
 */
import { decodeHtml } from "../sketch/charset.js";
import { Echoes } from "../validate/looks/echoes.js";
import type { Comparison } from "../validate/looks/same-page.js";
import { MAX_TEXT_LENGTH } from "./answered-page.js";
import { mediaOf } from "./media.js";
import type { AnsweredOutcome } from "./outcome.js";
import { dataOf } from "./page-data.js";

/** A picture that is drawn at random was another one by then. */
const MOST_LOOKS = 8;
/** As many words for a script, on one side alone, make it another page; and of a sentence so many have to be left. */
const LEAST_WORDS = 20;
const LEAST_OF_SENTENCE = 3;
/** As many numbers of a row as differ: fewer may be times and counts. */
const LEAST_NUMBERS = 3;
/** Names have no spaces. */
const SAYS = "says ";
const NUMBERS = "numbers ";
const REST = "rest ";
const BY_LANGUAGE = "depends on the reader's language";

/** One a line. */
export function shownBesides(answer: AnsweredOutcome): string[] {
  const html = decodeHtml(answer.body, answer.contentType);
  return [
    ...mediaOf(answer.finalUrl, html),
    ...dataOf(html).map(({ kind, words }) => `${kind} ${words.join(" ")}`),
    ...(/\baccept-language\b/i.test(answer.vary ?? "") ? [BY_LANGUAGE] : []),
  ];
}

interface Shown {
  readonly url: string;
  readonly shown: readonly string[];
  readonly text: string;
  readonly digest?: string;
}

/** Of longer texts only the beginning is kept. */
const isCut = ({ text }: Shown) => text.length >= MAX_TEXT_LENGTH;

/** What is more than is kept of the data for scripts: was it the same at any look? */
function haveOneRest(a: readonly Shown[], b: readonly Shown[]): boolean {
  const restIn = ({ shown }: Shown) => shown.find((line) => line.startsWith(REST));
  const rests = new Set(a.map(restIn));
  return b.some((look) => rests.has(restIn(look)));
}

/**
 * Two pages of one text, by all looks at each: are they one? Nobody knows where a cut text goes on, in what the rest of the data differs,
 * and who gets to see a page that is in the reader's language. Only if both show something, always, that the other never does, are they two.
 */
export function compareShown(a: readonly Shown[], b: readonly Shown[]): Comparison {
  const untold: Comparison = { sameness: "not comparable", lookAgain: false };
  if ((a.some(isCut) || b.some(isCut)) && a[0]!.digest !== b[0]!.digest) return untold;
  const isOwn = hasOwnName(a, b) && hasOwnName(b, a);
  if (isOwn || haveOtherNumbers(a, b) || sayOther(a, b)) {
    return { sameness: "different", lookAgain: Math.min(a.length, b.length) < MOST_LOOKS };
  }
  if (isByLanguage(a) !== isByLanguage(b) || !haveOneRest(a, b)) return untold;
  return { sameness: "same", lookAgain: false };
}

const isByLanguage = (looks: readonly Shown[]) => looks.some(({ shown }) => shown.includes(BY_LANGUAGE));

/** What all looks at a page show, and no look at the other one. */
function ownOf<T>(
  looks: readonly Shown[],
  others: readonly Shown[],
  of: (shown: readonly string[]) => readonly T[],
): T[] {
  const elsewhere = new Set(others.flatMap(({ shown }) => of(shown)));
  const [first, ...later] = looks.map(({ shown }) => new Set(of(shown)));
  return [...first!].filter((item) => !elsewhere.has(item) && later.every((look) => look.has(item)));
}

const namesIn = (shown: readonly string[]) => shown.filter((line) => !line.includes(" "));

function hasOwnName(looks: readonly Shown[], others: readonly Shown[]): boolean {
  return ownOf(looks, others, namesIn).length > 0;
}

const rowsIn = (shown: readonly string[]) => shown.filter((line) => line.startsWith(NUMBERS));

/** Have both a row of numbers that is no row of the other, in more than a few of them? */
function haveOtherNumbers(a: readonly Shown[], b: readonly Shown[]): boolean {
  const [ofA, ofB] = [ownOf(a, b, rowsIn), ownOf(b, a, rowsIn)].map((rows) => rows.map((row) => row.split(" "))) as [
    string[][],
    string[][],
  ];
  const isOther = (row: readonly string[], others: readonly (readonly string[])[]) =>
    others.every((other) => row.length !== other.length || differing(row, other) >= LEAST_NUMBERS);
  return ofA.some((row) => isOther(row, ofB)) && ofB.some((row) => isOther(row, ofA));
}

const differing = (a: readonly string[], b: readonly string[]) => a.filter((number, i) => number !== b[i]).length;

/** Do both give a script something to say that the other does not, or one of them that much? Echoes of URLs do not count. */
function sayOther(a: readonly Shown[], b: readonly Shown[]): boolean {
  const echoes = new Echoes({ url: a[0]!.url }, { url: b[0]!.url });
  const said = (shown: readonly string[]) =>
    shown.flatMap((line) => {
      if (!line.startsWith(SAYS)) return [];
      const words = echoes.cut(line.slice(SAYS.length).split(" "));
      return words.length < LEAST_OF_SENTENCE ? [] : [words.join(" ")];
    });
  const [ofA, ofB] = [ownOf(a, b, said), ownOf(b, a, said)].map((own) =>
    own.reduce((sum, text) => sum + text.split(" ").length, 0),
  ) as [number, number];
  return (ofA > 0 && ofB > 0) || Math.max(ofA, ofB) >= LEAST_WORDS;
}
