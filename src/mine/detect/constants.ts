/** What the kernel (assembly/) and the TypeScript around it must agree on: both import it, so it holds plain numbers only. */

/** The anchors are tokens of their own kind: a literal ^ or $ of a URL has another id. */
export const START = 0;
export const END = 1;

/** Words of an instance: URL of A, URL of B, c * FLAGS + flags, e, hash of the core; see instances.ts. */
export const ROW_WORDS = 5;
export const CHUNK_WORDS = ROW_WORDS * 4096;
export const FLAGS = 8;
export const LEFT_ONLY = 1;
/** Known sizes or sketches say that the two documents agree. */
export const KNOWN_SIMILAR = 2;
/** Found at an envelope other than the core's; to be ignored, as a repetition, where the core's bucket is small too. */
export const LATE = 4;

/** Classes of buckets: more than T_high URLs, at most T_high, at most T_low. */
export const LARGE_BUCKET = 0;
export const HIGH_BUCKET = 1;
export const LOW_BUCKET = 2;

/** Ranges of at most this many sequences are sorted by insertion. */
export const FEW = 10;

/** Words of an open interval, of an open right context, and of all the intervals that wait for their turn at a time. */
export const OPEN_WORDS = 4;
export const OPEN_RIGHT_WORDS = 2;
export const WAITING_WORDS = 4 * 64;
