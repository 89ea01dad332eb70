/** The trivial cluster graph: which clusters of similar pages may grow into one. */
import { type InSteps, PAUSE_EVERY } from "../progress.js";
import { NumberColumn } from "../tables/number-column.js";
import { LinkSummarizer } from "./link-summary.js";
import { matchRows } from "./matching.js";
import type { TrivialClusters } from "./trivial.js";
import { type Links, NONE, pathDistance, type WebPages } from "./web-graph.js";

export interface GrowthOptions {
  /** Extended clusters (section 4): also where |R_i| = s >= d = |R_j|, for partial mirrors. */
  readonly extended?: boolean;
  /** The real pages of a collection are all on one site. */
  readonly singleSite?: boolean;
}

/**
 * The edges of the trivial cluster graph (section 3.1), by source cluster. Each comes with a page of R_i of its own for
 * every page of R_j, which links to it: the collections that the two make together.
 */
export interface ClusterGraph {
  /** Edges of cluster i: offsets[i] .. offsets[i + 1]. */
  readonly offsets: Uint32Array;
  readonly target: Uint32Array;
  /** Of edge e, for the pages of its target cluster in order: match[matchStart[e] ...]. */
  readonly matchStart: Uint32Array;
  readonly match: Uint32Array;
  /** Pairs that pass the merge condition's counts and yet allow no one-to-one mapping. */
  readonly unmatched: number;
}

/**
 * An edge needs the merge condition |R_i| = s = d = |R_j| (extended: |R_i| = s >= d = |R_j|) and a one-to-one mapping,
 * which the counts alone do not give: p1->q1,q2,q3, p2->q1, p3->q1 passes them. Clusters of one page are not sources, and
 * targets only in extended clusters and on the site of the page that has them: what every mirror links to elsewhere (a
 * licence, a vendor) is not a part of it. A partial mirror lacks pages, so that it links to them elsewhere: no more pages of
 * R_i may link to R_j on their own sites than R_j has. Otherwise a hundred pages of one manual that look alike would be a hundred
 * mirrors of whatever their menu links to.
 */
export function* clusterGraph(
  web: WebPages,
  links: Links,
  trivial: TrivialClusters,
  options: GrowthOptions = {},
): InSteps<ClusterGraph> {
  const { extended = false, singleSite = false } = options;
  const { offsets: members } = trivial;
  const summarizer = new LinkSummarizer(links, trivial);
  const collector = new LinkCollector(web, links, trivial);
  const offsets = new Uint32Array(trivial.count + 1);
  const target = new NumberColumn();
  const matchStart = new NumberColumn();
  const match = new NumberColumn();
  let unmatched = 0;
  const addEdges = (cluster: number): void => {
    const size = members[cluster + 1]! - members[cluster]!;
    if (size < 2) return;
    summarizer.summarize(cluster);
    const { targets, s, d } = summarizer;
    let candidates = 0;
    for (let found = 0; found < summarizer.found; found++) {
      const other = targets[found]!;
      const otherSize = members[other + 1]! - members[other]!;
      if (s[other] !== size || d[other] !== otherSize) continue;
      if (extended ? otherSize <= size : otherSize === size) targets[candidates++] = other;
    }
    if (candidates === 0) return;
    collector.collect(cluster, targets.subarray(0, candidates));
    for (let candidate = 0; candidate < candidates; candidate++) {
      const other = targets[candidate]!;
      const otherSize = members[other + 1]! - members[other]!;
      if (collector.countOnOwnSite(candidate) > otherSize) continue;
      const matched = collector.match(candidate, other, singleSite || otherSize === 1);
      if (matched === undefined) {
        unmatched++;
        continue;
      }
      target.push(other);
      matchStart.push(match.length);
      for (const page of matched) match.push(page);
    }
  };
  for (let cluster = 0; cluster < trivial.count; cluster++) {
    if (cluster % PAUSE_EVERY === 0) {
      yield { step: "comparing the links of similar pages", done: cluster, total: trivial.count, unit: "clusters" };
    }
    offsets[cluster] = target.length;
    addEdges(cluster);
  }
  offsets[trivial.count] = target.length;
  return {
    offsets,
    target: target.values.slice(),
    matchStart: matchStart.values.slice(),
    match: match.values.slice(),
    unmatched,
  };
}

/** The links from one cluster to some others, side by side for each of these. */
class LinkCollector {
  readonly #candidateOf: Uint32Array;
  #starts = new Uint32Array(0);
  #sources = new Uint32Array(0);
  #dests = new Uint32Array(0);

  constructor(
    readonly web: WebPages,
    readonly links: Links,
    readonly trivial: TrivialClusters,
  ) {
    this.#candidateOf = new Uint32Array(trivial.count).fill(NONE);
  }

