import { type Addresses, countMachines } from "../pages/cluster-numbers.js";
import { fitPowerLaw, type PowerLaw, type SizeCount } from "../pages/power-law.js";
import { flatten, makeSets, union } from "../pages/union-find.js";
import type { AvoidEntry } from "../url/avoid-list.js";
import { listAvoidable } from "./avoid.js";
import { type Confirmation, confirmPair, withOwnText } from "./confirm.js";
import { type AliasPair, type Funnel, narrowPairs } from "./funnel.js";
import { countHostPairs, findCandidates, isWwwPair, type MirrorInput } from "./host-pairs.js";
import { addressesOfMany } from "./shared-addresses.js";
import { findSubtrees, type MirroredSubtree } from "./subtrees.js";
import { type SuffixEvidence, verifyPairs } from "./verify-pairs.js";

export interface MirrorOptions {
  /** Pages that each host must have in clusters with the other (10 in the paper). */
  readonly minPages?: number;
  readonly nowMs?: number;
}

/** A pair of hosts that remained, with the evidence. */
export interface MirrorPair {
  readonly a: string;
  readonly b: string;
  /** Pages of each host in clusters with the other; the number of such clusters. */
  readonly pagesA: number;
  readonly pagesB: number;
  readonly clusters: number;
  /** The larger side: the paper counts every URL of a host in a common cluster. */
  readonly size: number;
  /** "www": one name with and without "www.", an alias although the addresses differ or are unknown. */
  readonly alias: "www" | null;
  /** How many arcs of the URLs' ends agree somewhere, 0 to 4: at least 1 is what the paper calls confirmed. */
  readonly confirmedArcs: number;
  /** Whether it is a mirror, and how many clusters say so. */
  readonly confirmation: Confirmation;
  readonly evidence: Pick<SuffixEvidence, "matchedA" | "matchedB" | "bloom">;
  /** Largest first; none where the pair is not confirmed. */
  readonly subtrees: readonly MirroredSubtree[];
}

export interface Mirrors {
  readonly funnel: Funnel & { readonly mirrors: number };
  /** By size, then by name. */
  readonly pairs: readonly MirrorPair[];
  /** Pairs that share an address. */
  readonly aliases: readonly AliasPair[];
  /** Hosts that confirmed pairs connect; each group and the groups in alphabetical order. */
  readonly groups: readonly (readonly string[])[];
  /** Distinct hosts of the remaining pairs, and their machines where addresses of all are known. */
  readonly hosts: number;
  readonly machines?: number;
  /** Addresses that answer for hosts without pages in common, and so do not identify aliases. */
  readonly sharedAddresses: readonly string[];
  /** Documents in the clusters of remaining pairs, and their share of documents with a sketch (4.9% in the paper). */
  readonly mirroredPages: number;
  readonly share: number;
  /** Pairs by size (figure 12). */
  readonly distribution: readonly SizeCount[];
  readonly powerLaw?: PowerLaw;
  /** Per document: size of its largest mirror, 0 if none; together with the change of pages it gives figure 11. */
  readonly mirrorSize: Uint32Array;
  /** What a crawler can leave out, since confirmed mirrors have copies elsewhere. */
  readonly avoid: readonly Required<AvoidEntry>[];
}

