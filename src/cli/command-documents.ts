/** The JSON documents that `--json` prints, one type each; those shared with the web API are in src/documents.ts. */
import type { AliasReason } from "../canon/aliases.js";
import type { RankedResult, RolledUpLine } from "../collections/rollup.js";
import type { ContainsResult, Documents } from "../documents.js";
import type { Imported } from "../export/import-rules.js";
import type { Target } from "../export/target.js";
import type { FetchPlan } from "../fetch/plan.js";
import type { AddedInput } from "../jobs/add.js";
import type { AliasResult } from "../jobs/aliases.js";
import type { CanonCounts } from "../jobs/canon/records.js";
import type { DustCheck } from "../jobs/check.js";
import type { ClusterResult, SnapshotClusters } from "../jobs/cluster.js";
import type { CollectionsResult } from "../jobs/collections.js";
import type { CrawlResult } from "../jobs/crawl.js";
import type { OperatorResult } from "../jobs/engine/table-operators.js";
import type { TableVerdict } from "../jobs/engine/validate-engine.js";
import type { EvalResult } from "../jobs/eval.js";
import type { EvolveResult } from "../jobs/evolve.js";
import type { MirrorsResult } from "../jobs/mirrors.js";
import type { SketchedInput } from "../jobs/sketch.js";
import type { ValidateResult } from "../jobs/validate.js";
import type { Rule } from "../model.js";
import type { ReportData } from "../report/data.js";
import type { Savings } from "../report/savings.js";
import type { AddedDocuments } from "../store/growing/cluster-state.js";

/** There are many draws: their number says enough. */
type ValidatedDocument = Omit<ValidateResult, "draws"> & { readonly draws: number };

export interface CommandDocuments extends Documents {
  readonly "dustpan-add": { readonly workspace: string; readonly inputs: readonly AddedInput[] };
  readonly "dustpan-run": {
    readonly inputs: readonly AddedInput[];
    readonly validated: ValidatedDocument;
    readonly savings: Savings;
    /** The report's file. */
    readonly report: string;
  };
  readonly "dustpan-check": CheckDocument;
  readonly "dustpan-validate-plan": FetchPlan;
  readonly "dustpan-validate": ValidatedDocument & { readonly savings: Savings };
  readonly "dustpan-validate-digests": {
    readonly rules: readonly Rule[];
    readonly verdicts: readonly (Omit<TableVerdict, "rule"> & Pick<Rule, "id" | "status">)[];
    readonly untried: number;
  };
  readonly "dustpan-canon": CanonDocument;
  readonly "dustpan-rollup": { readonly results: number; readonly lines: readonly RolledUpLine<RankedResult>[] };
  readonly "dustpan-import": { readonly files: readonly ImportedFile[]; readonly rules: readonly Rule[] };
  readonly "dustpan-collections": CollectionsResult;
  readonly "dustpan-contains": ContainsResult;
  readonly "dustpan-serve": { readonly url: string };
  readonly "dustpan-added-clusters": AddedDocuments;
  readonly "dustpan-clusters": { readonly results: readonly (ClusterResult | SnapshotClusters)[] };
  readonly "dustpan-report": ReportData;
  readonly "dustpan-alias-counts": AliasCounts;
  readonly "dustpan-eval": EvalResult;
  readonly "dustpan-mirrors": MirrorsResult;
  readonly "dustpan-export": ExportDocument;
  readonly "dustpan-export-urls": UrlExportDocument;
  readonly "dustpan-export-targets": { readonly targets: readonly ListedTarget[] };
  readonly "dustpan-evolution": EvolveResult;
  readonly "dustpan-crawl": CrawlResult;
  readonly "dustpan-sketch": { readonly folder: string; readonly inputs: readonly SketchedInput[] };
  /** What an operator over tables returns, whatever the command. */
  readonly [tables: `dustpan-${string}-tables`]: OperatorResult;
}

/** With the ids of rules instead of rules. */
interface CheckDocument extends Omit<DustCheck, "causes" | "dropped"> {
  readonly of: "urls" | "requests";
  readonly maxDust: number;
  readonly share: number;
  readonly holds: boolean;
  readonly causes: readonly (Omit<DustCheck["causes"][number], "rule"> & { readonly rule: string })[];
  readonly dropped: readonly string[];
}

/** Either what became of each URL, or the table that it was written to. */
interface CanonDocument {
  readonly urls?: readonly CanonizedUrl[];
  readonly output?: string;
  readonly counts: CanonCounts & { readonly unsettled?: number };
}

export interface CanonizedUrl {
  readonly url: string;
  readonly canonical: string;
  /** With --explain. */
  readonly steps?: readonly { readonly rule: string; readonly before: string; readonly after: string }[];
  readonly alias?: { readonly before: string; readonly after: string };
  /** False if the rules did not settle. */
  readonly isSettled?: boolean;
}

interface ImportedFile {
  readonly file: string;
  readonly format: Imported["format"];
  readonly rules: number;
  readonly added: number;
  readonly skipped: Imported["skipped"];
}

interface AliasCounts extends Pick<AliasResult, "circles" | "secrets"> {
  readonly file: string;
  readonly pairs: number;
  readonly counts: Readonly<Record<AliasReason, number>>;
  readonly maxAgeDays: number;
}

interface ExportDocument {
  readonly target: string;
  readonly as: Target["uses"][number];
  /** Ids of rules. */
  readonly exported: readonly string[];
  readonly leftOut: readonly { readonly id: string; readonly reason: string }[];
  readonly dropped: readonly string[];
  /** Why no certificate covers what was exported. */
  readonly doubts: readonly string[];
  /** How many pairs of single URLs follow the rules, and the sources of those that do not. */
  readonly aliases: number;
  readonly aliasesLeftOut: readonly { readonly from: string; readonly reason: string }[];
  /** Either the text, or the file that it was written to. */
  readonly text?: string;
  readonly file?: string;
}

interface UrlExportDocument {
  readonly target: string;
  readonly urls: number;
  /** Left out: whatever looks like an action or carries a token. */
  readonly secrets: number;
  /** The files that were written; the text itself goes to stdout where none was named. */
  readonly files: readonly string[];
}

interface ListedTarget extends Pick<Target, "name" | "title" | "expresses" | "file"> {
  readonly as: Target["uses"];
  /** Does it take --aliases? */
  readonly aliases: boolean;
}
