import { FEATURES } from "../sketch/constants.js";
import { SUPERSHINGLES } from "../sketch/sketch.js";
import { makeTables, PartitionGrouper, placePartitions, SKETCHED, UNSKETCHED } from "./buckets.js";
import type { ClusterMap } from "./cluster.js";
import { perform, SIMILAR_LEADERS, similarPass } from "./steps.js";
import { findRoot, flatten, makeSets, setSizes, union } from "./union-find.js";

/**
 * Within a bucket, the first 64 documents are all compared with each other. Beyond, a document is compared with the
 * leaders kept so far and becomes one if it resembles none, up to 1,024: a bucket that falls apart costs at most that.
 */
const KEPT_ALWAYS = 64;
const KEPT_AT_MOST = 1024;

/** Whole clusters of the plain method, in any number: a large snapshot can be verified a few clusters at a time. */
export interface VerifyInput {
  /** Supershingle by supershingle, as fromColumns takes them. */
  readonly supershingles: BigUint64Array;
  /** The plain method's clusters of these documents. */
  readonly plain: ClusterMap;
  /** How many of the 84 features two documents have in common. */
  commonFeatures(left: number, right: number): number;
}

/** How much of what the plain method joined is chaining: documents joined through others, unlike each other. */
export interface Chaining {
  /** Pairs that share a megashingle and were compared; those that fell short. */
  readonly tested: number;
  readonly dropped: number;
  /** Comparisons that full buckets left out, counted by document; 0 means that every document had its chance. */
  readonly beyondLeaders: number;
  /** Plain clusters, and those of them that fell apart. */
  readonly clusters: number;
  readonly split: number;
  /** Documents that are alone after verification; documents that no longer are with their plain root. */
  readonly freed: number;
  readonly moved: number;
  /** Plain members compared with their plain root directly: how many, how many fall short, their mean resemblance. */
  readonly members: number;
  readonly unlikeRoot: number;
  readonly meanResemblanceToRoot: number;
}

/**
 * Keeps of the plain method's edges those between documents that share at least `resemblance` of their features, and
 * makes clusters from what is left. What failed is never joined again by a third document that shares nothing with it.
 */
export function verifyClusters(
  input: VerifyInput,
  resemblance: number,
): { readonly map: ClusterMap; readonly chaining: Chaining } {
  const { plain, commonFeatures } = input;
  const edges = new VerifiedEdges(plain.root.length, resemblance, commonFeatures);
  eachBucketPair(input, edges);
  const root = edges.finish();
  const map = { root, size: setSizes(root, plain.size) };
  const { tested, dropped, beyondLeaders, least } = edges;
  return { map, chaining: { tested, dropped, beyondLeaders, ...compare(input, map, least) } };
}

/** Clusters from pairs that may be alike: each is joined only if the two share enough of their features. */
export class VerifiedEdges {
  tested = 0;
  dropped = 0;
  beyondLeaders = 0;
  /** Features that two documents must share. */
  readonly least: number;
  readonly #parent: Uint32Array;
  /** Of each bucket of the run, by its first document: those that later ones are compared with. */
  readonly #kept = new Map<number, number[]>();
  readonly #commonFeatures: (left: number, right: number) => number;

