import type { StringColumn } from "../../model.js";
import { grown } from "../../tables/grown.js";
import { skipEntityBytes } from "../../url/parameters.js";
import { parseUrl } from "../../url/parse.js";
import { RangeTable } from "../byte-ranges.js";

/**
 * Finds the parts and parameters of one row of a column at a time, on its bytes and without an object per URL: the same
 * answers as url/parse and url/parameters give on the decoded text, at a tenth of their cost over ten million URLs
 * (test/rules/parameters-scan.test.ts holds the two together). All fields are indices into the column's bytes.
 */
export class UrlScanner {
  start = 0;
  end = 0;
  pathStart = 0;
  pathEnd = 0;
  /** The query with its leading "?"; both ends are equal where there is none. */
  queryStart = 0;
  queryEnd = 0;
  /** As the last `host` found it. */
  hostStart = 0;
  hostEnd = 0;

  /** Parameters found by the last `path` or `query`; parameter p is described by entry p of each array. */
  count = 0;
  separatorStart = new Uint32Array(64);
  nameStart = new Uint32Array(64);
  nameEnd = new Uint32Array(64);
  valueStart = new Uint32Array(64);
  valueEnd = new Uint32Array(64);

  readonly bytes: Uint8Array;
  readonly #offsets: Uint32Array;
  /** Where path and query of each row begin and where the query ends; 0, 0, 0 where it is not a URL that rules could apply to. */
  readonly #pathStarts: Uint32Array;
  readonly #queryStarts: Uint32Array;
  readonly #queryEnds: Uint32Array;
  readonly #origins: RangeTable;
  /** By the origin's number. */
  readonly #hostOfOrigin: (readonly [start: number, end: number])[] = [];
  readonly #decoder = new TextDecoder();
  readonly #encoder = new TextEncoder();

  constructor(urls: StringColumn) {
    this.bytes = urls.bytes;
    this.#offsets = urls.offsets;
    this.#origins = new RangeTable(urls.bytes);
    this.#pathStarts = new Uint32Array(urls.count);
    this.#queryStarts = new Uint32Array(urls.count);
    this.#queryEnds = new Uint32Array(urls.count);
    for (let i = 0; i < urls.count; i++) this.#parse(i);
  }

  /** Turns to row `i`; false where it is not a URL that rules could apply to. */
  open(i: number): boolean {
    this.start = this.#offsets[i]!;
    this.end = this.#offsets[i + 1]!;
    this.pathStart = this.#pathStarts[i]!;
    this.pathEnd = this.#queryStarts[i]!;
    this.queryStart = this.pathEnd;
    this.queryEnd = this.#queryEnds[i]!;
    this.count = 0;
    return this.queryEnd > this.start;
  }

