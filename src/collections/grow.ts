/** Growing clusters of single pages into clusters of collections. */
import { findRoot, makeSets, union } from "../pages/union-find.js";
import type { InSteps } from "../progress.js";
import type { ClusterGraph } from "./cluster-graph.js";
import { numberClusters, type SimilarClusters } from "./similar-clusters.js";
import { SourceComponents } from "./source-components.js";
import type { TrivialClusters } from "./trivial.js";
import { NONE } from "./web-graph.js";

/**
 * Merges the connected components of the trivial cluster graph (section 3.1, step 3). In each, growth goes breadth first
 * along the edges from the most natural position and takes their pages into the replicas of their matches. Where that does not
 * reach all, it begins again, and the replicas of both parts are put together by the first edge that leads from one to the other.
 * Every page but those at the starts therefore has a similar parent in its collection (definition 5).
 *
 * `isMoreNatural` orders the positions strictly.
 */
export function* growClusters(
  trivial: TrivialClusters,
  graph: ClusterGraph,
  isMoreNatural: (left: number, right: number) => boolean,
): InSteps<SimilarClusters> {
  const growth = new Growth(trivial, graph, isMoreNatural);
  const byCardinality = positionsByCardinality(trivial);
  let from = 0;
  while (from < byCardinality.length) {
    yield { step: "growing collections", done: from, total: byCardinality.length, unit: "positions" };
    const cardinality = growth.cardinality(byCardinality[from]!);
    let to = from + 1;
    while (to < byCardinality.length && growth.cardinality(byCardinality[to]!) === cardinality) to++;
    growth.growBlock(byCardinality.subarray(from, to));
    from = to;
  }
  return growth.finish();
}

/** Trivial clusters of two pages and more, largest first, then by number. */
function positionsByCardinality(trivial: TrivialClusters): Uint32Array {
  const { count, offsets } = trivial;
  let largest = 0;
  for (let position = 0; position < count; position++) {
    largest = Math.max(largest, offsets[position + 1]! - offsets[position]!);
  }
  const places = new Uint32Array(largest + 2);
  for (let position = 0; position < count; position++) places[offsets[position + 1]! - offsets[position]!]!++;
  let total = 0;
  for (let size = largest; size >= 2; size--) {
    const some = places[size]!;
    places[size] = total;
    total += some;
  }
  const sorted = new Uint32Array(total);
  for (let position = 0; position < count; position++) {
    const size = offsets[position + 1]! - offsets[position]!;
    if (size >= 2) sorted[places[size]!++] = position;
  }
  return sorted;
}

/** An edge between two parts of one component that were grown from different starts. */
interface Crossing {
  readonly source: number;
  readonly edge: number;
}

class Growth {
  readonly #clusterOf: Uint32Array;
  readonly #parent: Uint32Array;
  /** Of each page, the replica's number within its cluster. */
  readonly #replicaOf: Uint32Array;
  /** For components within a block of positions of one cardinality. */
  readonly #component: Uint32Array;
  readonly #sources: SourceComponents;
  readonly #queue: Uint32Array;
  /** The part of its component that each position was grown in. */
  readonly #part: Uint32Array;
  // One entry for each cluster.
  readonly #start: number[] = [];
  readonly #starts: number[] = [];
  readonly #size: number[] = [];

