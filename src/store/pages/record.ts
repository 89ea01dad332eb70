/** What is kept of each document of a growing crawl, in words of 32 bits: values of two words each, the low one first, then a root. */
import { SUPERSHINGLES } from "../../sketch/sketch.js";

/** The supershingles, and the hash of the URL. */
export const VALUE_COLUMNS = SUPERSHINGLES + 1;
export const HASH_WORD = 2 * SUPERSHINGLES;
export const ROOT_WORD = 2 * VALUE_COLUMNS;
/** One more word is free. */
export const RECORD_WORDS = 16;
