import type { RuleStatus } from "../model.js";

/** How the draws of one direction of a rule become a verdict. */
export interface Counts {
  readonly positive: number;
  readonly negative: number;
}

/** Wald's test: a share of 0.99 positives against one of 0.90, both errors 5%. */
const GOOD_SHARE = 0.99;
const BAD_SHARE = 0.9;
const ERROR_RATE = 0.05;
const REFUTE_AT = Math.log(ERROR_RATE / (1 - ERROR_RATE));
const POSITIVE_WEIGHT = Math.log(GOOD_SHARE / BAD_SHARE);
const NEGATIVE_WEIGHT = Math.log((1 - GOOD_SHARE) / (1 - BAD_SHARE));

/** Fewer usable URLs than this make no verdict; nor do fewer than the second where others are gone. */
export const LEAST_USABLE = 5;
export const LEAST_BESIDE_GONE = 9;

/**
 * The sequential verdict so far: 31 straight positives accept, 2 early negatives refute. Draws are made without
 * replacement, so that fewer straight positives say as much where the rule changes few URLs: 21 of 40, 9 of 9.
 */
export function sequentialVerdict(
  { positive, negative }: Counts,
  urls: number,
  /** How likely a false rule may be accepted: less where several tries are made. */
  error = ERROR_RATE,
): "valid" | "refuted" | undefined {
  const acceptAt = Math.log((1 - error) / error);
  if (negative === 0 && positive >= LEAST_USABLE) {
    const ifGood = chanceOfNone(Math.floor(shareOf(urls, GOOD_SHARE)), positive, urls);
    const ifBad = chanceOfNone(Math.ceil(shareOf(urls, BAD_SHARE)), positive, urls);
    if (ifBad * Math.exp(acceptAt) <= ifGood) return "valid";
  }
  const evidence = positive * POSITIVE_WEIGHT + negative * NEGATIVE_WEIGHT;
  if (evidence >= acceptAt) return "valid";
  return evidence <= REFUTE_AT ? "refuted" : undefined;
}

/** How many of the URLs are negative at this share of positives; rounded, since 1 - 0.9 is a little less than a tenth. */
const shareOf = (urls: number, positives: number) => Math.round((1 - positives) * urls * 1000) / 1000;

/** How likely it is to draw none of the negatives in this many draws, without replacement. */
function chanceOfNone(negatives: number, drawn: number, urls: number): number {
  let chance = 1;
  for (let i = 0; i < negatives; i++) chance *= Math.max(0, urls - drawn - i) / (urls - i);
  return chance;
}

/** The verdict once every URL that the rule changes has been tried. */
export function exhaustedVerdict({ positive, negative }: Counts, epsilon: number, least = LEAST_USABLE): RuleStatus {
  const usable = positive + negative;
  if (usable < least) return "undecided";
  return negative <= epsilon * usable ? "valid" : "refuted";
}

/**
 * The verdict on all the known pages that a rule can be tried on, where nothing can be fetched. What an archive has of the
 * URLs that a rule changes is not a sample drawn at random: unless it has them all, a few positives prove nothing, and it
 * takes the share that Wald's test would reject to be unlikely (29 straight positives).
 */
export function knownVerdict(counts: Counts, unknown: number, epsilon: number): RuleStatus {
  const status = exhaustedVerdict(counts, epsilon);
  return status !== "valid" || unknown === 0 || lowerBound(counts) >= BAD_SHARE ? status : "undecided";
}

/** Figure 3: at least (1 - epsilon) N positives accept, epsilon N negatives refute. */
export function paperVerdict(
  { positive, negative }: Counts,
  count: number,
  epsilon: number,
): "valid" | "refuted" | undefined {
  if (negative >= leastOf(epsilon * count) && negative > 0) return "refuted";
  return positive >= leastOf((1 - epsilon) * count) ? "valid" : undefined;
}

/** The least whole number that is no smaller; 0.07 * 100 is 7. */
const leastOf = (bound: number) => Math.ceil(Math.round(bound * 1e9) / 1e9);

/**
 * The exact lower bound (Clopper and Pearson) on the share of positives, 95% one-sided: with any smaller share this many
 * positives or more have a probability of 5% at most. 0 where nothing was tried.
 */
export function lowerBound({ positive, negative }: Counts): number {
  if (positive === 0) return 0;
  const n = positive + negative;
  let [low, high] = [0, 1];
  for (let step = 0; step < 60; step++) {
    const share = (low + high) / 2;
    if (chanceOfAtLeast(positive, n, share) <= ERROR_RATE) low = share;
    else high = share;
  }
  return low;
}

/** Of n draws at least k are positive, at this share of positives. */
function chanceOfAtLeast(k: number, n: number, share: number): number {
  let chance = share ** n;
  let sum = chance;
  // From n downwards: each is the one before, times the ratio of two terms of the binomial distribution.
  for (let i = n; i > k; i--) {
    chance *= (i * (1 - share)) / ((n - i + 1) * share);
    sum += chance;
  }
  return sum;
}
