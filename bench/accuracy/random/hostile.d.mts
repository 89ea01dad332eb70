import type { Site } from "./site.mjs";

/** Names of what such a server does. */
export const HOSTILE: readonly string[];

/** The site with one of these behaviours: the seed chooses when, and which unless it is named. */
export function makeHostile(site: Site, seed: number, name?: string): Site & { readonly hostile: string };
