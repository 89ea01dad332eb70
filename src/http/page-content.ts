/**
 * What a downloaded document says: read the same way for archives, crawls and live fetches. A pure function, for any
 * thread.
 */
import type { PageRecord } from "../model.js";
import { decodeHtml, utf8Html } from "../sketch/charset.js";
import { sketchesOf } from "../sketch/document-sketches.js";
import { parseHtml } from "../sketch/html.js";
import { collapseText } from "../sketch/text-builder.js";
import { convertToText } from "./convert.js";
import { isOwnLanguage } from "./own-language.js";
import { parseMediaType, resolveUrl } from "./values.js";

export type PageContent = Pick<
  PageRecord,
  "text" | "title" | "links" | "canonical" | "isOwnLanguage" | "shingles" | "sketch"
> & {
  /** Where a meta element sends the reader. */
  readonly refreshTo?: string;
};

/**
 * More than the links of the longest page that is read; keeps a page whose base is long as well from filling memory.
 */
const MAX_LINK_CHARACTERS = 64 << 20;

/**
 * Text is read from HTML and plain text, and from PDF and PostScript where a converter is installed. Undefined for
 * everything else: there the digest is enough.
 */
export function readContent(url: string, contentType: string | undefined, bytes: Uint8Array): PageContent | undefined {
  const mediaType = parseMediaType(contentType ?? "");
  if (mediaType === "text/plain") return readText(decodeHtml(bytes, contentType), bytes);
  const converted = convertToText(mediaType, bytes);
  if (converted !== undefined) return readText(converted, bytes);
  const untyped = mediaType === undefined || ["application/octet-stream", "unknown/unknown"].includes(mediaType);
  if (mediaType !== "text/html" && mediaType !== "application/xhtml+xml" && !(untyped && looksLikeHtml(bytes))) {
    return undefined;
  }
  return readHtml(utf8Html(bytes, contentType), url, bytes);
}

/** Text and sketches of a document without markup. */
export function readText(plain: string, bytes?: Uint8Array): PageContent {
  const text = collapseText(plain);
  return { text, ...sketchesOf(text, bytes) };
}

/**
 * Text, title, resolved links and sketches of a page, given as a string or in UTF-8. `bytes` is what it was decoded from,
 * where that is known.
 */
export function readHtml(html: string | Uint8Array, url: string, bytes?: Uint8Array): PageContent {
  const document = parseHtml(html);
  const base = (document.base === undefined ? undefined : resolveUrl(document.base, url)) ?? url;
  const links = new Set<string>();
  let room = MAX_LINK_CHARACTERS;
  for (const reference of document.links) {
    const link = resolveUrl(reference, base);
    if (link === undefined || links.has(link)) continue;
    room -= link.length;
    if (room < 0) break;
    links.add(link);
  }
  const canonical = document.canonical === undefined ? undefined : resolveUrl(document.canonical, base);
  const refreshTo = document.refresh === undefined ? undefined : resolveUrl(document.refresh.url, base);
  return {
    text: document.text,
    title: document.title,
    links: [...links],
    ...sketchesOf(document.text, bytes),
    ...(canonical !== undefined && { canonical }),
    ...(isOwnLanguage(url, base, document) && { isOwnLanguage: true }),
    // A page that only reloads itself is not a redirect.
    ...(refreshTo !== undefined && refreshTo !== url && { refreshTo }),
  };
}

function looksLikeHtml(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1024)).toString("latin1");
  return /<(?:!doctype html|html|head|title|body)\b/i.test(start);
}
