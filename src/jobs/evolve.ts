/** `evolve`: how clusters and pages change over snapshots, and what need not be fetched again. */
import { UserError } from "../errors.js";
import type { JobContext } from "../model.js";
import { type Advice, adviseRecrawl, type RecrawlAdvice } from "../pages/advice.js";
import {
  addChanges,
  CHANGE_BUCKETS,
  type ChangeTable,
  changeClasses,
  makeChangeTable,
  relativeContribution,
  sharesByChange,
  sharesBySize,
} from "../pages/change.js";
import {
  type Arrivals,
  type ClassEvolution,
  compareHosts,
  compareSnapshots,
  type EvolutionPlan,
} from "../pages/evolve.js";
import { sizeClasses } from "../pages/size-class.js";
import { readAvoidLists } from "../store/copies/avoid-entries.js";
import { writeAvoidFile } from "../store/copies/avoid-list.js";
import { type ClusterChanges, compareSnapshotClusters } from "../store/copies/cluster-changes.js";
import {
  daysBetween,
  readChanges,
  readSnapshots,
  type SizeTable,
  type SnapshotTable,
  storeEvolution,
  writeAdvice,
} from "../store/copies/evolution.js";
import { outputFormat } from "../store/output-format.js";
import { listSketchedSnapshots, type SnapshotName } from "../store/pages/snapshots.js";
import type { Workspace } from "../store/workspace.js";
import { stringAt } from "../string-column.js";
import { ensureClusters } from "./cluster.js";

export interface EvolveOptions {
  /** Names of snapshots; all where both are absent. */
  readonly from?: string;
  readonly to?: string;
  readonly plan: EvolutionPlan;
  /** Clusters with more risk are not advised. */
  readonly maxRisk: number;
  /** Where the advice goes, besides the workspace: a .parquet, .csv or .jsonl file. */
  readonly output?: string;
  /** Where the same goes as an avoid-list, as `crawl` reads it. */
  readonly avoidFile?: string;
  /** Where every cluster goes that is not what it was a snapshot before: a .parquet, .csv or .jsonl file. */
  readonly changesFile?: string;
  readonly nowMs?: number;
}

/** Two snapshots side by side. */
export interface SnapshotComparison {
  readonly from: string;
  readonly to: string;
  /** Figures 4, 5 and 7, by size class; classes without a URL are left out. */
  readonly classes: readonly ClassEvolution[];
  readonly arrivals: Arrivals;
  /** Figure 6. */
  readonly hosts: {
    readonly hosts: number;
    readonly unchanged: number;
    readonly distribution: readonly { readonly change: number; readonly hosts: number }[];
    /** Hosts that changed most. */
    readonly most: readonly { readonly host: string; readonly before: number; readonly after: number }[];
  };
}

/** A snapshot and the next one. */
export interface SnapshotStep extends SnapshotComparison {
  /** Clusters that were born, grew, merged, shrank, were split or are gone. */
  readonly changes: ClusterChanges;
}

/** Page change between successive downloads, as the data of figures 8 to 10 (or of figure 11, by mirror size). */
export interface ChangeFigures {
  readonly downloads: number;
  readonly sizeClasses: readonly string[];
  readonly changeClasses: readonly string[];
  /** By change bucket (0 to 84 common features, 85 same bytes), then by size class: downloads. */
  readonly counts: readonly (readonly number[])[];
  /** Figure 8: shares within each bucket. */
  readonly bySize: readonly (readonly number[])[];
  /** Figure 9: each share against the average of its size class. */
  readonly relative: readonly (readonly number[])[];
  /** Figures 10 and 11: by size class, the share of each of the six change classes. */
  readonly byChange: readonly (readonly number[])[];
}

export interface NamedAdvice extends Omit<RecrawlAdvice, "root"> {
  readonly root: string;
}

export interface EvolveResult {
  readonly snapshots: readonly string[];
  /** The first snapshot against each later one (the paper's weeks), then each against the next. */
  readonly sinceFirst: readonly SnapshotComparison[];
  readonly steps: readonly SnapshotStep[];
  readonly change: ChangeFigures;
  readonly advice: Omit<Advice, "clusters" | "measured"> & {
    readonly clusters: readonly NamedAdvice[];
    /** How many clusters that is. */
    readonly advised: number;
    /** From one snapshot to the next, on average: what the risk of a cluster is about. */
    readonly days: number;
  };
}

const LEVEL = "similar";
const HOSTS_SHOWN = 20;

