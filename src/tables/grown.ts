/** Typed arrays that grow. */

type Growable = Uint8Array | Uint32Array | Int32Array | Float64Array | BigUint64Array;

/** A longer copy of a typed array. */
export function grown<T extends Growable>(array: T, length: number): T {
  const longer = new (array.constructor as new (length: number) => T)(length);
  // Of one type, as T says.
  (longer as Uint8Array).set(array as Uint8Array);
  return longer;
}
