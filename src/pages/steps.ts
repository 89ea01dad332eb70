/** One column's group-by as an order that a thread can be sent, and its execution. */
import { SUPERSHINGLES } from "../sketch/sketch.js";
import {
  type BucketTables,
  type BucketVisitor,
  countPartitions,
  NOBODY,
  type PartitionGrouper,
  type Pass,
  SHARING,
  SKETCHED,
  scatterDocuments,
} from "./buckets.js";
import { union } from "./union-find.js";

/** What one column's group-by reads and writes, by the number of a column of leaders. */
export interface Step {
  readonly minState: number;
  /** Leaders that already group. */
  readonly within: number | undefined;
  /** Leaders to fill. */
  readonly leader: number | undefined;
  /** Leaders 0 ... earlier - 1 are searched for buckets. */
  readonly earlier: number;
}

export function similarStep(column: number): Step {
  return {
    // Whoever shared nothing before the last column can no more share two.
    minState: column === SUPERSHINGLES - 1 ? SHARING : SKETCHED,
    within: undefined,
    leader: column < SUPERSHINGLES - 1 ? column : undefined,
    earlier: column,
  };
}

/**
 * One table on all six: each column refines the groups of the columns before it. Two columns of leaders take turns, and
 * whom a column leaves alone must not keep the leader of two columns ago.
 */
export function identicalStep(tables: BucketTables, column: number): Step {
  tables.leaders[column % 2]!.fill(NOBODY);
  return {
    minState: SKETCHED,
    within: column === 0 ? undefined : (column - 1) % 2,
    leader: column % 2,
    earlier: 0,
  };
}

export interface Order {
  readonly phase: "count" | "scatter" | "group";
  readonly step: Step;
}

/** Carries out one phase for one thread's share. */
export function perform(grouper: PartitionGrouper, thread: number, order: Order, visitor: BucketVisitor): void {
  const { tables } = grouper;
  const { minState, within, leader, earlier } = order.step;
  const pass: Pass = within === undefined ? { minState } : { minState, within: tables.leaders[within]! };
  if (order.phase === "count") countPartitions(tables, thread, pass);
  else if (order.phase === "scatter") scatterDocuments(tables, thread, pass);
  else {
    grouper.groupPartitions(
      pass,
      leader === undefined ? undefined : tables.leaders[leader],
      tables.leaders.slice(0, earlier),
      earlier === 0 ? undefined : visitor,
    );
  }
}

export function unionVisitor(parent: Uint32Array): BucketVisitor {
  return {
    skipsJoined: true,
    beginRun: () => {},
    pair: (first, document) => union(parent, first, document),
  };
}
