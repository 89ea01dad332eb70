/** `cluster`: near-duplicate clusters of snapshots or of sketch files. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { UserError } from "../errors.js";
import { expandInputs } from "../input/expand.js";
import type { JobContext } from "../model.js";
import { type ClusterLevel, type ClusterMap, clusterPages, type SupershingleLevel } from "../pages/cluster.js";
import {
  type ClusterNumbers,
  countClusters,
  countMachines,
  largestClusters,
  type Machines,
} from "../pages/cluster-numbers.js";
import { clusterGrouped, type Grouping } from "../pages/grouped.js";
import { guessKind, type KindGuess } from "../pages/kind.js";
import { relatePages } from "../pages/related.js";
import type { Chaining } from "../pages/verify.js";
import { stopIfAborted } from "../progress.js";
import type { ClusterChanges } from "../store/copies/cluster-changes.js";
import { type ClusterSettings, hasClusters, storeClusters, writeClusters } from "../store/copies/clusters.js";
import { verifyDocuments } from "../store/copies/verify-documents.js";
import { type AddedDocuments, ClusterState } from "../store/growing/cluster-state.js";
import { outputFormat } from "../store/output-format.js";
import type { LostRows } from "../store/pages/damaged-rows.js";
import { DocumentFiles, NO_DOCUMENT, SKETCHED_DOCUMENT } from "../store/pages/document-files.js";
import { isDamage, isSketchFile } from "../store/pages/sketch-rows.js";
import { exportDocuments, listSketchedSnapshots, type SnapshotName } from "../store/pages/snapshots.js";
import { removeScratch } from "../store/scratch.js";
import { asEngineError, type Workspace } from "../store/workspace.js";
import { DEFAULT_MEMORY_BYTES, duckdbWithin } from "./engine/open-engine.js";

export interface ClusterJobOptions extends ClusterSettings {
  /** How many of the largest clusters to describe. */
  readonly top: number;
  /** Where the cluster map goes, besides the workspace: a .parquet, .csv or .jsonl file. */
  readonly output?: string;
  /** What clustering in memory may take; documents that need more are clustered on disk, and that is announced. */
  readonly memoryBytes?: number;
  readonly announce?: (text: string) => void;
}

export interface ClusterFilesOptions extends ClusterJobOptions {
  /** The cluster map of an earlier run, to tell what has changed since. */
  readonly since?: string;
  /** Where every cluster that changed since goes: a .parquet, .csv or .jsonl file. */
  readonly changes?: string;
  /** Other supershingles than the paper's, at level similar. */
  readonly grouping?: Grouping;
}

/** A row of the paper's tables 1 and 2. */
export interface LargeCluster extends Machines {
  readonly size: number;
  readonly representative: string;
  readonly title?: string;
  readonly kind: KindGuess["kind"];
  readonly why: string;
  /** Members that agree with the representative in all six supershingles. */
  readonly identical: number;
  /** The first URLs, in order. */
  readonly urls: readonly string[];
  /** The first names, in order. */
  readonly hostNames: readonly string[];
}

export interface ClusterResult extends ClusterNumbers {
  readonly level: ClusterLevel;
  readonly verify?: number;
  readonly grouping?: Grouping;
  /** Rows that are not documents: failed downloads, and URLs of which a later download counts. */
  readonly leftOut: number;
  readonly largest: readonly LargeCluster[];
  /** With `verify`: how much of the plain method's clusters is chaining. */
  readonly chaining?: Chaining;
  /** Rows of damaged files. */
  readonly lost: readonly LostRows[];
  /** What became of the clusters of an earlier run. */
  readonly changes?: ClusterChanges;
}

export interface SnapshotClusters extends ClusterResult {
  readonly snapshot: string;
}

/** Clusters the pages of each snapshot (or of the one named), and keeps the result in the workspace. */
export async function clusterSnapshots(
  workspace: Workspace,
  { output, ...options }: ClusterJobOptions & { readonly snapshot?: string },
  context: JobContext,
): Promise<SnapshotClusters[]> {
  const format = output === undefined ? undefined : outputFormat(output);
  const names = options.snapshot === undefined ? undefined : [options.snapshot];
  const snapshots = await listSketchedSnapshots(workspace, names);
  const results: SnapshotClusters[] = [];
  for (const snapshot of snapshots) results.push(await clusterSnapshot(workspace, snapshot, options, context));
  if (output !== undefined) await writeClusters(workspace, snapshots, options.level, output, format!);
  return results;
}

