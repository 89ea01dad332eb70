/** The library: what the commands are made of. Canonization alone is in "dustpan/canon", sketches in "dustpan/sketch". */

export { compile } from "./canon/compile.js";
export { parseRulesFile, type RulesFile } from "./canon/file/rules-file.js";
export { formatRulesFile } from "./canon/file/write-rules-file.js";
export { type CollectionOptions, type Collections, findCollections } from "./collections/find-collections.js";
export { type TrivialClusters, trivialClusters } from "./collections/trivial.js";
export { type Links, linksFromTable, NONE, type WebPages } from "./collections/web-graph.js";
export type { ContainedPage, ContainsResult } from "./documents.js";
export { DataError, EngineError, InterruptedError, InvariantError, UserError } from "./errors.js";
export { type Exported, type ExportOptions, exportRules } from "./export/export-rules.js";
export { type Imported, importRules } from "./export/import-rules.js";
export type { ExportUse, Target } from "./export/target.js";
export { exportTargets, findTarget } from "./export/targets.js";
export { type AddedInput, type AddOptions, add } from "./jobs/add.js";
export { type AliasOptions, makeAliases } from "./jobs/aliases.js";
export type { CanonCounts } from "./jobs/canon/records.js";
export { type CanonJob, type CanonJobOptions, openCanon } from "./jobs/canon.js";
export { checkDust, type DustCheck } from "./jobs/check.js";
export {
  type ClusterJobOptions,
  type ClusterResult,
  clusterFiles,
  clusterSnapshots,
  type LargeCluster,
  type SnapshotClusters,
} from "./jobs/cluster.js";
export {
  type CollectionSettings,
  type CollectionsOptions,
  type CollectionsResult,
  findReplicatedCollections,
} from "./jobs/collections.js";
export {
  type ContainsJobOptions,
  containsDefaults,
  findParts,
} from "./jobs/contains.js";
export { type CrawlOptions, type CrawlResult, crawl } from "./jobs/crawl.js";
export { type EvalOptions, type EvalResult, type EvaluatedSite, evaluate } from "./jobs/eval.js";
export { type ChangeFigures, type EvolveOptions, type EvolveResult, evolve } from "./jobs/evolve.js";
export { mergeMined } from "./jobs/merge-mined.js";
export type { MinedSite, MineOptions } from "./jobs/mine/mined-site.js";
export { type MineResult, mine, mineSite } from "./jobs/mine.js";
export { type MirrorJobOptions, type MirrorsResult, mirrors, type Resolve, resolveByDns } from "./jobs/mirrors.js";
export { collectReport, type ReportOptions, writeReport } from "./jobs/report.js";
export { type RollUpOptions, rollUpResults } from "./jobs/rollup.js";
export { type RunOptions, type RunResult, runAll } from "./jobs/run.js";
export { type SearchOptions, type SearchResult, searchPages } from "./jobs/search.js";
export { type SketchedInput, type SketchOptions, sketch } from "./jobs/sketch.js";
export {
  planValidation,
  type ValidateJobOptions,
  type ValidateResult,
  validate,
  validateDefaults,
} from "./jobs/validate.js";
export { detectDefaults } from "./mine/detect.js";
export { eliminateDefaults } from "./mine/eliminate.js";
export type * from "./model.js";
export { NOBODY } from "./pages/buckets.js";
export {
  type ClusterLevel,
  type ClusterMap,
  type ClusterOptions,
  clusterPages,
  fromColumns,
  type SupershingleSource,
} from "./pages/cluster.js";
export { ABSENT, compareSnapshots, DOWNLOADED, type Evolution, FAILED, type SnapshotPages } from "./pages/evolve.js";
export type { ReportData } from "./report/data.js";
export { measureSavings, type Savings } from "./report/savings.js";
export { rulesFileBeside } from "./store/beside.js";
export { readRulesFile, writeRulesFile } from "./store/rules-on-disk.js";
export type { SiteChoice } from "./store/urls/url-lists.js";
export { Workspace } from "./store/workspace.js";
export { columnOf, stringAt } from "./string-column.js";
export type { Declared, PageComparison, Pages, PageView } from "./validate/pages.js";
export type { Draw, ValidateEvents, ValidateOptions } from "./validate/try-rule.js";
export { validateRules } from "./validate/validate-rules.js";
