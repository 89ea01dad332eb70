import fc from "fast-check";
import type { SizeRanges, SketchColumn, StringColumn, UrlList } from "#src/model.js";
import { CARET, DOLLAR, type OraclePair } from "./dustbuster.js";

export function stringColumn(texts: readonly string[]): StringColumn {
  const encoded = texts.map((text) => new TextEncoder().encode(text));
  const offsets = new Uint32Array(texts.length + 1);
  encoded.forEach((bytes, i) => {
    offsets[i + 1] = offsets[i]! + bytes.length;
  });
  const bytes = new Uint8Array(offsets[texts.length]!);
  encoded.forEach((part, i) => {
    bytes.set(part, offsets[i]);
  });
  return { count: texts.length, bytes, offsets };
}

/** Sizes as [source, min, max] per URL. */
export function sizeRanges(sizes: readonly (readonly (readonly [number, number, number])[])[]): SizeRanges {
  const flat = sizes.flat();
  const rows = new Uint32Array(sizes.length + 1);
  sizes.forEach((ranges, i) => {
    rows[i + 1] = rows[i]! + ranges.length;
  });
  return {
    rows,
    source: Uint32Array.from(flat, ([source]) => source),
    minBytes: Float64Array.from(flat, ([, min]) => min),
    maxBytes: Float64Array.from(flat, ([, , max]) => max),
  };
}

function sketchColumn(sketches: readonly (readonly [number, readonly number[]])[]): SketchColumn {
  const known = sketches.filter(([kind]) => kind > 0);
  let captures = 0;
  return {
    rows: Uint32Array.from([0, ...sketches.map(([kind]) => (kind > 0 ? ++captures : captures))]),
    timeMs: new Float64Array(known.length).fill(Number.NaN),
    kind: Uint8Array.from(known, ([kind]) => kind),
    values: BigUint64Array.from(known.flatMap(([, values]) => values.map(BigInt))),
  };
}

/** Few different tokens, so that periodic and empty strings, repeated tokens, literal anchors and Unicode all collide. */
const tokenArbitrary = fc.constantFrom("a", "a", "b", "1", ".", "/", "/", "ab", "^", "$", "é", "😀", "?", "=");
const urlArbitrary = fc.array(tokenArbitrary, { maxLength: 7, size: "max" }).map((tokens) => tokens.join(""));
const periodicArbitrary = fc
  .array(fc.constantFrom("a", "/", "/", "a/", "b/"), { maxLength: 8, size: "max" })
  .map((tokens) => tokens.join(""));

/** URLs made from few parts, so that supports get large. */
const structuredArbitrary = fc
  .tuple(
    fc.constantFrom("", "www.", "m."),
    fc.constantFrom("x", "y", "z/w"),
    fc.constantFrom("", "/", "/index.html", "/a/a", "/a/a/a", "/a"),
    fc.constantFrom("", "?id=1", "?id=2", "?id=1&sid=3"),
  )
  .map((parts) => parts.join(""));

const rangeArbitrary = fc
  .tuple(fc.nat(2), fc.nat(20), fc.nat(10))
  .map(([source, min, length]) => [source, min, min + length] as const);
const rangesArbitrary = fc.uniqueArray(rangeArbitrary, { maxLength: 2, selector: ([source]) => source });
const sketchArbitrary = fc.tuple(fc.nat(2), fc.array(fc.nat(1), { minLength: 4, maxLength: 4 })) as fc.Arbitrary<
  readonly [number, readonly number[]]
>;

export interface RandomList {
  readonly texts: readonly string[];
  readonly list: UrlList;
}

export const listArbitrary: fc.Arbitrary<RandomList> = fc
  .uniqueArray(fc.oneof(urlArbitrary, periodicArbitrary, structuredArbitrary), {
    minLength: 2,
    maxLength: 40,
    size: "max",
  })
  .chain((texts) =>
    fc
      .tuple(
        fc.option(fc.array(rangesArbitrary, { minLength: texts.length, maxLength: texts.length })),
        fc.option(fc.array(sketchArbitrary, { minLength: texts.length, maxLength: texts.length })),
      )
      .map(([sizes, sketches]) => ({
        texts,
        list: {
          urls: stringColumn(texts),
          ...(sizes && { sizes: sizeRanges(sizes) }),
          ...(sketches && { sketches: sketchColumn(sketches) }),
        },
      })),
  );

export const optionsArbitrary = fc
  .record({
    maxTokens: fc.constantFrom(1, 2, 3, 4, 5, 7, 35),
    lowBucket: fc.integer({ min: 1, max: 6 }),
    extraBucket: fc.nat(5),
    minSupport: fc.integer({ min: 1, max: 3 }),
    likely: fc.constantFrom("auto" as const, "size" as const, "sketch" as const, "none" as const),
    sketchMatches: fc.integer({ min: 1, max: 4 }),
    plan: fc.constantFrom("ours" as const, "paper" as const),
  })
  .map(({ extraBucket, ...options }) => ({ ...options, highBucket: options.lowBucket + extraBucket }));

/** An oracle's pair in the shape of the shipped one. */
export function shape({ alpha, beta, ...numbers }: OraclePair) {
  const text = (tokens: readonly string[]) => tokens.filter((token) => token !== CARET && token !== DOLLAR).join("");
  return {
    alpha: text(alpha),
    beta: text(beta),
    start: alpha[0] === CARET,
    end: alpha.at(-1) === DOLLAR,
    ...numbers,
  };
}
