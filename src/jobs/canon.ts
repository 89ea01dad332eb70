/** `canon`: lists, tables and JSON lines through canonization, nothing else in them changed. */
import type { Canonizer, Explanation } from "../canon/compile.js";
import { DataError, InterruptedError } from "../errors.js";
import { ByteTable, MAX_INTERNED_BYTES } from "../input/byte-table.js";
import { openInput, type StandardInput } from "../input/open.js";
import { LACKS_URL, LineFields, type UrlFields, urlFields } from "../input/url-fields.js";
import type { StringColumn } from "../model.js";
import { parseUrl } from "../url/parse.js";

export interface CanonJobOptions {
  /** The column or JSON field with the URL; absent: the input is a list. */
  readonly column?: string;
  /** Print each canonical URL, or the first record that has it, once. */
  readonly dedupe: boolean;
  /** Instead of copying records through: the text for each URL. */
  readonly describe?: (url: string, explanation: Explanation) => string;
  readonly signal: AbortSignal;
  readonly standardInput?: StandardInput;
}

export interface CanonCounts {
  records: number;
  urls: number;
  changed: number;
  /** Left out by `dedupe`. */
  repeated: number;
  /** Passed through unchanged, since they are no URL or have none. */
  notUrls: number;
}

/** Takes output as latin1, one character a byte; resolves when more may come. */
export type Write = (text: string) => Promise<void>;

export interface CanonJob {
  readonly file: (name: string) => Promise<void>;
  readonly list: (urls: StringColumn) => Promise<void>;
  readonly counts: Readonly<CanonCounts>;
}

/** URLs in, canonical URLs out. Whatever is no URL passes through unchanged and is counted: no record is ever lost. */
export function openCanon(canon: Canonizer, options: CanonJobOptions, write: Write): CanonJob {
  const counts: CanonCounts = { records: 0, urls: 0, changed: 0, repeated: 0, notUrls: 0 };
  const seen = options.dedupe ? new ByteTable() : undefined;

  /** What becomes of the record text[from .. to), whose bytes are `bytes`; undefined where it stays as it is. */
  function replace(text: string, bytes: Buffer, from: number, to: number, fields: UrlFields): string | undefined {
    counts.records++;
    if (fields.start < 0) {
      if (fields.start === LACKS_URL) counts.notUrls++;
      return options.describe === undefined ? undefined : "";
    }
    // Most URLs are plain and stay as they are: for them no string is made.
    const quote = bytes[fields.start] === 0x22 ? 1 : 0;
    const start = fields.start + quote;
    const end = fields.end - quote;
    if (options.describe === undefined && isPlainUrl(bytes, start, end) && !canon.mayChange(bytes, start, end)) {
      counts.urls++;
      if (seen === undefined || isNewIn(seen, bytes, start, end)) return undefined;
      counts.repeated++;
      return "";
    }
    const field = text.slice(fields.start, fields.end);
    const url = fields.read(field);
    if (parseUrl(url) === undefined) {
      counts.notUrls++;
      return options.describe === undefined ? undefined : "";
    }
    counts.urls++;
    const canonical = canon(url);
    if (canonical !== url) counts.changed++;
    if (seen !== undefined && !isNew(seen, canonical)) {
      counts.repeated++;
      return "";
    }
    if (options.describe !== undefined) return options.describe(url, canon.explain(url));
    if (canonical === url) return undefined;
    return text.slice(from, fields.start) + fields.write(canonical, field) + text.slice(fields.end, to);
  }

  async function copy(chunks: AsyncIterable<Uint8Array>, fields: UrlFields): Promise<void> {
    let bytes: Buffer = Buffer.alloc(0);
    /** In a record that is too long to be one: passed through up to its line end. */
    let passing = false;
    const take = (last: boolean): string => {
      const output: string[] = [];
      // One character a byte, so that both have the same places.
      const text = bytes.toString("latin1");
      let at = 0;
      // What is copied as it is goes out in one piece.
      let copied = 0;
      while (at < text.length) {
        let end = passing ? lineEnd(text, at) : fields.next(text, at, last);
        if (passing) {
          passing = end < 0;
          if (passing) end = text.length;
        } else if (end === 0) {
          if (text.length - at <= fields.maxRecordBytes) break;
          counts.records++;
          counts.notUrls++;
          passing = true;
          continue;
        } else {
          const replaced = replace(text, bytes, at, end, fields);
          if (replaced !== undefined) {
            output.push(text.slice(copied, at), replaced);
            copied = end;
          }
        }
        at = end;
      }
      output.push(text.slice(copied, at));
      bytes = bytes.subarray(at);
      return output.join("");
    };
    for await (const chunk of chunks) {
      if (options.signal.aborted) throw new InterruptedError("the output ends in the middle");
      const own = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
      bytes = bytes.length === 0 ? own : Buffer.concat([bytes, own]);
      await write(take(false));
    }
    await write(take(true));
  }

  return {
    counts,
    file: async (name) => {
      const input = await openInput(name, options.standardInput);
      let damage: { reason: string; offset: number } | undefined;
      const chunks = input.chunks((reason, offset) => {
        damage = { reason, offset };
      });
      await copy(chunks, urlFields(input.sample, options.column, name));
      if (damage !== undefined) {
        throw new DataError(`${damage.reason}; the output ends there`, `${name} at byte ${damage.offset}`);
      }
    },
    list: (urls) => copy(linesOf(urls), new LineFields()),
  };
}

