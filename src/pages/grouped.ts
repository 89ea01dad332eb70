/**
 * Clusters with other supershingles than the paper's: N of K features each, of which two documents share M. With 6, 14 and 2 they are
 * those of cluster.ts, which needs the supershingles alone; this needs whole sketches.
 */
import { UserError } from "../errors.js";
import { FEATURES } from "../sketch/constants.js";
import { RunHash } from "../tables/hashes.js";
import type { ClusterMap } from "./cluster.js";
import { firstEqual } from "./first-equal.js";
import { flatten, makeSets, setSizes, union } from "./union-find.js";

export interface Grouping {
  /** Supershingles: features 0 to K-1, K to 2K-1, and so on. */
  readonly count: number;
  readonly features: number;
  /** How many of them two documents have to share. */
  readonly shared: number;
}

/** As many tables as there are choices of supershingles: 15 in the paper. */
const MOST_TABLES = 2000;

/** "6x14" and how many of them are shared. */
export function parseGrouping(text: string, shared: number): Grouping {
  const [, count, features] = (/^(\d+)x(\d+)$/.exec(text) ?? []).map(Number);
  if (count === undefined || features === undefined || count * features === 0) {
    throw new UserError(`--supershingles ${text}: expected a number and a length, such as 6x14`);
  }
  if (count * features > FEATURES) {
    throw new UserError(`--supershingles ${text}: ${count * features} features, and a sketch has ${FEATURES}`);
  }
  if (shared > count) throw new UserError(`--shared ${shared}: there are ${count} supershingles`);
  if (choices(count, shared, MOST_TABLES) === undefined) {
    throw new UserError(`--supershingles ${text} --shared ${shared}: more than ${MOST_TABLES} combinations`);
  }
  return { count, features, shared };
}

/** The chance that two pages of that resemblance share enough supershingles. */
export function sharingChance(resemblance: number, { count, features, shared }: Grouping): number {
  const each = resemblance ** features;
  let chance = 0;
  let ways = 1;
  for (let equal = 0; equal <= count; equal++) {
    if (equal >= shared) chance += ways * each ** equal * (1 - each) ** (count - equal);
    ways = (ways * (count - equal)) / (equal + 1);
  }
  return chance;
}

/** `features`: 84 for each document; `sketched`: non-zero for those with a sketch, the others are alone. */
export function clusterGrouped(features: BigUint64Array, sketched: Uint8Array, grouping: Grouping): ClusterMap {
  const parent = new Uint32Array(sketched.length);
  makeSets(parent);
  const words = new Uint32Array(features.buffer, features.byteOffset, 2 * features.length);
  const listed = Uint32Array.from(sketched.keys()).filter((document) => sketched[document] !== 0);
  const hashes = new Uint32Array(2 * listed.length);
  const hash = new RunHash();
  const length = 2 * grouping.features;
  for (const chosen of choices(grouping.count, grouping.shared, MOST_TABLES) ?? []) {
    for (let place = 0; place < listed.length; place++) {
      hash.begin(0);
      for (const supershingle of chosen) {
        const start = 2 * FEATURES * listed[place]! + length * supershingle;
        for (let word = start; word < start + length; word++) hash.add(words[word]!);
      }
      hashes[2 * place] = hash.low;
      hashes[2 * place + 1] = hash.high;
    }
    const first = firstEqual(new BigUint64Array(hashes.buffer));
    for (let place = 0; place < listed.length; place++) {
      const [leader, document] = [listed[first[place]!]!, listed[place]!];
      // Hashes bring documents together; whether they are equal the features say.
      if (leader !== document && chosen.every((one) => areEqual(words, leader, document, length * one, length))) {
        union(parent, leader, document);
      }
    }
  }
  flatten(parent);
  return { root: parent, size: setSizes(parent, sketched) };
}

function areEqual(words: Uint32Array, a: number, b: number, start: number, length: number): boolean {
  const [left, right] = [2 * FEATURES * a + start, 2 * FEATURES * b + start];
  for (let word = 0; word < length; word++) if (words[left + word] !== words[right + word]) return false;
  return true;
}

/** All choices of `size` numbers from 0 to count - 1; undefined where there are more than `most`. */
function choices(count: number, size: number, most: number): number[][] | undefined {
  let found: number[][] = [[]];
  for (let taken = 0; taken < size; taken++) {
    // Each of them can be completed, so their number only grows.
    const end = count - size + taken;
    found = found.flatMap((some) => {
      const first = (some.at(-1) ?? -1) + 1;
      return Array.from({ length: end - first + 1 }, (_, more) => [...some, first + more]);
    });
    if (found.length > most) return undefined;
  }
  return found;
}
