/**
 * The record layer of WARC (ISO 28500; 0.17 to 1.1): cuts a stream of bytes into records and knows nothing of what is in
 * them. Where a record is damaged it says so and goes on at the next one that it can find.
 */
import { headEnd, parseHeaders } from "../../http/headers.js";
import { ByteWindow } from "./byte-window.js";

/** One record. Its bytes are valid until the reader is asked for the next one. */
export interface WarcRecord {
  /** File offset of the record, or of the gzip member that it starts in; in the plain bytes for other compressions. */
  readonly offset: number;
  /** "response", "revisit", ...: lower case. */
  readonly type: string;
  /** Version line, headers and the empty line after them. */
  readonly head: Uint8Array;
  readonly block: Uint8Array;
  /** What the record says its block's length is; more than `block` holds where a huge block was cut. */
  readonly blockBytes: number;
}

export interface WarcDamage {
  readonly offset: number;
  readonly reason: string;
}

const MAX_HEAD_BYTES = 64 << 10;
/** Nearly all heads are shorter than this. */
const QUICK_HEAD_BYTES = 2 << 10;
/** "WARC/1.0" and its line end, with some white space between. */
const MAX_VERSION_BYTES = 32;
const RUNS_ON = -2;
/** A longer block is cut here, and its rest is skipped without being read. */
export const MAX_BLOCK_BYTES = 32 << 20;
const FALSE_LENGTH = "record does not end where its Content-Length says";
const CUT_OFF = "record is cut off by the end of the file";
const warcMagic = Buffer.from("WARC/", "latin1");
const recordSeparator = Buffer.from("\r\n\r\n", "latin1");
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** The headers of a record's head. */
export function parseWarcHead(head: Uint8Array): Map<string, string> {
  const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString("utf8");
  return parseHeaders(text.split(/\r?\n/).slice(1));
}

/** Whether `text` stands at `at`, as far as the bytes reach. */
function startsAt(bytes: Buffer, text: Buffer, at: number): boolean {
  const seen = Math.min(text.length, bytes.length - at);
  return seen <= 0 || bytes.compare(text, 0, seen, at, at + seen) === 0;
}

function isVersionLine(bytes: Buffer, at: number): boolean {
  return /^WARC\/\d+\.\d+\s*\n/.test(bytes.toString("latin1", at, at + MAX_VERSION_BYTES));
}

interface Head {
  readonly end: number;
  readonly type: string;
  readonly blockBytes: number;
}

/** Splits bytes into records. Push bytes, take records until there is none; `end` when there are no more bytes. */
export class RecordSplitter {
  readonly #onDamage: (damage: WarcDamage) => void;
  readonly #window = new ByteWindow();
  /** Where in the file stretches of the pushed bytes come from: gzip members; empty for plain files. */
  readonly #origins: { readonly position: number; readonly offset: number }[] = [];
  /** Bytes to consume before anything else: the record that was given out, or the rest of a block that was cut. */
  #skip = 0;
  /** Set between damage and the record at which reading resumes. */
  #lost = false;
  /** Offset of a record whose cut block is being skipped: what follows it tells whether its length was true. */
  #cutAt: number | undefined;
  /** The pushed bytes end where a gzip member or the file ends. */
  #atBoundary = false;
  #ended = false;

  constructor(onDamage: (damage: WarcDamage) => void) {
    this.#onDamage = onDamage;
  }

  push(bytes: Uint8Array): void {
    this.#atBoundary = false;
    this.#window.append(bytes);
  }