const scratch = Buffer.alloc(1 << 16);

function isNew(seen: ByteTable, url: string): boolean {
  const fits = url.length * 3 <= scratch.length;
  const bytes = fits ? scratch : Buffer.from(url);
  return isNewIn(seen, bytes, 0, fits ? scratch.write(url, 0) : bytes.length);
}

function isNewIn(seen: ByteTable, bytes: Uint8Array, start: number, end: number): boolean {
  // Nobody has two URLs of a megabyte.
  if (end - start > MAX_INTERNED_BYTES) return true;
  const before = seen.count;
  return seen.intern(bytes, start, end) === before;
}

/** What a byte may be part of: a host, or what follows one; neither needs quotes, escapes or decoding anywhere. */
const IN_HOST = 1;
const BEHIND_HOST = 2;
const plainBytes = Uint8Array.from({ length: 256 }, (_, byte) => (byte > 0x20 && byte < 0x7f ? BEHIND_HOST : 0));
for (const byte of Buffer.from('"\\')) plainBytes[byte] = 0;
for (const byte of Buffer.from("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._"))
  plainBytes[byte]! |= IN_HOST;

/** Is bytes[start .. end) surely a URL to `parseUrl`, and its own text in every kind of record? False also where that is not clear. */
function isPlainUrl(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start;
  if (bytes[at] !== 0x2f) {
    for (const byte of httpBytes) if (bytes[at++] !== byte) return false;
    if (bytes[at] === 0x73) at++;
    for (const byte of colonSlashSlash) if (bytes[at++] !== byte) return false;
    const host = at;
    while (at < end && (plainBytes[bytes[at]!]! & IN_HOST) !== 0) at++;
    if (at === host) return false;
    if (at < end && bytes[at] !== 0x2f && bytes[at] !== 0x3f && bytes[at] !== 0x23) return false;
  }
  for (; at < end; at++) if (plainBytes[bytes[at]!] === 0) return false;
  return at === end;
}

const httpBytes = Buffer.from("http");
const colonSlashSlash = Buffer.from("://");

/** Behind the next line end; -1 where there is none. */
function lineEnd(text: string, from: number): number {
  const feed = text.indexOf("\n", from);
  return feed < 0 ? -1 : feed + 1;
}

const LINES_AT_ONCE = 10_000;

async function* linesOf({ count, bytes, offsets }: StringColumn): AsyncGenerator<Uint8Array> {
  for (let row = 0; row < count; row += LINES_AT_ONCE) {
    const end = Math.min(count, row + LINES_AT_ONCE);
    const block = new Uint8Array(offsets[end]! - offsets[row]! + (end - row));
    let at = 0;
    for (let i = row; i < end; i++) {
      block.set(bytes.subarray(offsets[i]!, offsets[i + 1]!), at);
      at += offsets[i + 1]! - offsets[i]!;
      block[at++] = 10;
    }
    yield block;
  }
}
