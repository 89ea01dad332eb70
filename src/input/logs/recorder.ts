/**
 * From the fields of one log line to a sighting: the request and its answer. Only rare things are made into strings.
 */

import { CrawlerFamilies, OWN_FAMILY } from "../crawlers.js";
import type { LogSink } from "../format.js";
import { isHost, originFor, originOfBucket, originOfServer, withoutDefaultPort } from "./origin.js";
import { type Program, roleNumber } from "./program.js";
import { parseClock, parseDate, Timestamps } from "./time.js";

export const skipReasons = {
  otherMethod: "neither GET nor HEAD",
  noRequest: "no HTTP request",
  noAnswer: "request without its answer",
  notUrl: "what was asked for is not a URL",
  notHost: "the host is not a name or an address",
  own: "asked for by dustpan itself",
} as const;

export const damageReasons = {
  status: "the status is not a number",
  time: "the time cannot be read (the record is kept without it)",
} as const;

const SPACE = 0x20;
const SLASH = 0x2f;
const MAX_LINE_BYTES = 1 << 16;
const MAX_ORIGINS = 1 << 14;

export interface RecorderOptions {
  /** The log writes the port into every URL ("https://a:443/"), although no request had it. */
  readonly addedPort?: boolean;
}

export class Recorder {
  readonly #sink: LogSink;
  readonly #agents = new CrawlerFamilies();
  readonly #timestamps = new Timestamps();
  readonly #addedPort: boolean;
  /** The origin now at the beginning of #url, and the bytes of host, port and scheme that it was made from. */
  readonly #url = Buffer.alloc(4 * MAX_LINE_BYTES);
  #originBytes = 0;
  #originKey = "";
  readonly #base: string;
  readonly #origins = new Map<string, string>();

  constructor(sink: LogSink, options: RecorderOptions = {}) {
    this.#sink = sink;
    this.#addedPort = options.addedPort ?? false;
    this.#base = originFor(undefined, undefined, sink.base)!;
    this.#setOrigin(this.#base);
  }

  /** Adds the line that the program has just matched. Gives the reason where it is damaged. */
  add(program: Program, buffer: Buffer): string | undefined {
    const { found } = program;
    this.#sink.record();

    let head = false;
    let start = found[2 * roleNumber.request]!;
    let end = found[2 * roleNumber.request + 1]!;
    let role = roleNumber.request;
    if (start >= 0) {
      const urlStart = this.#methodEnd(buffer, start, end);
      if (urlStart < 0) return undefined;
      head = buffer[start] === 0x48;
      end = requestUrlEnd(buffer, urlStart, end);
      start = urlStart;
    } else {
      const methodStart = found[2 * roleNumber.method]!;
      // A log without methods (a media server's, say) is taken to have GETs only.
      if (methodStart >= 0) {
        const method = this.#method(buffer, methodStart, found[2 * roleNumber.method + 1]!);
        if (method < 0) return undefined;
        head = method === 1;
      }
      role = found[2 * roleNumber.url]! >= 0 ? roleNumber.url : roleNumber.path;
      start = found[2 * role]!;
      end = found[2 * role + 1]!;
    }
    if (start < 0 || end <= start) return this.#skip(skipReasons.noRequest);

    const status = readStatus(buffer, found[2 * roleNumber.status]!, found[2 * roleNumber.status + 1]!);
    if (status < 0) return damageReasons.status;
    const bytes = readNumber(buffer, found[2 * roleNumber.bytes]!, found[2 * roleNumber.bytes + 1]!);
    const timeMs = this.#time(buffer, found);
    const agentStart = found[2 * roleNumber.agent]!;
    const family = agentStart < 0 ? 0 : this.#agents.of(buffer, agentStart, found[2 * roleNumber.agent + 1]!);
    if (family === OWN_FAMILY) return this.#skip(skipReasons.own);

    const { table } = this.#sink;
    let row: number;
    // Most logs: nothing comes before or after the path, and nothing in it is escaped.
    const plain = buffer[start] === SLASH && (program.escaped & (1 << role)) === 0 && found[2 * roleNumber.query]! < 0;
    if (plain && !this.#hasOrigin(found)) {
      row = table.addBytes(buffer, start, end, head, status, bytes, timeMs, family);
    } else {
      const length = this.#assemble(program, buffer, start, end, role);
      if (length < 0) return undefined;
      row = table.addBytes(this.#url, 0, length, head, status, bytes, timeMs, family);
    }
    this.#addRedirect(buffer, found, row, status);
    return Number.isNaN(timeMs) && hasTime(found) ? damageReasons.time : undefined;
  }

  #skip(reason: string): undefined {
    this.#sink.skip(reason);
  }

