import { NOISE_SIZE } from "./describe.js";
import { type Replicas, urlOf } from "./replicas.js";
import type { SimilarClusters } from "./similar-clusters.js";
import type { TrivialClusters } from "./trivial.js";
import { NONE, type WebPages } from "./web-graph.js";

/** What a crawler need not fetch, because the principal copy has it (section 5.1). */
export interface AvoidEntry {
  /** A host with all its pages, all URLs that begin so, or one page where neither would be right. */
  readonly kind: "host" | "prefix" | "page";
  /** Without the scheme: "mirror.test", "mirror.test/ldp/" or "mirror.test/ldp/index.html". */
  readonly value: string;
  /** Root of the principal copy, which is to be fetched instead. */
  readonly keep: string;
  readonly cluster: number;
  readonly replica: number;
  /** Known pages that it spares. */
  readonly pages: number;
  /** When to fetch it again, to see whether it still is a copy. */
  readonly lookAgainMs: number;
}

export const LOOK_AGAIN_DAYS = 30;

/**
 * Hosts, prefixes and pages that hold nothing but copies. A page is a copy if the principal copy has a real page at its
 * position, and both replicas are more than noise. A prefix is listed only if every known page below it is a copy in the
 * same replica.
 */
export function avoidList(
  web: WebPages,
  trivial: TrivialClusters,
  clusters: SimilarClusters,
  replicas: Replicas,
  options: { readonly nowMs: number; readonly lookAgainDays?: number },
): AvoidEntry[] {
  const { nowMs, lookAgainDays = LOOK_AGAIN_DAYS } = options;
  const copyIn = copiesByPage(trivial, clusters, replicas);
  const entries: AvoidEntry[] = [];
  for (const pages of pagesOfSites(web, copyIn)) {
    for (const { kind, value, from, to, replica } of coverCopies(web, pages, copyIn)) {
      const cluster = clusters.clusterOfReplica[replica]!;
      entries.push({
        kind,
        value,
        keep: urlOf(web, replicas.root[replicas.principal[cluster]!]!),
        cluster,
        replica,
        pages: to - from,
        lookAgainMs: nowMs + lookAgainDays * 86_400_000,
      });
    }
  }
  return entries.sort((a, b) => a.cluster - b.cluster || a.replica - b.replica || (a.value < b.value ? -1 : 1));
}

/** For each page the replica in which it is a copy that need not be fetched, or NONE. */
function copiesByPage(trivial: TrivialClusters, clusters: SimilarClusters, replicas: Replicas): Uint32Array {
  const { replicaOf } = clusters;
  const copyIn = new Uint32Array(trivial.of.length).fill(NONE);
  const isLarge = (replica: number) =>
    replicas.pages.offsets[replica + 1]! - replicas.pages.offsets[replica]! >= NOISE_SIZE;
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

interface Cover {
  readonly kind: AvoidEntry["kind"];
  readonly value: string;
  readonly replica: number;
  /** The pages it covers, as a range of the sorted ones. */
  readonly from: number;
  readonly to: number;
}

function coverCopies(web: WebPages, pages: readonly number[], copyIn: Uint32Array): Cover[] {
  const sorted = pages.map((page) => ({ key: withoutScheme(urlOf(web, page)), replica: copyIn[page]! }));
  sorted.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  // For each page the end of the run of pages in the same replica that it is in.
  const runEnd = new Uint32Array(sorted.length);
  for (let at = sorted.length - 1; at >= 0; at--) {
    const goesOn = at + 1 < sorted.length && sorted[at + 1]!.replica === sorted[at]!.replica;
    runEnd[at] = goesOn ? runEnd[at + 1]! : at + 1;
  }
  const covers: Cover[] = [];
  /** Pages from .. to have their first `length` characters in common: a host (0 of its path), or a directory. */
  const cover = (from: number, to: number, length: number): void => {
    const { key, replica } = sorted[from]!;
    if (runEnd[from]! >= to) {
      if (replica === NONE) return;
      const value = key.slice(0, length);
      covers.push({ kind: value.endsWith("/") ? "prefix" : "host", value, replica, from, to });
      return;
    }
    let at = from;
    while (at < to) {
      const end = directoryEnd(sorted[at]!.key, length);
      let next = at + 1;
      if (end === 0) {
        // Two URLs that differ in the scheme alone are one entry here, and a copy only if both are.
        while (next < to && sorted[next]!.key === sorted[at]!.key) next++;
        const { key: value, replica: copy } = sorted[at]!;
        if (copy !== NONE && runEnd[at]! >= next)
          covers.push({ kind: "page", value, replica: copy, from: at, to: next });
      } else {
        const directory = sorted[at]!.key.slice(0, end);
        while (next < to && sorted[next]!.key.startsWith(directory)) next++;
        cover(at, next, end);
      }
      at = next;
    }
  };
  let from = 0;
  while (from < sorted.length) {
    const host = hostOf(sorted[from]!.key);
    let to = from + 1;
    while (to < sorted.length && hostOf(sorted[to]!.key) === host) to++;
    cover(from, to, host.length);
    from = to;
  }
  return covers;
}

/** "host/path?query": the path has its first slash, so that the URLs of a host are side by side when sorted. */
function withoutScheme(url: string): string {
  const fragment = url.indexOf("#");
  const key = url.slice(url.indexOf("://") + 3, fragment < 0 ? undefined : fragment);
  const hostEnd = key.search(/[/?]/);
  if (hostEnd < 0) return `${key}/`;
  return key[hostEnd] === "/" ? key : `${key.slice(0, hostEnd)}/${key.slice(hostEnd)}`;
}

function hostOf(key: string): string {
  return key.slice(0, key.indexOf("/"));
}

/** Where the next directory of the path ends, after the slash; 0 if there is none. */
function directoryEnd(key: string, from: number): number {
  const slash = key.indexOf("/", from);
  const query = key.indexOf("?");
  return slash < 0 || (query >= 0 && query < slash) ? 0 : slash + 1;
}

/** The entry that says to avoid a URL, or undefined. */
export type AvoidMatcher = (url: string) => AvoidEntry | undefined;

/** Entries whose time to look again has come at `nowMs` are left out. */
export function compileAvoidList(entries: readonly AvoidEntry[], nowMs = Number.NEGATIVE_INFINITY): AvoidMatcher {
  const hosts = new Map<string, AvoidEntry>();
  const prefixes = new Map<string, AvoidEntry>();
  const pages = new Map<string, AvoidEntry>();
  const byKind = { host: hosts, prefix: prefixes, page: pages };
  for (const entry of entries) if (entry.lookAgainMs > nowMs) byKind[entry.kind].set(entry.value, entry);
  return (url) => {
    const key = withoutScheme(url);
    const exact = pages.get(key) ?? hosts.get(hostOf(key));
    if (exact !== undefined) return exact;
    for (let end = directoryEnd(key, 0); end > 0; end = directoryEnd(key, end)) {
      const entry = prefixes.get(key.slice(0, end));
      if (entry !== undefined) return entry;
    }
    return undefined;
  };
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
