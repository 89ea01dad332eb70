/**
 * How clusters change from one snapshot to another (Fetterly et al. 2004, section 3, figures 4 to 7).
 *
 * Snapshots are columns over one numbering of URLs. All coefficients come from one group-by: how many URLs are in
 * cluster A before and in cluster B after.
 */
import { NOBODY } from "./buckets.js";
import { sizeClass, sizeClasses } from "./size-class.js";

/** In `outcome`: not in the snapshot at all; asked for without success; downloaded. */
export const ABSENT = 0;
export const FAILED = 1;
export const DOWNLOADED = 2;

export interface SnapshotPages {
  /** Per URL: ABSENT, FAILED or DOWNLOADED. */
  readonly outcome: Uint8Array;
  /** Per URL: its cluster, by the URL number of its root; NOBODY where the page has no sketch or was not downloaded. */
  readonly cluster: Uint32Array;
}

/**
 * "ours" compares URLs downloaded both times and counts the others apart. "paper" puts what could not be downloaded
 * into one cluster, as the authors did, which mixes disappearing with leaving.
 */
export type EvolutionPlan = "ours" | "paper";

/** Averages over the URLs whose cluster in the earlier snapshot had a size of this class; 1 where there are no such URLs. */
export interface ClassEvolution {
  readonly sizes: (typeof sizeClasses)[number];
  /** URLs compared. */
  readonly urls: number;
  /** Clusters before with at least one URL compared. */
  readonly clusters: number;
  /** Containment of after in before, |A and B| / |A| (figure 4): what share stayed together. */
  readonly containment: number;
  /** |A and B| / |A or B| (figure 5). */
  readonly similarity: number;
  /** Containment of before in after, |A and B| / |B| (figure 7), without pages that are new. */
  readonly reverse: number;
  /** The same with pages that are new in |B|: what the authors were after and could not see. */
  readonly reverseWithArrivals: number;
  /** Of the URLs compared, those that are not where most of their cluster went. */
  readonly left: number;
  /** Downloaded before, and not after: asked for without success, and not in the snapshot. Not among `urls`. */
  readonly failed: number;
  readonly gone: number;
}

export interface Evolution {
  /** Seven, by size class. */
  readonly classes: readonly ClassEvolution[];
  readonly arrivals: Arrivals;
}

/** Pages that are new in the later snapshot. */
export interface Arrivals {
  readonly urls: number;
  /** Like no other page; like a page that was there before; like other new pages only. */
  readonly alone: number;
  readonly joined: number;
  readonly together: number;
  /** Downloaded without text, so without a cluster. */
  readonly unsketched: number;
  /** Asked for without success before, downloaded now: no arrivals. */
  readonly recovered: number;
}

export function compareSnapshots(before: SnapshotPages, after: SnapshotPages, plan: EvolutionPlan = "ours"): Evolution {
  const urls = before.cluster.length;
  const sizeBefore = countSizes(before.cluster, urls + 1);
  const sizeAfter = countSizes(after.cluster, urls + 1);
  // The URLs compared, by their clusters; number `urls` is the cluster of what could not be downloaded.
  const from = new Uint32Array(urls).fill(NOBODY);
  const to = new Uint32Array(urls).fill(NOBODY);
  const sums = sizeClasses.map(() => ({
    urls: 0,
    clusters: 0,
    containment: 0,
    similarity: 0,
    reverse: 0,
    reverseWithArrivals: 0,
    left: 0,
    failed: 0,
    gone: 0,
  }));
  for (let url = 0; url < urls; url++) {
    const a = before.cluster[url]!;
    const b = after.cluster[url]!;
    if (a !== NOBODY && after.outcome[url] !== DOWNLOADED) {
      const sum = sums[sizeClass(sizeBefore[a]!)]!;
      if (after.outcome[url] === FAILED) sum.failed++;
      else sum.gone++;
    }
    const start = a === NOBODY && plan === "paper" && before.outcome[url] === FAILED ? urls : a;
    const end = b === NOBODY && plan === "paper" && after.outcome[url] !== DOWNLOADED ? urls : b;
    if (start === NOBODY || end === NOBODY) continue;
    from[url] = start;
    to[url] = end;
  }
  const inBefore = countSizes(from, urls + 1);
  const inAfter = countSizes(to, urls + 1);
  if (plan === "paper") sizeBefore[urls] = inBefore[urls]!;
  // In |B| count also pages that are new; all of the paper's one failure cluster is compared anyway.
  sizeAfter[urls] = inAfter[urls]!;

  eachGroup(from, urls + 1, (a, members) => {
    const sum = sums[sizeClass(sizeBefore[a]!)]!;
    const sizeA = inBefore[a]!;
    let largest = 0;
    sum.urls += sizeA;
    sum.clusters++;
    countWithin(members, to, (b, common) => {
      const squared = common * common;
      sum.containment += squared / sizeA;
      sum.similarity += squared / (sizeA + inAfter[b]! - common);
      sum.reverse += squared / inAfter[b]!;
      sum.reverseWithArrivals += squared / sizeAfter[b]!;
      largest = Math.max(largest, common);
    });
    sum.left += sizeA - largest;
  });
  const classes = sums.map((sum, number) => {
    const average = (total: number) => (sum.urls === 0 ? 1 : total / sum.urls);
    return {
      ...sum,
      sizes: sizeClasses[number]!,
      containment: average(sum.containment),
      similarity: average(sum.similarity),
      reverse: average(sum.reverse),
      reverseWithArrivals: average(sum.reverseWithArrivals),
    };
  });
  return { classes, arrivals: countArrivals(before, after, sizeAfter) };
}

