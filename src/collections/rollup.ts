import { type Described, describeCluster, type ReplicaRecord } from "./describe.js";
import { NONE } from "./web-graph.js";

/** One result of any search engine; results come in its order, best first. */
export interface RankedResult {
  readonly url: string;
  readonly score: number;
}

/** A result with its place in the engine's list, from 1. */
export interface RankedHit extends RankedResult {
  readonly rank: number;
}

export interface CollectionHit extends RankedHit {
  /** The replica that the page belongs to. */
  readonly replica: number;
}

/** One line of the rolled-up results (section 5.2, figure 14): a page, or a similar cluster at its best hit. */
export type RolledUpLine = RankedHit &
  (
    | { readonly cluster?: undefined }
    | {
        readonly cluster: number;
        /** The cluster's name and size. */
        readonly name: string;
        readonly size: number;
        /** Behind the Collection link: the hits inside the cluster, this one too. */
        readonly collection: readonly CollectionHit[];
        /** Behind the Replica link: all copies, with how many hits each has. */
        readonly replicas: readonly (ReplicaRecord & { readonly hits: number })[];
      }
  );

/** Rolls results up; `pageOf` finds the page of a URL. A URL that comes again is left out. */
export function rollUp(
  results: Iterable<RankedResult>,
  described: Described,
  pageOf: (url: string) => number | undefined,
): RolledUpLine[] {
  const { replicaOf, clusterOfReplica } = described.collections.clusters;
  const hitsOf = new Map<number, CollectionHit[]>();
  const seen = new Set<string>();
  const firsts: { readonly hit: RankedHit; readonly cluster: number | undefined }[] = [];
  let rank = 0;
  for (const { url, score } of results) {
    rank++;
    if (seen.has(url)) continue;
    seen.add(url);
    const hit = { url, score, rank };
    const page = pageOf(url);
    const replica = page === undefined ? NONE : replicaOf[page]!;
    if (replica === NONE) {
      firsts.push({ hit, cluster: undefined });
      continue;
    }
    const cluster = clusterOfReplica[replica]!;
    const hits = hitsOf.get(cluster);
    if (hits === undefined) {
      hitsOf.set(cluster, [{ ...hit, replica }]);
      firsts.push({ hit, cluster });
    } else hits.push({ ...hit, replica });
  }
  return firsts.map(({ hit, cluster }): RolledUpLine => {
    if (cluster === undefined) return hit;
    const { name, size, replicas } = describeCluster(described, cluster);
    const collection = hitsOf.get(cluster)!;
    return {
      ...hit,
      cluster,
      name,
      size,
      collection,
      replicas: replicas.map((record) => ({
        ...record,
        hits: collection.filter(({ replica }) => replica === record.replica).length,
      })),
    };
  });
}
