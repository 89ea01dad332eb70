import type { ParameterPlace } from "../../model.js";
import { isSeparator } from "../../url/parameters.js";
import { compareBytes, equalBytes } from "../byte-ranges.js";
import type { Image, Rewrite } from "./buckets.js";
import { AMPERSAND, EQUALS, QUESTION, SEMICOLON, type UrlScanner } from "./scan.js";

/**
 * What rules/apply does to a URL, on the bytes of a list (test/rules/parameters-rewrite.test.ts holds the two together).
 * Every function here makes the Rewrite of one rule.
 */

/** Which parameters a rule is about: bytes[start .. end) is a name. */
export type IsNamed = (start: number, end: number) => boolean;

/** A test for one name, or for one of several. */
export function named(bytes: Uint8Array, names: readonly Uint8Array[]): IsNamed {
  const isName = (name: Uint8Array, start: number, end: number) => equalBytes(bytes, start, end, name, 0, name.length);
  const [only] = names;
  if (names.length === 1) return (start, end) => isName(only!, start, end);
  return (start, end) => names.some((name) => isName(name, start, end));
}

export function removeParameter(scanner: UrlScanner, place: ParameterPlace, isNamed: IsNamed): Rewrite {
  return (i, image) => {
    if (!openParameters(scanner, i, place)) return false;
    return dropParameters(scanner, place, image, (p) => isNamed(scanner.nameStart[p]!, scanner.nameEnd[p]!));
  };
}

/** Every parameter of this name gets the value. */
export function setParameter(scanner: UrlScanner, place: ParameterPlace, isNamed: IsNamed, value: Uint8Array): Rewrite {
  const { bytes } = scanner;
  return (i, image) => {
    if (!openParameters(scanner, i, place)) return false;
    let from = scanner.start;
    let isChanged = false;
    for (let p = 0; p < scanner.count; p++) {
      const nameEnd = scanner.nameEnd[p]!;
      if (!isNamed(scanner.nameStart[p]!, nameEnd)) continue;
      const valueStart = scanner.valueStart[p]!;
      const valueEnd = scanner.valueEnd[p]!;
      image.append(bytes, from, nameEnd);
      image.appendByte(EQUALS);
      image.append(value, 0, value.length);
      if (valueStart === nameEnd || !equalBytes(bytes, valueStart, valueEnd, value, 0, value.length)) isChanged = true;
      from = valueEnd;
    }
    image.append(bytes, from, scanner.end);
    return isChanged;
  };
}

function openParameters(scanner: UrlScanner, i: number, place: ParameterPlace): boolean {
  if (!scanner.open(i)) return false;
  if (place === "query") scanner.query();
  else scanner.path();
  return scanner.count > 0;
}

/** Leaves out the parameters that `isDropped`, each with the separator before it; the query keeps its "?" if any stays. */
function dropParameters(
  scanner: UrlScanner,
  place: ParameterPlace,
  image: Image,
  isDropped: (p: number) => boolean,
): boolean {
  const { bytes, count } = scanner;
  let firstDropped = 0;
  while (firstDropped < count && !isDropped(firstDropped)) firstDropped++;
  if (firstDropped === count) return false;
  let isFirst = place === "query";
  image.append(bytes, scanner.start, scanner.separatorStart[0]!);
  for (let p = 0; p < count; p++) {
    const next = p + 1 < count ? scanner.separatorStart[p + 1]! : scanner.valueEnd[p]!;
    if (p === firstDropped || (p > firstDropped && isDropped(p))) {
      if (place === "path") image.append(bytes, scanner.valueEnd[p]!, next);
      continue;
    }
    if (isFirst) image.appendByte(QUESTION);
    else if (place === "query") appendSeparator(scanner, p, image);
    image.append(bytes, place === "query" ? scanner.nameStart[p]! : scanner.separatorStart[p]!, next);
    isFirst = false;
  }
  image.append(bytes, scanner.valueEnd[count - 1]!, scanner.end);
  return true;
}

/** The separator before parameter p; after a bare "amp", where ";" would make a name that begins with "amp;", it is "&". */
function appendSeparator(scanner: UrlScanner, p: number, image: Image): void {
  const { bytes } = scanner;
  const start = scanner.separatorStart[p]!;
  const before = image.length - 4;
  const question = scanner.queryStart - scanner.start;
  const isBare =
    bytes[start] === SEMICOLON &&
    image.endsWith(amp) &&
    (before === question || (before > question && isSeparator(image.bytes[before]!)));
  if (isBare) image.appendByte(AMPERSAND);
  else image.append(bytes, start, scanner.nameStart[p]!);
}

