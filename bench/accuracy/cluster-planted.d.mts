export interface Planted {
  readonly documents: number;
  /** Planted cluster of each document. */
  readonly planted: Uint32Array;
  /** 84 a document. */
  readonly features: BigUint64Array;
  /** Six columns, one after the other. */
  readonly supershingles: BigUint64Array;
}
export function randomNumbers(seed: number): () => number;
export function drawSize(random: () => number, exponent: number, largest: number): number;
export function joinProbability(p: number): number;
export function plantClusters(options: {
  readonly sizes: readonly number[];
  readonly resemblances: readonly number[];
  readonly seed?: number;
}): Planted;
export function bruteForceRoots(planted: Planted): Uint32Array;
