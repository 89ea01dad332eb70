/** Ranked results rolled up: one line for each cluster of copies. */
import type { ClusterRecord, ReplicaRecord } from "./describe.js";

/** One result of any search engine; results come in its order, best first. */
export interface RankedResult {
  readonly url: string;
  readonly score: number;
}

/** A result with its place in the engine's list, from 1. */
export type RankedHit<R extends RankedResult = RankedResult> = R & {
  readonly rank: number;
  /** How many copies there are, where lines come in that order. */
  readonly copies?: number;
};

/** In which order lines come: that of the results, or those with most copies first. */
export const lineOrders = ["rank", "copies"] as const;
export type LineOrder = (typeof lineOrders)[number];

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
        /** After the Collection link: the hits inside the cluster, this one too. */
        readonly collection: readonly CollectionHit<R>[];
        /** After the Replica link: all copies, with how many hits each has. */
        readonly replicas: readonly (ReplicaRecord & { readonly hits: number })[];
      }
  );

/** Results rolled up, when nothing is known of the clusters except their numbers. */
export interface Group<R extends RankedResult = RankedResult> {
  readonly hit: RankedHit<R>;
  readonly cluster?: number;
  /** The hits inside the cluster, the first too. */
  readonly hits: readonly CollectionHit<R>[];
}

/** One group per similar cluster, at its best hit, and per page that belongs to none. A URL that comes again is left out. */
export function groupResults<R extends RankedResult>(
  results: Iterable<R>,
  placeOf: (result: R) => Place | undefined,
): Group<R>[] {
  const hitsOf = new Map<number, CollectionHit<R>[]>();
  const seen = new Set<string>();
  const groups: Group<R>[] = [];
  let rank = 0;
  for (const result of results) {
    rank++;
    if (seen.has(result.url)) continue;
    seen.add(result.url);
    const hit = { ...result, rank };
    const place = placeOf(result);
    if (place === undefined) {
      groups.push({ hit, hits: [] });
      continue;
    }
    const { cluster, replica } = place;
    const hits = hitsOf.get(cluster);
    if (hits === undefined) {
      const first = [{ ...hit, replica }];
      hitsOf.set(cluster, first);
      groups.push({ hit, cluster, hits: first });
    } else hits.push({ ...hit, replica });
  }
  return groups;
}

/** The line of a group. */
export function lineOf<R extends RankedResult>(
  { hit, cluster, hits }: Group<R>,
  describe: (cluster: number) => Pick<ClusterRecord, "name" | "size" | "replicas">,
): RolledUpLine<R> {
  if (cluster === undefined) return hit;
  const { name, size, replicas } = describe(cluster);
  const count = new Map<number, number>();
  for (const { replica } of hits) count.set(replica, (count.get(replica) ?? 0) + 1);
  return {
    ...{ ...hit, cluster, name, size, collection: hits },
    replicas: replicas.map((record) => ({ ...record, hits: count.get(record.replica) ?? 0 })),
  };
}
