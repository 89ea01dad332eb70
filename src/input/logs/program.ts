/**
 * What a log format compiles to: alternating literals and fields. Named formats, Apache and nginx format strings and
 * W3C "#Fields" lines all become such a program, and one loop runs them over the bytes of a line.
 */
import { WordView } from "../../tables/word-view.js";
import { firstPlace, wordHas, wordOf } from "../words.js";

/** What a field is for. Everything else in a line (addresses, users, cookies, referrers) is skipped. */
export const roles = [
  "ignored",
  /** A timestamp as one field. */
  "time",
  /** W3C logs: the day and the time of day apart, UTC. */
  "date",
  "clock",
  /** "GET /a?b HTTP/1.1" */
  "request",
  "method",
  /** Path with query; may begin with scheme and host, or with the host. */
  "url",
  "path",
  /** With or without its "?". */
  "query",
  /** The Host header. */
  "host",
  /** The virtual host that served the request, perhaps with the port that it listens on. */
  "server",
  "port",
  /** A port that only tells http from https: the Host header has the one that was asked for. */
  "schemePort",
  "scheme",
  "status",
  "bytes",
  "agent",
  /** The response's Location header. */
  "location",
  /** An S3 bucket: a host if no other is known. */
  "bucket",
] as const;

export type Role = (typeof roles)[number];

/** Roles by number, for arrays. */
export const roleNumber = Object.fromEntries(roles.map((role, i) => [role, i])) as Record<Role, number>;

/** Fields without which a line is not a record, where the format has them. */
const essentialRoles = new Set<Role>(
  roles.filter((role) => !["ignored", "agent", "location", "host", "bucket"].includes(role)),
);

/** Values without blanks: where a blank or the format's end follows the field, the first blank also ends the value. */
const oneWordRoles = new Set<Role>(["status", "bytes", "method", "scheme", "port", "host", "server", "clock"]);

export interface Field {
  /** What stands before it. */
  readonly before: string;
  readonly role: Role;
  /** Its name in messages where it is missing. */
  readonly name: string;
  /** Blanks inside the value, where their number is fixed: "10/Feb/2012:16:42:07 -0500" has one. */
  readonly blanks?: number;
}

/** How values are written: with Apache's and nginx' backslashes, or as W3C logs quote them. */
export type Quoting = "backslash" | "w3c";

interface Step {
  readonly before: Uint8Array;
  /** What ends the value; empty: the end of the line. */
  readonly until: Uint8Array;
  /** The value may also end with the line. */
  readonly mayEndLine: boolean;
  readonly role: number;
  readonly blanks: number;
}

const QUOTE = 0x22;
const BLANK = 0x20;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const FOUR_BACKSLASHES = wordOf(BACKSLASH);

export class Program {
  /** Where the field of each role is in the last line matched: start at 2 * role, -1 where it is not there, then end. */
  readonly found = new Int32Array(2 * roles.length).fill(-1);
  /** Bit 1 << role: a backslash was seen in that field. */
  escaped = 0;
  readonly #steps: readonly Step[];
  /** Start and end of each field of the last line, and how many of them there are. */
  readonly #places: Int32Array;
  #matched = 0;
  readonly #words = new WordView();
  /** Steps up to the last essential one. The rest of a line is read as far as it matches. */
  readonly #required: number;
  readonly #missing: readonly string[];

