/** One thread of `CopyThreads`. */
import { fromRecipe } from "../../canon/aliases.js";
import { lineFields } from "../../input/url-fields.js";
import { answerQuestions } from "../../thread.js";
import { RecordCopier } from "./records.js";
import type { CopiedBlock, CopyTask } from "./threads.js";

answerQuestions(
  ({ recipe, column }: CopyTask) => {
    const canon = fromRecipe(recipe);
    const fields = lineFields(column);
    return (lines: Uint8Array): CopiedBlock => {
      const before = canon.unsettled.count;
      const known = canon.unsettled.samples.length;
      const copier = new RecordCopier(canon, { dedupe: false });
      const { output } = copier.copy(Buffer.from(lines.buffer, lines.byteOffset, lines.length), fields, true);
      return {
        output,
        counts: copier.counts,
        unsettled: { count: canon.unsettled.count - before, samples: canon.unsettled.samples.slice(known) },
      };
    };
  },
  ({ output }) => [output.buffer as ArrayBuffer],
);
