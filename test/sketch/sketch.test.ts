import { describe, expect, it } from "vitest";
import {
  commonFeatures,
  decodeSketch,
  digestShingles,
  encodeSketch,
  MEGASHINGLES,
  resemblance,
  SKETCH_BYTES,
  type Sketch,
  similarityTest,
  sketchesOf,
  sketchHtml,
  sketchText,
  supershingles,
  textShingles,
} from "#src/sketch/index.js";
import { fingerprint, trueResemblance } from "./oracle.js";

const TEXT = "The quick brown fox jumps over the lazy dog and runs away from the hunter who came too late today";
const sketch = sketchText(TEXT)!;

describe("a sketch", () => {
  it("has 84 features, checksum, length and word count", () => {
    const bytes = new TextEncoder().encode(TEXT);
    expect(sketch.features).toHaveLength(84);
    expect(sketch).toMatchObject({
      recipe: "affine",
      words: 20,
      lengthBytes: bytes.length,
      checksum: fingerprint(bytes),
    });
  });

  it("is the same as ever: stored sketches stay comparable", () => {
    expect(sketch.features[0]).toBe(0x68261602ec6c589an);
    expect(supershingles(sketch)[5]).toBe(0x4443cfdc321cd38en);
    expect(textShingles(TEXT)![3]).toBe(0x91f66d873a038a8bn);
    expect(sketchText(TEXT, { family: "rabin" })!.features[0]).toBe(0xd24e9145b180820en);
  });

  it("of a page is that of its text, with checksum and length of the page", () => {
    const html = `<title>The quick</title><p>${TEXT.slice(10)}`;
    const bytes = new TextEncoder().encode(html);
    const page = sketchHtml(bytes, "text/html; charset=utf-8")!;
    expect(page.features).toEqual(sketch.features);
    expect(page).toMatchObject({ lengthBytes: bytes.length, checksum: fingerprint(bytes) });
    expect(sketchHtml(html)).toEqual(page);
    expect(sketchHtml("<p></p>")).toBeUndefined();
  });

  it.each(["affine", "rabin"] as const)("survives its bytes, and says that %s made it", (family) => {
    const made = sketchText(TEXT, { family, words: "ascii" })!;
    expect(made.recipe).toBe(`${family}-ascii`);
    const bytes = encodeSketch(made);
    expect(bytes).toHaveLength(SKETCH_BYTES);
    expect(decodeSketch(bytes)).toEqual(made);
    expect(() => decodeSketch(bytes.subarray(1))).toThrow(/sketch of format 1/);
    expect(() => commonFeatures(made, sketch)).toThrow(/cannot be compared/);
  });

  it("is the same however letters with accents are written, and says by which version of the text", () => {
    const composed = "Les élèves étudient la poésie française du siècle passé où naît l'été à Orléans";
    const decomposed = composed.normalize("NFD");
    expect(decomposed).not.toBe(composed);
    expect(sketchText(decomposed)!.features).toEqual(sketchText(composed)!.features);
    expect(sketchesOf(decomposed).shingles).toEqual(textShingles(composed));
    // "No change" is about bytes, which differ.
    expect(sketchText(decomposed)!.checksum).not.toBe(sketchText(composed)!.checksum);
    const old = encodeSketch(sketch);
    old[2] = 0;
    expect(() => commonFeatures(decodeSketch(old), sketch)).toThrow(/affine\/0\/5 and affine\/1\/5 cannot be compared/);
  });

  it("may have shingles of another length, which compare with their own kind alone", () => {
    const seven = sketchText(TEXT, { shingleWords: 7 })!;
    expect(decodeSketch(encodeSketch(seven))).toEqual(seven);
    expect(seven.features).not.toEqual(sketch.features);
    expect(() => commonFeatures(seven, sketch)).toThrow(/cannot be compared/);
  });

  it("has six supershingles of 14 big-endian features", () => {
    const bytes = new Uint8Array(14 * 8);
    const view = new DataView(bytes.buffer);
    for (let i = 0; i < 14; i++) view.setBigUint64(i * 8, sketch.features[28 + i]!);
    expect(supershingles(sketch)).toHaveLength(6);
    expect(supershingles(sketch)[2]).toBe(fingerprint(bytes));
    expect(MEGASHINGLES).toHaveLength(15);
    expect(MEGASHINGLES.every(([i, j]) => i < j)).toBe(true);
  });
});

describe("resemblance", () => {
  it("is 1 for the same text, 0 for another, and near the truth between", () => {
    expect(resemblance(sketch, sketch)).toBe(1);
    expect(resemblance(sketch, sketchText("something else entirely and nothing more")!)).toBe(0);
    const words = Array.from({ length: 400 }, (_, i) => `w${i}`);
    const a = words.slice(0, 350).join(" ");
    const b = words.slice(20).join(" ");
    // Four standard deviations of 84 features.
    const slack = 4 * Math.sqrt(0.25 / 84);
    expect(Math.abs(resemblance(sketchText(a)!, sketchText(b)!) - trueResemblance(a, b))).toBeLessThan(slack);
  });
});

