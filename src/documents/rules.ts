/** Documents about rules: lists, what a rule does, the pairs it was tried on, what the rules save, what exports can say. */
import type { Rule, SeenPage } from "../model.js";

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

/** What the rules in use save, counted over all URLs. */
export interface SavingsTold {
  readonly urlsBefore: number;
  readonly urlsAfter: number;
  readonly redundancy: number;
  readonly hits: number;
  readonly hitsOnDust: number;
}
