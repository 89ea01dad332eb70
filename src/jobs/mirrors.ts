/** `mirrors`: finds, resolves and confirms mirrored hosts. */

import { lookup } from "node:dns/promises";
import { readFileSync } from "node:fs";
import { DataError, UserError } from "../errors.js";
import { findMirrors, type Mirrors } from "../mirrors/find.js";
import { findCandidates, type MirrorInput } from "../mirrors/host-pairs.js";
import { compareMirrors, type MirrorChange } from "../mirrors/over-time.js";
import type { JobContext } from "../model.js";
import { NOBODY } from "../pages/buckets.js";
import type { Addresses } from "../pages/cluster-numbers.js";
import { DOWNLOADED } from "../pages/evolve.js";
import { stopIfAborted } from "../progress.js";
import { storeAnalysis } from "../store/analyses.js";
import { writeAvoidFile } from "../store/copies/avoid-list.js";
import { readSnapshots } from "../store/copies/evolution.js";
import { readHostRanks } from "../store/copies/host-rank.js";
import { readAddresses, storeMirrors, writeMirrors } from "../store/copies/mirrors.js";
import { outputFormat } from "../store/output-format.js";
import { listSketchedSnapshots, type SnapshotName } from "../store/pages/snapshots.js";
import type { Workspace } from "../store/workspace.js";
import { stringAt } from "../string-column.js";
import { ensureClusters } from "./cluster.js";
import { type ChangeFigures, countChanges } from "./evolve.js";

/** The addresses of a host; rejects where there are none. */
export type Resolve = (host: string) => Promise<readonly string[]>;

export interface MirrorJobOptions {
  /** Pages that each host must have in clusters with the other. */
  readonly minPages: number;
  readonly snapshot?: string;
  /** Lines of an address and its hosts, as in /etc/hosts; they count instead of what archives say. */
  readonly hostsFile?: string;
  /** Asked for hosts whose address is not known; never without it. */
  readonly resolve?: Resolve;
  /** Where the table of mirrors goes, besides the workspace: a .parquet or .csv file. */
  readonly output?: string;
  /** Where the avoid-list of the last snapshot goes, as `crawl` reads it. */
  readonly avoidFile?: string;
  readonly nowMs?: number;
}

export interface SnapshotMirrors extends Omit<Mirrors, "mirrorSize"> {
  readonly snapshot: string;
  /** Hosts whose address is known, and hosts that could not be looked up. */
  readonly knownAddresses: number;
  readonly failedLookups: number;
}

export interface MirrorsResult {
  /** In the order of the snapshots. */
  readonly snapshots: readonly SnapshotMirrors[];
  /** The first snapshot against each later one (figure 13). */
  readonly overTime: readonly (MirrorChange & { readonly from: string; readonly to: string })[];
  /** Page change by mirror size (figure 11), where there are several snapshots. */
  readonly change?: ChangeFigures;
}

const LEVEL = "similar";

/** Mirrored hosts and subtrees of each snapshot (or of the one named), kept in the workspace. */
export async function mirrors(
  workspace: Workspace,
  options: MirrorJobOptions,
  context: JobContext,
): Promise<MirrorsResult> {
  const format = options.output === undefined ? undefined : outputFormat(options.output);
  const fromFile = options.hostsFile === undefined ? new Map() : readHostsFile(options.hostsFile);
  const names = options.snapshot === undefined ? undefined : [options.snapshot];
  const snapshots = await listSketchedSnapshots(workspace, names);
  await ensureClusters(workspace, snapshots, LEVEL, context);
  const lookups = new Map<string, Addresses>();
  const results: SnapshotMirrors[] = [];
  for (const [done, snapshot] of snapshots.entries()) {
    context.onProgress({ step: "looking for mirrors", done, total: snapshots.length, unit: "snapshots" });
    results.push(await mirrorsOf(workspace, snapshot, options, fromFile, lookups, context));
  }
  if (options.output !== undefined) await writeMirrors(workspace, snapshots, options.output, format!);
  if (options.avoidFile !== undefined) {
    await writeAvoidFile(options.avoidFile, results.at(-1)!.avoid);
  }
  const [first, ...later] = results;
  const change = snapshots.length > 1 ? await countChanges(workspace, snapshots, "mirror_pages") : undefined;
  if (change !== undefined) {
    await workspace.write((connection) => storeAnalysis(connection, "mirror-change", null, {}, change));
  }
  return {
    snapshots: results,
    overTime: later.map((result) => ({
      from: first!.snapshot,
      to: result.snapshot,
      ...compareMirrors(first!.pairs, result.pairs),
    })),
    ...(change && { change }),
  };
}

