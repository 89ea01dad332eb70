/**
 * The JSON documents of the web API, by their format: one definition for the server that makes them, the app that shows them and
 * the commands that print the same ones. Nothing of Node: the app is checked without it.
 */
import type { ListedUrl, Progress, Rule, SeenPage } from "./model.js";

export interface Documents {
  readonly "dustpan-rule-list": RuleList;
  readonly "dustpan-rules-shown": ShownRules;
  readonly "dustpan-pairs": { readonly pairs: readonly Pair[]; readonly next?: string };
  readonly "dustpan-pair": Comparison;
  readonly "dustpan-preview": Preview;
  readonly "dustpan-urls": UrlList;
  readonly "dustpan-url": UrlDocument;
  readonly "dustpan-aliases": AliasBatch;
  readonly "dustpan-cluster-list": ClusterList;
  readonly "dustpan-cluster-members": ClusterMembers;
  readonly "dustpan-mirror-pairs": Listed & { readonly mirrors: readonly MirrorRow[] };
  readonly "dustpan-mirror-subtrees": Listed & { readonly subtrees: readonly MirrorSubtree[] };
  readonly "dustpan-collection-list": Listed & { readonly collections: readonly CollectionRow[] };
  readonly "dustpan-collection-pages": CollectionPages;
  /** Null where nobody has looked. */
  readonly "dustpan-parts": { readonly found: ContainsResult | null };
  readonly "dustpan-snapshots": Snapshots;
  readonly "dustpan-info": WorkspaceInfo;
  readonly "dustpan-overview": Overview;
  readonly "dustpan-savings": SavingsTold;
  readonly "dustpan-upload": { readonly upload: string; readonly name: string; readonly bytes: number };
  readonly "dustpan-tables": { readonly tables: readonly TableInfo[] };
  readonly "dustpan-exports": ExportList;
  readonly "dustpan-figures": { readonly figures: readonly FigureInfo[]; readonly job: Job | null };
  readonly "dustpan-search": FoundLines;
  readonly "dustpan-jobs": JobList;
  readonly "dustpan-job": Job;
  /** Stands for the token in one address, once. */
  readonly "dustpan-ticket": { readonly ticket: string };
}

/** What people see of a rule besides what the file says. */
export type ShownRule = Rule & { readonly text: string };

/**
 * used: proven or accepted, and canonization uses it; aside: as good, but it undoes such a rule or needs one that is not
 * used; likely: by URLs alone; undecided: too few pages to say; out: refuted or rejected.
 */
export const ruleGroups = ["used", "aside", "likely", "undecided", "out"] as const;
export type RuleGroup = (typeof ruleGroups)[number];

export interface RuleList {
  /** What the rules file says about how they were found. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly rules: readonly ShownRule[];
  readonly total: number;
  readonly next?: string;
  /** The one that is listed; "all" where none was asked for. */
  readonly group: RuleGroup | "all";
  readonly groups: Readonly<Record<RuleGroup, number>>;
  readonly sites: readonly string[];
  readonly certificates: readonly CertificateTold[];
  /** Why the rules cannot be used together. */
  readonly problem?: string;
}

/** What was shown of all rules of a site together, in a sentence, and whether it is enough and still so. */
export interface CertificateTold {
  readonly site: string;
  readonly certified: boolean;
  readonly text: string;
}

export interface ShownRules {
  readonly rules: readonly ShownRule[];
  /** Where one rule was asked for. */
  readonly group?: RuleGroup;
  readonly refinements?: readonly ShownRule[];
  readonly refines?: readonly ShownRule[];
  readonly problem?: string;
}

export interface Pair {
  readonly pair: string;
  readonly direction: string;
  readonly from: string;
  readonly to: string;
  readonly outcome: "positive" | "negative" | "skipped" | "unknown";
  readonly why: string;
}

/** A page without its text, which is in the rows of the comparison. */
export type ComparedPage = Omit<SeenPage, "text"> & { readonly hasText: boolean };

