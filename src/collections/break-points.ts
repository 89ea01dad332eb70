/** Break points: pages that split a collection in two. */
import { type InSteps, PAUSE_EVERY } from "../progress.js";
import { matchRows } from "./matching.js";
import { type MergedClusters, mergeClusters } from "./merge-clusters.js";
import { pagesByReplica, type ReplicaPages, type SimilarClusters } from "./similar-clusters.js";
import type { TrivialClusters } from "./trivial.js";
import { type Links, NONE, pathDistance, type WebPages } from "./web-graph.js";

/**
 * Pages that split a collection (section 2.2): from every replica of one cluster they lead, on its own site, to a
 * replica of another cluster with as many replicas, and yet they are not similar to each other.
 */
export interface BreakPoint {
  readonly from: number;
  readonly to: number;
  /** The replicas of `from`; where they were joined to a cluster with more, those of it that they are now. */
  readonly sources: Uint32Array;
  /** For each of them, the pages on the way. None where it links directly, but from pages that do not correspond to each other. */
  readonly pages: readonly (readonly number[])[];
  /** For each of them, the replica of `to` that it leads to; all different. */
  readonly replicas: Uint32Array;
}

/** A page with more links than this is a directory of everything, and says nothing about what belongs together. */
export const MAX_BREAK_POINT_LINKS = 1000;

/** All pairs of clusters that at most `maxPages` unmatched pages in each replica split, each pair once. */
export function* findBreakPoints(
  web: WebPages,
  links: Links,
  clusters: SimilarClusters,
  maxPages: number,
): InSteps<BreakPoint[]> {
  const search = new BreakPointSearch(web, links, clusters, maxPages);
  const found: BreakPoint[] = [];
  const pairs = new Set<number>();
  for (let from = 0; from < clusters.count; from++) {
    if (from % PAUSE_EVERY === 0) {
      yield { step: "looking for break points", done: from, total: clusters.count, unit: "clusters" };
    }
    for (const breakPoint of search.from(from)) {
      const [a, b] = from < breakPoint.to ? [from, breakPoint.to] : [breakPoint.to, from];
      const pair = a * clusters.count + b;
      if (pairs.has(pair)) continue;
      pairs.add(pair);
      found.push(breakPoint);
    }
  }
  return found;
}

/** A replica of another cluster, reached from a replica of the cluster at hand. */
interface Hit {
  /** Number of the replica it was reached from, within its cluster. */
  readonly source: number;
  readonly replica: number;
  readonly pages: readonly number[];
  readonly distance: number;
}

class BreakPointSearch {
  readonly #replicas: ReplicaPages;
  // Marks: the last walk that came to a page or replica. One walk per replica, so numbers do not run out.
  readonly #pageSeen: Uint32Array;
  readonly #replicaSeen: Uint32Array;
  readonly #previous: Uint32Array;
  #walk = 0;

  constructor(
    readonly web: WebPages,
    readonly links: Links,
    readonly clusters: SimilarClusters,
    readonly maxPages: number,
  ) {
    this.#replicas = pagesByReplica(clusters);
    this.#pageSeen = new Uint32Array(web.count);
    this.#previous = new Uint32Array(web.count);
    this.#replicaSeen = new Uint32Array(clusters.clusterOfReplica.length);
  }

