// The paper's definitions and steps, written down as plainly as possible: sets, all pairs, all permutations.
import type { Described } from "#src/collections/describe.js";
import { correspondingPages } from "#src/collections/describe.js";
import type { SimilarClusters } from "#src/collections/similar-clusters.js";
import { NONE } from "#src/collections/web-graph.js";

/** A web small enough to try everything. */
export interface PlainWeb {
  readonly pages: number;
  readonly site: readonly number[];
  readonly cluster: readonly number[];
  readonly links: readonly (readonly [number, number])[];
}

export class Oracle {
  readonly linked: Set<number>[];
  readonly members = new Map<number, number[]>();

  constructor(readonly web: PlainWeb) {
    this.linked = Array.from({ length: web.pages }, () => new Set<number>());
    for (const [from, to] of web.links) {
      if (from < web.pages && to < web.pages && from !== to) this.linked[from]!.add(to);
    }
    web.cluster.forEach((cluster, page) => {
      this.members.set(cluster, [...(this.members.get(cluster) ?? []), page]);
    });
  }

  /** s, d as section 3.1 defines them. */
  summary(i: number, j: number): { s: number; d: number } {
    const from = this.members.get(i)!;
    const to = this.members.get(j)!;
    return {
      s: from.filter((p) => to.some((q) => this.linked[p]!.has(q))).length,
      d: to.filter((q) => from.some((p) => this.linked[p]!.has(q))).length,
    };
  }

  /** Whether every page of R_j can have a page of R_i of its own that links to it. */
  hasMapping(i: number, j: number, sameSiteOnly: boolean): boolean {
    const place = (at: number, taken: ReadonlySet<number>): boolean =>
      at === this.members.get(j)!.length ||
      this.members.get(i)!.some((page) => {
        const target = this.members.get(j)![at]!;
        if (taken.has(page) || !this.linked[page]!.has(target)) return false;
        if (sameSiteOnly && this.web.site[page] !== this.web.site[target]) return false;
        return place(at + 1, new Set([...taken, page]));
      });
    return place(0, new Set());
  }

  isEdge(i: number, j: number, { extended = false, singleSite = false } = {}): boolean {
    const [sizeI, sizeJ] = [this.members.get(i)!.length, this.members.get(j)!.length];
    if (i === j || sizeI < 2) return false;
    const { s, d } = this.summary(i, j);
    if (s !== sizeI || d !== sizeJ) return false;
    if (extended ? sizeJ > sizeI : sizeJ !== sizeI) return false;
    const onOwnSite = this.members
      .get(i)!
      .filter((p) => this.members.get(j)!.some((q) => this.linked[p]!.has(q) && this.web.site[p] === this.web.site[q]));
    if (onOwnSite.length > sizeJ) return false;
    return this.hasMapping(i, j, singleSite || sizeJ === 1);
  }

  /** The positions of each similar cluster, sorted, as text. */
  clusters(options: { extended?: boolean; singleSite?: boolean } = {}): string[] {
    const positions = [...this.members.keys()].sort((a, b) => a - b);
    const size = (position: number) => this.members.get(position)!.length;
    const edges = positions.flatMap((i) =>
      positions.filter((j) => this.isEdge(i, j, options)).map((j) => [i, j] as const),
    );
    const taken = new Set<number>();
    const found: number[][] = [];
    const cardinalities = [...new Set(positions.map(size))].filter((n) => n > 1).sort((a, b) => b - a);
    for (const cardinality of cardinalities) {
      const free = positions.filter((position) => size(position) === cardinality && !taken.has(position));
      const block: number[][] = [];
      for (const start of free) {
        if (block.flat().includes(start)) continue;
        const component = [start];
        for (const at of component) {
          for (const [i, j] of edges) {
            const next = i === at ? j : j === at ? i : undefined;
            if (next !== undefined && free.includes(next) && !component.includes(next)) component.push(next);
          }
        }
        block.push(component);
      }
      for (const position of free) taken.add(position);
      block.sort((a, b) => b.length - a.length || Math.min(...a) - Math.min(...b));
      for (const cluster of block) {
        for (const at of cluster) {
          for (const [i, j] of edges) {
            if (i !== at || taken.has(j)) continue;
            taken.add(j);
            cluster.push(j);
          }
        }
        found.push(cluster);
      }
    }
    return found.map((cluster) => cluster.sort((a, b) => a - b).join(" ")).sort();
  }

