import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { characterClasses, classOf } from "#src/sketch/alphanumerics.js";
import type { Fingerprinter, ShinglePlan, WordReading } from "#src/sketch/fingerprinter.js";
import { wasmFingerprinter } from "#src/sketch/kernel.js";
import { plainFingerprinter } from "#src/sketch/plain.js";
import { rabinFingerprinter, rabinPolynomials } from "#src/sketch/rabin.js";
import { featuresOf, fingerprint, shingleFingerprint, shinglesOf, wordsOf } from "./oracle.js";

const plain = plainFingerprinter();
const rabin = rabinFingerprinter();
const kernel = wasmFingerprinter()!;
const encode = (text: string) => new TextEncoder().encode(text);
const PAPER: ShinglePlan = { shingleWords: 5, wrap: true, functions: 84 };

const plans: fc.Arbitrary<ShinglePlan> = fc.record({
  shingleWords: fc.integer({ min: 1, max: 12 }),
  wrap: fc.boolean(),
  functions: fc.constantFrom(4, 84),
});
const readings = fc.constantFrom<WordReading>("unicode", "ascii");
const pieces = [
  "a",
  "B7",
  "word",
  "alphanumerics",
  "averyveryverylongword1234567890",
  "é",
  "नमस्ते",
  "x̂",
  "日",
  "本語",
  "ก",
  "カ",
  "😀",
  "Ω",
];
const gaps = [" ", "  ", "\n", ".", " - ", "", "—", "\u00a0"];
const texts = fc
  .array(fc.tuple(fc.constantFrom(...pieces), fc.constantFrom(...gaps)), { maxLength: 80 })
  .map((parts) => parts.flat().join(""));

describe("the WebAssembly kernel", () => {
  it("equals the definitions", () => {
    let withWords = 0;
    fc.assert(
      fc.property(texts, readings, fc.array(plans, { minLength: 1, maxLength: 3 }), (text, reading, made) => {
        const words = wordsOf(text, reading);
        const { words: count, values } = kernel.features(encode(text), reading, made);
        expect(count).toBe(words.length);
        if (count === 0) return;
        withWords++;
        made.forEach((plan, index) => {
          const preImages = shinglesOf(words, plan.shingleWords, plan.wrap).map(shingleFingerprint);
          expect([...values[index]!]).toEqual(featuresOf(preImages, plan.functions));
        });
      }),
      { numRuns: 60 },
    );
    expect(withWords).toBeGreaterThan(40);
  });

  it("equals plain JavaScript on any bytes", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.uint8Array({ maxLength: 300 }), texts.map(encode)),
        readings,
        plans,
        (bytes, reading, plan) => {
          expect(kernel.features(bytes, reading, [plan])).toEqual(plain.features(bytes, reading, [plan]));
        },
      ),
    );
  });

  it("equals plain JavaScript over several segments, and after its memory was dropped", () => {
    const text = encode(Array.from({ length: 9000 }, (_, i) => `w${(i * i) % 7919}`).join(" "));
    const expected = plain.features(text, "unicode", [PAPER]);
    expect(kernel.features(text, "unicode", [PAPER])).toEqual(expected);
    const large = kernel.features(new Uint8Array(20_000_000).fill(0x61), "unicode", [PAPER]);
    expect(large.words).toBe(1);
    expect(kernel.features(text, "unicode", [PAPER])).toEqual(expected);
  });

  it("fingerprints pieces as defined", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), fc.array(fc.nat(100), { maxLength: 8 }), (bytes, cuts) => {
        const ends = cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b);
        const bounds = Uint32Array.from(ends.flatMap((end, i) => [ends[i - 1] ?? 0, end]));
        const expected = ends.map((end, i) => fingerprint(bytes.slice(ends[i - 1] ?? 0, end)));
        expect([...kernel.fingerprints(bytes, bounds)]).toEqual(expected);
        expect([...plain.fingerprints(bytes, bounds)]).toEqual(expected);
      }),
    );
  });
});

