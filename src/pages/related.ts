/**
 * A lower level than the paper's two: pages that share most of their text. Two of six supershingles find pairs of a
 * resemblance of .7 in one case of a hundred; from the same 84 features, 21 bands of 4 make candidates of nearly all of them, and
 * each pair is then compared by all 84.
 */
import { FEATURES } from "../sketch/constants.js";
import { RunHash } from "../tables/hashes.js";
import type { ClusterMap } from "./cluster.js";
import { firstEqual } from "./first-equal.js";
import { setSizes } from "./union-find.js";
import { comparesFeatures, VerifiedEdges } from "./verify.js";

/** Least resemblance of two pages that are joined directly. */
export const RELATED_RESEMBLANCE = 0.7;
export const BAND_FEATURES = 4;
export const BANDS = FEATURES / BAND_FEATURES;

/** The chance that two pages of that resemblance have a band in common. */
export function candidateChance(resemblance: number): number {
  return 1 - (1 - resemblance ** BAND_FEATURES) ** BANDS;
}

/** `features`: 84 for each document; `sketched`: non-zero for those with a sketch, the others are alone. */
export function relatePages(
  features: BigUint64Array,
  sketched: Uint8Array,
  resemblance = RELATED_RESEMBLANCE,
): ClusterMap {
  const edges = new VerifiedEdges(sketched.length, resemblance, comparesFeatures(features));
  const words = new Uint32Array(features.buffer, features.byteOffset, 2 * features.length);
  const listed = Uint32Array.from(sketched.keys()).filter((document) => sketched[document] !== 0);
  const hashes = new Uint32Array(2 * listed.length);
  const hash = new RunHash();
  const values = new BigUint64Array(hashes.buffer);
  for (let band = 0; band < BANDS; band++) {
    for (let place = 0; place < listed.length; place++) {
      hash.begin(band);
      const start = 2 * (FEATURES * listed[place]! + BAND_FEATURES * band);
      for (let word = start; word < start + 2 * BAND_FEATURES; word++) hash.add(words[word]!);
      hashes[2 * place] = hash.low;
      hashes[2 * place + 1] = hash.high;
    }
    // A hash that two different bands have makes a candidate that is compared for nothing, and nothing worse.
    const first = firstEqual(values);
    edges.beginRun();
    for (let place = 0; place < listed.length; place++) {
      if (first[place] !== place) edges.pair(listed[first[place]!]!, listed[place]!);
    }
  }
  const root = edges.finish();
  return { root, size: setSizes(root, sketched) };
}