  /** How few positions reach all of a set of positions. */
  fewestStarts(positions: readonly number[], options: { singleSite?: boolean }): number {
    const reach = new Map(
      positions.map((start) => {
        const reached = [start];
        for (const at of reached) {
          for (const to of positions) {
            if (!reached.includes(to) && this.isEdge(at, to, options)) reached.push(to);
          }
        }
        return [start, new Set(reached)] as const;
      }),
    );
    for (let count = 1; ; count++) {
      const choose = (from: number, left: number, covered: ReadonlySet<number>): boolean =>
        left === 0
          ? covered.size === positions.length
          : positions.some(
              (start, at) => at >= from && choose(at + 1, left - 1, new Set([...covered, ...reach.get(start)!])),
            );
      if (choose(0, count, new Set())) return count;
    }
  }
}

/** The pages of each replica of a cluster. */
function collectionsOf({ collections, replicas }: Described, cluster: number): number[][] {
  const { firstReplica } = collections.clusters;
  const found: number[][] = [];
  for (let replica = firstReplica[cluster]!; replica < firstReplica[cluster + 1]!; replica++) {
    found.push([
      ...replicas.pages.pages.subarray(replicas.pages.offsets[replica]!, replicas.pages.offsets[replica + 1]!),
    ]);
  }
  return found;
}

/**
 * Definitions 5, 6 and 8 for one cluster: equal sizes, a one-to-one mapping of similar pages, and for each page a parent
 * in its collection that is similar to a parent of the corresponding page. Pages at starts are exempt from the last.
 */
export function checkDefinitions(described: Described, oracle: Oracle, cluster: number): string[] {
  const { clusters } = described.collections;
  const wrong: string[] = [];
  const collections = collectionsOf(described, cluster);
  const label = oracle.web.cluster;
  const parents = (collection: readonly number[], page: number) =>
    new Set(collection.filter((other) => oracle.linked[other]!.has(page)).map((other) => label[other]!));
  for (const one of collections) {
    if (one.length !== clusters.size[cluster]) wrong.push(`collection of ${one.length} pages`);
    for (const other of collections) {
      for (const page of one) {
        const matches = other.filter((candidate) => label[candidate] === label[page]);
        if (matches.length !== 1) wrong.push(`page ${page} corresponds to ${matches.length} pages`);
        if (clusters.parent[described.trivial.of[page]!] === NONE) continue;
        const mine = parents(one, page);
        const theirs = parents(other, matches[0]!);
        if (![...mine].some((parent) => theirs.has(parent))) wrong.push(`page ${page} has no similar parent`);
      }
    }
  }
  return wrong;
}

/**
 * Extended clusters: replicas may lack pages, but never at a start; each page but those at starts is linked from the page
 * at its parent position in the same replica, whether it is real or virtual; a virtual page is real in another replica.
 */
export function checkExtended(described: Described, oracle: Oracle, cluster: number, singleSite: boolean): string[] {
  const { clusters } = described.collections;
  const wrong: string[] = [];
  const rows = correspondingPages(described, cluster);
  if (rows.length !== clusters.size[cluster]) wrong.push(`${rows.length} positions, not ${clusters.size[cluster]}`);
  const rowOf = new Map(rows.map((row) => [row.position, row]));
  for (const { position, pages, isVirtual } of rows) {
    const parent = rowOf.get(clusters.parent[position]!);
    if (parent === undefined && isVirtual.includes(true)) wrong.push(`start ${position} has a virtual page`);
    const real = [...pages].filter((_, at) => !isVirtual[at]);
    if (new Set(real).size !== real.length) wrong.push(`position ${position} has a page twice`);
    pages.forEach((page, at) => {
      if (isVirtual[at] && !real.includes(page)) wrong.push(`virtual page ${page} is nowhere real`);
      if (parent !== undefined && !oracle.linked[parent.pages[at]!]!.has(page))
        wrong.push(`page ${page} is not linked`);
    });
  }
  if (singleSite) {
    for (const pages of collectionsOf(described, cluster)) {
      if (new Set(pages.map((page) => oracle.web.site[page])).size > 1) wrong.push(`pages ${pages} on several sites`);
    }
  }
  return wrong;
}

