import { type HostPairs, isWwwPair, type MirrorInput, sharedAddresses } from "./host-pairs.js";
import { MOST_ARCS } from "./path.js";
import type { SuffixEvidence } from "./verify-pairs.js";

/** From raw pairs to confirmed ones (section 4): raw = autoMirrors + aliases + unresolvable + remaining. */
export interface Funnel {
  readonly raw: number;
  /** Hosts that seem to mirror themselves. */
  readonly autoMirrors: number;
  /** Pairs that share an address, or whose pages are represented by another host with the same address. */
  readonly aliases: number;
  readonly sameAddress: number;
  /** Pairs with a host whose lookup failed. */
  readonly unresolvable: number;
  readonly remaining: number;
  /** Of the remaining: the same name except for "www.". */
  readonly wwwPairs: number;
  /**
   * Of the remaining: pairs with a match in the last 1, 2, 3, 4 arcs; with exact sets, and with the paper's filters.
   */
  readonly confirmed: readonly number[];
  readonly confirmedByBloom: readonly number[];
  /** Clusters with so many hosts that only the root's host was paired with the others. */
  readonly crowdedClusters: number;
}

/** Two names for one address. */
export interface AliasPair {
  readonly a: string;
  readonly b: string;
  readonly addresses: readonly string[];
  readonly pagesA: number;
  readonly pagesB: number;
}

/** `evidence` has the pairs that remained. */
export function narrowPairs(
  { hosts, addresses }: MirrorInput,
  { autoPages, raw, preferred, crowded }: HostPairs,
  evidence: ReadonlyMap<number, SuffixEvidence>,
  minPages: number,
): { readonly funnel: Funnel; readonly aliases: readonly AliasPair[] } {
  const aliases: AliasPair[] = [];
  let represented = 0;
  let unresolvable = 0;
  for (let pair = 0; pair < raw.size; pair++) {
    if (raw.smallerSide(pair) < minPages) continue;
    const a = raw.a[pair]!;
    const b = raw.b[pair]!;
    if (addresses?.[a] === null || addresses?.[b] === null) {
      unresolvable++;
      continue;
    }
    const shared = sharedAddresses(addresses?.[a], addresses?.[b]);
    if (shared.length > 0) {
      const [pagesA, pagesB] = [raw.pagesA[pair]!, raw.pagesB[pair]!];
      aliases.push({ a: hosts[a]!, b: hosts[b]!, addresses: shared, pagesA, pagesB });
    } else if (!evidence.has(preferred.find(a, b))) represented++;
  }
  const autoMirrors = autoPages.reduce((sum, pages) => sum + Number(pages >= minPages), 0);
  const found = [...evidence.entries()];
  const having = (count: (of: SuffixEvidence) => number) => found.filter(([, of]) => count(of) > 0).length;
  const arcs = Array.from({ length: MOST_ARCS }, (_, less) => less);
  return {
    funnel: {
      // Not raw.size: where a cluster is crowded before aliases are left out and not after, a pair can remain unseen there.
      raw: autoMirrors + aliases.length + represented + unresolvable + evidence.size,
      autoMirrors,
      aliases: aliases.length + represented,
      sameAddress: aliases.length,
      unresolvable,
      remaining: evidence.size,
      wwwPairs: found.filter(([pair]) => isWwwPair(hosts[preferred.a[pair]!]!, hosts[preferred.b[pair]!]!)).length,
      confirmed: arcs.map((less) => having(({ matchedA }) => matchedA[less]!)),
      confirmedByBloom: arcs.map((less) => having(({ bloom }) => bloom[less]!)),
      crowdedClusters: crowded,
    },
    aliases,
  };
}
