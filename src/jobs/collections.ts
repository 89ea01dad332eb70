/** `collections`: finds replicated collections of a snapshot and keeps them. */
import { asTheyAre, compile } from "../canon/compile.js";
import { rulesInUse } from "../canon/cycles.js";
import { type AvoidanceReplay, avoidList, replayCrawl } from "../collections/avoid.js";
import { confirmCopies } from "../collections/confirm.js";
import {
  type ClusterPoint,
  type ClusterRecord,
  clusterDistribution,
  correspondingPages,
  type Described,
  describeCluster,
  NOISE_SIZE,
  replicationClasses,
  replicationDistribution,
} from "../collections/describe.js";
import { DocChunksBuilder } from "../collections/doc-chunks.js";
import { findCollectionsInSteps } from "../collections/find-collections.js";
import { findPositions } from "../collections/positions.js";
import { describeReplicas, urlOf } from "../collections/replicas.js";
import { chunkThresholds, findSimilarPagesInSteps } from "../collections/similar-pages.js";
import { type TrivialClusters, trivialClusters, trivialFromTable } from "../collections/trivial.js";
import type { DroppedLinks } from "../collections/web-graph.js";
import { UserError } from "../errors.js";
import type { JobContext, Rule } from "../model.js";
import { drive, pause, stopIfAborted } from "../progress.js";
import type { Chunking } from "../sketch/chunks.js";
import { writeAvoidFile } from "../store/copies/avoid-list.js";
import { hasCollections, readTitles, storeCollections, writeCollectionPages } from "../store/copies/collections.js";
import { readHostRanks } from "../store/copies/host-rank.js";
import { type PhantomLinks, writePhantomLinks } from "../store/copies/phantom-links.js";
import { pageSnapshot, readTexts, readTrivialTable, readWeb, type SnapshotWeb } from "../store/copies/web-graph.js";
import { outputFormat } from "../store/output-format.js";
import { hasAnySketch, type SnapshotName } from "../store/pages/snapshots.js";
import type { Workspace } from "../store/workspace.js";
import { compileAvoidList } from "../url/avoid-list.js";
import { ensureClusters } from "./cluster.js";

export interface CollectionSettings {
  /** What makes pages similar: chunks of text in common, or the near-duplicate clusters. */
  readonly similarity: "chunks" | "clusters";
  /**
   * For chunks: how the text is cut, how many chunks in common are not yet enough (the paper's T), and which share of the
   * longer page's chunks they have to be.
   */
  readonly chunking: Chunking;
  readonly threshold: number;
  readonly overlap: number;
  /** Also grow to pages that only some replicas have. */
  readonly extended: boolean;
  /** Join clusters that at most this many unmatched pages in each replica split; 0: only name them. */
  readonly joinThrough: number;
  /** Pages correspond only within one site. */
  readonly singleSite: boolean;
  /** Collections of fewer pages are noise. */
  readonly minSize: number;
  /** Set surplus copies aside before growing, and pages of one site that look alike apart. */
  readonly surplus: boolean;
}

export interface CollectionsOptions extends Partial<CollectionSettings> {
  /** Default: the last snapshot with pages. */
  readonly snapshot?: string;
  /** URLs that the proven and accepted ones among these make equal are one page. */
  readonly rules?: readonly Rule[];
  /** Also write the avoid-list to this file. */
  readonly avoidFile?: string;
  /** Also write the pages of all collections to this file: .parquet, .csv or .jsonl. */
  readonly output?: string;
  /** Also write the links that copies left out would have had to this file: .parquet, .csv or .jsonl. */
  readonly phantomFile?: string;
  /** Replay the crawl with the avoid-list. */
  readonly simulate?: boolean;
  readonly nowMs?: number;
}

export function collectionSettings(options: Partial<CollectionSettings>): CollectionSettings {
  const chunking = options.chunking ?? "two-lines";
  return {
    similarity: options.similarity ?? "clusters",
    chunking,
    threshold: options.threshold ?? chunkThresholds[chunking],
    overlap: options.overlap ?? 0,
    extended: options.extended ?? false,
    joinThrough: options.joinThrough ?? 1,
    singleSite: options.singleSite ?? false,
    minSize: options.minSize ?? NOISE_SIZE,
    surplus: options.surplus ?? true,
  };
}

