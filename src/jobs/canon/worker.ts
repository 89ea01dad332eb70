/** One thread of `CopyThreads`. */
import { readSync } from "node:fs";
import { fromRecipe } from "../../canon/aliases.js";
import { lineFields } from "../../input/url-fields.js";
import { answerQuestions } from "../../thread.js";
import { RecordCopier } from "./records.js";
import type { Block, CopiedBlock, CopyTask } from "./threads.js";

answerQuestions(
  ({ recipe, column }: CopyTask) => {
    const canon = fromRecipe(recipe);
    const fields = lineFields(column);
    const readBlock = blockReader();
    return (block: Block): CopiedBlock => {
      const before = canon.unsettled.count;
      const known = canon.unsettled.samples.length;
      const copier = new RecordCopier(canon, { dedupe: false });
      const bytes = readBlock(block);
      const { output } = copier.copy(bytes, fields, true);
      return {
        // What is in the reader's memory stays there.
        output: output.buffer === bytes.buffer && !("bytes" in block) ? output.slice() : output,
        counts: copier.counts,
        unsettled: { count: canon.unsettled.count - before, samples: canon.unsettled.samples.slice(known) },
      };
    };
  },
  ({ output }) => [output.buffer as ArrayBuffer],
);

/** Reads one block after the other of a file into the same memory. */
function blockReader(): (block: Block) => Buffer {
  let memory = Buffer.alloc(0);
  return (block) => {
    if ("bytes" in block) return Buffer.from(block.bytes.buffer, block.bytes.byteOffset, block.bytes.length);
    const length = block.to - block.from;
    if (memory.length < length) memory = Buffer.allocUnsafeSlow(length);
    let read = 0;
    while (read < length) {
      const more = readSync(block.file, memory, read, length - read, block.from + read);
      // Somebody made the file shorter.
      if (more === 0) break;
      read += more;
    }
    return memory.subarray(0, read);
  };
}