  #parse(i: number): void {
    const { bytes } = this;
    const start = this.#offsets[i]!;
    const end = this.#offsets[i + 1]!;
    let at = this.#findPath(start, end);
    if (at < 0) return;
    this.#pathStarts[i] = at;
    while (at < end && bytes[at] !== QUESTION && bytes[at] !== HASH) at++;
    this.#queryStarts[i] = at;
    if (at < end && bytes[at] === QUESTION) while (at < end && bytes[at] !== HASH) at++;
    this.#queryEnds[i] = at;
  }

  /** Where the path begins, or -1. */
  #findPath(start: number, end: number): number {
    const { bytes } = this;
    if (start < end && bytes[start] === SLASH) return start;
    const schemeEnd = schemeEndOf(bytes, start, end);
    if (schemeEnd < 0 || bytes[schemeEnd + 1] !== SLASH || bytes[schemeEnd + 2] !== SLASH) return -1;
    const authorityStart = schemeEnd + 3;
    let at = authorityStart;
    let isPlain = true;
    for (; at < end; at++) {
      const byte = bytes[at]!;
      if (byte === SLASH || byte === QUESTION || byte === HASH) break;
      if (plainHostByte[byte] === 0) isPlain = false;
    }
    // Ports, user information, addresses in brackets, letters beyond ASCII: rare, and left to the one parser there is.
    const isHost = isPlain ? at > authorityStart : parseUrl(this.#text(start, end)) !== undefined;
    return isHost ? at : -1;
  }

  #text(start: number, end: number): string {
    return this.#decoder.decode(this.bytes.subarray(start, end));
  }

  /** The number of the URL's scheme and authority: a list has few of them. */
  origin(): number {
    return this.#origins.intern(this.start, this.pathStart);
  }

  /** Finds the host. Each origin is parsed once. */
  host(): void {
    const origin = this.origin();
    this.#hostOfOrigin[origin] ??= this.#findHost();
    const [start, end] = this.#hostOfOrigin[origin];
    this.hostStart = this.start + start;
    this.hostEnd = this.start + end;
  }

  /** Where the host is, from the start of the URL. */
  #findHost(): readonly [start: number, end: number] {
    const text = this.#text(this.start, this.pathStart);
    const parts = parseUrl(text === "" ? "/" : text)!;
    const byteIndex = (index: number) => this.#encoder.encode(text.slice(0, index)).length;
    return [byteIndex(parts.hostStart), byteIndex(parts.hostEnd)];
  }

  /** Finds the parameters of the query, as url/parameters queryParameters does. */
  query(): void {
    this.count = 0;
    const { bytes, queryStart, queryEnd } = this;
    if (queryStart === queryEnd) return;
    let separatorStart = queryStart;
    let start = queryStart + 1;
    for (;;) {
      let equals = -1;
      let at = skipEntityBytes(bytes, start, queryEnd);
      for (; at < queryEnd; at++) {
        const byte = bytes[at]!;
        if (byte === AMPERSAND || byte === SEMICOLON) break;
        if (byte === EQUALS && equals < 0) equals = at;
      }
      this.#push(separatorStart, start, equals, at);
      if (at === queryEnd) return;
      separatorStart = at;
      start = at + 1;
    }
  }

  /** Finds the parameters of the path, as url/parameters pathParameters does. */
  path(): void {
    this.count = 0;
    const { bytes, pathEnd } = this;
    let at = this.pathStart;
    for (;;) {
      while (at < pathEnd && bytes[at] !== SEMICOLON) at++;
      if (at >= pathEnd) return;
      const separatorStart = at++;
      let equals = -1;
      for (; at < pathEnd; at++) {
        const byte = bytes[at]!;
        if (byte === SEMICOLON || byte === SLASH) break;
        if (byte === EQUALS && equals < 0) equals = at;
      }
      if (equals > separatorStart + 1) this.#push(separatorStart, separatorStart + 1, equals, at);
    }
  }

  #push(separatorStart: number, start: number, equals: number, end: number): void {
    const p = this.count++;
    if (p === this.nameStart.length) this.#grow();
    this.separatorStart[p] = separatorStart;
    this.nameStart[p] = start;
    this.nameEnd[p] = equals < 0 ? end : equals;
    this.valueStart[p] = equals < 0 ? end : equals + 1;
    this.valueEnd[p] = end;
  }

  #grow(): void {
    this.separatorStart = grown(this.separatorStart, 2 * this.separatorStart.length);
    this.nameStart = grown(this.nameStart, 2 * this.nameStart.length);
    this.nameEnd = grown(this.nameEnd, 2 * this.nameEnd.length);
    this.valueStart = grown(this.valueStart, 2 * this.valueStart.length);
    this.valueEnd = grown(this.valueEnd, 2 * this.valueEnd.length);
  }
}

export const AMPERSAND = 0x26;
export const SLASH = 0x2f;
export const SEMICOLON = 0x3b;
export const EQUALS = 0x3d;
export const QUESTION = 0x3f;
export const HASH = 0x23;
const COLON = 0x3a;

/** ASCII letters, digits, "-", "." and "_": an authority of these alone is a host that every check lets pass. */
const plainHostByte = new Uint8Array(256);
for (const character of "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._") {
  plainHostByte[character.charCodeAt(0)] = 1;
}

/** Index of the ":" after http or https, or -1. */
function schemeEndOf(bytes: Uint8Array, start: number, end: number): number {
  if (end - start < 8) return -1;
  for (let i = 0; i < 4; i++) if ((bytes[start + i]! | 0x20) !== httpBytes[i]) return -1;
  if (bytes[start + 4] === COLON) return start + 4;
  return (bytes[start + 4]! | 0x20) === 0x73 && bytes[start + 5] === COLON ? start + 5 : -1;
}
const httpBytes = [0x68, 0x74, 0x74, 0x70];
