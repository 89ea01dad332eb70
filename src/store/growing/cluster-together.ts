/** New documents and the old ones that they may join, clustered with what is known about these. */
import type { JobContext } from "../../model.js";
import { clusterPages, type SupershingleLevel } from "../../pages/cluster.js";
import { findRoot, union } from "../../pages/union-find.js";
import type { Candidates } from "./candidates.js";
import { copyColumn, RECORD_WORDS, ROOT_WORD } from "./record.js";

/** The old clusters (or documents alone) that were looked at, the root that each has by now, and the roots of new documents. */
export interface Together {
  readonly old: Uint32Array;
  readonly now: Uint32Array;
  readonly roots: Uint32Array;
}

export async function clusterTogether(
  { count, records }: Candidates,
  coming: Uint32Array,
  added: number,
  before: number,
  level: SupershingleLevel,
  context: JobContext,
): Promise<Together> {
  const rows = count + added;
  const readColumn = (column: number, into: BigUint64Array) => {
    const words = new Uint32Array(into.buffer, into.byteOffset, 2 * rows);
    copyColumn(records, count, column, words);
    copyColumn(coming, added, column, words.subarray(2 * count));
  };
  // Few enough that threads would cost more to start than they save.
  const { root: place } = await clusterPages({ documents: rows, readColumn }, { level, threads: 0, ...context });
  const parent = place.slice();
  // The first document of the cluster that a row is in already, and some row of each old cluster.
  const known = new Uint32Array(rows);
  const rowOf = new Map<number, number>();
  for (let row = 0; row < rows; row++) {
    known[row] = row < count ? records[row * RECORD_WORDS + ROOT_WORD]! : before + row - count;
    if (row >= count) continue;
    const other = rowOf.get(known[row]!);
    if (other === undefined) rowOf.set(known[row]!, row);
    else union(parent, other, row);
  }
  const oldest = known.slice();
  for (let row = 0; row < rows; row++) {
    const top = findRoot(parent, row);
    oldest[top] = Math.min(oldest[top]!, known[row]!);
  }
  const rootOf = (row: number) => oldest[findRoot(parent, row)]!;
  const roots = new Uint32Array(added);
  for (let row = 0; row < added; row++) roots[row] = rootOf(count + row);
  const old = Uint32Array.from(rowOf.keys());
  return { old, now: old.map((root) => rootOf(rowOf.get(root)!)), roots };
}
