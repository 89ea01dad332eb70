import type { ListedUrl, Rule, SeenPage } from "../../model.js";
import type { Job as AnyJob } from "../server/jobs.js";

/** The API's documents, as far as the pages use them. */
export type ShownRule = Rule & { readonly text: string };

export interface RulesDocument {
  readonly rules: readonly ShownRule[];
  readonly total: number;
  readonly next?: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly sites: readonly string[];
  readonly problem?: string;
}

export interface RuleDocument {
  readonly rules: readonly ShownRule[];
  readonly refinements: readonly ShownRule[];
  readonly refines: readonly ShownRule[];
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

export interface Job extends Omit<AnyJob, "result"> {
  readonly result?: { readonly rules?: readonly Rule[]; readonly fetched?: { readonly requests: number } };
}

export interface JobsDocument {
  readonly jobs: readonly Job[];
  readonly sites: readonly string[];
  readonly delaySeconds: number;
  readonly budget: number | null;
}

export interface UrlsDocument {
  readonly urls: readonly ListedUrl[];
  readonly next?: string;
  readonly total: number;
}

export interface UrlDocument {
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
  readonly id?: number;
  readonly url?: string;
  readonly host?: string;
  readonly sightings?: readonly {
    readonly snapshot: string;
    readonly input: string;
    readonly hits: number;
    readonly statusClasses: number;
    readonly maxBytes: number | null;
    readonly firstSeen: string | null;
    readonly lastSeen: string | null;
  }[];
  readonly spellings?: readonly { readonly spelling: string; readonly hits: number }[];
  readonly redirects?: readonly { readonly id: number; readonly url: string }[];
  readonly pages?: readonly {
    readonly snapshot: string;
    readonly status: number;
    readonly fetched: string | null;
    readonly mediaType: string | null;
    readonly bytes: number | null;
    readonly title: string | null;
    readonly words: number | null;
    readonly canonical: string | null;
    readonly redirect: string | null;
  }[];
  readonly clusters?: readonly {
    readonly snapshot: string;
    readonly level: string;
    readonly root: number;
    readonly size: number;
  }[];
  readonly mirrors?: readonly {
    readonly snapshot: string;
    readonly host: string;
    readonly alias: string | null;
    readonly isMirror: boolean;
    readonly clusters: number;
  }[];
  readonly collections?: readonly {
    readonly snapshot: string;
    readonly cluster: number;
    readonly name: string;
    readonly cardinality: number;
  }[];
}

export interface AliasesDocument {
  readonly aliases: readonly { readonly id: number; readonly url: string; readonly hits: number }[];
  readonly examined: number;
  readonly total: number;
  readonly next?: number;
}
