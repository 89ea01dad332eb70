/** What the kernel of `jobs/canon/` and the TypeScript here must agree on: both import it, so it holds plain numbers only. */

// What begins at a pair of bytes: a literal at its first, a parameter's name at its second (after "?", "&" or ";").
export const LITERAL = 1;
export const NAME = 2;
/** One of them is too short to be known by the four bytes from here on. */
export const SHORT = 4;
/** The first byte is a "?", and some rule asks for the query's shape. */
export const QUERY = 8;
/** It may begin in the URL's scheme or host. */
export const IN_ORIGIN = 16;

// What begins with four bytes: something shorter than eight, something of which eight bytes tell more.
export const FOUR_TELL = 1;
export const EIGHT_TELL = 2;
/** What begins with eight bytes, of which the hash mixes both halves. */
export const EIGHT_BEGIN = 4;

// What a node of the trie has; the low eight bits are the byte that leads to its first child, which is the next node.
export const FIRST_BYTE = 0xff;
export const HAS_RULES = 0x100;
export const HAS_CHILD = 0x200;
export const HAS_MORE_CHILDREN = 0x400;

/** Bytes are hashed by multiplying with this number. */
export const HASH_FACTOR = 0x9e3779b1;

// Shapes of a URL, as a set of bits.
/** The path has an upper case ASCII letter. */
export const UPPER_CASE_PATH = 1;
/** A parameter of the query has no value. */
export const EMPTY_PARAMETER = 2;
/** The query's parameters are not in the order of their names. */
export const UNSORTED_PARAMETERS = 4;
/** Two parameters of the query have one name. */
export const REPEATED_PARAMETER = 8;
/** The path has something at its end: a slash, or a name. */
export const PATH_ENDS_IN_SLASH = 16;
export const PATH_ENDS_IN_NAME = 32;
/** What the URL begins with: its scheme, and "www." or another host. */
export const HTTP = 64;
export const HTTPS = 128;
export const WWW_HOST = 256;
export const OTHER_HOST = 512;
/** Two slashes follow each other in the path. */
export const REPEATED_SLASH = 1024;

export const ORIGIN_SHAPES = 960;
export const PATH_SHAPES = 1073;
/** Shapes that only a query has. */
export const QUERY_SHAPES = 14;

/** URLs of fewer bytes are not in the filter of an alias table. */
export const FILTERED_BYTES = 16;
