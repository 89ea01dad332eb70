import { HashSlots } from "../tables/hash-slots.js";

/**
 * Values by ASCII name, looked up by the bytes in a page: a Map would need a string for each of a page's
 * thousand tags.
 */
export class NameTable<Value> {
  readonly #names: Uint8Array[] = [];
  readonly #values: Value[] = [];
  readonly #slots: HashSlots;
  readonly #foldCase: boolean;

  /** `foldCase`: letter case does not count, and the names are in lower case. */
  constructor(entries: readonly (readonly [name: string, value: Value])[], foldCase: boolean) {
    this.#foldCase = foldCase;
    // A quarter full: a name is found at its first place or next to it.
    this.#slots = HashSlots.ofSize(4 * entries.length);
    for (const [name, value] of entries) {
      const bytes = new TextEncoder().encode(name);
      this.#slots.insert(this.#names.length, this.#hashOf(bytes, 0, bytes.length));
      this.#names.push(bytes);
      this.#values.push(value);
    }
  }

  /** The value of the name text[start .. end). */
  find(text: Uint8Array, start: number, end: number): Value | undefined {
    const slots = this.#slots;
    const hash = this.#hashOf(text, start, end);
    for (let slot = slots.first(hash); ; slot = slots.next(slot)) {
      const entry = slots.entry(slot);
      if (entry < 0) return undefined;
      if (slots.hash(slot) === hash && equals(text, start, end, this.#names[entry]!, this.#foldCase)) {
        return this.#values[entry];
      }
    }
  }

  #hashOf(text: Uint8Array, start: number, end: number): number {
    const foldCase = this.#foldCase;
    let hash = 0;
    for (let i = start; i < end; i++) hash = Math.imul(hash, 33) + (foldCase ? lowerCase(text[i]!) : text[i]!);
    return hash ^ (hash >>> 10);
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
