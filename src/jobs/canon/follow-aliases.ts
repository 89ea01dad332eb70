/** Aliases of canonical URLs that are known by their bytes and hashes: no string is made of most of them. */
import { AliasTable, NUMBERS_OF_PAIR } from "../../canon/aliases.js";
import type { Canonizer } from "../../canon/compile.js";

/** Of a pair: nothing is known yet; its target is copied as it is; or the canonizer is asked. */
const UNKNOWN = 0;
const PLAIN = 1;
const ASKED = 2;

export class AliasFollower {
  readonly #canon: Canonizer;
  readonly #table: AliasTable;
  readonly #known: Uint8Array;

  /** Undefined where the canonizer has no aliases. */
  static of(canon: Canonizer): AliasFollower | undefined {
    const { aliases } = canon.recipe;
    return aliases === undefined ? undefined : new AliasFollower(canon, new AliasTable(aliases));
  }

  private constructor(canon: Canonizer, table: AliasTable) {
    this.#canon = canon;
    this.#table = table;
    this.#known = new Uint8Array(table.parts.count);
  }

  /** Where the alias leads whose source is the canonical URL in bytes[start .. end), ASCII and of that hash; undefined where it is none. */
  follow(bytes: Buffer, start: number, end: number, hash: number): Uint8Array | undefined {
    const pair = this.#table.find(bytes, start, end, hash | 0);
    if (pair < 0) return undefined;
    const { bytes: own, places } = this.#table.parts;
    const from = places[NUMBERS_OF_PAIR * pair + 1]! + 1;
    const to = places[NUMBERS_OF_PAIR * pair + 2]!;
    if (this.#known[pair] === UNKNOWN) this.#known[pair] = this.#isPlain(own, from, to) ? PLAIN : ASKED;
    if (this.#known[pair] === PLAIN) return own.subarray(from, to);
    const url = bytes.toString("latin1", start, end);
    const target = this.#canon(url);
    return target === url ? undefined : Buffer.from(target);
  }

  /** Is this the same as UTF-8 and as text, and does no rule and no alias lead on from it? */
  #isPlain(bytes: Uint8Array, start: number, end: number): boolean {
    for (let at = start; at < end; at++) if (bytes[at]! >= 0x80) return false;
    return !this.#canon.mayChange(bytes, start, end);
  }
}
