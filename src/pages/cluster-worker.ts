/** One thread of clusterPages: does its share of each phase on the shared tables. */
import { answerQuestions } from "../thread.js";
import { PartitionGrouper } from "./buckets.js";
import type { WorkerStart } from "./cluster.js";
import { type Order, perform, unionVisitor } from "./steps.js";

answerQuestions(({ tables, parent, thread }: WorkerStart) => {
  const grouper = new PartitionGrouper(tables);
  const visitor = unionVisitor(parent);
  return (order: Order) => perform(grouper, thread, order, visitor);
});
