/** Documents about copies: clusters, mirrors, collections, parts of other pages, and how clusters change. */
import type { WorkspaceInfo } from "./workspace.js";

/** What the lists of clusters, mirrors and collections have in common. */
export interface Listed {
  /** Absent where no snapshot has any. */
  readonly snapshot?: string;
  readonly snapshots: readonly string[];
  readonly next?: string;
}

export interface ClusterList extends Listed {
  readonly level: string;
  readonly clusters: readonly {
    readonly root: number;
    readonly size: number;
    readonly url: string;
    readonly title: string | null;
  }[];
  readonly classes: readonly { readonly sizes: string; readonly clusters: number; readonly pages: number }[];
}

export interface ClusterMembers extends Listed {
  readonly level: string;
  readonly pages: readonly {
    readonly id: number;
    readonly size: number;
    readonly url: string;
    readonly title: string | null;
    readonly words: number | null;
  }[];
}

export interface MirrorRow {
  readonly a: string;
  readonly b: string;
  readonly pagesA: number;
  readonly pagesB: number;
  readonly clusters: number;
  readonly size: number;
  readonly alias: string | null;
  readonly isMirror: boolean;
  readonly alike: number;
  readonly lowerBound: number;
}

export interface ContainedPage {
  readonly part: string;
  readonly whole: string;
  readonly partWords: number;
  readonly wholeWords: number;
  readonly containment: number;
  /** Counted over both texts, without what most pages of the snapshot have; false: estimated from sketches. */
  readonly isExact: boolean;
}

export interface ContainsResult {
  readonly snapshot: string;
  /** Pages with a sketch, identical ones once. */
  readonly pages: number;
  readonly share: number;
  /** Pages that are a part of another one. */
  readonly parts: number;
  readonly pairs: readonly ContainedPage[];
  /** What the URLs of parts and wholes differ in, the most frequent first. */
  readonly patterns: readonly {
    readonly part: string;
    readonly whole: string;
    readonly pairs: number;
    readonly example: { readonly part: string; readonly whole: string };
  }[];
}

export interface MirrorSubtree {
  readonly a: string;
  readonly b: string;
  readonly pages: number;
  readonly knownA: number;
  readonly knownB: number;
}

export interface CollectionRow {
  readonly cluster: number;
  readonly name: string;
  readonly entry: number;
  readonly url: string;
  readonly cardinality: number;
  readonly size: number;
  readonly isNoise: boolean;
}

export interface CollectionPages extends Listed {
  readonly collection?: {
    readonly name: string;
    readonly cardinality: number;
    readonly size: number;
    readonly isNoise: boolean;
    readonly starts: number;
    readonly disagreeingLinks: number;
  };
  readonly replicas?: readonly {
    readonly replica: number;
    readonly id: number;
    readonly url: string;
    readonly isPrincipal: boolean;
    readonly realPages: number;
    readonly virtualPages: number;
    readonly unmatchedPages: number;
  }[];
  readonly positions: readonly {
    readonly position: number;
    /** Of the first page that has one. */
    readonly title: string | null;
    /** The kept copy's first. */
    readonly pages: readonly {
      readonly replica: number;
      readonly id: number;
      readonly url: string;
      readonly virtual: boolean;
    }[];
  }[];
}

export interface Snapshots extends Pick<WorkspaceInfo, "snapshots" | "sources"> {
  /** How many clusters of each snapshot are what they were in the one before, and what became of the others. */
  readonly changes: readonly {
    readonly from: string;
    readonly to: string;
    readonly counts: Readonly<Record<"born" | "grown" | "merged" | "shrunk" | "split" | "gone" | "same", number>>;
  }[];
  /** What became of clusters from one snapshot to another, by their size before. */
  readonly evolution: readonly {
    readonly before: string;
    readonly after: string;
    readonly sizes: string;
    readonly urls: number;
    readonly clusters: number;
    readonly containment: number;
    readonly similarity: number;
    readonly leftCluster: number;
    readonly failed: number;
    readonly gone: number;
  }[];
}