  constructor(documents: number, resemblance: number, commonFeatures: (left: number, right: number) => number) {
    this.#commonFeatures = commonFeatures;
    this.least = Math.ceil(resemblance * FEATURES - 1e-9);
    this.#parent = new Uint32Array(documents);
    makeSets(this.#parent);
  }

  /** Other buckets begin. */
  beginRun(): void {
    this.#kept.clear();
  }

  /** A document of the bucket that `first` began. */
  pair(first: number, document: number): void {
    let leaders = this.#kept.get(first);
    if (leaders === undefined) {
      leaders = [first];
      this.#kept.set(first, leaders);
    }
    let joined = false;
    for (const leader of leaders) {
      // Already together through other documents: whether this edge passes too changes no component.
      if (findRoot(this.#parent, leader) === findRoot(this.#parent, document)) joined = true;
      else if (this.#passes(leader, document)) {
        union(this.#parent, leader, document);
        joined = true;
      }
    }
    if (leaders.length < KEPT_ALWAYS || (!joined && leaders.length < KEPT_AT_MOST)) leaders.push(document);
    else if (!joined) this.beyondLeaders++;
  }

  #passes(left: number, right: number): boolean {
    this.tested++;
    if (this.#commonFeatures(left, right) >= this.least) return true;
    this.dropped++;
    return false;
  }

  /** The smallest document of each one's cluster. */
  finish(): Uint32Array {
    flatten(this.#parent);
    return this.#parent;
  }
}

/** The buckets of all 15 pairs of columns, in one thread, so in one order. */
function eachBucketPair(input: VerifyInput, edges: VerifiedEdges): void {
  const { supershingles, plain } = input;
  const documents = plain.root.length;
  const tables = makeTables(documents, 1, SIMILAR_LEADERS);
  // A document that is alone in the plain clustering is in no bucket with another.
  for (let document = 0; document < documents; document++) {
    tables.state[document] = plain.size[document]! > 1 ? SKETCHED : UNSKETCHED;
  }
  const grouper = new PartitionGrouper(tables);
  const visitor = {
    skipsJoined: false,
    beginRun: () => edges.beginRun(),
    pair: (first: number, document: number) => edges.pair(first, document),
  };
  const column = new BigUint64Array(tables.words.buffer);
  for (let number = 0; number < SUPERSHINGLES; number++) {
    column.set(supershingles.subarray(number * documents, (number + 1) * documents));
    const pass = similarPass(number);
    perform(grouper, 0, { phase: "count", pass }, visitor);
    placePartitions(tables);
    perform(grouper, 0, { phase: "scatter", pass }, visitor);
    perform(grouper, 0, { phase: "group", pass }, visitor);
  }
}

function compare(
  { plain, commonFeatures }: VerifyInput,
  verified: ClusterMap,
  least: number,
): Omit<Chaining, "tested" | "dropped" | "beyondLeaders"> {
  let clusters = 0;
  let freed = 0;
  let moved = 0;
  let members = 0;
  let unlikeRoot = 0;
  let common = 0;
  const isSplit = new Uint8Array(plain.root.length);
  for (let document = 0; document < plain.root.length; document++) {
    if (plain.size[document]! < 2) continue;
    const root = plain.root[document]!;
    if (verified.size[document] === 1) freed++;
    if (verified.root[document] !== root) {
      moved++;
      isSplit[root] = 1;
    }
    if (root === document) {
      clusters++;
      continue;
    }
    members++;
    const withRoot = commonFeatures(root, document);
    common += withRoot;
    if (withRoot < least) unlikeRoot++;
  }
  return {
    clusters,
    split: isSplit.reduce((sum, mark) => sum + mark, 0),
    freed,
    moved,
    members,
    unlikeRoot,
    meanResemblanceToRoot: members === 0 ? 1 : common / (members * FEATURES),
  };
}

/** The commonFeatures of sketches in one array, 84 features a document. */
export function comparesFeatures(features: BigUint64Array): (left: number, right: number) => number {
  // Halves compare without making a BigInt of each.
  const words = new Uint32Array(features.buffer, features.byteOffset, features.length * 2);
  return (left, right) => countCommon(words, 2 * FEATURES * left, words, 2 * FEATURES * right);
}

/** Equal features of two sketches that begin at the given words. */
export function countCommon(left: Uint32Array, leftStart: number, right: Uint32Array, rightStart: number): number {
  let common = 0;
  for (let word = 0; word < 2 * FEATURES; word += 2) {
    if (
      left[leftStart + word] === right[rightStart + word] &&
      left[leftStart + word + 1] === right[rightStart + word + 1]
    ) {
      common++;
    }
  }
  return common;
}
