/**
 * Which similar pages are candidates to correspond. The merge condition compares numbers of pages, so that one stray copy of
 * one page splits a collection (the open problem of section 6), and so do two pages of one manual that look alike. Growth
 * goes by positions instead of trivial clusters: the same clusters without surplus copies, and divided where pages of several names are alike.
 */
import { type TrivialClusters, trivialClusters } from "./trivial.js";
import { type Links, NONE, type WebPages } from "./web-graph.js";

/** A refinement of the trivial clusters; what is set aside is alone in a position. */
export function findPositions(web: WebPages, links: Links, trivial: TrivialClusters): TrivialClusters {
  const byName = splitByName(web, trivial);
  return setAside(web, links, byName);
}

/**
 * Where a site has several pages of a cluster, those with one name on different sites are a position, and the others, as
 * long as each site has one of them at most, another.
 */
function splitByName(web: WebPages, trivial: TrivialClusters): TrivialClusters {
  const root = new Uint32Array(web.count);
  const join = (pages: readonly number[]) => {
    for (const page of pages) root[page] = pages[0]!;
  };
  for (let cluster = 0; cluster < trivial.count; cluster++) {
    const pages = [...trivial.pages.subarray(trivial.offsets[cluster]!, trivial.offsets[cluster + 1]!)];
    if (isOnePerSite(web, pages)) {
      join(pages);
      continue;
    }
    const named = new Map<string, number[]>();
    for (const page of pages) {
      const name = nameOf(web, page);
      const some = named.get(name);
      if (some === undefined) named.set(name, [page]);
      else some.push(page);
    }
    const groups = [...named.values()];
    const apart = groups.filter((some) => some.length > 1);
    const rest = groups.filter((some) => some.length === 1).flat();
    if (apart.every((some) => isOnePerSite(web, some)) && isOnePerSite(web, rest)) {
      for (const some of apart) join(some);
      join(rest);
    } else join(pages);
  }
  return trivialClusters(root);
}

function isOnePerSite({ site }: WebPages, pages: readonly number[]): boolean {
  return new Set(pages.map((page) => site[page])).size === pages.length;
}

const SLASH = 0x2f;
const decoder = new TextDecoder();

/** The last arc of the path with the query; a directory's with its slash. */
function nameOf({ urls: { bytes, offsets } }: WebPages, page: number): string {
  const end = offsets[page + 1]!;
  let start = end - 1;
  while (start > offsets[page]! && bytes[start - 1] !== SLASH) start--;
  return decoder.decode(bytes.subarray(start, end));
}

/**
 * A link within a site from a page of one cluster to one of another is parallel if on another page, another such link does
 * the same. A copy is surplus where parallel links lead to two others, but neither to nor from it, or not to it while they
 * lead to another one on its site.
 */
function setAside({ count, site }: WebPages, { offsets, dest }: Links, clusters: TrivialClusters): TrivialClusters {
  const { of, pages: members, offsets: first } = clusters;
  const isLinked = new Uint8Array(count);
  const isLinking = new Uint8Array(count);
  // Per target cluster, for the cluster at hand: a source and a target of a link, NONE where there are several.
  const seenFor = new Uint32Array(clusters.count).fill(NONE);
  const source = new Uint32Array(clusters.count);
  const target = new Uint32Array(clusters.count);
  const sizeOf = (cluster: number) => first[cluster + 1]! - first[cluster]!;
  const eachLink = (cluster: number, visit: (page: number, to: number, other: number) => void) => {
    for (let at = first[cluster]!; at < first[cluster + 1]!; at++) {
      const page = members[at]!;
      for (let link = offsets[page]!; link < offsets[page + 1]!; link++) {
        const to = dest[link]!;
        const other = of[to]!;
        if (other !== cluster && site[to] === site[page] && sizeOf(other) > 1) visit(page, to, other);
      }
    }
  };
  for (let cluster = 0; cluster < clusters.count; cluster++) {
    if (sizeOf(cluster) < 2) continue;
    eachLink(cluster, (page, to, other) => {
      if (seenFor[other] !== cluster) {
        seenFor[other] = cluster;
        source[other] = page;
        target[other] = to;
        return;
      }
      if (source[other] !== page) source[other] = NONE;
      if (target[other] !== to) target[other] = NONE;
    });
    eachLink(cluster, (page, to, other) => {
      if (source[other] !== NONE || target[other] !== NONE) return;
      isLinked[to] = 1;
      isLinking[page] = 1;
    });
  }
  const root = new Uint32Array(count);
  for (let cluster = 0; cluster < clusters.count; cluster++) {
    const pages = members.subarray(first[cluster]!, first[cluster + 1]!);
    const linked = pages.filter((page) => isLinked[page] === 1);
    const sites = new Set(Array.from(linked, (page) => site[page]!));
    const isSurplus = (page: number) =>
      linked.length > 1 && isLinked[page] === 0 && (isLinking[page] === 0 || sites.has(site[page]!));
    const kept = pages.filter((page) => !isSurplus(page));
    for (const page of pages) root[page] = isSurplus(page) ? page : kept[0]!;
  }
  return trivialClusters(root);
}
