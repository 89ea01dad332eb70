/** What tells the replicas of a cluster apart, and which is the principal copy. */
import type { Collections } from "./find-collections.js";
import { pagesByReplica, type ReplicaPages } from "./similar-clusters.js";
import type { TrivialClusters } from "./trivial.js";
import type { WebPages } from "./web-graph.js";

/** What tells the replicas of a cluster apart. */
export interface Replicas {
  readonly pages: ReplicaPages;
  /**
   * For each replica the page where readers enter it: of its pages, unmatched ones too, the one that most pages link to if these are
   * more than half as many as it has, else the one at the position where growth began. (The paper's start alone would name a manual
   * by any of its pages once break points are joined.)
   */
  readonly root: Uint32Array;
  /**
   * For each cluster its principal copy: the replica on the host that comes first, if an order of hosts is given, then the
   * one with the most links from other sites to its root, then with the most real pages, then with the shortest URL.
   */
  readonly principal: Uint32Array;
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
  const unmatched = unmatchedPages(collections);
  const urlBytes = (page: number) => web.urls.offsets[page + 1]! - web.urls.offsets[page]!;
  const realPages = (replica: number) => pages.offsets[replica + 1]! - pages.offsets[replica]!;
  for (let cluster = 0; cluster < clusters.count; cluster++) {
    const start = clusters.start[cluster]!;
    for (let at = trivial.offsets[start]!; at < trivial.offsets[start + 1]!; at++) {
      const replica = clusters.replicaOf[trivial.pages[at]!]!;
      const own = pages.pages.subarray(pages.offsets[replica]!, pages.offsets[replica + 1]!);
      let mostLinked = trivial.pages[at]!;
      for (const some of [own, unmatched.get(replica) ?? []]) {
        for (const page of some) if (inLinks.all[page]! > inLinks.all[mostLinked]!) mostLinked = page;
      }
      root[replica] = 2 * inLinks.all[mostLinked]! > own.length ? mostLinked : trivial.pages[at]!;
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
  }
  return { pages, root, principal, unmatched: root.map((_, replica) => unmatched.get(replica)?.size ?? 0) };
}

/** By replica of a joined cluster: its pages of break points. */
function unmatchedPages({ breakPoints }: Collections): Map<number, Set<number>> {
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
  return pagesOf;
}

const decoder = new TextDecoder();

export function urlOf({ urls }: WebPages, page: number): string {
  return decoder.decode(urls.bytes.subarray(urls.offsets[page]!, urls.offsets[page + 1]!));
}