  constructor(
    readonly trivial: TrivialClusters,
    readonly graph: ClusterGraph,
    readonly isMoreNatural: (left: number, right: number) => boolean,
  ) {
    this.#clusterOf = new Uint32Array(trivial.count).fill(NONE);
    this.#parent = new Uint32Array(trivial.count).fill(NONE);
    this.#replicaOf = new Uint32Array(trivial.of.length).fill(NONE);
    this.#component = new Uint32Array(trivial.count);
    this.#sources = new SourceComponents(trivial.count);
    this.#queue = new Uint32Array(trivial.count);
    this.#part = new Uint32Array(trivial.count);
    makeSets(this.#component);
  }

  cardinality(position: number): number {
    return this.trivial.offsets[position + 1]! - this.trivial.offsets[position]!;
  }

  /** Grows the clusters of one cardinality from those of its positions that no larger cardinality has taken. */
  growBlock(block: Uint32Array): void {
    const { offsets, target } = this.graph;
    const free = block.filter((position) => this.#clusterOf[position] === NONE);
    const cardinality = this.cardinality(block[0]!);
    const isEqualEdge = (edge: number) => {
      const to = target[edge]!;
      return this.cardinality(to) === cardinality && this.#clusterOf[to] === NONE;
    };
    for (const position of free) {
      for (let edge = offsets[position]!; edge < offsets[position + 1]!; edge++) {
        if (isEqualEdge(edge)) union(this.#component, position, target[edge]!);
      }
    }
    const starts = this.#chooseStarts(free, isEqualEdge);
    // Starts of one component side by side, the most natural first.
    starts.sort(
      (a, b) => findRoot(this.#component, a) - findRoot(this.#component, b) || (this.isMoreNatural(a, b) ? -1 : 1),
    );
    const firstCluster = this.#start.length;
    let from = 0;
    while (from < starts.length) {
      const root = findRoot(this.#component, starts[from]!);
      let to = from + 1;
      while (to < starts.length && findRoot(this.#component, starts[to]!) === root) to++;
      this.#growComponent(starts.slice(from, to), cardinality);
      from = to;
    }
    const made = Array.from({ length: this.#start.length - firstCluster }, (_, at) => firstCluster + at);
    made.sort((a, b) => this.#size[b]! - this.#size[a]! || a - b);
    this.#extend(made, free);
  }

  /** Of each strongly connected component that no other one leads to, the most natural position. */
  #chooseStarts(free: Uint32Array, isEdge: (edge: number) => boolean): number[] {
    const best: number[] = [];
    this.#sources.search(free, this.graph, isEdge, (position, component) => {
      const other = best[component];
      if (other === undefined || this.isMoreNatural(position, other)) best[component] = position;
    });
    return best.filter((position) => position !== undefined);
  }

  #growComponent(starts: readonly number[], cardinality: number): void {
    const { offsets: members, pages } = this.trivial;
    const { offsets, target } = this.graph;
    const cluster = this.#start.length;
    const queue = this.#queue;
    const crossings: Crossing[] = [];
    // One crossing from part to part is enough: for each part, the last one (plus one) from which an edge led to it.
    const crossedFrom = new Uint32Array(starts.length);
    let queued = 0;
    let head = 0;
    starts.forEach((start, part) => {
      this.#clusterOf[start] = cluster;
      this.#part[start] = part;
      for (let at = 0; at < cardinality; at++) this.#replicaOf[pages[members[start]! + at]!] = at;
      queue[queued++] = start;
      for (; head < queued; head++) {
        const position = queue[head]!;
        for (let edge = offsets[position]!; edge < offsets[position + 1]!; edge++) {
          const to = target[edge]!;
          if (this.#clusterOf[to] === cluster) {
            const other = this.#part[to]!;
            if (other === part || crossedFrom[other] === part + 1) continue;
            crossedFrom[other] = part + 1;
            crossings.push({ source: position, edge });
          } else if (this.#clusterOf[to] === NONE && this.cardinality(to) === cardinality) {
            this.#take(cluster, position, edge);
            this.#part[to] = part;
            queue[queued++] = to;
          }
        }
      }
    });
    this.#start.push(starts[0]!);
    this.#starts.push(starts.length);
    this.#size.push(queued);
    if (starts.length > 1) this.#alignParts(starts.length, crossings, cardinality, queued);
  }

  /** Takes the target of an edge into a cluster, page by page into the replicas of the matches. */
  #take(cluster: number, source: number, edge: number): void {
    const { match, matchStart, target } = this.graph;
    const { offsets: members, pages } = this.trivial;
    const to = target[edge]!;
    this.#clusterOf[to] = cluster;
    this.#parent[to] = source;
    const first = members[to]!;
    const matches = matchStart[edge]! - first;
    for (let at = first; at < members[to + 1]!; at++) {
      this.#replicaOf[pages[at]!] = this.#replicaOf[match[matches + at]!]!;
    }
  }

  /** Numbers the replicas of all parts as those of part 0, following the crossings from part to part. */
  #alignParts(parts: number, crossings: readonly Crossing[], cardinality: number, queued: number): void {
    const { match, matchStart, target } = this.graph;
    const { offsets: members, pages } = this.trivial;
    const crossingsOf: Crossing[][] = Array.from({ length: parts }, () => []);
    for (const crossing of crossings) {
      crossingsOf[this.#part[crossing.source]!]!.push(crossing);
      crossingsOf[this.#part[target[crossing.edge]!]!]!.push(crossing);
    }
    const numbering: (Uint32Array | undefined)[] = new Array(parts);
    numbering[0] = Uint32Array.from({ length: cardinality }, (_, at) => at);
    const partQueue = [0];
    for (const part of partQueue) {
      for (const { source, edge } of crossingsOf[part]!) {
        const to = target[edge]!;
        const isForward = this.#part[source] === part;
        const other = isForward ? this.#part[to]! : this.#part[source]!;
        if (numbering[other] !== undefined) continue;
        const numbers = new Uint32Array(cardinality);
        for (let at = 0; at < cardinality; at++) {
          const child = this.#replicaOf[pages[members[to]! + at]!]!;
          const parent = this.#replicaOf[match[matchStart[edge]! + at]!]!;
          if (isForward) numbers[child] = numbering[part]![parent]!;
          else numbers[parent] = numbering[part]![child]!;
        }
        numbering[other] = numbers;
        partQueue.push(other);
      }
    }
    for (let head = 0; head < queued; head++) {
      const position = this.#queue[head]!;
      const numbers = numbering[this.#part[position]!]!;
      for (let at = members[position]!; at < members[position + 1]!; at++) {
        this.#replicaOf[pages[at]!] = numbers[this.#replicaOf[pages[at]!]!]!;
      }
    }
  }

  /** Grows clusters on to positions with fewer pages, the largest cluster first; without such edges, does nothing. */
  #extend(clusters: readonly number[], free: Uint32Array): void {
    const { offsets, target } = this.graph;
    const { starts, positions } = groupByCluster(free, this.#clusterOf, clusters);
    const queue = this.#queue;
    clusters.forEach((cluster, at) => {
      let queued = 0;
      for (let place = starts[at]!; place < starts[at + 1]!; place++) queue[queued++] = positions[place]!;
      for (let head = 0; head < queued; head++) {
        const position = queue[head]!;
        for (let edge = offsets[position]!; edge < offsets[position + 1]!; edge++) {
          if (this.#clusterOf[target[edge]!] !== NONE) continue;
          this.#take(cluster, position, edge);
          this.#size[cluster]!++;
          queue[queued++] = target[edge]!;
        }
      }
    });
  }

  finish(): SimilarClusters {
    return numberClusters(this.trivial, {
      cardinality: this.#start.map((start) => this.cardinality(start)),
      size: this.#size,
      start: this.#start,
      starts: this.#starts,
      clusterOf: this.#clusterOf,
      parent: this.#parent,
      replicaOf: this.#replicaOf,
    });
  }
}

/** Positions by their place among `clusters`. */
function groupByCluster(
  all: Uint32Array,
  clusterOf: Uint32Array,
  clusters: readonly number[],
): { starts: Uint32Array; positions: Uint32Array } {
  const first = clusters.reduce((least, cluster) => Math.min(least, cluster), NONE);
  const placeOf = new Uint32Array(clusters.length);
  clusters.forEach((cluster, at) => {
    placeOf[cluster - first] = at;
  });
  const starts = new Uint32Array(clusters.length + 1);
  for (const position of all) starts[placeOf[clusterOf[position]! - first]! + 1]!++;
  for (let at = 0; at < clusters.length; at++) starts[at + 1]! += starts[at]!;
  const next = starts.slice();
  const positions = new Uint32Array(all.length);
  for (const position of all) positions[next[placeOf[clusterOf[position]! - first]!]!++] = position;
  return { starts, positions };
}
