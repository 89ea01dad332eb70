/** HTTP responses as archives keep them: parsed tolerantly, codings undone within limits. */
import { brotliDecompressSync, constants, gunzipSync, inflateRawSync, inflateSync, type ZlibOptions } from "node:zlib";
import { codingsOf, MAX_CODINGS } from "./content-codings.js";
import { headEnd, parseHeaders } from "./headers.js";
import { isZstd, unpackZstd } from "./zstd.js";

export interface HttpMessage {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  /** The message body, its codings not undone. */
  readonly payload: Uint8Array;
}

const MAX_HEAD_BYTES = 1 << 20;

/** Undefined where the bytes do not begin with a status line. A head that does not end has no body. */
export function parseHttpMessage(block: Uint8Array): HttpMessage | undefined {
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength);
  const end = headEnd(bytes, 0, MAX_HEAD_BYTES);
  const headBytes = bytes.subarray(0, end < 0 ? Math.min(bytes.length, MAX_HEAD_BYTES) : end);
  let head = headBytes.toString("utf8");
  if (head.includes("\ufffd")) head = headBytes.toString("latin1");
  const lines = head.split(/\r?\n/);
  const status = /^[A-Z]+\/?[\d.]*\s+(\d{3})(?:\s|$)/.exec(lines[0]!);
  if (status === null) return undefined;
  return {
    status: Number(status[1]),
    headers: parseHeaders(lines.slice(1)),
    payload: end < 0 ? new Uint8Array(0) : block.subarray(end),
  };
}

export interface Body {
  readonly bytes: Uint8Array;
  /** The bytes end before the body did: it was longer than the limit, or it broke off. */
  readonly cut: boolean;
}

/** Undoes transfer and content codings, down to at most `maxBytes`. Undefined where that cannot be done. */
export function decodeBody(message: HttpMessage, maxBytes: number): Body | undefined {
  let body: Body = { bytes: message.payload, cut: false };
  if (/\bchunked\b/i.test(message.headers.get("transfer-encoding") ?? "")) body = joinChunks(message.payload);
  const codings = codingsOf(message.headers.get("content-encoding") ?? "");
  if (codings.length > MAX_CODINGS) return undefined;
  for (const coding of codings) {
    const decoded = decodeContent(coding, body.bytes, maxBytes);
    if (decoded === undefined) return undefined;
    body = { bytes: decoded.bytes, cut: body.cut || decoded.cut };
  }
  return body.bytes.length > maxBytes ? { bytes: body.bytes.subarray(0, maxBytes), cut: true } : body;
}

/**
 * Many archives joined the chunks and kept the header: a body that does not begin with a chunk size is taken as it is.
 */
function joinChunks(payload: Uint8Array): Body {
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength);
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const feed = bytes.indexOf(10, at);
    const size = /^([0-9a-f]{1,8})[ \t]*(?:;.*)?\r?$/i.exec(bytes.toString("latin1", at, Math.min(feed, at + 1024)));
    if (feed < 0 || size === null) {
      return at === 0 ? { bytes: payload, cut: false } : { bytes: Buffer.concat(parts), cut: true };
    }
    const length = Number.parseInt(size[1]!, 16);
    if (length === 0) return { bytes: Buffer.concat(parts), cut: false };
    const start = feed + 1;
    parts.push(bytes.subarray(start, start + length));
    at = start + length;
    if (at >= bytes.length) return { bytes: Buffer.concat(parts), cut: true };
    if (bytes[at] === 13) at++;
    if (bytes[at] === 10) at++;
  }
}

type Inflate = (bytes: Uint8Array, options: ZlibOptions) => Buffer;

function decodeContent(coding: string, bytes: Uint8Array, maxBytes: number): Body | undefined {
  if (bytes.length === 0) return { bytes, cut: false };
  switch (coding) {
    case "gzip":
      // As with chunks: the header often outlived the coding.
      return bytes[0] === 0x1f && bytes[1] === 0x8b ? inflate(gunzipSync, bytes, maxBytes) : { bytes, cut: false };
    case "deflate":
      return inflate(inflateSync, bytes, maxBytes) ?? inflate(inflateRawSync, bytes, maxBytes) ?? asText(bytes);
    case "br": {
      const brotli: Inflate = (input, { maxOutputLength }) =>
        brotliDecompressSync(input, {
          finishFlush: constants.BROTLI_OPERATION_FLUSH,
          ...(maxOutputLength === undefined ? {} : { maxOutputLength }),
        });
      return inflate(brotli, bytes, maxBytes) ?? asText(bytes);
    }
    case "zstd":
      return isZstd(bytes) ? inflateZstd(bytes, maxBytes) : { bytes, cut: false };
    default:
      return asText(bytes);
  }
}

/** Codings without a magic number: a body that looks like markup was decoded before it was archived. */
function asText(bytes: Uint8Array): Body | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 512)).toString("latin1");
  const isMarkup = /^\s*</.test(start) && !/\p{Cc}/u.test(start.replace(/\s/g, ""));
  return isMarkup ? { bytes, cut: false } : undefined;
}

function inflate(method: Inflate, bytes: Uint8Array, maxBytes: number): Body | undefined {
  // Node gives nothing if the result is too long; halving the input until the result fits is still linear work.
  for (let input = bytes; input.length > 0; input = input.subarray(0, input.length >> 1)) {
    try {
      const options = { maxOutputLength: maxBytes, finishFlush: constants.Z_SYNC_FLUSH };
      return { bytes: method(input, options), cut: input !== bytes };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ERR_BUFFER_TOO_LARGE") return undefined;
    }
  }
  return undefined;
}

function inflateZstd(bytes: Uint8Array, maxBytes: number): Body | undefined {
  const unpacked = unpackZstd(bytes, maxBytes + 1);
  if (unpacked.damage !== undefined && unpacked.bytes.length === 0) return undefined;
  const cut = unpacked.damage !== undefined || unpacked.bytes.length > maxBytes;
  return { bytes: unpacked.bytes.subarray(0, maxBytes), cut };
}
