/** What the kernel (assembly/) and the TypeScript around it must agree on: both import it, so it holds plain numbers only. */

/** Sets of shapes that rules may ask for: there are ten kinds of such rules, most with two directions. */
export const MAX_SHAPES = 64;

/** Nobody has a URL of this many bytes: such lines are for others to look at. */
export const LONG_LINE = 65536;