export function findMirrors(given: MirrorInput, options: MirrorOptions = {}): Mirrors {
  const minPages = options.minPages ?? 10;
  const withText = { ...given, clusters: withOwnText(given) };
  const many = addressesOfMany(withText, countHostPairs(withText, minPages).raw, minPages);
  const addresses = given.addresses?.map((some) => some?.filter((address) => !many.has(address)) ?? null);
  const input: MirrorInput = { ...withText, ...(addresses && { addresses }) };
  const { hosts, clusters } = input;
  const counted = countHostPairs(input, minPages);
  const { preferred } = counted;
  const remains = (pair: number) => preferred.smallerSide(pair) >= minPages;
  const { evidence, mirrorSize } = verifyPairs(input, findCandidates(input, minPages), preferred, remains);
  const confirmations = new Map(
    [...evidence].map(([pair, found]) => [pair, confirmPair(found.clusters, found.alike)] as const),
  );
  const confirmed = new Map([...evidence].filter(([pair]) => confirmations.get(pair)!.isMirror));
  const subtrees = findSubtrees(input, preferred, confirmed, minPages);

  const pairs: MirrorPair[] = [...evidence].map(([pair, { matchedA, matchedB, bloom }]) => {
    const a = hosts[preferred.a[pair]!]!;
    const b = hosts[preferred.b[pair]!]!;
    return {
      a,
      b,
      pagesA: preferred.pagesA[pair]!,
      pagesB: preferred.pagesB[pair]!,
      clusters: preferred.clusters[pair]!,
      size: Math.max(preferred.pagesA[pair]!, preferred.pagesB[pair]!),
      alias: isWwwPair(a, b) ? "www" : null,
      confirmedArcs: countConfirmed(matchedA),
      confirmation: confirmations.get(pair)!,
      evidence: { matchedA, matchedB, bloom },
      subtrees: subtrees.get(pair) ?? [],
    };
  });
  pairs.sort((x, y) => y.size - x.size || compareText(x.a, y.a) || compareText(x.b, y.b));

  const remainingHosts = new Set(pairs.flatMap(({ a, b }) => [a, b]));
  const addressByName = new Map<string, Addresses>();
  for (const pair of evidence.keys()) {
    for (const host of [preferred.a[pair]!, preferred.b[pair]!])
      addressByName.set(hosts[host]!, addresses?.[host] ?? []);
  }
  const mirroredPages = mirrorSize.reduce((sum, size) => sum + Number(size > 0), 0);
  const documents = clusters.size.reduce((sum, size) => sum + Number(size > 0), 0);
  const distribution = countSizes(pairs);
  const powerLaw = fitPowerLaw(distribution);
  const { funnel, aliases } = narrowPairs(input, counted, evidence, minPages);
  const { machines, unknown } = countMachines(remainingHosts, (host) => addressByName.get(host) ?? []);
  return {
    funnel: { ...funnel, mirrors: confirmed.size },
    pairs,
    aliases,
    groups: groupHosts(pairs.filter(({ confirmation }) => confirmation.isMirror)),
    hosts: remainingHosts.size,
    ...(unknown === 0 && { machines }),
    sharedAddresses: [...many].sort(),
    mirroredPages,
    share: documents === 0 ? 0 : mirroredPages / documents,
    distribution,
    ...(powerLaw && { powerLaw }),
    mirrorSize,
    avoid: listAvoidable(input, preferred, confirmed, subtrees, options.nowMs ?? Date.now()),
  };
}

/** Where a longer suffix agrees, shorter ones do too, so matches become fewer from one arc to four. */
function countConfirmed(matched: readonly number[]): number {
  return matched.filter((count) => count > 0).length;
}

function countSizes(pairs: readonly MirrorPair[]): SizeCount[] {
  const counts = new Map<number, number>();
  for (const { size } of pairs) counts.set(size, (counts.get(size) ?? 0) + 1);
  return [...counts].map(([size, count]) => ({ size, count })).sort((x, y) => x.size - y.size);
}

function groupHosts(pairs: readonly MirrorPair[]): string[][] {
  const names = [...new Set(pairs.flatMap(({ a, b }) => [a, b]))].sort(compareText);
  const number = new Map(names.map((name, at) => [name, at]));
  const parent = new Uint32Array(names.length);
  makeSets(parent);
  for (const { a, b } of pairs) union(parent, number.get(a)!, number.get(b)!);
  flatten(parent);
  const groups = new Map<number, string[]>();
  names.forEach((name, at) => {
    const group = groups.get(parent[at]!);
    if (group === undefined) groups.set(parent[at]!, [name]);
    else group.push(name);
  });
  return [...groups.values()];
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}
