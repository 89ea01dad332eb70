/**
 * What a crawler need not fetch: pages of mirrored subtrees, of which a host that comes first has the counterpart. A
 * prefix is named only if every known page below it can be left out; what is not covered so is listed page by page.
 */
import { NOBODY } from "../pages/buckets.js";
import type { AvoidEntry } from "../url/avoid-list.js";
import type { MirrorInput } from "./host-pairs.js";
import type { PairTable } from "./pair-table.js";
import { directoriesOf, pathOfUrl } from "./path.js";
import type { MirroredSubtree } from "./subtrees.js";
import type { SuffixEvidence } from "./verify-pairs.js";

export interface AvoidableCopy extends AvoidEntry {
  /** Everything below "b.test/manual/en/", or one page. */
  readonly kind: "prefix" | "page";
  readonly pages: number;
  /** One page that is left out, and the page to fetch in its place. */
  readonly example: string;
  readonly keep: string;
}

/** Hosts with more pages come first, then by name. Of a pair, the one that comes later is left out. */
export function listAvoidable(
  input: MirrorInput,
  table: PairTable,
  evidence: ReadonlyMap<number, SuffixEvidence>,
  subtrees: ReadonlyMap<number, readonly MirroredSubtree[]>,
  minPages: number,
): AvoidableCopy[] {
  const { hosts, host, clusters } = input;
  const pages = new Uint32Array(hosts.length);
  for (let document = 0; document < host.length; document++)
    if (clusters.size[document] !== 0) pages[host[document]!]!++;
  const comesFirst = (x: number, y: number) => (pages[x] === pages[y] ? hosts[x]! < hosts[y]! : pages[x]! > pages[y]!);

  /** Per page its counterpart, or NOBODY. No cycles: a counterpart is always on a host that comes before. */
  const replaced = new Uint32Array(host.length).fill(NOBODY);
  for (const [pair, { matches }] of evidence) {
    const a = table.a[pair]!;
    const b = table.b[pair]!;
    const mirrored = new Set(subtrees.get(pair)?.map((subtree) => `${subtree.a} ${subtree.b}`));
    for (const { document, counterpart, prefix, counterpartPrefix } of matches) {
      if (!mirrored.has(`${hosts[a]}${counterpartPrefix} ${hosts[b]}${prefix}`)) continue;
      const [kept, avoided] = comesFirst(a, b) ? [counterpart, document] : [document, counterpart];
      const other = replaced[avoided]!;
      if (other === NOBODY || comesFirst(host[kept]!, host[other]!)) replaced[avoided] = kept;
    }
  }
  return compress(input, replaced, minPages).sort((x, y) => y.pages - x.pages || (x.value < y.value ? -1 : 1));
}

function compress(input: MirrorInput, replaced: Uint32Array, minPages: number): AvoidableCopy[] {
  const { hosts, host, urlOf } = input;
  const concerns = new Uint8Array(hosts.length);
  for (let document = 0; document < host.length; document++) {
    if (replaced[document] !== NOBODY) concerns[host[document]!] = 1;
  }
  /** Known pages below each directory of such a host, and those of them that can be left out. */
  const directories = new Map<string, { known: number; avoided: number }>();
  for (let document = 0; document < host.length; document++) {
    // Pages without a sketch are known too: nobody has compared them.
    if (concerns[host[document]!] !== 1) continue;
    for (const directory of directoriesOf(pathOfUrl(urlOf(document)))) {
      const prefix = hosts[host[document]!]! + directory;
      let counts = directories.get(prefix);
      if (counts === undefined) {
        counts = { known: 0, avoided: 0 };
        directories.set(prefix, counts);
      }
      counts.known++;
      if (replaced[document] !== NOBODY) counts.avoided++;
    }
  }
  const entries = new Map<string, AvoidableCopy>();
  for (let document = 0; document < host.length; document++) {
    const kept = replaced[document]!;
    if (kept === NOBODY) continue;
    const url = urlOf(document);
    const example = { example: url, keep: urlOf(kept) };
    const covering = directoriesOf(pathOfUrl(url))
      .map((directory) => hosts[host[document]!]! + directory)
      .find((prefix) => {
        const { known, avoided } = directories.get(prefix)!;
        return known === avoided && known >= minPages;
      });
    if (covering === undefined) entries.set(url, { kind: "page", value: url, pages: 1, ...example });
    else if (!entries.has(covering)) {
      entries.set(covering, { kind: "prefix", value: covering, pages: directories.get(covering)!.known, ...example });
    }
  }
  return [...entries.values()];
}