export interface Comparison {
  readonly left: ComparedPage;
  readonly right: ComparedPage;
  readonly rows?: readonly { readonly left?: string; readonly right?: string; readonly same: boolean }[];
}

export interface Preview {
  readonly id: string;
  readonly text: string;
  readonly changed: number;
  readonly merged: number;
  readonly alike: number;
  readonly contradicted: number;
  readonly merges: readonly {
    readonly id: number;
    readonly from: string;
    readonly to: string;
    readonly toId?: number;
    readonly sketches: "alike" | "different" | "unknown";
  }[];
  readonly examined: number;
  readonly total: number;
  readonly next?: number;
}

/** What changes the workspace or the rules: one at a time. */
export const workKinds = [
  "add",
  "mine",
  "validate",
  "cluster",
  "mirrors",
  "collections",
  "contains",
  "evolve",
] as const;
export type WorkKind = (typeof workKinds)[number];

/** Long work that was started in the browser; instead of another document, that one is not ready. */
export interface Job {
  readonly id: string;
  readonly kind: WorkKind | "order" | "figures" | "search" | "savings";
  readonly title: string;
  readonly state: "running" | "done" | "failed" | "cancelled";
  readonly started: string;
  readonly finished?: string;
  readonly progress?: Progress;
  readonly error?: string;
  /** What came of it, in a sentence. */
  readonly told?: string;
  /** The document that the command of the same name prints with --json. */
  readonly result?: object;
}

export interface JobList {
  readonly jobs: readonly Job[];
  readonly sites: readonly string[];
  readonly delaySeconds: number;
  readonly budget: number | null;
}

/** A page of a list goes on with `next` as `after`. */
export interface UrlList {
  readonly urls: readonly ListedUrl[];
  readonly next?: string;
  readonly total: number;
}

export interface UrlDocument extends Partial<UrlDetails> {
  readonly given: string;
  readonly normalized: { readonly url: string; readonly steps: readonly string[] };
  readonly canonical: string;
  readonly isSettled: boolean;
  readonly steps: readonly {
    readonly rule: string;
    readonly text: string;
    readonly before: string;
    readonly after: string;
  }[];
}

/** All that the workspace knows of one URL. */
export interface UrlDetails {
  readonly id: number;
  readonly url: string;
  readonly host: string;
  readonly sightings: readonly {
    readonly snapshot: string;
    readonly input: string;
    readonly hits: number;
    readonly statusClasses: number;
    readonly minBytes: number | null;
    readonly maxBytes: number | null;
    readonly firstSeen: string | null;
    readonly lastSeen: string | null;
  }[];
  readonly spellings: readonly { readonly spelling: string; readonly hits: number }[];
  readonly redirects: readonly { readonly id: number; readonly url: string }[];
  readonly pages: readonly {
    readonly snapshot: string;
    readonly status: number;
    readonly fetched: string | null;
    readonly mediaType: string | null;
    readonly bytes: number | null;
    readonly title: string | null;
    readonly words: number | null;
    readonly canonical: string | null;
    readonly redirect: string | null;
    readonly hasText: boolean;
  }[];
  readonly clusters: readonly {
    readonly snapshot: string;
    readonly level: string;
    readonly root: number;
    readonly size: number;
  }[];
  readonly mirrors: readonly {
    readonly snapshot: string;
    readonly host: string;
    readonly alias: string | null;
    readonly isMirror: boolean;
    readonly clusters: number;
  }[];
  readonly collections: readonly {
    readonly snapshot: string;
    readonly cluster: number;
    readonly name: string;
    readonly cardinality: number;
    readonly replica: number;
  }[];
}

export interface AliasBatch {
  readonly aliases: readonly { readonly id: number; readonly url: string; readonly hits: number }[];
  readonly examined: number;
  readonly total: number;
  readonly next?: number;
}

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

