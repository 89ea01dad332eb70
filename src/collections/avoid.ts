/** What of replicated collections a crawler need not fetch. */
import { type AvoidEntry, type AvoidMatcher, coverCopies, lookAgainAfter } from "../url/avoid-list.js";
import { NOISE_SIZE } from "./describe.js";
import { type Replicas, urlOf } from "./replicas.js";
import type { SimilarClusters } from "./similar-clusters.js";
import type { TrivialClusters } from "./trivial.js";
import { NONE, type WebPages } from "./web-graph.js";

/**
 * What a crawler need not fetch, because the principal copy has it (section 5.1): hosts, prefixes and pages that hold
 * nothing but copies, or little else, which is then named. A page is a copy if the principal copy has a real page at its
 * position, and both replicas are more than noise. `keep` is the page that is kept instead, or the root of that copy.
 */
export function avoidList(
  web: WebPages,
  trivial: TrivialClusters,
  clusters: SimilarClusters,
  replicas: Replicas,
  nowMs: number,
  minSize = NOISE_SIZE,
): Required<AvoidEntry>[] {
  const copyIn = copiesByPage(trivial, clusters, replicas, minSize);
  const lookAgainMs = lookAgainAfter(nowMs);
  const principalOf = (page: number) => replicas.principal[clusters.clusterOfReplica[copyIn[page]!]!]!;
  // What is kept on one site may be several collections: a directory of copies is one entry anyway.
  const keptOn = (page: number) => (copyIn[page] === NONE ? NONE : web.site[replicas.root[principalOf(page)]!]!);
  const counterpart = (page: number): number => {
    const position = trivial.of[page]!;
    return trivial.pages
      .subarray(trivial.offsets[position]!, trivial.offsets[position + 1]!)
      .find((other) => clusters.replicaOf[other] === principalOf(page))!;
  };
  const entries: Required<AvoidEntry>[] = [];
  for (const known of pagesOfSites(web, copyIn)) {
    const urls = known.map((page) => urlOf(web, page));
    for (const { kind, value, pages, example } of coverCopies(urls, (at) => keptOn(known[at]!), NONE)) {
      const page = known[example]!;
      const kept = kind === "except" ? page : kind === "page" ? counterpart(page) : replicas.root[principalOf(page)]!;
      entries.push({ kind, value, keep: urlOf(web, kept), why: "collection", pages, lookAgainMs });
    }
  }
  return entries.sort((a, b) => (a.value < b.value ? -1 : 1));
}

/** For each page the replica in which it is a copy that need not be fetched, or NONE. */
function copiesByPage(
  trivial: TrivialClusters,
  clusters: SimilarClusters,
  replicas: Replicas,
  minSize: number,
): Uint32Array {
  const { replicaOf } = clusters;
  const copyIn = new Uint32Array(trivial.of.length).fill(NONE);
  const isLarge = (replica: number) =>
    replicas.pages.offsets[replica + 1]! - replicas.pages.offsets[replica]! >= minSize;
  for (let position = 0; position < trivial.count; position++) {
    const cluster = clusters.clusterOf[position]!;
    if (cluster === NONE) continue;
    const pages = trivial.pages.subarray(trivial.offsets[position]!, trivial.offsets[position + 1]!);
    const principal = replicas.principal[cluster]!;
    if (!isLarge(principal) || !pages.some((page) => replicaOf[page] === principal)) continue;
    for (const page of pages) {
      if (replicaOf[page] !== principal && isLarge(replicaOf[page]!)) copyIn[page] = replicaOf[page]!;
    }
  }
  return copyIn;
}

/** All known pages of each site that has a copy. */
function pagesOfSites({ count, site }: WebPages, copyIn: Uint32Array): number[][] {
  const bySite = new Map<number, number[]>();
  for (let page = 0; page < count; page++) if (copyIn[page] !== NONE) bySite.set(site[page]!, []);
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
