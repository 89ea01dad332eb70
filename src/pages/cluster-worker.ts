/** One thread of clusterPages: does its share of each phase on the shared tables, and says when it has. */
import { parentPort, workerData } from "node:worker_threads";
import { InvariantError } from "../errors.js";
import { PartitionGrouper } from "./buckets.js";
import type { WorkerStart } from "./cluster.js";
import { type Order, perform, unionVisitor } from "./steps.js";

const port = parentPort;
if (port === null) throw new InvariantError("cluster-worker.js runs as a worker thread only");
const { tables, parent, thread } = workerData as WorkerStart;
const grouper = new PartitionGrouper(tables);
const visitor = unionVisitor(parent);
port.on("message", (order: Order) => {
  perform(grouper, thread, order, visitor);
  port.postMessage("done");
});
