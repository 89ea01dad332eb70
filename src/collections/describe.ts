/** Clusters of collections as records: name, principal copy, replicas. */
import { InvariantError } from "../errors.js";
import type { Collections } from "./find-collections.js";
import { type Replicas, urlOf } from "./replicas.js";
import type { SimilarClusters } from "./similar-clusters.js";
import type { TrivialClusters } from "./trivial.js";
import { type Links, NONE, type WebPages } from "./web-graph.js";

/**
 * Smaller collections are noise (section 5.1): slide shows, and what break points leave. Virtual pages do not count, else
 * a few similar pages of one site would become a replicated collection by all that its menu links to.
 */
export const NOISE_SIZE = 10;

/** Whether a cluster has not even two replicas of `minSize` pages. */
export function isNoise(
  { pages }: Replicas,
  { firstReplica }: SimilarClusters,
  cluster: number,
  minSize = NOISE_SIZE,
): boolean {
  let large = 0;
  for (let replica = firstReplica[cluster]!; replica < firstReplica[cluster + 1]!; replica++) {
    if (pages.offsets[replica + 1]! - pages.offsets[replica]! >= minSize) large++;
  }
  return large < 2;
}

export interface ReplicaRecord {
  readonly replica: number;
  /** URL of its root. */
  readonly root: string;
  readonly isPrincipal: boolean;
  /** Pages of its own, positions where it has none of its own, pages within it that correspond to none. */
  readonly real: number;
  readonly virtual: number;
  readonly unmatched: number;
  /** Share of real pages among all three. */
  readonly mapped: number;
}

export interface ClusterRecord {
  readonly cluster: number;
  /** Title of the entry page, or its URL without the scheme. */
  readonly name: string;
  /** The principal copy's root, which stands for all. */
  readonly entryPage: string;
  readonly cardinality: number;
  readonly size: number;
  readonly isNoise: boolean;
  readonly starts: number;
  readonly disagreeingLinks: number;
  /** The principal copy first. */
  readonly replicas: readonly ReplicaRecord[];
}

/** Everything that describes clusters, for `describeCluster`. */
export interface Described {
  readonly web: WebPages;
  readonly links: Links;
  readonly trivial: TrivialClusters;
  readonly collections: Collections;
  readonly replicas: Replicas;
  readonly titleOf?: (page: number) => string | undefined;
  /** Clusters of fewer pages are noise. Default: NOISE_SIZE. */
  readonly minSize?: number;
}

