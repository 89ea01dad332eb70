/** Typed arrays that grow. */

type Growable = Uint8Array | Uint32Array | Int32Array | Float64Array;

/** A longer copy of a typed array. */
export function grown<T extends Growable>(array: T, length: number): T {
  const longer = new (array.constructor as new (length: number) => T)(length);
  longer.set(array);
  return longer;
}
