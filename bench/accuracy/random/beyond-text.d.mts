import type { Rule } from "#src/canon/index.js";
import type { Site } from "./site.mjs";

/** By name: the site that a seed makes, and the rules to prove on it where they are not mined. */
export const BEYOND_TEXT: Readonly<
  Record<string, { readonly site: (seed: number) => Site; readonly rules?: readonly Rule[] }>
>;
