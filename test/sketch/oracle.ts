/** Definitions of the sketches as they are written, with BigInt, strings and sets: slow and obvious. */
import { mixFactors, multipliers, SHINGLE_FACTOR, TEXT_FACTOR } from "#src/sketch/fingerprinter.js";

const MASK = (1n << 64n) - 1n;
const WORDS = {
  unicode:
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{N}\p{M}])+/gu,
  ascii: /[0-9A-Za-z]+/g,
};

/** Right for the scripts that the tests use. */
export function wordsOf(text: string, reading: "unicode" | "ascii" = "unicode"): string[] {
  return text.match(WORDS[reading]) ?? [];
}

export function shinglesOf(words: readonly string[], length: number, wrap: boolean): string[][] {
  if (words.length === 0) return [];
  const own = wrap ? length : Math.min(length, words.length);
  const count = wrap ? words.length : words.length - own + 1;
  return Array.from({ length: count }, (_, start) =>
    Array.from({ length: own }, (_, i) => words[(start + i) % words.length]!),
  );
}

const mix = (value: bigint): bigint => {
  let h = value;
  h = ((h ^ (h >> 33n)) * mixFactors[0]) & MASK;
  h = ((h ^ (h >> 33n)) * mixFactors[1]) & MASK;
  return h ^ (h >> 33n);
};

export function fingerprint(bytes: Uint8Array): bigint {
  let h = BigInt(bytes.length);
  for (let at = 0; at < bytes.length; at += 8) {
    let number = 0n;
    for (let i = Math.min(at + 8, bytes.length) - 1; i >= at; i--) number = (number << 8n) | BigInt(bytes[i]!);
    h = ((h ^ number) * TEXT_FACTOR) & MASK;
    h ^= h >> 32n;
  }
  return mix(h);
}

export function shingleFingerprint(words: readonly string[]): bigint {
  const encoder = new TextEncoder();
  return mix(words.reduce((sum, word) => (sum * SHINGLE_FACTOR + fingerprint(encoder.encode(word))) & MASK, 0n));
}

/** The pre-image with the smallest image, for each of the functions. */
export function featuresOf(preImages: readonly bigint[], functions: number): bigint[] {
  return Array.from({ length: functions }, (_, i) => {
    const image = (x: bigint) => {
      const low = x & 0xffffffffn;
      return ((((x >> 32n) + low * BigInt(multipliers[i]!)) & 0xffffffffn) << 32n) | low;
    };
    return preImages.reduce((best, x) => (image(x) < image(best) ? x : best));
  });
}

/** The share of distinct shingles that two texts have in common. */
export function trueResemblance(a: string, b: string, length = 5): number {
  const [inA, inB] = [a, b].map((text) => new Set(shinglesOf(wordsOf(text), length, true).map(String)));
  const common = [...inA!].filter((shingle) => inB!.has(shingle)).length;
  return common / (inA!.size + inB!.size - common);
}
