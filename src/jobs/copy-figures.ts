/** The data of the figures about copies, from what the commands found before. */
import type { SizeCount } from "../pages/power-law.js";
import { FEWEST_DOWNLOADS } from "../report/figures/copies.js";
import type { ChangeBuckets, ChangeShares, FigureData, MirroredPair } from "../report/figures/figure.js";
import { listMirrors } from "../store/browse/copy-lists.js";
import { countHostPages, readAnalyses, readCopySizes } from "../store/browse/report-data.js";
import type { Workspace } from "../store/workspace.js";
import { maskSecrets } from "../url/mask.js";
import type { SnapshotClusters } from "./cluster.js";
import type { CollectionsResult } from "./collections.js";
import type { ChangeFigures, EvolveResult } from "./evolve.js";

/** The figures about copies; they rest on what was found before, and cost no look at the URLs. */
export async function copyFigures(
  workspace: Workspace,
  mask: (text: string) => string = maskSecrets,
): Promise<Partial<FigureData>> {
  const sizes = await readCopySizes(workspace);
  const kept = await readAnalyses(workspace, [
    ...["evolution", "mirror-change", "collections", "clusters-similar", "clusters-identical"],
    ...similarityTests,
  ]);
  const pairs = await mirroredPairs(workspace);
  const evolution = kept.get("evolution") as EvolveResult | undefined;
  const mirrorChange = kept.get("mirror-change") as ChangeFigures | undefined;
  const collections = kept.get("collections") as CollectionsResult | undefined;
  const tests = similarityTests
    .flatMap((name) => (kept.get(name) as CollectionsResult | undefined) ?? [])
    .filter(({ snapshot, pages }) => snapshot === collections?.snapshot && pages > 0);
  return {
    ...(sizes.clusters.length > 0 && { "cluster-sizes": sizes.clusters }),
    ...(sizes.mirrors.some(({ distribution }) => countAll(distribution) >= FEWEST_PAIRS) && {
      "mirror-sizes": sizes.mirrors,
    }),
    ...(pairs.length > 0 && { "mirrored-pairs": pairs }),
    ...largestFigure("largest-clusters", kept.get("clusters-similar") as SnapshotClusters | undefined, mask),
    ...largestFigure("largest-identical", kept.get("clusters-identical") as SnapshotClusters | undefined, mask),
    ...(evolution && evolutionFigures(evolution)),
    ...(mirrorChange && mirrorChange.downloads > 0 && { "change-by-mirror-size": changeShares(mirrorChange) }),
    ...(collections && collectionFigures(collections, mask)),
    ...replicationFigure(tests),
    ...costFigure(tests),
  };
}

/** A few dots do not make a distribution: then the pairs by their names say more. */
const FEWEST_PAIRS = 20;
const countAll = (distribution: readonly SizeCount[]) => distribution.reduce((sum, { count }) => sum + count, 0);

const PAIRS_DRAWN = 12;
const CLUSTERS_DRAWN = 20;

/** The mirrored hosts with most in common, and how many pages they have in all. */
async function mirroredPairs(workspace: Workspace): Promise<MirroredPair[]> {
  const { rows, snapshot } = await listMirrors(workspace, { sort: "clusters", descending: true, limit: PAIRS_DRAWN });
  const pairs = rows.filter(({ isMirror }) => isMirror);
  if (snapshot === undefined || pairs.length === 0) return [];
  const known = await countHostPages(
    workspace,
    snapshot,
    pairs.flatMap(({ a, b }) => [a, b]),
  );
  return pairs.map((pair) => ({
    ...pair,
    knownA: known.get(pair.a) ?? pair.pagesA,
    knownB: known.get(pair.b) ?? pair.pagesB,
  }));
}

/** Tables 1 and 2 of the 2004 paper. */
function largestFigure(
  name: "largest-clusters" | "largest-identical",
  found: SnapshotClusters | undefined,
  mask: (text: string) => string,
): Partial<FigureData> {
  const rows = (found?.largest ?? []).slice(0, CLUSTERS_DRAWN).map((cluster) => ({
    ...{ size: cluster.size, hosts: cluster.hosts, kind: cluster.kind, url: mask(cluster.representative) },
    ...(cluster.unknown === 0 && { machines: cluster.machines }),
    ...(cluster.title !== undefined && { title: mask(cluster.title) }),
  }));
  return rows.length === 0 ? {} : { [name]: rows };
}

