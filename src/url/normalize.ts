/**
 * Safe normalization: named steps that lead to the same request by RFC 3986, sections 6.2.2 and 6.2.3, or that the
 * client never sends (the fragment). Anything that could change the resource is left to rules that are mined and
 * proven: no sorting, no slashes added or removed, and no percent-encoded character decoded, not even "%7E", since
 * servers do tell the two spellings apart.
 */

import { parseUrl, type UrlParts } from "./parse.js";
import { isAlphanumeric } from "./tokenize.js";

/** In the order in which they are done. The i-th step is bit 1 << i of a mask. */
export const allSteps = [
  /** "HTTP://a/" -> "http://a/" */
  "schemeCase",
  /** "http://A.test/" -> "http://a.test/" (ASCII letters) */
  "hostCase",
  /** "http://a:80/", "https://a:443/" and "http://a:/" -> without the port */
  "defaultPort",
  /** "http://a/b#c" -> "http://a/b" */
  "fragment",
  /** "http://a" -> "http://a/", "http://a?b" -> "http://a/?b" */
  "emptyPath",
  /** "/a/./b/../c" -> "/a/c" (RFC 3986, 5.2.4; "%2e" is not a dot here) */
  "dotSegments",
  /** "%7e" -> "%7E", in path and query */
  "percentCase",
] as const;

export type NormalizationStep = (typeof allSteps)[number];

/** A set of steps. */
export type NormalizationMask = number;

const SCHEME_CASE = 1;
const HOST_CASE = 2;
const DEFAULT_PORT = 4;
const FRAGMENT = 8;
const EMPTY_PATH = 16;
const DOT_SEGMENTS = 32;
const PERCENT_CASE = 64;

export const ALL_NORMALIZATION_STEPS: NormalizationMask = 127;

export interface Normalized {
  readonly url: string;
  /** The steps that changed the URL; 0 where it was already normal. */
  readonly changed: NormalizationMask;
}

export function normalizationMask(steps: Iterable<NormalizationStep>): NormalizationMask {
  let mask = 0;
  for (const step of steps) mask |= 1 << allSteps.indexOf(step);
  return mask;
}

export function normalizationSteps(mask: NormalizationMask): NormalizationStep[] {
  return allSteps.filter((_, i) => (mask & (1 << i)) !== 0);
}

/** The URL after the given steps. Text that `parseUrl` refuses is returned as it is. */
export function normalize(url: string, steps: NormalizationMask = ALL_NORMALIZATION_STEPS): Normalized {
  const parts = parseUrl(url);
  if (parts === undefined) return { url, changed: 0 };
  let changed = 0;

  const scheme = url.slice(0, parts.schemeEnd);
  let authority = url.slice(parts.schemeEnd, parts.portEnd);
  let path = url.slice(parts.pathStart, parts.pathEnd);
  let query = url.slice(parts.queryStart, parts.queryEnd);
  let fragment = url.slice(parts.queryEnd);

  const lowerScheme = scheme.toLowerCase();
  if (steps & SCHEME_CASE && lowerScheme !== scheme) changed |= SCHEME_CASE;
  if (steps & (HOST_CASE | DEFAULT_PORT)) {
    let host = url.slice(parts.hostStart, parts.hostEnd);
    let port = url.slice(parts.hostEnd, parts.portEnd);
    if (steps & HOST_CASE && hasUpperCase(host)) {
      host = lowerAscii(host);
      changed |= HOST_CASE;
    }
    if (steps & DEFAULT_PORT && port !== "" && isDefaultPort(url, parts)) {
      port = "";
      changed |= DEFAULT_PORT;
    }
    authority = url.slice(parts.schemeEnd, parts.hostStart) + host + port;
  }
  if (steps & FRAGMENT && fragment !== "") {
    fragment = "";
    changed |= FRAGMENT;
  }
  if (steps & EMPTY_PATH && path === "") {
    path = "/";
    changed |= EMPTY_PATH;
  }
  if (steps & DOT_SEGMENTS && path.includes("/.")) {
    const without = removeDotSegments(path);
    if (without !== path) changed |= DOT_SEGMENTS;
    path = without;
  }
  if (steps & PERCENT_CASE) {
    const upperPath = upperPercent(path);
    const upperQuery = upperPercent(query);
    if (upperPath !== path || upperQuery !== query) changed |= PERCENT_CASE;
    path = upperPath;
    query = upperQuery;
  }
  if (changed === 0) return { url, changed };
  return { url: (steps & SCHEME_CASE ? lowerScheme : scheme) + authority + path + query + fragment, changed };
}

/**
 * Can any step change the URL in bytes[start, end), or does it have credentials? The bytes are an absolute http(s) URL,
 * or the path and query of a request line, which begin with "/". False is certain; true means: look with `normalize`.
 * For readers that see millions of lines, almost all of them normal.
 */
export function mayNeedNormalization(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start;
  if (bytes[at] !== 0x2f) {
    while (at < end && bytes[at] !== 0x3a) {
      if (isUpper(bytes[at]!)) return true;
      at++;
    }
    // The authority: any upper case letter, any ":" and any "@" needs a closer look; so does a missing path.
    for (at += 3; at < end && bytes[at] !== 0x2f; at++) {
      const code = bytes[at]!;
      if (code === 0x3a || code === 0x3f || code === 0x23 || code === 0x40 || isUpper(code)) return true;
    }
    if (at >= end) return true;
  }
  for (; at < end; at++) {
    const code = bytes[at]!;
    if (code === 0x23) return true;
    if (code === 0x25) {
      if (at + 2 < end && (isLowerHex(bytes[at + 1]!) || isLowerHex(bytes[at + 2]!))) return true;
    } else if (code === 0x2f && at + 1 < end && bytes[at + 1] === 0x2e) {
      const next = at + 2 < end ? bytes[at + 2]! : 0x2f;
      if (!isAlphanumeric(next)) return true;
    }
  }
  return false;
}

function isDefaultPort(url: string, parts: UrlParts): boolean {
  if (parts.portStart === parts.portEnd) return true;
  const port = Number(url.slice(parts.portStart, parts.portEnd));
  return port === (parts.schemeEnd === 4 ? 80 : 443);
}

/** RFC 3986, 5.2.4, for a path that begins with "/". */
function removeDotSegments(path: string): string {
  const kept: string[] = [];
  const segments = path.split("/");
  const last = segments.length - 1;
  for (let i = 1; i <= last; i++) {
    const segment = segments[i]!;
    if (segment !== "." && segment !== "..") {
      kept.push(segment);
      continue;
    }
    if (segment === "..") kept.pop();
    // A dot segment at the end names a directory: the path keeps its last "/".
    if (i === last) kept.push("");
  }
  return `/${kept.join("/")}`;
}

/** Upper case for the hex digits of percent-encoded bytes. */
function upperPercent(text: string): string {
  if (!text.includes("%")) return text;
  return text.replace(/%[0-9A-Fa-f]{2}/g, (encoded) => encoded.toUpperCase());
}

function hasUpperCase(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (isUpper(text.charCodeAt(i))) return true;
  return false;
}

/** `toLowerCase` would also change letters beyond ASCII, which is not for us to decide. */
export function lowerAscii(text: string): string {
  return hasUpperCase(text) ? text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : text;
}

function isUpper(code: number): boolean {
  return code >= 65 && code <= 90;
}

function isLowerHex(code: number): boolean {
  return code >= 97 && code <= 102;
}