describe.each<[string, Fingerprinter]>([
  ["WebAssembly", kernel],
  ["plain JavaScript", plain],
  ["Rabin", rabin],
])("features by %s", (_, fingerprinter) => {
  const features = (text: string, plan = PAPER, reading: WordReading = "unicode") => {
    const { words, values } = fingerprinter.features(encode(text), reading, [plan]);
    return { words, values: values[0] };
  };

  it("depend on the set of shingles only", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("a", "b", "c", "d"), { minLength: 1, maxLength: 30 }),
        fc.nat(29),
        (words, turn) => {
          // Wrapped round, a text turned about, or written twice, has the same shingles.
          const turned = [...words.slice(turn % words.length), ...words.slice(0, turn % words.length)];
          const { values } = features(words.join(" "));
          expect(features(turned.join("\n")).values).toEqual(values);
          expect(features([...words, ...words].join(" ")).values).toEqual(values);
        },
      ),
      { numRuns: 50 },
    );
  });

  it("wrap where there are fewer words than a shingle", () => {
    const { words, values } = features("one two three");
    expect(words).toBe(3);
    expect(new Set(values).size).toBe(3);
    expect(features("two three one").values).toEqual(values);
    expect(features("three two one").values).not.toEqual(values);
    expect(new Set(features("one").values).size).toBe(1);
    expect(features("one").values).toEqual(features("one one").values);
  });

  it("of no words are none", () => {
    expect(features("").words).toBe(0);
    expect(features(" ... — ").words).toBe(0);
  });

  it("tell words apart by their ends and their case", () => {
    const first = features("ab c d e f").values;
    for (const text of ["a bc d e f", "abc d e f", "Ab c d e f"]) expect(features(text).values).not.toEqual(first);
  });

  it("read CJK and Thai character by character, and ASCII alone if asked to", () => {
    expect(features("日本語カナ").words).toBe(5);
    expect(features("กขค").words).toBe(3);
    expect(features("Ünï-çødé नमस्ते 한국어").words).toBe(4);
    expect(features("Ünï-çødé", PAPER, "ascii").words).toBe(2);
  });

  it("without wrapping, a short text is one shingle", () => {
    const plan: ShinglePlan = { shingleWords: 10, wrap: false, functions: 4 };
    expect(new Set(features("one two three", plan).values).size).toBe(1);
    expect(features("one two three", plan).values).not.toEqual(features("two three one", plan).values);
  });
});

describe("Rabin's fingerprints", () => {
  const T64 = 1n << 64n;
  const times = (a: bigint, b: bigint, p: bigint) => {
    let product = 0n;
    for (let [x, y] = [a, b]; y > 0n; y >>= 1n) {
      if (y & 1n) product ^= x;
      x <<= 1n;
      if (x & T64) x ^= T64 | p;
    }
    return product;
  };
  const power = (exponent: bigint, p: bigint) => {
    let [result, square] = [1n, 2n];
    for (let e = exponent; e > 0n; e >>= 1n) {
      if (e & 1n) result = times(result, square, p);
      square = times(square, square, p);
    }
    return result;
  };

  it("use 85 distinct primitive polynomials", () => {
    // t has order 2^64 - 1 exactly: that the polynomial is irreducible follows.
    const factors = [3n, 5n, 17n, 257n, 641n, 65537n, 6700417n];
    expect(factors.reduce((a, b) => a * b)).toBe(T64 - 1n);
    expect(new Set(rabinPolynomials).size).toBe(85);
    for (const p of rabinPolynomials) {
      expect(power(T64 - 1n, p)).toBe(1n);
      for (const factor of factors) expect(power((T64 - 1n) / factor, p)).not.toBe(1n);
    }
  });

  it("are residues, and features the pre-images with the smallest images x t^64 mod P", () => {
    const residue = (bytes: Uint8Array) =>
      bytes.reduce((f, byte) => times(f, 256n, rabinPolynomials[0]!) ^ BigInt(byte), 1n);
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "bc", "def", "日"), { minLength: 1, maxLength: 12 }), (words) => {
        const preImages = shinglesOf(words, 5, true).map((shingle) => residue(encode(shingle.join(" "))));
        const expected = rabinPolynomials.slice(1).map((p) => {
          const image = (x: bigint) => times(x, power(64n, p), p);
          return preImages.reduce((best, x) => (image(x) < image(best) ? x : best));
        });
        expect([...rabin.features(encode(words.join(" ")), "unicode", [PAPER]).values[0]!]).toEqual(expected);
      }),
      { numRuns: 5 },
    );
  });
});

describe("the table of alphanumerics", () => {
  const classes = characterClasses();
  it("agrees with the engine's Unicode on what both know", () => {
    let differences = 0;
    for (let c = 0; c <= 0x10ffff; c++) {
      if (c >= 0xd800 && c <= 0xdfff) continue;
      const character = String.fromCodePoint(c);
      // A newer or older engine knows other characters.
      if (/\p{Cn}/u.test(character)) continue;
      if (/[\p{L}\p{N}\p{M}]/u.test(character) !== classOf(classes, c) > 0) differences++;
    }
    expect(differences).toBe(0);
  });
  it("makes words of single characters where scripts use no spaces", () => {
    for (const c of "日ひカㄅꀀกກក") expect(classOf(classes, c.codePointAt(0)!)).toBe(2);
    for (const c of "aZ9é한ابд़๑") expect(classOf(classes, c.codePointAt(0)!)).toBe(1);
    for (const c of " -_'。—😀\u00a0") expect(classOf(classes, c.codePointAt(0)!)).toBe(0);
  });
});
