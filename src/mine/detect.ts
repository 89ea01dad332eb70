import { availableParallelism } from "node:os";
import type { JobContext, UrlList } from "../model.js";
import { stopIfAborted } from "../progress.js";
import { createMemory, Heap } from "../wasm/heap.js";
import { CLASS_TOKENS, divideByClass } from "./detect/classes.js";
import { Kernel, type KernelSource, kernelSource } from "./detect/kernel.js";
import { type Sorted, sortUrls } from "./detect/order.js";
import { joinStep, prepare, supportStep } from "./detect/steps.js";
import { joinShares, type PairTable } from "./detect/table.js";
import { Threads } from "./detect/threads.js";
import { tokenizeColumn } from "./detect/tokenize.js";
import type { TokenTable } from "./detect/tokens.js";
import type { LikelySimilarOptions } from "./likely-similar.js";

export { type LikelyPair, type PairTable, readPair } from "./detect/table.js";

export interface DetectOptions extends LikelySimilarOptions {
  /** S: the longest substring, in tokens with anchors. */
  readonly maxTokens: number;
  /** T_low and T_high: larger buckets are overflowing. */
  readonly lowBucket: number;
  readonly highBucket: number;
  /** MS: the least support at T_low. */
  readonly minSupport: number;
  /** Worker threads; 1 works on the calling thread, which then hears nobody cancel it within a step. */
  readonly threads: number;
  /** Is the calling thread one of them? Only for callers that may be ended in the middle, since it hears nobody meanwhile. Default: no. */
  readonly worksHere?: boolean;
}

/** The paper's values (thesis 6.2, 6.3) except for the plan. */
export const detectDefaults: DetectOptions = {
  maxTokens: 35,
  lowBucket: 6,
  highBucket: 11,
  minSupport: 3,
  likely: "auto",
  sketchMatches: 4,
  plan: "ours",
  threads: Math.max(2, availableParallelism()),
};

/** Below this many URLs, threads take longer to start than they save. */
const FEW_URLS = 30_000;
/** Every thread of the join has sequences of all URLs, 12 bytes each: this many URLs times threads are three quarters of a GB. */
const MOST_SEQUENCED = 64_000_000;

/**
 * Figure 1 (Bar-Yossef, Keidar, Schonfeld 2007), exactly: all pairs of substrings with a T_low support of at least MS, in no
 * order; `eliminateRedundancies` sorts them. Supports at T_low and T_high come from one pass. The URLs must be unique.
 *
 * Where the class of each URL is given (on shared memory), a bucket holds URLs of one class: T then bounds how many of one
 * class share an envelope, and what is of one class is similar.
 */
export async function detectLikelyPairs(
  list: UrlList,
  options: DetectOptions,
  context: JobContext,
  memory = createMemory(),
  classOf?: Uint32Array,
): Promise<PairTable> {
  const step = async (name: string, done: number) => {
    // Else nobody could cancel what this thread does itself.
    await new Promise(setImmediate);
    stopIfAborted(context, "no rule was written");
    context.onProgress({ step: `detect: ${name}`, done, total: 5, unit: "steps" });
  };
  const { count } = list.urls;
  const shares = count < FEW_URLS ? 1 : Math.min(options.threads, Math.floor(MOST_SEQUENCED / count));
  const threads = shares > 1 ? new Threads(shares, context.signal, options.worksHere === true) : undefined;
  try {
    await step("tokens", 0);
    const heap = new Heap(memory);
    const tokenized = tokenizeColumn(list.urls, heap);
    const table = classOf === undefined ? tokenized : divideByClass(tokenized, classOf, heap);
    const lead = classOf === undefined ? 0 : CLASS_TOKENS;
    const source = kernelSource(heap, table.longest);
    const kernel = new Kernel(source, heap);
    await step("sort", 1);
    const [forward, backward] = await sortBoth(kernel, source, table, threads);
    await step("prepare", 2);
    const prepared = prepare(kernel, table, forward, backward, list, options, classOf);
    if (threads === undefined) {
      await step("buckets", 3);
      const joined = [joinStep(kernel, prepared, 0, 1)];
      await step("supports", 4);
      return joinShares([supportStep(kernel, prepared, joined, 0, 1)], table, prepared.order, lead);
    }
    const eachShare = <Result>(make: (share: number) => Result) => Array.from({ length: shares }, (_, i) => make(i));
    await step("buckets", 3);
    const joined = await threads.run(
      kernel,
      source,
      eachShare((share) => ({ step: "join", args: [prepared, share, shares] })),
    );
    await step("supports", 4);
    const found = await threads.run(
      kernel,
      source,
      eachShare((share) => ({ step: "support", args: [prepared, joined, share, shares] })),
    );
    return joinShares(found, table, prepared.order, lead);
  } finally {
    await threads?.stop();
  }
}

async function sortBoth(
  kernel: Kernel,
  source: KernelSource,
  table: TokenTable,
  threads: Threads | undefined,
): Promise<[Sorted, Sorted]> {
  if (threads === undefined) return [sortUrls(kernel, table, "forward"), sortUrls(kernel, table, "backward")];
  const [forward, backward] = await threads.run(kernel, source, [
    { step: "sort", args: [table, "forward"] },
    { step: "sort", args: [table, "backward"] },
  ]);
  return [forward!, backward!];
}
