import type { ClusterMap } from "./cluster.js";
import { fitPowerLaw, type PowerLaw, type SizeCount } from "./power-law.js";
import { makeSets, union } from "./union-find.js";

/** The numbers of section 3 of Fetterly et al. 2004, and the points of its figures 1 to 3. */
export interface ClusterNumbers {
  /** With a sketch. */
  readonly documents: number;
  /** Without: never clustered, and no part of any share. */
  readonly unsketched: number;
  /** Documents in clusters of two and more. */
  readonly clustered: number;
  readonly clusters: number;
  /** clustered - clusters: all but one of each cluster (44,022,091 in the paper). */
  readonly nearDuplicates: number;
  /** nearDuplicates / documents (29.2% in the paper). */
  readonly share: number;
  /** Clusters of two and more by size. */
  readonly distribution: readonly SizeCount[];
  readonly powerLaw?: PowerLaw;
}

export function countClusters({ root, size }: ClusterMap): ClusterNumbers {
  let unsketched = 0;
  let clustered = 0;
  let clusters = 0;
  const bySize = new Map<number, number>();
  for (let document = 0; document < root.length; document++) {
    const members = size[document]!;
    if (members === 0) unsketched++;
    if (members < 2) continue;
    clustered++;
    if (root[document] !== document) continue;
    clusters++;
    bySize.set(members, (bySize.get(members) ?? 0) + 1);
  }
  const distribution = [...bySize]
    .map(([members, count]) => ({ size: members, count }))
    .sort((a, b) => a.size - b.size);
  const documents = root.length - unsketched;
  const nearDuplicates = clustered - clusters;
  const powerLaw = fitPowerLaw(distribution);
  return {
    documents,
    unsketched,
    clustered,
    clusters,
    nearDuplicates,
    share: documents === 0 ? 0 : nearDuplicates / documents,
    distribution,
    ...(powerLaw && { powerLaw }),
  };
}

/** Roots of the `most` largest clusters of two and more, largest first, then by root. */
export function largestClusters({ root, size }: ClusterMap, most: number): number[] {
  const largest: number[] = [];
  for (let document = 0; document < root.length; document++) {
    const members = size[document]!;
    if (members < 2 || root[document] !== document) continue;
    if (largest.length === most && members <= size[largest[most - 1]!]!) continue;
    let place = largest.length;
    while (place > 0 && size[largest[place - 1]!]! < members) place--;
    largest.splice(place, 0, document);
    if (largest.length > most) largest.pop();
  }
  return largest;
}

/** The documents of some clusters, each ascending: one pass over the map, in memory only what was asked for. */
export function membersOf({ root, size }: ClusterMap, roots: readonly number[]): Map<number, Uint32Array> {
  const members = new Map(roots.map((cluster) => [cluster, new Uint32Array(size[cluster]!)]));
  const filled = new Map(roots.map((cluster) => [cluster, 0]));
  for (let document = 0; document < root.length; document++) {
    if (size[document]! === 0) continue;
    const cluster = root[document]!;
    const place = filled.get(cluster);
    if (place === undefined) continue;
    members.get(cluster)![place] = document;
    filled.set(cluster, place + 1);
  }
  return members;
}

/** Addresses of a host: none known, or null where looking it up failed. */
export type Addresses = readonly string[] | null;

/** Table 1's columns: "m (+ n)" machines. */
export interface Machines {
  readonly hosts: number;
  /**
   * Hosts that share an address count as one machine, as in the paper, though behind a CDN they are many; a host without a known
   * address is a machine of its own.
   */
  readonly machines: number;
  /** Hosts whose lookup failed, counted beside the machines. */
  readonly unresolvable: number;
  /** Hosts whose address nobody knows: with any, the number of machines is an upper bound. */
  readonly unknown: number;
}

export function countMachines(hosts: Iterable<string>, addressesOf: (host: string) => Addresses): Machines {
  const distinct = [...new Set(hosts)];
  const known = distinct.map(addressesOf);
  const parent = new Uint32Array(distinct.length);
  makeSets(parent);
  const hostAt = new Map<string, number>();
  known.forEach((addresses, host) => {
    for (const address of addresses ?? []) {
      const other = hostAt.get(address);
      if (other === undefined) hostAt.set(address, host);
      else union(parent, host, other);
    }
  });
  const unresolvable = known.filter((addresses) => addresses === null).length;
  const machines = parent.filter((up, host) => up === host).length - unresolvable;
  const unknown = known.filter((addresses) => addresses?.length === 0).length;
  return { hosts: distinct.length, machines, unresolvable, unknown };
}
