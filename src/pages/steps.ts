/** One phase of one column's group-by, as an order that a thread can be sent, and its execution. */
import { SUPERSHINGLES } from "../sketch/sketch.js";
import { type BucketVisitor, countPartitions, type PartitionGrouper, type Pass, scatterDocuments } from "./buckets.js";
import { union } from "./union-find.js";

export interface Order {
  readonly phase: "count" | "scatter" | "group";
  readonly pass: Pass;
}

/** Leaders that level "similar" keeps: nobody searches those of the last column. */
export const SIMILAR_LEADERS = SUPERSHINGLES - 1;

export function similarPass(column: number): Pass {
  const isLast = column === SUPERSHINGLES - 1;
  return {
    // A document that shared nothing before the last column cannot share two any more.
    sharingOnly: isLast,
    within: undefined,
    leader: isLast ? undefined : column,
    earlier: column,
  };
}

/** Level "identical" is one table on all six: each column refines the groups of the column before, taking turns. */
export const IDENTICAL_LEADERS = 2;

export function identicalPass(column: number): Pass {
  return {
    sharingOnly: false,
    within: column === 0 ? undefined : (column - 1) % IDENTICAL_LEADERS,
    leader: column % IDENTICAL_LEADERS,
    earlier: 0,
  };
}

/** Carries out one phase for one thread's share. */
export function perform(grouper: PartitionGrouper, thread: number, order: Order, visitor: BucketVisitor): void {
  if (order.phase === "count") countPartitions(grouper.tables, thread, order.pass);
  else if (order.phase === "scatter") scatterDocuments(grouper.tables, thread, order.pass);
  else grouper.groupPartitions(order.pass, visitor);
}

export function unionVisitor(parent: Uint32Array): BucketVisitor {
  return {
    skipsJoined: true,
    beginRun: () => {},
    pair: (first, document) => union(parent, first, document),
  };
}
