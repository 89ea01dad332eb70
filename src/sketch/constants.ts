/** What the kernel (assembly/) and the TypeScript around it must agree on: both import it, so it holds plain numbers only. */

/** Classes of characters; those that separate words have 0. */
export const WORD_CHARACTER = 1;
export const WORD_OF_ITS_OWN = 2;
/** CharacterClasses: bytes of a page, and the most pages there can be. */
export const CLASS_PAGE_BYTES = 64;
export const CLASS_PAGES = 256;

/** Functions; some plans need only the first four. */
export const FEATURES = 84;
/** Shingles whose smallest images are kept together, so that the search for a pre-image need not look at all of them. */
export const BLOCK_SHINGLES = 32;
/** Shingles processed at a time: their fingerprints and the blocks' minima stay in the processor's cache. */
export const SEGMENT_SHINGLES = 2048;
