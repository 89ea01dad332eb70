import { characterClasses } from "./alphanumerics.js";
import type { Fingerprinter } from "./fingerprinter.js";
import { splitWords } from "./words.js";

/**
 * The paper's own functions: Rabin's fingerprints, residues of polynomials over GF(2). The reference for measuring the
 * faster family of fingerprinter.ts, and a family of its own for those who want to follow the paper to the letter.
 */

/**
 * Random primitive polynomials of degree 64: the coefficients of t^63 to t^0, that of t^64 being 1. The first is for
 * fingerprints of bytes, the others are the functions 0 to 83.
 */
const POLYNOMIALS =
  "644be1fa7030a2f7 6376a607e9490819 9f36a6d61be58827 67363d6cda93765f ecc3f4e2aedc58f1 eeeb3a6301fe562d " +
  "71b3d16287dbe60d 39aa296f3cb22095 ea1a4311daee2e2b 5ac8f8e9762d777b 8b0fa940c5a477b7 4fc5072bcb3d7877 " +
  "eab3096092b8e96f c6cb5e7945382add d1d8b9e3cb41ced1 6d9a473f902d974d 0028e0336c6adea7 1632c220c735e861 " +
  "4b743e6f540ac67b 6f59ac347a67e0f9 8b91b97d211df981 089bbb17bad4c66d 8095330055e55701 c4aa1bd440b7f1df " +
  "376f41d3ba4fe7e1 d754df42150db6ef 7ad98dd6d2fb21a3 87bc145f36d994b3 038fe208c8adf31b 0ca71157934417e1 " +
  "a4bd74ddec743b8f cba3d1d89598e4a5 7c35e3b1d4c6663f 8536bbef9ad75c11 7076024c41f32ce5 61358abf89536921 " +
  "7420d258f634a2f9 124abad8edbf8185 d4903d94a5bb6a81 b1d200fefa438a73 47ab6b3be0c4ddb3 c54910ace82e71ff " +
  "45d6a2b610a5d4d5 3b49b38f8656a147 fe3a7e311b2ccc91 97c7f2bae7984db3 7d7266fb349f8373 f4dce0e3d1c1f057 " +
  "bfab0715c1e8aca1 c71c5556f086b223 5e981c755f0f592b 32a4827a3e29ea59 6e3b19225937afa5 fee8b79ab237a23b " +
  "e7ef6f8fae708b93 5444568512c00783 61b85ee86dcbc75d 9486685d111eabef 5fb4ce3860250b87 4b809410a09375e7 " +
  "22d5dbf4add1c9d3 a2889b974618f533 d7a0aee69dd2b6a9 3aa923aa6ae3aceb 49f12043a2f3341d 4ead212338156ee9 " +
  "4525c908834447af 65b6eb667ea1aee3 deb9b3ff8678d603 18519270c6c5bd3d 0808e077eea4518f 9c41d9de4cd6ceaf " +
  "216c74779a7641cd 36236c1137179317 2a4a15c3e5b91a63 12f9c508a236df29 f226b4f75416b1f1 de1a74414da146fb " +
  "116faf77bb35b0e3 871661a62c63a9d5 fec0904193914e47 476ce346e1463cdf d62046df504f13dd b4123a0910bb0b39 " +
  "8f727bc135d2cd45";

export const rabinPolynomials: readonly bigint[] = POLYNOMIALS.split(" ").map((hex) => BigInt(`0x${hex}`));

/** For each of the 8 bytes of a number, the lowest first, and each value of that byte: what it adds to the image. */
interface Table {
  readonly high: Uint32Array;
  readonly low: Uint32Array;
}

