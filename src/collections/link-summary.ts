/** LinkSummary: links between trivial clusters, counted. */
import type { TrivialClusters } from "./trivial.js";
import type { Links } from "./web-graph.js";

/**
 * LinkSummary (figure 8): for trivial clusters R_i and R_j with a link from one to the other, s pages of R_i link to
 * R_j, and d pages of R_j are linked from R_i. Links inside a cluster have no row.
 */
export interface LinkSummary {
  readonly i: Uint32Array;
  readonly j: Uint32Array;
  readonly s: Uint32Array;
  readonly d: Uint32Array;
}

/**
 * Summarizes the links of one cluster after the other. Marks in columns over all clusters and pages take the place of
 * the paper's joins: one pass over LINK, nothing sorted.
 */
export class LinkSummarizer {
  /** The clusters that the current one links to, in order of appearance; the first `found` entries. */
  readonly targets: Uint32Array;
  found = 0;
  /** s and d by target cluster, for the current targets. */
  readonly s: Uint32Array;
  readonly d: Uint32Array;
  /** Last page seen that links to a cluster, last cluster seen that links to a page; plus one. */
  readonly #lastSource: Uint32Array;
  readonly #lastCluster: Uint32Array;

  constructor(
    readonly links: Links,
    readonly trivial: TrivialClusters,
  ) {
    this.targets = new Uint32Array(trivial.count);
    this.s = new Uint32Array(trivial.count);
    this.d = new Uint32Array(trivial.count);
    this.#lastSource = new Uint32Array(trivial.count);
    this.#lastCluster = new Uint32Array(trivial.of.length);
  }

  /** Each cluster may be summarized once only: the marks are never cleared. */
  summarize(cluster: number): void {
    const { targets, s, d } = this;
    const { offsets, dest } = this.links;
    const { of, pages, offsets: members } = this.trivial;
    const lastSource = this.#lastSource;
    const lastCluster = this.#lastCluster;
    let found = 0;
    const from = members[cluster]!;
    const to = members[cluster + 1]!;
    for (let member = from; member < to; member++) {
      const page = pages[member]!;
      for (let at = offsets[page]!; at < offsets[page + 1]!; at++) {
        const target = dest[at]!;
        const other = of[target]!;
        if (other === cluster) continue;
        const isNewTarget = lastCluster[target] !== cluster + 1;
        if (isNewTarget) lastCluster[target] = cluster + 1;
        const last = lastSource[other]!;
        if (last === page + 1) {
          if (isNewTarget) d[other]!++;
          continue;
        }
        // The last source may be of an earlier cluster: then this is the first link from here.
        lastSource[other] = page + 1;
        if (last === 0 || of[last - 1] !== cluster) {
          targets[found++] = other;
          s[other] = 1;
          d[other] = 1;
        } else {
          s[other]!++;
          if (isNewTarget) d[other]!++;
        }
      }
    }
    this.found = found;
  }
}

/** The whole table, by i, then in order of appearance. Growing does without it: it can have as many rows as LINK. */
export function linkSummary(links: Links, trivial: TrivialClusters): LinkSummary {
  const summarizer = new LinkSummarizer(links, trivial);
  const rows = { i: [] as number[], j: [] as number[], s: [] as number[], d: [] as number[] };
  for (let cluster = 0; cluster < trivial.count; cluster++) {
    summarizer.summarize(cluster);
    for (let found = 0; found < summarizer.found; found++) {
      const target = summarizer.targets[found]!;
      rows.i.push(cluster);
      rows.j.push(target);
      rows.s.push(summarizer.s[target]!);
      rows.d.push(summarizer.d[target]!);
    }
  }
  return {
    i: Uint32Array.from(rows.i),
    j: Uint32Array.from(rows.j),
    s: Uint32Array.from(rows.s),
    d: Uint32Array.from(rows.d),
  };
}
