/** What of replicated collections a crawler need not fetch. */
import { type AvoidEntry, type AvoidMatcher, coverCopies, lookAgainAfter } from "../url/avoid-list.js";
import { NOISE_SIZE } from "./describe.js";
import { type Replicas, urlOf } from "./replicas.js";
import type { SimilarClusters } from "./similar-clusters.js";
import type { TrivialClusters } from "./trivial.js";
import { NONE, type WebPages } from "./web-graph.js";

/**
 * What a crawler need not fetch, because another copy has it (section 5.1): hosts, prefixes and pages that hold nothing but
 * copies, or little else, which is then listed. Of the pages at a position the principal copy's is kept, or, where it has none, that of
 * the first replica; the others are copies, if their replicas are more than noise. `keep` is the page that is kept
 * instead, or the root of the replica that has it.
 */
export function avoidList(
  web: WebPages,
  trivial: TrivialClusters,
  clusters: SimilarClusters,
  replicas: Replicas,
  nowMs: number,
  minSize = NOISE_SIZE,
): Required<AvoidEntry>[] {
  const kept = keptPages(trivial, clusters, replicas, minSize);
  const lookAgainMs = lookAgainAfter(nowMs);
  // What is kept on one site may be several collections: a directory of copies is one entry anyway.
  const keptOn = (page: number) => (kept[page] === NONE ? NONE : web.site[kept[page]!]!);
  const rootOf = (page: number) => replicas.root[clusters.replicaOf[page]!]!;
  const entries: Required<AvoidEntry>[] = [];
  for (const known of pagesOfSites(web, kept)) {
    const urls = known.map((page) => urlOf(web, page));
    for (const { kind, value, pages, example } of coverCopies(urls, (at) => keptOn(known[at]!), NONE)) {
      const page = known[example]!;
      const instead = kind === "except" ? page : kind === "page" ? kept[page]! : rootOf(kept[page]!);
      entries.push({ kind, value, keep: urlOf(web, instead), why: "collection", pages, lookAgainMs });
    }
  }
  return entries.sort((a, b) => (a.value < b.value ? -1 : 1));
}

/** For each page that need not be fetched the one that is kept instead, or NONE. */
function keptPages(
  trivial: TrivialClusters,
  clusters: SimilarClusters,
  replicas: Replicas,
  minSize: number,
): Uint32Array {
  const { replicaOf } = clusters;
  const kept = new Uint32Array(trivial.of.length).fill(NONE);
  const isLarge = (replica: number) =>
    replicas.pages.offsets[replica + 1]! - replicas.pages.offsets[replica]! >= minSize;
  for (let position = 0; position < trivial.count; position++) {
    const cluster = clusters.clusterOf[position]!;
    if (cluster === NONE) continue;
    const pages = trivial.pages
      .subarray(trivial.offsets[position]!, trivial.offsets[position + 1]!)
      .filter((page) => isLarge(replicaOf[page]!))
      .sort((a, b) => replicaOf[a]! - replicaOf[b]!);
    const instead = pages.find((page) => replicaOf[page] === replicas.principal[cluster]) ?? pages[0];
    for (const page of pages) if (page !== instead) kept[page] = instead!;
  }
  return kept;
}

/** All known pages of each site that has a copy. */
function pagesOfSites({ count, site }: WebPages, kept: Uint32Array): number[][] {
  const bySite = new Map<number, number[]>();
  for (let page = 0; page < count; page++) if (kept[page] !== NONE) bySite.set(site[page]!, []);
  for (let page = 0; page < count; page++) bySite.get(site[page]!)?.push(page);
  return [...bySite.values()];
}

/** A crawl replayed with an avoid-list: the paper saw similar pages drop from 48% to 13%. */
export interface AvoidanceReplay {
  readonly pages: number;
  /** Pages with at least one similar page, and their share. */
  readonly similarBefore: number;
  readonly similarAfter: number;
  readonly shareBefore: number;
  readonly shareAfter: number;
  readonly fetchesSaved: number;
  readonly bytesSaved: number;
  /** Avoided pages to which no fetched page is similar. 0 for the pages that the list was made from. */
  readonly lost: number;
}

/** `trivial` is of the pages as they were all fetched; `bodyBytes` has the size of each. */
export function replayCrawl(
  web: WebPages,
  trivial: TrivialClusters,
  avoids: AvoidMatcher,
  bodyBytes?: Float64Array | Uint32Array,
): AvoidanceReplay {
  let similarBefore = 0;
  let similarAfter = 0;
  let fetchesSaved = 0;
  let bytesSaved = 0;
  let lost = 0;
  for (let cluster = 0; cluster < trivial.count; cluster++) {
    const pages = trivial.pages.subarray(trivial.offsets[cluster]!, trivial.offsets[cluster + 1]!);
    let avoided = 0;
    for (const page of pages) {
      if (avoids(urlOf(web, page)) === undefined) continue;
      avoided++;
      bytesSaved += bodyBytes?.[page] ?? 0;
    }
    const fetched = pages.length - avoided;
    if (pages.length > 1) similarBefore += pages.length;
    if (fetched > 1) similarAfter += fetched;
    if (fetched === 0) lost += avoided;
    fetchesSaved += avoided;
  }
  const share = (similar: number, of: number) => (of === 0 ? 0 : similar / of);
  return {
    pages: web.count,
    similarBefore,
    similarAfter,
    shareBefore: share(similarBefore, web.count),
    shareAfter: share(similarAfter, web.count - fetchesSaved),
    fetchesSaved,
    bytesSaved,
    lost,
  };
}
