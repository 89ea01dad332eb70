/**
 * Collections of unequal sizes: what only some replicas of a cluster have. The merge condition wants a page in each of them, so that a
 * page that one copy lacks, or has changed, is a cluster of its own beside the others (open problem, section 6).
 */
import { firstEqual } from "../pages/first-equal.js";
import { type InSteps, PAUSE_EVERY } from "../progress.js";
import { RunHash } from "../tables/hashes.js";
import { NumberColumn } from "../tables/number-column.js";
import { type MergedClusters, mergeClusters } from "./merge-clusters.js";
import type { SimilarClusters } from "./similar-clusters.js";
import type { TrivialClusters } from "./trivial.js";
import { type Links, NONE, type WebPages } from "./web-graph.js";

/** Near to several replicas of a cluster: what is near to several of them is part of none. */
const SEVERAL = NONE - 1;

/**
 * A cluster becomes a part of a larger one (more positions, no fewer replicas) if each of its replicas is near to exactly one replica of
 * that, and no two to the same: a link leads from one to the other within a site, or they have pages in one directory of which no
 * larger collection has any. Of several such clusters it takes the one that it is near to most often.
 */
export function* joinNearby(
  web: WebPages,
  links: Links,
  trivial: TrivialClusters,
  clusters: SimilarClusters,
): InSteps<MergedClusters> {
  yield { step: "looking for what some replicas have", done: 0, total: web.count, unit: "pages" };
  const near = new NearReplicas(clusters);
  yield* addLinked(web, links, clusters, near);
  addNeighbours(web, clusters, near);
  const bySize = Array.from(clusters.size.keys()).sort((a, b) => clusters.size[b]! - clusters.size[a]! || a - b);
  const into = Uint32Array.from(clusters.size.keys());
  const replica = Uint32Array.from(clusters.clusterOfReplica.keys());
  // The larger first: what takes in a cluster may itself have been taken in.
  for (const cluster of bySize) {
    const parts = near.best(cluster);
    if (parts === undefined) continue;
    const first = clusters.firstReplica[cluster]!;
    into[cluster] = into[clusters.clusterOfReplica[parts[0]!]!]!;
    parts.forEach((other, at) => {
      replica[first + at] = replica[other]!;
    });
  }
  return mergeClusters(trivial, clusters, { into, replica });
}

/** Pairs of replicas that are near each other, by the one of the smaller cluster. */
class NearReplicas {
  readonly #small = new NumberColumn();
  readonly #large = new NumberColumn();
  #sorted: { readonly offsets: Uint32Array; readonly large: Uint32Array } | undefined;

  constructor(readonly clusters: SimilarClusters) {}

  add(one: number, other: number): void {
    const { clusterOfReplica, size } = this.clusters;
    const [a, b] = [clusterOfReplica[one]!, clusterOfReplica[other]!];
    if (size[a] === size[b]) return;
    const [small, large] = size[a]! < size[b]! ? [one, other] : [other, one];
    if (this.#cardinality(clusterOfReplica[small]!) > this.#cardinality(clusterOfReplica[large]!)) return;
    this.#small.push(small);
    this.#large.push(large);
  }

  #cardinality(cluster: number): number {
    return this.clusters.firstReplica[cluster + 1]! - this.clusters.firstReplica[cluster]!;
  }

  /** For each replica of a cluster the one of a larger cluster that it is a part of; undefined if there is no such cluster. */
  best(cluster: number): Uint32Array | undefined {
    const { firstReplica, clusterOfReplica } = this.clusters;
    const { offsets, large } = this.#bySmall();
    const first = firstReplica[cluster]!;
    const cardinality = this.#cardinality(cluster);
    const found = new Map<number, { readonly parts: Uint32Array; times: number }>();
    for (let replica = first; replica < first + cardinality; replica++) {
      for (let at = offsets[replica]!; at < offsets[replica + 1]!; at++) {
        const other = large[at]!;
        const target = clusterOfReplica[other]!;
        let entry = found.get(target);
        if (entry === undefined) {
          entry = { parts: new Uint32Array(cardinality).fill(NONE), times: 0 };
          found.set(target, entry);
        }
        entry.times++;
        const known = entry.parts[replica - first]!;
        entry.parts[replica - first] = known === NONE || known === other ? other : SEVERAL;
      }
    }
    let best: { readonly parts: Uint32Array; readonly times: number } | undefined;
    for (const entry of found.values()) {
      const isOneToOne =
        entry.parts.every((part) => part < SEVERAL) && new Set(entry.parts).size === entry.parts.length;
      if (isOneToOne && entry.times > (best?.times ?? 0)) best = entry;
    }
    return best?.parts;
  }