  /** A gzip member starts: the bytes pushed next come from `offset`. `head` is how the member begins. */
  startMember(offset: number, head: Uint8Array): void {
    if (warcMagic.compare(head, 0, Math.min(head.length, warcMagic.length)) === 0) {
      // A record that is still open when another begins was cut short when it was written.
      if (this.#lost) this.#window.consume(this.#window.length);
      else if (this.#pending() > 0) this.gap(this.#offset(), "record is shorter than its Content-Length");
    }
    this.#origins.push({ position: this.#window.position + this.#window.length, offset });
    // Records are given out before the next member is pushed, so that only those of an open record remain.
    while (this.#origins.length > 1 && this.#origins[1]!.position <= this.#window.position) this.#origins.shift();
  }

  endMember(): void {
    this.#atBoundary = true;
  }

  /** Bytes are missing here: an open record is lost, and reading resumes at the next that is found. */
  gap(offset: number, reason: string): void {
    this.#window.consume(this.#window.length);
    this.#skip = 0;
    this.#cutAt = undefined;
    this.#lost = true;
    this.#onDamage({ offset, reason });
  }

  end(): void {
    this.#atBoundary = true;
    this.#ended = true;
  }

  /** The next record, or undefined if that needs more bytes (or, after `end`, if there is none). */
  next(): WarcRecord | undefined {
    const window = this.#window;
    for (;;) {
      if (this.#skip > 0) {
        const skipped = Math.min(this.#skip, window.length);
        window.consume(skipped);
        this.#skip -= skipped;
        if (this.#skip > 0) {
          if (this.#ended) {
            this.#onDamage({ offset: this.#cutAt ?? this.#offset(), reason: CUT_OFF });
            this.#skip = 0;
          }
          return undefined;
        }
      }
      if (this.#lost) {
        if (!this.#resume()) return undefined;
        this.#lost = false;
      }
      this.#skipLineEnds();
      const bytes = window.bytes;
      if (bytes.length === 0) return undefined;
      if (bytes.length < warcMagic.length && !this.#ended) return undefined;
      if (bytes.compare(warcMagic, 0, warcMagic.length, 0, Math.min(bytes.length, warcMagic.length)) !== 0) {
        const reason = this.#cutAt === undefined ? "no record starts here" : FALSE_LENGTH;
        this.#onDamage({ offset: this.#cutAt ?? this.#offset(), reason });
        this.#cutAt = undefined;
        this.#lost = true;
        continue;
      }
      this.#cutAt = undefined;
      const head = this.#head(bytes, 0);
      if (head === undefined) return undefined;
      if (typeof head === "string") {
        this.#drop(head, warcMagic.length);
        continue;
      }
      const verdict = this.#settleBlock(bytes, head);
      if (verdict === undefined) return undefined;
      if (typeof verdict === "string") {
        this.#drop(verdict, head.end);
        continue;
      }
      return verdict;
    }
  }

  /** Bytes of an open record: line ends after a record do not count. */
  #pending(): number {
    if (this.#skip === 0) this.#skipLineEnds();
    return this.#skip + this.#window.length;
  }

  #offset(): number {
    const { position } = this.#window;
    return this.#origins.findLast((origin) => origin.position <= position)?.offset ?? position;
  }

  /** Gives up the record at the window's start as damaged, and looks for the next one from `from` on. */
  #drop(reason: string, from: number): void {
    this.#onDamage({ offset: this.#offset(), reason });
    this.#window.consume(from);
    this.#lost = true;
  }

  #skipLineEnds(): void {
    const bytes = this.#window.bytes;
    let at = 0;
    while (bytes[at] === CARRIAGE_RETURN || bytes[at] === LINE_FEED) at++;
    if (at > 0) this.#window.consume(at);
  }

  /** The head at `from`, why it is not one, or undefined if more bytes are needed. */
  #head(bytes: Buffer, from: number): Head | string | undefined {
    if (!isVersionLine(bytes, from)) {
      // The whole line may not have arrived.
      return this.#ended || bytes.length - from > MAX_VERSION_BYTES ? "version line is damaged" : undefined;
    }
    const end = this.#headEnd(bytes, from);
    if (end < 0) {
      if (end === RUNS_ON || bytes.length - from > MAX_HEAD_BYTES) return "record header does not end";
      return this.#ended ? CUT_OFF : undefined;
    }
    const head = bytes.toString("latin1", from, end);
    const length = /\ncontent-length[ \t]*:[ \t]*(\d{1,15})[ \t]*\r?\n/i.exec(head);
    if (length === null) return "record has no valid Content-Length";
    const type = /\nwarc-type[ \t]*:[ \t]*([a-z-]+)[ \t]*\r?\n/i.exec(head);
    if (type === null) return "record has no valid WARC-Type";
    return { end, type: type[1]!.toLowerCase(), blockBytes: Number(length[1]) };
  }

  /**
   * Where the head ends; -1 if it does not, as far as the bytes reach; RUNS_ON if another record begins first: a record
   * cut inside its head runs on into the next record's head. Of many beginnings without an end, each is read only up to
   * the next.
   */
  #headEnd(bytes: Buffer, from: number): number {
    const near = bytes.subarray(0, from + MAX_HEAD_BYTES + recordSeparator.length);
    const quick = headEnd(near.subarray(0, from + QUICK_HEAD_BYTES), from, QUICK_HEAD_BYTES);
    const searched = quick < 0 ? near : near.subarray(0, quick);
    for (let at = searched.indexOf(warcMagic, from + 1); at >= 0; at = searched.indexOf(warcMagic, at + 1)) {
      if (isVersionLine(searched, at)) return RUNS_ON;
    }
    return quick < 0 ? headEnd(near, from, MAX_HEAD_BYTES) : quick;
  }

  /**
   * The record at the window's start if its block is there and ends where the next record or the input does. A string if
   * it does not (its length is false: nothing in the record can be trusted), undefined if more bytes are needed.
   */
  #settleBlock(bytes: Buffer, head: Head): WarcRecord | string | undefined {
    const offset = this.#offset();
    const { end, type, blockBytes } = head;
    const blockEnd = end + blockBytes;
    const record = (blockStop: number): WarcRecord => ({
      offset,
      type,
      head: bytes.subarray(0, end),
      block: bytes.subarray(end, blockStop),
      blockBytes,
    });
    if (blockBytes > MAX_BLOCK_BYTES) {
      if (bytes.length < end + MAX_BLOCK_BYTES) return this.#ended ? CUT_OFF : undefined;
      // Too long to wait for what follows it. A record header inside means that the length is false.
      if (this.#findHead(bytes, end) >= 0) return FALSE_LENGTH;
      this.#cutAt = offset;
      this.#skip = blockEnd;
      return record(end + MAX_BLOCK_BYTES);
    }
    if (bytes.length < blockEnd) return this.#ended ? CUT_OFF : undefined;
    let at = blockEnd;
    while (bytes[at] === CARRIAGE_RETURN || bytes[at] === LINE_FEED) at++;
    if (!startsAt(bytes, warcMagic, at)) {
      // With a proper separator, or a proper record after a damaged one, the fault is not this record's.
      if (startsAt(bytes, warcMagic, blockEnd + recordSeparator.length)) at = blockEnd + recordSeparator.length;
      else if (!startsAt(bytes, recordSeparator, blockEnd)) return FALSE_LENGTH;
    }
    if (bytes.length < at + warcMagic.length && !this.#atBoundary) return undefined;
    this.#skip = at;
    return record(blockEnd);
  }

  /** Consumes up to the next record header; false if there is none among the bytes. */
  #resume(): boolean {
    const window = this.#window;
    const bytes = window.bytes;
    const at = this.#findHead(bytes, 0);
    if (at >= 0) {
      window.consume(at);
      return true;
    }
    if (this.#ended) window.consume(bytes.length);
    else if (at === -1) window.consume(Math.max(0, bytes.length - warcMagic.length - 1));
    else window.consume(-2 - at);
    return false;
  }

  /**
   * Where the first record header begins; -1 if nowhere; -2 - p if one that is not yet complete
   * begins at p.
   */
  #findHead(bytes: Buffer, from: number): number {
    for (let at = bytes.indexOf(warcMagic, from); at >= 0; at = bytes.indexOf(warcMagic, at + 1)) {
      const head = this.#head(bytes, at);
      if (head === undefined) return -2 - at;
      if (typeof head !== "string") return at;
    }
    return -1;
  }
}
