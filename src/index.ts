/** The library: what the commands are made of. Canonization alone is in "dustpan/canon", sketches in "dustpan/sketch". */

export { compile } from "./canon/compile.js";
export { parseRulesFile, type RulesFile } from "./canon/rules-file.js";
export { formatRulesFile } from "./canon/write-rules-file.js";
export { DataError, EngineError, InterruptedError, InvariantError, UserError } from "./errors.js";
export { type AddedInput, type AddOptions, add } from "./jobs/add.js";
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
export { type ChangeFigures, type EvolveOptions, type EvolveResult, evolve } from "./jobs/evolve.js";
export { mergeMined } from "./jobs/merge-mined.js";
export { type MineResult, mine, mineSite } from "./jobs/mine.js";
export type { MinedSite, MineOptions } from "./jobs/mined-site.js";
export { type MirrorJobOptions, type MirrorsResult, mirrors, type Resolve, resolveByDns } from "./jobs/mirrors.js";
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
export { measureSavings, type Savings } from "./report/savings.js";
export { readRulesFile, rulesFileBeside, writeRulesFile } from "./store/rules-on-disk.js";
export type { SiteChoice } from "./store/urls/url-lists.js";
export { Workspace } from "./store/workspace.js";
export type { Pages, PageView } from "./validate/pages.js";
export type { Draw } from "./validate/try-rule.js";
export { validateRules } from "./validate/validate-rules.js";
