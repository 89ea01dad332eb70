/** Four bytes at a time over byte buffers: the cost of hashing, comparing and searching log lines is per load. */

/** The byte four times, for wordHas. */
export function wordOf(byte: number): number {
  return Math.imul(byte, 0x01010101);
}

/**
 * Not 0 if the word has the byte that `four` repeats. Its lowest set bit gives the first place; higher ones may be
 * wrong.
 */
export function wordHas(word: number, four: number): number {
  const x = word ^ four;
  return (x - 0x01010101) & ~x & 0x80808080;
}

/** Index of the first byte that wordHas found in a little-endian word. */
export function firstPlace(places: number): number {
  return (31 - Math.clz32(places & -places)) >> 3;
}
