/** One thread of `CopyThreads`. */
import { parentPort, workerData } from "node:worker_threads";
import { fromRecipe } from "../../canon/aliases.js";
import { InvariantError } from "../../errors.js";
import { lineFields } from "../../input/url-fields.js";
import { RecordCopier } from "./records.js";
import type { CopiedBlock, CopyTask } from "./threads.js";

const port = parentPort;
if (port === null) throw new InvariantError("worker.js runs as a worker thread only");
const { recipe, column } = workerData as CopyTask;
const canon = fromRecipe(recipe);
const fields = lineFields(column);

port.on("message", (lines: Uint8Array) => {
  const before = canon.unsettled.count;
  const known = canon.unsettled.samples.length;
  const copier = new RecordCopier(canon, { dedupe: false });
  const { output } = copier.copy(Buffer.from(lines.buffer, lines.byteOffset, lines.length), fields, true);
  const block: CopiedBlock = {
    output,
    counts: copier.counts,
    unsettled: { count: canon.unsettled.count - before, samples: canon.unsettled.samples.slice(known) },
  };
  port.postMessage(block, [output.buffer as ArrayBuffer]);
});
