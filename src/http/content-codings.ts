/**
 * Reading a body to its end or to the limit, whichever comes first. The limit holds for the bytes on the wire and
 * for the output of each content coding, so a bomb costs no more than an honest page of that size.
 */
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import { unpackZstd } from "./zstd.js";

export const ACCEPT_ENCODING = "gzip, deflate, br, zstd";

/** Nobody serves a page with more codings on top of each other. */
export const MAX_CODINGS = 3;
/** What servers write for "none". */
const noCodings: ReadonlySet<string> = new Set(["", "identity", "none", "utf-8"]);

/** The codings of a Content-Encoding header, in the order in which they are undone. */
export function codingsOf(contentEncoding: string): string[] {
  return contentEncoding
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((coding) => !noCodings.has(coding))
    .map((coding) => (coding === "x-gzip" ? "gzip" : coding))
    .reverse();
}

export type DecodedBody =
  | { readonly kind: "whole"; readonly bytes: Uint8Array; readonly wireBytes: number }
  /** `bytes` holds what came before the limit was passed, at most `maxBytes`. */
  | { readonly kind: "overflow"; readonly bytes: Uint8Array; readonly wireBytes: number }
  | { readonly kind: "unreadable"; readonly reason: string; readonly wireBytes: number };

type Chunks = AsyncIterable<Uint8Array>;
type Stage = (source: Chunks, maxBytes: number) => Chunks;

/** Thrown to end the reading at the limit; never leaves this file. */
class Overflow extends Error {}

/** The coding is wrong, as opposed to an error of the connection. Never leaves this file. */
class Damaged extends Error {}

/**
 * The body after undoing the codings of a Content-Encoding header. Errors of the connection are thrown: they belong to
 * the body's source. Afterwards the stream is at its end or destroyed.
 */
export async function readBody(body: Readable, contentEncoding: string, maxBytes: number): Promise<DecodedBody> {
  let wireBytes = 0;
  const chunks: Uint8Array[] = [];
  try {
    let decoded = limited(body, maxBytes, (bytes) => {
      wireBytes += bytes;
    });
    for (const stage of stagesOf(contentEncoding)) decoded = limited(stage(decoded, maxBytes), maxBytes);
    for await (const chunk of decoded) chunks.push(chunk);
    return { kind: "whole", bytes: Buffer.concat(chunks), wireBytes };
  } catch (error) {
    if (error instanceof Overflow) return { kind: "overflow", bytes: Buffer.concat(chunks), wireBytes };
    if (error instanceof Damaged) return { kind: "unreadable", reason: error.message, wireBytes };
    throw error;
  } finally {
    // A body left half-read would hold its connection. Nothing else listens for the error that destroying it may raise.
    if (!body.readableEnded) body.on("error", () => {}).destroy();
  }
}

/** Passes on `maxBytes`, then throws if there is more. */
async function* limited(
  source: Chunks,
  maxBytes: number,
  onBytes?: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  let left = maxBytes;
  for await (const chunk of source) {
    onBytes?.(chunk.length);
    if (chunk.length > left) {
      yield chunk.subarray(0, left);
      throw new Overflow();
    }
    left -= chunk.length;
    yield chunk;
  }
}

/** The stages that undo the codings, starting with the one applied last. */
function stagesOf(contentEncoding: string): Stage[] {
  const codings = codingsOf(contentEncoding);
  if (codings.length > MAX_CODINGS) throw new Damaged(`${codings.length} content codings`);
  return codings.map(stageOf);
}

function stageOf(coding: string): Stage {
  switch (coding) {
    case "gzip":
      return zlibStage(coding, () => createGunzip());
    case "br":
      return zlibStage(coding, () => createBrotliDecompress());
    case "deflate":
      // Some servers send the raw stream, without the zlib header that the standard asks for.
      return zlibStage(coding, (first) => (isZlibHeader(first) ? createInflate() : createInflateRaw()));
    case "zstd":
      return unpackZstdBody;
    default:
      throw new Damaged(`unknown content coding "${coding}"`);
  }
}

type ZlibStream = ReturnType<typeof createGunzip> | ReturnType<typeof createBrotliDecompress>;

function zlibStage(coding: string, create: (first: Uint8Array) => ZlibStream): Stage {
  return async function* (source) {
    const input = source[Symbol.asyncIterator]();
    const first = await readTwoBytes(input);
    // An empty body with a coding: some servers send this with errors.
    if (first.length === 0) return;
    const stream = create(first);
    let inputError: unknown;
    const feed = async function* () {
      try {
        yield first;
        for (let next = await input.next(); !next.done; next = await input.next()) yield next.value;
      } catch (error) {
        inputError = error;
        throw error;
      }
    };
    const feeding = pipeline(feed, stream).catch(() => undefined);
    try {
      for await (const chunk of stream) yield chunk as Uint8Array;
    } catch (error) {
      throw inputError ?? new Damaged(`damaged ${coding} body (${(error as Error).message})`);
    } finally {
      stream.destroy();
      await feeding;
    }
  };
}

/** The first bytes, two or more if there are that many: enough to recognise a zlib header. */
async function readTwoBytes(input: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  let bytes: Uint8Array = new Uint8Array(0);
  while (bytes.length < 2) {
    const next = await input.next();
    if (next.done) return bytes;
    bytes = bytes.length === 0 ? next.value : Buffer.concat([bytes, next.value]);
  }
  return bytes;
}

function isZlibHeader([first = 0, second = 0]: Uint8Array): boolean {
  return (first & 15) === 8 && ((first << 8) | second) % 31 === 0;
}

async function* unpackZstdBody(source: Chunks, maxBytes: number): AsyncGenerator<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  if (chunks.length === 0) return;
  // One byte more than allowed, so that the limit sees that there is more.
  const { bytes, damage } = unpackZstd(Buffer.concat(chunks), maxBytes + 1);
  if (damage !== undefined) throw new Damaged(`damaged zstd body (${damage})`);
  yield bytes;
}
