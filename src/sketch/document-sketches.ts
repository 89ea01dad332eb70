import type { Sketch } from "../model.js";
import { encodeText } from "./encode-text.js";
import { fingerprinterOf } from "./families.js";
import { ngramPlan } from "./shingles.js";
import { featurePlan, makeSketch } from "./sketch.js";

/** What is known of a document's content. A document with text has shingles and a sketch, anything else a digest only. */
export interface DocumentSketches {
  readonly shingles?: BigUint64Array;
  readonly sketch?: Sketch;
  readonly digest?: string;
}

const encoder = new TextEncoder();

/**
 * The shingles (textShingles) and the sketch (sketchText) of a text, which is read only once; neither
 * where it has no word. Checksum and length are of `document`, by default the text itself.
 */
export function sketchesOf(text: string, document?: Uint8Array): Pick<DocumentSketches, "shingles" | "sketch"> {
  const bytes = encodeText(text);
  const { words, values } = fingerprinterOf("affine").features(bytes, "unicode", [ngramPlan, featurePlan]);
  if (words === 0) return {};
  return {
    shingles: values[0]!,
    sketch: makeSketch("affine", "unicode", values[1]!, words, document ?? encoder.encode(text)),
  };
}
