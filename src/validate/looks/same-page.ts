/**
 * What counts as the same page. Compared is what is stable (two looks at one URL agree there) and distinctive (not what most
 * pages of the site have) in both pages, without what they echo of their own URLs. They are the same if
 * the shingles of that resemble each other by at least .95, counted and not estimated.
 */
import { commonRuns, type Run, shinglesOf, wordsOf } from "./align-words.js";
import { CommonText } from "./common-text.js";
import { Distinctive, resemble } from "./distinctive.js";
import { type Addressed, Echoes } from "./echoes.js";

/** Its name among the similarity tests. */
export const TEXT_SIMILARITY = "text";

/** One of the two pages: its URL, and its text at each look. */
export interface Looked extends Addressed {
  readonly texts: readonly string[];
  /** When each look was taken, where that is known. */
  readonly timesMs?: readonly number[];
}

/** How much a page says of what an answer says: all and hardly more, some, hardly anything, nothing. */
export type AnswerLikeness = "same" | "partly" | "little" | "none";

export type Sameness = "same" | "different" | "not comparable";

export interface Comparison {
  readonly sameness: Sameness;
  /** A further look may tell: what differs may be an advertisement that has not changed yet. */
  readonly lookAgain: boolean;
  /** What differs was seen to change, here or on other pages: only further looks tell. */
  readonly mayChange?: boolean;
  /** Only numbers differ. If they are a clock's, a look within the same second would not show it. */
  readonly isClock?: boolean;
  /**
   * They have little text of their own, and it is the same, word by word, or is not: one page or two, if what a page says there
   * tells it from its neighbours.
   */
  readonly brief?: "same" | "different";
}

const LEAST_RESEMBLANCE = 0.95;
/** This share of different words makes two pages: about eight of two hundred. */
const LEAST_OF_OWN_SHARE = 0.04;
/** Fewer words than this are too few to know a page by, and this much text on one side alone makes it another page. */
const LEAST_WORDS = 20;
/** Brief pages have some text of their own, or they say nothing. */
const LEAST_OF_BRIEF = 3;
/** A brief page is known by what it says where this many of its neighbours say something else, and few say the same. */
const NEIGHBOURS_APART = 6;
const MOST_ALIKE = 0.2;
/** Looks where what differs is known to change on other pages, or stands where these pages are known to change. */
const LOOKS_IF_CHANGING = 8;
const NEAR_RESEMBLANCE = 0.5;
/** Numbers that only one page has, next to one that changes, may be a clock's in at most this many places. */
const MOST_CLOCKS = 3;
/** How much of an error page's own text a page says that is one too, or that is not; and how many words more it may have. */
const MOST_OF_ERROR = 0.8;
const LITTLE_OF_ERROR = 0.5;
const FEW_WORDS = 6;

const untold: Comparison = { sameness: "not comparable", lookAgain: false };

