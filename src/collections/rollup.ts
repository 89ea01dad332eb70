import type { ClusterRecord, ReplicaRecord } from "./describe.js";

/** One result of any search engine; results come in its order, best first. */
export interface RankedResult {
  readonly url: string;
  readonly score: number;
}

/** A result with its place in the engine's list, from 1. */
export type RankedHit<R extends RankedResult = RankedResult> = R & { readonly rank: number };

/** Where a page belongs. */
export interface Place {
  readonly cluster: number;
  readonly replica: number;
}

export type CollectionHit<R extends RankedResult = RankedResult> = RankedHit<R> & {
  /** The replica that the page belongs to. */
  readonly replica: number;
};

/** One line of the rolled-up results (section 5.2, figure 14): a page, or a similar cluster at its best hit. */
export type RolledUpLine<R extends RankedResult = RankedResult> = RankedHit<R> &
  (
    | { readonly cluster?: undefined }
    | {
        readonly cluster: number;
        /** The cluster's name and size. */
        readonly name: string;
        readonly size: number;
        /** Behind the Collection link: the hits inside the cluster, this one too. */
        readonly collection: readonly CollectionHit<R>[];
        /** Behind the Replica link: all copies, with how many hits each has. */
        readonly replicas: readonly (ReplicaRecord & { readonly hits: number })[];
      }
  );

/** Rolls results up; `placeOf` finds a URL's page in the collections. A URL that comes again is left out. */
export function rollUp<R extends RankedResult>(
  results: Iterable<R>,
  placeOf: (url: string) => Place | undefined,
  describe: (cluster: number) => Pick<ClusterRecord, "name" | "size" | "replicas">,
): RolledUpLine<R>[] {
  const hitsOf = new Map<number, CollectionHit<R>[]>();
  const seen = new Set<string>();
  const firsts: { readonly hit: RankedHit<R>; readonly cluster: number | undefined }[] = [];
  let rank = 0;
  for (const result of results) {
    rank++;
    if (seen.has(result.url)) continue;
    seen.add(result.url);
    const hit = { ...result, rank };
    const place = placeOf(result.url);
    if (place === undefined) {
      firsts.push({ hit, cluster: undefined });
      continue;
    }
    const { cluster, replica } = place;
    const hits = hitsOf.get(cluster);
    if (hits === undefined) {
      hitsOf.set(cluster, [{ ...hit, replica }]);
      firsts.push({ hit, cluster });
    } else hits.push({ ...hit, replica });
  }
  return firsts.map(({ hit, cluster }): RolledUpLine<R> => {
    if (cluster === undefined) return hit;
    const { name, size, replicas } = describe(cluster);
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