  /** Where the URL of "GET /x HTTP/1.1" begins; -1 for every method but GET and HEAD, which is counted. */
  #methodEnd(buffer: Buffer, start: number, end: number): number {
    const first = buffer[start];
    if (first === 0x47 && buffer[start + 1] === 0x45 && buffer[start + 2] === 0x54 && buffer[start + 3] === SPACE) {
      if (start + 4 < end) return start + 4;
    } else if (first === 0x48 && buffer.toString("latin1", start, start + 5) === "HEAD ") {
      if (start + 5 < end) return start + 5;
    }
    let at = start;
    while (at < end && isToken(buffer[at]!)) at++;
    const isMethod = at - start >= 2 && at < end && buffer[at] === SPACE && buffer[at + 1] !== SPACE && at + 1 < end;
    this.#skip(isMethod ? skipReasons.otherMethod : skipReasons.noRequest);
    return -1;
  }

  /** 0 GET, 1 HEAD, -1 another, which is counted. */
  #method(buffer: Buffer, start: number, end: number): number {
    const length = end - start;
    if (length === 3 && buffer[start] === 0x47 && buffer[start + 1] === 0x45 && buffer[start + 2] === 0x54) return 0;
    const text = buffer.toString("latin1", start, end);
    if (text === "HEAD") return 1;
    this.#skip(/^[A-Za-z]{2,}$/.test(text) ? skipReasons.otherMethod : skipReasons.noRequest);
    return -1;
  }

  #time(buffer: Buffer, found: Int32Array): number {
    const start = found[2 * roleNumber.time]!;
    if (start >= 0) return this.#timestamps.parse(buffer, start, found[2 * roleNumber.time + 1]!);
    const date = found[2 * roleNumber.date]!;
    if (date < 0) return Number.NaN;
    const dayMs = parseDate(buffer, date, found[2 * roleNumber.date + 1]!);
    const clock = found[2 * roleNumber.clock]!;
    return clock < 0 ? dayMs : dayMs + parseClock(buffer, clock, found[2 * roleNumber.clock + 1]!);
  }

  #hasOrigin(found: Int32Array): boolean {
    return (
      this.#base !== "" ||
      found[2 * roleNumber.host]! >= 0 ||
      found[2 * roleNumber.server]! >= 0 ||
      found[2 * roleNumber.bucket]! >= 0
    );
  }

  /** Writes the URL into #url and gives its length; -1 where there is no valid URL, which is counted. */
  #assemble(program: Program, buffer: Buffer, start: number, end: number, role: number): number {
    const { found, escaped } = program;
    let source = buffer;
    let from = start;
    let to = end;
    if ((escaped & (1 << role)) !== 0) {
      source = unescaped(buffer, start, end);
      from = 0;
      to = source.length;
    }
    if (source[from] !== SLASH) return this.#absolute(program, source.toString("latin1", from, to), role, buffer);
    if (!this.#chooseOrigin(buffer, found)) return -1;
    source.copy(this.#url, this.#originBytes, from, to);
    const length = this.#originBytes + to - from;
    return role === roleNumber.path ? this.#appendQuery(buffer, program, length) : length;
  }

  #appendQuery(buffer: Buffer, { found, escaped }: Program, length: number): number {
    const start = found[2 * roleNumber.query]!;
    const end = found[2 * roleNumber.query + 1]!;
    if (start < 0 || end === start || (end - start === 1 && buffer[start] === 0x2d)) return length;
    const query =
      (escaped & (1 << roleNumber.query)) !== 0 ? unescaped(buffer, start, end) : buffer.subarray(start, end);
    let at = length;
    if (query[0] !== 0x3f) this.#url[at++] = 0x3f;
    return at + query.copy(this.#url, at);
  }

  /** "http://a/b", or "a/b" in a field for URLs. */
  #absolute(program: Program, given: string, role: number, buffer: Buffer): number {
    let url = given;
    if (!/^https?:\/\//i.test(url)) {
      const host = /^[^/?#\s]*/.exec(url)![0];
      if (role !== roleNumber.url || !isHost(host) || !host.includes(".")) {
        this.#skip(skipReasons.notUrl);
        return -1;
      }
      url = `${this.#scheme(buffer, program.found) ?? "http"}://${url}`;
    }
    const [, scheme, host, rest] = /^(https?):\/\/([^/?#]*)(.*)$/is.exec(url)!;
    if (!isHost(host!.slice(host!.lastIndexOf("@") + 1))) {
      this.#skip(skipReasons.notHost);
      return -1;
    }
    if (this.#addedPort) url = `${scheme}://${withoutDefaultPort(host!, scheme!)}${rest}`;
    this.#originKey = "";
    this.#originBytes = 0;
    const length = this.#url.write(url, 0, "latin1");
    const { found, escaped } = program;
    if (role === roleNumber.request || (escaped & (1 << role)) !== 0 || found[2 * roleNumber.query]! < 0) return length;
    return this.#appendQuery(buffer, program, length);
  }

  /** Puts the line's origin before #url's path. False where its host is not a host, which is counted. */
  #chooseOrigin(buffer: Buffer, found: Int32Array): boolean {
    let role = roleNumber.host;
    if (isAbsent(buffer, found, role)) role = roleNumber.server;
    if (isAbsent(buffer, found, role)) role = roleNumber.bucket;
    if (isAbsent(buffer, found, role)) {
      if (this.#originKey !== "-") this.#setOrigin(this.#base);
      return true;
    }
    const host = text(buffer, found, role);
    const port = isAbsent(buffer, found, roleNumber.port) ? "" : text(buffer, found, roleNumber.port);
    const scheme = this.#scheme(buffer, found);
    const key = `${role} ${host} ${port} ${scheme}`;
    if (key === this.#originKey) return true;
    let origin = this.#origins.get(key);
    if (origin === undefined) {
      const { base } = this.#sink;
      if (role === roleNumber.host) origin = originFor(host, scheme, base);
      else if (role === roleNumber.server) origin = originOfServer(host, port, scheme, base);
      else origin = originOfBucket(host, scheme, base);
      if (origin === undefined) {
        this.#skip(skipReasons.notHost);
        return false;
      }
      if (this.#origins.size === MAX_ORIGINS) this.#origins.clear();
      this.#origins.set(key, origin);
    }
    this.#setOrigin(origin);
    this.#originKey = key;
    return true;
  }

  #setOrigin(origin: string): void {
    this.#originKey = "-";
    this.#originBytes = this.#url.write(origin, 0, "latin1");
  }

  /** What the log says, else what the port says. */
  #scheme(buffer: Buffer, found: Int32Array): "http" | "https" | undefined {
    if (!isAbsent(buffer, found, roleNumber.scheme)) {
      // "HTTPS", "https", "wss" ...: only its length is looked at.
      return found[2 * roleNumber.scheme + 1]! - found[2 * roleNumber.scheme]! === 5 ? "https" : "http";
    }
    if (isAbsent(buffer, found, roleNumber.schemePort)) return undefined;
    const port = text(buffer, found, roleNumber.schemePort);
    return port === "443" ? "https" : port === "80" ? "http" : undefined;
  }

  #addRedirect(buffer: Buffer, found: Int32Array, row: number, status: number): void {
    const start = found[2 * roleNumber.location]!;
    if (start < 0 || status < 300 || status > 399 || isAbsent(buffer, found, roleNumber.location)) return;
    const target = unescaped(buffer, start, found[2 * roleNumber.location + 1]!).toString("latin1");
    this.#sink.table.addRedirect(row, target);
  }
}

function text(buffer: Buffer, found: Int32Array, role: number): string {
  return buffer.toString("latin1", found[2 * role]!, found[2 * role + 1]!);
}

/** Not in the line, empty, or "-". */
function isAbsent(buffer: Buffer, found: Int32Array, role: number): boolean {
  const start = found[2 * role]!;
  const length = found[2 * role + 1]! - start;
  return start < 0 || length === 0 || (length === 1 && buffer[start] === 0x2d);
}

function hasTime(found: Int32Array): boolean {
  return found[2 * roleNumber.time]! >= 0 || found[2 * roleNumber.date]! >= 0;
}

/** Before " HTTP/1.1", if the request ends with that: HTTP/0.9 requests do not, and a URL may contain blanks. */
function requestUrlEnd(buffer: Buffer, start: number, end: number): number {
  let at = end;
  while (at > start && buffer[at - 1] === SPACE) at--;
  const last = at;
  while (at > start && buffer[at - 1] !== SPACE) at--;
  const isProtocol =
    at > start && buffer[at] === 0x48 && buffer[at + 1] === 0x54 && buffer[at + 3] === 0x50 && buffer[at + 4] === SLASH;
  if (!isProtocol) return last;
  let urlEnd = at;
  while (urlEnd > start && buffer[urlEnd - 1] === SPACE) urlEnd--;
  return urlEnd;
}

/** 0 where unknown ("-", or HAProxy's -1 for no answer), below 0 where it is not a status. */
function readStatus(buffer: Buffer, start: number, end: number): number {
  if (start < 0 || end === start || buffer[start] === 0x2d) return 0;
  const status = readNumber(buffer, start, end);
  if (status >= 0 && status < 1000) return status;
  // IIS writes a substatus after a dot in some set-ups: "404.3".
  if (end - start > 4 && buffer[start + 3] === 0x2e) return readStatus(buffer, start, start + 3);
  return -1;
}

/** NaN where it is not a whole number: "-". */
function readNumber(buffer: Buffer, start: number, end: number): number {
  if (start < 0 || end === start || end - start > 15) return Number.NaN;
  let value = 0;
  for (let i = start; i < end; i++) {
    const digit = buffer[i]! - 48;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

function isToken(byte: number): boolean {
  return (byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122) || byte === 0x2d || byte === 0x5f;
}

const escapedBytes: Record<string, number> = { n: 10, t: 9, r: 13, b: 8, v: 11, f: 12 };

/** Apache's and nginx' escapes: \xHH, \", \\ and the C ones. Others stay as they are. */
export function unescaped(buffer: Buffer, start: number, end: number): Buffer {
  const bytes = Buffer.from(buffer.subarray(start, end));
  let to = 0;
  for (let at = 0; at < bytes.length; at++) {
    const next = String.fromCharCode(bytes[at + 1] ?? 0);
    if (bytes[at] !== 0x5c) {
      bytes[to++] = bytes[at]!;
    } else if (next === "x" && /^[0-9A-Fa-f]{2}$/.test(bytes.toString("latin1", at + 2, at + 4))) {
      bytes[to++] = Number.parseInt(bytes.toString("latin1", at + 2, at + 4), 16);
      at += 3;
    } else if (next === '"' || next === "\\") {
      bytes[to++] = bytes[++at]!;
    } else if (escapedBytes[next] !== undefined) {
      bytes[to++] = escapedBytes[next];
      at++;
    } else {
      bytes[to++] = 0x5c;
    }
  }
  return bytes.subarray(0, to);
}
