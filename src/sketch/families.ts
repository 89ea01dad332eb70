import type { Fingerprinter } from "./fingerprinter.js";
import { wasmFingerprinter } from "./kernel.js";
import { plainFingerprinter } from "./plain.js";
import { rabinFingerprinter } from "./rabin.js";

/** The families of one-to-one functions: the fast one of fingerprinter.ts, and the paper's. */
export type Family = "affine" | "rabin";

const fingerprinters = new Map<Family, Fingerprinter>();

/** The fingerprinter of a family, made when first asked for. */
export function fingerprinterOf(family: Family): Fingerprinter {
  let fingerprinter = fingerprinters.get(family);
  if (fingerprinter === undefined) {
    fingerprinter = family === "rabin" ? rabinFingerprinter() : (wasmFingerprinter() ?? plainFingerprinter());
    fingerprinters.set(family, fingerprinter);
  }
  return fingerprinter;
}
