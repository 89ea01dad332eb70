/**
 * The record types that everything speaks. Bulk data is in columns (typed arrays, one entry per row), so that a heavy
 * step is a function from tables to tables: it can move to a worker thread, to SQL or to another machine as it is.
 */

// ---------------------------------------------------------------------------------------------------------- tables

/** Strings as UTF-8, back to back: string i is bytes[offsets[i] .. offsets[i + 1]). Offsets are below 2^32. */
export interface StringColumn {
  readonly count: number;
  readonly bytes: Uint8Array;
  /** count + 1 entries. */
  readonly offsets: Uint32Array;
}

/**
 * Sizes of response bodies, for each URL one closed range per source that saw it whole. Ranges are compared within a
 * source only: one log counts compressed bytes, another plain ones. Rows of URL i: rows[i] .. rows[i + 1].
 */
export interface SizeRanges {
  readonly rows: Uint32Array;
  readonly source: Uint32Array;
  readonly minBytes: Float64Array;
  readonly maxBytes: Float64Array;
}

/**
 * Document sketches, one for each capture of a URL: rows[i] .. rows[i + 1] are those of URL i, oldest first. Two sketches
 * of one kind are compared value by value; sketch/captures.ts says which two, since an archive holds captures of many years.
 */
export interface SketchColumn {
  readonly rows: Uint32Array;
  /** Milliseconds since 1970, ascending within a URL; those of an unknown time (NaN) come first. */
  readonly timeMs: Float64Array;
  /** 1 min-wise shingles of the text (thesis 6.3), 2 digest of the bytes (four times the same value). */
  readonly kind: Uint8Array;
  /** 4 per capture. */
  readonly values: BigUint64Array;
}

/** The papers' URL list L: unique URLs of one site with what is known of their documents. */
export interface UrlList {
  readonly urls: StringColumn;
  readonly sizes?: SizeRanges;
  readonly sketches?: SketchColumn;
}

// ----------------------------------------------------------------------------------------------------------- rules

/** Where a rule applies. An absent field means anywhere. */
export interface Scope {
  /** "forum.test", or "*.forum.test" for that host and every host below it. */
  readonly host?: string;
  /** A prefix of the URL's path, compared as a string; begins with "/". */
  readonly path?: string;
  /** The last segment of the path without its parameters, such as "viewtopic.php"; "refs/" where the path ends in that folder. */
  readonly script?: string;
  /**
   * What the query must have, by the parameter's name. "f" does not matter in "viewtopic.php?f=2&t=7", but does without
   * "t": { t: true }. "user" may go only where there is no "uid": { uid: false }. Only the first of the numbered pages:
   * { page: "1" }.
   */
  readonly parameters?: Readonly<Record<string, ParameterCondition>>;
}

/** It is present, it is absent, or every occurrence has this value. */
export type ParameterCondition = boolean | string;

/** Where a parameter is written: ?name=value&name=value (also with ";"), or ;name=value at the end of a path segment. */
export type ParameterPlace = "query" | "path";

/** What a rule does to a URL: the part of a rule that canonization needs, and that the rule's id is made of. */
export type RuleAction =
  | {
      readonly kind: "substring";
      readonly from: string;
      readonly to: string;
      /** Anchored at the URL's first token (^), at its last ($). Both strings are anchored alike. */
      readonly start: boolean;
      readonly end: boolean;
    }
  | { readonly kind: "parameter"; readonly name: string; readonly place: ParameterPlace; readonly action: "remove" }
  | {
      readonly kind: "parameter";
      readonly name: string;
      readonly place: ParameterPlace;
      readonly action: "set";
      readonly value: string;
    }
  /** Query parameters are sorted by name; equal names keep their order. */
  | { readonly kind: "parameterOrder" }
  /** Of several query parameters with one name (any name if absent), one is kept. */
  | { readonly kind: "repeatedParameter"; readonly name?: string; readonly keep: "first" | "last" }
  /** Query parameters with an empty value ("a=" and "a") are dropped; any name if absent. */
  | { readonly kind: "emptyParameter"; readonly name?: string }
  /** ASCII letters of the path become lower case. */
  | { readonly kind: "case" }
  /** Slashes that follow each other in the path become one. */
  | { readonly kind: "repeatedSlash" }
  /** Percent-encoded marks that need no encoding where they stand are decoded: "%28" becomes "(". */
  | { readonly kind: "percentEncoding" }
  /** The slash at the end of a path is dropped, or added where the last segment has no dot. */
  | { readonly kind: "trailingSlash"; readonly action: "drop" | "add" }
  /** A last segment of this name, such as "index.html", is dropped. */
  | { readonly kind: "indexPage"; readonly name: string }
  /** The end of the last segment's name, such as ".html", is dropped, or added where the segment has no dot. */
  | { readonly kind: "extension"; readonly extension: string; readonly action: "drop" | "add" }
  /** "www." before the host is dropped, or added. */
  | { readonly kind: "www"; readonly action: "drop" | "add" }
  /** URLs without a port get this scheme. */
  | { readonly kind: "scheme"; readonly scheme: "http" | "https" }
  /** Path and query that match one pattern of literals and typed captures become what the other makes of the captures. */
  | { readonly kind: "template"; readonly from: string; readonly to: string };

