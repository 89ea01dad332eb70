/** HTTP responses as archives keep them: parsed tolerantly, codings undone within limits. */
import { brotliDecompressSync, constants, gunzipSync, inflateRawSync, inflateSync, type ZlibOptions } from "node:zlib";
import { Decompress } from "fzstd";
import { headEnd, parseHeaders } from "./headers.js";

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
  // The last coding was applied last. More than a handful is an attack, not a page.
  const codings = (message.headers.get("content-encoding") ?? "")
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  if (codings.length > 4) return undefined;
  for (const coding of codings.reverse()) {
    const decoded = decodeContent(coding, body.bytes, maxBytes);
    if (decoded === undefined) return undefined;
    body = { bytes: decoded.bytes, cut: body.cut || decoded.cut };
  }
  return body.bytes.length > maxBytes ? { bytes: body.bytes.subarray(0, maxBytes), cut: true } : body;
}

/** Many archives joined the chunks and kept the header: what does not begin with a chunk size is taken as it is. */
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
    case "x-gzip":
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
    case "identity":
    case "none":
    case "utf-8":
      return { bytes, cut: false };
    default:
      return asText(bytes);
  }
}

/** Codings without a magic number: what looks like markup was decoded before it was archived. */
function asText(bytes: Uint8Array): Body | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 512)).toString("latin1");
  const isMarkup = /^\s*</.test(start) && !/\p{Cc}/u.test(start.replace(/\s/g, ""));
  return isMarkup ? { bytes, cut: false } : undefined;
}

function inflate(method: Inflate, bytes: Uint8Array, maxBytes: number): Body | undefined {
  // Node gives nothing of a result that is too long; half as much input until the result fits is still linear work.
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

const isZstd = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x28 && bytes[1] === 0xb5 && bytes[2] === 0x2f && bytes[3] === 0xfd;

/** RFC 9659: for HTTP a window of 8 MB is the most. fzstd would allocate whatever the frame asks for. */
const MAX_ZSTD_WINDOW = 8 << 20;

function zstdWindowBytes(bytes: Uint8Array): number {
  const descriptor = bytes[4] ?? 0;
  if ((descriptor & 0x20) === 0) {
    const window = bytes[5] ?? 0;
    const base = 2 ** (10 + (window >> 3));
    return base + (base / 8) * (window & 7);
  }
  // A single segment: the window is the content, whose size follows the dictionary's id.
  const at = 5 + [0, 1, 2, 4][descriptor & 3]!;
  const width = [1, 2, 4, 8][descriptor >> 6]!;
  let size = 0;
  for (let i = width - 1; i >= 0; i--) size = size * 256 + (bytes[at + i] ?? 0);
  return width === 2 ? size + 256 : size;
}

function inflateZstd(bytes: Uint8Array, maxBytes: number): Body | undefined {
  if (zstdWindowBytes(bytes) > MAX_ZSTD_WINDOW) return undefined;
  const parts: Uint8Array[] = [];
  let length = 0;
  let whole = false;
  const full = new Error("full");
  try {
    const decompress = new Decompress((part, last) => {
      // fzstd uses its buffers again.
      parts.push(part.slice());
      length += part.length;
      whole = last === true;
      if (length > maxBytes) throw full;
    });
    decompress.push(bytes, true);
  } catch (error) {
    if (error !== full && length === 0) return undefined;
    whole = false;
  }
  const joined = Buffer.concat(parts);
  return { bytes: joined.subarray(0, maxBytes), cut: !whole || joined.length > maxBytes };
}
