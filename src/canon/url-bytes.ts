import { skipEntityBytes } from "../url/parameters.js";
import {
  EMPTY_PARAMETER,
  HTTP,
  HTTPS,
  ORIGIN_SHAPES,
  OTHER_HOST,
  PATH_ENDS_IN_NAME,
  PATH_ENDS_IN_SLASH,
  PATH_SHAPES,
  QUERY_SHAPES,
  REPEATED_PARAMETER,
  REPEATED_SLASH,
  UNSORTED_PARAMETERS,
  UPPER_CASE_PATH,
  WWW_HOST,
} from "./constants.js";

/**
 * A URL's text as UTF-8 in a buffer that serves one URL after the other. Scanning bytes is about twice as fast as
 * `charCodeAt`, which has to look through slices and concatenations, and makes nothing to collect.
 *
 * What is found here only decides which rules are tried: it must hold for every URL that a rule changes, and may hold
 * for a few more.
 */
export class UrlBytes {
  /** The URL is bytes[start .. end), and there are SLACK bytes more, whatever they are. */
  bytes: Uint8Array;
  view: DataView;
  start = 0;
  end = 0;
  #own: Uint8Array;
  #ownView: DataView;
  readonly #encoder = new TextEncoder();
  hostStart = 0;
  hostEnd = 0;
  #authorityEnd = 0;
  #isRead = false;
  /** Are the bytes the text, and not only like it? */
  #isExact = true;
  /** Start and end of each parameter's name, in turn. */
  readonly #names: number[] = [];

  /** `memory` is for texts that are encoded, as long as they fit. */
  constructor(memory: Uint8Array = new Uint8Array(4096)) {
    this.#own = memory;
    this.#ownView = new DataView(memory.buffer, memory.byteOffset, memory.length);
    this.bytes = this.#own;
    this.view = this.#ownView;
  }

  set(text: string): void {
    // A UTF-16 unit takes at most three bytes.
    this.#useOwn(text.length * 3);
    this.end = this.#encoder.encodeInto(text, this.bytes).written;
    // A surrogate on its own is encoded as U+FFFD, which is not where it stands in the order of names.
    this.#isExact = this.end === text.length || !LONE_SURROGATE.test(text);
  }

  /** Bytes that hold a URL among others; they are looked at where they are. */
  setBytes(bytes: Uint8Array, start: number, end: number): void {
    if (end + SLACK > bytes.length) {
      this.#useOwn(end - start);
      this.bytes.set(bytes.subarray(start, end));
      this.end = end - start;
      this.#isExact = true;
      return;
    }
    if (this.bytes !== bytes) {
      this.bytes = bytes;
      this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    }
    this.start = start;
    this.end = end;
    this.#isRead = false;
    this.#isExact = true;
  }

  /** The same of a URL whose path begins where `plainPathStart` says. */
  setPlain(bytes: Uint8Array, start: number, end: number, pathStart: number): void {
    this.setBytes(bytes, start, end);
    if (this.bytes !== bytes) return;
    this.hostStart = hostStartOf(bytes, start);
    this.hostEnd = pathStart;
    this.#authorityEnd = pathStart;
    this.#isRead = true;
  }

