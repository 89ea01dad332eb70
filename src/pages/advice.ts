/**
 * Which clusters are stable enough to recrawl only one member (Fetterly et al. 2004, section 5): what their members did
 * from snapshot to snapshot says how often one would have missed a change by fetching the root alone.
 */
import { NOBODY } from "./buckets.js";
import { DOWNLOADED, eachGroup, type SnapshotPages } from "./evolve.js";
import { sizeClass, sizeClasses } from "./size-class.js";

/** A trial is a member and its root in one snapshot, both downloaded in the next: did it leave? */
export interface RecrawlAdvice {
  /** URL number of the cluster's root: the member to fetch. */
  readonly root: number;
  readonly members: number;
  readonly trials: number;
  readonly left: number;
  /** Members that could not be downloaded while the root could: fetching the root alone does not show it. */
  readonly gone: number;
  /** Estimated chance that a member leaves the cluster before the next snapshot. */
  readonly risk: number;
  /** Fetches saved per crawl: all members but one; their bytes, where sizes are known. */
  readonly savedFetches: number;
  readonly savedBytes: number;
  /** Members that are expected to have left unnoticed: risk * savedFetches. */
  readonly expectedMissed: number;
}

export interface Advice {
  /** Worth it, largest saving first. */
  readonly clusters: readonly RecrawlAdvice[];
  /** Sums over `clusters`. */
  readonly savedFetches: number;
  readonly savedBytes: number;
  readonly expectedMissed: number;
  /** Every cluster of the last snapshot that an earlier one says something about, including those that are too risky. */
  readonly measured: readonly (RecrawlAdvice & { readonly isAdvised: boolean })[];
  /** Clusters of the last snapshot that were too risky, or that no earlier snapshot tells anything about. */
  readonly refused: number;
  /** What all clusters of a size class did: their trials, and the share that left. */
  readonly classes: readonly { readonly sizes: string; readonly trials: number; readonly leaving: number }[];
}

/** Looking again every so often would be too often, or too seldom. */
const revisitDays = { least: 1, most: 365 } as const;

/**
 * After how many days to look again at a page that is left out, so that the chance that it has changed meanwhile stays
 * below `maxRisk`; `risk` is that chance within `days`, and pages change at a steady rate.
 */
export function revisitAfterDays(risk: number, days: number, maxRisk = DEFAULT_MAX_RISK): number {
  const rate = -Math.log1p(-Math.min(risk, 0.999)) / days;
  const until = rate === 0 ? revisitDays.most : -Math.log1p(-maxRisk) / rate;
  return Math.min(revisitDays.most, Math.max(revisitDays.least, until));
}

export const DEFAULT_MAX_RISK = 0.05;

/** A cluster's own trials are weighed against this many that went as those of its size class did. */
const CLASS_TRIALS = 10;

export interface AdviceOptions {
  /** Clusters with more risk than this are refused. */
  readonly maxRisk?: number;
  /** Per URL: bytes of a download. */
  readonly bytes?: Float64Array;
}

/**
 * From snapshots in their order. A trial counts for the cluster where the earlier cluster's root is in the last
 * snapshot, so that members that have left since count against it.
 */
export function adviseRecrawl(snapshots: readonly SnapshotPages[], options: AdviceOptions = {}): Advice {
  const maxRisk = options.maxRisk ?? DEFAULT_MAX_RISK;
  const last = snapshots.at(-1);
  const urls = last?.cluster.length ?? 0;
  const trials = new Uint32Array(urls);
  const left = new Uint32Array(urls);
  const gone = new Uint32Array(urls);
  const classTrials = new Float64Array(sizeClasses.length);
  const classLeft = new Float64Array(sizeClasses.length);

  for (let snapshot = 0; snapshot + 1 < snapshots.length; snapshot++) {
    const before = snapshots[snapshot]!;
    const after = snapshots[snapshot + 1]!;
    eachGroup(before.cluster, urls, (root, members) => {
      const next = after.cluster[root]!;
      if (members.length < 2 || next === NOBODY) return;
      const cluster = last!.cluster[root]!;
      const number = sizeClass(members.length);
      for (const member of members) {
        if (member === root) continue;
        if (after.outcome[member] !== DOWNLOADED) {
          if (cluster !== NOBODY) gone[cluster]!++;
          continue;
        }
        const leaves = after.cluster[member] !== next;
        classTrials[number]!++;
        if (leaves) classLeft[number]!++;
        if (cluster === NOBODY) continue;
        trials[cluster]!++;
        if (leaves) left[cluster]!++;
      }
    });
  }

  // Half a departure in one trial more (Jeffreys' prior): nothing seen to leave in ten trials is not proof of never.
  const leaving = (number: number) => (classLeft[number]! + 0.5) / (classTrials[number]! + 1);
  const measured: (RecrawlAdvice & { readonly isAdvised: boolean })[] = [];
  let refused = 0;
  if (last !== undefined) {
    eachGroup(last.cluster, urls, (root, members) => {
      if (members.length < 2) return;
      const prior = leaving(sizeClass(members.length));
      const risk = (left[root]! + CLASS_TRIALS * prior) / (trials[root]! + CLASS_TRIALS);
      const isAdvised = trials[root] !== 0 && risk <= maxRisk;
      if (!isAdvised) refused++;
      if (trials[root] === 0) return;
      const savedFetches = members.length - 1;
      let savedBytes = 0;
      if (options.bytes) for (const member of members) if (member !== root) savedBytes += options.bytes[member]!;
      measured.push({
        isAdvised,
        root,
        members: members.length,
        trials: trials[root]!,
        left: left[root]!,
        gone: gone[root]!,
        risk,
        savedFetches,
        savedBytes,
        expectedMissed: risk * savedFetches,
      });
    });
  }
  measured.sort((a, b) => b.savedFetches - a.savedFetches || a.risk - b.risk || a.root - b.root);
  const clusters = measured.flatMap(({ isAdvised, ...entry }) => (isAdvised ? [entry] : []));
  const total = (of: (advice: RecrawlAdvice) => number) => clusters.reduce((sum, advice) => sum + of(advice), 0);
  return {
    clusters,
    measured,
    savedFetches: total((advice) => advice.savedFetches),
    savedBytes: total((advice) => advice.savedBytes),
    expectedMissed: total((advice) => advice.expectedMissed),
    refused,
    classes: sizeClasses.map((sizes, number) => ({
      sizes,
      trials: classTrials[number]!,
      leaving: classTrials[number] === 0 ? 0 : classLeft[number]! / classTrials[number]!,
    })),
  };
}
