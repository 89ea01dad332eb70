/** What Node's zlib unpacks on a thread of its own: gzip, whose concatenated members it goes through, and whatever else it can. */
import { createGunzip, type Gunzip } from "node:zlib";

export const CHUNK_BYTES = 1 << 18;

/** What a damaged piece of this many compressed bytes still held before the damage is lost with it. */
const WRITE_BYTES = 1 << 14;

export function gunzip(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  return unpackBy(createGunzip({ chunkSize: CHUNK_BYTES }), source);
}

/**
 * Everything that can be inflated comes out before the error of a cut or damaged file does: piping would drop what is
 * still buffered. Each compressed chunk is written only when the last one's output has been taken, so that a bomb
 * fills no memory.
 */
export async function* unpackBy(stream: Gunzip, source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let failure: Error | undefined;
  let wake = () => {};
  stream.on("readable", () => wake());
  stream.on("error", (error) => {
    failure = error;
    wake();
  });
  // Also before all is written: zlib ends at padding or other bytes after the last member.
  let ended = false;
  stream.on("end", () => {
    ended = true;
    wake();
  });

  /** Starts something and gives the output until it is done. */
  async function* output(start: (done: () => void) => void): AsyncGenerator<Uint8Array> {
    let done = false;
    start(() => {
      done = true;
      wake();
    });
    for (;;) {
      for (let chunk = stream.read(); chunk !== null; chunk = stream.read()) yield chunk;
      if (failure !== undefined) throw failure;
      if (done || ended) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }

  try {
    for await (const chunk of source) {
      for (let at = 0; at < chunk.length && !ended; at += WRITE_BYTES) {
        yield* output((done) => stream.write(chunk.subarray(at, at + WRITE_BYTES), () => done()));
      }
    }
    yield* output((done) => stream.flush(done));
    yield* output(() => stream.end());
  } finally {
    stream.destroy();
  }
}
