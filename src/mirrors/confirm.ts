/**
 * When is a pair of hosts a mirror? For the paper one URL that ends alike is enough; here, in most of the clusters
 * where both have pages, some of their URLs must end alike. A cluster counts once, however many of its pages are the
 * same "Untitled Document", and a cluster without text of its own does not count at all.
 */
import type { MirrorInput } from "./host-pairs.js";

/** Pages with fewer words say nothing about where they come from, as in validation. */
export const OWN_WORDS = 20;
/** A mirror has a counterpart under the same name in more than this share of the common clusters, with 95% confidence. */
export const CONFIRMED_SHARE = 0.5;

export interface Confirmation {
  /** Clusters with pages of both hosts, and those of them in which URLs of both end alike. */
  readonly clusters: number;
  readonly alike: number;
  /** Exact lower bound on the share of such clusters, one-sided, rounded down. At least five clusters are needed. */
  readonly lowerBound: number;
  readonly isMirror: boolean;
}

export function confirmPair(clusters: number, alike: number): Confirmation {
  const bound = shareAtLeast(alike, clusters);
  return { clusters, alike, lowerBound: Math.floor(bound * 10_000) / 10_000, isMirror: bound > CONFIRMED_SHARE };
}

/** The clusters of the pages, where each page without text of its own is a cluster by itself. */
export function withOwnText({ clusters, words }: MirrorInput): MirrorInput["clusters"] {
  if (words === undefined) return clusters;
  const isShort = (document: number) => clusters.size[document] !== 0 && words[clusters.root[document]!]! < OWN_WORDS;
  return {
    root: clusters.root.map((root, document) => (isShort(document) ? document : root)),
    size: clusters.size.map((size, document) => (isShort(document) ? 1 : size)),
  };
}

const ERROR = 0.05;

/** The smallest share for which this many successes are not too many: the lower bound of Clopper and Pearson (1934). */
export function shareAtLeast(successes: number, trials: number): number {
  if (successes === 0) return 0;
  let logWays = 0;
  for (let at = 1; at <= trials - successes; at++) logWays += Math.log((successes + at) / at);
  let low = 0;
  let high = successes / trials;
  for (let step = 0; step < 50; step++) {
    const middle = (low + high) / 2;
    if (chanceOfAtLeast(successes, trials, middle, logWays) > ERROR) high = middle;
    else low = middle;
  }
  return low;
}

/** For shares below successes / trials, where terms decrease from the first on. */
function chanceOfAtLeast(successes: number, trials: number, share: number, logWays: number): number {
  if (share === 0) return 0;
  let term = Math.exp(logWays + successes * Math.log(share) + (trials - successes) * Math.log1p(-share));
  let sum = 0;
  for (let count = successes; count <= trials && term > 1e-18; count++) {
    sum += term;
    term *= ((trials - count) / (count + 1)) * (share / (1 - share));
  }
  return sum;
}
