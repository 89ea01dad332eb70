import { HashSlots } from "../tables/hash-slots.js";
import type { UrlBytes } from "./url-bytes.js";

/**
 * Which of the indexed hosts a URL belongs to, found without making a string of its host: the bytes are hashed from the
 * end, so that every "." tells which of the indexed hosts begins after it.
 */
export class HostIndex {
  /** Ids of the hosts that the last URL belongs to: `found[0 .. count)`. */
  readonly found: Int32Array;
  count = 0;
  readonly #slots: HashSlots;
  readonly #names: { readonly bytes: Uint8Array; readonly exact: number; readonly below: number }[] = [];

  /** Host i is "forum.test", or "*.forum.test" for that host and every host below it; ASCII letters in lower case. */
  constructor(hosts: readonly string[]) {
    this.found = new Int32Array(hosts.length);
    const names = new Set(hosts.map((host) => host.replace(/^\*\./, "")));
    this.#slots = HashSlots.ofSize(2 * names.size + 1);
    const ids = new Map(hosts.map((host, id) => [host, id]));
    const encoder = new TextEncoder();
    for (const name of names) {
      const bytes = encoder.encode(name);
      let hash = 0;
      for (let i = bytes.length - 1; i >= 0; i--) hash = addByte(hash, bytes[i]!);
      this.#slots.insert(this.#names.length, hash);
      this.#names.push({ bytes, exact: ids.get(name) ?? -1, below: ids.get(`*.${name}`) ?? -1 });
    }
  }

  /** Fills `found`. */
  find(url: UrlBytes): void {
    this.count = 0;
    url.readAuthority();
    const { bytes, hostStart: start, hostEnd: end } = url;
    let hash = 0;
    for (let i = end - 1; i >= start; i--) {
      hash = addByte(hash, lowerCase(bytes[i]!));
      if (i > start && bytes[i - 1] !== 0x2e) continue;
      const name = this.#lookUp(hash, bytes, i, end);
      if (name === undefined) continue;
      if (name.below >= 0) this.found[this.count++] = name.below;
      if (i === start && name.exact >= 0) this.found[this.count++] = name.exact;
    }
  }

  #lookUp(hash: number, bytes: Uint8Array, start: number, end: number) {
    const slots = this.#slots;
    for (let slot = slots.first(hash); ; slot = slots.next(slot)) {
      const entry = slots.entry(slot);
      if (entry < 0) return undefined;
      if (slots.hash(slot) !== hash) continue;
      const name = this.#names[entry]!;
      if (name.bytes.length === end - start && isSame(name.bytes, bytes, start)) return name;
    }
  }
}

function isSame(lower: Uint8Array, bytes: Uint8Array, start: number): boolean {
  for (let i = 0; i < lower.length; i++) if (lower[i] !== lowerCase(bytes[start + i]!)) return false;
  return true;
}

function addByte(hash: number, byte: number): number {
  return (Math.imul(hash, 31) + byte) | 0;
}

function lowerCase(byte: number): number {
  return byte >= 65 && byte <= 90 ? byte | 0x20 : byte;
}
