/**
 * Which parts of two hosts mirror each other: a subtree is named by its prefixes, and two subtrees are mirrors if their
 * pages are near-duplicates under the same detached paths (Fetterly et al. 2004, section 2, after Bharat and Broder).
 */
import type { MirrorInput } from "./host-pairs.js";
import type { PairTable } from "./pair-table.js";
import { directoriesOf, pathOfUrl } from "./path.js";
import type { SuffixEvidence } from "./verify-pairs.js";

export interface MirroredSubtree {
  /** Host and path, such as "a.test/docs/". */
  readonly a: string;
  readonly b: string;
  /** Pages of b's subtree whose counterpart is in a's, at the same path below the prefix. */
  readonly pages: number;
  /** All known pages with a sketch below each prefix. */
  readonly knownA: number;
  readonly knownB: number;
}

/** Subtrees with at least `minPages` mirrored pages, by pair, largest first. */
export function findSubtrees(
  input: MirrorInput,
  table: PairTable,
  evidence: ReadonlyMap<number, SuffixEvidence>,
  minPages: number,
): Map<number, MirroredSubtree[]> {
  const { hosts } = input;
  const subtrees = new Map<number, { a: string; b: string; pages: number }[]>();
  const prefixes = new Map<string, number>();
  for (const [pair, { matches }] of evidence) {
    const byPrefixes = new Map<string, { a: string; b: string; pages: number }>();
    for (const { prefix, counterpartPrefix } of matches) {
      const a = hosts[table.a[pair]!]! + counterpartPrefix;
      const b = hosts[table.b[pair]!]! + prefix;
      const key = `${a} ${b}`;
      const subtree = byPrefixes.get(key);
      if (subtree === undefined) byPrefixes.set(key, { a, b, pages: 1 });
      else subtree.pages++;
    }
    const large = [...byPrefixes.values()].filter(({ pages }) => pages >= minPages);
    if (large.length > 0) subtrees.set(pair, large);
    for (const { a, b } of large) prefixes.set(a, 0).set(b, 0);
  }
  countKnown(input, prefixes);
  return new Map(
    [...subtrees].map(([pair, list]) => [
      pair,
      list
        .map((subtree) => ({ ...subtree, knownA: prefixes.get(subtree.a)!, knownB: prefixes.get(subtree.b)! }))
        .sort((x, y) => y.pages - x.pages || (x.a + x.b < y.a + y.b ? -1 : 1)),
    ]),
  );
}

/** Counts the known pages below each prefix that is a key. */
function countKnown({ clusters, host, hosts, urlOf }: MirrorInput, prefixes: Map<string, number>): void {
  const names = new Set([...prefixes.keys()].map((prefix) => prefix.slice(0, prefix.indexOf("/"))));
  const concerns = Uint8Array.from(hosts, (name) => Number(names.has(name)));
  for (let document = 0; document < host.length; document++) {
    if (clusters.size[document] === 0 || concerns[host[document]!] !== 1) continue;
    for (const directory of directoriesOf(pathOfUrl(urlOf(document)))) {
      const prefix = hosts[host[document]!]! + directory;
      const count = prefixes.get(prefix);
      if (count !== undefined) prefixes.set(prefix, count + 1);
    }
  }
}
