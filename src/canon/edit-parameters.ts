/** What parameter rules do to the text of a URL. Each function returns undefined where it would change nothing. */
import type { ParameterPlace } from "../model.js";
import {
  isSeparator,
  type Parameter,
  parameterName,
  pathParameters,
  queryParameters,
  skipEntities,
} from "../url/parameters.js";
import type { UrlParts } from "../url/parse.js";
import { compareCodePoints } from "../url/tokenize.js";
import { SHORT_LITERAL } from "./occurrences.js";

/** Every parameter of this name goes, with the separator before it; a query without parameters loses its "?". */
export function removeParameter(url: string, parts: UrlParts, place: ParameterPlace, name: string): string | undefined {
  if (place === "query") return removeFromQuery(url, parts, name);
  let result = "";
  let from = 0;
  for (const parameter of pathParameters(url, parts)) {
    if (!hasName(url, parameter, name)) continue;
    result += url.slice(from, parameter.separatorStart);
    from = parameter.end;
  }
  return from === 0 ? undefined : result + url.slice(from);
}

/**
 * The commonest edit of all, so it looks for the name with `indexOf` and makes no list of parameters. What it returns is
 * `keepParameters` of all parameters with other names.
 */
function removeFromQuery(url: string, parts: UrlParts, name: string): string | undefined {
  if (name.length > SHORT_LITERAL) {
    return keepParameters(url, parts, queryParameters(url, parts), (parameter) => !hasName(url, parameter, name));
  }
  const { queryStart, queryEnd } = parts;
  let result = "";
  let from = 0;
  // What follows here is the query's first parameter so far: those before it have been removed.
  let head = queryStart + 1;
  for (let start = url.indexOf(name, head); start >= 0 && start < queryEnd; start = url.indexOf(name, start + 1)) {
    let end = start + name.length;
    if (!beginsParameter(url, start, queryStart) || !endsName(url, start, end, queryEnd)) continue;
    while (end < queryEnd && !isSeparator(url.charCodeAt(end))) end++;
    if (start === head) {
      if (end === queryEnd) return url.slice(0, queryStart) + url.slice(queryEnd);
      head = end + 1;
      result += url.slice(from, start);
      from = head;
    } else {
      result = joinQuery(result, url.slice(from, start - 1), queryStart);
      from = end;
    }
  }
  return from === 0 ? undefined : joinQuery(result, url.slice(from), queryStart);
}

/**
 * Two pieces of a URL, side by side, whose query begins at `queryStart`. A ";" after a bare "amp" would make a name that
 * begins with "amp;" of them ("?a&amp&b;c" without b), and the next edit would read other parameters there: it becomes "&".
 */
function joinQuery(before: string, after: string, queryStart: number): string {
  if (after.charCodeAt(0) !== 0x3b || !before.endsWith("amp")) return before + after;
  const separator = before.length - 4;
  const isBare = separator === queryStart || (separator > queryStart && isSeparator(before.charCodeAt(separator)));
  return isBare ? `${before}&${after.slice(1)}` : before + after;
}

/** Is there a separator before `start`, and not the ";" of an "amp;" that a name begins with? */
function beginsParameter(url: string, start: number, queryStart: number): boolean {
  if (start - 1 === queryStart) return true;
  if (!isSeparator(url.charCodeAt(start - 1))) return false;
  const entity = start - 4;
  if (entity <= queryStart || !url.startsWith("amp;", entity)) return true;
  return entity - 1 !== queryStart && !isSeparator(url.charCodeAt(entity - 1));
}

/** Does the name that begins at `start` end here, and not go on after an "amp;"? */
function endsName(url: string, start: number, end: number, queryEnd: number): boolean {
  if (end >= queryEnd) return end === queryEnd;
  const code = url.charCodeAt(end);
  return code === 0x3d || (isSeparator(code) && skipEntities(url, start, queryEnd) <= end);
}

/** Every parameter of this name gets the value. URLs without the parameter stay as they are. */
export function setParameter(
  url: string,
  parts: UrlParts,
  place: ParameterPlace,
  name: string,
  value: string,
): string | undefined {
  const parameters = place === "query" ? queryParameters(url, parts) : pathParameters(url, parts);
  let result = "";
  let from = 0;
  for (const parameter of parameters) {
    if (!hasName(url, parameter, name)) continue;
    result += `${url.slice(from, parameter.nameEnd)}=${value}`;
    from = parameter.end;
  }
  result += url.slice(from);
  return result === url ? undefined : result;
}

/**
 * Parameters sorted by name, equal names in their order. The separators keep their places, and so do empty parameters
 * ("?b=1&&a=2"): they have no name to sort by.
 */
export function orderParameters(url: string, parts: UrlParts): string | undefined {
  const parameters = queryParameters(url, parts);
  const named = parameters.filter((parameter) => parameter.end > parameter.start);
  if (named.length < 2) return undefined;
  const sorted = [...named].sort((a, b) => compareCodePoints(parameterName(url, a), parameterName(url, b)));
  let result = url.slice(0, parts.queryStart);
  let next = 0;
  for (const slot of parameters) {
    const parameter = slot.end > slot.start ? sorted[next++]! : slot;
    const separator = url.slice(slot.separatorStart, slot.start);
    result = joinQuery(result, separator + url.slice(parameter.start, parameter.end), parts.queryStart);
  }
  result += url.slice(parts.queryEnd);
  return result === url ? undefined : result;
}

/** Of the parameters that share a name, only the first or the last stays. Empty parameters have no name. */
export function dropRepeatedParameters(
  url: string,
  parts: UrlParts,
  name: string | undefined,
  keep: "first" | "last",
): string | undefined {
  const parameters = queryParameters(url, parts);
  if (parameters.length < 2) return undefined;
  const kept = new Map<string, Parameter>();
  for (const parameter of parameters) {
    if (parameter.end === parameter.start) continue;
    const own = parameterName(url, parameter);
    if (keep === "last" || !kept.has(own)) kept.set(own, parameter);
  }
  return keepParameters(url, parts, parameters, (parameter) => {
    if (parameter.end === parameter.start) return true;
    const own = parameterName(url, parameter);
    return (name !== undefined && own !== name) || kept.get(own) === parameter;
  });
}

/** Parameters without a value go: "a=", "a" and, where no name is given, also the nothing in "&&" and in a bare "?". */
export function dropEmptyParameters(url: string, parts: UrlParts, name: string | undefined): string | undefined {
  return keepParameters(url, parts, queryParameters(url, parts), (parameter) => {
    if (parameter.end > parameter.valueStart) return true;
    return name !== undefined && !hasName(url, parameter, name);
  });
}

/** Each kept parameter keeps the separator before it, but the first has "?". */
function keepParameters(
  url: string,
  parts: UrlParts,
  parameters: readonly Parameter[],
  isKept: (parameter: Parameter) => boolean,
): string | undefined {
  const kept = parameters.filter(isKept);
  if (kept.length === parameters.length) return undefined;
  let query = "";
  for (const parameter of kept) {
    const start = query === "" ? parameter.start : parameter.separatorStart;
    query = joinQuery(query === "" ? "?" : query, url.slice(start, parameter.end), 0);
  }
  return url.slice(0, parts.queryStart) + query + url.slice(parts.queryEnd);
}

function hasName(url: string, parameter: Parameter, name: string): boolean {
  return parameter.nameEnd - parameter.start === name.length && url.startsWith(name, parameter.start);
}
