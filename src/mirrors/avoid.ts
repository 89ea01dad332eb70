/**
 * What a crawler need not fetch: pages of mirrored subtrees whose counterpart is on a host that comes first. A
 * prefix is named only if every known page below it can be left out; other pages are listed one by one.
 */
import { NOBODY } from "../pages/buckets.js";
import { type AvoidEntry, coverCopies, lookAgainAfter } from "../url/avoid-list.js";
import type { MirrorInput } from "./host-pairs.js";
import type { PairTable } from "./pair-table.js";
import type { MirroredSubtree } from "./subtrees.js";
import type { SuffixEvidence } from "./verify-pairs.js";

/** Of a pair, the host that comes later in `rank` is left out; without it, the one with fewer pages, then by name. */
export function listAvoidable(
  input: MirrorInput,
  table: PairTable,
  evidence: ReadonlyMap<number, SuffixEvidence>,
  subtrees: ReadonlyMap<number, readonly MirroredSubtree[]>,
  nowMs: number,
): Required<AvoidEntry>[] {
  const { hosts, host, clusters, rank } = input;
  const pages = new Uint32Array(hosts.length);
  for (let document = 0; document < host.length; document++)
    if (clusters.size[document] !== 0) pages[host[document]!]!++;
  const comesFirst = (x: number, y: number) => {
    if (rank !== undefined && rank[x] !== rank[y]) return rank[x]! < rank[y]!;
    return pages[x] === pages[y] ? hosts[x]! < hosts[y]! : pages[x]! > pages[y]!;
  };

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
  return cover(input, replaced, nowMs).sort((x, y) => y.pages - x.pages || (x.value < y.value ? -1 : 1));
}

function cover({ hosts, host, urlOf }: MirrorInput, replaced: Uint32Array, nowMs: number): Required<AvoidEntry>[] {
  // All known pages of the hosts concerned, including those without a sketch: they have not been compared.
  const known = new Map<number, number[]>();
  for (let document = 0; document < host.length; document++) {
    if (replaced[document] !== NOBODY) known.set(host[document]!, []);
  }
  for (let document = 0; document < host.length; document++) known.get(host[document]!)?.push(document);
  const lookAgainMs = lookAgainAfter(nowMs);
  return [...known.values()].flatMap((documents) => {
    const keptOn = (at: number) => {
      const kept = replaced[documents[at]!]!;
      return kept === NOBODY ? hosts.length : host[kept]!;
    };
    return coverCopies(documents.map(urlOf), keptOn, hosts.length).map(({ kind, value, pages, example }) => ({
      ...{ kind, value, pages, why: "mirror" as const, lookAgainMs },
      keep: urlOf(kind === "except" ? documents[example]! : replaced[documents[example]!]!),
    }));
  });
}
