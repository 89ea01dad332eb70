/** Documents about the workspace: what it holds, its overview and tables, and the long work that was started in the browser. */
import type { Progress } from "../model.js";
import type { RuleGroup } from "./rules.js";

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

export interface TableInfo {
  readonly name: string;
  readonly rows: number;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

export interface FigureInfo {
  readonly name: string;
  readonly title: string;
  readonly sentence: string;
  readonly table: { readonly columns: readonly string[]; readonly rows: readonly (readonly (string | number)[])[] };
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
