/** gzip by Node's zlib, which inflates on a thread of its own and goes through concatenated members. */
import { createGunzip } from "node:zlib";

/** What a damaged piece of this many compressed bytes still held before the damage is lost with it. */
const WRITE_BYTES = 1 << 14;

/**
 * Everything that can be inflated comes out before the error of a cut or damaged file does: piping would drop what is
 * still buffered. Each compressed chunk is written only when the last one's output has been taken, so that a bomb
 * fills no memory.
 */
export async function* gunzip(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gzip = createGunzip({ chunkSize: 1 << 18 });
  let failure: Error | undefined;
  let wake = () => {};
  gzip.on("readable", () => wake());
  gzip.on("error", (error) => {
    failure = error;
    wake();
  });
  // Also before all is written: zlib ends at padding or other bytes after the last member.
  let ended = false;
  gzip.on("end", () => {
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
      for (let chunk = gzip.read(); chunk !== null; chunk = gzip.read()) yield chunk;
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
        yield* output((done) => gzip.write(chunk.subarray(at, at + WRITE_BYTES), () => done()));
      }
    }
    yield* output((done) => gzip.flush(done));
    yield* output(() => gzip.end());
  } finally {
    gzip.destroy();
  }
}
