/**
 * From clusters to pairs of hosts that may mirror each other (Fetterly et al. 2004, section 2): hosts with at least ten
 * pages each in clusters that have pages of the other.
 */
import { NOBODY } from "../pages/buckets.js";
import type { ClusterMap } from "../pages/cluster.js";
import type { Addresses } from "../pages/cluster-numbers.js";
import { eachGroup } from "../pages/evolve.js";
import { makeSets, union } from "../pages/union-find.js";
import { PairTable } from "./pair-table.js";

export interface MirrorInput {
  readonly clusters: ClusterMap;
  /** Per document: number of its host. */
  readonly host: Uint32Array;
  /** Names by number. */
  readonly hosts: readonly string[];
  /** Addresses by number: [] if unknown, null if looking it up failed. All are unknown if absent. */
  readonly addresses?: readonly Addresses[];
  /** By number, the place of each host in the order in which copies are kept. */
  readonly rank?: Uint32Array;
  /** Words of each document's text, where they are known. */
  readonly words?: Uint32Array;
  /** Asked only for documents that may be mirrored. */
  urlOf(document: number): string;
}

/** Beyond this many hosts in a cluster, the root's host is paired with each of the others, as in the paper. */
export const MOST_HOSTS = 1000;

/** The documents of a cluster by host, hosts in order of their first document: the first is the root's. */
export type ClusterHosts = Map<number, number[]>;

export interface HostPairs {
  /** Pages in clusters with another page of their own host, per host: auto-mirrors. */
  readonly autoPages: Uint32Array;
  /** All hosts against each other. */
  readonly raw: PairTable;
  /** Without unresolvable hosts, and with one preferred host for each address within a cluster. */
  readonly preferred: PairTable;
  /** Clusters with more than MOST_HOSTS hosts. */
  readonly crowded: number;
}

export function countHostPairs(input: MirrorInput, minPages: number): HostPairs {
  const isCandidate = findCandidates(input, minPages);
  const autoPages = new Uint32Array(input.hosts.length);
  const raw = new PairTable();
  const preferred = new PairTable();
  let crowded = 0;
  eachClusterHosts(input, isCandidate, (cluster) => {
    for (const [host, documents] of cluster) if (documents.length > 1) autoPages[host]! += documents.length;
    if (cluster.size > MOST_HOSTS) crowded++;
    addPairs(raw, cluster);
    addPairs(preferred, preferHosts(cluster, input));
  });
  return { autoPages, raw, preferred, crowded };
}

/** Hosts with enough pages in clusters of two or more: no other host can be in a pair. */
export function findCandidates({ clusters, host, hosts }: MirrorInput, minPages: number): Uint8Array {
  const pages = new Uint32Array(hosts.length);
  for (let document = 0; document < host.length; document++) {
    if (clusters.size[document]! > 1) pages[host[document]!]!++;
  }
  return Uint8Array.from(pages, (count) => Number(count >= minPages));
}

/** Visits clusters of two or more pages on candidate hosts. */
export function eachClusterHosts(
  { clusters, host, hosts }: MirrorInput,
  isCandidate: Uint8Array,
  visit: (cluster: ClusterHosts) => void,
): void {
  const keys = clusters.root.map((root, document) =>
    clusters.size[document]! > 1 && host[document]! < hosts.length && isCandidate[host[document]!] === 1
      ? root
      : NOBODY,
  );
  eachGroup(keys, keys.length, (_root, documents) => {
    if (documents.length < 2) return;
    const cluster: ClusterHosts = new Map();
    for (const document of documents) {
      const list = cluster.get(host[document]!);
      if (list === undefined) cluster.set(host[document]!, [document]);
      else list.push(document);
    }
    visit(cluster);
  });
}

function addPairs(table: PairTable, cluster: ClusterHosts): void {
  eachPair(cluster, (a, b) => table.add(a, cluster.get(a)!.length, b, cluster.get(b)!.length));
}

/** Pairs of hosts of a cluster that are counted: all of them, or the first host with each other one. */
export function eachPair(cluster: ClusterHosts, visit: (host: number, other: number) => void): void {
  const hosts = [...cluster.keys()];
  const firsts = hosts.length > MOST_HOSTS ? 1 : hosts.length;
  for (let first = 0; first < firsts; first++) {
    for (let second = first + 1; second < hosts.length; second++) visit(hosts[first]!, hosts[second]!);
  }
}

/**
 * One host for each machine of a cluster: the root's if it is among them, else the one with the most pages here, then
 * the first in alphabetical order. Pages of the others are left out, and so are hosts whose lookup failed.
 */
export function preferHosts(cluster: ClusterHosts, { hosts, addresses }: MirrorInput): ClusterHosts {
  if (addresses === undefined || cluster.size === 1) return cluster;
  const [rootHost] = cluster.keys();
  const resolvable = [...cluster.keys()].filter((host) => addresses[host] !== null);
  const best = resolvable.sort((a, b) => {
    if (a === rootHost || b === rootHost) return a === rootHost ? -1 : 1;
    return cluster.get(b)!.length - cluster.get(a)!.length || (hosts[a]! < hosts[b]! ? -1 : 1);
  });
  // Union-find over places in `best`: a machine's root is its smallest place, its preferred host.
  const parent = new Uint32Array(best.length);
  makeSets(parent);
  const placeOf = new Map<string, number>();
  best.forEach((host, place) => {
    for (const address of addresses[host]!) {
      const other = placeOf.get(address);
      if (other === undefined) placeOf.set(address, place);
      else union(parent, place, other);
    }
  });
  const chosen = new Set(best.filter((_, place) => parent[place] === place));
  return new Map([...cluster].filter(([host]) => chosen.has(host)));
}

export function sharedAddresses(left: Addresses | undefined, right: Addresses | undefined): string[] {
  return left?.filter((address) => right?.includes(address)) ?? [];
}

/** "www.a.test" and "a.test": names of one site, whatever their addresses say (section 4). */
export function isWwwPair(left: string, right: string): boolean {
  return left === `www.${right}` || right === `www.${left}`;
}
