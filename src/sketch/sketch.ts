import { UserError } from "../errors.js";
import type { Sketch, SketchRecipe } from "../model.js";
import { utf8Html } from "./charset.js";
import { FEATURES } from "./constants.js";
import { encodeText, TEXT_VERSION } from "./encode-text.js";
import { type Family, fingerprinterOf } from "./families.js";
import type { ShinglePlan, WordReading } from "./fingerprinter.js";
import { parseHtml } from "./html.js";

/** Words in a shingle of the 84-feature sketch (Fetterly et al. 2004, section 2). */
export const SHINGLE_WORDS = 5;
/** A supershingle stands for 14 adjacent features; there are 6, and 15 pairs of them: the megashingles. */
export const SUPERSHINGLES = 6;
const FEATURES_PER_SUPERSHINGLE = FEATURES / SUPERSHINGLES;

export interface SketchOptions {
  /** "rabin" for the paper's own functions, about a hundred times slower. */
  readonly family?: Family;
  /** "ascii": words are runs of [0-9A-Za-z], as in 2004. */
  readonly words?: WordReading;
  /** Words in a shingle. Default: SHINGLE_WORDS. */
  readonly shingleWords?: number;
}

export interface SketchTextOptions extends SketchOptions {
  /** The bytes that the text was extracted from, for checksum and length; without them, the text in UTF-8. */
  readonly document?: Uint8Array;
}

const encoder = new TextEncoder();

/** The sketch of a plain text. Undefined where it has no word. */
export function sketchText(text: string, options: SketchTextOptions = {}): Sketch | undefined {
  const { family = "affine", words: reading = "unicode", shingleWords = SHINGLE_WORDS, document } = options;
  const { words, values } = fingerprinterOf(family).features(encodeText(text), reading, [
    { ...featurePlan, shingleWords },
  ]);
  if (words === 0) return undefined;
  return makeSketch(family, reading, values[0]!, words, document ?? encoder.encode(text), shingleWords);
}

/** What the 84 features are made of. */
export const featurePlan: ShinglePlan = { shingleWords: SHINGLE_WORDS, wrap: true, functions: FEATURES };

export function makeSketch(
  family: Family,
  reading: WordReading,
  features: BigUint64Array,
  words: number,
  document: Uint8Array,
  shingleWords = SHINGLE_WORDS,
): Sketch {
  const [checksum] = fingerprinterOf(family).fingerprints(document, Uint32Array.of(0, document.length));
  const recipe = reading === "ascii" ? (`${family}-ascii` as const) : family;
  const lengthBytes = document.length;
  return { recipe, textVersion: TEXT_VERSION, shingleWords, features, checksum: checksum!, lengthBytes, words };
}

/** The sketch of a page, from its bytes or, where it is already decoded, its characters. */
export function sketchHtml(
  html: Uint8Array | string,
  contentType?: string,
  options?: SketchOptions,
): Sketch | undefined {
  const document = typeof html === "string" ? encoder.encode(html) : html;
  const { text } = parseHtml(typeof html === "string" ? document : utf8Html(html, contentType));
  return sketchText(text, { ...options, document });
}

/** The six supershingles: the fingerprint of the features 0-13, 14-27, ... as big-endian bytes. */
export function supershingles(sketch: Pick<Sketch, "features" | "recipe">): BigUint64Array {
  const bytes = new Uint8Array(FEATURES * 8);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < FEATURES; i++) view.setBigUint64(i * 8, sketch.features[i]!);
  const bounds = new Uint32Array(SUPERSHINGLES * 2);
  for (let i = 0; i < SUPERSHINGLES; i++) {
    bounds[i * 2] = i * FEATURES_PER_SUPERSHINGLE * 8;
    bounds[i * 2 + 1] = (i + 1) * FEATURES_PER_SUPERSHINGLE * 8;
  }
  return fingerprinterOf(familyOf(sketch.recipe)).fingerprints(bytes, bounds);
}

