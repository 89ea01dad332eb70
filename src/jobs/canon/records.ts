/** Copies records through with their URLs canonized: bytes in, bytes out. Runs on the caller's thread and on worker threads. */
import { isAscii } from "node:buffer";
import type { Canonizer, Explanation } from "../../canon/compile.js";
import { plainPathStart } from "../../canon/url-bytes.js";
import { ByteTable, MAX_INTERNED_BYTES } from "../../input/byte-table.js";
import { LACKS_URL, type UrlFields } from "../../input/url-fields.js";
import { parseUrl } from "../../url/parse.js";
import { CHANGED, NUMBERS_OF_OTHER, OTHER } from "./constants.js";
import { AliasFollower } from "./follow-aliases.js";
import type { CopiedLines, LineFinder } from "./kernel.js";

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
  #finder: LineFinder | undefined;
  #aliases: AliasFollower | undefined;

  constructor(canon: Canonizer, { dedupe, describe }: CopyOptions) {
    this.#canon = canon;
    this.#describe = describe;
    this.#seen = dedupe ? new ByteTable() : undefined;
  }

  /** With a finder, of that canonizer, URLs of a list that stay as they are are only counted: not for `dedupe` and `describe`. */
  searchWith(finder: LineFinder | undefined): void {
    this.#finder = finder;
    this.#aliases = finder && AliasFollower.of(this.#canon);
  }

  /**
   * What becomes of the records that are whole in `bytes` (`last`: of all), and how many bytes they took: fewer than there are
   * only where the last record has not ended. The output of a finder may be in `memory`, also where that is the input's.
   */
  copy(
    bytes: Buffer,
    fields: UrlFields,
    last: boolean,
    memory?: ArrayBuffer,
  ): { readonly output: Uint8Array; readonly taken: number } {
    const linesEnd = last ? bytes.length : bytes.lastIndexOf(LINE_FEED) + 1;
    const copied = fields.isList ? this.#finder?.copyLines(bytes, linesEnd) : undefined;
    if (copied !== undefined) {
      const known = copied.quiet + copied.changed;
      this.counts.records += known;
      this.counts.urls += known;
      this.counts.changed += copied.changed;
      return { output: this.#copyOthers(copied, fields, this.#finder!.line, memory), taken: linesEnd };
    }
    // One character a byte, so that both have the same places.
    const text = bytes.toString("latin1");
    const isPlain = isAscii(bytes);
    const output = new Output(bytes);
    const copyAt = (at: number): number => {
      const end = fields.next(text, at, last);
      if (end > 0) this.#copy(text, bytes, at, end, fields, isPlain, output);
      return end;
    };
    let taken = 0;
    while (taken < bytes.length) {
      const end = copyAt(taken);
      if (end === 0) break;
      taken = end;
    }
    return { output: output.finish(taken), taken };
  }

  /** The lines of a list that the finder left to others, one after the other in the same memory, so that views of it are not made anew. */
  #copyOthers(
    { bytes, others }: CopiedLines,
    fields: UrlFields,
    ownLine: Buffer,
    memory: ArrayBuffer | undefined,
  ): Uint8Array {
    const output = new Output(bytes, memory);
    for (let i = 0; i < others.length; i += NUMBERS_OF_OTHER) {
      const start = others[i]!;
      const what = others[i + 3]!;
      if (what !== OTHER) {
        this.#followAlias(bytes, start, start + others[i + 1]!, others[i + 2]!, what === CHANGED, output);
        continue;
      }
      const end = lineEnd(bytes, start);
      const text = bytes.toString("latin1", start, end);
      const isLong = end - start > ownLine.length / 2;
      const line = isLong ? bytes.subarray(start, end) : ownLine;
      if (!isLong) bytes.copy(ownLine, 0, start, end);
      output.inputStart = start;
      this.#copy(text, line, 0, fields.next(text, 0, true), fields, false, output);
    }
    output.inputStart = 0;
    return output.finish(bytes.length);
  }

  /** The URL bytes[start .. end), which the finder hashed, and changed where a rule does. */
  #followAlias(bytes: Buffer, start: number, end: number, hash: number, isChanged: boolean, output: Output): void {
    const target = this.#aliases?.follow(bytes, start, end, hash);
    this.counts.records++;
    this.counts.urls++;
    if (isChanged || target !== undefined) this.counts.changed++;
    if (target !== undefined) output.replaceBytes(start, end, target);
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
    if (this.#describe === undefined && (isPlain || isAsciiIn(bytes, from, to))) {
      const quote = bytes[fields.start] === 0x22 ? 1 : 0;
      const start = fields.start + quote;
      const end = fields.end - quote;
      const pathStart = plainPathStart(bytes, start, end);
      if (pathStart >= 0 && (fields.isList || isVerbatim(bytes, start, end))) {
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

/** The input with some of it replaced by other texts, as UTF-8. */
class Output {
  readonly #input: Buffer;
  /** Nothing until something is replaced. Memory of its own, which can be given to another thread. */
  #bytes: Buffer | undefined;
  #length = 0;
  /** The input up to here is in the output. */
  #copied = 0;
  /** What is replaced is counted from here on. */
  inputStart = 0;

  readonly #memory: ArrayBuffer | undefined;

  /** `memory` is used where it is enough. */
  constructor(input: Buffer, memory?: ArrayBuffer) {
    this.#input = input;
    this.#memory = memory;
  }

  replace(ownFrom: number, ownTo: number, text: string): void {
    const from = this.inputStart + ownFrom;
    // A UTF-16 unit takes at most three bytes.
    const bytes = this.#roomFor(from - this.#copied + 3 * text.length);
    this.#copyTo(from, bytes);
    this.#length += bytes.write(text, this.#length);
    this.#copied = this.inputStart + ownTo;
  }

  replaceBytes(from: number, to: number, by: Uint8Array): void {
    const bytes = this.#roomFor(from - this.#copied + by.length);
    this.#copyTo(from, bytes);
    bytes.set(by, this.#length);
    this.#length += by.length;
    this.#copied = to;
  }

  finish(end: number): Uint8Array {
    if (this.#bytes === undefined) return this.#input.subarray(0, end);
    const bytes = this.#roomFor(end - this.#copied);
    this.#copyTo(end, bytes);
    return bytes.subarray(0, this.#length);
  }

  #copyTo(end: number, bytes: Buffer): void {
    this.#length += this.#input.copy(bytes, this.#length, this.#copied, end);
  }

  #roomFor(more: number): Buffer {
    const needed = this.#length + more;
    if (this.#bytes !== undefined && needed <= this.#bytes.length) return this.#bytes;
    const length = Math.max(this.#input.length, 2 * needed);
    const isEnough = this.#bytes === undefined && this.#memory !== undefined && this.#memory.byteLength >= length;
    const larger = isEnough ? Buffer.from(this.#memory!) : Buffer.allocUnsafeSlow(length + (length >> 4));
    this.#bytes?.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
    return larger;
  }
}

const LINE_FEED = 10;

/** After the line that begins here, with its line feed. */
function lineEnd(bytes: Buffer, start: number): number {
  const feed = bytes.indexOf(LINE_FEED, start);
  return feed < 0 ? bytes.length : feed + 1;
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

function isAsciiIn(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at]! >= 0x80) return false;
  return true;
}

/** Are these ASCII bytes their own text in every kind of record: no quotation mark, no escape, nothing invisible? */
function isVerbatim(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if (byte <= 0x20 || byte === 0x22 || byte === 0x5c || byte === 0x7f) return false;
  }
  return true;
}
