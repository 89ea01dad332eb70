/**
 * Where the URL is in each record of a list, a table or lines of JSON, for copying them through with the URLs changed:
 * every byte outside a URL stays as it is. So texts are bytes as latin1, one character per byte; only `read` knows that
 * the bytes are UTF-8, and `write` gives the characters.
 */
import { UserError } from "../errors.js";
import { delimiters, fieldEnd, HEADER_LINES, isRowEnd, readRow, unquoted, withoutReturn } from "./csv-row.js";

/** A blank line, a comment, a header: no URL is missing there. */
export const NO_URL = -1;
/** A record without the field. */
export const LACKS_URL = -2;

/** Finds records one after the other. */
export interface UrlFields {
  /** A longer record has lost its end. */
  readonly maxRecordBytes: number;
  /** Does every line feed end a record, so that the text may be divided there? */
  readonly areLines: boolean;
  /** Is each record a line, and its URL, where that is ASCII, the whole line except for white space around it? */
  readonly isList: boolean;
  /**
   * The record that starts at `from`: returns where it ends, after its line end, and leaves the place of its URL in
   * `start` and `end` (both NO_URL or LACKS_URL where it has none). 0 where the text ends before the record does and more may come.
   */
  next(text: string, from: number, last: boolean): number;
  start: number;
  end: number;
  /** The URL in the field that was found. */
  read(field: string): string;
  /** What to put in the field's place so that it holds this URL. */
  write(url: string, field: string): string;
}

/**
 * Fields of a URL list (no column), or of a table or lines of JSON by the name of the column; recognised by the
 * beginning.
 */