describe("over pairs of known resemblance", () => {
  // The same pairs every time: bench/accuracy/sketch.mjs does this with more of them, and for both families.
  const PAIRS = 1500;
  let counter = 0;
  const words = (count: number) => Array.from({ length: count }, () => `w${Math.imul(++counter, 0x9e3779b1) >>> 0}`);

  it.each([
    [40, 5, 0.8, 0.026],
    [190, 5, 0.95, 0.879],
  ])("%i shingles in common and %i of their own each agree as the paper says", (common, own, p, twoOfSix) => {
    let [features, supers, joined] = [0, 0, 0];
    for (let pair = 0; pair < PAIRS; pair++) {
      const run = words(common + 4);
      const [a, b] = [0, 1].map(() => sketchText([...run, ...words(own - 4)].join(" "))!) as [Sketch, Sketch];
      features += commonFeatures(a, b);
      const [superA, superB] = [supershingles(a), supershingles(b)];
      const equal = superA.filter((value, i) => value === superB[i]).length;
      supers += equal;
      if (equal >= 2) joined++;
    }
    const deviation = (hits: number, trials: number, expected: number) =>
      Math.abs(hits - trials * expected) / Math.sqrt(trials * expected * (1 - expected));
    expect(deviation(features, PAIRS * 84, p)).toBeLessThan(4);
    expect(deviation(supers, PAIRS * 6, p ** 14)).toBeLessThan(4);
    expect(deviation(joined, PAIRS, twoOfSix)).toBeLessThan(4);
  });
});

describe("the thesis' shingles", () => {
  it("compare short texts exactly and have nothing to say of empty ones", () => {
    expect(textShingles("404 not found")).toEqual(textShingles("404, not found!"));
    expect(textShingles("404 not found")).not.toEqual(textShingles("not found 404"));
    expect(textShingles("...")).toBeUndefined();
  });
  it("do not wrap", () => {
    const words = TEXT.split(" ");
    expect(textShingles([...words.slice(1), words[0]].join(" "))).not.toEqual(textShingles(TEXT));
  });
});

describe("similarity tests", () => {
  const document = (text: string, digest: string) => ({
    shingles: textShingles(text)!,
    sketch: sketchText(text) as Sketch,
    digest,
  });
  const a = document(TEXT, "sha1:1");
  const copy = document(TEXT, "sha1:2");
  const other = document("an entirely different page with words of its own and no others to share", "sha1:3");
  const image = { digest: "sha1:4" };

  it.each(["shingles-4/4", "shingles-2/4", "resemblance-0.95", "resemblance-1"])("%s", (name) => {
    const similar = similarityTest(name);
    expect(similar(a, copy)).toBe(true);
    expect(similar(a, other)).toBe(false);
    expect(similar(a, image)).toBe(false);
    expect(similar(image, { digest: "sha1:4" })).toBe(true);
    expect(similar(image, { digest: "sha1:5" })).toBe(false);
    expect(similar(a, {})).toBeUndefined();
    expect(similar({}, image)).toBeUndefined();
  });
  it("digest", () => {
    const similar = similarityTest("digest");
    expect(similar(a, copy)).toBe(false);
    expect(similar(a, { digest: "sha1:1" })).toBe(true);
    expect(similar(a, {})).toBeUndefined();
  });
  it("needs fewer shingles in common where asked for fewer", () => {
    const half = { ...a, shingles: a.shingles.map((value, i) => (i < 2 ? value : 0n)) };
    expect(similarityTest("shingles-2/4")(a, half)).toBe(true);
    expect(similarityTest("shingles-3/4")(a, half)).toBe(false);
  });
  it.each(["", "shingles-5/4", "resemblance-2", "resemblance-"])("refuses %j", (name) => {
    expect(() => similarityTest(name)).toThrow(/is not known: choose/);
  });
  it("compares binary documents as sketches too", () => {
    expect(new Set(digestShingles("sha1:1")).size).toBe(1);
    expect(digestShingles("sha1:1")).not.toEqual(digestShingles("sha1:2"));
  });
});

describe("both sketches of a text", () => {
  it("are those of sketchText and textShingles", () => {
    expect(sketchesOf(TEXT)).toEqual({ shingles: textShingles(TEXT), sketch });
    const document = new Uint8Array(3);
    expect(sketchesOf(TEXT, document).sketch).toEqual(sketchText(TEXT, { document }));
  });
  it("are absent where there is no word", () => {
    expect(sketchesOf("...")).toEqual({});
  });
});
