/**
 * Reads a gzip file member by member (RFC 1952), so that damage to one member costs that member: Node's own gunzip ends
 * at the first bad byte. Archives write one member per record, so most members are small and are inflated in one
 * synchronous call; large or damaged ones go through a streaming inflater instead.
 */
import { constants, crc32, createInflateRaw, type InflateRaw, inflateRawSync } from "node:zlib";
import { gzipHeaderLength } from "../decompress/gzip-header.js";
import { ByteWindow } from "./byte-window.js";

export type GzipPiece =
  | {
      readonly kind: "data";
      readonly bytes: Uint8Array;
      /** File offset of the member that these bytes come from. */
      readonly offset: number;
      /** First and last piece of a member. */
      readonly first: boolean;
      readonly last: boolean;
      /** On the last piece: the member's checksum or length says that its bytes are not what was written. */
      readonly altered: boolean;
    }
  /** Bytes are missing between the piece before and the piece after. */
  | { readonly kind: "gap"; readonly offset: number; readonly reason: string };

/**
 * A member is inflated in one go if its compressed bytes fit into this much, and its plain bytes into the next
 * constant.
 */
const MAX_WHOLE_COMPRESSED = 8 << 20;
const MAX_WHOLE_PLAIN = 32 << 20;
/** How far back the search for the next member can start when a streamed member turns out to be damaged. */
const MAX_LOOK_BACK = 16 << 20;
const TRAILER_BYTES = 8;
const PROBE_BYTES = 4096;

type Whole =
  | { readonly kind: "whole"; readonly bytes: Buffer; readonly consumed: number }
  | { readonly kind: "unfinished" | "damaged" | "large" };

function inflateWhole(bytes: Uint8Array): Whole {
  try {
    // With `info` the engine comes along, and says how many input bytes the deflate stream took.
    const { buffer, engine } = inflateRawSync(bytes, {
      info: true,
      chunkSize: 1 << 16,
      maxOutputLength: MAX_WHOLE_PLAIN,
    }) as unknown as { buffer: Buffer; engine: InflateRaw };
    return { kind: "whole", bytes: buffer, consumed: engine.bytesWritten };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "Z_BUF_ERROR") return { kind: "unfinished" };
    return { kind: code === "ERR_BUFFER_TOO_LARGE" ? "large" : "damaged" };
  }
}

/** Whether a member starts here: a sound header, and deflate data that inflates as far as it was checked. */
function isMember(bytes: Uint8Array): boolean {
  const header = gzipHeaderLength(bytes);
  if (!header) return false;
  try {
    const start = bytes.subarray(header, header + PROBE_BYTES);
    return inflateRawSync(start, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: 1 << 24 }).length > 0;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
  }
}

const gzipMagic = Buffer.from([0x1f, 0x8b, 8]);

/** Where the first member from `from` on starts; -1 if nowhere. */
export function findMember(bytes: Buffer, from: number): number {
  let at = bytes.indexOf(gzipMagic, from);
  while (at >= 0 && !isMember(bytes.subarray(at))) at = bytes.indexOf(gzipMagic, at + 1);
  return at;
}

