/** The site that a host belongs to. */
import { getDomain } from "tldts";

/** The registrable domain by the public suffix list, private suffixes included; a name or address without one is its own. */
export function siteOfHost(host: string): string {
  return getDomain(host, { allowPrivateDomains: true }) ?? host;
}
