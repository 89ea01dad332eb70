import { availableParallelism } from "node:os";
import { InterruptedError } from "../errors.js";
import type { JobContext, UrlList } from "../model.js";
import { longestUrl, type Sorted, sortUrls } from "./detect/order.js";
import { joinStep, prepare, supportStep } from "./detect/steps.js";
import { joinShares, type PairTable } from "./detect/table.js";
import { Threads } from "./detect/threads.js";
import { type TokenTable, tokenizeColumn } from "./detect/tokens.js";
import type { LikelyMode } from "./likely-similar.js";

export { type LikelyPair, type PairTable, readPair } from "./detect/table.js";

export interface DetectOptions {
  /** S: the longest substring, in tokens with anchors. */
  readonly maxTokens: number;
  /** T_low and T_high: larger buckets are overflowing. */
  readonly lowBucket: number;
  readonly highBucket: number;
  /** MS: the least support at T_low. */
  readonly minSupport: number;
  readonly likely: LikelyMode;
  /** k: equal values of two sketches. */
  readonly sketchMatches: number;
  /** Worker threads; 1 works on the calling thread. */
  readonly threads: number;
}

/** The paper's values (thesis 6.2, 6.3). */
export const detectDefaults: DetectOptions = {
  maxTokens: 35,
  lowBucket: 6,
  highBucket: 11,
  minSupport: 3,
  likely: "auto",
  sketchMatches: 4,
  threads: availableParallelism(),
};

/** Below this many URLs, threads take longer to start than they save. */
const FEW_URLS = 30_000;

/**
 * Figure 1 (Bar-Yossef, Keidar, Schonfeld 2007), exactly: all pairs of substrings with a T_low support of at least MS, in no
 * order; `eliminateRedundancies` sorts them. Supports at T_low and T_high come from one pass. The URLs must be unique.
 */
export async function detectLikelyPairs(
  list: UrlList,
  options: DetectOptions,
  context: JobContext,
): Promise<PairTable> {
  const step = (name: string, done: number) => {
    if (context.signal.aborted) throw new InterruptedError("detection was cancelled");
    context.onProgress({ step: `detect: ${name}`, done, total: 5, unit: "steps" });
  };
  const { threads: shares } = options;
  const threads = shares > 1 && list.urls.count >= FEW_URLS ? new Threads(shares, context.signal) : undefined;
  try {
    step("tokens", 0);
    const table = tokenizeColumn(list.urls);
    const longest = longestUrl(table);
    step("sort", 1);
    const [forward, backward] = await sortBoth(table, longest, threads);
    step("prepare", 2);
    const prepared = prepare(table, forward, backward, list, options);
    if (threads === undefined) {
      step("buckets", 3);
      const joined = [joinStep(prepared, 0, 1)];
      step("supports", 4);
      return joinShares([supportStep(prepared, joined, 0, 1)], prepared.list.table, prepared.order);
    }
    const eachShare = <Result>(make: (share: number) => Result) => Array.from({ length: shares }, (_, i) => make(i));
    step("buckets", 3);
    const joined = await threads.run(eachShare((share) => ({ step: "join", args: [prepared, share, shares] })));
    step("supports", 4);
    const found = await threads.run(
      eachShare((share) => ({ step: "support", args: [prepared, joined, share, shares] })),
    );
    return joinShares(found, prepared.list.table, prepared.order);
  } finally {
    await threads?.stop();
  }
}

async function sortBoth(table: TokenTable, longest: number, threads: Threads | undefined): Promise<[Sorted, Sorted]> {
  if (threads === undefined) return [sortUrls(table, "forward", longest), sortUrls(table, "backward", longest)];
  const [forward, backward] = await threads.run([
    { step: "sort", args: [table, "forward", longest] },
    { step: "sort", args: [table, "backward", longest] },
  ]);
  return [forward!, backward!];
}
