/** Bits by number, in 32-bit words: what filters over hashes are made of. */

export function hasBit(words: Uint32Array, bit: number): boolean {
  return ((words[bit >>> 5]! >>> (bit & 31)) & 1) === 1;
}

export function setBit(words: Uint32Array, bit: number): void {
  words[bit >>> 5]! |= 1 << (bit & 31);
}
