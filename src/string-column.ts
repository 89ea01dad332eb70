/** Strings in columns: how they are put together, and how one of them is read. */
import type { StringColumn } from "./model.js";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** In shared memory, so that worker threads can read it. */
export function columnOf(strings: readonly string[]): StringColumn {
  const encoded = strings.map((string) => encoder.encode(string));
  const offsets = new Uint32Array(new SharedArrayBuffer(4 * (strings.length + 1)));
  for (const [i, bytes] of encoded.entries()) offsets[i + 1] = offsets[i]! + bytes.length;
  const bytes = new Uint8Array(new SharedArrayBuffer(Math.max(1, offsets[strings.length]!)));
  for (const [i, string] of encoded.entries()) bytes.set(string, offsets[i]!);
  return { count: strings.length, bytes: bytes.subarray(0, offsets[strings.length]!), offsets };
}

export function stringAt({ bytes, offsets }: StringColumn, i: number): string {
  // TextDecoder refuses shared memory; a copy of one string costs little.
  return decoder.decode(bytes.slice(offsets[i]!, offsets[i + 1]!));
}
