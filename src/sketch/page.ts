import type { Sketch } from "../model.js";
import { decodeHtml } from "./charset.js";
import { type HtmlDocument, parseHtml } from "./html.js";
import { textShingles } from "./shingles.js";
import { type SketchOptions, sketchText } from "./sketch.js";
import { collapseText } from "./text-builder.js";

/** What a downloaded document says, and the sketches of it. */
export interface PageContent {
  /** Title, text, links, ... Without links and the rest where the document is plain text. */
  readonly document: HtmlDocument;
  /** Both absent where the text has no word. */
  readonly shingles?: BigUint64Array;
  readonly sketch?: Sketch;
}

/**
 * Reads a document of type HTML, XHTML or text; undefined for any other, which can only be compared by its digest.
 * Without a content type, what begins with "<" is HTML.
 */
export function readPage(bytes: Uint8Array, contentType?: string, options?: SketchOptions): PageContent | undefined {
  const mediaType = (contentType ?? "").split(";")[0]!.trim().toLowerCase();
  const isHtml = mediaType === "" ? /^\s*</.test(firstCharacters(bytes)) : HTML_TYPES.includes(mediaType);
  if (!isHtml && !mediaType.startsWith("text/")) return undefined;
  const characters = decodeHtml(bytes, contentType);
  const document = isHtml ? parseHtml(characters) : { title: "", text: collapseText(characters), links: [] };
  const shingles = textShingles(document.text);
  const sketch = sketchText(document.text, { ...options, document: bytes });
  return { document, ...(shingles !== undefined && { shingles }), ...(sketch !== undefined && { sketch }) };
}

const HTML_TYPES = ["text/html", "application/xhtml+xml"];

function firstCharacters(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes.subarray(0, 64));
}
