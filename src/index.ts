/** The library: what the commands are made of. Canonization alone is in "dustpan/canon", sketches in "dustpan/sketch". */
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
export { type MinedSite, type MineOptions, type MineResult, mine, mineSite } from "./jobs/mine.js";
export { type MirrorJobOptions, type MirrorsResult, mirrors, type Resolve, resolveByDns } from "./jobs/mirrors.js";
export { type RollUpOptions, rollUpResults } from "./jobs/rollup.js";
export { mergeMined, readRulesFile, rulesFileBeside, writeRulesFile } from "./jobs/rules-file.js";
export { type RunOptions, type RunResult, runAll } from "./jobs/run.js";
export { measureSavings, type Savings } from "./jobs/savings.js";
export { type SearchOptions, type SearchResult, searchPages } from "./jobs/search.js";
export { type SketchedInput, type SketchOptions, sketch } from "./jobs/sketch.js";
export {
  planValidation,
  type ValidateJobOptions,
  type ValidateResult,
  validate,
  validateDefaults,
} from "./jobs/validate.js";
export type * from "./model.js";
export { compile } from "./rules/compile.js";
export { detectDefaults } from "./rules/detect.js";
export { eliminateDefaults } from "./rules/eliminate.js";
export { parseRulesFile, type RulesFile } from "./rules/rules-file.js";
export { validateRules } from "./rules/validate.js";
export type { Pages, PageView } from "./rules/validate-pages.js";
export type { Draw } from "./rules/validate-rule.js";
export { formatRulesFile } from "./rules/write-rules-file.js";
export type { SiteChoice } from "./store/url-lists.js";
export { Workspace } from "./store/workspace.js";
