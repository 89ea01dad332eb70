/** A scope of host and path as a regular expression on URLs, for filter lists, and back. */
import type { Scope } from "../model.js";

const BELOW = "(?:[^\\/?#:]*\\.)?";
const PORT = "(?::\\d*)?";

/** Matches the normal URLs that the scope admits. Case matters: the list says so, or the caller does. */
export function urlPattern({ host, path }: Scope): string {
  if (host === undefined) return `^https?:\\/\\/[^\\/?#]*${escapeLiteral(path ?? "/")}`;
  const own = host.startsWith("*.") ? `${BELOW}${escapeLiteral(host.slice(2))}` : escapeLiteral(host);
  return `^https?:\\/\\/${own}${PORT}${escapeLiteral(path ?? "/")}`;
}

/** The scope that `urlPattern` made this of, or undefined. */
export function scopeOfPattern(pattern: string): Scope | undefined {
  const begin = "^https?:\\/\\/";
  if (!pattern.startsWith(begin)) return undefined;
  const rest = pattern.slice(begin.length);
  const anyHost = "[^\\/?#]*";
  if (rest.startsWith(anyHost)) return scopeIfSame(pattern, {}, rest.slice(anyHost.length));
  const isBelow = rest.startsWith(BELOW);
  const [host, path] = rest.slice(isBelow ? BELOW.length : 0).split(PORT);
  if (path === undefined) return undefined;
  return scopeIfSame(pattern, { host: (isBelow ? "*." : "") + unescapeLiteral(host!) }, path);
}

function scopeIfSame(pattern: string, scope: Scope, path: string): Scope | undefined {
  const prefix = unescapeLiteral(path);
  const whole = { ...scope, ...(prefix !== "/" && { path: prefix }) };
  return urlPattern(whole) === pattern ? whole : undefined;
}

export function escapeLiteral(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

function unescapeLiteral(text: string): string {
  return text.replace(/\\(.)/g, "$1");
}