/** Compares two pages by all looks at them. `common` is empty where whole texts are judged. */
export function samePage(u: Looked, v: Looked, common: CommonText): Comparison {
  const echoes = new Echoes(u, v);
  const looks = Math.min(u.texts.length, v.texts.length);
  // Where pages turn out to be different at a second look, the first says nothing.
  if (common.isUnsteady && looks < 2) return { sameness: "not comparable", lookAgain: true };
  if (u.texts[0] === v.texts[0] && !common.isUnsteady) {
    const own = new Distinctive(echoes.cut(wordsOf(u.texts[0] ?? "")), common);
    if (!own.hasWords(LEAST_WORDS)) return briefComparison(own.words, looks, common);
    return { sameness: "same", lookAgain: false };
  }
  const [wordsOfU, wordsOfV] = [u.texts.map(wordsOf), v.texts.map(wordsOf)];
  const [a, b] = [wordsOfU, wordsOfV].map((looks) =>
    stableOf(
      looks.map((words) => echoes.cut(words)),
      common,
    ),
  ) as [Stable, Stable];
  const compared = withoutChanging(a, b, areOverlapping(u, v));
  const { left, right, onlyLeft, onlyRight, differing, isWhereChanging, supposed } = compared;
  const [ofLeft, ofRight] = [new Distinctive(left, common), new Distinctive(right, common)];
  const isSubject = echoes.areSubject(wordsOfU[0] ?? [], wordsOfV[0] ?? []);
  // Where nothing was ever seen to change, pages that have little in common are different ones at the first look.
  const leastLooks = common.isQuiet ? 1 : 2;
  if (!ofLeft.hasWords(LEAST_WORDS) || !ofRight.hasWords(LEAST_WORDS)) {
    // A page of its own against next to nothing is not small text: it is another page, unless that nothing changes.
    const most = Math.max(ofLeft.words, ofRight.words);
    const isEmptied = most >= 2 * LEAST_WORDS && a.gaps.size + b.gaps.size === 0;
    if (isEmptied) return { sameness: "different", lookAgain: looks < leastLooks };
    // The little that they say may be next to an advertisement: here it hides nothing.
    const shingles = differing.flat().flatMap(shinglesOf);
    if (shingles.length === 0) return isSubject ? untold : briefComparison(most, looks, common);
    if (looks < (isMostlyChanging(shingles, common) ? LOOKS_IF_CHANGING : leastLooks + 1)) {
      return { sameness: "not comparable", lookAgain: true };
    }
    const brief = shingles.some((shingle) => !common.isChanging(shingle)) ? ({ brief: "different" } as const) : {};
    return { sameness: "not comparable", lookAgain: false, ...brief };
  }
  const resembles = (least: number) => resemble(left, right, common, least);
  const isSame = Math.max(onlyLeft.length, onlyRight.length) < LEAST_WORDS && resembles(LEAST_RESEMBLANCE);
  // What stayed at every look, where the other page changes, is the page's own: sooner or later an advertisement changes.
  const stayed = Math.max(...supposed);
  const isOwn = stayed > 0 && stayed >= LEAST_OF_OWN_SHARE * Math.min(ofLeft.words, ofRight.words);
  if (isSame && isOwn) {
    const mayChange = looks < LOOKS_IF_CHANGING;
    return { sameness: "different", lookAgain: mayChange, ...(mayChange && { mayChange }) };
  }
  if (isSame) return isSubject ? untold : { sameness: "same", lookAgain: false };
  const mayChange = isWhereChanging || isMostlyChanging([...shinglesOf(onlyLeft), ...shinglesOf(onlyRight)], common);
  const mostLooks = mayChange ? LOOKS_IF_CHANGING : leastLooks + 1;
  const isClock = areNumbers([...onlyLeft, ...onlyRight]);
  const lookAgain = looks < mostLooks && (mayChange || looks < leastLooks || resembles(NEAR_RESEMBLANCE));
  return {
    ...{ sameness: "different", lookAgain },
    ...(mayChange && lookAgain && { mayChange }),
    ...(isClock && { isClock }),
  };
}

/** By their media types. The words may be the same: a text to be saved is not the page to be read. */
export function areOtherDocuments(a: string | undefined, b: string | undefined): boolean {
  const isHtml = (type: string) => /html/.test(type);
  return a !== undefined && b !== undefined && a !== b && !(isHtml(a) && isHtml(b));
}

function isMostlyChanging(shingles: readonly string[], common: CommonText): boolean {
  return 2 * shingles.filter((shingle) => common.isChanging(shingle)).length >= shingles.length;
}

/** Where something changes on the site, a second look shows what of the little that a page says is its own. */
function briefComparison(words: number, looks: number, common: CommonText): Comparison {
  if (words < LEAST_OF_BRIEF) return untold;
  return { sameness: "not comparable", lookAgain: looks < 2 && !common.isQuiet, brief: "same" };
}

/** Has the page too little text of its own to be known by that alone? */
export function isBriefPage(page: Looked, common: CommonText): boolean {
  const { shingles, words } = new Distinctive(stableOf(page.texts.map(wordsOf), common).words, common);
  const changing = [...shingles].filter((shingle) => common.isChanging(shingle)).length;
  return words - changing < LEAST_WORDS;
}

/**
 * Is the page known by the little that it says? Its neighbours have to say something else, apart from what changes and what
 * echoes the URL: "no entries" is what many lists say.
 */
export function isKnownByLittle(page: Looked, neighbours: readonly Looked[], common: CommonText): boolean {
  let [apart, alike] = [0, 0];
  for (const other of neighbours) {
    const echoes = new Echoes(page, other);
    const [a, b] = [page, other].map(({ texts }) =>
      stableOf(
        texts.map((text) => echoes.cut(wordsOf(text))),
        common,
      ),
    ) as [Stable, Stable];
    const { onlyRight, differing } = withoutChanging(a, b);
    // What this page says at every look, and the other does not; or the other besides.
    const shingles = [...differing[0].flatMap(shinglesOf), ...shinglesOf(onlyRight)];
    if (shingles.some((shingle) => !common.isChanging(shingle))) apart++;
    else alike++;
  }
  return apart >= NEIGHBOURS_APART && alike <= MOST_ALIKE * (apart + alike);
}

