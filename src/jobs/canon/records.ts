/** Copies records through with their URLs canonized: bytes in, bytes out. Runs on the caller's thread and on worker threads. */
import { isAscii } from "node:buffer";
import type { Canonizer, Explanation } from "../../canon/compile.js";
import { plainPathStart } from "../../canon/url-bytes.js";
import { ByteTable, MAX_INTERNED_BYTES } from "../../input/byte-table.js";
import { encodeField, LACKS_URL, type UrlFields } from "../../input/url-fields.js";
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
  /** Instead of copying records through: the text for each URL. */
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
    const output = new Output(bytes, text, isPlain);
    let at = 0;
    while (at < text.length) {
      const end = fields.next(text, at, last);
      if (end === 0) break;
      this.#copy(text, bytes, at, end, fields, isPlain, output);
      at = end;
    }
    return { output: output.finish(at), taken: at };
  }

  /** A record too long to be one is passed through by the caller. */
  passLongRecord(): void {
    this.counts.records++;
    this.counts.notUrls++;
  }

  /** The record text[from .. to), whose bytes are `bytes`: says to `output` what becomes of it, where that is something else. */
  #copy(
    text: string,
    bytes: Buffer,
    from: number,
    to: number,
    fields: UrlFields,
    isPlain: boolean,
    output: Output,
  ): void {
    const { counts } = this;
    counts.records++;
    const isTooLong = to - from > fields.maxRecordBytes;
    if (fields.start < 0 || isTooLong) {
      if (fields.start === LACKS_URL || isTooLong) counts.notUrls++;
      if (this.#describe !== undefined) output.replace(from, to, "");
      return;
    }
    if (isPlain && this.#describe === undefined) {
      const quote = bytes[fields.start] === 0x22 ? 1 : 0;
      const start = fields.start + quote;
      const end = fields.end - quote;
      const pathStart = plainPathStart(bytes, start, end);
      if (pathStart >= 0 && (fields.isVerbatim || isVerbatim(bytes, start, end))) {
        // Most URLs stay as they are: for them no string is made.
        const canonical = this.#canon.changed(bytes, text, start, end, pathStart);
        const isRepeated =
          this.#seen !== undefined &&
          !(canonical === undefined ? isNewIn(this.#seen, bytes, start, end) : isNew(this.#seen, canonical));
        this.#take(text, from, to, fields, canonical, isRepeated, output);
        return;
      }
    }
    const url = fields.read(text.slice(fields.start, fields.end));
    if (parseUrl(url) === undefined) {
      counts.notUrls++;
      if (this.#describe !== undefined) output.replace(from, to, "");
      return;
    }
    const canonical = this.#canon(url);
    const isRepeated = this.#seen !== undefined && !isNew(this.#seen, canonical);
    this.#take(text, from, to, fields, canonical === url ? undefined : canonical, isRepeated, output);
    if (this.#describe !== undefined && !isRepeated) {
      output.replace(from, to, this.#describe(url, this.#canon.explain(url)));
    }
  }

  /** `canonical` is what the record's URL becomes, undefined where it stays as it is. */
  #take(
    text: string,
    from: number,
    to: number,
    fields: UrlFields,
    canonical: string | undefined,
    isRepeated: boolean,
    output: Output,
  ): void {
    const { counts } = this;
    counts.urls++;
    if (canonical !== undefined) counts.changed++;
    if (isRepeated) {
      counts.repeated++;
      output.replace(from, to, "");
    } else if (canonical !== undefined && this.#describe === undefined) {
      const { start, end } = fields;
      output.replace(start, end, fields.write(canonical, text.slice(start, end)));
    }
  }
}

/**
 * The input with some of it replaced: what stays between two replacements is one piece, and all pieces are encoded at once.
 * Where the input is ASCII they are the text that they show; otherwise they are bytes as latin1.
 */
class Output {
  readonly #input: Buffer;
  readonly #text: string;
  readonly #isAscii: boolean;
  readonly #pieces: string[] = [];
  /** The input up to here is in the output. */
  #copied = 0;

  constructor(input: Buffer, text: string, isAscii: boolean) {
    this.#input = input;
    this.#text = text;
    this.#isAscii = isAscii;
  }

  replace(from: number, to: number, text: string): void {
    this.#pieces.push(this.#text.slice(this.#copied, from), this.#isAscii ? text : encodeField(text));
    this.#copied = to;
  }

  finish(end: number): Uint8Array {
    if (this.#pieces.length === 0) return this.#input.subarray(0, end);
    this.#pieces.push(this.#text.slice(this.#copied, end));
    const joined = this.#pieces.join("");
    const encoding = this.#isAscii ? "utf8" : "latin1";
    // Memory of its own, which can be given to another thread.
    const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(joined, encoding));
    bytes.write(joined, encoding);
    return bytes;
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

/** Are these ASCII bytes their own text in every kind of record: no quotation mark, no escape, nothing invisible? */
function isVerbatim(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if (byte <= 0x20 || byte === 0x22 || byte === 0x5c || byte === 0x7f) return false;
  }
  return true;
}
