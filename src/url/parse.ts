/**
 * A fast, tolerant split of an absolute http(s) URL, or of a request's path and query where no origin is known ("/a?b",
 * which then has an empty scheme and host). It only finds where the parts are: nothing is decoded, lower-cased
 * or repaired, since URLs are kept as they were requested.
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
 * ASCII characters that end the authority, divide it, or make it invalid: the URL standard's forbidden domain code
 * points, which are controls, space, # % / : < > ? @ [ \ ] ^ | and DEL.
 */
const PLAIN = 0;
const inAuthority = new Uint8Array(128);
inAuthority.fill(1, 0, 0x21);
for (const character of "#%/:<>?@[\\]^|\x7f") inAuthority[character.charCodeAt(0)] = 1;

/**
 * Where the parts of an http or https URL are, or undefined where the text is not one: another scheme, a relative path,
 * no host, a host or a port that no resolver would take. What follows the host may be any text.
 */
export function parseUrl(url: string): UrlParts | undefined {
  if (url.charCodeAt(0) === SLASH) return partsFrom(url, 0, 0, 0, 0, 0);
  const schemeEnd = schemeLength(url);
  if (schemeEnd === 0) return undefined;
  const authorityStart = schemeEnd + 3;
  if (url.charCodeAt(schemeEnd + 1) !== SLASH || url.charCodeAt(schemeEnd + 2) !== SLASH) return undefined;

  let hostStart = authorityStart;
  let colon = -1;
  let isPlain = true;
  let pathStart = authorityStart;
  for (; pathStart < url.length; pathStart++) {
    const code = url.charCodeAt(pathStart);
    if (code >= 0x80 || inAuthority[code] === PLAIN) continue;
    if (code === SLASH || code === 0x3f || code === 0x23) break;
    // Browsers read it as "/": "http://a\\@b" would be one host to them and another to us.
    if (code === 0x5c) return undefined;
    if (code === 0x40) {
      hostStart = pathStart + 1;
      colon = -1;
      isPlain = true;
    } else if (code === COLON) {
      if (colon < 0) colon = pathStart;
    } else isPlain = false;
  }
  let hostEnd = colon < 0 ? pathStart : colon;
  if (!isPlain) hostEnd = findAddressEnd(url, hostStart, pathStart);
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
  const fragment = url.indexOf("#", pathStart);
  const queryEnd = fragment < 0 ? url.length : fragment;
  const question = url.indexOf("?", pathStart);
  const pathEnd = question < 0 || question > queryEnd ? queryEnd : question;
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

/**
 * The host of an http(s) URL in lower case, without its port; "" where the text is not such a URL. The workspace,
 * scopes and all statements about hosts mean this.
 */
export function hostIn(url: string): string {
  const parts = parseUrl(url);
  return parts === undefined ? "" : hostOf(url, parts).toLowerCase();
}

/**
 * The host with its port, in lower case: one server, where a host may run several. "" where the text is not an http(s)
 * URL.
 */
export function serverIn(url: string): string {
  const parts = parseUrl(url);
  return parts === undefined ? "" : url.slice(parts.hostStart, parts.portEnd).toLowerCase();
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

/** The end of an IPv6 address in brackets, or `start` where there is none. */
function findAddressEnd(url: string, start: number, authorityEnd: number): number {
  const close = url.indexOf("]", start);
  if (url.charCodeAt(start) !== 0x5b || close < start + 3 || close >= authorityEnd) return start;
  if (close + 1 < authorityEnd && url.charCodeAt(close + 1) !== COLON) return start;
  return isAddress6(url, start + 1, close) ? close + 1 : start;
}

function isAddress6(url: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const code = url.charCodeAt(i);
    const isHex = (code >= 48 && code <= 57) || ((code | 0x20) >= 97 && (code | 0x20) <= 102);
    if (!isHex && code !== COLON && code !== 0x2e) return false;
  }
  return true;
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
