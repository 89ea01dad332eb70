/**
 * What can be said of all rules together: how many of the URLs that they change may show another page afterwards.
 * docs/algorithms/certificate.md has the proof.
 */
import type { Certificate } from "../model.js";

/** All attempts together err with this probability: attempt j with a share of it, 1/2 + 1/4 + ... */
const ERROR_OF_ALL = 0.05;
/** The share of living pages that may be impossible to compare; with more than this nothing is certified. */
const MOST_NOT_COMPARABLE = 0.2;

/** The share of the error that attempt j, counted from 1, may spend. */
export const errorOfAttempt = (attempt: number): number => ERROR_OF_ALL / 2 ** attempt;

/**
 * The most of `all` that can be wrong, if of `drawn` uniform draws without replacement none was: with more, this many right
 * ones in a row have a probability of `error` at most.
 */
export function mostWrong(all: number, drawn: number, error: number): number {
  let chance = 1;
  for (let wrong = 1; wrong <= all; wrong++) {
    chance *= Math.max(0, all - drawn - wrong + 1) / (all - wrong + 1);
    if (chance <= error) return wrong - 1;
  }
  return all;
}

/** What became of the URLs of a list that the rules change. */
export interface Tally {
  /** URLs that the rules change. */
  readonly changed: number;
  /** Pairs whose comparison was known before the draws: alike, gone, and impossible to compare. */
  readonly knownSame: number;
  readonly knownGone: number;
  readonly knownNotComparable: number;
  /** The same of uniform draws from the rest. */
  readonly same: number;
  readonly gone: number;
  readonly notComparable: number;
}

/** The bound that these draws give: a share of the URLs that can be compared. */
export function boundOf(tally: Tally, error: number): number {
  const rest = tally.changed - tally.knownSame - tally.knownGone - tally.knownNotComparable;
  // Of those not drawn any may be comparable, and wrong.
  const comparable = rest - tally.gone - tally.notComparable;
  const all = tally.knownSame + comparable;
  return all === 0 ? 1 : mostWrong(comparable, tally.same, error) / all;
}

/** Are too many living pages impossible to compare? */
export function isBlind({ knownSame, knownNotComparable, same, notComparable }: Tally): boolean {
  const [seen, unseen] = [knownSame + same, knownNotComparable + notComparable];
  return isBlindBeside(unseen, seen);
}

/** Are those that cannot be compared too many next to those that can? */
export function isBlindBeside(unseen: number, seen: number): boolean {
  return unseen > MOST_NOT_COMPARABLE * (seen + unseen);
}

export function sharesOf(tally: Tally): Pick<Certificate, "tried" | "gone" | "notComparable"> {
  const [tried, gone] = [tally.knownSame + tally.same, tally.knownGone + tally.gone];
  const notComparable = tally.knownNotComparable + tally.notComparable;
  const looked = Math.max(1, tried + gone + notComparable);
  return { tried, gone: gone / looked, notComparable: notComparable / looked };
}
