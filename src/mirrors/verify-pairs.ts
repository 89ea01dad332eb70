/**
 * Do pages that mirror each other have URLs that end alike? (Fetterly et al. 2004, sections 2 and 4.) Suffixes are
 * compared within each cluster: exactly, which decides, and with a Bloom filter of the root's host, as the paper did.
 */
import { NOBODY } from "../pages/buckets.js";
import { BloomFilter } from "./bloom.js";
import { type ClusterHosts, eachClusterHosts, eachPair, type MirrorInput, preferHosts } from "./host-pairs.js";
import type { PairTable } from "./pair-table.js";
import { countArcs, MOST_ARCS, pathOfUrl, suffixOf } from "./path.js";

/** A page with its counterpart: the page of the other host in the same cluster with the longest common suffix. */
export interface PageMatch {
  readonly document: number;
  readonly counterpart: number;
  /** The part before the common suffix, from "/" to "/". */
  readonly prefix: string;
  readonly counterpartPrefix: string;
}

/** What URLs say about one pair. */
export interface SuffixEvidence {
  /** Pages of each side with a counterpart whose last 1, 2, 3, 4 arcs are the same. */
  readonly matchedA: number[];
  readonly matchedB: number[];
  /** Pages of the other host that passed the filter of the root's host: the paper's counts, 1 to 4 arcs. */
  readonly bloom: number[];
  /** Clusters in which both have pages, and those in which URLs of both end alike. */
  clusters: number;
  alike: number;
  /** Every page of the larger-numbered host that has a counterpart. */
  readonly matches: PageMatch[];
}

export interface VerifiedPairs {
  /** By number of the pair in the table; only for the pairs asked for. */
  readonly evidence: ReadonlyMap<number, SuffixEvidence>;
  /** Per document: pages of the larger side of the largest pair it is mirrored in, 0 if in none (figure 11). */
  readonly mirrorSize: Uint32Array;
}

/** `isAsked` says which pairs of the table to look at. */
export function verifyPairs(
  input: MirrorInput,
  isCandidate: Uint8Array,
  table: PairTable,
  isAsked: (pair: number) => boolean,
): VerifiedPairs {
  const evidence = new Map<number, SuffixEvidence>();
  const mirrorSize = new Uint32Array(input.host.length);
  eachClusterHosts(input, isCandidate, (all) => {
    const cluster = preferHosts(all, input);
    const pages = new ClusterPaths(cluster, input);
    eachPair(cluster, (first, second) => {
      const [a, b] = first < second ? [first, second] : [second, first];
      const pair = table.find(a, b);
      if (pair < 0 || !isAsked(pair)) return;
      const size = Math.max(table.pagesA[pair]!, table.pagesB[pair]!);
      for (const host of [a, b]) {
        for (const document of cluster.get(host)!) mirrorSize[document] = Math.max(mirrorSize[document]!, size);
      }
      let found = evidence.get(pair);
      if (found === undefined) {
        const zeros = () => Array<number>(MOST_ARCS).fill(0);
        found = { matchedA: zeros(), matchedB: zeros(), bloom: zeros(), clusters: 0, alike: 0, matches: [] };
        evidence.set(pair, found);
      }
      for (let arcs = 1; arcs <= MOST_ARCS; arcs++) {
        found.matchedA[arcs - 1]! += pages.countMatches(a, b, arcs);
        found.matchedB[arcs - 1]! += pages.countMatches(b, a, arcs);
        if (pages.rootHost === a) found.bloom[arcs - 1]! += pages.countPassing(b, arcs);
        if (pages.rootHost === b) found.bloom[arcs - 1]! += pages.countPassing(a, arcs);
      }
      const before = found.matches.length;
      for (const document of cluster.get(b)!) {
        const match = pages.matchPage(document, a);
        if (match !== undefined) found.matches.push(match);
      }
      found.clusters++;
      if (found.matches.length > before) found.alike++;
    });
  });
  return { evidence, mirrorSize };
}

/** Paths and suffixes of one cluster's pages, made when first asked for. */
class ClusterPaths {
  readonly rootHost: number;
  readonly #paths = new Map<number, string>();
  readonly #suffixes = new Map<number, Set<string>[]>();
  readonly #longest = new Map<number, Map<string, number>>();
  readonly #filters: (BloomFilter | undefined)[] = [];

  constructor(
    readonly cluster: ClusterHosts,
    readonly input: MirrorInput,
  ) {
    this.rootHost = cluster.keys().next().value ?? NOBODY;
  }

  #pathOf(document: number): string {
    let path = this.#paths.get(document);
    if (path === undefined) {
      path = pathOfUrl(this.input.urlOf(document));
      this.#paths.set(document, path);
    }
    return path;
  }

  #suffixesOf(host: number, arcs: number): Set<string> {
    let sets = this.#suffixes.get(host);
    if (sets === undefined) {
      sets = Array.from(
        { length: MOST_ARCS },
        (_, less) => new Set(this.cluster.get(host)!.map((document) => suffixOf(this.#pathOf(document), less + 1))),
      );
      this.#suffixes.set(host, sets);
    }
    return sets[arcs - 1]!;
  }

  /** Pages of `host` whose last arcs are those of a page of `other`. */
  countMatches(host: number, other: number, arcs: number): number {
    const suffixes = this.#suffixesOf(other, arcs);
    let matches = 0;
    for (const document of this.cluster.get(host)!) {
      if (suffixes.has(suffixOf(this.#pathOf(document), arcs))) matches++;
    }
    return matches;
  }

  /** Pages of `host` that pass a Bloom filter of the root's host. */
  countPassing(host: number, arcs: number): number {
    let filter = this.#filters[arcs];
    if (filter === undefined) {
      const suffixes = this.#suffixesOf(this.rootHost, arcs);
      filter = new BloomFilter(suffixes.size);
      for (const suffix of suffixes) filter.add(suffix);
      this.#filters[arcs] = filter;
    }
    const passing = filter;
    return this.cluster.get(host)!.filter((document) => passing.has(suffixOf(this.#pathOf(document), arcs))).length;
  }

  /** The page of `other` with the longest common suffix in whole arcs; the smallest document of several. */
  matchPage(document: number, other: number): PageMatch | undefined {
    let byEnd = this.#longest.get(other);
    if (byEnd === undefined) {
      byEnd = new Map();
      for (const page of this.cluster.get(other)!) {
        const path = this.#pathOf(page);
        for (let arcs = countArcs(path); arcs > 0; arcs--) {
          const suffix = suffixOf(path, arcs);
          if (!byEnd.has(suffix)) byEnd.set(suffix, page);
        }
      }
      this.#longest.set(other, byEnd);
    }
    const path = this.#pathOf(document);
    for (let arcs = countArcs(path); arcs > 0; arcs--) {
      const suffix = suffixOf(path, arcs);
      const counterpart = byEnd.get(suffix);
      if (counterpart === undefined) continue;
      const counterpartPath = this.#pathOf(counterpart);
      return {
        document,
        counterpart,
        prefix: path.slice(0, path.length - suffix.length),
        counterpartPrefix: counterpartPath.slice(0, counterpartPath.length - suffix.length),
      };
    }
    return undefined;
  }
}