/** One side of a break point; the cluster may be noise, which no list has. */
export type BreakPointSide = Pick<ClusterRecord, "cluster" | "entryPage" | "size">;

/** Pages that split two clusters (or, once joined, one): for each replica the URLs on the way. */
export interface NamedBreakPoint {
  readonly from: BreakPointSide;
  readonly to: BreakPointSide;
  readonly pages: readonly (readonly string[])[];
}

/** A column of table 1: room and time for one way of cutting. */
export interface ChunkCost {
  readonly fingerprints: number;
  readonly bytes: number;
  /** To read and cut the texts, and to find similar pages. */
  readonly cutMs: number;
  readonly similarMs: number;
}

/** How pages were found similar by their chunks. */
export interface ChunkNumbers {
  readonly withoutText: number;
  readonly identical: number;
  readonly sharedChunks: number;
  readonly compared: number;
  /** Table 1: what it costs. Absent in results of earlier versions. */
  readonly cost?: ChunkCost;
  /** The most common chunks: in how many texts, and a page that has it. */
  readonly common: readonly { readonly texts: number; readonly page: string }[];
}

export interface CollectionsResult {
  readonly snapshot: string;
  readonly settings: CollectionSettings;
  readonly pages: number;
  readonly sites: number;
  /** Downloads that are one page with another by the rules. */
  readonly merged: number;
  readonly links: number;
  readonly dropped: DroppedLinks;
  readonly chunks?: ChunkNumbers;
  /** Pages with at least one similar page. */
  readonly similarPages: number;
  /** Figure 11: pages by how many similar ones there are, themselves included; `to` is null for no end. */
  readonly replication: readonly { readonly from: number; readonly to: number | null; readonly pages: number }[];
  /** Figure 12: clusters of each cardinality and size, and noise. */
  readonly distribution: readonly ClusterPoint[];
  /** Clusters that are more than noise, by cardinality and size (table 2 is their beginning). */
  readonly clusters: readonly ClusterRecord[];
  readonly noise: { readonly clusters: number; readonly pages: number };
  /** Real pages in the clusters above, as a share of all pages. */
  readonly replicatedPages: number;
  readonly breakPoints: {
    readonly splits: number;
    /** The pages that make those of clusters that are more than noise, each once. */
    readonly named: readonly NamedBreakPoint[];
  };
  readonly disagreeingLinks: number;
  /** Entries of the avoid-list by kind, and the pages that they spare. */
  readonly avoid: Readonly<Record<"hosts" | "prefixes" | "singlePages" | "exceptions" | "pages", number>>;
  readonly simulation?: AvoidanceReplay;
  readonly phantom?: PhantomLinks;
}

