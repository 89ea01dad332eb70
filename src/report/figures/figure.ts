import type { SizeCount } from "../../pages/power-law.js";
import type { Causes, Point } from "../metrics.js";

/** A figure of the papers: a function from numbers to a drawing, its meaning in a sentence, and the numbers themselves. */
export interface Figure<D> {
  readonly title: string;
  /** What it means, with this data. */
  readonly sentence: (data: D) => string;
  /** How much it matters for this data, 0 to 1: roughly the share of pages that it is about. */
  readonly weight: (data: D) => number;
  /** A whole SVG document that needs nothing else and can stand inside HTML. */
  readonly render: (data: D) => string;
  /** The same as a table, for those who cannot or need not look. */
  readonly table: (data: D) => FigureTable;
}

export interface FigureTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

/** Precision after the first k rules, or with n validations. */
export interface PrecisionSeries {
  readonly name: string;
  readonly points: readonly Point[];
}

export interface SitePhases {
  readonly site: string;
  readonly detected: number;
  readonly remaining: number;
  readonly proven: number;
}

export interface SiteRedundancy {
  readonly site: string;
  readonly urls: number;
  /** (before - after) / before: what canonization saves of a crawl. */
  readonly saved: number;
}

export interface DustOfRule {
  readonly name: string;
  readonly urls: number;
}

/** Sizes of clusters or of mirrors, of one snapshot and one level. */
export interface SizeSeries {
  readonly snapshot: string;
  readonly level: string;
  readonly distribution: readonly SizeCount[];
  /** Share of the documents that are near-duplicates of another. */
  readonly share: number;
  readonly law?: { readonly exponent: number; readonly smallest: number; readonly clusters: number };
}

/** What share of a size class is still together, or alike, in a later snapshot. */
export interface SnapshotCoefficient {
  readonly snapshot: string;
  readonly sizes: string;
  readonly urls: number;
  readonly value: number;
}

export interface HostsByChange {
  readonly before: string;
  readonly after: string;
  /** Clusters that a host is in after, minus before. */
  readonly changes: readonly { readonly change: number; readonly hosts: number }[];
}

/** For each size class the shares of the six change classes, from most change to none. */
export interface ChangeShares {
  readonly changes: readonly string[];
  readonly classes: readonly {
    readonly sizes: string;
    readonly downloads: number;
    readonly shares: readonly number[];
  }[];
}

/** By change from one download to the next (0 to 84 features in common, 85: the same bytes), then by size class. */
export interface ChangeBuckets {
  readonly sizes: readonly string[];
  readonly downloads: readonly number[];
  /** Of the downloads of a bucket. */
  readonly shares: readonly (readonly number[])[];
  /** Each share against the average of its size class. */
  readonly relative: readonly (readonly number[])[];
}

/** A row of the paper's tables 1 and 2. */
export interface LargestCluster {
  readonly size: number;
  readonly hosts: number;
  /** Absent where no address is known. */
  readonly machines?: number;
  readonly kind: string;
  readonly title?: string;
  readonly url: string;
}

export interface MirroredPair {
  readonly a: string;
  readonly b: string;
  /** Pages of each that the other has, too, and all that are known of it. */
  readonly pagesA: number;
  readonly pagesB: number;
  readonly knownA: number;
  readonly knownB: number;
  /** Near-duplicate clusters that both have pages in, and how many of those looked at have them under one path. */
  readonly clusters: number;
  readonly alike: number;
}

/** Clusters of collections by their numbers of copies and of pages. */
export interface CollectionPoint {
  readonly copies: number;
  readonly pages: number;
  readonly clusters: number;
  readonly isNoise: boolean;
  /** Of one of them. */
  readonly name?: string;
}

/** For each chunking, the shares of pages by their number of copies. */
export interface ReplicationShares {
  readonly copies: readonly string[];
  readonly chunkings: readonly { readonly name: string; readonly shares: readonly number[] }[];
}

/** What it took to find similar pages, for each way of cutting texts. */
export interface SimilarityCost {
  readonly name: string;
  readonly fingerprints: number;
  readonly bytes: number;
  readonly cutMs: number;
  readonly similarMs: number;
}

/** What each figure is drawn from. */
export interface FigureData {
  readonly "precision-at-k": readonly PrecisionSeries[];
  readonly "precision-by-validations": readonly PrecisionSeries[];
  readonly "rules-per-phase": readonly SitePhases[];
  readonly redundancy: readonly SiteRedundancy[];
  readonly "dust-by-rule": readonly DustOfRule[];
  readonly "duplicates-by-cause": Causes;
  readonly "cluster-sizes": readonly SizeSeries[];
  readonly retention: readonly SnapshotCoefficient[];
  readonly "similarity-over-snapshots": readonly SnapshotCoefficient[];
  readonly "hosts-by-change": HostsByChange;
  readonly "change-by-cluster-size": ChangeShares;
  readonly "change-by-mirror-size": ChangeShares;
  readonly "reverse-retention": readonly SnapshotCoefficient[];
  readonly "cluster-size-by-change": ChangeBuckets;
  readonly "size-by-change-normalized": ChangeBuckets;
  readonly "largest-clusters": readonly LargestCluster[];
  readonly "largest-identical": readonly LargestCluster[];
  readonly "mirrored-pairs": readonly MirroredPair[];
  readonly "mirror-sizes": readonly SizeSeries[];
  readonly "replication-by-chunking": ReplicationShares;
  readonly "similarity-costs": readonly SimilarityCost[];
  readonly "collections-scatter": readonly CollectionPoint[];
}

export type FigureName = keyof FigureData;
