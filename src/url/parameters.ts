/**
 * Parameters of a URL as spans of its text.
 *
 * In the query, "&" and ";" separate parameters, but the ";" of an "amp;" at the beginning of a parameter belongs to its
 * name. A page whose links were escaped once too often asks for "?t=1&amp;sid=2", and most servers read a parameter
 * "amp;sid", which they do not know: "&start=15" matters and "&amp;start=15" does not. Where a server reads
 * "sid" nevertheless, "&amp;" -> "&" is a rule to be mined like any other. In the path, a parameter is ";name=value" after
 * the name of a segment, such as ";jsessionid=1".
 */
import type { UrlParts } from "./parse.js";

/** One parameter: name url[start, nameEnd), value url[valueStart, end). Without "=", both ends and valueStart are equal. */
export interface Parameter {
  /** Where the separator before it is: "?", "&" or ";". */
  readonly separatorStart: number;
  readonly start: number;
  readonly nameEnd: number;
  readonly valueStart: number;
  readonly end: number;
}

const AMPERSAND = 0x26;
const SEMICOLON = 0x3b;
const EQUALS = 0x3d;
const SLASH = 0x2f;

/** All parameters of the query in order, empty ones ("?a=1&&b=2" has three) included; none where there is no "?". */
export function queryParameters(url: string, parts: UrlParts): Parameter[] {
  const parameters: Parameter[] = [];
  const { queryStart, queryEnd } = parts;
  if (queryStart === queryEnd) return parameters;
  let separatorStart = queryStart;
  let start = queryStart + 1;
  for (;;) {
    const parameter = readParameter(url, separatorStart, start, queryEnd);
    parameters.push(parameter);
    if (parameter.end === queryEnd) return parameters;
    separatorStart = parameter.end;
    start = separatorStart + 1;
  }
}

/**
 * All ";name=value" parameters of the path in order. What follows a ";" and has no "=" or no name belongs to the
 * segment's name ("/a;b/c" has none), so that a rule about parameters never cuts into it.
 */
export function pathParameters(url: string, parts: UrlParts): Parameter[] {
  const parameters: Parameter[] = [];
  const { pathEnd } = parts;
  for (let at = url.indexOf(";", parts.pathStart); at >= 0 && at < pathEnd; ) {
    const parameter = readPathParameter(url, at, pathEnd);
    if (parameter.nameEnd > parameter.start && parameter.valueStart > parameter.nameEnd) parameters.push(parameter);
    at = url.indexOf(";", parameter.end);
  }
  return parameters;
}

export function parameterName(url: string, parameter: Parameter): string {
  return url.slice(parameter.start, parameter.nameEnd);
}

export function parameterValue(url: string, parameter: Parameter): string {
  return url.slice(parameter.valueStart, parameter.end);
}

/** Does "&" or ";" stand here? */
export function isSeparator(code: number): boolean {
  return code === AMPERSAND || code === SEMICOLON;
}

/** After every "amp;" that a parameter of the query begins with. */
export function skipEntities(url: string, start: number, queryEnd: number): number {
  let at = start;
  while (at + 4 <= queryEnd && url.startsWith("amp;", at)) at += 4;
  return at;
}

/** The same where the URL is UTF-8. */
export function skipEntityBytes(bytes: Uint8Array, start: number, queryEnd: number): number {
  let at = start;
  // "amp;"
  while (
    bytes[at] === 0x61 &&
    bytes[at + 1] === 0x6d &&
    bytes[at + 2] === 0x70 &&
    bytes[at + 3] === SEMICOLON &&
    at + 4 <= queryEnd
  ) {
    at += 4;
  }
  return at;
}

function readParameter(url: string, separatorStart: number, start: number, limit: number): Parameter {
  let equals = -1;
  let end = skipEntities(url, start, limit);
  for (; end < limit; end++) {
    const code = url.charCodeAt(end);
    if (isSeparator(code)) break;
    if (code === EQUALS && equals < 0) equals = end;
  }
  return spans(separatorStart, start, equals, end);
}

function readPathParameter(url: string, separatorStart: number, limit: number): Parameter {
  const start = separatorStart + 1;
  let equals = -1;
  let end = start;
  for (; end < limit; end++) {
    const code = url.charCodeAt(end);
    if (code === SEMICOLON || code === SLASH) break;
    if (code === EQUALS && equals < 0) equals = end;
  }
  return spans(separatorStart, start, equals, end);
}

function spans(separatorStart: number, start: number, equals: number, end: number): Parameter {
  return equals < 0
    ? { separatorStart, start, nameEnd: end, valueStart: end, end }
    : { separatorStart, start, nameEnd: equals, valueStart: equals + 1, end };
}
