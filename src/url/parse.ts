/**
 * A fast, tolerant split of an absolute http(s) URL, or of a request's path and query where no origin is known ("/a?b",
 * which then has an empty scheme and host). It only finds where the parts are: nothing is decoded, lower-cased
 * or repaired, since URLs are kept as they were asked for.
 */

/** Indices into the URL's text. A part is the text between its start and its end; it is empty where they are equal. */
export interface UrlParts {
  /** Index of the ":" after "http" or "https"; 0 where there is no origin. */
  readonly schemeEnd: number;
  /** After "//" and after user information with its "@", if there is any. */
  readonly hostStart: number;
  readonly hostEnd: number;
  /** The port's digits, after the ":"; both are hostEnd where there is no ":". */
  readonly portStart: number;
  readonly portEnd: number;
  /** The path with its leading "/"; empty in "http://a" and "http://a?q". */
  readonly pathStart: number;
  readonly pathEnd: number;
  /** The query with its leading "?". */
  readonly queryStart: number;
  readonly queryEnd: number;
}

const COLON = 0x3a;
const SLASH = 0x2f;

/**
 * Where the parts of an http or https URL are, or undefined where this is none: another scheme, a relative path,
 * no host, a host or a port that no resolver would take. What follows the host may be any text.
 */
export function parseUrl(url: string): UrlParts | undefined {
  if (url.charCodeAt(0) === SLASH) return partsFrom(url, 0, 0, 0, 0, 0);
  const schemeEnd = schemeLength(url);
  if (schemeEnd === 0) return undefined;
  const authorityStart = schemeEnd + 3;
  if (url.charCodeAt(schemeEnd + 1) !== SLASH || url.charCodeAt(schemeEnd + 2) !== SLASH) return undefined;

  let hostStart = authorityStart;
  let pathStart = authorityStart;
  for (; pathStart < url.length; pathStart++) {
    const code = url.charCodeAt(pathStart);
    if (code === SLASH || code === 0x3f || code === 0x23) break;
    if (code === 0x40) hostStart = pathStart + 1;
    // Browsers read it as "/": "http://a\\@b" would be one host to them and another to us.
    if (code === 0x5c) return undefined;
  }
  const hostEnd = findHostEnd(url, hostStart, pathStart);
  if (hostEnd === hostStart) return undefined;
  const portStart = hostEnd < pathStart ? hostEnd + 1 : hostEnd;
  if (!isPort(url, portStart, pathStart)) return undefined;
  return partsFrom(url, schemeEnd, hostStart, hostEnd, portStart, pathStart);
}

function partsFrom(
  url: string,
  schemeEnd: number,
  hostStart: number,
  hostEnd: number,
  portStart: number,
  pathStart: number,
): UrlParts {
  let pathEnd = pathStart;
  for (; pathEnd < url.length; pathEnd++) {
    const code = url.charCodeAt(pathEnd);
    if (code === 0x3f || code === 0x23) break;
  }
  let queryEnd = pathEnd;
  if (url.charCodeAt(pathEnd) === 0x3f) {
    const fragment = url.indexOf("#", pathEnd);
    queryEnd = fragment < 0 ? url.length : fragment;
  }
  return {
    schemeEnd,
    hostStart,
    hostEnd,
    portStart,
    portEnd: pathStart,
    pathStart,
    pathEnd,
    queryStart: pathEnd,
    queryEnd,
  };
}

/** The host as it is written, IPv6 addresses with their brackets. */
export function hostOf(url: string, parts: UrlParts): string {
  return url.slice(parts.hostStart, parts.hostEnd);
}

/** The path with its leading "/", or "". */
export function pathOf(url: string, parts: UrlParts): string {
  return url.slice(parts.pathStart, parts.pathEnd);
}

/** The query with its leading "?", or "". */
export function queryOf(url: string, parts: UrlParts): string {
  return url.slice(parts.queryStart, parts.queryEnd);
}

/** 4 for "http:", 5 for "https:", in any letter case; 0 for anything else. */
function schemeLength(url: string): number {
  // Or-ing 0x20 makes ASCII letters lower case, and no other unit becomes one of these letters.
  if ((url.charCodeAt(0) | 0x20) !== 0x68) return 0;
  if ((url.charCodeAt(1) | 0x20) !== 0x74) return 0;
  if ((url.charCodeAt(2) | 0x20) !== 0x74) return 0;
  if ((url.charCodeAt(3) | 0x20) !== 0x70) return 0;
  if (url.charCodeAt(4) === COLON) return 4;
  if ((url.charCodeAt(4) | 0x20) !== 0x73) return 0;
  return url.charCodeAt(5) === COLON ? 5 : 0;
}

/** The end of the host within the authority, or `start` where the host is not one. */
function findHostEnd(url: string, start: number, authorityEnd: number): number {
  if (url.charCodeAt(start) === 0x5b) {
    const close = url.indexOf("]", start);
    if (close < 0 || close >= authorityEnd || close < start + 3) return start;
    if (close + 1 < authorityEnd && url.charCodeAt(close + 1) !== COLON) return start;
    return isAddress6(url, start + 1, close) ? close + 1 : start;
  }
  for (let i = start; i < authorityEnd; i++) {
    const code = url.charCodeAt(i);
    if (code === COLON) return i;
    if (isForbiddenInHost(code)) return start;
  }
  return authorityEnd;
}

function isAddress6(url: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const code = url.charCodeAt(i);
    const isHex = (code >= 48 && code <= 57) || ((code | 0x20) >= 97 && (code | 0x20) <= 102);
    if (!isHex && code !== COLON && code !== 0x2e) return false;
  }
  return true;
}

/** The URL standard's forbidden domain code points: controls, space, # % / : < > ? @ [ \ ] ^ | (some never get here). */
function isForbiddenInHost(code: number): boolean {
  if (code >= 0x80) return false;
  if (code <= 0x20 || code === 0x7f) return true;
  switch (code) {
    case 0x23:
    case 0x25:
    case 0x3c:
    case 0x3e:
    case 0x40:
    case 0x5b:
    case 0x5c:
    case 0x5d:
    case 0x5e:
    case 0x7c:
      return true;
    default:
      return false;
  }
}

function isPort(url: string, start: number, end: number): boolean {
  let port = 0;
  for (let i = start; i < end; i++) {
    const digit = url.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) return false;
    port = port * 10 + digit;
    if (port > 65535) return false;
  }
  return true;
}
