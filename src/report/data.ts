/** What the report is made of, and what `dustpan report --json` prints: sums and the first rows of lists, whatever the workspace's size. */
import { maskAction } from "../canon/kinds.js";
import type { CertificateTold, ReadSource } from "../documents.js";
import type { Rule, RuleAction, UrlPair } from "../model.js";
import type { FigureData } from "./figures/figure.js";

export interface ReportData {
  /** ISO 8601. */
  readonly made: string;
  readonly masked: boolean;
  readonly read: WhatWasRead;
  readonly dust: DustTotals;
  /** Most dust first; `more` is how many are left out. */
  readonly sites: Listed<SiteDust>;
  readonly crawlers: readonly CrawlerDust[];
  /** What all rules of a site together are worth. */
  readonly certificates: readonly CertificateTold[];
  readonly rules: {
    /** In use, and not already handled by the site; those that save most first. */
    readonly proven: Listed<ReportRule>;
    /** In use, where the site redirects or canonicalises most of what was tried. */
    readonly handled: Listed<ReportRule>;
    /** Those with most support first. */
    readonly refuted: Listed<ReportRule>;
    readonly undecided: Listed<ReportRule>;
    /** Not tried yet; those that sizes or texts confirm first. */
    readonly likely: Listed<ReportRule>;
    /** By the site's rel=canonical; no pages were compared. */
    readonly declared: number;
    readonly rejected: number;
    /** Proven, but not used: together with others they would go round in circles. */
    readonly dropped: readonly ReportRule[];
  };
  /** `saved` is what the handled rules would save in addition. */
  readonly handled: HandledDust & { readonly saved: number };
  /** URLs that safe normalization alone merges, without any rule. */
  readonly spellings: readonly { readonly step: string; readonly urls: number; readonly example: UrlPair }[];
  readonly tables: SiteTables;
  /** URLs that rules change, those with most requests, by the part of the report that they belong to. */
  readonly rows: Readonly<Record<"all" | "parameters" | "spellings", readonly DustRow[]>>;
  /** What was found about copies; absent where nobody has looked. */
  readonly copies?: ReportCopies;
  readonly figures: Partial<FigureData>;
  readonly settings: ReportSettings;
}

/** The site by its parts; most URLs first. */
export interface SiteTables {
  readonly parameters: readonly ParameterUse[];
  readonly directories: readonly (Omit<SiteDust, "site"> & { readonly directory: string })[];
  readonly spellings: readonly SpellingPairs[];
  /** Redirects and canonical links: all of them by what is wrong ("" where nothing is), and the first. */
  readonly said: {
    readonly counts: readonly (Pick<SaidLink, "kind" | "problem" | "requests"> & { readonly links: number })[];
    readonly links: readonly SaidLink[];
  };
}

/** A query parameter in the URLs. */
export interface ParameterUse {
  readonly name: string;
  readonly urls: number;
  readonly requests: number;
  readonly crawlerRequests: number;
  /** The URL with it that is asked for most. */
  readonly example: string;
  /** What rules about it are worth; absent where there is none. */
  readonly verdict?: string;
}

/** Addresses that occur in the lists in two spellings. */
export interface SpellingPairs {
  readonly what: string;
  readonly pages: number;
  readonly urls: number;
  readonly requests: number;
  readonly example: UrlPair;
}

/** What the site says about one URL. */
export interface SaidLink {
  readonly url: string;
  readonly kind: "redirect" | "canonical";
  readonly target: string;
  readonly requests: number;
  readonly problem: string;
}

/** A URL that rules change. */
export interface DustRow {
  readonly url: string;
  readonly canonical: string;
  readonly rule: string;
  readonly requests: number;
  /** Does the input have the canonical URL with a page, or was one fetched there? */
  readonly isSeen: boolean;
}

/** Collections, mirrors and near-duplicates of the last snapshot that has them; URLs are masked. */
export interface ReportCopies {
  readonly collections?: {
    readonly snapshot: string;
    readonly pages: number;
    readonly replicatedPages: number;
    /** Pages that the avoid-list spares, and how many entries it has. */
    readonly avoidable: number;
    readonly entries: number;
    /** The crawl replayed with the list, where that was asked for. */
    readonly replay?: {
      readonly shareBefore: number;
      readonly shareAfter: number;
      readonly bytesSaved: number;
      readonly lost: number;
    };
    /** Most pages in copies first; roots begin with that of the copy that is kept. */
    readonly shown: Listed<{
      readonly name: string;
      readonly copies: number;
      readonly size: number;
      readonly roots: readonly string[];
    }>;
  };
  readonly mirrors?: {
    readonly snapshot: string;
    readonly share: number;
    /** Pages that the avoid-list of mirrors spares, out of all. */
    readonly avoidable: number;
    readonly pages: number;
    /** Hosts that are mirrors of each other, and a page of the one that is kept, if any can be left out. */
    readonly groups: Listed<{ readonly hosts: readonly string[]; readonly kept?: string }>;
  };
  readonly clusters?: {
    readonly snapshot: string;
    readonly documents: number;
    readonly clustered: number;
    readonly clusters: number;
    readonly share: number;
    readonly largest: readonly {
      readonly size: number;
      readonly hosts: number;
      readonly kind: string;
      readonly title?: string;
      readonly url: string;
    }[];
  };
  readonly parts?: {
    readonly snapshot: string;
    readonly pages: number;
    readonly parts: number;
    readonly patterns: Listed<{
      readonly part: string;
      readonly whole: string;
      readonly pairs: number;
      readonly example: { readonly part: string; readonly whole: string };
    }>;
  };
  readonly advice?: {
    readonly clusters: number;
    readonly savedFetches: number;
    readonly savedBytes: number;
    readonly expectedMissed: number;
  };
}