/** "declared": the site's own rel=canonical says so, and no two pages were compared yet. */
export type RuleStatus = "likely" | "declared" | "valid" | "refuted" | "undecided";
export type RuleDecision = "accepted" | "rejected";
export type RuleSource = "mined" | "hand" | "imported";

/** Two URLs that a rule maps onto each other. */
export interface UrlPair {
  readonly from: string;
  readonly to: string;
}

export interface CounterExample extends UrlPair {
  /** Why this pair speaks against the rule: "different text", "404", "soft 404", ... */
  readonly why: string;
}

export interface Skipped {
  readonly why: string;
  /** Pairs of URLs. */
  readonly count: number;
}

/**
 * What fetching, or pages already known, say about a rule: about the direction as written, and about the opposite one
 * where only that one is valid, since it is then the one in use.
 */
export interface Evidence {
  readonly positive: number;
  readonly negative: number;
  /** Name of the similarity test, such as "shingles-4/4". */
  readonly similarity: string;
  /** Of the positives: where the site itself redirects one URL to the other, or names one canonical URL for both. */
  readonly redirected: number;
  readonly canonicalised: number;
  /** Of the positives: where both pages name a canonical URL, and not the same one. */
  readonly canonicalConflicts: number;
  readonly examples: readonly UrlPair[];
  readonly counterExamples: readonly CounterExample[];
  /** Of an undecided rule: why pairs could not be compared, the most frequent reasons first. */
  readonly skipped?: readonly Skipped[];
  /** ISO 8601. */
  readonly checkedAt: string;
}

/** A rule as the rules file holds it. */
export type Rule = RuleAction & {
  /** "r-" and 6 or more hex digits, from the action and the scope, so that decisions survive re-mining. */
  readonly id: string;
  readonly scope: Scope;
  readonly status: RuleStatus;
  readonly decision: RuleDecision | null;
  readonly source: RuleSource;
  /** The site it was mined from: a registrable domain, a host, or a prefix. */
  readonly site?: string;
  /** Likely similar support at T_low; for parameter rules the number of URLs merged. */
  readonly support: number;
  /** How much of the support known sizes or sketches confirmed. */
  readonly confirmed: number;
  /** URLs of the list that the rule maps onto another URL of the list. */
  readonly merges: number;
  /** A pair from the list. */
  readonly example?: UrlPair;
  readonly evidence?: Evidence;
  /** Ids of rules that must be applied before this one: it was proven only for URLs that they have changed. */
  readonly after?: readonly string[];
  readonly opposite?: { readonly status: RuleStatus; readonly positive: number; readonly negative: number };
  /** What people want to remember about it. */
  readonly note?: string;
};

/** What was shown about all rules of a site together: see docs/algorithms/certificate.md. */
export interface Certificate {
  /** The site, as its rules name it. */
  readonly site: string;
  /** At most the assured share is wrong, and enough can be compared. */
  readonly certified: boolean;
  readonly changed: number;
  /** URLs whose two pages were compared and are the same. */
  readonly tried: number;
  /** URLs whose pages were compared and differ: 0, or the rules were left as they are for want of pages to look at. */
  readonly wrong: number;
  /** Shares of the URLs that were looked at. */
  readonly gone: number;
  readonly notComparable: number;
  /** Of those that can be compared at most this share is wrong, with 95% confidence; absent offline, where nothing was drawn. */
  readonly atMost?: number;
  /** What was asked for. */
  readonly assurance: number;
  /** Which attempt it was: later ones have to show more. */
  readonly attempt: number;
  /** Names the rules in use that it is about, in their order. */
  readonly rules: string;
  /** Names the list of URLs; empty once URLs were added to it. */
  readonly list: string;
  /** ISO 8601. */
  readonly at: string;
}

