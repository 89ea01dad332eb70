/**
 * Addresses that tell nothing: behind a CDN or on shared hosting, one address answers for hosts that have nothing to do
 * with each other, and then sharing it does not make two hosts aliases.
 */
import { findRoot, makeSets, union } from "../pages/union-find.js";
import { isWwwPair, type MirrorInput } from "./host-pairs.js";
import type { PairTable } from "./pair-table.js";

/** Addresses whose hosts with enough pages to tell are not all connected by pages in common. `raw` has all pairs. */
export function addressesOfMany(
  { clusters, host, hosts, addresses }: MirrorInput,
  raw: PairTable,
  minPages: number,
): Set<string> {
  const pages = new Uint32Array(hosts.length);
  for (let document = 0; document < host.length; document++) {
    if (clusters.size[document] !== 0) pages[host[document]!]!++;
  }
  const hostsAt = new Map<string, number[]>();
  addresses?.forEach((some, number) => {
    if (pages[number]! < minPages) return;
    for (const address of some ?? []) {
      const known = hostsAt.get(address);
      if (known === undefined) hostsAt.set(address, [number]);
      else known.push(number);
    }
  });
  const related = new Uint32Array(hosts.length);
  makeSets(related);
  for (let pair = 0; pair < raw.size; pair++) {
    if (raw.smallerSide(pair) >= minPages) union(related, raw.a[pair]!, raw.b[pair]!);
  }
  const many = new Set<string>();
  for (const [address, some] of hostsAt) {
    const first = some[0]!;
    if (
      some.some(
        (other) => findRoot(related, other) !== findRoot(related, first) && !isWwwPair(hosts[first]!, hosts[other]!),
      )
    ) {
      many.add(address);
    }
  }
  return many;
}