async function mirrorsOf(
  workspace: Workspace,
  snapshot: SnapshotName,
  { minPages, resolve, nowMs = Date.now() }: MirrorJobOptions,
  fromFile: ReadonlyMap<string, readonly string[]>,
  lookups: Map<string, Addresses>,
  context: JobContext,
): Promise<SnapshotMirrors> {
  const { input, ids } = await readDocuments(workspace, snapshot);
  const archived = await readAddresses(workspace, snapshot);
  const known = input.hosts.map((host) => fromFile.get(host) ?? archived.get(host) ?? []);
  const addresses: Addresses[] =
    resolve === undefined ? known : await lookUp(input, known, minPages, resolve, lookups, context);
  const ranks = await workspace.read((connection) => readHostRanks(connection, snapshot));
  const rank = Uint32Array.from(input.hosts, (host) => ranks.get(host) ?? ranks.size);
  const found = findMirrors({ ...input, addresses, rank }, { minPages, nowMs });
  const { mirrorSize: _, ...rest } = found;
  const result = {
    snapshot: snapshot.name,
    ...rest,
    knownAddresses: addresses.filter((entry) => entry !== null && entry.length > 0).length,
    failedLookups: addresses.filter((entry) => entry === null).length,
  };
  // Without the lists that have tables of their own.
  const kept = { ...result, pairs: [], avoid: [] };
  await storeMirrors(workspace, snapshot, found, ids, { minPages }, kept, nowMs);
  return result;
}

/** The downloaded pages of a snapshot in the order of their URLs. */
async function readDocuments(
  workspace: Workspace,
  snapshot: SnapshotName,
): Promise<{ readonly input: MirrorInput; readonly ids: Uint32Array }> {
  const table = await readSnapshots(workspace, [snapshot], LEVEL);
  const { outcome, cluster } = table.pages[0]!;
  const documents = Uint32Array.from(outcome.keys()).filter((url) => outcome[url] === DOWNLOADED);
  const numberOf = new Uint32Array(outcome.length);
  documents.forEach((url, document) => {
    numberOf[url] = document;
  });
  const root = documents.map((url, document) => (cluster[url] === NOBODY ? document : numberOf[cluster[url]!]!));
  const members = new Uint32Array(documents.length);
  documents.forEach((url, document) => {
    if (cluster[url] !== NOBODY) members[root[document]!]!++;
  });
  return {
    input: {
      clusters: {
        root,
        size: documents.map((url, document) => (cluster[url] === NOBODY ? 0 : members[root[document]!]!)),
      },
      host: documents.map((url) => table.host[url]!),
      hosts: table.hosts,
      words: documents.map((url) => table.words[url]!),
      urlOf: (document) => stringAt(table.urls, documents[document]!),
    },
    ids: documents.map((url) => table.ids[url]!),
  };
}

const LOOKUPS_AT_ONCE = 16;

/** Only hosts that can be in a pair are looked up, each once. */
async function lookUp(
  input: MirrorInput,
  known: readonly (readonly string[])[],
  minPages: number,
  resolve: Resolve,
  lookups: Map<string, Addresses>,
  { onProgress, signal }: JobContext,
): Promise<Addresses[]> {
  const isCandidate = findCandidates(input, minPages);
  const asked = input.hosts.filter((host, i) => isCandidate[i] === 1 && known[i]!.length === 0 && !lookups.has(host));
  let next = 0;
  const work = async () => {
    while (next < asked.length) {
      stopIfAborted({ signal }, "no mirrors were stored");
      const host = asked[next++]!;
      lookups.set(host, await resolve(host).catch(() => null));
      onProgress({ step: "looking up hosts", done: next, total: asked.length, unit: "hosts" });
    }
  };
  await Promise.all(Array.from({ length: LOOKUPS_AT_ONCE }, work));
  return known.map((addresses, i) => {
    const found = lookups.get(input.hosts[i]!);
    return addresses.length > 0 || found === undefined ? addresses : found;
  });
}

/** The system's resolver. */
export const resolveByDns: Resolve = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address).sort();

function readHostsFile(file: string): Map<string, string[]> {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new UserError(`hosts file ${file} cannot be read: ${(error as Error).message}`);
  }
  const addresses = new Map<string, string[]>();
  text.split("\n").forEach((line, number) => {
    const [address, ...hosts] = line.replace(/#.*/, "").trim().split(/\s+/);
    if (address === "" || address === undefined) return;
    if (!/^[\da-f.:]{3,45}(?:%\w+)?$/i.test(address) || hosts.length === 0) {
      throw new DataError(`expected an address and its hosts, got "${line.trim()}"`, `${file}:${number + 1}`);
    }
    for (const host of hosts.map((name) => name.toLowerCase())) {
      const known = addresses.get(host);
      if (known === undefined) addresses.set(host, [address]);
      else known.push(address);
    }
  });
  return addresses;
}