// ----------------------------------------------------------------------------------------------------------- pages

/** Which functions and which reading of words made a sketch: only sketches made alike can be compared. */
export type SketchRecipe = "affine" | "affine-ascii" | "rabin" | "rabin-ascii";

/** The sketch of a page's text (Fetterly et al. 2004): see sketch/ for how it is made. */
export interface Sketch {
  readonly recipe: SketchRecipe;
  /** Which reading of text, and how many words in a shingle: TEXT_VERSION and 5 unless something else was asked for. */
  readonly textVersion: number;
  readonly shingleWords: number;
  /** 84 pre-images. */
  readonly features: BigUint64Array;
  /** 64-bit checksum of the document's bytes, markup included: equal where nothing at all has changed. */
  readonly checksum: bigint;
  /** Of the document's bytes. */
  readonly lengthBytes: number;
  readonly words: number;
}

/** One successful or failed download of a URL, as archives, crawls and fetches report it. */
export interface PageRecord {
  readonly url: string;
  /** HTTP status; 0 where there was no answer. */
  readonly status: number;
  readonly timeMs?: number;
  /** Address of the server that answered. */
  readonly address?: string;
  /** Media type without parameters, lower case. */
  readonly mediaType?: string;
  /** Bytes of the body after transfer and content decoding. */
  readonly bodyBytes?: number;
  /** Hex SHA-1 or another digest of the body, prefixed with its name: "sha1:...". */
  readonly digest?: string;
  readonly title?: string;
  /** Plain text of the page, one line per block. */
  readonly text?: string;
  /** The thesis' four shingles, and the 84-feature sketch, of a page with text. */
  readonly shingles?: BigUint64Array;
  readonly sketch?: Sketch;
  /** Absolute URLs without fragment, in document order, each once. */
  readonly links?: readonly string[];
  /** Absolute target of a redirect (Location, meta refresh). */
  readonly redirectTo?: string;
  /** Absolute target of rel=canonical (link element or header). */
  readonly canonical?: string;
  /** The URL is where the site has this page in its language. */
  readonly isOwnLanguage?: boolean;
  /** The body was longer than what was read of it, or broke off: text, links and title are of its beginning. */
  readonly cut?: boolean;
  /** The server gave the same body as at an earlier time, so that the archive did not keep it again. */
  readonly revisitOf?: { readonly url?: string; readonly timeMs?: number };
}

// ------------------------------------------------------------------------------------------------- running a step

/** Long work tells how far it is. `total` is absent where it cannot be known. */
export interface Progress {
  readonly step: string;
  readonly done: number;
  readonly total?: number;
  /** What is counted: "lines", "bytes", "URLs", "requests". */
  readonly unit: string;
  /** Anything worth mentioning besides the count. */
  readonly note?: string;
}

/** A URL in a list for people. */
export interface ListedUrl {
  readonly id: number;
  readonly url: string;
  readonly host: string;
  readonly hits: number;
  /** Bit 1 for 1xx ... bit 5 for 5xx, bit 0 for unknown. */
  readonly statusClasses: number;
  /** Of the largest answer seen; null where no size is known. */
  readonly bytes: number | null;
}

/** What is known of a page's content. */
export interface SeenPage {
  readonly url: string;
  readonly fetched?: string;
  readonly status?: number;
  readonly why?: string;
  readonly title?: string;
  readonly bytes?: number;
  readonly redirect?: string;
  readonly canonical?: string;
  readonly text?: string;
}

/** What every job gets from its caller. */
export interface JobContext {
  readonly onProgress: (progress: Progress) => void;
  readonly signal: AbortSignal;
}

/** For work that nobody watches or ends. */
export const quietly: JobContext = { onProgress: () => {}, signal: new AbortController().signal };

/** The snapshot for inputs that were given without one. */
export const DEFAULT_SNAPSHOT = "default";
