import { UserError } from "../errors.js";
import type { DocumentSketches } from "./document-sketches.js";
import { commonShingles, SHINGLE_COUNT } from "./shingles.js";
import { resemblance } from "./sketch.js";

/** Whether two documents are similar; undefined where too little is known of them to tell. */
export type SimilarityTest = (a: DocumentSketches, b: DocumentSketches) => boolean | undefined;

export const DEFAULT_SIMILARITY = "shingles-4/4";
export const SIMILARITY_NAMES = "shingles-K/4 (K from 1 to 4), resemblance-P (P from 0 to 1, such as 0.95), digest";

/** The test of that name: shingles-4/4 and shingles-2/4 are the thesis's, resemblance-P uses the 84 features. */
export function similarityTest(name: string): SimilarityTest {
  if (name === "digest") return sameDigest;
  const shingles = /^shingles-([1-4])\/4$/.exec(name);
  if (shingles !== null) return shinglesTest(Number(shingles[1]));
  const threshold = /^resemblance-(0?\.\d+|0|1(?:\.0+)?)$/.exec(name);
  if (threshold !== null) return resemblanceTest(Number(threshold[1]));
  throw new UserError(`similarity "${name}" is not known: choose ${SIMILARITY_NAMES}`);
}

function shinglesTest(least: number): SimilarityTest {
  return byText(
    (document) => document.shingles,
    (a, b) => commonShingles(a, b) >= Math.min(least, SHINGLE_COUNT),
  );
}

function resemblanceTest(least: number): SimilarityTest {
  return byText(
    (document) => document.sketch,
    (a, b) => resemblance(a, b) >= least,
  );
}

/** Text is compared with text, other documents by their digests; text and something else are not similar. */
function byText<T>(
  textOf: (document: DocumentSketches) => T | undefined,
  similar: (a: T, b: T) => boolean,
): SimilarityTest {
  return (a, b) => {
    const textOfA = textOf(a);
    const textOfB = textOf(b);
    if (textOfA !== undefined && textOfB !== undefined) return similar(textOfA, textOfB);
    if (textOfA === undefined && textOfB === undefined) return sameDigest(a, b);
    return a.digest === undefined || b.digest === undefined ? undefined : false;
  };
}

function sameDigest(a: DocumentSketches, b: DocumentSketches): boolean | undefined {
  return a.digest === undefined || b.digest === undefined ? undefined : a.digest === b.digest;
}
