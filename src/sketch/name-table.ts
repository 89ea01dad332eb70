/**
 * Values by ASCII name, looked up by bytes where they stand in a page: a Map would need a string made for each of a
 * page's thousand tags.
 */
export class NameTable<Value> {
  readonly #names: (Uint8Array | undefined)[];
  readonly #values: (Value | undefined)[];

  readonly #foldCase: boolean;

  /** `foldCase`: letter case does not count, and the names are in lower case. */
  constructor(entries: readonly (readonly [name: string, value: Value])[], foldCase: boolean) {
    this.#foldCase = foldCase;
    // A quarter full: a name is found at its first place or next to it.
    const slots = 4 << Math.ceil(Math.log2(entries.length));
    this.#names = new Array<Uint8Array | undefined>(slots).fill(undefined);
    this.#values = new Array<Value | undefined>(slots).fill(undefined);
    for (const [name, value] of entries) {
      const bytes = new TextEncoder().encode(name);
      const slot = this.#findSlot(bytes, 0, bytes.length);
      this.#names[slot] = bytes;
      this.#values[slot] = value;
    }
  }

  /** The value of the name text[start .. end). */
  find(text: Uint8Array, start: number, end: number): Value | undefined {
    return this.#values[this.#findSlot(text, start, end)];
  }

  /** Where the name is, or would be. */
  #findSlot(text: Uint8Array, start: number, end: number): number {
    const names = this.#names;
    const foldCase = this.#foldCase;
    let hash = 0;
    for (let i = start; i < end; i++) hash = Math.imul(hash, 33) + (foldCase ? lowerCase(text[i]!) : text[i]!);
    let slot = (hash ^ (hash >>> 10)) & (names.length - 1);
    for (;;) {
      const name = names[slot];
      if (name === undefined || equals(text, start, end, name, foldCase)) return slot;
      slot = (slot + 1) & (names.length - 1);
    }
  }
}

/** Whether text[start .. end) is the name; with foldCase, in any letter case. */
export function equals(text: Uint8Array, start: number, end: number, name: Uint8Array, foldCase: boolean): boolean {
  if (end - start !== name.length) return false;
  for (let i = 0; i < name.length; i++) {
    const byte = text[start + i]!;
    if ((foldCase ? lowerCase(byte) : byte) !== name[i]) return false;
  }
  return true;
}

function lowerCase(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte;
}
