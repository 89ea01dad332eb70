/** xz by xz-decompress (WebAssembly), concatenated streams and their padding included. */
import { ReadableStream } from "node:stream/web";
import * as xz from "xz-decompress";

// CommonJS whose exports Node cannot see: they are on `default` at run time, beside the names in its types.
const { XzReadableStream } = (xz as typeof xz & { default: typeof xz }).default;

/** Error codes of xz-embedded, of which the package only gives the number. */
const FAILURES: Record<string, string> = {
  3: "the xz dictionary does not fit into memory",
  4: "the xz dictionary is too large",
  5: "not an xz stream",
  6: "the xz file uses options that are not supported",
  7: "the xz data is damaged",
  8: "unexpected end of file",
};

export async function* unxz(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const input = source[Symbol.asyncIterator]();
  const compressed = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await input.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
  // The package's types name the browser's ReadableStream; Node's is the same at run time.
  const output = new XzReadableStream(compressed as never) as unknown as ReadableStream<Uint8Array>;
  try {
    for await (const chunk of output) if (chunk.length > 0) yield chunk;
  } catch (error) {
    const code = /error code (\d+)/.exec(String(error))?.[1] ?? "";
    throw FAILURES[code] === undefined ? error : new Error(FAILURES[code], { cause: error });
  }
}