  #useOwn(length: number): void {
    if (length + SLACK > this.#own.length) {
      this.#own = new Uint8Array(2 * length + SLACK);
      this.#ownView = new DataView(this.#own.buffer);
    }
    this.bytes = this.#own;
    this.view = this.#ownView;
    this.start = 0;
    this.#isRead = false;
  }

  /** Where the path begins. */
  pathStart(): number {
    this.readAuthority();
    return this.#authorityEnd;
  }

  /** Finds host and path where `parseUrl` finds them; for what that refuses, the answer does not matter. */
  readAuthority(): void {
    if (this.#isRead) return;
    const { bytes, end } = this;
    const hasOrigin = bytes[this.start] !== SLASH;
    let start = hostStartOf(bytes, this.start);
    let colon = -1;
    let at = start;
    for (; hasOrigin && at < end; at++) {
      const byte = bytes[at]!;
      if (inAuthority[byte] === 0) continue;
      if (byte === AT) {
        start = at + 1;
        colon = -1;
      } else if (byte !== COLON) break;
      else if (colon < 0) colon = at;
    }
    this.hostStart = start;
    this.hostEnd = colon < 0 ? at : colon;
    // An IPv6 address has colons of its own.
    if (bytes[start] === BRACKET) while (this.hostEnd < at && bytes[this.hostEnd - 1] !== END_BRACKET) this.hostEnd++;
    this.#authorityEnd = at;
    this.#isRead = true;
  }

  /** Does the path begin like this? An empty path stands for "/". */
  hasPathPrefix(prefix: Uint8Array): boolean {
    const { bytes, end } = this;
    const start = this.pathStart();
    if (start >= end || bytes[start] !== SLASH) return prefix.length <= 1;
    if (start + prefix.length > end) return false;
    for (let i = 0; i < prefix.length; i++) if (bytes[start + i] !== prefix[i]) return false;
    return true;
  }

  /** Which of the wanted shapes (constants.ts) the text has; `question` is where its first "?" is, or -1. */
  shapes(wanted: number, question: number): number {
    if (!this.#isExact) return wanted;
    let shapes = question < 0 || (wanted & QUERY_SHAPES) === 0 ? 0 : this.#queryShapes(question + 1, wanted);
    if ((wanted & PATH_SHAPES) !== 0) shapes |= this.#pathShapes();
    return (wanted & ORIGIN_SHAPES) === 0 ? shapes : shapes | this.#originShapes();
  }

  #originShapes(): number {
    const { bytes, start } = this;
    if (bytes[start] === SLASH) return 0;
    this.readAuthority();
    const at = this.hostStart;
    const hasWww =
      (bytes[at]! | 0x20) === LETTER_W &&
      (bytes[at + 1]! | 0x20) === LETTER_W &&
      (bytes[at + 2]! | 0x20) === LETTER_W &&
      bytes[at + 3] === DOT;
    return (bytes[start + 4] === COLON ? HTTP : HTTPS) | (hasWww ? WWW_HOST : OTHER_HOST);
  }

  #pathShapes(): number {
    const { bytes, end } = this;
    const start = this.pathStart();
    let at = start;
    let shapes = 0;
    for (; at < end && bytes[at] !== QUESTION_MARK && bytes[at] !== HASH; at++) {
      if (isUpper(bytes[at]!)) shapes |= UPPER_CASE_PATH;
      else if (bytes[at] === SLASH && at > start && bytes[at - 1] === SLASH) shapes |= REPEATED_SLASH;
    }
    if (at === start) return shapes;
    return shapes | (bytes[at - 1] === SLASH ? PATH_ENDS_IN_SLASH : PATH_ENDS_IN_NAME);
  }

  #queryShapes(queryStart: number, wanted: number): number {
    const { bytes, end } = this;
    const names = this.#names;
    const wantsNames = (wanted & (UNSORTED_PARAMETERS | REPEATED_PARAMETER)) !== 0;
    let shapes = 0;
    if (wantsNames) names.length = 0;
    for (let start = queryStart; ; start++) {
      let at = skipEntityBytes(bytes, start, end);
      while (at < end && inQuery[bytes[at]!] === 0) at++;
      const nameEnd = at;
      if (at < end && bytes[at] === EQUALS) {
        for (at++; at < end && (inQuery[bytes[at]!] === 0 || bytes[at] === EQUALS); ) at++;
      }
      if (at - nameEnd < 2) shapes |= EMPTY_PARAMETER;
      if (wantsNames && at > start) names.push(start, nameEnd);
      if (at >= end || bytes[at] === HASH) break;
      start = at;
    }
    for (let i = 2; wantsNames && i < names.length; i += 2) {
      if (this.#compare(i - 2, i) > 0) shapes |= UNSORTED_PARAMETERS;
      if ((wanted & REPEATED_PARAMETER) === 0) continue;
      if (i > 2 * MAX_COMPARED) shapes |= REPEATED_PARAMETER;
      for (let j = 0; j < i && (shapes & REPEATED_PARAMETER) === 0; j += 2) {
        if (this.#compare(j, i) === 0) shapes |= REPEATED_PARAMETER;
      }
    }
    return shapes;
  }

  /** The order of the names that begin at names[i] and names[j]. */
  #compare(i: number, j: number): number {
    const { bytes } = this;
    const names = this.#names;
    let a = names[i]!;
    let b = names[j]!;
    const endA = names[i + 1]!;
    const endB = names[j + 1]!;
    for (; a < endA && b < endB; a++, b++) {
      if (bytes[a] !== bytes[b]) return bytes[a]! - bytes[b]!;
    }
    return endA - a - (endB - b);
  }
}

/** This many bytes after a URL may be read, four or eight at a time. */
const SLACK = 8;
/** Beyond this many parameters it is not looked at here whether two have one name: that would take the square of their number. */
const MAX_COMPARED = 64;

const LONE_SURROGATE = /\p{Surrogate}/u;

const SLASH = 0x2f;
const COLON = 0x3a;
const AT = 0x40;
const BRACKET = 0x5b;
const END_BRACKET = 0x5d;
const QUESTION_MARK = 0x3f;
const HASH = 0x23;
const EQUALS = 0x3d;
const AMPERSAND = 0x26;
const SEMICOLON = 0x3b;
const DOT = 0x2e;
const LETTER_W = 0x77;

/** The characters that divide an authority, or a query, or end it. */
const inAuthority = new Uint8Array(256);
for (const byte of [SLASH, QUESTION_MARK, HASH, COLON, AT]) inAuthority[byte] = 1;
export const inQuery = new Uint8Array(256);
for (const byte of [EQUALS, AMPERSAND, SEMICOLON, HASH]) inQuery[byte] = 1;

/** Where an authority begins; the start itself where the URL has no origin. */
function hostStartOf(bytes: Uint8Array, start: number): number {
  return bytes[start] === SLASH ? start : start + (bytes[start + 4] === COLON ? 7 : 8);
}

/** 1 for each byte of a host that `plainPathStart` knows as one. */
export const inPlainHost = new Uint8Array(256);
for (const character of "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._") {
  inPlainHost[character.charCodeAt(0)] = 1;
}

/**
 * Where the path of the URL bytes[start .. end), all of it ASCII, begins: after a host without user information and port.
 * -1 where that is not a URL to `parseUrl`, and also where that is not clear at once.
 */
export function plainPathStart(bytes: Uint8Array, start: number, end: number): number {
  if (bytes[start] === SLASH) return start;
  if (bytes[start] !== 0x68 || bytes[start + 1] !== 0x74 || bytes[start + 2] !== 0x74 || bytes[start + 3] !== 0x70) {
    return -1;
  }
  let at = start + (bytes[start + 4] === 0x73 ? 5 : 4);
  if (bytes[at] !== COLON || bytes[at + 1] !== SLASH || bytes[at + 2] !== SLASH) return -1;
  at += 3;
  const host = at;
  while (at < end && inPlainHost[bytes[at]!] !== 0) at++;
  if (at === host || at > end) return -1;
  return at === end || bytes[at] === SLASH || bytes[at] === QUESTION_MARK || bytes[at] === HASH ? at : -1;
}

function isUpper(byte: number): boolean {
  return byte >= 65 && byte <= 90;
}
