/** How the values of a run are kept (value-index.ts), for TypeScript and the kernel (assembly/). */

/** A run's documents are numbered by this many bits. */
export const PLACE_BITS = 17;
/** The beginning of a value that is kept: of that, the first bits say in which bucket it is, the others are in its entry. */
export const BEGINNING_BITS = 24;
export const ENTRY_BITS = 32 - PLACE_BITS;
export const BUCKETS = 1 << (BEGINNING_BITS - ENTRY_BITS);