/** Makes sure that the workspace has clusters of these snapshots, for what builds on them; verified ones stay as they are. */
export async function ensureClusters(
  workspace: Workspace,
  snapshots: readonly SnapshotName[],
  level: ClusterLevel,
  context: JobContext,
): Promise<void> {
  for (const snapshot of snapshots) {
    if (await hasClusters(workspace, snapshot, level)) continue;
    await clusterSnapshot(workspace, snapshot, { level, top: 20 }, context);
  }
}

async function clusterSnapshot(
  workspace: Workspace,
  snapshot: SnapshotName,
  options: ClusterJobOptions,
  context: JobContext,
): Promise<SnapshotClusters> {
  const documentFile = workspace.scratch();
  const mapFile = workspace.scratch();
  try {
    const withSketches = options.verify !== undefined || options.level === "related";
    await exportDocuments(workspace, snapshot, documentFile, withSketches);
    const files = await DocumentFiles.open([documentFile], context.signal);
    let result: ClusterResult;
    try {
      result = await clusterDocuments(files, options, context);
      await files.writeMap(mapFile, "parquet");
    } catch (error) {
      stopIfAborted(context, "no clusters were stored");
      throw error;
    } finally {
      files.close();
    }
    const named = { snapshot: snapshot.name, ...result };
    await storeClusters(workspace, snapshot, settingsOf(options), mapFile, named);
    return named;
  } finally {
    removeScratch(documentFile);
    removeScratch(mapFile);
  }
}

