/** Similar clusters as columns: positions, replicas, pages. */
import type { TrivialClusters } from "./trivial.js";
import { NONE } from "./web-graph.js";

/**
 * Similar clusters (definition 8) as columns. A position is a trivial cluster; the pages at one position correspond to
 * each other, one in each replica. A replica without a real page at a position has a virtual one there: the copy of
 * another replica, to which it links. Clusters are numbered by cardinality, then size, largest first.
 */
export interface SimilarClusters {
  readonly count: number;
  /** Replicas of cluster c: firstReplica[c] .. firstReplica[c + 1]; that many is its cardinality. */
  readonly firstReplica: Uint32Array;
  /** The cluster of each replica. */
  readonly clusterOfReplica: Uint32Array;
  /** Positions: the pages of one collection, virtual ones included. */
  readonly size: Uint32Array;
  /** The position where growth began. */
  readonly start: Uint32Array;
  /** Positions where growth started over, because no position reaches all. */
  readonly starts: Uint32Array;
  /** The cluster of each position, or NONE. */
  readonly clusterOf: Uint32Array;
  /** The position from which each position was reached, NONE at a start. */
  readonly parent: Uint32Array;
  /** The replica to which each page belongs as a real page, or NONE. */
  readonly replicaOf: Uint32Array;
}

/** Clusters as they were made, in any order, with replicas numbered from 0 in each. */
export interface UnnumberedClusters {
  readonly cardinality: readonly number[];
  readonly size: readonly number[];
  readonly start: readonly number[];
  readonly starts: readonly number[];
  readonly clusterOf: Uint32Array;
  readonly parent: Uint32Array;
  readonly replicaOf: Uint32Array;
}

/** Brings clusters into order. `clusterOf` and `replicaOf` are rewritten in place. */
export function numberClusters(trivial: TrivialClusters, made: UnnumberedClusters): SimilarClusters {
  const { cardinality, size, start, starts, clusterOf, parent, replicaOf } = made;
  const count = start.length;
  const order = Array.from({ length: count }, (_, cluster) => cluster);
  order.sort((a, b) => cardinality[b]! - cardinality[a]! || size[b]! - size[a]! || start[a]! - start[b]!);
  const number = new Uint32Array(count);
  const firstReplica = new Uint32Array(count + 1);
  order.forEach((cluster, at) => {
    number[cluster] = at;
    firstReplica[at + 1] = firstReplica[at]! + cardinality[cluster]!;
  });
  for (let position = 0; position < trivial.count; position++) {
    const cluster = clusterOf[position]!;
    if (cluster === NONE) continue;
    clusterOf[position] = number[cluster]!;
    const first = firstReplica[number[cluster]!]!;
    for (let at = trivial.offsets[position]!; at < trivial.offsets[position + 1]!; at++) {
      replicaOf[trivial.pages[at]!]! += first;
    }
  }
  const clusterOfReplica = new Uint32Array(firstReplica[count]!);
  for (let cluster = 0; cluster < count; cluster++) {
    clusterOfReplica.fill(cluster, firstReplica[cluster]!, firstReplica[cluster + 1]!);
  }
  return {
    count,
    firstReplica,
    clusterOfReplica,
    size: Uint32Array.from(order, (cluster) => size[cluster]!),
    start: Uint32Array.from(order, (cluster) => start[cluster]!),
    starts: Uint32Array.from(order, (cluster) => starts[cluster]!),
    clusterOf,
    parent,
    replicaOf,
  };
}

/** The real pages of replica r, ascending: pages[offsets[r] .. offsets[r + 1]). */
export interface ReplicaPages {
  readonly offsets: Uint32Array;
  readonly pages: Uint32Array;
}

export function pagesByReplica({ replicaOf, clusterOfReplica }: SimilarClusters): ReplicaPages {
  const offsets = new Uint32Array(clusterOfReplica.length + 1);
  for (const replica of replicaOf) if (replica !== NONE) offsets[replica + 1]!++;
  for (let replica = 0; replica < clusterOfReplica.length; replica++) offsets[replica + 1]! += offsets[replica]!;
  const next = offsets.slice();
  const pages = new Uint32Array(offsets[clusterOfReplica.length]!);
  for (let page = 0; page < replicaOf.length; page++) {
    if (replicaOf[page] !== NONE) pages[next[replicaOf[page]!]!++] = page;
  }
  return { offsets, pages };
}
