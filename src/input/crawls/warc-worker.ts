/** The worker thread of warc-pool.ts. */
import { parentPort } from "node:worker_threads";
import { answerBatch, type RecordBatch } from "./warc-pool.js";

parentPort?.on("message", (batch: RecordBatch) => parentPort?.postMessage(answerBatch(batch)));
