/** The list that all steps of detection work on. Row r is the r-th URL in forward order, except while the URLs are sorted. */
import { Words } from "./arrays";
import { Counts } from "./counts";

/** Tokens of row r: tokens[starts[r]] .. tokens[starts[r + 1] - 1], anchors included. */
export let tokens = changetype<Words>(0);
export let starts = changetype<Words>(0);
/** Tokens of the longest URL: more than any two have in common. */
export let longest: i32 = 0;
/** BucketSizes of ../buckets.ts: by cell, the least s whose bucket has at most T_low, T_high URLs. */
export let low = changetype<Counts>(0);
export let high = changetype<Counts>(0);

export function lengthOf(row: i32): i32 {
  return starts[row + 1] - starts[row];
}
