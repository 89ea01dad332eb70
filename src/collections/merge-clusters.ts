/** Several similar clusters as one. */
import { numberClusters, type SimilarClusters } from "./similar-clusters.js";
import type { TrivialClusters } from "./trivial.js";
import { NONE } from "./web-graph.js";

/** Which clusters become one, and which of their replicas. */
export interface Merge {
  /** For each cluster the one that takes it in; itself where none does. One that takes others in is not taken in itself. */
  readonly into: Uint32Array;
  /** For each replica that of `into` which it is a part of. Those of one cluster are parts of different ones. */
  readonly replica: Uint32Array;
}

export interface MergedClusters {
  readonly clusters: SimilarClusters;
  /** What an old cluster, and an old replica, is by now. */
  clusterNow(cluster: number): number;
  replicaNow(replica: number): number;
}

/** After this, replicas need not have a page at every position. Starts of clusters that were taken in stay starts. */
export function mergeClusters(trivial: TrivialClusters, old: SimilarClusters, merge: Merge): MergedClusters {
  const kept = Array.from(merge.into.keys()).filter((cluster) => merge.into[cluster] === cluster);
  const place = new Uint32Array(old.count);
  kept.forEach((cluster, at) => {
    place[cluster] = at;
  });
  const size = kept.map(() => 0);
  const starts = kept.map(() => 0);
  for (let cluster = 0; cluster < old.count; cluster++) {
    const at = place[merge.into[cluster]!]!;
    size[at]! += old.size[cluster]!;
    starts[at]! += old.starts[cluster]!;
  }
  const numberOf = (replica: number) =>
    merge.replica[replica]! - old.firstReplica[merge.into[old.clusterOfReplica[replica]!]!]!;
  const clusters = numberClusters(trivial, {
    cardinality: kept.map((cluster) => old.firstReplica[cluster + 1]! - old.firstReplica[cluster]!),
    ...{ size, starts },
    start: kept.map((cluster) => old.start[cluster]!),
    clusterOf: old.clusterOf.map((cluster) => (cluster === NONE ? NONE : place[merge.into[cluster]!]!)),
    parent: old.parent,
    replicaOf: old.replicaOf.map((replica) => (replica === NONE ? NONE : numberOf(replica))),
  });
  const clusterNow = (cluster: number) => clusters.clusterOf[old.start[cluster]!]!;
  const replicaNow = (replica: number) =>
    clusters.firstReplica[clusterNow(old.clusterOfReplica[replica]!)]! + numberOf(replica);
  return { clusters, clusterNow, replicaNow };
}
