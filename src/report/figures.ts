/** Every figure of the papers, by name: numbers in, SVG out. The report, the web app and the library draw with these. */
import { clusterSizeByChange, sizeByChangeNormalized } from "./figures/change.js";
import {
  changeByClusterSize,
  changeByMirrorSize,
  clusterSizes,
  hostsByChange,
  mirrorSizes,
  replicationByChunking,
  retention,
  reverseRetention,
  similarityOverSnapshots,
} from "./figures/copies.js";
import {
  duplicatesByCause,
  dustByRule,
  precisionAtK,
  precisionByValidations,
  redundancy,
  rulesPerPhase,
} from "./figures/dust.js";
import type { Figure, FigureData, FigureName, FigureTable } from "./figures/figure.js";
import {
  collectionsScatter,
  largestClusters,
  largestIdentical,
  mirroredPairs,
  similarityCosts,
} from "./figures/largest.js";

export type { Figure, FigureData, FigureName, FigureTable } from "./figures/figure.js";

export const figures: { readonly [Name in FigureName]: Figure<FigureData[Name]> } = {
  "dust-by-rule": dustByRule,
  "duplicates-by-cause": duplicatesByCause,
  redundancy,
  "cluster-sizes": clusterSizes,
  retention,
  "similarity-over-snapshots": similarityOverSnapshots,
  "reverse-retention": reverseRetention,
  "hosts-by-change": hostsByChange,
  "cluster-size-by-change": clusterSizeByChange,
  "size-by-change-normalized": sizeByChangeNormalized,
  "largest-clusters": largestClusters,
  "largest-identical": largestIdentical,
  "mirrored-pairs": mirroredPairs,
  "change-by-cluster-size": changeByClusterSize,
  "mirror-sizes": mirrorSizes,
  "change-by-mirror-size": changeByMirrorSize,
  "replication-by-chunking": replicationByChunking,
  "similarity-costs": similarityCosts,
  "collections-scatter": collectionsScatter,
  "precision-at-k": precisionAtK,
  "precision-by-validations": precisionByValidations,
  "rules-per-phase": rulesPerPhase,
};

export interface DrawnFigure {
  readonly name: FigureName;
  readonly title: string;
  readonly sentence: string;
  readonly svg: string;
  readonly table: FigureTable;
}

/** The figures that there is data for, those that matter most first. */
export function drawFigures(data: Partial<FigureData>): DrawnFigure[] {
  return (Object.keys(figures) as FigureName[])
    .map((name) => drawFigure(name, data))
    .filter((figure) => figure !== undefined)
    .sort((a, b) => b.weight - a.weight)
    .map(({ weight: _, ...figure }) => figure);
}

function drawFigure<Name extends FigureName>(name: Name, data: Partial<FigureData>) {
  const own = data[name] as FigureData[Name] | undefined;
  if (own === undefined) return undefined;
  const { title, sentence, weight, render, table } = figures[name];
  return { name, title, sentence: sentence(own), weight: weight(own), svg: render(own), table: table(own) };
}