/** Under which names `collections` keeps what each test of similarity found, those that ask for most first. */
const similarityTests = ["document", "four-lines", "two-lines", "sentences", "clusters"].map(
  (test) => `collections-${test}`,
);

/** One bar for each test that the snapshot was looked at with. */
function replicationFigure(results: readonly CollectionsResult[]): Partial<FigureData> {
  const copies = ({ from, to }: CollectionsResult["replication"][number]) => {
    if (from === 1) return "no copy";
    if (to === null) return `${from - 1} copies or more`;
    return from === to ? "1 copy" : `${from - 1} to ${to - 1} copies`;
  };
  if (results.length === 0) return {};
  return {
    "replication-by-chunking": {
      copies: results[0]!.replication.map(copies),
      chunkings: results.map((result) => ({
        name: nameOfTest(result),
        shares: result.replication.map((entry) => entry.pages / result.pages),
      })),
    },
  };
}

const nameOfTest = ({ settings: { similarity, chunking } }: CollectionsResult) =>
  similarity === "chunks" ? chunking.replace("-", " ") : "near-duplicate clusters";

function costFigure(results: readonly CollectionsResult[]): Partial<FigureData> {
  const costs = results.flatMap((result) =>
    result.chunks?.cost === undefined ? [] : [{ name: nameOfTest(result), ...result.chunks.cost }],
  );
  return costs.length === 0 ? {} : { "similarity-costs": costs };
}

function evolutionFigures({ sinceFirst, change }: EvolveResult): Partial<FigureData> {
  const coefficients = (name: "containment" | "similarity" | "reverse") =>
    sinceFirst.flatMap(({ to, classes }) =>
      classes
        .filter(({ urls }) => urls > 0)
        .map(({ sizes, urls, [name]: value }) => ({ snapshot: to, sizes, urls, value })),
    );
  const last = sinceFirst.at(-1);
  const retention = coefficients("containment");
  return {
    ...(retention.length > 0 && {
      retention,
      "similarity-over-snapshots": coefficients("similarity"),
      "reverse-retention": coefficients("reverse"),
    }),
    ...(last !== undefined &&
      last.hosts.hosts > 0 && {
        "hosts-by-change": { before: last.from, after: last.to, changes: last.hosts.distribution },
      }),
    ...(change.downloads > 0 && { "change-by-cluster-size": changeShares(change) }),
    ...(canCompareSizes(change) && {
      "cluster-size-by-change": changeBuckets(change),
      "size-by-change-normalized": changeBuckets(change),
    }),
  };
}

/** Shares of a size that hardly any download has would be chance, and where all changed alike there is nothing to compare. */
function canCompareSizes(change: ChangeFigures): boolean {
  const degrees = change.bySize.filter((bar) => bar.some((share) => share > 0)).length;
  return (
    degrees > 1 && changeShares(change).classes.filter(({ downloads }) => downloads >= FEWEST_DOWNLOADS).length > 1
  );
}

function changeShares({ sizeClasses, changeClasses, counts, byChange }: ChangeFigures): ChangeShares {
  return {
    changes: changeClasses,
    classes: sizeClasses.map((sizes, size) => ({
      sizes,
      downloads: counts.reduce((sum, bucket) => sum + bucket[size]!, 0),
      shares: byChange[size]!,
    })),
  };
}

function changeBuckets({ sizeClasses, counts, bySize, relative }: ChangeFigures): ChangeBuckets {
  return {
    sizes: sizeClasses,
    downloads: counts.map((bucket) => bucket.reduce((sum, n) => sum + n, 0)),
    shares: bySize,
    relative,
  };
}

function collectionFigures(
  { distribution, clusters }: CollectionsResult,
  mask: (text: string) => string,
): Partial<FigureData> {
  const names = new Map([...clusters].reverse().map(({ cardinality, size, name }) => [`${cardinality} ${size}`, name]));
  const points = distribution
    .map(({ cardinality, size, isNoise, clusters: number }) => {
      const name = isNoise ? undefined : names.get(`${cardinality} ${size}`);
      return {
        ...{ copies: cardinality, pages: size, clusters: number, isNoise },
        ...(name !== undefined && { name: mask(name) }),
      };
    })
    .sort((a, b) => b.copies * b.pages - a.copies * a.pages);
  return distribution.length === 0 ? {} : { "collections-scatter": points };
}
