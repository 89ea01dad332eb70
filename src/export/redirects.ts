/** What a server's redirect must not do. */
import type { Rule } from "../model.js";
import type { ExportUse } from "./target.js";

/**
 * A server behind one that ends TLS takes every request for http: sent from there to https, a client would come back as
 * http forever.
 */
export function refuseScheme(rule: Rule, use: ExportUse): string | undefined {
  if (use !== "redirect") return undefined;
  const reason = "it changes the scheme: behind a server that ends TLS, that redirect is a loop";
  if (rule.kind === "scheme") return reason;
  if (rule.kind !== "substring") return undefined;
  const scheme = (text: string) => /^(?:https?|)(?![0-9a-z])/i.exec(text)?.[0];
  return scheme(rule.from) === scheme(rule.to) || (!rule.start && scheme(rule.from) === "") ? undefined : reason;
}

// Clients write some URLs otherwise before they ask for them: browsers encode quotes, also the one of "?q='", read a backslash as a slash
// and resolve dot segments; a default port and small hex digits are gone after safe normalization. Sent to such a URL, a client comes back
// with another one, and may be sent there again, forever. So nobody is sent to a URL that is not what every client asks for. Patterns in
// any dialect, for the whole of a URL: without backslashes, braces and what looks ahead.

const IN_PATH = "][A-Za-z0-9._~!$&'()*+,;=:@%/-";
const IN_QUERY = "][A-Za-z0-9._~!$&()*+,;=:@%/?-";

/**
 * Of a Host header, for a class of any dialect: with one of these it is no host, and with what is asked for after it it would be read as a
 * URL of another host or path, whose key would be shared.
 */
export const NOT_IN_HOST = "/?#@\\\\";

/** A URL has to look like this, so that clients are sent there. */
export const SAFE_TARGET = `https?://[a-z0-9._-]+(?::[1-9][0-9]*)?/[${IN_PATH}]*(?:[?][${IN_QUERY}]*)?`;

const DOT = "(?:[.]|%2[Ee])";
/** And not like this: a default port, a dot segment, small hex digits. */
export const unsafeTarget = [
  "(?:http://[^/ ]*:80/[^ ]*|https://[^/ ]*:443/[^ ]*",
  `[^? ]*/${DOT}${DOT}?(?:[/?][^ ]*)?`,
  "[^ ]*%(?:[a-f][0-9A-Fa-f]|[0-9A-F][a-f])[^ ]*)",
].join("|");
