/** Copies records through with their URLs canonized: bytes in, bytes out. Runs on the caller's thread and on worker threads. */
import { isAscii } from "node:buffer";
import type { Canonizer, Explanation } from "../../canon/compile.js";
import { ByteTable, MAX_INTERNED_BYTES } from "../../input/byte-table.js";
import { LACKS_URL, type UrlFields } from "../../input/url-fields.js";
import { parseUrl } from "../../url/parse.js";

export interface CanonCounts {
  records: number;
  urls: number;
  changed: number;
  /** Left out by `dedupe`. */
  repeated: number;
  /** Passed through unchanged, since they are not URLs or have none. */
  notUrls: number;
}

export const noCounts = (): CanonCounts => ({ records: 0, urls: 0, changed: 0, repeated: 0, notUrls: 0 });

export interface CopyOptions {
  /** Print each canonical URL, or the first record that has it, once. */
  readonly dedupe: boolean;
  /** Instead of copying records through: the text for each URL, as latin1, one character a byte. */
  readonly describe?: (url: string, explanation: Explanation) => string;
}

/** Whatever is not a URL passes through unchanged and is counted: no record is ever lost. */
export class RecordCopier {
  readonly counts = noCounts();
  readonly #canon: Canonizer;
  readonly #describe: CopyOptions["describe"];
  readonly #seen: ByteTable | undefined;

  constructor(canon: Canonizer, { dedupe, describe }: CopyOptions) {
    this.#canon = canon;
    this.#describe = describe;
    this.#seen = dedupe ? new ByteTable() : undefined;
  }

  /**
   * What becomes of the records that are whole in `bytes` (`last`: of all), and how many bytes they took: fewer than there are
   * only where the last record has not ended.
   */
  copy(bytes: Buffer, fields: UrlFields, last: boolean): { readonly output: Uint8Array; readonly taken: number } {
    // One character a byte, so that both have the same places.
    const text = bytes.toString("latin1");
    const isPlain = isAscii(bytes);
    const output = new Output(bytes);
    let at = 0;
    while (at < text.length) {
      const end = fields.next(text, at, last);
      if (end === 0) break;
      const replaced = this.#replace(text, bytes, at, end, fields, isPlain);
      if (replaced !== undefined) output.replace(at, end, replaced);
      at = end;
    }
    return { output: output.finish(at), taken: at };
  }

  /** A record too long to be one is passed through by the caller. */
  passLongRecord(): void {
    this.counts.records++;
    this.counts.notUrls++;
  }

  /** What becomes of the record text[from .. to), whose bytes are `bytes`; undefined where it stays as it is. */
  #replace(
    text: string,
    bytes: Buffer,
    from: number,
    to: number,
    fields: UrlFields,
    isPlain: boolean,
  ): string | undefined {
    const { counts } = this;
    counts.records++;
    if (fields.start < 0) {
      if (fields.start === LACKS_URL) counts.notUrls++;
      return this.#describe === undefined ? undefined : "";
    }
    // Most URLs are plain and stay as they are: for them no string is made.
    if (isPlain && this.#describe === undefined) {
      const quote = bytes[fields.start] === 0x22 ? 1 : 0;
      const start = fields.start + quote;
      const end = fields.end - quote;
      if (
        isPlainUrl(bytes, start, end) &&
        (fields.isVerbatim || isVerbatim(bytes, start, end)) &&
        !this.#canon.mayChange(bytes, start, end)
      ) {
        counts.urls++;
        if (this.#seen === undefined || isNewIn(this.#seen, bytes, start, end)) return undefined;
        counts.repeated++;
        return "";
      }
    }
    const field = text.slice(fields.start, fields.end);
    const url = fields.read(field);
    if (parseUrl(url) === undefined) {
      counts.notUrls++;
      return this.#describe === undefined ? undefined : "";
    }
    counts.urls++;
    const canonical = this.#canon(url);
    if (canonical !== url) counts.changed++;
    if (this.#seen !== undefined && !isNew(this.#seen, canonical)) {
      counts.repeated++;
      return "";
    }
    if (this.#describe !== undefined) return this.#describe(url, this.#canon.explain(url));
    if (canonical === url) return undefined;
    return text.slice(from, fields.start) + fields.write(canonical, field) + text.slice(fields.end, to);
  }
}

/** The bytes of the input with some records replaced; what stays as it is is copied in one piece. */
class Output {
  readonly #input: Buffer;
  #bytes: Buffer | undefined;
  #length = 0;
  /** The input up to here is in the output. */
  #copied = 0;

  constructor(input: Buffer) {
    this.#input = input;
  }

  replace(from: number, to: number, latin1: string): void {
    const kept = from - this.#copied;
    const bytes = this.#roomFor(kept + latin1.length);
    this.#input.copy(bytes, this.#length, this.#copied, from);
    this.#length += kept;
    this.#length += bytes.write(latin1, this.#length, "latin1");
    this.#copied = to;
  }

  finish(end: number): Uint8Array {
    if (this.#bytes === undefined) return this.#input.subarray(0, end);
    const bytes = this.#roomFor(end - this.#copied);
    this.#input.copy(bytes, this.#length, this.#copied, end);
    return bytes.subarray(0, this.#length + end - this.#copied);
  }

  #roomFor(more: number): Buffer {
    const needed = this.#length + more;
    if (this.#bytes !== undefined && needed <= this.#bytes.length) return this.#bytes;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#input.length, 2 * this.#length));
    this.#bytes?.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
    return larger;
  }
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

const inHost = new Uint8Array(256);
for (const byte of Buffer.from("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._")) inHost[byte] = 1;

/** Is bytes[start .. end), all of it ASCII, surely a URL to `parseUrl`? False also where that is not clear. */
function isPlainUrl(bytes: Uint8Array, start: number, end: number): boolean {
  if (bytes[start] === 0x2f) return true;
  if (bytes[start] !== 0x68 || bytes[start + 1] !== 0x74 || bytes[start + 2] !== 0x74 || bytes[start + 3] !== 0x70) {
    return false;
  }
  let at = start + (bytes[start + 4] === 0x73 ? 5 : 4);
  if (bytes[at] !== 0x3a || bytes[at + 1] !== 0x2f || bytes[at + 2] !== 0x2f) return false;
  at += 3;
  const host = at;
  while (at < end && inHost[bytes[at]!] !== 0) at++;
  if (at === host || at > end) return false;
  return at === end || bytes[at] === 0x2f || bytes[at] === 0x3f || bytes[at] === 0x23;
}

/** Are these ASCII bytes their own text in every kind of record: no quotation mark, no escape, nothing invisible? */
function isVerbatim(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if (byte <= 0x20 || byte === 0x22 || byte === 0x5c || byte === 0x7f) return false;
  }
  return true;
}