/**
 * Does the page say what the answer for a page that does not exist says, and hardly more ("same"), some of it, hardly anything
 * of it, or nothing? Such answers are short, and have menus and advertisements like all others, so what is common and what
 * changes is left out of both.
 */
export function likenessToAnswer(page: Looked, answer: Looked, common: CommonText): AnswerLikeness {
  const echoes = new Echoes(page, answer);
  const [own, error] = [page, answer].map(({ texts }) =>
    stableOf(
      texts.map((text) => echoes.cut(wordsOf(text))),
      common,
    ),
  ) as [Stable, Stable];
  const [ofPage, ofError] = [new Distinctive(own.words, common), new Distinctive(error.words, common)];
  let said = 0;
  for (const shingle of ofError.shingles) if (ofPage.shingles.has(shingle)) said++;
  const changing = [...error.gaps.values()].reduce((sum, { length }) => sum + length, 0);
  const hasMore = ofPage.words > ofError.words + 2 * changing + FEW_WORDS;
  if (said >= MOST_OF_ERROR * ofError.shingles.size && !hasMore) return "same";
  if (said === 0) return "none";
  return said <= LITTLE_OF_ERROR * ofError.shingles.size ? "little" : "partly";
}

/** Two looks at one URL: what differs between them was seen to change. */
export function learnChanging({ texts }: Looked, common: CommonText): void {
  if (texts.length > 1) common.addLookedTwice(texts[0]!, texts[1]!);
  stableOf(texts.map(wordsOf), common);
}

/** A name for what is stable in a page, whole: equal for pages that say the same. */
export function stableText(texts: readonly string[]): string {
  return stableOf(texts.map(wordsOf), new CommonText()).words.join(" ");
}

/** A place where something else stood at another look. */
interface Gap {
  /** The most words that were seen there at once. */
  readonly length: number;
  /** All words that came or went there. */
  readonly seen: ReadonlySet<string>;
}

const noGap: Gap = { length: 0, seen: new Set() };

interface Stable {
  readonly words: readonly string[];
  /** By place before a word (or at the end). */
  readonly gaps: ReadonlyMap<number, Gap>;
}

/** What all looks at one URL have in common, in order, and where something else stood. */
function stableOf(looks: readonly (readonly string[])[], common: CommonText): Stable {
  let words = looks[0] ?? [];
  let gaps = new Map<number, Gap>();
  for (const look of looks.slice(1)) {
    const kept: string[] = [];
    const found = new Map<number, Gap>();
    let [i, j] = [0, 0];
    const close = (untilI: number, untilJ: number) => {
      const [before, after] = [words.slice(i, untilI), look.slice(j, untilJ)];
      const now: Gap = { length: Math.max(before.length, after.length), seen: new Set([...before, ...after]) };
      const gap = united([now, gapWithin(gaps, i, untilI), found.get(kept.length) ?? noGap]);
      if (gap.length > 0) found.set(kept.length, gap);
      // With their neighbours: an advertisement between the same two words.
      common.learnChanging(shinglesOf(words.slice(Math.max(0, i - 1), untilI + 1)));
      common.learnChanging(shinglesOf(look.slice(Math.max(0, j - 1), untilJ + 1)));
    };
    for (const run of commonRuns(words, look)) {
      if (run.a > i || run.b > j || gaps.has(i)) close(run.a, run.b);
      for (let k = 0; k < run.length; k++) {
        const gap = k === 0 ? undefined : gaps.get(run.a + k);
        if (gap !== undefined) found.set(kept.length, gap);
        kept.push(words[run.a + k]!);
      }
      [i, j] = [run.a + run.length, run.b + run.length];
    }
    if (i < words.length || j < look.length || gaps.has(i)) close(words.length, look.length);
    [words, gaps] = [kept, found];
  }
  return { words, gaps };
}

