/** The fingerprinter in WebAssembly: its loops are AssemblyScript (assembly/). */
import { compileIfPossible, instantiate, type Variable, WASM_PAGE_BYTES } from "../wasm/module.js";
import { characterClasses } from "./alphanumerics.js";
import { SEGMENT_SHINGLES } from "./constants.js";
import { type Features, type Fingerprinter, multipliers, type ShinglePlan, type WordReading } from "./fingerprinter.js";
import { sketchCode } from "./kernel-code.js";

/** The functions of assembly/sketch.ts, and the addresses of its arrays. */
interface KernelExports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  words(start: number, end: number, out: number, isAscii: number): number;
  fingerprints(text: number, bounds: number, count: number, out: number): void;
  addSegment(words: number, count: number, length: number, functions: number): void;
  readonly pageOf: Variable;
  readonly pages: Variable;
  readonly multipliers: Variable;
  readonly minima: Variable;
  readonly features: Variable;
  readonly text: Variable;
}

/** Memory of a WebAssembly instance never shrinks: after a text that needed more than this, the instance is dropped. */
const KEPT_BYTES = 64 << 20;

/** Undefined where there is no WebAssembly, or it lacks SIMD. */
export function wasmFingerprinter(): Fingerprinter | undefined {
  const module = compileIfPossible(sketchCode);
  if (module === undefined) return undefined;
  const start = () => new Kernel(instantiate<KernelExports>(module));
  let kernel = start();
  const run = <T>(work: (kernel: Kernel) => T): T => {
    const result = work(kernel);
    if (kernel.bytes > KEPT_BYTES) kernel = start();
    return result;
  };
  return {
    features: (text, reading, plans) => run((kernel) => kernel.features(text, reading, plans)),
    fingerprints: (text, bounds) => run((kernel) => kernel.fingerprints(text, bounds)),
  };
}

class Kernel {
  readonly #code: KernelExports;

  constructor(code: KernelExports) {
    this.#code = code;
    const memory = new Uint8Array(code.memory.buffer);
    const { pageOf, pages } = characterClasses();
    memory.set(pageOf, code.pageOf.value);
    memory.set(pages, code.pages.value);
    memory.set(new Uint8Array(multipliers.slice().buffer), code.multipliers.value);
  }

  get bytes(): number {
    return this.#code.memory.buffer.byteLength;
  }

  features(text: Uint8Array, reading: WordReading, plans: readonly ShinglePlan[]): Features {
    // At most every second byte starts a word, and the first words are needed again where shingles wrap round.
    const spareWords = Math.max(...plans.map((plan) => plan.shingleWords));
    const at = this.#putText(text, ((text.length >> 1) + 1 + spareWords) * 8);
    const start = this.#code.text.value;
    const end = this.#code.words(start, start + text.length, at, reading === "ascii" ? 1 : 0);
    const words = (end - at) / 8;
    if (words === 0) return { words, values: [] };
    const fingerprints = new BigUint64Array(this.#code.memory.buffer, at, words + spareWords);
    // One after the other, so that a text shorter than a shingle goes round several times.
    for (let i = 0; i < spareWords; i++) fingerprints[words + i] = fingerprints[i]!;
    return { words, values: plans.map((plan) => this.#selectFeatures(at, words, plan)) };
  }

  /** The features of the text whose words' fingerprints are at `at`. */
  #selectFeatures(at: number, words: number, { shingleWords, wrap, functions }: ShinglePlan): BigUint64Array {
    const code = this.#code;
    const length = wrap ? shingleWords : Math.min(shingleWords, words);
    const shingles = wrap ? words : words - length + 1;
    new Uint32Array(code.memory.buffer, code.minima.value, functions).fill(0xffffffff);
    const features = new BigUint64Array(code.memory.buffer, code.features.value, functions).fill(-1n);
    for (let first = 0; first < shingles; first += SEGMENT_SHINGLES) {
      const count = Math.min(SEGMENT_SHINGLES, shingles - first);
      code.addSegment(at + first * 8, count, length, functions);
    }
    return features.slice();
  }

  fingerprints(text: Uint8Array, bounds: Uint32Array): BigUint64Array {
    const count = bounds.length / 2;
    const out = this.#putText(text, count * 16);
    const { buffer } = this.#code.memory;
    const boundsAt = out + count * 8;
    new Uint32Array(buffer, boundsAt, bounds.length).set(bounds);
    this.#code.fingerprints(this.#code.text.value, boundsAt, count, out);
    return new BigUint64Array(buffer, out, count).slice();
  }

  /** Copies the text in, with zeros after it, and makes room for `extraBytes`; returns where that room is. */
  #putText(text: Uint8Array, extraBytes: number): number {
    const { memory } = this.#code;
    const start = this.#code.text.value;
    // The code reads up to 16 bytes past the text's end, and aligned numbers are faster.
    const after = (start + text.length + 16 + 7) & ~7;
    const missing = after + extraBytes + 8 - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / WASM_PAGE_BYTES));
    const bytes = new Uint8Array(memory.buffer);
    bytes.set(text, start);
    bytes.fill(0, start + text.length, after);
    return after;
  }
}
