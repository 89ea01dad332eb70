/** dustpan/sketch: from pages to text, sketches and chunks. No dependency and no I/O: runs in a browser too. */
export type { Sketch, SketchRecipe } from "../model.js";
export { decodeHtml, utf8Html } from "./charset.js";
export { type Chunking, chunkFingerprints, chunkFingerprints32 } from "./chunks.js";
export { type DocumentSketches, sketchesOf } from "./document-sketches.js";
export type { Family } from "./families.js";
export type { WordReading } from "./fingerprinter.js";
export { type HtmlDocument, parseHtml } from "./html.js";
export { commonShingles, digestShingles, SHINGLE_COUNT, textShingles } from "./shingles.js";
export {
  DEFAULT_SIMILARITY,
  SIMILARITY_NAMES,
  type SimilarityTest,
  similarityTest,
} from "./similarity.js";
export {
  commonFeatures,
  decodeSketch,
  encodeSketch,
  makingOf,
  megashingles as MEGASHINGLES,
  resemblance,
  SHINGLE_WORDS,
  SKETCH_BYTES,
  type SketchOptions,
  type SketchTextOptions,
  SUPERSHINGLES,
  sketchHtml,
  sketchText,
  supershingles,
} from "./sketch.js";
export { collapseText } from "./text-builder.js";
