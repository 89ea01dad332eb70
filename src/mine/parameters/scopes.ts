import { isOneHost } from "../../canon/scope.js";
import type { Scope } from "../../model.js";
import { equalBytes, RangeTable } from "../byte-ranges.js";
import type { Buckets } from "./buckets.js";
import { SEMICOLON, SLASH, type UrlScanner } from "./scan.js";

/** Is this URL in the scope? As rules/scope says it for a scope that `findScopes` made. The scanner is left open at the URL. */
export function isInScope(scanner: UrlScanner, i: number, scope: EncodedScope): boolean {
  if (!scanner.open(i)) return false;
  const { bytes, pathStart, pathEnd } = scanner;
  const { host, path, script } = scope;
  if (host !== undefined) {
    scanner.host();
    if (!isText(bytes, scanner.hostStart, scanner.hostEnd, host)) return false;
  }
  if (path !== undefined && !isText(bytes, pathStart, Math.min(pathEnd, pathStart + path.length), path)) return false;
  return script === undefined || isText(bytes, scriptStart(scanner), scriptEnd(scanner), script);
}

/** A mined scope as bytes: its host is one host, never a pattern. */
export interface EncodedScope {
  readonly host: Uint8Array | undefined;
  readonly path: Uint8Array | undefined;
  readonly script: Uint8Array | undefined;
}

export function encodeScope(scope: Scope): EncodedScope {
  const encode = (text: string | undefined) => (text === undefined ? undefined : new TextEncoder().encode(text));
  return { host: encode(scope.host), path: encode(scope.path), script: encode(scope.script) };
}

function isText(bytes: Uint8Array, start: number, end: number, text: Uint8Array): boolean {
  return equalBytes(bytes, start, end, text, 0, text.length);
}

/** What the buckets of a rule, or those of one place, add up to. */
export interface Tally {
  readonly support: number;
  readonly confirmed: number;
  readonly unlikely: number;
}

/** The share of known comparisons that may disagree where a scope is called clear: the papers' ε. */
const TOLERANCE = 0.05;

/** Prefixes of more directories than this are not told apart. */
const MAX_DEPTH = 8;

/**
 * Where a rule is likely: everywhere ([{}]), nowhere ([]), or in the few places where the parameter does not matter.
 *
 * Everywhere, if most URLs are likely similar and hardly any is known not to be. Otherwise the places are looked for that
 * are clear by themselves, each with support of its own: the broadest path prefixes, scripts or hosts, whichever say
 * most of what is confirmed. Where most URLs are similar and no such partition holds most of what is confirmed, the
 * disagreements are spread out (pages that change, weak sizes), and the rule stays whole.
 */
export function findScopes(buckets: Buckets, scanner: UrlScanner, minSupport: number): Scope[] {
  const total = tallyAll(buckets);
  if (total.support < minSupport) return [];
  const isLikely = holds(total, minSupport);
  if (isLikely && isClear(total)) return [{}];
  const partition = bestPartition(buckets, scanner, Math.max(minSupport, TOLERANCE * total.support), minSupport);
  if (!isLikely || partition.confirmed > total.confirmed / 2) return partition.scopes;
  return [{}];
}

export function tallyAll(buckets: Buckets): Tally {
  const { count, support, confirmed } = buckets;
  const unlikely = unlikelyOf(buckets);
  const total = { support: 0, confirmed: 0, unlikely: 0 };
  for (let b = 0; b < count; b++) {
    total.support += support[b]!;
    total.confirmed += confirmed[b]!;
    total.unlikely += unlikely[b]!;
  }
  return total;
}

/**
 * The column of URLs that speak against the rule. A size that is only near the reference's does not, where nearness tells
 * something: most URLs are near their reference or better, they are spread over buckets (the profiles of all members are
 * one bucket, alike and yet not the same), and hardly any is nearer to a stranger from another bucket.
 */
