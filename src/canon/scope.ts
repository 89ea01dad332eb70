import type { ParameterCondition, Scope } from "../model.js";
import { lowerAscii } from "../url/normalize.js";
import { parameterName, queryParameters } from "../url/parameters.js";
import { hostOf, type UrlParts } from "../url/parse.js";

/** Does the scope admit this URL, whose parts are what `parseUrl` said? */
export function inScope(scope: Scope, url: string, parts: UrlParts): boolean {
  const { host, path, script, parameters } = scope;
  if (host !== undefined && !hostMatches(host, hostOf(url, parts))) return false;
  if (path !== undefined && !pathMatches(path, url, parts)) return false;
  if (script !== undefined && !scriptMatches(script, url, parts)) return false;
  for (const name in parameters) if (!meetsCondition(url, parts, name, parameters[name]!)) return false;
  return true;
}

function meetsCondition(url: string, parts: UrlParts, name: string, condition: ParameterCondition): boolean {
  const at = url.indexOf(name, parts.queryStart);
  if (at < 0 || at >= parts.queryEnd) return condition === false;
  let isThere = false;
  for (const parameter of queryParameters(url, parts)) {
    if (parameterName(url, parameter) !== name) continue;
    if (typeof condition === "boolean") return condition;
    if (url.slice(parameter.valueStart, parameter.end) !== condition) return false;
    isThere = true;
  }
  return isThere || condition === false;
}

/** The conditions on parameters, by name, so that equal scopes list them alike. */
export function conditionsOf({ parameters = {} }: Scope): [name: string, condition: ParameterCondition][] {
  return Object.entries(parameters).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** A condition in words: "with" or "without" and "?t", or "with" and "?page=1". */
export function conditionWords([name, condition]: readonly [string, ParameterCondition]): {
  readonly word: "with" | "without";
  readonly text: string;
} {
  if (typeof condition === "string") return { word: "with", text: `?${name}=${condition}` };
  return { word: condition ? "with" : "without", text: `?${name}` };
}

/** Is it a host that a scope can name? URLs have any names that clients make up; one with a "*" would mean others. */
export function isOneHost(host: string): boolean {
  return /^[^*/?#@\s]+$/.test(host);
}

/** Does the path, without the parameters of its last segment, end in "/" and this name? */
function scriptMatches(script: string, url: string, { pathStart, pathEnd }: UrlParts): boolean {
  if (pathStart === pathEnd) return script === "";
  let end = url.indexOf(";", url.lastIndexOf("/", pathEnd - 1));
  if (end < 0 || end > pathEnd) end = pathEnd;
  const start = end - script.length;
  return start > pathStart && url.charCodeAt(start - 1) === 0x2f && url.startsWith(script, start);
}

/** The URLs that both scopes admit, or undefined where there are none. */
export function intersectScopes(a: Scope, b: Scope): Scope | undefined {
  const host = narrower(a.host, b.host, hostCovers);
  const path = narrower(a.path, b.path, (wide, narrow) => narrow.startsWith(wide));
  const script = narrower(a.script, b.script, (wide, narrow) => `/${narrow}`.endsWith(`/${wide}`));
  const parameters = bothConditions(a.parameters, b.parameters);
  if (host === null || path === null || script === null || parameters === null) return undefined;
  return {
    ...(host === undefined ? {} : { host }),
    ...(path === undefined ? {} : { path }),
    ...(script === undefined ? {} : { script }),
    ...(parameters === undefined ? {} : { parameters }),
  };
}

function bothConditions(a: Scope["parameters"], b: Scope["parameters"]): Scope["parameters"] | null {
  if (a === undefined || b === undefined) return a ?? b;
  const both: Record<string, ParameterCondition> = { ...a };
  for (const [name, condition] of Object.entries(b)) {
    const strictest = narrower(both[name], condition, conditionCovers);
    if (strictest === null || strictest === undefined) return null;
    both[name] = strictest;
  }
  return both;
}

/** A parameter with a value is there. */
function conditionCovers(wide: ParameterCondition, narrow: ParameterCondition): boolean {
  return wide === narrow || (wide === true && typeof narrow === "string");
}

/** Does `outer` admit every URL that `inner` admits? */
export function scopeCovers(outer: Scope, inner: Scope): boolean {
  const both = intersectScopes(outer, inner);
  if (both === undefined || both.host !== inner.host || both.path !== inner.path || both.script !== inner.script) {
    return false;
  }
  return conditionsOf(both).every(([name, condition]) => inner.parameters?.[name] === condition);
}

/** Of two limits the one inside the other; null where neither is; undefined where there are none. */
function narrower<T>(
  a: T | undefined,
  b: T | undefined,
  covers: (wide: T, narrow: T) => boolean,
): T | undefined | null {
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
