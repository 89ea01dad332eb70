import { availableParallelism } from "node:os";
import { InvariantError, UserError } from "../errors.js";
import type { JobContext } from "../model.js";
import { stopIfAborted } from "../progress.js";
import { SUPERSHINGLES } from "../sketch/sketch.js";
import { Thread } from "../thread.js";
import {
  type BucketTables,
  type BucketVisitor,
  makeTables,
  NOBODY,
  PartitionGrouper,
  placePartitions,
  SKETCHED,
  UNSKETCHED,
} from "./buckets.js";
import {
  IDENTICAL_LEADERS,
  identicalPass,
  type Order,
  perform,
  SIMILAR_LEADERS,
  similarPass,
  unionVisitor,
} from "./steps.js";
import { flatten, makeSets, setSizes } from "./union-find.js";

/**
 * "similar": two supershingles in common; "identical": all six (Fetterly et al. 2004, section 3). "related" is beyond the
 * paper: see related.ts.
 */
export const clusterLevels = ["similar", "identical", "related"] as const;
export type ClusterLevel = (typeof clusterLevels)[number];
/** Those that supershingles alone tell. */
export type SupershingleLevel = Exclude<ClusterLevel, "related">;

/** Documents in the order of their URLs: then the smallest document of a cluster, its root, has its smallest URL. */
export interface SupershingleSource {
  readonly documents: number;
  /** Non-zero for documents with a sketch; all have one if absent. The others are never clustered. */
  readonly sketched?: Uint8Array;
  /**
   * Fills in supershingle `column` (0 to 5) of every document; what it leaves for unsketched documents is ignored.
   * Called once per column, in order, always with the same shared array, so that one column is in memory at a time.
   */
  readColumn(column: number, into: BigUint64Array): void | Promise<void>;
}

export interface ClusterOptions extends Partial<JobContext> {
  readonly level?: SupershingleLevel;
  /** Worker threads; 0 works in this thread. Default: one per core, none where there is little to do. */
  readonly threads?: number;
}

/** The paper's cluster map. */
export interface ClusterMap {
  /** Smallest document of the cluster; the document itself if it is alone or without a sketch. */
  readonly root: Uint32Array;
  /** Documents in the cluster: 1 if it is alone, 0 without a sketch. */
  readonly size: Uint32Array;
}

/** What an interrupted clustering leaves. */
const REMAINDER = "no clusters were stored";
/** Below this, starting threads takes longer than the work. */
const FEW_DOCUMENTS = 200_000;

/** Columns that are already in memory, supershingle by supershingle: column i is values[i * documents ...]. */
export function fromColumns(values: BigUint64Array, sketched?: Uint8Array): SupershingleSource {
  const documents = values.length / SUPERSHINGLES;
  if (!Number.isInteger(documents)) {
    throw new InvariantError(`${values.length} supershingles: expected ${SUPERSHINGLES} for each document`);
  }
  return {
    documents,
    ...(sketched && { sketched }),
    readColumn: (column, into) => into.set(values.subarray(column * documents, (column + 1) * documents)),
  };
}

/** Clusters of near-duplicate documents: the same for any number of threads. */
export async function clusterPages(source: SupershingleSource, options: ClusterOptions = {}): Promise<ClusterMap> {
  const { documents } = source;
  if (documents >= NOBODY) throw new UserError(`${documents} documents: expected fewer than ${NOBODY}`);
  const threads = options.threads ?? (documents < FEW_DOCUMENTS ? 0 : availableParallelism());
  const level = options.level ?? "similar";
  const parent = new Uint32Array(new SharedArrayBuffer(4 * documents));
  makeSets(parent);
  const tables = makeTables(documents, Math.max(1, threads), level === "similar" ? SIMILAR_LEADERS : IDENTICAL_LEADERS);
  markSketched(tables, source.sketched);

  const crew =
    threads === 0 ? inlineCrew(tables, unionVisitor(parent)) : workerCrew(tables, parent, threads, options.signal);
  try {
    const into = new BigUint64Array(tables.words.buffer);
    for (let column = 0; column < SUPERSHINGLES; column++) {
      stopIfAborted(options, REMAINDER);
      await source.readColumn(column, into);
      const pass = level === "similar" ? similarPass(column) : identicalPass(column);
      // Whom a column leaves alone must not keep the leader of two columns ago.
      if (level === "identical") clearLeaders(tables, column % IDENTICAL_LEADERS);
      await crew.perform({ phase: "count", pass });
      placePartitions(tables);
      await crew.perform({ phase: "scatter", pass });
      await crew.perform({ phase: "group", pass });
      options.onProgress?.({ step: "cluster", done: column + 1, total: SUPERSHINGLES, unit: "supershingles" });
    }
  } finally {
    await crew.end();
  }
  if (level === "similar") flatten(parent);
  else adoptLeaders(parent, tables, (SUPERSHINGLES - 1) % IDENTICAL_LEADERS);
  return { root: parent, size: setSizes(parent, tables.state) };
}

/** The same clusters with other roots: in each the document with the smallest `rank`, where documents are in no order. */
export function rootsByRank(root: Uint32Array, rank: Uint32Array): Uint32Array {
  const best = new Uint32Array(root.length);
  for (let document = 0; document < root.length; document++) best[document] = document;
  for (let document = 0; document < root.length; document++) {
    const cluster = root[document]!;
    if (rank[document]! < rank[best[cluster]!]!) best[cluster] = document;
  }
  return root.map((cluster) => best[cluster]!);
}

function markSketched(tables: BucketTables, sketched: Uint8Array | undefined): void {
  if (sketched === undefined) tables.state.fill(SKETCHED);
  else {
    for (let document = 0; document < tables.documents; document++) {
      tables.state[document] = sketched[document] === 0 ? UNSKETCHED : SKETCHED;
    }
  }
}

function clearLeaders({ leaders, leaderColumns }: BucketTables, column: number): void {
  for (let cell = column; cell < leaders.length; cell += leaderColumns) leaders[cell] = NOBODY;
}

function adoptLeaders(parent: Uint32Array, { leaders, leaderColumns }: BucketTables, column: number): void {
  for (let document = 0; document < parent.length; document++) {
    const root = leaders[document * leaderColumns + column]!;
    if (root !== NOBODY) parent[document] = root;
  }
}

// -------------------------------------------------------------------------------------------------------- the crew

/** Who does the work: this thread, or workers that share the tables. */
interface Crew {
  perform(order: Order): Promise<void>;
  end(): Promise<void>;
}

function inlineCrew(tables: BucketTables, visitor: BucketVisitor): Crew {
  const grouper = new PartitionGrouper(tables);
  return {
    perform: async (order) => perform(grouper, 0, order, visitor),
    end: async () => {},
  };
}

/** What a worker is started with. */
export interface WorkerStart {
  readonly tables: BucketTables;
  readonly parent: Uint32Array;
  readonly thread: number;
}

function workerCrew(tables: BucketTables, parent: Uint32Array, threads: number, signal: AbortSignal | undefined): Crew {
  const file = new URL("./cluster-worker.js", import.meta.url);
  const crew = Array.from({ length: threads }, (_, thread) => {
    const data: WorkerStart = { tables, parent, thread };
    return new Thread<Order, void>(file, { data, ...(signal !== undefined && { signal, remainder: REMAINDER }) });
  });
  return {
    perform: async (order) => {
      await Promise.all(crew.map((thread) => thread.ask(order)));
    },
    end: async () => {
      await Promise.all(crew.map((thread) => thread.end()));
    },
  };
}
