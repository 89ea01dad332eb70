import type { ParameterPlace, StringColumn } from "../../model.js";
import { grown } from "../../tables/grown.js";
import { ByteHash, hashWords } from "../../tables/hashes.js";
import { skipEntityBytes } from "../../url/parameters.js";
import { RangeTable } from "../byte-ranges.js";
import { AMPERSAND, HASH, QUESTION, SEMICOLON, type UrlScanner } from "./scan.js";

/** A name with the URLs that have it. */
export interface NamedUrls {
  readonly id: number;
  /** Ascending. */
  readonly urls: Uint32Array;
}

/**
 * The parameters of a list in one place, URL by URL, each as its name's number and a hash of its text. A URL's hash is
 * folded from those of its parameters, so that the hash of the URL without some of them costs no look at its bytes.
 * Parameters of URL i: rows[i] .. rows[i + 1], in the order of the URL.
 */
export class ParameterTable {
  readonly rows: Uint32Array;
  /** Numbers of names. */
  readonly names: RangeTable;
  nameOf = new Uint32Array(1024);
  #hashOf = new Int32Array(1024);
  /** Of what is before and after the query. */
  readonly #frameHash: Int32Array;
  /** Is there a parameter without a value in URL i? */
  readonly hasEmpty: Uint8Array;
  readonly #bytes: Uint8Array;
  /** By name, all 0 between two uses: made once, since there may be a hundred thousand names and as many uses. */
  readonly #scratch: { readonly count: Uint32Array; readonly lastUrl: Uint32Array };