/** The 15 megashingles (s_i, s_j), i < j, in the order of the paper's tables: (0,1), (0,2), ... (4,5). */
export const megashingles: readonly (readonly [number, number])[] = Array.from({ length: SUPERSHINGLES }, (_, i) =>
  Array.from({ length: SUPERSHINGLES - 1 - i }, (_, k) => [i, i + 1 + k] as const),
).flat();

/** How a sketch was made: its functions and words, the version of its text, and the words in a shingle. */
export function makingOf({
  recipe,
  textVersion,
  shingleWords,
}: Pick<Sketch, "recipe" | "textVersion" | "shingleWords">): string {
  return `${recipe}/${textVersion}/${shingleWords}`;
}

/** How many of the 84 features two sketches have in common, position by position. */
export function commonFeatures(a: Sketch, b: Sketch): number {
  const [left, right] = [makingOf(a), makingOf(b)];
  if (left !== right)
    throw new UserError(`sketches made as ${left} and ${right} cannot be compared: sketch both alike`);
  let common = 0;
  for (let i = 0; i < FEATURES; i++) if (a.features[i] === b.features[i]) common++;
  return common;
}

/** The estimated resemblance: the share of the shingles of either text that both have in common. */
export function resemblance(a: Sketch, b: Sketch): number {
  return commonFeatures(a, b) / FEATURES;
}

// ----------------------------------------------------------------------------------------------------------- bytes

/** Indexed by the number that stands for them in a sketch's second byte. */
export const sketchRecipes: readonly SketchRecipe[] = ["affine", "affine-ascii", "rabin", "rabin-ascii"];
const HEADER_BYTES = 24;
export const SKETCH_BYTES = HEADER_BYTES + FEATURES * 8;

/**
 * A sketch as 696 bytes, little-endian: 0 format (1), 1 recipe (0 affine, 1 affine-ascii, 2 rabin, 3 rabin-ascii),
 * 2 version of the text, 3 words in a shingle (0: 5), 4-7 words, 8-15 length, 16-23 checksum, from 24 the 84 features of 8 bytes.
 */
export function encodeSketch(sketch: Sketch): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(SKETCH_BYTES));
  view.setUint8(0, 1);
  view.setUint8(1, sketchRecipes.indexOf(sketch.recipe));
  view.setUint8(2, sketch.textVersion);
  view.setUint8(3, sketch.shingleWords);
  view.setUint32(4, sketch.words, true);
  view.setBigUint64(8, BigInt(sketch.lengthBytes), true);
  view.setBigUint64(16, sketch.checksum, true);
  for (let i = 0; i < FEATURES; i++) view.setBigUint64(HEADER_BYTES + i * 8, sketch.features[i]!, true);
  return new Uint8Array(view.buffer);
}

export function isSketch(bytes: Uint8Array): boolean {
  return bytes.length === SKETCH_BYTES && bytes[0] === 1 && bytes[1]! < sketchRecipes.length;
}

export function decodeSketch(bytes: Uint8Array): Sketch {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const recipe = isSketch(bytes) ? sketchRecipes[bytes[1]!] : undefined;
  if (recipe === undefined)
    throw new UserError(`${bytes.length} bytes are not a sketch of format 1, which has ${SKETCH_BYTES}: sketch again`);
  const features = new BigUint64Array(FEATURES);
  for (let i = 0; i < FEATURES; i++) features[i] = view.getBigUint64(HEADER_BYTES + i * 8, true);
  return {
    recipe,
    textVersion: view.getUint8(2),
    shingleWords: view.getUint8(3) || SHINGLE_WORDS,
    features,
    checksum: view.getBigUint64(16, true),
    lengthBytes: Number(view.getBigUint64(8, true)),
    words: view.getUint32(4, true),
  };
}

function familyOf(recipe: SketchRecipe): Family {
  return recipe.startsWith("rabin") ? "rabin" : "affine";
}
