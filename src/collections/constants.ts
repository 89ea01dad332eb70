/** Numbers on which the counting of common chunks and its kernel (assembly/) agree. */

/** Groups of 128 lists in a block: its rows should stay in the cache. */
export const GROUPS = 8;