/** Joined clusters: each break point inside one leads from replica to replica over pages of one site that it does not map. */
export function checkJoined(described: Described, oracle: Oracle, maxPages: number): string[] {
  const { clusters, breakPoints } = described.collections;
  const wrong: string[] = [];
  for (const { from, to, pages, replicas } of breakPoints) {
    if (new Set(replicas).size !== pages.length) wrong.push(`break point from ${from} to ${to} is not one-to-one`);
    pages.forEach((path, at) => {
      if (path.length > maxPages) wrong.push(`path of ${path.length} pages`);
      const source = collectionsOf(described, from)[at]!;
      const target = collectionsOf(described, to)[replicas[at]! - clusters.firstReplica[to]!]!;
      let reached = new Set(source);
      for (const page of path) {
        if (clusters.replicaOf[page] === replicas[at]) wrong.push(`page ${page} is mapped`);
        if (![...reached].some((before) => oracle.linked[before]!.has(page))) wrong.push(`page ${page} is not linked`);
        reached = new Set([page]);
      }
      if (![...reached].some((before) => target.some((page) => oracle.linked[before]!.has(page)))) {
        wrong.push(`path of replica ${at} does not arrive`);
      }
    });
  }
  return wrong;
}

/** Pairs of clusters that at most `maxPages` unmatched pages per replica split: all paths, all ways to pair the replicas. */
export function breakPairs(described: Described, oracle: Oracle, maxPages: number): string[] {
  const { clusters } = described.collections;
  const cardinality = (cluster: number) => clusters.firstReplica[cluster + 1]! - clusters.firstReplica[cluster]!;
  const clusterOfPage = (page: number) =>
    clusters.replicaOf[page] === NONE ? NONE : clusters.clusterOfReplica[clusters.replicaOf[page]!]!;
  const leadsTo = (page: number, target: readonly number[], of: number, left: number): boolean =>
    [...oracle.linked[page]!].some((next) => {
      if (oracle.web.site[next] !== oracle.web.site[page]) return false;
      if (target.includes(next)) return true;
      const other = clusterOfPage(next);
      return left > 0 && (other === NONE || cardinality(other) !== of) && leadsTo(next, target, of, left - 1);
    });
  const found = new Set<string>();
  for (let from = 0; from < clusters.count; from++) {
    for (let to = 0; to < clusters.count; to++) {
      if (from === to || cardinality(from) !== cardinality(to)) continue;
      const sources = collectionsOf(described, from);
      const targets = collectionsOf(described, to);
      const place = (at: number, taken: readonly number[]): boolean =>
        at === sources.length ||
        targets.some(
          (target, column) =>
            !taken.includes(column) &&
            sources[at]!.some((page) => leadsTo(page, target, sources.length, maxPages)) &&
            place(at + 1, [...taken, column]),
        );
      if (place(0, [])) found.add([from, to].sort((a, b) => a - b).join(" "));
    }
  }
  return [...found].sort();
}

/**
 * For a cluster all ways to be a part of a larger one: for each of its replicas the one of the larger cluster that alone is near, all
 * different. Pages of `solve` are in the directory of their number modulo three.
 */
export function nearOracle(
  web: PlainWeb,
  { count, size, firstReplica, clusterOfReplica, replicaOf }: SimilarClusters,
): (cluster: number) => number[][] {
  const linked = new Oracle(web).linked;
  const all = Array.from({ length: web.pages }, (_, page) => page).filter((page) => replicaOf[page] !== NONE);
  const directory = (page: number) => `${web.site[page]} ${page % 3}`;
  const sizeOf = (page: number) => size[clusterOfReplica[replicaOf[page]!]!]!;
  /** Whether the page's replica is the only one in its directory that is of so large a cluster. */
  const isOwner = (page: number) => {
    const there = all.filter((other) => directory(other) === directory(page));
    const largest = Math.max(...there.map(sizeOf));
    const owners = new Set(there.filter((other) => sizeOf(other) === largest).map((other) => replicaOf[other]));
    return owners.size === 1 && owners.has(replicaOf[page]);
  };
  const areNear = (a: number, b: number) =>
    (web.site[a] === web.site[b] && (linked[a]!.has(b) || linked[b]!.has(a))) ||
    (directory(a) === directory(b) && isOwner(b));
  const replicasOf = (cluster: number) =>
    Array.from({ length: firstReplica[cluster + 1]! - firstReplica[cluster]! }, (_, at) => firstReplica[cluster]! + at);
  const pagesOf = (replica: number) => all.filter((page) => replicaOf[page] === replica);
  return (cluster) => {
    const ways: number[][] = [];
    for (let other = 0; other < count; other++) {
      if (size[other]! <= size[cluster]! || replicasOf(other).length < replicasOf(cluster).length) continue;
      const near = replicasOf(cluster).map((replica) =>
        replicasOf(other).filter((part) => pagesOf(replica).some((a) => pagesOf(part).some((b) => areNear(a, b)))),
      );
      if (near.every((some) => some.length === 1) && new Set(near.flat()).size === near.length) ways.push(near.flat());
    }
    return ways;
  };
}