/** How clusters and pages change between snapshots, and which clusters are stable enough to recrawl one member only. */
export async function evolve(workspace: Workspace, options: EvolveOptions, context: JobContext): Promise<EvolveResult> {
  const { changesFile } = options;
  const format = options.output === undefined ? undefined : outputFormat(options.output);
  const changed = changesFile && { name: changesFile, format: outputFormat(changesFile, "--changes") };
  const snapshots = await chooseSnapshots(workspace, options);
  await ensureClusters(workspace, snapshots, LEVEL, context);
  context.onProgress({ step: "comparing snapshots", done: 0, total: snapshots.length, unit: "snapshots" });
  const table = await readSnapshots(workspace, snapshots, LEVEL);
  const compare = (before: number, after: number) => compareTwo(table, snapshots, before, after, options.plan);
  const later = snapshots.slice(1).map((_, number) => number + 1);
  const sinceFirst = later.map((number) => compare(0, number));
  const fates = await compareSnapshotClusters(workspace, snapshots, LEVEL, changed || undefined);
  const steps = later.map((number) => ({ ...compare(number - 1, number), changes: fates[number - 1]! }));
  const change = await countChanges(workspace, snapshots, "clusters");
  const { measured, ...advice } = adviseRecrawl(table.pages, { maxRisk: options.maxRisk, bytes: table.bytes });
  const days = await daysBetween(workspace, snapshots);
  const result: EvolveResult = {
    snapshots: snapshots.map(({ name }) => name),
    sinceFirst,
    steps,
    change,
    advice: {
      ...advice,
      days,
      advised: advice.clusters.length,
      clusters: advice.clusters.map((entry) => ({ ...entry, root: stringAt(table.urls, entry.root) })),
    },
  };
  const pairs = new Map<string, { before: SnapshotName; after: SnapshotName; classes: readonly ClassEvolution[] }>();
  for (const { from, to, classes } of [...sinceFirst, ...steps]) {
    const named = (name: string) => snapshots.find((snapshot) => snapshot.name === name)!;
    pairs.set(JSON.stringify([from, to]), { before: named(from), after: named(to), classes });
  }
  const { plan, maxRisk } = options;
  // Without the list of clusters, which recrawl_advice has.
  const kept = { ...result, advice: { ...result.advice, clusters: [] } };
  const nowMs = options.nowMs ?? Date.now();
  const stored = { measured, days, maxRisk, ids: table.ids };
  await storeEvolution(workspace, [...pairs.values()], snapshots.at(-1)!, stored, { plan, maxRisk }, kept, nowMs);
  if (options.avoidFile !== undefined) {
    const lists = (await readAvoidLists(workspace)).flat();
    await writeAvoidFile(
      options.avoidFile,
      lists.filter(({ why }) => why === "unchanged"),
    );
  }
  if (options.output !== undefined) await writeAdvice(workspace, snapshots.at(-1)!, LEVEL, options.output, format!);
  return result;
}

async function chooseSnapshots(workspace: Workspace, { from, to }: EvolveOptions): Promise<SnapshotName[]> {
  if ((from === undefined) !== (to === undefined)) {
    throw new UserError("--from and --to belong together: name two snapshots, or neither for all of them");
  }
  const names = from === undefined ? undefined : [from, to!];
  const snapshots = await listSketchedSnapshots(workspace, names);
  if (names !== undefined && snapshots.length === 2 && snapshots[0]!.name !== from) {
    throw new UserError(`--from ${from} was added after --to ${to}: name the earlier snapshot first`);
  }
  if (snapshots.length < 2) {
    throw new UserError(
      `evolution needs two snapshots with sketches, and there is only "${snapshots[0]!.name}"; give each crawl its own with "dustpan add --snapshot NAME"`,
    );
  }
  return snapshots;
}

function compareTwo(
  table: SnapshotTable,
  snapshots: readonly SnapshotName[],
  before: number,
  after: number,
  plan: EvolutionPlan,
): SnapshotComparison {
  const [left, right] = [table.pages[before]!, table.pages[after]!];
  const { classes, arrivals } = compareSnapshots(left, right, plan);
  const found = compareHosts(left, right, table.host, table.hosts.length);
  const most = table.hosts
    .map((host, number) => ({ host, before: found.before[number]!, after: found.after[number]! }))
    .filter((entry) => entry.before !== entry.after && entry.before > 0 && entry.after > 0)
    .sort((a, b) => Math.abs(b.after - b.before) - Math.abs(a.after - a.before) || (a.host < b.host ? -1 : 1));
  return {
    from: snapshots[before]!.name,
    to: snapshots[after]!.name,
    classes: classes.filter(({ urls, failed, gone }) => urls + failed + gone > 0),
    arrivals,
    hosts: {
      hosts: found.hosts,
      unchanged: found.unchanged,
      distribution: found.distribution,
      most: most.slice(0, HOSTS_SHOWN),
    },
  };
}

/** Figures 8 to 10, or with the sizes of mirrors figure 11. */
export async function countChanges(
  workspace: Workspace,
  snapshots: readonly SnapshotName[],
  sizes: SizeTable,
): Promise<ChangeFigures> {
  const table: ChangeTable = makeChangeTable();
  await readChanges(workspace, snapshots, sizes, (buckets, size) => addChanges(table, buckets, size));
  const width = sizeClasses.length;
  return {
    downloads: table.counts.reduce((sum, count) => sum + count, 0),
    sizeClasses: sizeClasses,
    changeClasses: changeClasses,
    counts: Array.from({ length: CHANGE_BUCKETS }, (_, bucket) => [
      ...table.counts.subarray(bucket * width, (bucket + 1) * width),
    ]),
    bySize: sharesBySize(table),
    relative: relativeContribution(table),
    byChange: sharesByChange(table),
  };
}