  constructor(urls: StringColumn, scanner: UrlScanner, place: ParameterPlace) {
    const { bytes } = urls;
    this.#bytes = bytes;
    this.rows = new Uint32Array(urls.count + 1);
    this.names = new RangeTable(bytes);
    this.#frameHash = new Int32Array(urls.count);
    this.hasEmpty = new Uint8Array(urls.count);
    const byteHash = new ByteHash();
    let count = 0;
    for (let i = 0; i < urls.count; i++) {
      if (scanner.open(i)) {
        if (place === "query") scanner.query();
        else scanner.path();
        if (count + scanner.count > this.nameOf.length) this.#grow(count + scanner.count);
        for (let p = 0; p < scanner.count; p++, count++) {
          if (scanner.valueStart[p] === scanner.valueEnd[p]) this.hasEmpty[i] = 1;
          this.nameOf[count] = this.names.intern(scanner.nameStart[p]!, scanner.nameEnd[p]!);
          this.#hashOf[count] = byteHash.of(bytes, scanner.nameStart[p]!, scanner.valueEnd[p]!);
        }
        this.#frameHash[i] = frameHash(
          byteHash,
          bytes,
          scanner.start,
          scanner.queryStart,
          scanner.queryEnd,
          scanner.end,
        );
      } else {
        this.#frameHash[i] = byteHash.of(bytes, scanner.start, scanner.end);
      }
      this.rows[i + 1] = count;
    }
    this.#scratch = { count: new Uint32Array(this.names.count), lastUrl: new Uint32Array(this.names.count) };
  }

  /** Do two parameters of URL i have one name? Not asked of those with more than `atMost`. */
  hasRepeated(i: number, atMost: number): boolean {
    const { nameOf } = this;
    const start = this.rows[i]!;
    const end = this.rows[i + 1]!;
    if (end - start > atMost) return false;
    for (let o = start + 1; o < end; o++) {
      for (let before = start; before < o; before++) if (nameOf[before] === nameOf[o]) return true;
    }
    return false;
  }

  /** What `hashUrl` gives for the text of URL i; only of the table of query parameters. */
  hashOf(i: number): number {
    let hash = this.#frameHash[i]!;
    for (let o = this.rows[i]!; o < this.rows[i + 1]!; o++) hash = hashWords(hash, this.#hashOf[o]!);
    return hash;
  }

  /** What `hashUrl` gives for the text of URL i without the parameters of these few names. */
  hashWithout(ids: readonly number[]): (i: number) => number {
    const { rows, nameOf } = this;
    const hashOf = this.#hashOf;
    const frames = this.#frameHash;
    const [only] = ids;
    const isDropped = ids.length === 1 ? (id: number) => id === only : (id: number) => ids.includes(id);
    return (i) => {
      let hash = frames[i]!;
      const end = rows[i + 1]!;
      for (let o = rows[i]!; o < end; o++) if (!isDropped(nameOf[o]!)) hash = hashWords(hash, hashOf[o]!);
      return hash;
    };
  }

  nameBytes(id: number): Uint8Array {
    return this.#bytes.subarray(this.names.starts[id]!, this.names.ends[id]!);
  }

  /** The names that at least `atLeast` URLs (of these, if any are given) have; "" is not a name. */
  popularNames(atLeast: number, among?: Uint32Array): NamedUrls[] {
    const { starts, ends } = this.names;
    const seen: number[] = [];
    const count = this.#scratch.count;
    this.#visit(among, (id) => {
      if (count[id] === 0) seen.push(id);
      count[id] = count[id]! + 1;
    });
    const popular: NamedUrls[] = [];
    for (const id of seen) {
      // From here on the place in `popular`, one more; 0 where it is not there.
      const urls = count[id]!;
      count[id] = urls >= atLeast && ends[id]! > starts[id]! ? popular.push({ id, urls: new Uint32Array(urls) }) : 0;
    }
    const filled = new Uint32Array(popular.length);
    this.#visit(among, (id, url) => {
      const n = count[id]! - 1;
      if (n < 0) return;
      popular[n]!.urls[filled[n]!] = url;
      filled[n] = filled[n]! + 1;
    });
    for (const id of seen) count[id] = 0;
    return popular;
  }

  /** Every name of every URL, once. */
  #visit(among: Uint32Array | undefined, see: (id: number, url: number) => void): void {
    const { rows, nameOf } = this;
    const { lastUrl } = this.#scratch;
    const urlCount = among?.length ?? rows.length - 1;
    for (let a = 0; a < urlCount; a++) {
      const url = among === undefined ? a : among[a]!;
      const end = rows[url + 1]!;
      for (let o = rows[url]!; o < end; o++) {
        const id = nameOf[o]!;
        if (lastUrl[id] === url + 1) continue;
        lastUrl[id] = url + 1;
        see(id, url);
      }
    }
    // A URL that is the last to have a name may be the first to have it in the next visit.
    for (let a = 0; a < urlCount; a++) {
      const url = among === undefined ? a : among[a]!;
      for (let o = rows[url]!; o < rows[url + 1]!; o++) lastUrl[nameOf[o]!] = 0;
    }
  }

  #grow(atLeast: number): void {
    const length = Math.max(atLeast, 2 * this.nameOf.length);
    this.nameOf = grown(this.nameOf, length);
    this.#hashOf = grown(this.#hashOf, length);
  }
}

/** The hash of a URL from its bytes: of what is around the query, and of each parameter without its separator. */
export function hashUrl(byteHash: ByteHash, bytes: Uint8Array, start: number, end: number): number {
  let queryStart = start;
  while (queryStart < end && bytes[queryStart] !== QUESTION && bytes[queryStart] !== HASH) queryStart++;
  let queryEnd = queryStart;
  if (bytes[queryStart] === QUESTION) while (queryEnd < end && bytes[queryEnd] !== HASH) queryEnd++;
  let hash = frameHash(byteHash, bytes, start, queryStart, queryEnd, end);
  if (queryStart === queryEnd) return hash;
  for (let from = queryStart + 1, at = skipEntityBytes(bytes, from, queryEnd); ; at++) {
    if (at < queryEnd && bytes[at] !== AMPERSAND && bytes[at] !== SEMICOLON) continue;
    hash = hashWords(hash, byteHash.of(bytes, from, at));
    if (at >= queryEnd) return hash;
    from = at + 1;
    at = skipEntityBytes(bytes, from, queryEnd) - 1;
  }
}

function frameHash(
  byteHash: ByteHash,
  bytes: Uint8Array,
  start: number,
  queryStart: number,
  queryEnd: number,
  end: number,
): number {
  const before = byteHash.of(bytes, start, queryStart);
  return queryEnd === end ? before : hashWords(before, ~byteHash.of(bytes, queryEnd, end));
}