function countArrivals(before: SnapshotPages, after: SnapshotPages, sizeAfter: Uint32Array): Arrivals {
  const urls = before.cluster.length;
  const hadBefore = new Uint8Array(urls);
  for (let url = 0; url < urls; url++) {
    const cluster = after.cluster[url]!;
    if (cluster !== NOBODY && before.outcome[url] !== ABSENT) hadBefore[cluster] = 1;
  }
  const counts = { urls: 0, alone: 0, joined: 0, together: 0, unsketched: 0, recovered: 0 };
  for (let url = 0; url < urls; url++) {
    if (after.outcome[url] !== DOWNLOADED) continue;
    if (before.outcome[url] === FAILED) counts.recovered++;
    if (before.outcome[url] !== ABSENT) continue;
    counts.urls++;
    const cluster = after.cluster[url]!;
    if (cluster === NOBODY) counts.unsketched++;
    else if (hadBefore[cluster] === 1) counts.joined++;
    else if (sizeAfter[cluster] === 1) counts.alone++;
    else counts.together++;
  }
  return counts;
}

// ------------------------------------------------------------------------------------------------------- figure 6

/** Hosts by how many more or fewer distinct clusters they are in after than before. */
export interface HostChange {
  /** Hosts with pages in both snapshots. */
  readonly hosts: number;
  /** Share of them in as many clusters as before (91.8% in the paper). */
  readonly unchanged: number;
  /** Ascending by change. */
  readonly distribution: readonly { readonly change: number; readonly hosts: number }[];
  /** Per host: distinct clusters before and after. */
  readonly before: Uint32Array;
  readonly after: Uint32Array;
}

/** `host` gives each URL's host, numbered from 0 below `hosts`. */
export function compareHosts(
  before: SnapshotPages,
  after: SnapshotPages,
  host: Uint32Array,
  hosts: number,
): HostChange {
  const clustersBefore = countClustersOfHosts(before.cluster, host, hosts);
  const clustersAfter = countClustersOfHosts(after.cluster, host, hosts);
  const counts = new Map<number, number>();
  let both = 0;
  for (let number = 0; number < hosts; number++) {
    if (clustersBefore[number] === 0 || clustersAfter[number] === 0) continue;
    both++;
    const change = clustersAfter[number]! - clustersBefore[number]!;
    counts.set(change, (counts.get(change) ?? 0) + 1);
  }
  return {
    hosts: both,
    unchanged: both === 0 ? 1 : (counts.get(0) ?? 0) / both,
    distribution: [...counts].map(([change, count]) => ({ change, hosts: count })).sort((a, b) => a.change - b.change),
    before: clustersBefore,
    after: clustersAfter,
  };
}

function countClustersOfHosts(cluster: Uint32Array, host: Uint32Array, hosts: number): Uint32Array {
  const distinct = new Uint32Array(hosts);
  /** Per cluster the last host that counted it: URLs come host by host. */
  const counted = new Uint32Array(cluster.length).fill(NOBODY);
  eachGroup(host, hosts, (number, urls) => {
    for (const url of urls) {
      const to = cluster[url]!;
      if (to === NOBODY || counted[to] === number) continue;
      counted[to] = number;
      distinct[number]!++;
    }
  });
  return distinct;
}

// ------------------------------------------------------------------------------------------------------- group-bys

function countSizes(keys: Uint32Array, bound: number): Uint32Array {
  const sizes = new Uint32Array(bound);
  for (const key of keys) if (key !== NOBODY) sizes[key]!++;
  return sizes;
}

/** Rows by key (below `bound`; NOBODY stays out), keys ascending, rows ascending: a counting sort. */
export function eachGroup(keys: Uint32Array, bound: number, visit: (key: number, rows: Uint32Array) => void): void {
  const ends = new Uint32Array(bound + 1);
  for (const key of keys) if (key !== NOBODY) ends[key + 1]!++;
  for (let key = 0; key < bound; key++) ends[key + 1]! += ends[key]!;
  const rows = new Uint32Array(ends[bound]!);
  // Afterwards ends[key] is where the key's rows end.
  for (let row = 0; row < keys.length; row++) {
    const key = keys[row]!;
    if (key !== NOBODY) rows[ends[key]!++] = row;
  }
  let start = 0;
  for (let key = 0; key < bound; key++) {
    const end = ends[key]!;
    if (end > start) visit(key, rows.subarray(start, end));
    start = end;
  }
}

/** How often each value occurs in some rows: sorted where there are many, so that nothing grows with the input. */
function countWithin(rows: Uint32Array, values: Uint32Array, visit: (value: number, count: number) => void): void {
  if (rows.length === 1) {
    visit(values[rows[0]!]!, 1);
    return;
  }
  const found = Uint32Array.from(rows, (row) => values[row]!).sort();
  let start = 0;
  for (let place = 1; place <= found.length; place++) {
    if (place < found.length && found[place] === found[start]) continue;
    visit(found[start]!, place - start);
    start = place;
  }
}
