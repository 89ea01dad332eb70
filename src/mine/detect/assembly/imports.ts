/** What the kernel asks TypeScript for; ../kernel.ts provides it. */

/** The likeness of two rows. */
export declare function likeness(a: i32, b: i32): i32;

/** Does this thread's share take a node that spans several shares? */
export declare function isMine(from: i32, to: i32, depth: i32): bool;

/** Gives a partition of the instances an empty chunk. */
export declare function addChunk(partition: i32): void;

/** Counts the envelopes of a box one by one. */
export declare function takeEnvelopes(
  rows: usize,
  from: i32,
  to: i32,
  p0: i32,
  p1: i32,
  s0: i32,
  s1: i32,
  shortestUrl: i32,
  longestUrl: i32,
): void;

/** The class of the bucket of an envelope (p, s) that holds this row. */
export declare function bucketClass(row: i32, p: i32, s: i32): i32;

/**
 * A pair with support. The instances with its a tokens of left context are [from, to); `first` is one with its b tokens of right
 * context.
 */
export declare function addPair(
  example: i32,
  a: i32,
  b: i32,
  from: i32,
  to: i32,
  first: i32,
  low: i32,
  high: i32,
  confirmed: i32,
): void;
