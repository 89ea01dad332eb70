/** What Node's zlib unpacks on a thread of its own, taken piece by piece. */
import type { Gunzip } from "node:zlib";

/** Plain bytes at a time. */
export const CHUNK_BYTES = 1 << 18;
/** Compressed bytes in one piece: if a piece is damaged, its data before the damage is lost too. */
export const WRITE_BYTES = 1 << 14;

/**
 * A zlib stream, read on demand instead of piped: piping would drop what is still buffered when damage is met, and
 * would take more input than its output is consumed.
 */
export class Unpacker {
  #failure: Error | undefined;
  #ended = false;
  #wake = () => {};

  constructor(readonly stream: Gunzip) {
    stream.on("readable", () => this.#wake());
    stream.on("error", (error) => {
      this.#failure = error;
      this.#wake();
    });
    stream.on("end", () => {
      this.#ended = true;
      this.#wake();
    });
  }

  /** May be true before everything is written: the packed data has ended, whatever follows it. */
  get ended(): boolean {
    return this.#ended;
  }

  /** The output of one more piece. */
  write(piece: Uint8Array): AsyncGenerator<Buffer> {
    return this.#output((done) => this.stream.write(piece, () => done()));
  }

  /** The remaining output. */
  async *end(): AsyncGenerator<Buffer> {
    yield* this.#output((done) => this.stream.flush(done));
    yield* this.#output(() => this.stream.end());
  }

  /** Starts something and gives the output until it is done. */
  async *#output(start: (done: () => void) => void): AsyncGenerator<Buffer> {
    let done = false;
    start(() => {
      done = true;
      this.#wake();
    });
    for (;;) {
      for (let chunk: Buffer | null = this.stream.read(); chunk !== null; chunk = this.stream.read()) yield chunk;
      if (this.#failure !== undefined) throw this.#failure;
      if (done || this.#ended) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

/** Everything that can be unpacked comes out before the error of a cut or damaged source does. */
export async function* unpackBy(stream: Gunzip, source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const unpacker = new Unpacker(stream);
  try {
    for await (const chunk of source) {
      for (let at = 0; at < chunk.length && !unpacker.ended; at += WRITE_BYTES) {
        yield* unpacker.write(chunk.subarray(at, at + WRITE_BYTES));
      }
    }
    yield* unpacker.end();
  } finally {
    stream.destroy();
  }
}