  /** `after` is the literal after the last field; whatever follows it is skipped. */
  constructor(
    readonly fields: readonly Field[],
    after: string,
    readonly quoting: Quoting,
  ) {
    this.#required = 1 + fields.findLastIndex(({ role }) => essentialRoles.has(role));
    this.#steps = fields.map(({ before, role, blanks = 0 }, i) => {
      const literal = fields[i + 1]?.before ?? after;
      const oneWord = oneWordRoles.has(role) && (literal === "" || literal.startsWith(" "));
      return {
        before: Buffer.from(before),
        until: Buffer.from(oneWord ? " " : literal),
        mayEndLine: oneWord && i >= this.#required - 1,
        role: roleNumber[role],
        blanks,
      };
    });
    this.#places = new Int32Array(2 * fields.length);
    this.#missing = fields.map(({ name }) => `the line does not match the format at its ${name}`);
  }

  has(role: Role): boolean {
    return this.fields.some((field) => field.role === role);
  }

  /** Finds the fields of buffer[start .. end). Returns the reason where an essential one is missing. */
  match(buffer: Uint8Array, start: number, end: number): string | undefined {
    const { found } = this;
    const steps = this.#steps;
    this.escaped = 0;
    let at = start;
    let i = 0;
    for (; i < steps.length; i++) {
      const { before, until, mayEndLine, role, blanks } = steps[i]!;
      if (!startsWith(buffer, at, end, before)) break;
      at += before.length;
      const inQuotes = this.quoting === "w3c" && buffer[at] === QUOTE;
      let valueEnd = inQuotes
        ? quotedEnd(buffer, at, end, until)
        : this.#valueEnd(buffer, at, end, until, blanks, role);
      if (valueEnd < 0 && mayEndLine && at < end) valueEnd = end;
      if (valueEnd < 0) break;
      const trim = inQuotes ? 1 : 0;
      found[2 * role] = this.#places[2 * i] = at + trim;
      found[2 * role + 1] = this.#places[2 * i + 1] = valueEnd - trim;
      at = valueEnd;
    }
    this.#matched = i;
    // The places of the previous line are still there.
    for (let j = i; j < steps.length; j++) found[2 * steps[j]!.role] = -1;
    // After the last essential field a line may end early, or go on differently.
    return i < this.#required ? this.#missing[i] : undefined;
  }

  /** The values of a line by their fields' names, as far as they match; undefined where an essential one does not. */
  explain(buffer: Uint8Array): Record<string, string> | undefined {
    if (this.match(buffer, 0, buffer.length) !== undefined) return undefined;
    const values: Record<string, string> = {};
    for (let i = 0; i < this.#matched; i++) {
      const value = buffer.subarray(this.#places[2 * i]!, this.#places[2 * i + 1]!);
      values[this.fields[i]!.name] = Buffer.from(value).toString("latin1");
    }
    return values;
  }

  /**
   * The first place where the whole of `until` stands: a quote inside a value ends it only if what the format says
   * follows it, and not after a backslash. -1 if there is none.
   */
  #valueEnd(buffer: Uint8Array, start: number, end: number, until: Uint8Array, blanks: number, role: number): number {
    if (until.length === 0) return end;
    const first = until[0]!;
    const backslashes = this.quoting === "backslash";
    const view = this.#words.of(buffer);
    const fourFirst = wordOf(first);
    let skip = blanks;
    for (let at = start; ; at++) {
      let places = 0;
      while (at + 4 <= end) {
        const word = view.getInt32(at, true);
        places = wordHas(word, fourFirst) | wordHas(word, FOUR_BACKSLASHES);
        if (places !== 0) break;
        at += 4;
      }
      if (places !== 0) {
        at += firstPlace(places);
      } else {
        while (at < end && view.getUint8(at) !== first && view.getUint8(at) !== BACKSLASH) at++;
        if (at >= end) break;
      }
      const byte = view.getUint8(at);
      if (byte === first) {
        if (byte === BLANK && skip > 0) skip--;
        else if (startsWith(buffer, at, end, until) && !isInList(view, start, at, role)) return at;
      } else if (byte === BACKSLASH && backslashes) {
        this.escaped |= 1 << role;
        at++;
      }
    }
    // A last W3C field, or the last one of a line that ends early.
    return this.quoting === "w3c" ? end : -1;
  }
}

/** A blank after a comma: lists of proxies and upstreams are written like this, without quotes. */
function isInList(view: DataView, start: number, at: number, role: number): boolean {
  return role === roleNumber.ignored && view.getUint8(at) === BLANK && at > start && view.getUint8(at - 1) === COMMA;
}

/**
 * W3C: the closing quote is one that comes before the separator or the line's end and is not doubled; -1 if there is
 * none.
 */
function quotedEnd(buffer: Uint8Array, start: number, end: number, until: Uint8Array): number {
  for (let at = start + 1; at < end; at++) {
    if (buffer[at] !== QUOTE) continue;
    if (at + 1 === end || startsWith(buffer, at + 1, end, until)) return at + 1;
    if (buffer[at + 1] === QUOTE) at++;
  }
  return -1;
}

function startsWith(buffer: Uint8Array, at: number, end: number, literal: Uint8Array): boolean {
  if (at + literal.length > end) return false;
  for (let i = 0; i < literal.length; i++) if (buffer[at + i] !== literal[i]) return false;
  return true;
}