/** Clusters sketch files, or any other input with pages, without a workspace. */
export async function clusterFiles(
  inputs: readonly string[],
  options: ClusterFilesOptions,
  context: JobContext,
): Promise<ClusterResult> {
  const given = expandInputs(inputs);
  if (options.output !== undefined) outputFormat(options.output);
  if (options.changes !== undefined) outputFormat(options.changes, "--changes");
  const folder = mkdtempSync(path.join(tmpdir(), "dustpan-"));
  try {
    const names = await sketchPages(given, folder, context);
    return await clusterSketches(names, options, context);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Sketch files as they are; of anything else with pages the sketches first, in that folder. */
async function sketchPages(names: readonly string[], folder: string, context: JobContext): Promise<string[]> {
  const files: string[] = [];
  let isSketched = false;
  for (const [number, name] of names.entries()) {
    if (await isSketchFile(name)) {
      files.push(name);
      isSketched = true;
      continue;
    }
    // Only here are files read that are not tables: what reads them takes a while to load.
    const { sketch } = await import("./sketch.js");
    const [made] = await sketch([name], { folder: path.join(folder, String(number)) }, () => {}, context);
    // An archive may hold nothing but revisits of pages that another one has.
    isSketched ||= made!.sketches > 0;
    files.push(made!.file);
  }
  if (!isSketched) {
    throw new UserError(
      `${names.join(", ")}: neither sketches nor pages to make them of; expected html, text, or WARC records with bodies`,
    );
  }
  return files;
}

/** Takes new documents into the clusters of a state file, which is made where there is none. */
export async function addToClusters(
  stateFile: string,
  inputs: readonly string[],
  options: Pick<ClusterFilesOptions, "level" | "output" | "changes">,
  context: JobContext,
): Promise<AddedDocuments> {
  const { level, output, changes } = options;
  if (level === "related") throw new UserError("--add works with the levels similar and identical");
  const format = output === undefined ? undefined : outputFormat(output);
  const changesFormat = changes === undefined ? undefined : outputFormat(changes, "--changes");
  const given = expandInputs(inputs);
  const folder = mkdtempSync(path.join(tmpdir(), "dustpan-"));
  try {
    const names = await sketchPages(given, folder, context);
    const state = await ClusterState.open(stateFile, level);
    try {
      const added = await state.add(names, context);
      if (output !== undefined) await state.writeMap(output, format!);
      if (changes !== undefined) await state.writeChanges(changes, changesFormat!);
      return added;
    } catch (error) {
      stopIfAborted(context, "nothing was added");
      throw error;
    } finally {
      await state.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function clusterSketches(
  names: readonly string[],
  options: ClusterFilesOptions,
  context: JobContext,
): Promise<ClusterResult> {
  const format = options.output === undefined ? undefined : outputFormat(options.output);
  const attempt = async (check: boolean): Promise<ClusterResult> => {
    const files = await DocumentFiles.open(names, context.signal, check);
    try {
      const result = await clusterDocuments(files, options, context);
      if (options.output !== undefined) {
        context.onProgress({ step: "writing the cluster map", done: files.rows, unit: "documents" });
        await files.writeMap(options.output, format!);
      }
      if (options.since === undefined) return result;
      const changes = await files.changesSince(options.since);
      if (options.changes !== undefined)
        await files.writeChanges(options.changes, outputFormat(options.changes, "--changes"));
      return { ...result, changes };
    } finally {
      files.close();
    }
  };
  try {
    return await attempt(false);
  } catch (error) {
    stopIfAborted(context, "no clusters were stored");
    if (!isDamage(error)) throw error;
    return await attempt(true).catch((again: unknown) => {
      throw asEngineError(again, `clustering ${names.join(", ")}`);
    });
  }
}

/** From columns of supershingles to clusters and their numbers. `files` is left with the cluster map. */
async function clusterDocuments(
  files: DocumentFiles,
  options: ClusterFilesOptions,
  context: JobContext,
): Promise<ClusterResult> {
  context.onProgress({ step: "looking for documents", done: files.rows, unit: "rows" });
  const kinds = await files.readKinds();
  const sketched = kinds.map((kind) => Number(kind === SKETCHED_DOCUMENT));
  const { level, verify, grouping } = options;
  const what = level === "related" ? "--level related" : grouping === undefined ? "--verify" : "--supershingles";
  if (!files.hasSketches && (verify !== undefined || level === "related" || grouping !== undefined)) {
    throw new UserError(`${what} needs whole sketches, and the files have only supershingles`);
  }
  const plain =
    grouping !== undefined
      ? clusterGrouped(await files.readFeatures(sketched, context), sketched, grouping)
      : level === "related"
        ? relatePages(await files.readFeatures(sketched, context), sketched, verify)
        : await clusterBySupershingles(files, sketched, level, options, context);
  context.onProgress({ step: "describing clusters", done: files.rows, unit: "documents" });
  await files.takeMap(plain);
  let map = plain;
  let chaining: Chaining | undefined;
  if (verify !== undefined && level !== "related") {
    ({ map, chaining } = await verifyDocuments(files, plain, verify, context));
    await files.takeMap(map);
  }
  const leftOut = kinds.reduce((sum, kind) => sum + Number(kind === NO_DOCUMENT), 0);
  const numbers = countClusters(map);
  return {
    ...settingsOf(options),
    ...(grouping && { grouping }),
    ...numbers,
    unsketched: numbers.unsketched - leftOut,
    leftOut,
    largest: await describeLargest(files, map, options.top),
    ...(chaining && { chaining }),
    lost: files.lost,
  };
}

/** Clustering takes this much for a document. */
const BYTES_PER_DOCUMENT = 52;

/** In memory, or on disk where that is not enough: the same clusters. */
async function clusterBySupershingles(
  files: DocumentFiles,
  sketched: Uint8Array,
  level: SupershingleLevel,
  { memoryBytes = DEFAULT_MEMORY_BYTES, announce }: ClusterJobOptions,
  context: JobContext,
): Promise<ClusterMap> {
  if (files.rows * BYTES_PER_DOCUMENT <= memoryBytes) {
    const readColumn = (column: number, into: BigUint64Array) => files.readColumn(column, into);
    return clusterPages({ documents: files.rows, sketched, readColumn }, { level, ...context });
  }
  announce?.(
    `${files.rows.toLocaleString("en")} documents are more than fits in memory, so they are clustered on disk by DuckDB`,
  );
  const { clusterOnDisk } = await import("./cluster/on-disk.js");
  return clusterOnDisk(files, sketched, level, duckdbWithin(memoryBytes), context);
}

const HOSTS_SHOWN = 10;

async function describeLargest(files: DocumentFiles, map: ClusterMap, top: number): Promise<LargeCluster[]> {
  const largest = largestClusters(map, top);
  const details = await files.describeClusters(largest);
  return largest.map((cluster) => {
    const { hosts, text, words, status, identical, ...found } = details.get(cluster)!;
    const size = map.size[cluster]!;
    const addresses = new Map(hosts.map((entry) => [entry.host, entry.addresses]));
    const guess = guessKind({
      size,
      hosts: hosts.length,
      urls: found.urls,
      identicalShare: identical / size,
      ...(found.title !== undefined && { title: found.title }),
      ...(text !== undefined && { text }),
      ...(words !== undefined && { words }),
      ...(status !== undefined && { status }),
    });
    return {
      size,
      ...countMachines(addresses.keys(), (host) => addresses.get(host) ?? []),
      ...found,
      ...guess,
      identical,
      hostNames: hosts.slice(0, HOSTS_SHOWN).map(({ host }) => host),
    };
  });
}

/** Without what does not change the clusters, in one order. */
function settingsOf({ level, verify }: ClusterSettings): ClusterSettings {
  return { level, ...(verify !== undefined && { verify }) };
}