/** Finds the replicated collections of a snapshot and keeps them, with the avoid-list, in the workspace. */
export async function findReplicatedCollections(
  workspace: Workspace,
  options: CollectionsOptions,
  context: JobContext,
): Promise<CollectionsResult> {
  const settings = collectionSettings(options);
  const { phantomFile, output } = options;
  const phantomFormat = phantomFile === undefined ? undefined : outputFormat(phantomFile, "--phantom-links");
  const format = output === undefined ? undefined : outputFormat(output);
  const snapshot = await workspace.read((connection) => pageSnapshot(connection, options.snapshot));
  const { source, trivial, sketched, chunks } = await readTrivial(
    workspace,
    snapshot,
    settings,
    options.rules ?? [],
    context,
  );
  const { web, links, dropped, merged } = source;
  const step = stepper(context, web.count);

  // The paper's own growth goes by trivial clusters as they are, and wants each page in all replicas.
  const positions = settings.surplus ? findPositions(web, links, trivial) : trivial;
  const growth = { ...settings, nearby: settings.surplus };
  const collections = await drive(findCollectionsInSteps(web, links, positions, growth), context, REMAINDER);
  const { clusters, breakPoints } = collections;
  await step("describing collections");
  const ranks = await workspace.read((connection) => readHostRanks(connection, snapshot));
  const hostRank = (page: number) => ranks.get(new URL(urlOf(web, page)).host) ?? ranks.size;
  const replicas = describeReplicas(web, positions, collections, hostRank);
  const titles = await workspace.read((connection) =>
    readTitles(
      connection,
      replicas.principal.map((replica) => source.id[replicas.root[replica]!]!),
    ),
  );
  const described: Described = {
    ...{ web, links, trivial: positions, collections, replicas, minSize: settings.minSize },
    titleOf: (page) => titles.get(source.id[page]!),
  };
  const records = Array.from({ length: clusters.count }, (_, cluster) => describeCluster(described, cluster));
  const partial = records.filter(({ replicas: all }) => all.some(({ virtual }) => virtual > 0));
  const correspondences = new Map(partial.map(({ cluster }) => [cluster, correspondingPages(described, cluster)]));

  await step("listing what to avoid");
  const nowMs = options.nowMs ?? Date.now();
  const avoid = avoidList(web, positions, clusters, replicas, nowMs, settings.minSize);
  const large = records.filter(({ isNoise }) => !isNoise);
  const realPages = (some: readonly ClusterRecord[]) =>
    some.reduce((sum, { replicas: all }) => sum + all.reduce((pages, { real }) => pages + real, 0), 0);
  const listed = (kind: string) => avoid.filter((entry) => entry.kind === kind).length;
  const replication = replicationDistribution(trivial);
  const sideOf = (cluster: number): BreakPointSide => {
    const { entryPage, size } = records[cluster]!;
    return { cluster, entryPage, size };
  };
  const result: CollectionsResult = {
    snapshot: snapshot.name,
    settings,
    pages: web.count,
    sites: new Set(web.site).size,
    merged,
    links: links.dest.length,
    dropped,
    ...(chunks && { chunks }),
    similarPages: web.count - replication[0]!,
    replication: replicationClasses.map(({ from, to }, at) => ({
      from,
      to: Number.isFinite(to) ? to : null,
      pages: replication[at]!,
    })),
    distribution: clusterDistribution(records),
    clusters: large,
    noise: { clusters: records.length - large.length, pages: realPages(records) - realPages(large) },
    replicatedPages: realPages(large),
    breakPoints: {
      splits: breakPoints.length,
      named: uniqueBy(
        breakPoints
          .filter(({ from, to }) => !records[from]!.isNoise || !records[to]!.isNoise)
          .map(({ from, to, pages }) => ({
            ...{ from: sideOf(from), to: sideOf(to) },
            pages: pages.map((way) => way.map((page) => urlOf(web, page))),
          })),
        // Several links lead through the same pages.
        ({ from, to, pages }) => JSON.stringify([from.cluster, to.cluster, pages]),
      ),
    },
    disagreeingLinks: large.reduce((sum, { disagreeingLinks }) => sum + disagreeingLinks, 0),
    avoid: {
      hosts: listed("host"),
      prefixes: listed("prefix"),
      singlePages: listed("page"),
      exceptions: listed("except"),
      pages: avoid.reduce((sum, { pages }) => sum + pages, 0),
    },
    ...(options.simulate && { simulation: replayCrawl(web, trivial, compileAvoidList(avoid), source.bodyBytes) }),
  };
  await step("storing collections");
  const confirmed = confirmCopies(positions, clusters, replicas, sketched);
  const found = {
    source,
    trivial,
    positions,
    clusters,
    replicas,
    records,
    correspondences,
    confirmed,
    breakPoints,
    avoid,
  };
  await storeCollections(workspace, snapshot, settings, found, result, nowMs);
  if (options.avoidFile !== undefined) await writeAvoidFile(options.avoidFile, avoid);
  if (output !== undefined) {
    await workspace.read((connection) => writeCollectionPages(connection, snapshot, output, format!));
  }
  if (phantomFile === undefined) return result;
  const phantom = await workspace.read((connection) =>
    writePhantomLinks(connection, snapshot, phantomFile, phantomFormat!),
  );
  return { ...result, phantom };
}

const uniqueBy = <T>(all: readonly T[], key: (entry: T) => string): T[] => [
  ...new Map(all.map((entry) => [key(entry), entry])).values(),
];

