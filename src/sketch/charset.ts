/**
 * Bytes of a page to a string, by the encoding that a browser would choose (WHATWG HTML 13.2.3): byte order mark, HTTP
 * header, declaration in the page, and at last a guess. TextDecoder supplies the encodings themselves.
 */

import { WINDOWS_1252 } from "./entities.js";
import { putCharacter } from "./text-builder.js";

/** WHATWG asks for the first 1024 bytes; browsers look further, and pages that open with a long comment need that. */
const SNIFF_BYTES = 4096;

/** Decodes a page. Malformed bytes become U+FFFD; an unknown or absent declaration is never an error. */
export function decodeHtml(bytes: Uint8Array, contentType?: string): string {
  return decode(bytes, encodingOf(bytes, contentType));
}

/** The page in UTF-8, without a byte order mark: the same bytes, not decoded, where it already is UTF-8. */
export function utf8Html(bytes: Uint8Array, contentType?: string): Uint8Array {
  const encoding = encodingOf(bytes, contentType);
  if (encoding === "utf-8") return byteOrderMark(bytes) === undefined ? bytes : bytes.subarray(3);
  const asciiMeansAscii = !encoding.startsWith("utf-16") && encoding !== "iso-2022-jp";
  if (asciiMeansAscii && isAscii(bytes)) return bytes;
  return encoding === "windows-1252" ? windows1252ToUtf8(bytes) : new TextEncoder().encode(decode(bytes, encoding));
}

/** Most pages in English are ASCII whatever they declare. Four bytes at a time: decoding takes ten times as long. */
function isAscii(bytes: Uint8Array): boolean {
  const start = bytes.byteOffset;
  const alignedStart = (start + 3) & ~3;
  const alignedEnd = Math.max(alignedStart, (start + bytes.length) & ~3);
  const words = new Uint32Array(bytes.buffer, alignedStart, (alignedEnd - alignedStart) >> 2);
  let high = 0;
  for (let i = 0; i < words.length; i++) high |= words[i]!;
  for (let i = 0; i < bytes.length && i < alignedStart - start; i++) high |= bytes[i]!;
  for (let i = alignedEnd - start; i < bytes.length; i++) high |= bytes[i]!;
  return (high & 0x80808080) === 0;
}

function encodingOf(bytes: Uint8Array, contentType: string | undefined): string {
  return byteOrderMark(bytes) ?? headerCharset(contentType) ?? declaredCharset(bytes) ?? guess(bytes);
}

/** The encoding that a Content-Type header names, if it is one that can be decoded. */
export function headerCharset(contentType: string | undefined): string | undefined {
  const match = /;\s*charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;]+))/i.exec(contentType ?? "");
  return match === null ? undefined : knownEncoding(match[1] ?? match[2] ?? match[3] ?? "");
}

function byteOrderMark(bytes: Uint8Array): string | undefined {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return undefined;
}

/** What the page says about itself: the XML declaration or a meta element, whichever comes first. */
function declaredCharset(bytes: Uint8Array): string | undefined {
  // "<" in UTF-16 without a mark: the code below could not read it.
  if (bytes[0] === 0x3c && bytes[1] === 0) return "utf-16le";
  if (bytes[0] === 0 && bytes[1] === 0x3c) return "utf-16be";
  // Only ASCII matters here, and every byte is a character of windows-1252.
  const head = decoderFor("windows-1252").decode(bytes.subarray(0, SNIFF_BYTES));
  if (!/charset|encoding/i.test(head)) return undefined;
  // Each alternative is linear: none repeats what another can match. A comment that does not end hides the rest.
  const pattern = /<!--[\s\S]*?(?:-->|$)|<\?xml\s([^>]*)>|<meta[\s/]((?:[^>"']|"[^"]*"|'[^']*')*)>/gi;
  for (const [, xml, meta] of head.matchAll(pattern)) {
    const label =
      xml !== undefined ? attributeValue(xml, "encoding") : meta !== undefined ? metaCharset(meta) : undefined;
    const encoding = label === undefined ? undefined : knownEncoding(label);
    // A declaration that was read as ASCII cannot mean UTF-16 (WHATWG 13.2.3.2).
    if (encoding !== undefined) return encoding.startsWith("utf-16") ? "utf-8" : encoding;
  }
  return undefined;
}

function metaCharset(attributes: string): string | undefined {
  const charset = attributeValue(attributes, "charset");
  if (charset !== undefined) return charset;
  if (attributeValue(attributes, "http-equiv")?.toLowerCase() !== "content-type") return undefined;
  const content = attributeValue(attributes, "content") ?? "";
  return /charset\s*=\s*["']?([^\s"';]+)/i.exec(content)?.[1];
}

function attributeValue(attributes: string, name: string): string | undefined {
  const pattern = /([^\s"'=/]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g;
  for (const [, attribute, double, single, bare] of attributes.matchAll(pattern))
    if (attribute?.toLowerCase() === name) return double ?? single ?? bare;
  return undefined;
}

type Decoder = InstanceType<typeof TextDecoder>;

/** Making a decoder costs as much as decoding about ten kilobytes. Labels come from pages: only valid ones are kept. */
const decoders = new Map<string, Decoder>();

function decode(bytes: Uint8Array, encoding: string): string {
  return encoding === "windows-1252"
    ? decoderFor("utf-8").decode(windows1252ToUtf8(bytes))
    : decoderFor(encoding).decode(bytes);
}

/**
 * Not left to TextDecoder: Node 20's reads windows-1252 as ISO-8859-1, so that the quotes and dashes of 0x80 to 0x9f come
 * out as control characters, and this is the encoding of most pages that are not UTF-8.
 */
function windows1252ToUtf8(bytes: Uint8Array): Uint8Array {
  // A character is at most three bytes long; most are one.
  let room = bytes.length;
  for (let i = 0; i < bytes.length; i++) room += (bytes[i]! >> 7) << 1;
  const utf8 = new Uint8Array(room);
  let length = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (byte < 0x80) utf8[length++] = byte;
    else length = putCharacter(utf8, length, byte < 0xa0 ? WINDOWS_1252.charCodeAt(byte - 0x80) : byte);
  }
  return utf8.subarray(0, length);
}

function decoderFor(label: string): Decoder {
  const key = label.trim().toLowerCase();
  let decoder = decoders.get(key);
  if (decoder === undefined) {
    decoder = new TextDecoder(key);
    decoders.set(key, decoder);
  }
  return decoder;
}

function knownEncoding(label: string): string | undefined {
  try {
    const { encoding } = decoderFor(label);
    return encoding === "x-user-defined" ? "windows-1252" : encoding;
  } catch {
    return undefined;
  }
}

const strictDecoder = new TextDecoder("utf-8", { fatal: true });

/**
 * UTF-8 where the bytes are valid UTF-8 (a sequence cut off at the end is forgiven), otherwise the web's old default.
 */
function guess(bytes: Uint8Array): string {
  if (isAscii(bytes)) return "utf-8";
  let end = bytes.length;
  // Back over at most three bytes that continue a sequence, to the one that starts it.
  while (end > 0 && bytes.length - end < 3 && (bytes[end - 1]! & 0xc0) === 0x80) end--;
  if (end > 0 && bytes[end - 1]! >= 0xc0) end--;
  else end = bytes.length;
  try {
    strictDecoder.decode(bytes.subarray(0, end));
    return "utf-8";
  } catch {
    return "windows-1252";
  }
}