function unlikelyOf({ count, confirmed, unlikely, near, nearer, farther }: Buckets): Uint32Array {
  let known = 0;
  let alike = 0;
  let allNear = 0;
  let mostNear = 0;
  for (let b = 0; b < count; b++) {
    known += confirmed[b]! + unlikely[b]!;
    alike += confirmed[b]! + near[b]!;
    allNear += near[b]!;
    mostNear = Math.max(mostNear, near[b]!);
  }
  const isTelling =
    2 * alike > known && MIN_SPREAD * mostNear <= allNear && nearer >= NEARER_FOR_EACH_FARTHER * Math.max(1, farther);
  return isTelling ? unlikely.map((count, b) => count - near[b]!) : unlikely;
}

/**
 * Does a rule look like one whatever the sizes say: many buckets, none of which has most of what is merged? A session id is on
 * many pages, a few times on each; a page's own number is on few, many times.
 */
export function isSpread({ count, support }: Buckets): boolean {
  let total = 0;
  let most = 0;
  for (const merged of support) {
    total += merged;
    most = Math.max(most, merged);
  }
  return count >= MIN_SPREAD && MIN_SPREAD * most <= total;
}

/** By chance it would be 1. On real logs sessions, sort orders and the like had 5 and more, identifiers 4 at most. */
const NEARER_FOR_EACH_FARTHER = 5;

/** One bucket may hold a fifth of what is near, or of what is merged. */
const MIN_SPREAD = 5;

/**
 * Most URLs are likely similar; and where enough is known to speak against the rule (as much as it takes to propose
 * one), most of what is known speaks for it: a log with many 304s would else drown what its sizes say.
 */
export function holds({ support, confirmed, unlikely }: Tally, minSupport: number): boolean {
  return 2 * unlikely < support && (unlikely < minSupport || confirmed > unlikely);
}

export function isClear({ confirmed, unlikely }: Tally): boolean {
  return unlikely <= TOLERANCE * (confirmed + unlikely);
}

/** Columns of the buckets, after `unlikelyOf`. */
type Columns = Pick<Buckets, "count" | "location" | "support" | "confirmed" | "unlikely">;

interface Partition {
  readonly scopes: Scope[];
  readonly confirmed: number;
}

/** The partition that confirms most; then the one with fewer scopes, then with fewer fields, then as listed here. */
function bestPartition(buckets: Buckets, scanner: UrlScanner, atLeast: number, minSupport: number): Partition {
  const qualifies = (tally: Tally) => tally.support >= atLeast && tally.confirmed >= minSupport && isClear(tally);
  const columns = { ...buckets, unlikely: unlikelyOf(buckets) };
  const partitions = [byHost, byPath, byScript].map((view) => view(columns, scanner, qualifies));
  const fields = (partition: Partition) => partition.scopes.reduce((sum, scope) => sum + Object.keys(scope).length, 0);
  partitions.sort((a, b) => b.confirmed - a.confirmed || a.scopes.length - b.scopes.length || fields(a) - fields(b));
  return partitions[0]!;
}

type View = (buckets: Columns, scanner: UrlScanner, qualifies: (tally: Tally) => boolean) => Partition;

const byHost: View = (buckets, scanner, qualifies) => {
  const places = new Places(scanner.bytes);
  for (let b = 0; b < buckets.count; b++) {
    scanner.open(buckets.location[b]!);
    scanner.host();
    if (scanner.hostEnd > scanner.hostStart)
      places.add(places.place(scanner.hostStart, scanner.hostEnd, -1), buckets, b);
  }
  return places.partition(qualifies, (host) => ({ host }), isOneHost);
};

const byScript: View = (buckets, scanner, qualifies) => {
  const places = new Places(scanner.bytes);
  for (let b = 0; b < buckets.count; b++) {
    scanner.open(buckets.location[b]!);
    const start = scriptStart(scanner);
    const end = scriptEnd(scanner);
    if (end > start) places.add(places.place(start, end, -1), buckets, b);
  }
  return places.partition(qualifies, (script) => ({ script }));
};