/** Both texts without what stands, in the one, where the other is known to change. */
function withoutChanging(
  a: Stable,
  b: Stable,
  isSameTime = false,
): {
  left: string[];
  right: string[];
  onlyLeft: string[];
  onlyRight: string[];
  /** What one of them says and the other does not, wherever it stands: the first's, then the second's. */
  differing: [string[][], string[][]];
  /** All that only one of them has stands where it is known to change: it may be an advertisement that came twice. */
  isWhereChanging: boolean;
  /** Words that were left out of each, since the other is known to change where they stand: never seen to change themselves. */
  supposed: [number, number];
} {
  const [left, right, onlyLeft, onlyRight]: string[][] = [[], [], [], []];
  let isWhereChanging = true;
  const differing: [string[][], string[][]] = [[], []];
  const supposed: [number, number] = [0, 0];
  let [i, j] = [0, 0];
  const runs = commonRuns(a.words, b.words);
  // A table of figures, each beside one that is counted up, is not a page with as many clocks.
  const mayHaveClocks = !isSameTime && clocksBetween(a, b, runs) <= MOST_CLOCKS;
  const differ = (untilI: number, untilJ: number) => {
    const [gapA, gapB] = [gapWithin(a.gaps, i, untilI), gapWithin(b.gaps, j, untilJ)];
    const [ofA, ofB] = [a.words.slice(i, untilI), b.words.slice(j, untilJ)];
    if (mayHaveClocks && isClockPart(ofA, ofB, gapA, gapB)) return;
    differing[0].push(ofA);
    differing[1].push(ofB);
    if (!isAdvertisement(ofA, gapA, gapB)) {
      left!.push(...ofA);
      onlyLeft!.push(...ofA);
      isWhereChanging &&= gapA.length > 0;
    } else if (gapA.length === 0) supposed[0] += notIn(gapB.seen, ofA);
    if (!isAdvertisement(ofB, gapB, gapA)) {
      right!.push(...ofB);
      onlyRight!.push(...ofB);
      isWhereChanging &&= gapB.length > 0;
    } else if (gapB.length === 0) supposed[1] += notIn(gapA.seen, ofB);
  };
  for (const run of runs) {
    differ(run.a, run.b);
    for (let k = 0; k < run.length; k++) {
      left!.push(a.words[run.a + k]!);
      right!.push(a.words[run.a + k]!);
    }
    [i, j] = [run.a + run.length, run.b + run.length];
  }
  differ(a.words.length, b.words.length);
  return {
    left: left!,
    right: right!,
    onlyLeft: onlyLeft!,
    onlyRight: onlyRight!,
    differing,
    isWhereChanging,
    supposed,
  };
}

/**
 * Were both looked at within one time? A clock that stood still meanwhile at all looks at the one showed the other what it
 * showed the first.
 */
function areOverlapping({ timesMs: a = [] }: Looked, { timesMs: b = [] }: Looked): boolean {
  if (a.length < 2 || b.length < 2) return false;
  return Math.min(...a) <= Math.max(...b) && Math.min(...b) <= Math.max(...a);
}

/** The minutes of a clock whose seconds were seen to change. */
function isClockPart(ofA: readonly string[], ofB: readonly string[], gapA: Gap, gapB: Gap): boolean {
  return areNumbers([...ofA, ...ofB]) && Math.max(ofA.length, ofB.length) <= 2 * Math.max(gapA.length, gapB.length);
}

/** Places between the runs where numbers differ that may be a clock's. */
function clocksBetween(a: Stable, b: Stable, runs: readonly Run[]): number {
  let clocks = 0;
  let [i, j] = [0, 0];
  for (const run of [...runs, { a: a.words.length, b: b.words.length, length: 0 }]) {
    const [ofA, ofB] = [a.words.slice(i, run.a), b.words.slice(j, run.b)];
    const isPart = isClockPart(ofA, ofB, gapWithin(a.gaps, i, run.a), gapWithin(b.gaps, j, run.b));
    if (isPart && ofA.length + ofB.length > 0) clocks++;
    [i, j] = [run.a + run.length, run.b + run.length];
  }
  return clocks;
}

const notIn = (seen: ReadonlySet<string>, words: readonly string[]) => words.filter((word) => !seen.has(word)).length;

/** Numbers, and what dates run together with them: "05T09". */
const areNumbers = (words: readonly string[]) => words.every((word) => /^\p{N}/u.test(word));

function gapWithin(gaps: ReadonlyMap<number, Gap>, from: number, to: number): Gap {
  const within: Gap[] = [];
  for (let place = from; place <= to; place++) {
    const gap = gaps.get(place);
    if (gap !== undefined) within.push(gap);
  }
  return united(within);
}

function united(gaps: readonly Gap[]): Gap {
  if (gaps.length < 2) return gaps[0] ?? noGap;
  return {
    length: Math.max(...gaps.map(({ length }) => length)),
    seen: new Set(gaps.flatMap(({ seen }) => [...seen])),
  };
}

/**
 * May these words, which only one of two pages has, be one more advertisement? No more of them than twice what was seen to
 * change there on the other page, or an advertisement would hide a page. Where this page is known to change there itself,
 * what is left of it was the same at every look: it is an advertisement only if it came or went on the other page.
 */
function isAdvertisement(words: readonly string[], here: Gap, there: Gap): boolean {
  if (here.length === 0) return words.length <= 2 * there.length;
  return words.every((word) => there.seen.has(word));
}