export interface SnapshotInfo {
  readonly name: string;
  readonly sources: number;
  readonly urls: number;
  /** URLs that were only ever answered with 4xx or 5xx: kept, but in no URL list. */
  readonly failedUrls: number;
  readonly redirects: number;
  readonly pages: number;
  readonly links: number;
}

/** One input that was read. */
export interface ReadSource {
  readonly name: string;
  readonly snapshot: string;
  readonly format: string;
  readonly records: number;
  readonly damaged: number;
  readonly added: string;
}

/** What a workspace holds. */
export interface WorkspaceInfo {
  readonly file: string;
  readonly fileBytes: number;
  readonly snapshots: readonly SnapshotInfo[];
  readonly sources: readonly ReadSource[];
  /** Largest first. */
  readonly sites: readonly {
    readonly site: string;
    readonly hosts: number;
    readonly urls: number;
    readonly hits: number;
  }[];
  /** Most hits first. */
  readonly crawlers: readonly { readonly family: string; readonly hits: number; readonly urls: number }[];
}

/** What is there, and what was found: the first page of the app. */
export interface Overview {
  /** Of the workspace file. */
  readonly file: string;
  /** Files of this machine may be named, and not only sent. */
  readonly takesPaths: boolean;
  readonly inputs: number;
  readonly records: number;
  readonly urls: number;
  /** Downloads, and those of them that have a sketch to be compared by. */
  readonly pages: number;
  readonly sketched: number;
  readonly links: number;
  readonly snapshotCount: number;
  /** Snapshots that have pages with text. */
  readonly crawls: number;
  readonly rules: Readonly<Record<RuleGroup, number>>;
  /** Absent where nobody has looked. Of the last snapshot that was looked at. */
  readonly clusters?: {
    readonly snapshot: string;
    readonly clusters: number;
    readonly pages: number;
    readonly of: number;
  };
  readonly mirrors?: { readonly snapshot: string; readonly pairs: number; readonly hosts: number };
  readonly collections?: {
    readonly snapshot: string;
    readonly collections: number;
    readonly copies: number;
    readonly pages: number;
  };
  readonly evolution: boolean;
}

/** What the rules in use save, counted over all URLs. */
export interface SavingsTold {
  readonly urlsBefore: number;
  readonly urlsAfter: number;
  readonly redundancy: number;
  readonly hits: number;
  readonly hitsOnDust: number;
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

export interface TableInfo {
  readonly name: string;
  readonly rows: number;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

/** The rules in use for other programs: what `dustpan export` writes. */
export interface ExportList {
  readonly rules: number;
  readonly targets: readonly {
    readonly name: string;
    readonly title: string;
    readonly expresses: string;
    readonly file: string;
    /** URLs that the program reads as canonization does, where these are not all. */
    readonly covers?: string;
    /** The first is the default. */
    readonly uses: readonly {
      readonly use: string;
      readonly exported: number;
      readonly leftOut: readonly { readonly id: string; readonly reason: string }[];
    }[];
  }[];
}

export interface FigureInfo {
  readonly name: string;
  readonly title: string;
  readonly sentence: string;
  readonly table: { readonly columns: readonly string[]; readonly rows: readonly (readonly (string | number)[])[] };
}

/** What of a search is shown. */
export interface FoundLines {
  readonly snapshot: string;
  /** Pages with any of the words. */
  readonly matches: number;
  readonly total: number;
  readonly isRolledUp: boolean;
  readonly lines: readonly SearchLine[];
  readonly next?: string;
}

export interface SearchLine {
  readonly url: string;
  readonly rank: number;
  readonly title?: string;
  readonly snippet: string;
  /** Where lines are in the order of their copies: how often the page or its collection is there. */
  readonly copies?: number;
  /** A cluster of copies at its best hit. */
  readonly cluster?: number | undefined;
  readonly name?: string;
  readonly size?: number;
  readonly collection?: readonly { readonly url: string; readonly rank: number }[];
  readonly replicas?: readonly { readonly root: string; readonly realPages?: number; readonly hits: number }[];
}
