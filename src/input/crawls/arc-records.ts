/**
 * The record layer of ARC, the Internet Archive's format before WARC (versions 1 and 2): a line with URL, address,
 * time, type and, last, length, then this many bytes. Records are given out like those of a WARC file, so that one
 * reader of pages serves both.
 */
import { ByteWindow } from "./byte-window.js";
import { readGzipMembers } from "./gzip-members.js";
import { MAX_BLOCK_BYTES, type WarcDamage, type WarcRecord } from "./warc-records.js";

const MAX_LINE_BYTES = 64 << 10;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** URL, address, time, type, and in version 2 some more; the length is last. */
const HEADER = /^([a-z][a-z0-9+.-]*:\S*) (\S+) (\d{8,17}) (?:\S.* )?(\d{1,15})$/i;

/** The bytes of an ARC file as it is on disk, or of a plain one; damage is reported and stepped over. */
export async function* readArcRecords(
  chunks: AsyncIterable<Uint8Array>,
  isGzip: boolean,
  onDamage: (damage: WarcDamage) => void,
): AsyncGenerator<WarcRecord> {
  const splitter = new ArcSplitter(onDamage);
  if (isGzip) {
    for await (const piece of readGzipMembers(chunks)) {
      if (piece.kind === "gap") splitter.gap(piece.offset, piece.reason);
      else splitter.push(piece.bytes);
      yield* splitter.records();
    }
  } else {
    for await (const chunk of chunks) {
      splitter.push(chunk);
      yield* splitter.records();
    }
  }
  splitter.end();
  yield* splitter.records();
}

/** Whether a line may begin a record: this is how an ARC file is recognised. */
export function isArcHeader(line: string): boolean {
  return HEADER.test(line);
}

class ArcSplitter {
  readonly #window = new ByteWindow();
  /** Bytes of the last record, and of a block that was cut, still to be skipped. */
  #skip = 0;
  /** Set between damage and the next header that is found. */
  #lost = false;
  #ended = false;
  readonly #onDamage: (damage: WarcDamage) => void;

  constructor(onDamage: (damage: WarcDamage) => void) {
    this.#onDamage = onDamage;
  }

  push(bytes: Uint8Array): void {
    this.#window.append(bytes);
  }

  end(): void {
    this.#ended = true;
  }

  /** Bytes are missing: an open record is lost. */
  gap(offset: number, reason: string): void {
    this.#window.consume(this.#window.length);
    this.#skip = 0;
    this.#lost = true;
    this.#onDamage({ offset, reason });
  }

  *records(): Generator<WarcRecord> {
    for (let record = this.#next(); record !== undefined; record = this.#next()) yield record;
  }

  #next(): WarcRecord | undefined {
    const window = this.#window;
    for (;;) {
      const skipped = Math.min(this.#skip, window.length);
      window.consume(skipped);
      this.#skip -= skipped;
      if (this.#skip > 0) {
        if (this.#ended) this.#damage("record is cut off by the end of the file");
        this.#skip = this.#ended ? 0 : this.#skip;
        return undefined;
      }
      let start = 0;
      while (window.bytes[start] === LINE_FEED || window.bytes[start] === CARRIAGE_RETURN) start++;
      window.consume(start);
      const { bytes } = window;
      const end = bytes.indexOf(LINE_FEED);
      if (end < 0 && !this.#ended && bytes.length < MAX_LINE_BYTES) return undefined;
      if (bytes.length === 0) return undefined;
      const line = end < 0 ? "" : bytes.toString("latin1", 0, end).replace(/\r$/, "");
      const [, url, address, time, length] = end < MAX_LINE_BYTES ? (HEADER.exec(line) ?? []) : [];
      if (url === undefined) {
        if (!this.#lost) this.#damage("no record starts here");
        this.#lost = true;
        window.consume(end < 0 ? bytes.length : end + 1);
        continue;
      }
      this.#lost = false;
      const blockBytes = Number(length);
      const held = Math.min(blockBytes, MAX_BLOCK_BYTES);
      if (bytes.length < end + 1 + held) {
        if (!this.#ended) return undefined;
        this.#damage("record is cut off by the end of the file");
        window.consume(bytes.length);
        return undefined;
      }
      this.#skip = end + 1 + blockBytes;
      const head = Buffer.from(
        [
          "WARC/1.0",
          `WARC-Target-URI: ${url}`,
          `WARC-Date: ${time}`,
          ...(/^[0.]+$/.test(address!) ? [] : [`WARC-IP-Address: ${address}`]),
          "",
          "",
        ].join("\r\n"),
        "latin1",
      );
      const type = /^https?:/i.test(url) ? "response" : url.slice(0, url.indexOf(":")).toLowerCase();
      return { offset: window.position, type, head, block: bytes.subarray(end + 1, end + 1 + held), blockBytes };
    }
  }

  #damage(reason: string): void {
    this.#onDamage({ offset: this.#window.position, reason });
  }
}
