import type { Scope } from "../model.js";
import { lowerAscii } from "../url/normalize.js";
import { parameterName, queryParameters } from "../url/parameters.js";
import { hostOf, type UrlParts } from "../url/parse.js";

/** Does the scope admit this URL, whose parts are what `parseUrl` said? */
export function inScope(scope: Scope, url: string, parts: UrlParts): boolean {
  const { host, path, script, parameter } = scope;
  if (host !== undefined && !hostMatches(host, hostOf(url, parts))) return false;
  if (path !== undefined && !pathMatches(path, url, parts)) return false;
  if (script !== undefined && scriptOf(url, parts) !== script) return false;
  return parameter === undefined || hasParameter(url, parts, parameter);
}

function hasParameter(url: string, parts: UrlParts, name: string): boolean {
  const at = url.indexOf(name, parts.queryStart);
  if (at < 0 || at >= parts.queryEnd) return false;
  return queryParameters(url, parts).some((parameter) => parameterName(url, parameter) === name);
}

/** Is it a host that a scope can name? URLs have any names that clients make up; one with a "*" would mean others. */
export function isOneHost(host: string): boolean {
  return /^[^*/?#@\s]+$/.test(host);
}

/** The last segment of the path without its parameters: "viewtopic.php" of "/forum/viewtopic.php;v=1?t=2". */
export function scriptOf(url: string, parts: UrlParts): string {
  const { pathStart, pathEnd } = parts;
  let start = pathEnd;
  while (start > pathStart && url.charCodeAt(start - 1) !== 0x2f) start--;
  let end = url.indexOf(";", start);
  if (end < 0 || end > pathEnd) end = pathEnd;
  return url.slice(start, end);
}

/**
 * The URLs that both scopes admit, or undefined where there are none. A scope names one parameter at most: where the two
 * name different ones, the URLs that need only have the first's.
 */
export function intersectScopes(a: Scope, b: Scope): Scope | undefined {
  const host = narrower(a.host, b.host, hostCovers);
  const path = narrower(a.path, b.path, (wide, narrow) => narrow.startsWith(wide));
  const script = narrower(a.script, b.script, (wide, narrow) => wide === narrow);
  if (host === null || path === null || script === null) return undefined;
  const parameter = a.parameter ?? b.parameter;
  return {
    ...(host === undefined ? {} : { host }),
    ...(path === undefined ? {} : { path }),
    ...(script === undefined ? {} : { script }),
    ...(parameter === undefined ? {} : { parameter }),
  };
}

/** Does `outer` admit every URL that `inner` admits? */
export function scopeCovers(outer: Scope, inner: Scope): boolean {
  if (outer.parameter !== undefined && outer.parameter !== inner.parameter) return false;
  const both = intersectScopes(outer, inner);
  return both !== undefined && both.host === inner.host && both.path === inner.path && both.script === inner.script;
}

/** Of two limits the one inside the other; null where neither is; undefined where there are none. */
function narrower(
  a: string | undefined,
  b: string | undefined,
  covers: (wide: string, narrow: string) => boolean,
): string | undefined | null {
  if (a === undefined || b === undefined) return a ?? b;
  if (covers(a, b)) return b;
  return covers(b, a) ? a : null;
}

function hostCovers(wide: string, narrow: string): boolean {
  if (!narrow.startsWith("*.")) return hostMatches(wide, narrow);
  return wide.startsWith("*.") && hostMatches(wide, narrow.slice(2));
}

/** Hosts are compared without regard to the case of ASCII letters, as they are resolved. */
function hostMatches(pattern: string, host: string): boolean {
  if (host === pattern) return true;
  const wanted = lowerAscii(pattern);
  const given = lowerAscii(host);
  if (!wanted.startsWith("*.")) return given === wanted;
  return given.endsWith(wanted.slice(1)) || given === wanted.slice(2);
}

/** An empty path stands for "/". */
function pathMatches(prefix: string, url: string, parts: UrlParts): boolean {
  if (parts.pathStart === parts.pathEnd) return prefix === "/";
  return parts.pathEnd - parts.pathStart >= prefix.length && url.startsWith(prefix, parts.pathStart);
}