const amp = new TextEncoder().encode("amp");

/** URLs with more parameters than this are nobody's dust: they are not looked at where the work grows with the square. */
export const MAX_COMPARED = 1000;

/**
 * Query parameters in the order of their names, equal names in the order they had. Separators stay where they are, and so
 * do empty parameters.
 */
export function sortParameters(scanner: UrlScanner): Rewrite {
  const { bytes } = scanner;
  const order = new Uint32Array(MAX_COMPARED);
  return (i, image) => {
    if (!openParameters(scanner, i, "query") || scanner.count > MAX_COMPARED) return false;
    const { count, nameStart, nameEnd, valueEnd } = scanner;
    let sorted = 0;
    let isChanged = false;
    for (let p = 0; p < count; p++) {
      if (valueEnd[p] === nameStart[p]) continue;
      let at = sorted++;
      for (; at > 0; at--) {
        const before = order[at - 1]!;
        if (compareBytes(bytes, nameStart[before]!, nameEnd[before]!, nameStart[p]!, nameEnd[p]!) <= 0) break;
        order[at] = before;
        isChanged = true;
      }
      order[at] = p;
    }
    if (!isChanged) return false;
    image.append(bytes, scanner.start, scanner.queryStart);
    for (let p = 0, next = 0; p < count; p++) {
      appendSeparator(scanner, p, image);
      if (valueEnd[p] === nameStart[p]) continue;
      const from = order[next++]!;
      image.append(bytes, nameStart[from]!, valueEnd[from]!);
    }
    image.append(bytes, scanner.queryEnd, scanner.end);
    return true;
  };
}

/** Of query parameters with one name, the first or the last stays. Empty parameters have no name. */
export function keepOne(scanner: UrlScanner, keep: "first" | "last", isNamed?: IsNamed): Rewrite {
  const { bytes } = scanner;
  const isRepeated = (p: number) => {
    const { nameStart, nameEnd, valueEnd } = scanner;
    const start = nameStart[p]!;
    const end = nameEnd[p]!;
    if (valueEnd[p] === start || (isNamed !== undefined && !isNamed(start, end))) return false;
    const to = keep === "first" ? p : scanner.count;
    for (let q = keep === "first" ? 0 : p + 1; q < to; q++) {
      if (valueEnd[q] !== nameStart[q] && equalBytes(bytes, nameStart[q]!, nameEnd[q]!, bytes, start, end)) return true;
    }
    return false;
  };
  return (i, image) => {
    if (!openParameters(scanner, i, "query") || scanner.count > MAX_COMPARED) return false;
    return dropParameters(scanner, "query", image, isRepeated);
  };
}

/** Query parameters without a value are dropped; where no name is asked for, so is the nothing in "&&" and a bare "?". */
export function dropEmpty(scanner: UrlScanner, isNamed?: IsNamed): Rewrite {
  const isEmpty = (p: number) =>
    scanner.valueStart[p] === scanner.valueEnd[p] &&
    (isNamed === undefined || isNamed(scanner.nameStart[p]!, scanner.nameEnd[p]!));
  return (i, image) => openParameters(scanner, i, "query") && dropParameters(scanner, "query", image, isEmpty);
}

/** ASCII letters of the path in lower case, those of percent-encoded bytes left alone. */
export function lowerPath(scanner: UrlScanner): Rewrite {
  return (i, image) => {
    if (!scanner.open(i)) return false;
    const { bytes, pathStart, pathEnd } = scanner;
    let firstUpper = pathStart;
    while (firstUpper < pathEnd && !isUpper(bytes[firstUpper]!)) firstUpper++;
    if (firstUpper === pathEnd) return false;
    let isChanged = false;
    let encodedEnd = pathStart;
    image.append(bytes, scanner.start, pathStart);
    for (let at = pathStart; at < pathEnd; at++) {
      const byte = bytes[at]!;
      if (byte === PERCENT && at >= encodedEnd && at + 3 <= pathEnd && isHex(bytes[at + 1]!) && isHex(bytes[at + 2]!)) {
        encodedEnd = at + 3;
      }
      const isLowered = at >= encodedEnd && isUpper(byte);
      if (isLowered) isChanged = true;
      image.appendByte(isLowered ? byte | 0x20 : byte);
    }
    image.append(bytes, pathEnd, scanner.end);
    return isChanged;
  };
}

const PERCENT = 0x25;

function isUpper(byte: number): boolean {
  return byte >= 0x41 && byte <= 0x5a;
}

function isHex(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);
}
