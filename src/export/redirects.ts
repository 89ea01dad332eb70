/** What a server's redirect must not do. */
import type { Rule } from "../model.js";
import type { ExportUse } from "./target.js";

/**
 * A server behind a proxy that ends TLS gets every request as http: if it sent a client to https, the client would come
 * back as http forever.
 */
export function refuseScheme(rule: Rule, use: ExportUse): string | undefined {
  if (use !== "redirect") return undefined;
  const reason = "it changes the scheme: behind a server that ends TLS, that redirect is a loop";
  if (rule.kind === "scheme") return reason;
  if (rule.kind !== "substring") return undefined;
  const scheme = (text: string) => /^(?:https?|)(?![0-9a-z])/i.exec(text)?.[0];
  return scheme(rule.from) === scheme(rule.to) || (!rule.start && scheme(rule.from) === "") ? undefined : reason;
}

// Clients rewrite some URLs before they request them: browsers encode quotes, including the one in "?q='", read a
// backslash as a slash and resolve dot segments; safe normalization removes a default port and small hex digits. A
// client that is sent to such a URL comes back with a different one, and may be sent there again, forever. So nobody is
// sent to a URL unless every client requests it exactly as written. These are patterns in any dialect, for the whole of
// a URL: without backslashes, braces and lookahead.

const IN_PATH = "][A-Za-z0-9._~!$&'()*+,;=:@%/-";
const IN_QUERY = "][A-Za-z0-9._~!$&()*+,;=:@%/?-";

/**
 * For a character class in any dialect: a Host header with one of these is not a host, and together with the requested
 * path it would be read as a URL of another host or path, whose key would be shared.
 */
export const NOT_IN_HOST = "/?#@\\\\";

/** Clients are sent only to URLs that look like this. */
export const SAFE_TARGET = `https?://[a-z0-9._-]+(?::[1-9][0-9]*)?/[${IN_PATH}]*(?:[?][${IN_QUERY}]*)?`;

const DOT = "(?:[.]|%2[Ee])";
/** And not like this: a default port, a dot segment, small hex digits. */
export const unsafeTarget = [
  "(?:http://[^/ ]*:80/[^ ]*|https://[^/ ]*:443/[^ ]*",
  `[^? ]*/${DOT}${DOT}?(?:[/?][^ ]*)?`,
  "[^ ]*%(?:[a-f][0-9A-Fa-f]|[0-9A-F][a-f])[^ ]*)",
].join("|");