export interface Listed<T> {
  readonly shown: readonly T[];
  readonly more: number;
}

export interface WhatWasRead {
  readonly sources: Listed<ReadSource>;
  readonly snapshots: readonly string[];
  readonly records: number;
  readonly damaged: number;
  readonly urls: number;
  /** URLs that were only ever answered with an error; in no number below. */
  readonly failedUrls: number;
  readonly hosts: number;
  readonly pages: number;
  /** Days (ISO 8601) of the first and the last request, where times are known. */
  readonly from?: string;
  readonly to?: string;
}

export interface Amount {
  readonly urls: number;
  readonly requests: number;
  /** Of the responses to these requests, where their size is known. */
  readonly bytes: number;
}

export interface DustTotals {
  readonly all: Amount;
  /** URLs that are not canonical. */
  readonly dust: Amount;
  /** Of those, what need not be fetched: one URL of each page stays, even if the canonical one was never seen. */
  readonly saved: Amount;
  /** One copy of each URL's response: what a cache keyed by URL holds, and how much of it twice or more. */
  readonly copyBytes: number;
  readonly savedCopyBytes: number;
  /** URLs that did not settle under the rules; they stay as they are. */
  readonly unsettled: number;
}

export interface SiteDust {
  readonly site: string;
  readonly urls: number;
  readonly savedUrls: number;
  readonly requests: number;
  readonly dustRequests: number;
}

export interface CrawlerDust {
  readonly family: string;
  readonly requests: number;
  readonly dustRequests: number;
  readonly urls: number;
  readonly dustUrls: number;
}

/** Among the URLs of the lists: what the site says itself. Rules that it makes unnecessary are in `rules.handled`. */
export interface HandledDust {
  /** Only ever answered with a redirect. */
  readonly redirected: Amount;
  /** The page names another URL as canonical. */
  readonly canonicalised: Amount;
  /** Dust that is in either. */
  readonly dust: Amount;
}

/** A rule with what the report says about it; strings are masked. */
export type ReportRule = Pick<
  Rule,
  | "id"
  | "scope"
  | "status"
  | "decision"
  | "source"
  | "site"
  | "support"
  | "confirmed"
  | "example"
  | "evidence"
  | "after"
  | "note"
> & { readonly action: RuleAction; readonly saved?: Amount };

export interface ReportSettings {
  readonly versions: Readonly<Record<string, string>>;
  readonly workspace: string;
  readonly rulesFile: string;
  readonly snapshot?: string;
  readonly mining: Readonly<Record<string, unknown>>;
  /** Of the last validation on the live site. */
  readonly validation?: Readonly<Record<string, string | number | readonly string[]>>;
}

/** A rule for the report, its strings without secrets. */
export function reportRule(rule: Rule, mask: (text: string) => string, saved?: Amount): ReportRule {
  const pair = <P extends UrlPair>(one: P): P => ({ ...one, from: mask(one.from), to: mask(one.to) });
  const { scope, status, evidence, example } = asReversed(rule);
  return {
    id: rule.id,
    action: maskAction(rule, mask),
    scope: { ...scope, ...(scope.path !== undefined && { path: mask(scope.path) }) },
    status,
    decision: rule.decision,
    source: rule.source,
    ...(rule.site !== undefined && { site: rule.site }),
    support: rule.support,
    confirmed: rule.confirmed,
    ...(saved !== undefined && { saved }),
    ...(example !== undefined && { example: pair(example) }),
    ...(evidence !== undefined && {
      evidence: {
        ...evidence,
        examples: evidence.examples.map(pair),
        counterExamples: evidence.counterExamples.map(pair),
      },
    }),
    ...(rule.after !== undefined && { after: rule.after }),
    ...(rule.note !== undefined && { note: rule.note }),
  };
}

/** Used in the direction opposite to the mined one; its evidence is about its use, its example is not. */
function asReversed(rule: Rule): Rule {
  if (rule.status === "valid" || rule.opposite?.status !== "valid") return rule;
  const { example } = rule;
  return {
    ...rule,
    status: "valid",
    ...(example !== undefined && { example: { from: example.to, to: example.from } }),
  };
}
