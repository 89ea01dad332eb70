/** How much a likely rule is worth trying: what its proof would save, times how likely it is, for each fetch that it takes. */

/** Requests that it takes to prove a rule (two for each straight positive of the sequential test), and to refute one. */
const REQUESTS_TO_PROVE = 42;
const REQUESTS_TO_REFUTE = 4;

export interface Tally {
  /** URLs that the rule would save. */
  readonly support: number;
  /** How many of these known sizes or sketches speak for, and how many against. */
  readonly confirmed: number;
  readonly unlikely: number;
}

/** Of rules about which nothing is known, about one in four holds. */
export function likelihoodOf({ confirmed, unlikely }: Omit<Tally, "support">): number {
  return (confirmed + 0.5) / (confirmed + unlikely + 2);
}

export function worthOf({ support, confirmed, unlikely }: Tally): number {
  const likelihood = likelihoodOf({ confirmed, unlikely });
  return (support * likelihood) / (likelihood * REQUESTS_TO_PROVE + (1 - likelihood) * REQUESTS_TO_REFUTE);
}
