/** What the kernel (assembly/) and the TypeScript around it must agree on: both import it, so it holds plain numbers only. */

/** Sets of shapes that rules may ask for: there are ten kinds of such rules, most with two directions. */
export const MAX_SHAPES = 64;

/** Nobody has a URL of this many bytes: such lines are for others to look at. */
export const LONG_LINE = 65536;

// A rule in the kernel's memory: numbers of four bytes at these places, then its texts.
export const NUMBER = 0;
export const OPERATION = 4;
export const FLAGS = 8;
export const FIRST_LENGTH = 12;
export const SECOND_LENGTH = 16;
export const BYTES = 20;

// Operations: query parameters of a name go, those of the path, one text is replaced by another.
export const REMOVE = 1;
export const REMOVE_FROM_PATH = 2;
export const REPLACE = 3;

// Flags: at the URL's end only; again and again until nothing changes.
export const AT_END = 1;
export const IS_REPEATED = 2;

// Of a line that the kernel leaves to others: all of it, or whether its URL is an alias's source, which stays as it is or was changed.
export const OTHER = 0;
export const STAYS = 1;
export const CHANGED = 2;
/** Numbers that it stores of each: where it begins, its URL's length and hash, and one of these. */
export const NUMBERS_OF_OTHER = 4;
