/** One thread of `CopyThreads`. */
import { readSync } from "node:fs";
import { fromRecipe } from "../../canon/aliases.js";
import { lineFields } from "../../input/url-fields.js";
import { answerQuestions } from "../../thread.js";
import { LineFinder } from "./kernel.js";
import { type CanonCounts, RecordCopier } from "./records.js";
import type { CopiedBlock, CopyQuestion, CopyTask } from "./threads.js";

answerQuestions(
  ({ recipe, column }: CopyTask) => {
    const canon = fromRecipe(recipe);
    const fields = lineFields(column);
    const finder = LineFinder.of(canon);
    const copier = new RecordCopier(canon, { dedupe: false });
    copier.searchWith(finder);
    return (block: CopyQuestion): CopiedBlock => {
      const before = canon.unsettled.count;
      const known = canon.unsettled.samples.length;
      const counted = { ...copier.counts };
      const bytes = readBlock(block, finder);
      const { output } = copier.copy(bytes, fields, true, block.memory);
      return {
        // What is in the finder's memory stays there.
        output: finder?.owns(output) ? copyOf(output, block.memory) : (output as Uint8Array<ArrayBuffer>),
        counts: since(counted, copier.counts),
        unsettled: { count: canon.unsettled.count - before, samples: canon.unsettled.samples.slice(known) },
      };
    };
  },
  ({ output }) => [output.buffer],
);

function copyOf(output: Uint8Array, memory: ArrayBuffer | undefined): Uint8Array<ArrayBuffer> {
  // Blocks end with a line, so that most are a little longer than others.
  const isEnough = memory !== undefined && memory.byteLength >= output.length;
  const copy = new Uint8Array(
    isEnough ? memory : new ArrayBuffer(output.length + (output.length >> 4)),
    0,
    output.length,
  );
  copy.set(output);
  return copy;
}

function since(before: CanonCounts, now: CanonCounts): CanonCounts {
  const counts = { ...now };
  for (const key of Object.keys(before) as (keyof CanonCounts)[]) counts[key] -= before[key];
  return counts;
}

function readBlock(block: CopyQuestion, finder: LineFinder | undefined): Buffer {
  if ("bytes" in block) return Buffer.from(block.bytes.buffer, block.bytes.byteOffset, block.bytes.length);
  const length = block.to - block.from;
  const memory = finder?.memoryFor(length) ?? Buffer.allocUnsafeSlow(length);
  let read = 0;
  while (read < length) {
    const more = readSync(block.file, memory, read, length - read, block.from + read);
    // Somebody made the file shorter.
    if (more === 0) break;
    read += more;
  }
  return memory.subarray(0, read);
}
