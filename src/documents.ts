/**
 * The JSON documents of the web API, by their format: one definition for the server that makes them, the app that shows
 * them and the commands that print the same ones. Uses nothing of Node: the app is checked without it.
 */

import type {
  ClusterList,
  ClusterMembers,
  CollectionPages,
  CollectionRow,
  ContainsResult,
  Listed,
  MirrorRow,
  MirrorSubtree,
  Snapshots,
} from "./documents/copies.js";
import type { Comparison, ExportList, Pair, Preview, RuleList, SavingsTold, ShownRules } from "./documents/rules.js";
import type { AliasBatch, FoundLines, UrlDocument, UrlList } from "./documents/urls.js";
import type { FigureInfo, Job, JobList, Overview, TableInfo, WorkspaceInfo } from "./documents/workspace.js";

export * from "./documents/copies.js";
export * from "./documents/rules.js";
export * from "./documents/urls.js";
export * from "./documents/workspace.js";

/** What a document has, by its format. */
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