class MemberReader {
  readonly #window = new ByteWindow();
  readonly #chunks: AsyncIterator<Uint8Array>;
  #ended = false;

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Reads until the window holds `count` bytes; false where the file ends earlier. */
  async #fill(count: number): Promise<boolean> {
    while (this.#window.length < count && !this.#ended) {
      const { value, done } = await this.#chunks.next();
      if (done) this.#ended = true;
      else this.#window.append(value);
    }
    return this.#window.length >= count;
  }

  async *read(): AsyncGenerator<GzipPiece> {
    try {
      while (await this.#fill(1)) yield* this.#member();
    } finally {
      await this.#chunks.return?.();
    }
  }

  async *#member(): AsyncGenerator<GzipPiece> {
    const window = this.#window;
    const offset = window.position;
    let header = gzipHeaderLength(window.bytes);
    while (header === undefined && window.length < 1 << 17 && (await this.#fill(window.length + 1))) {
      header = gzipHeaderLength(window.bytes);
    }
    if (!header) {
      await this.#seekMember();
      yield { kind: "gap", offset, reason: header === 0 ? "no gzip member starts here" : "gzip header is cut off" };
      return;
    }
    let result = inflateWhole(window.bytes.subarray(header));
    while (result.kind === "unfinished" && window.length < MAX_WHOLE_COMPRESSED && !this.#ended) {
      await this.#fill(Math.max(2 * window.length, 1 << 16));
      result = inflateWhole(window.bytes.subarray(header));
    }
    if (result.kind !== "whole") {
      yield* this.#streamMember(header, result.kind === "damaged" ? 1 << 10 : 1 << 14);
      return;
    }
    const altered = await this.#endMember(header + result.consumed, crc32(result.bytes), result.bytes.length, true);
    yield { kind: "data", bytes: result.bytes, offset, first: true, last: true, altered };
  }

  /** Inflates the member at the window's start piece by piece; where it breaks, goes on at the next member. */
  async *#streamMember(header: number, chunkSize: number): AsyncGenerator<GzipPiece> {
    const window = this.#window;
    const offset = window.position;
    // Node drops the output of the call that meets the bad byte, so small output buffers save more of the data before
    // it.
    const inflater = createInflateRaw({ chunkSize });
    let failure: Error | undefined;
    let finished = false;
    const pieces: Buffer[] = [];
    inflater.on("data", (piece: Buffer) => pieces.push(piece));
    inflater.on("end", () => {
      finished = true;
    });
    inflater.on("error", (error) => {
      failure = error;
    });
    let checksum = 0;
    let plainBytes = 0;
    let first = true;
    let fed = header;
    let forgotten = 0;
    while (!finished && !failure) {
      if (fed === window.length && !(await this.#fill(fed + 1))) break;
      const slice = Buffer.from(window.bytes.subarray(fed, fed + (1 << 15)));
      fed += slice.length;
      await new Promise<void>((resolve) => {
        const settle = () => setImmediate(resolve);
        inflater.once("error", settle);
        inflater.write(slice, () => {
          inflater.off("error", settle);
          settle();
        });
      });
      for (const piece of pieces.splice(0)) {
        checksum = crc32(piece, checksum);
        plainBytes += piece.length;
        yield { kind: "data", bytes: piece, offset, first, last: false, altered: false };
        first = false;
      }
      if (fed > MAX_LOOK_BACK) {
        window.consume(fed);
        forgotten += fed;
        fed = 0;
      }
    }
    const consumed = inflater.bytesWritten;
    inflater.destroy();
    if (!finished) {
      if (forgotten === 0) window.consume(1);
      await this.#seekMember();
      yield { kind: "gap", offset, reason: failure ? "gzip member is damaged" : "gzip member is cut off" };
      return;
    }
    const altered = await this.#endMember(header + consumed - forgotten, checksum, plainBytes, forgotten === 0);
    yield { kind: "data", bytes: new Uint8Array(0), offset, first, last: true, altered };
  }

  /** Consumes a member whose deflate data ends at `end`. True if its trailer says that it was altered. */
  async #endMember(end: number, checksum: number, plainBytes: number, atStart: boolean): Promise<boolean> {
    const window = this.#window;
    const complete = await this.#fill(end + TRAILER_BYTES);
    if (
      complete &&
      window.bytes.readUInt32LE(end) === checksum &&
      window.bytes.readUInt32LE(end + 4) === plainBytes % 2 ** 32
    ) {
      window.consume(end + TRAILER_BYTES);
      return false;
    }
    // Altered deflate data may also end too early, or run on into later members: where it ended means nothing.
    window.consume(atStart ? 1 : end + TRAILER_BYTES);
    await this.#seekMember();
    return true;
  }

  /** Consumes up to where the next member starts, or to the end of the file. */
  async #seekMember(): Promise<void> {
    const window = this.#window;
    for (;;) {
      // A member is judged by its first bytes, so those near the end of the window wait for more.
      const whole = !(await this.#fill(1 << 16));
      const at = findMember(window.bytes, 0);
      if (at >= 0 && (whole || at + PROBE_BYTES <= window.length)) {
        window.consume(at);
        return;
      }
      window.consume(whole ? window.length : at >= 0 ? at : Math.max(1, window.length - PROBE_BYTES));
      if (whole) return;
    }
  }
}

/** The file's members in order, inflated; where one is damaged, whatever can be read of it, then a gap. */
export function readGzipMembers(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<GzipPiece> {
  return new MemberReader(chunks).read();
}