  from(cluster: number): BreakPoint[] {
    const { firstReplica, clusterOfReplica } = this.clusters;
    const first = firstReplica[cluster]!;
    const cardinality = firstReplica[cluster + 1]! - first;
    // Hits by cluster; only clusters that all replicas so far have reached stay.
    let hitsOf = new Map<number, Hit[]>();
    for (let source = 0; source < cardinality; source++) {
      const still = new Map<number, Hit[]>();
      this.#walkFrom(first + source, cardinality, (replica, last, page) => {
        const other = clusterOfReplica[replica]!;
        let hits = still.get(other);
        if (hits === undefined) {
          hits = source === 0 ? [] : hitsOf.get(other);
          if (hits === undefined) return;
          still.set(other, hits);
        }
        hits.push({
          source,
          replica,
          pages: this.#pathTo(last),
          distance: pathDistance(this.web.urls, last, page),
        });
      });
      hitsOf = still;
      if (hitsOf.size === 0) return [];
    }
    const breakPoints: BreakPoint[] = [];
    for (const [to, hits] of hitsOf) {
      const matched = matchRows({
        rows: cardinality,
        columns: cardinality,
        row: hits.map(({ source }) => source),
        column: hits.map(({ replica }) => replica - firstReplica[to]!),
        cost: hits.map(({ distance }) => distance),
      });
      if (matched === undefined) continue;
      const replicas = matched.map((column) => firstReplica[to]! + column);
      const pages: (readonly number[])[] = new Array(cardinality);
      for (const hit of hits) if (replicas[hit.source] === hit.replica) pages[hit.source] = hit.pages;
      const sources = Uint32Array.from({ length: cardinality }, (_, source) => first + source);
      breakPoints.push({ from: cluster, to, sources, pages, replicas });
    }
    return breakPoints;
  }

  /** The unmatched pages up to a page; none if that is a page of the replica where the walk began. */
  #pathTo(last: number): number[] {
    const path: number[] = [];
    if (this.#pageSeen[last] !== this.#walk) return path;
    for (let page = last; page !== NONE; page = this.#previous[page]!) path.push(page);
    return path.reverse();
  }

  /** Shows each replica of another cluster of this cardinality once, with the page it was reached at and the one before. */
  #walkFrom(replica: number, cardinality: number, visit: (replica: number, last: number, page: number) => void): void {
    const { offsets, dest } = this.links;
    const { site } = this.web;
    const { replicaOf, clusterOfReplica, firstReplica } = this.clusters;
    const own = clusterOfReplica[replica]!;
    const walk = ++this.#walk;
    let frontier = this.#replicas.pages.subarray(
      this.#replicas.offsets[replica]!,
      this.#replicas.offsets[replica + 1]!,
    );
    for (let depth = 0; depth <= this.maxPages; depth++) {
      const next: number[] = [];
      for (const page of frontier) {
        const from = offsets[page]!;
        const to = offsets[page + 1]!;
        if (depth > 0 && to - from > MAX_BREAK_POINT_LINKS) continue;
        for (let at = from; at < to; at++) {
          const target = dest[at]!;
          if (site[target] !== site[page]) continue;
          const reached = replicaOf[target]!;
          const other = reached === NONE ? NONE : clusterOfReplica[reached]!;
          if (other !== NONE && firstReplica[other + 1]! - firstReplica[other]! === cardinality) {
            if (other === own || this.#replicaSeen[reached] === walk) continue;
            this.#replicaSeen[reached] = walk;
            visit(reached, page, target);
          } else if (depth < this.maxPages && this.#pageSeen[target] !== walk) {
            // A page in a cluster of another cardinality is as unmatched here as one in none.
            this.#pageSeen[target] = walk;
            this.#previous[target] = depth === 0 ? NONE : page;
            next.push(target);
          }
        }
      }
      frontier = Uint32Array.from(next);
    }
  }
}

/**
 * Joins clusters across their break points, from the largest on, breadth first. A break point that disagrees with those
 * already followed about which replicas belong together is left alone. Returns the break points with the new numbers.
 */
export function joinClusters(
  trivial: TrivialClusters,
  clusters: SimilarClusters,
  breakPoints: readonly BreakPoint[],
): { clusters: SimilarClusters; breakPoints: BreakPoint[] } {
  const { firstReplica } = clusters;
  const incident = new Map<number, BreakPoint[]>();
  for (const breakPoint of breakPoints) {
    for (const cluster of [breakPoint.from, breakPoint.to]) {
      const some = incident.get(cluster);
      if (some === undefined) incident.set(cluster, [breakPoint]);
      else some.push(breakPoint);
    }
  }
  const into = new Uint32Array(clusters.count).fill(NONE);
  const partOf = new Uint32Array(clusters.clusterOfReplica.length);
  for (let first = 0; first < clusters.count; first++) {
    if (into[first] !== NONE) continue;
    into[first] = first;
    for (let replica = firstReplica[first]!; replica < firstReplica[first + 1]!; replica++) partOf[replica] = replica;
    const queue = [first];
    for (const cluster of queue) {
      for (const { from, to, sources, replicas } of incident.get(cluster) ?? []) {
        const other = from === cluster ? to : from;
        if (into[other] !== NONE) continue;
        into[other] = first;
        queue.push(other);
        const [known, coming] = from === cluster ? [sources, replicas] : [replicas, sources];
        for (let at = 0; at < known.length; at++) partOf[coming[at]!] = partOf[known[at]!]!;
      }
    }
  }
  const merged = mergeClusters(trivial, clusters, { into, replica: partOf });
  return { clusters: merged.clusters, breakPoints: renumberBreakPoints(breakPoints, merged) };
}

/** Break points of clusters that were merged since. */
export function renumberBreakPoints(breakPoints: readonly BreakPoint[], merged: MergedClusters): BreakPoint[] {
  return breakPoints.map(({ from, to, sources, pages, replicas }) => {
    const order = Array.from(sources.keys()).sort(
      (a, b) => merged.replicaNow(sources[a]!) - merged.replicaNow(sources[b]!),
    );
    return {
      from: merged.clusterNow(from),
      to: merged.clusterNow(to),
      sources: Uint32Array.from(order, (at) => merged.replicaNow(sources[at]!)),
      pages: order.map((at) => pages[at]!),
      replicas: Uint32Array.from(order, (at) => merged.replicaNow(replicas[at]!)),
    };
  });
}