export function describeCluster(described: Described, cluster: number): ClusterRecord {
  const { web, collections, replicas, titleOf, minSize } = described;
  const { clusters, disagreeingLinks } = collections;
  const principal = replicas.principal[cluster]!;
  const entry = replicas.root[principal]!;
  const entryPage = urlOf(web, entry);
  const size = clusters.size[cluster]!;
  const first = clusters.firstReplica[cluster]!;
  const cardinality = clusters.firstReplica[cluster + 1]! - first;
  const records = Array.from({ length: cardinality }, (_, at): ReplicaRecord => {
    const replica = first + at;
    const real = replicas.pages.offsets[replica + 1]! - replicas.pages.offsets[replica]!;
    const alone = replicas.unmatched[replica]!;
    return {
      replica,
      root: urlOf(web, replicas.root[replica]!),
      isPrincipal: replica === principal,
      real,
      virtual: size - real,
      unmatched: alone,
      mapped: real / (size + alone),
    };
  });
  records.sort((a, b) => Number(b.isPrincipal) - Number(a.isPrincipal));
  return {
    cluster,
    name: titleOf?.(entry) || entryPage.replace(/^[a-z]+:\/\//, ""),
    entryPage,
    cardinality,
    size,
    isNoise: isNoise(replicas, clusters, cluster, minSize),
    starts: clusters.starts[cluster]!,
    disagreeingLinks: disagreeingLinks[cluster]!,
    replicas: records,
  };
}

/** One position of a cluster: the corresponding page in each replica. */
export interface Correspondence {
  readonly position: number;
  /** By replica. A virtual page is that of another replica, to which this one links; NONE where it does not. */
  readonly pages: Uint32Array;
  readonly isVirtual: readonly boolean[];
}

/** Which page of which replica corresponds to which, for each position of a cluster, the start first. */
export function correspondingPages(described: Described, cluster: number): Correspondence[] {
  const { links, trivial, collections, replicas } = described;
  const { clusters } = collections;
  const first = clusters.firstReplica[cluster]!;
  const cardinality = clusters.firstReplica[cluster + 1]! - first;
  const rows = new Map<number, Correspondence>();
  // A parent's row is made before those of the positions it leads to.
  const rowOf = (start: number): Correspondence => {
    const pending: number[] = [];
    for (let at = start; at !== NONE && !rows.has(at); at = clusters.parent[at]!) pending.push(at);
    for (const position of pending.reverse()) {
      const pages = new Uint32Array(cardinality).fill(NONE);
      for (let at = trivial.offsets[position]!; at < trivial.offsets[position + 1]!; at++) {
        pages[clusters.replicaOf[trivial.pages[at]!]! - first] = trivial.pages[at]!;
      }
      const isOwn = Array.from(pages, (page) => page !== NONE);
      const parent = rows.get(clusters.parent[position]!);
      isOwn.forEach((own, at) => {
        const from = parent?.pages[at] ?? NONE;
        if (!own && from !== NONE) pages[at] = linkedPage(links, trivial, from, position);
      });
      const isVirtual = isOwn.map((own, at) => !own && pages[at] !== NONE);
      rows.set(position, { position, pages, isVirtual });
    }
    return rows.get(start)!;
  };
  rowOf(clusters.start[cluster]!);
  const from = replicas.pages.offsets[first]!;
  const to = replicas.pages.offsets[first + cardinality]!;
  for (let at = from; at < to; at++) rowOf(trivial.of[replicas.pages.pages[at]!]!);
  return [...rows.values()];
}

/** The first page of a trivial cluster that a page links to. */
function linkedPage({ offsets, dest }: Links, trivial: TrivialClusters, page: number, position: number): number {
  for (let at = offsets[page]!; at < offsets[page + 1]!; at++) {
    if (trivial.of[dest[at]!] === position) return dest[at]!;
  }
  // The merge condition's |R_i| = s.
  throw new InvariantError(`page ${page} was merged with trivial cluster ${position} without a link to it`);
}

/** Figure 11: how many pages have how many similar pages, themselves included. */
export const replicationClasses = [
  { from: 1, to: 1 },
  { from: 2, to: 2 },
  { from: 3, to: 10 },
  { from: 11, to: 100 },
  { from: 101, to: 1000 },
  { from: 1001, to: Number.POSITIVE_INFINITY },
] as const;

/** Pages in each of the replicationClasses. */
export function replicationDistribution(trivial: TrivialClusters): number[] {
  const pages = replicationClasses.map(() => 0);
  for (let cluster = 0; cluster < trivial.count; cluster++) {
    const size = trivial.offsets[cluster + 1]! - trivial.offsets[cluster]!;
    pages[replicationClasses.findIndex(({ to }) => size <= to)]! += size;
  }
  return pages;
}

/** A point of figure 12. */
export interface ClusterPoint {
  readonly cardinality: number;
  readonly size: number;
  readonly isNoise: boolean;
  readonly clusters: number;
}

/** Figure 12: how many clusters there are of each cardinality and size, noise apart, in the clusters' order. */
export function clusterDistribution(records: readonly Omit<ClusterPoint, "clusters">[]): ClusterPoint[] {
  const points = new Map<string, ClusterPoint>();
  for (const { cardinality, size, isNoise } of records) {
    const key = `${cardinality} ${size} ${isNoise}`;
    points.set(key, { cardinality, size, isNoise, clusters: (points.get(key)?.clusters ?? 0) + 1 });
  }
  return [...points.values()];
}
