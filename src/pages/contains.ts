/**
 * Pages that are a part of another page: fragments, "view all", printer pages without comments (the thesis' future work).
 * Containment of the smaller is estimated from the features of sketches: with resemblance r the two have r / (1 + r) of the
 * sum of their sizes in common.
 */
import type { Progress } from "../model.js";
import { FEATURES } from "../sketch/constants.js";

export interface ContainInput {
  readonly count: number;
  /** FEATURES a page. */
  readonly features: BigUint64Array;
  /** Words of each page, which are about its shingles. */
  readonly words: Uint32Array;
}

export interface ContainedPair {
  /** Rows: the smaller page, and the one that has it as a part. */
  readonly part: number;
  readonly whole: number;
  readonly commonFeatures: number;
  /** Of the part's shingles, those that the whole has too: estimated. */
  readonly containment: number;
}

export interface Contained {
  /** In the order of the parts; for each the wholes, the likeliest first. */
  readonly pairs: readonly ContainedPair[];
  /** Values of features that too many pages share to mean anything; they were not looked at. */
  readonly crowded: number;
}

/** A part has at most this share of the words of its whole: what is larger is a near-duplicate. */
const MOST_OF_WHOLE = 0.9;
/** Shorter pages are part of anything. */
const LEAST_WORDS = 20;
/** A feature that more pages have is a menu or a licence. */
const CROWD = 200;
/** Fewer features in common, apart from those of crowds, are chance. */
const LEAST_COMMON = 2;
/** Wholes that are kept for one part. */
const MOST_WHOLES = 5;
const PAUSE_EVERY = 256;

/** How much of the smaller is in the larger, where they have this many features in common; never above 1. */
export function estimateContainment(commonFeatures: number, smaller: number, larger: number): number {
  const resemblance = commonFeatures / FEATURES;
  return Math.min(1, ((resemblance / (1 + resemblance)) * (smaller + larger)) / smaller);
}

/**
 * All pairs whose containment is at least `share`, by the estimate, or would be with two standard deviations more features in
 * common where `isGenerous`: callers that can count exactly afterwards miss fewer.
 */
export function* findContained(
  input: ContainInput,
  share: number,
  isGenerous: boolean,
): Generator<Progress, Contained> {
  const { count, features, words } = input;
  const { members, starts, groupOf, crowded } = yield* groupByFeature(input);
  const common = new Uint8Array(count);
  const met: number[] = [];
  const pairs: ContainedPair[] = [];
  for (let part = 0; part < count; part++) {
    if (part % PAUSE_EVERY === 0) yield { step: "comparing features", done: part, total: count, unit: "pages" };
    if (words[part]! < LEAST_WORDS) continue;
    met.length = 0;
    for (let i = 0; i < FEATURES; i++) {
      const group = groupOf[part * FEATURES + i]!;
      for (let at = starts[group]!; at < starts[group + 1]!; at++) {
        const other = members[at]!;
        if (words[part]! > MOST_OF_WHOLE * words[other]!) continue;
        if (common[other] === 0) met.push(other);
        common[other]!++;
      }
    }
    const wholes: ContainedPair[] = [];
    for (const whole of met) {
      const telling = common[whole]!;
      common[whole] = 0;
      if (telling < LEAST_COMMON) continue;
      // With those of the crowds: they are part of both pages' sizes too.
      let commonFeatures = 0;
      for (let i = 0; i < FEATURES; i++) {
        if (features[part * FEATURES + i] === features[whole * FEATURES + i]) commonFeatures++;
      }
      const spread = isGenerous ? 2 * Math.sqrt(commonFeatures * (1 - commonFeatures / FEATURES)) : 0;
      const most = estimateContainment(Math.min(FEATURES, commonFeatures + spread), words[part]!, words[whole]!);
      if (most < share) continue;
      const containment = estimateContainment(commonFeatures, words[part]!, words[whole]!);
      wholes.push({ part, whole, commonFeatures, containment });
    }
    wholes.sort((a, b) => b.containment - a.containment || words[a.whole]! - words[b.whole]! || a.whole - b.whole);
    pairs.push(...wholes.slice(0, MOST_WHOLES));
  }
  return { pairs, crowded };

  /** Pages that have the same value of the same feature: group g is members[starts[g] .. starts[g + 1]); group 0 is empty. */
  function* groupByFeature({ count: pages }: ContainInput) {
    const groups = new Uint32Array(pages * FEATURES);
    const inOrder: number[] = [];
    const begins = [0, 0];
    let crowds = 0;
    const rows = Uint32Array.from({ length: pages }, (_, row) => row);
    for (let i = 0; i < FEATURES; i++) {
      yield { step: "sorting features", done: i, total: FEATURES, unit: "features" } satisfies Progress;
      const featureOf = (row: number) => features[row * FEATURES + i]!;
      rows.sort((a, b) => (featureOf(a) < featureOf(b) ? -1 : featureOf(a) > featureOf(b) ? 1 : a - b));
      for (let from = 0; from < pages; ) {
        let to = from + 1;
        while (to < pages && featureOf(rows[to]!) === featureOf(rows[from]!)) to++;
        if (to - from > CROWD) crowds++;
        else if (to - from > 1) {
          const group = begins.length - 1;
          for (let at = from; at < to; at++) {
            groups[rows[at]! * FEATURES + i] = group;
            inOrder.push(rows[at]!);
          }
          begins.push(inOrder.length);
        }
        from = to;
      }
    }
    return {
      members: Uint32Array.from(inOrder),
      starts: Uint32Array.from(begins),
      groupOf: groups,
      crowded: crowds,
    };
  }
}

/** What makes a URL of a part one of its whole: the segments and parameters that differ, numbers and names left open. */
export interface ContainPattern {
  readonly part: string;
  readonly whole: string;
}

/** The pieces of both URLs that differ, as far as "/", "?", "&" and ";" on both sides; "{n}" stands for digits. */
export function patternOf(part: string, whole: string): ContainPattern {
  const most = Math.min(part.length, whole.length);
  let start = 0;
  while (start < most && part[start] === whole[start]) start++;
  while (start > 0 && !DIVIDERS.includes(part[start - 1]!)) start--;
  let end = 0;
  while (end < most - start && part[part.length - 1 - end] === whole[whole.length - 1 - end]) end++;
  while (end > 0 && !DIVIDERS.includes(part[part.length - end]!)) end--;
  // The divider itself tells a parameter from a segment.
  const from = Math.max(0, start - 1);
  const open = (text: string) => text.replace(/\d+/g, "{n}");
  return {
    part: open(part.slice(from, part.length - end)),
    whole: open(whole.slice(from, whole.length - end)),
  };
}

const DIVIDERS = "/?&;";
