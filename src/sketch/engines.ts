import type { Engine } from "./engine.js";
import { wasmEngine } from "./kernel.js";
import { plainEngine } from "./plain.js";
import { rabinEngine } from "./rabin.js";

/** The families of one-to-one functions: the fast one of engine.ts, and the paper's. */
export type Family = "affine" | "rabin";

const engines = new Map<Family, Engine>();

/** The engine of a family, made when first asked for. */
export function engineOf(family: Family): Engine {
  let engine = engines.get(family);
  if (engine === undefined) {
    engine = family === "rabin" ? rabinEngine() : (wasmEngine() ?? plainEngine());
    engines.set(family, engine);
  }
  return engine;
}
