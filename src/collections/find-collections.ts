/** Replicated collections from similar pages and links: the whole algorithm. */

import { type InSteps, toTheEnd } from "../progress.js";
import { type BreakPoint, findBreakPoints, joinClusters, renumberBreakPoints } from "./break-points.js";
import { clusterGraph, type GrowthOptions } from "./cluster-graph.js";
import { growClusters } from "./grow.js";
import { joinNearby } from "./join-nearby.js";
import type { SimilarClusters } from "./similar-clusters.js";
import type { TrivialClusters } from "./trivial.js";
import { countInLinks, type InLinks, type Links, NONE, type WebPages } from "./web-graph.js";

export interface CollectionOptions extends GrowthOptions {
  /** Join clusters of equal replicas that are split by at most this many unmatched pages in each replica. 0: only name them. */
  readonly joinThrough?: number;
  /** Take what only some replicas of a larger cluster have into it (join-nearby.ts). */
  readonly nearby?: boolean;
}

export interface Collections {
  readonly clusters: SimilarClusters;
  readonly inLinks: InLinks;
  /** What splits similar collections; where they were joined, `from` and `to` are the same cluster. */
  readonly breakPoints: readonly BreakPoint[];
  /** Pairs of trivial clusters that pass the merge condition's counts without a one-to-one mapping. */
  readonly unmatched: number;
  /** For each cluster the links from one of its replicas to a page of another, which its breadth-first tree does not follow. */
  readonly disagreeingLinks: Uint32Array;
}

/** Replicated collections from TRIVIAL and LINK (Cho et al. 2000, figure 9). */
export function findCollections(
  web: WebPages,
  links: Links,
  trivial: TrivialClusters,
  options: CollectionOptions = {},
): Collections {
  return toTheEnd(findCollectionsInSteps(web, links, trivial, options));
}

export function* findCollectionsInSteps(
  web: WebPages,
  links: Links,
  trivial: TrivialClusters,
  options: CollectionOptions = {},
): InSteps<Collections> {
  const { joinThrough = 0, nearby = false } = options;
  const inLinks = countInLinks(web, links);
  const graph = yield* clusterGraph(web, links, trivial, options);
  const grown = yield* growClusters(trivial, graph, naturalOrder(web, trivial, inLinks));
  const found = yield* findBreakPoints(web, links, grown, Math.max(1, joinThrough));
  const joined = joinThrough > 0 ? joinClusters(trivial, grown, found) : { clusters: grown, breakPoints: found };
  const { clusters, breakPoints } = nearby ? yield* takeNearby(web, links, trivial, joined) : joined;
  return {
    clusters,
    inLinks,
    breakPoints,
    unmatched: graph.unmatched,
    disagreeingLinks: countDisagreeingLinks(links, clusters),
  };
}

function* takeNearby(
  web: WebPages,
  links: Links,
  trivial: TrivialClusters,
  { clusters, breakPoints }: Pick<Collections, "clusters" | "breakPoints">,
): InSteps<Pick<Collections, "clusters" | "breakPoints">> {
  const merged = yield* joinNearby(web, links, trivial, clusters);
  return { clusters: merged.clusters, breakPoints: renumberBreakPoints(breakPoints, merged) };
}

/**
 * The most natural root has the most links from other sites, to whichever of its copies (section 3.1). Where that does
 * not decide, as in a crawl of the mirrors alone: the most links at all, then the shortest URL, then the smallest number.
 */
function naturalOrder(
  web: WebPages,
  trivial: TrivialClusters,
  inLinks: InLinks,
): (left: number, right: number) => boolean {
  const { offsets } = web.urls;
  const offSite = new Float64Array(trivial.count);
  const all = new Float64Array(trivial.count);
  const urlBytes = new Uint32Array(trivial.count).fill(NONE);
  for (let page = 0; page < web.count; page++) {
    const position = trivial.of[page]!;
    offSite[position]! += inLinks.offSite[page]!;
    all[position]! += inLinks.all[page]!;
    urlBytes[position] = Math.min(urlBytes[position]!, offsets[page + 1]! - offsets[page]!);
  }
  return (left, right) =>
    (offSite[left]! - offSite[right]! ||
      all[left]! - all[right]! ||
      urlBytes[right]! - urlBytes[left]! ||
      right - left) > 0;
}

function countDisagreeingLinks(links: Links, clusters: SimilarClusters): Uint32Array {
  const { offsets, dest } = links;
  const { replicaOf, clusterOfReplica } = clusters;
  const count = new Uint32Array(clusters.count);
  for (let page = 0; page < replicaOf.length; page++) {
    const replica = replicaOf[page]!;
    if (replica === NONE) continue;
    for (let at = offsets[page]!; at < offsets[page + 1]!; at++) {
      const other = replicaOf[dest[at]!]!;
      if (other === NONE || other === replica) continue;
      if (clusterOfReplica[other] === clusterOfReplica[replica]) count[clusterOfReplica[replica]!]!++;
    }
  }
  return count;
}