/**
 * Directories, and below the last one the script in it. A prefix ends where a path parameter begins. "/" is not a place: it
 * admits every URL, those with an empty path too.
 */
const byPath: View = (buckets, scanner, qualifies) => {
  const places = new Places(scanner.bytes);
  for (let b = 0; b < buckets.count; b++) {
    scanner.open(buckets.location[b]!);
    const { bytes, pathStart, pathEnd } = scanner;
    let place = -1;
    let depth = 0;
    let at = pathStart + 1;
    for (; at < pathEnd && bytes[at] !== SEMICOLON && depth <= MAX_DEPTH; at++) {
      if (bytes[at] !== SLASH) continue;
      place = places.place(pathStart, at + 1, place);
      places.add(place, buckets, b);
      depth++;
    }
    const end = scriptEnd(scanner);
    if (depth <= MAX_DEPTH && at >= end && end > scriptStart(scanner)) {
      places.add(places.place(pathStart, end, place), buckets, b);
    }
  }
  return places.partition(qualifies, (text) => {
    const directoryEnd = text.lastIndexOf("/") + 1;
    return directoryEnd === text.length
      ? { path: text }
      : { path: text.slice(0, directoryEnd), script: text.slice(directoryEnd) };
  });
};

/** Places of one view with their tallies. A place is numbered after the place around it. */
class Places {
  readonly #bytes: Uint8Array;
  readonly #table: RangeTable;
  readonly #around: number[] = [];
  readonly #support: number[] = [];
  readonly #confirmed: number[] = [];
  readonly #unlikely: number[] = [];

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#table = new RangeTable(bytes);
  }

  place(start: number, end: number, around: number): number {
    const place = this.#table.intern(start, end);
    if (place === this.#around.length) {
      this.#around.push(around);
      this.#support.push(0);
      this.#confirmed.push(0);
      this.#unlikely.push(0);
    }
    return place;
  }

  add(place: number, { support, confirmed, unlikely }: Columns, bucket: number): void {
    this.#support[place] = this.#support[place]! + support[bucket]!;
    this.#confirmed[place] = this.#confirmed[place]! + confirmed[bucket]!;
    this.#unlikely[place] = this.#unlikely[place]! + unlikely[bucket]!;
  }

  /** The broadest places that qualify and have a name, none inside another, in the order of their texts. */
  partition(
    qualifies: (tally: Tally) => boolean,
    scopeOf: (text: string) => Scope,
    isName: (text: string) => boolean = () => true,
  ): Partition {
    const decoder = new TextDecoder();
    const isTaken = new Uint8Array(this.#around.length);
    const texts: string[] = [];
    let allConfirmed = 0;
    for (let place = 0; place < isTaken.length; place++) {
      const around = this.#around[place]!;
      if (around >= 0 && isTaken[around] === 1) {
        isTaken[place] = 1;
        continue;
      }
      const support = this.#support[place]!;
      const confirmed = this.#confirmed[place]!;
      if (!qualifies({ support, confirmed, unlikely: this.#unlikely[place]! })) continue;
      const text = decoder.decode(this.#bytes.subarray(this.#table.starts[place]!, this.#table.ends[place]!));
      if (!isName(text)) continue;
      isTaken[place] = 1;
      allConfirmed += confirmed;
      texts.push(text);
    }
    texts.sort((a, b) => (a < b ? -1 : 1));
    return { scopes: texts.map(scopeOf), confirmed: allConfirmed };
  }
}

/** Where the last segment of the path begins. */
function scriptStart({ bytes, pathStart, pathEnd }: UrlScanner): number {
  let start = pathEnd;
  while (start > pathStart && bytes[start - 1] !== SLASH) start--;
  return start;
}

/** Where the name of the last segment ends: before its parameters. */
function scriptEnd(scanner: UrlScanner): number {
  let end = scriptStart(scanner);
  while (end < scanner.pathEnd && scanner.bytes[end] !== SEMICOLON) end++;
  return end;
}
