import { InterruptedError } from "../errors.js";
import type { JobContext, UrlList } from "../model.js";
import { longestUrl } from "./detect/order.js";
import { joinStep, prepare, sortStep, supportStep } from "./detect/steps.js";
import { joinShares, type PairTable } from "./detect/table.js";
import { tokenizeColumn } from "./detect/tokens.js";
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
  threads: 1,
};

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
  step("tokens", 0);
  const table = tokenizeColumn(list.urls);
  const longest = longestUrl(table);
  step("sort", 1);
  const forward = sortStep(table, "forward", longest);
  const backward = sortStep(table, "backward", longest);
  step("prepare", 2);
  const prepared = prepare(table, forward, backward, list, options);
  step("buckets", 3);
  const joined = joinStep(prepared, 0, 1);
  step("supports", 4);
  const share = supportStep(prepared, [joined], 0, 1);
  return joinShares([share], prepared.list.table, prepared.order);
}
