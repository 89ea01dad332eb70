/** Documents about URLs: lists of them, all that is known of one, what is found in a search. */
import type { ListedUrl } from "../model.js";

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