  collect(cluster: number, candidates: Uint32Array): void {
    const candidateOf = this.#candidateOf;
    for (let candidate = 0; candidate < candidates.length; candidate++) candidateOf[candidates[candidate]!] = candidate;
    if (this.#starts.length <= candidates.length) this.#starts = new Uint32Array(2 * candidates.length + 2);
    const starts = this.#starts;
    starts.fill(0, 0, candidates.length + 1);
    this.#eachLink(cluster, (candidate) => {
      starts[candidate]!++;
    });
    let total = 0;
    for (let candidate = 0; candidate <= candidates.length; candidate++) {
      const count = starts[candidate]!;
      starts[candidate] = total;
      total += count;
    }
    if (this.#sources.length < total) {
      this.#sources = new Uint32Array(2 * total);
      this.#dests = new Uint32Array(2 * total);
    }
    const sources = this.#sources;
    const dests = this.#dests;
    this.#eachLink(cluster, (candidate, source, dest) => {
      const at = starts[candidate]!++;
      sources[at] = source;
      dests[at] = dest;
    });
    // Each start has become the end of its links; the last one's end is the total as it was.
    starts.copyWithin(1, 0, candidates.length);
    starts[0] = 0;
    for (const candidate of candidates) candidateOf[candidate] = NONE;
  }

  #eachLink(cluster: number, visit: (candidate: number, source: number, dest: number) => void): void {
    const { offsets, dest } = this.links;
    const { of, pages, offsets: members } = this.trivial;
    const candidateOf = this.#candidateOf;
    for (let member = members[cluster]!; member < members[cluster + 1]!; member++) {
      const page = pages[member]!;
      for (let at = offsets[page]!; at < offsets[page + 1]!; at++) {
        const candidate = candidateOf[of[dest[at]!]!]!;
        if (candidate !== NONE) visit(candidate, page, dest[at]!);
      }
    }
  }

  /** How many pages link to that candidate on their own site. */
  countOnOwnSite(candidate: number): number {
    const { site } = this.web;
    let count = 0;
    let lastSource = NONE;
    for (let at = this.#starts[candidate]!; at < this.#starts[candidate + 1]!; at++) {
      const source = this.#sources[at]!;
      // The links of one source are side by side.
      if (source === lastSource || site[source] !== site[this.#dests[at]!]) continue;
      lastSource = source;
      count++;
    }
    return count;
  }

  /** A source of its own for every page of the other cluster: on the same site first, then the nearest by path. */
  match(candidate: number, other: number, sameSiteOnly: boolean): Uint32Array | undefined {
    const { offsets: members } = this.trivial;
    const from = this.#starts[candidate]!;
    const to = this.#starts[candidate + 1]!;
    const firstMember = members[other]!;
    const size = members[other + 1]! - firstMember;
    const sameSite = this.#matchUnambiguous(from, to, firstMember, size);
    if (sameSite !== undefined) return sameSite;

    const { site, urls } = this.web;
    const sourceNumbers = new Map<number, number>();
    const sources: number[] = [];
    const row: number[] = [];
    const column: number[] = [];
    const cost: number[] = [];
    for (let at = from; at < to; at++) {
      const source = this.#sources[at]!;
      const dest = this.#dests[at]!;
      const isSameSite = site[source] === site[dest];
      if (sameSiteOnly && !isSameSite) continue;
      let number = sourceNumbers.get(source);
      if (number === undefined) {
        number = sources.length;
        sourceNumbers.set(source, number);
        sources.push(source);
      }
      row.push(this.trivial.place[dest]! - firstMember);
      column.push(number);
      // A path has fewer steps than a URL has bytes.
      cost.push((isSameSite ? 0 : 2 ** 33) + pathDistance(urls, source, dest));
    }
    const matched = matchRows({ rows: size, columns: sources.length, row, column, cost });
    return matched?.map((number) => sources[number]!);
  }

  /** The usual case, without a search: on its site, every source links to one page here, and every page is linked once. */
  #matchUnambiguous(from: number, to: number, firstMember: number, size: number): Uint32Array | undefined {
    const { site } = this.web;
    const { place } = this.trivial;
    const matched = new Uint32Array(size).fill(NONE);
    let lastSource = NONE;
    let count = 0;
    for (let at = from; at < to; at++) {
      const source = this.#sources[at]!;
      const dest = this.#dests[at]!;
      if (site[source] !== site[dest]) continue;
      // The links of one source are side by side.
      if (source === lastSource || matched[place[dest]! - firstMember] !== NONE) return undefined;
      lastSource = source;
      matched[place[dest]! - firstMember] = source;
      count++;
    }
    return count === size ? matched : undefined;
  }
}