  #bySmall(): { readonly offsets: Uint32Array; readonly large: Uint32Array } {
    if (this.#sorted !== undefined) return this.#sorted;
    const offsets = new Uint32Array(this.clusters.clusterOfReplica.length + 1);
    for (const replica of this.#small.values) offsets[replica + 1]!++;
    for (let at = 1; at < offsets.length; at++) offsets[at]! += offsets[at - 1]!;
    const next = offsets.slice();
    const large = new Uint32Array(this.#small.length);
    this.#small.values.forEach((replica, at) => {
      large[next[replica]!++] = this.#large.values[at]!;
    });
    this.#sorted = { offsets, large };
    return this.#sorted;
  }
}

/** Replicas with a link from one to the other within a site. */
function* addLinked(web: WebPages, links: Links, clusters: SimilarClusters, near: NearReplicas): InSteps<void> {
  const { replicaOf, clusterOfReplica } = clusters;
  for (let page = 0; page < web.count; page++) {
    if (page % (PAUSE_EVERY << 6) === 0) {
      yield { step: "looking for what some replicas have", done: page, total: web.count, unit: "pages" };
    }
    const replica = replicaOf[page]!;
    if (replica === NONE) continue;
    for (let at = links.offsets[page]!; at < links.offsets[page + 1]!; at++) {
      const to = links.dest[at]!;
      const other = replicaOf[to]!;
      if (other === NONE || web.site[to] !== web.site[page]) continue;
      if (clusterOfReplica[other] !== clusterOfReplica[replica]) near.add(replica, other);
    }
  }
}

/** Replicas with a page in a directory, and the one there of the largest collection. */
function addNeighbours(web: WebPages, clusters: SimilarClusters, near: NearReplicas): void {
  const { replicaOf, clusterOfReplica, size } = clusters;
  const directoryOf = directories(web);
  // By directory: the replica of the largest cluster, SEVERAL where it has several there.
  const owner = new Uint32Array(web.count).fill(NONE);
  const owning = new Uint32Array(web.count);
  for (let page = 0; page < web.count; page++) {
    const replica = replicaOf[page]!;
    if (replica === NONE) continue;
    const directory = directoryOf[page]!;
    const cluster = clusterOfReplica[replica]!;
    if (owner[directory] === NONE || size[cluster]! > size[owning[directory]!]!) {
      owner[directory] = replica;
      owning[directory] = cluster;
    } else if (size[cluster] === size[owning[directory]!] && owner[directory] !== replica) owner[directory] = SEVERAL;
  }
  for (let page = 0; page < web.count; page++) {
    const replica = replicaOf[page]!;
    const other = owner[directoryOf[page]!]!;
    if (replica !== NONE && other < SEVERAL && other !== replica) near.add(replica, other);
  }
}

const SLASH = 0x2f;
const QUESTION = 0x3f;

/** For each page the first page of its directory: host and path up to the last slash. */
function directories({ count, urls: { bytes, offsets } }: WebPages): Uint32Array {
  const hashes = new Uint32Array(2 * count);
  const hash = new RunHash();
  for (let page = 0; page < count; page++) {
    hash.begin(0);
    for (let at = offsets[page]!; at < offsets[page + 1]! && bytes[at] !== QUESTION; at++) {
      hash.add(bytes[at]!);
      if (bytes[at] !== SLASH) continue;
      hashes[2 * page] = hash.low;
      hashes[2 * page + 1] = hash.high;
    }
  }
  return firstEqual(new BigUint64Array(hashes.buffer));
}
