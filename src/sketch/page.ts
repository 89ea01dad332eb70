import type { Sketch } from "../model.js";
import { decodeHtml, utf8Html } from "./charset.js";
import { engineOf } from "./engines.js";
import { type HtmlDocument, parseHtml } from "./html.js";
import { NGRAM_PLAN } from "./shingles.js";
import { FEATURE_PLAN, makeSketch } from "./sketch.js";
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
export function readPage(bytes: Uint8Array, contentType?: string): PageContent | undefined {
  const mediaType = (contentType ?? "").split(";")[0]!.trim().toLowerCase();
  const isHtml = mediaType === "" ? /^\s*</.test(firstCharacters(bytes)) : HTML_TYPES.includes(mediaType);
  if (!isHtml && !mediaType.startsWith("text/")) return undefined;
  const document = isHtml
    ? parseHtml(utf8Html(bytes, contentType))
    : { title: "", text: collapseText(decodeHtml(bytes, contentType)), links: [] };
  return { document, ...sketchesOf(document.text, bytes) };
}

/**
 * The shingles (textShingles) and the sketch (sketchText) of a text at once, its words being read only once; neither
 * where there is no word. `document` is what checksum and length are of.
 */
export function sketchesOf(text: string, document: Uint8Array): Pick<PageContent, "shingles" | "sketch"> {
  const plans = [NGRAM_PLAN, FEATURE_PLAN];
  const { words, values } = engineOf("affine").features(new TextEncoder().encode(text), "unicode", plans);
  if (words === 0) return {};
  return { shingles: values[0]!, sketch: makeSketch("affine", "unicode", values[1]!, words, document) };
}

const HTML_TYPES = ["text/html", "application/xhtml+xml"];

function firstCharacters(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes.subarray(0, 64));
}
