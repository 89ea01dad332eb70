/**
 * Parameters of a URL as spans of its text.
 *
 * In the query, "&" and ";" separate parameters, and so does "&amp;" as a whole: a page whose links were escaped once
 * too often asks for "?t=1&amp;sid=2", and reading a parameter "amp" there would leave "&amp" behind wherever sid is
 * removed. Nothing is decoded: the separator stays in the text as it is, and "&amp;" -> "&" is a rule to be mined like
 * any other. In the path, a parameter is ";name=value" after the name of a segment, such as ";jsessionid=1".
 */
import type { UrlParts } from "./parse.js";

/** One parameter: name url[start, nameEnd), value url[valueStart, end). Without "=", both ends and valueStart are equal. */
export interface Parameter {
  /** Where the separator before it begins: "?", "&", ";" or "&amp;". */
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
    start = separatorEnd(url, separatorStart, queryEnd);
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

/** Where the separator of the query at `index` ends, or `index` where there is none. */
export function separatorEnd(url: string, index: number, queryEnd: number): number {
  const code = url.charCodeAt(index);
  if (code === SEMICOLON) return index + 1;
  if (code !== AMPERSAND) return index;
  return index + 5 <= queryEnd && url.startsWith("amp;", index + 1) ? index + 5 : index + 1;
}

function readParameter(url: string, separatorStart: number, start: number, limit: number): Parameter {
  let equals = -1;
  let end = start;
  for (; end < limit; end++) {
    const code = url.charCodeAt(end);
    if (code === AMPERSAND || code === SEMICOLON) break;
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
