/** Strings in columns: how they are put together, and how one of them is read. */
import type { StringColumn } from "./model.js";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** In shared memory, so that worker threads can read it. */
export function columnOf(strings: readonly string[]): StringColumn {
  return asciiColumn(strings) ?? anyColumn(strings);
}

/** All strings encoded at once, if each character is one byte; undefined if some are longer. */
function asciiColumn(strings: readonly string[]): StringColumn | undefined {
  const offsets = new Uint32Array(new SharedArrayBuffer(4 * (strings.length + 1)));
  for (let i = 0; i < strings.length; i++) offsets[i + 1] = offsets[i]! + strings[i]!.length;
  const length = offsets[strings.length]!;
  const bytes = new Uint8Array(new SharedArrayBuffer(Math.max(1, length)));
  for (let from = 0; from < strings.length; from += STRINGS_AT_ONCE) {
    const to = Math.min(strings.length, from + STRINGS_AT_ONCE);
    const some = encoder.encode(strings.slice(from, to).join(""));
    if (some.length !== offsets[to]! - offsets[from]!) return undefined;
    bytes.set(some, offsets[from]);
  }
  return { count: strings.length, bytes: bytes.subarray(0, length), offsets };
}

/** A joined string cannot be longer than 512 MB. */
const STRINGS_AT_ONCE = 10_000;

function anyColumn(strings: readonly string[]): StringColumn {
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

/** All strings in order: many are decoded at once if each character is one byte. */
export function* stringsOf(column: StringColumn): Generator<string> {
  const { count, bytes, offsets } = column;
  for (let from = 0; from < count; from += STRINGS_AT_ONCE) {
    const to = Math.min(count, from + STRINGS_AT_ONCE);
    const start = offsets[from]!;
    const text = decoder.decode(bytes.slice(start, offsets[to]!));
    const isAscii = text.length === offsets[to]! - start;
    for (let i = from; i < to; i++) {
      yield isAscii ? text.slice(offsets[i]! - start, offsets[i + 1]! - start) : stringAt(column, i);
    }
  }
}
