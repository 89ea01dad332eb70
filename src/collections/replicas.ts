/** What tells the replicas of a cluster apart, and which is the principal copy. */
import type { Collections } from "./find-collections.js";
import { pagesByReplica, type ReplicaPages } from "./similar-clusters.js";
import type { TrivialClusters } from "./trivial.js";
import type { WebPages } from "./web-graph.js";

/** What tells the replicas of a cluster apart. */
export interface Replicas {
  readonly pages: ReplicaPages;
  /** For each replica its page at the position where growth began: its root. */
  readonly root: Uint32Array;
  /**
   * For each cluster its principal copy: the replica on the host that comes first, if an order of hosts is given, then the
   * one with the most links from other sites to its root, then with the most real pages, then with the shortest URL.
   */
  readonly principal: Uint32Array;
  /** For each cluster the page that stands for it: one that more than half of the principal copy's pages link to, else its root. */
  readonly front: Uint32Array;
  /** For each replica of a joined cluster how many pages of break points it has. */
  readonly unmatched: Uint32Array;
}

/** `hostRank` gives the place of a page's host among all. */
export function describeReplicas(
  web: WebPages,
  trivial: TrivialClusters,
  collections: Collections,
  hostRank: (page: number) => number = () => 0,
): Replicas {
  const { clusters, inLinks } = collections;
  const pages = pagesByReplica(clusters);
  const root = new Uint32Array(clusters.clusterOfReplica.length);
  const principal = new Uint32Array(clusters.count);
  const front = new Uint32Array(clusters.count);
  const urlBytes = (page: number) => web.urls.offsets[page + 1]! - web.urls.offsets[page]!;
  const realPages = (replica: number) => pages.offsets[replica + 1]! - pages.offsets[replica]!;
  for (let cluster = 0; cluster < clusters.count; cluster++) {
    const start = clusters.start[cluster]!;
    for (let at = trivial.offsets[start]!; at < trivial.offsets[start + 1]!; at++) {
      root[clusters.replicaOf[trivial.pages[at]!]!] = trivial.pages[at]!;
    }
    let best = clusters.firstReplica[cluster]!;
    for (let replica = best + 1; replica < clusters.firstReplica[cluster + 1]!; replica++) {
      const better =
        hostRank(root[best]!) - hostRank(root[replica]!) ||
        inLinks.offSite[root[replica]!]! - inLinks.offSite[root[best]!]! ||
        realPages(replica) - realPages(best) ||
        urlBytes(root[best]!) - urlBytes(root[replica]!) ||
        root[best]! - root[replica]!;
      if (better > 0) best = replica;
    }
    principal[cluster] = best;
    const mostLinked = pages.pages
      .subarray(pages.offsets[best]!, pages.offsets[best + 1]!)
      .reduce((page, other) => (inLinks.all[other]! > inLinks.all[page]! ? other : page));
    front[cluster] = 2 * inLinks.all[mostLinked]! > realPages(best) ? mostLinked : root[best]!;
  }
  return { pages, root, principal, front, unmatched: countUnmatchedPages(collections) };
}

function countUnmatchedPages({ clusters, breakPoints }: Collections): Uint32Array {
  const pagesOf = new Map<number, Set<number>>();
  for (const { from, to, sources, pages } of breakPoints) {
    if (from !== to) continue;
    pages.forEach((path, at) => {
      const replica = sources[at]!;
      const known = pagesOf.get(replica);
      if (known === undefined) pagesOf.set(replica, new Set(path));
      else for (const page of path) known.add(page);
    });
  }
  const count = new Uint32Array(clusters.clusterOfReplica.length);
  for (const [replica, pages] of pagesOf) count[replica] = pages.size;
  return count;
}

const decoder = new TextDecoder();

export function urlOf({ urls }: WebPages, page: number): string {
  return decoder.decode(urls.bytes.subarray(urls.offsets[page]!, urls.offsets[page + 1]!));
}
