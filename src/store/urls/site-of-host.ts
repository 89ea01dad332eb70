/** The site that a host belongs to. */
import { createRequire } from "node:module";
import type * as Tldts from "tldts";

const require = createRequire(import.meta.url);
/**
 * Loaded when it is first asked for, and by `require`: an `import` of a CommonJS file looks for names through all of it, and
 * this one holds the list of suffixes.
 */
let tldts: typeof Tldts | undefined;

/** The registrable domain by the public suffix list, private suffixes included; a name or address without one is its own. */
export function siteOfHost(host: string): string {
  tldts ??= require("tldts") as typeof Tldts;
  return tldts.getDomain(host, { allowPrivateDomains: true }) ?? host;
}