/** x -> x t^64 mod P, which is linear: the sum (xor) over the bytes of x. (x mod P itself would be x.) */
function shiftTable(polynomial: bigint): Table {
  const table = { high: new Uint32Array(2048), low: new Uint32Array(2048) };
  const polynomialHigh = Number(polynomial >> 32n);
  const polynomialLow = Number(polynomial & 0xffffffffn);
  // t^(64 + bit) mod P, from bit 0 on: t^64 is P without its first term.
  let high = polynomialHigh;
  let low = polynomialLow;
  for (let bit = 0; bit < 64; bit++) {
    const first = (bit >> 3) << 8;
    const value = 1 << (bit & 7);
    for (let other = 0; other < value; other++) {
      table.high[first + value + other] = table.high[first + other]! ^ high;
      table.low[first + value + other] = table.low[first + other]! ^ low;
    }
    const carry = high >>> 31;
    high = (high << 1) | (low >>> 31);
    low <<= 1;
    if (carry === 1) {
      high ^= polynomialHigh;
      low ^= polynomialLow;
    }
  }
  return table;
}

export function rabinFingerprinter(): Fingerprinter {
  const classes = characterClasses();
  const [bytesTable, ...tables] = rabinPolynomials.map(shiftTable) as [Table, ...Table[]];
  let high = 0;
  let low = 0;

  // Starting from 1, so that leading zeros count.
  const restart = () => {
    high = 0;
    low = 1;
  };
  /** (high, low) t^8 + byte: the first byte, pushed out over t^64, comes back as its residue. */
  const push = (byte: number) => {
    const out = high >>> 24;
    high = ((high << 8) | (low >>> 24)) ^ bytesTable.high[out]!;
    low = ((low << 8) | byte) ^ bytesTable.low[out]!;
  };
  const pushAll = (text: Uint8Array, start: number, end: number) => {
    for (let i = start; i < end; i++) push(text[i] ?? 0);
  };

  return {
    features(text, reading, plans) {
      const bounds: number[] = [];
      splitWords(text, classes, reading, (start, end) => bounds.push(start, end));
      const words = bounds.length / 2;
      if (words === 0) return { words, values: [] };
      const values = plans.map(({ shingleWords, wrap, functions }) => {
        const length = wrap ? shingleWords : Math.min(shingleWords, words);
        const preImages = new BigUint64Array(wrap ? words : words - length + 1);
        for (let first = 0; first < preImages.length; first++) {
          restart();
          for (let i = first; i < first + length; i++) {
            // Words with a space between them.
            if (i > first) push(0x20);
            pushAll(text, bounds[(i % words) * 2]!, bounds[(i % words) * 2 + 1]!);
          }
          preImages[first] = join(high, low);
        }
        return selectFeatures(preImages, tables.slice(0, functions));
      });
      return { words, values };
    },
    fingerprints(text, bounds) {
      const values = new BigUint64Array(bounds.length / 2);
      for (let i = 0; i < values.length; i++) {
        restart();
        pushAll(text, bounds[i * 2]!, bounds[i * 2 + 1]!);
        values[i] = join(high, low);
      }
      return values;
    },
  };
}

/** For each function the pre-image with the smallest image. */
function selectFeatures(preImages: BigUint64Array, tables: readonly Table[]): BigUint64Array {
  const bytes = new Uint8Array(preImages.buffer);
  const values = new BigUint64Array(tables.length);
  tables.forEach((table, index) => {
    let best = -1;
    let bestHigh = 0;
    let bestLow = 0;
    for (let x = 0; x < preImages.length; x++) {
      let high = 0;
      let low = 0;
      for (let byte = 0; byte < 8; byte++) {
        const entry = (byte << 8) | bytes[x * 8 + byte]!;
        high ^= table.high[entry]!;
        low ^= table.low[entry]!;
      }
      high >>>= 0;
      low >>>= 0;
      if (best < 0 || high < bestHigh || (high === bestHigh && low < bestLow)) {
        best = x;
        bestHigh = high;
        bestLow = low;
      }
    }
    values[index] = preImages[best]!;
  });
  return values;
}

function join(high: number, low: number): bigint {
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
}
