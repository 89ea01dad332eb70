/** Pages with their binary sketches as JSON, and back. */
import type { PageRecord } from "../../model.js";
import { decodeSketch, encodeSketch } from "../../sketch/sketch.js";

type Sketched = Pick<PageRecord, "shingles" | "sketch">;

/** Anything with a page's sketches, in the form that JSON has for what is binary. */
export type AsJson<T extends Sketched> = Omit<T, keyof Sketched> & { shingles?: string; sketch?: string };

export function toJson<T extends Sketched>({ shingles, sketch, ...rest }: T): AsJson<T> {
  return {
    ...rest,
    ...(shingles !== undefined && {
      shingles: Buffer.from(shingles.buffer, shingles.byteOffset, shingles.byteLength).toString("base64"),
    }),
    ...(sketch !== undefined && { sketch: Buffer.from(encodeSketch(sketch)).toString("base64") }),
  };
}

export function fromJson<T extends Sketched>({ shingles, sketch, ...rest }: AsJson<T>): T {
  return {
    ...rest,
    ...(shingles !== undefined && { shingles: asShingles(Buffer.from(shingles, "base64")) }),
    ...(sketch !== undefined && { sketch: decodeSketch(Buffer.from(sketch, "base64")) }),
  } as unknown as T;
}

/** A copy, since eight-byte values must begin at multiples of eight. */
export function asShingles(bytes: Uint8Array): BigUint64Array {
  return new BigUint64Array(Uint8Array.from(bytes).buffer);
}