/** Makes sure that the workspace has collections that its pages still agree with, however they were found. */
export async function ensureCollections(
  workspace: Workspace,
  snapshot: SnapshotName,
  rules: readonly Rule[],
  context: JobContext,
): Promise<void> {
  if (await workspace.read((connection) => hasCollections(connection, snapshot))) return;
  await findReplicatedCollections(workspace, { rules, snapshot: snapshot.name }, context);
}

/** A snapshot without what collections are made of. */
export class NothingToGrowError extends UserError {}

/** What an interrupted run leaves. */
const REMAINDER = "nothing of the collections was stored";

/** What comes after the graph algorithms is short; between its steps there is time to tell them, and to stop. */
function stepper(context: JobContext, pages: number): (step: string) => Promise<void> {
  return async (step) => {
    context.onProgress({ step, done: pages, unit: "pages" });
    await pause(context, REMAINDER);
  };
}

/** The web graph, TRIVIAL, and the near-duplicate clusters that copies found otherwise are confirmed by. */
async function readTrivial(
  workspace: Workspace,
  snapshot: SnapshotName,
  settings: CollectionSettings,
  rules: readonly Rule[],
  context: JobContext,
): Promise<{ source: SnapshotWeb; trivial: TrivialClusters; sketched: TrivialClusters; chunks?: ChunkNumbers }> {
  const { rules: used } = rulesInUse(rules);
  const canon = used.length === 0 ? undefined : compile(used, { use: asTheyAre });
  const byChunks = settings.similarity === "chunks";
  const hasSketches = await workspace.read((connection) => hasAnySketch(connection, snapshot));
  if (hasSketches) await ensureClusters(workspace, [snapshot], "similar", context);
  else if (!byChunks) {
    throw new NothingToGrowError(
      `no page of snapshot "${snapshot.name}" has a sketch to compare it by; add pages with html or text`,
    );
  }
  context.onProgress({ step: "reading pages and links", done: 0, unit: "pages" });
  const { source, docChunks, table, cutMs } = await workspace.read(async (connection) => {
    const found = await readWeb(connection, snapshot, canon);
    refuseNothing(snapshot, found, byChunks);
    const table = await readTrivialTable(connection, snapshot);
    if (!byChunks) return { source: found, table };
    const startedMs = performance.now();
    const builder = new DocChunksBuilder(found.web.count, settings.chunking);
    let done = 0;
    await readTexts(connection, (text) => {
      stopIfAborted(context, REMAINDER);
      builder.add(text);
      context.onProgress({ step: "cutting texts into chunks", done: ++done, total: found.web.count, unit: "pages" });
    });
    return { source: found, table, docChunks: builder.finish(), cutMs: performance.now() - startedMs };
  });
  const { web } = source;
  const sketched = trivialFromTable(web.count, table.rid, table.pid);
  if (docChunks === undefined) return { source, trivial: sketched, sketched };
  const startedMs = performance.now();
  const { root, withoutText, identical, sharedChunks, compared, common } = await drive(
    findSimilarPagesInSteps(docChunks, settings),
    context,
    REMAINDER,
  );
  return {
    source,
    trivial: trivialClusters(root),
    sketched,
    chunks: {
      ...{ withoutText, identical, sharedChunks, compared },
      cost: {
        fingerprints: docChunks.fingerprints.length,
        bytes: docChunks.fingerprints.byteLength,
        cutMs,
        similarMs: performance.now() - startedMs,
      },
      common: common.map(({ texts, page }) => ({ texts, page: urlOf(web, page) })),
    },
  };
}

function refuseNothing(
  { name }: SnapshotName,
  { web, links, dropped, withText }: SnapshotWeb,
  byChunks: boolean,
): void {
  if (byChunks && withText === 0) {
    throw new NothingToGrowError(
      `none of the ${web.count} pages of snapshot "${name}" has text; add them without --no-text, or use --similarity clusters`,
    );
  }
  if (links.dest.length === 0) {
    const why =
      dropped.dangling > 0
        ? `all ${dropped.dangling} links lead to pages that are not there`
        : "add WARC archives, or JSON lines or Parquet with html or links";
    throw new NothingToGrowError(
      `the pages of snapshot "${name}" have no links to each other, so there is nothing to grow; ${why}`,
    );
  }
}