export function urlFields(sample: Uint8Array, column: string | undefined, name: string): UrlFields {
  if (column === undefined) return lineFields();
  const text = Buffer.from(sample.buffer, sample.byteOffset, sample.length).toString("latin1");
  return /^(?:\u00ef\u00bb\u00bf)?\s*\{/.test(text) ? lineFields(column) : new TableFields(text, column, name);
}

/** Where records are lines: a URL list, or lines of JSON by the name of the field. */
export function lineFields(column?: string): UrlFields {
  return column === undefined ? new LineFields() : new JsonFields(column);
}

/** As Windows writes it before the first line of a file. */
const BYTE_ORDER_MARK = "\u00ef\u00bb\u00bf";

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII, controls too
const ASCII = /^[\x00-\x7f]*$/;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The characters of bytes that are UTF-8; in other bytes, each byte is a character. */
function decodeField(bytes: string): string {
  if (ASCII.test(bytes)) return bytes;
  try {
    return utf8.decode(Buffer.from(bytes, "latin1"));
  } catch {
    return bytes;
  }
}

/** A text's UTF-8, one character per byte. */
export function encodeField(text: string): string {
  return ASCII.test(text) ? text : Buffer.from(text, "utf8").toString("latin1");
}

/** One URL per line, with or without white space around it. Empty lines and lines that begin with # have none. */
class LineFields implements UrlFields {
  readonly maxRecordBytes = 1 << 20;
  readonly areLines = true;
  readonly isList = true;
  start = NO_URL;
  end = NO_URL;

  next(text: string, from: number, last: boolean): number {
    let feed = text.indexOf("\n", from);
    if (feed < 0) {
      if (!last) return 0;
      feed = text.length;
    }
    let start = from;
    let end = feed;
    if (text.startsWith(BYTE_ORDER_MARK, start)) start += BYTE_ORDER_MARK.length;
    while (start < end && text.charCodeAt(start) <= 0x20) start++;
    while (end > start && text.charCodeAt(end - 1) <= 0x20) end--;
    const hasUrl = end > start && text.charCodeAt(start) !== 0x23;
    this.start = hasUrl ? start : NO_URL;
    this.end = hasUrl ? end : NO_URL;
    return Math.min(text.length, feed + 1);
  }

  read(field: string): string {
    return decodeField(field);
  }

  write(url: string): string {
    return url;
  }
}

/** A column of a table with a header (RFC 4180; comma, semicolon, tab or bar between the fields). */
class TableFields implements UrlFields {
  readonly maxRecordBytes = 1 << 20;
  readonly areLines = false;
  readonly isList = false;
  start = NO_URL;
  end = NO_URL;
  readonly #delimiter: string;
  readonly #column: number;
  /** Lines up to and with the header. */
  #headerLines: number;

  constructor(sample: string, column: string, name: string) {
    const wanted = encodeField(column);
    const lines = sample
      .split("\n", HEADER_LINES)
      .map((line) => line.replace(/\r$/, "").replace(/^\u00ef\u00bb\u00bf/, ""));
    const same = (a: string, b: string) => a === b || a.trim().toLowerCase() === b.trim().toLowerCase();
    for (const [i, line] of lines.entries()) {
      for (const delimiter of delimiters) {
        const found = readRow(line, 0, delimiter, true)!.fields.findIndex((other) => same(other, wanted));
        if (found < 0) continue;
        this.#delimiter = delimiter;
        this.#column = found;
        this.#headerLines = i + 1;
        return;
      }
    }
    throw new UserError(
      `${name}: no column "${column}" in its first lines, which begin ${JSON.stringify(decodeField(lines[0] ?? "").slice(0, 200))}`,
    );
  }

  next(text: string, from: number, last: boolean): number {
    const feed = text.indexOf("\n", from);
    if (feed < 0 && !last) return 0;
    const lineEnd = feed < 0 ? text.length : feed;
    this.start = isBlank(text, from, lineEnd) ? NO_URL : LACKS_URL;
    this.end = this.start;
    if (this.#headerLines > 0) {
      this.#headerLines--;
      this.start = NO_URL;
      this.end = NO_URL;
      return Math.min(text.length, lineEnd + 1);
    }
    let at = from;
    for (let column = 0; ; column++) {
      const end = fieldEnd(text, at, this.#delimiter, last);
      if (end < 0) return 0;
      const isLast = isRowEnd(text, end);
      if (column === this.#column) {
        this.start = at;
        this.end = isLast ? withoutReturn(text, at, end) : end;
      }
      if (isLast) return Math.min(text.length, end + 1);
      at = end + 1;
    }
  }

  read(field: string): string {
    return decodeField(unquoted(field) ?? field);
  }

  write(url: string, field: string): string {
    const quoted = field.startsWith('"') || url.includes(this.#delimiter) || /["\r\n]/.test(url);
    return quoted ? `"${url.replaceAll('"', '""')}"` : url;
  }
}

function isBlank(text: string, from: number, end: number): boolean {
  for (let at = from; at < end; at++) if (text.charCodeAt(at) > 0x20) return false;
  return true;
}

/** A field of objects, one object per line; only the objects' own fields, not nested ones. */
class JsonFields implements UrlFields {
  /** A line may hold a whole page. */
  readonly maxRecordBytes = 32 << 20;
  readonly areLines = true;
  readonly isList = false;
  start = NO_URL;
  end = NO_URL;

  readonly #column: string;

  constructor(column: string) {
    this.#column = column;
  }

  next(text: string, from: number, last: boolean): number {
    const feed = text.indexOf("\n", from);
    if (feed < 0 && !last) return 0;
    const lineEnd = feed < 0 ? text.length : feed;
    this.start = isBlank(text, from, lineEnd) ? NO_URL : LACKS_URL;
    this.end = this.start;
    this.#find(text, from, lineEnd);
    return Math.min(text.length, lineEnd + 1);
  }

  #find(text: string, from: number, lineEnd: number): void {
    let depth = 0;
    let key: string | undefined;
    for (let at = from; at < lineEnd; at++) {
      switch (text.charCodeAt(at)) {
        case 0x22: {
          const end = stringEnd(text, at, lineEnd);
          if (end < 0) return;
          if (depth === 1 && key === undefined) key = parseString(text.slice(at, end));
          else if (depth === 1 && key === this.#column) {
            this.start = at;
            this.end = end;
            return;
          }
          at = end - 1;
          break;
        }
        case 0x2c: // ,
          if (depth === 1) key = undefined;
          break;
        case 0x7b: // {
        case 0x5b: // [
          depth++;
          break;
        case 0x7d: // }
        case 0x5d: // ]
          depth--;
          break;
      }
    }
  }

  read(field: string): string {
    return parseString(field) ?? "";
  }

  write(url: string): string {
    return JSON.stringify(url);
  }
}

/** After the closing quote of the string that opens at `at`; -1 where it does not close. */
function stringEnd(text: string, at: number, limit: number): number {
  for (let quote = text.indexOf('"', at + 1); quote >= 0 && quote < limit; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(quote - 1 - backslashes) === 0x5c) backslashes++;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return -1;
}

function parseString(literal: string): string | undefined {
  try {
    return JSON.parse(decodeField(literal));
  } catch {
    return undefined;
  }
}
