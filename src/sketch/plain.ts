import { characterClasses } from "./alphanumerics.js";
import {
  type Fingerprinter,
  mixFactors,
  multipliers,
  SHINGLE_FACTOR,
  type ShinglePlan,
  TEXT_FACTOR,
} from "./fingerprinter.js";
import { splitWords } from "./words.js";

/**
 * The fingerprinter without WebAssembly: it runs where there is no WebAssembly, and the kernel is tested against it.
 * 64-bit numbers are pairs of 32-bit halves, since BigInt would be ten times slower.
 */
export function plainFingerprinter(): Fingerprinter {
  const classes = characterClasses();
  return {
    features(text, reading, plans) {
      const words = new WordFingerprints();
      splitWords(text, classes, reading, (start, end) => {
        fingerprint(text, start, end);
        words.push(productHigh, productLow);
      });
      if (words.count === 0) return { words: 0, values: [] };
      const values = plans.map((plan) => selectFeatures(shinglesOf(words, plan), plan.functions));
      return { words: words.count, values };
    },
    fingerprints(text, bounds) {
      const values = new BigUint64Array(bounds.length / 2);
      for (let i = 0; i < values.length; i++) {
        fingerprint(text, bounds[i * 2]!, bounds[i * 2 + 1]!);
        values[i] = join(productHigh, productLow);
      }
      return values;
    },
  };
}

class WordFingerprints {
  high: number[] = [];
  low: number[] = [];
  get count(): number {
    return this.high.length;
  }
  push(high: number, low: number): void {
    this.high.push(high);
    this.low.push(low);
  }
}

// -------------------------------------------------------------------------------------------------------- shingles

interface Shingles {
  readonly high: Uint32Array;
  readonly low: Uint32Array;
}

const [FACTOR_HIGH, FACTOR_LOW] = halves(SHINGLE_FACTOR);

function shinglesOf(words: WordFingerprints, plan: ShinglePlan): Shingles {
  const length = plan.wrap ? plan.shingleWords : Math.min(plan.shingleWords, words.count);
  const count = plan.wrap ? words.count : words.count - length + 1;
  const shingles = { high: new Uint32Array(count), low: new Uint32Array(count) };
  for (let start = 0; start < count; start++) {
    let high = 0;
    let low = 0;
    for (let i = start; i < start + length; i++) {
      multiply(high, low, FACTOR_HIGH, FACTOR_LOW);
      const word = i % words.count;
      const sum = productLow + words.low[word]!;
      low = sum >>> 0;
      high = (productHigh + words.high[word]! + (sum > 0xffffffff ? 1 : 0)) >>> 0;
    }
    mix(high, low);
    shingles.high[start] = productHigh;
    shingles.low[start] = productLow;
  }
  return shingles;
}

/** For each function the pre-image with the smallest image. */
function selectFeatures({ high, low }: Shingles, functions: number): BigUint64Array {
  const values = new BigUint64Array(functions);
  for (let i = 0; i < values.length; i++) {
    const multiplier = multipliers[i]!;
    let best = 0;
    let bestImage = (high[0]! + Math.imul(low[0]!, multiplier)) >>> 0;
    for (let x = 1; x < high.length; x++) {
      const image = (high[x]! + Math.imul(low[x]!, multiplier)) >>> 0;
      if (image > bestImage) continue;
      // The image's low half is the pre-image's.
      if (image === bestImage && low[x]! >= low[best]!) continue;
      best = x;
      bestImage = image;
    }
    values[i] = join(high[best]!, low[best]!);
  }
  return values;
}

// ----------------------------------------------------------------------------------------------- 64-bit arithmetic

const [TEXT_HIGH, TEXT_LOW] = halves(TEXT_FACTOR);
const [[MIX_1_HIGH, MIX_1_LOW], [MIX_2_HIGH, MIX_2_LOW]] = [halves(mixFactors[0]), halves(mixFactors[1])];

/** The fingerprint of bytes[start .. end), as fingerprinter.ts defines it; bytes past the array's end are zeros. */
function fingerprint(bytes: Uint8Array, start: number, end: number): void {
  let high = 0;
  let low = end - start;
  for (let at = start; at < end; at += 8) {
    multiply(high ^ word(bytes, at + 4, end), low ^ word(bytes, at, end), TEXT_HIGH, TEXT_LOW);
    high = productHigh;
    low = (productLow ^ productHigh) >>> 0;
  }
  mix(high, low);
}

/** Four bytes as a little-endian number; bytes from `end` on count as zeros. */
function word(bytes: Uint8Array, at: number, end: number): number {
  let value = 0;
  for (let i = Math.min(at + 4, end) - 1; i >= at; i--) value = (value << 8) | (bytes[i] ?? 0);
  return value >>> 0;
}

/** Where multiply, mix and fingerprint leave their result: two numbers returned in an object would double the time. */
let productHigh = 0;
let productLow = 0;

function multiply(aHigh: number, aLow: number, bHigh: number, bLow: number): void {
  const a0 = aLow & 0xffff;
  const a1 = aLow >>> 16;
  const b0 = bLow & 0xffff;
  const b1 = bLow >>> 16;
  const lowest = a0 * b0;
  const middle = a1 * b0 + (lowest >>> 16);
  const other = a0 * b1 + (middle & 0xffff);
  const upper = a1 * b1 + Math.floor(middle / 0x10000) + Math.floor(other / 0x10000);
  productHigh = (upper + Math.imul(aHigh, bLow) + Math.imul(aLow, bHigh)) >>> 0;
  productLow = Math.imul(aLow, bLow) >>> 0;
}

function mix(high: number, low: number): void {
  multiply(high, (low ^ (high >>> 1)) >>> 0, MIX_1_HIGH, MIX_1_LOW);
  multiply(productHigh, (productLow ^ (productHigh >>> 1)) >>> 0, MIX_2_HIGH, MIX_2_LOW);
  productLow = (productLow ^ (productHigh >>> 1)) >>> 0;
}

function halves(value: bigint): [high: number, low: number] {
  return [Number(value >> 32n), Number(value & 0xffffffffn)];
}

function join(high: number, low: number): bigint {
  return (BigInt(high) << 32n) | BigInt(low);
}
