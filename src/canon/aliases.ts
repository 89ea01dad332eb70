/**
 * The alias table: pairs of URLs that show one page and that no rule makes one (`?p=123` and its slug, a branch and the
 * commit it points to). It is used after the rules. docs/canon.md has the file's format.
 */
import { DataError } from "../errors.js";
import { cellsFor, HashSlots } from "../tables/hash-slots.js";
import { NumberColumn } from "../tables/number-column.js";
import { WordView } from "../tables/word-view.js";
import { type AliasParts, asTheyAre, type Canonizer, type CanonRecipe, compile } from "./compile.js";
import { FILTERED_BYTES, HASH_FACTOR } from "./constants.js";

/** Why two URLs are one page: the site redirects, the site names a canonical URL, or both showed the same text. */
export type AliasReason = "redirect" | "canonical" | "content";

/** A pair without its reason. */
export interface SeenAlias {
  readonly from: string;
  readonly to: string;
  /** When that was seen last, in milliseconds since 1970. */
  readonly seenMs: number;
}

export interface Alias extends SeenAlias {
  readonly why: AliasReason;
}

export interface AliasHead {
  readonly format: "dustpan-aliases";
  readonly version: 1;
  /** Pairs that were seen longer ago are not used. */
  readonly maxAgeDays: number;
}

const VERSION = 1;
const TAB = 9;
const LINE_FEED = 10;
const DAY_SECONDS = 86_400;
/** In `AliasParts.places`. */
export const NUMBERS_OF_PAIR = 4;

export interface SettledAliases<A extends SeenAlias> {
  /** By source, in code unit order; each leads in one step to where its chain ends. */
  readonly aliases: readonly A[];
  /** A URL of each circle that was refused: none of its pairs is used. */
  readonly circles: readonly string[];
}

/**
 * What is left of the pairs once rules are applied: sources and targets are canonical, chains are followed to their end,
 * circles are refused. Of two targets for one source the one seen later counts, and of these the first given.
 */
export function settleAliases<A extends SeenAlias>(
  pairs: Iterable<A>,
  canon: (url: string) => string,
): SettledAliases<A> {
  const byFrom = new Map<string, A>();
  for (const pair of pairs) {
    const [from, to] = [canon(pair.from), canon(pair.to)];
    if (from === to || !isWritable(from) || !isWritable(to)) continue;
    const known = byFrom.get(from);
    if (known === undefined || known.seenMs < pair.seenMs) byFrom.set(from, { ...pair, from, to });
  }
  const ends = new Map<string, string | undefined>();
  const circles: string[] = [];
  const endOf = (start: string): string | undefined => {
    const way: string[] = [];
    const onWay = new Set<string>();
    let at = start;
    while (byFrom.has(at) && !ends.has(at) && !onWay.has(at)) {
      way.push(at);
      onWay.add(at);
      at = byFrom.get(at)!.to;
    }
    const isCircle = onWay.has(at);
    if (isCircle) circles.push(at);
    const end = isCircle ? undefined : ends.has(at) ? ends.get(at) : at;
    for (const url of way) ends.set(url, end);
    return end;
  };
  const aliases: A[] = [];
  for (const alias of byFrom.values()) {
    const to = ends.has(alias.from) ? ends.get(alias.from) : endOf(alias.from);
    if (to !== undefined) aliases.push({ ...alias, to });
  }
  aliases.sort((a, b) => (a.from < b.from ? -1 : 1));
  return { aliases, circles };
}

/** The file: a head line, then one line per pair: source, target, seconds since 1970 and reason, with tabs between. */
export function* formatAliases(aliases: Iterable<Alias>, maxAgeDays: number): Generator<string> {
  const head: AliasHead = { format: "dustpan-aliases", version: VERSION, maxAgeDays };
  yield `${JSON.stringify(head)}\n`;
  for (const { from, to, seenMs, why } of aliases) yield `${from}\t${to}\t${Math.floor(seenMs / 1000)}\t${why}\n`;
}

function isWritable(url: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they would end a field or a line.
  return !/[\u0000-\u001f]/.test(url);
}

/**
 * A file of aliases, looked up by the bytes of a URL. The pairs stay as they are in the file: no string is made of them.
 * `jobs/canon/read-aliases.ts` makes the same table of a long file, in less time.
 */
export class AliasTable {
  readonly #scratch = new Uint8Array(1 << 16);
  readonly #encoder = new TextEncoder();
  readonly #decoder = new TextDecoder();
  readonly #view = new WordView();
  readonly #slots: HashSlots;
  readonly #filterShift: number;

  /** `name` is what errors call the file; `allocate` gives the table memory that threads can share. */
  static read(
    bytes: Uint8Array,
    nowMs: number,
    name: string,
    allocate: (length: number) => ArrayBufferLike = (length) => new ArrayBuffer(length),
  ): AliasTable {
    const words = (length: number) => new Uint32Array(allocate(4 * length));
    const { maxAgeDays, oldest, end: headEnd } = aliasHead(bytes, nowMs, name);
    const kept = new NumberColumn();
    const view = new WordView().of(bytes);
    let [expired, line] = [0, 1];
    for (let at = headEnd; at < bytes.length; line++) {
      const fromEnd = fieldEnd(bytes, at);
      const toEnd = fieldEnd(bytes, fromEnd + 1);
      const hasThree = bytes[fromEnd] === TAB && bytes[toEnd] === TAB;
      const seconds = hasThree ? numberAt(bytes, toEnd + 1) : Number.NaN;
      if (Number.isNaN(seconds)) {
        throw new DataError("expected source, target, seconds, reason, with tabs between", `${name}:${line + 1}`);
      }
      if (seconds < oldest) expired++;
      else {
        kept.push(at);
        kept.push(fromEnd);
        kept.push(toEnd);
        kept.push(hashOf(bytes, view, at, fromEnd));
      }
      for (at = toEnd; bytes[at] === TAB; ) at = fieldEnd(bytes, at + 1);
      at++;
    }
    const places = words(kept.length);
    places.set(kept.values);
    const count = kept.length / NUMBERS_OF_PAIR;
    const size = cellsOfTable(count);
    const parts = { bytes, places, slots: words(size.cells), filter: words(size.words) };
    const table = new AliasTable({ ...parts, count, expired, maxAgeDays });
    for (let pair = 0; pair < count; pair++) table.#add(pair);
    return table;
  }

  /** The table that another one has as its parts. */
  constructor(readonly parts: AliasParts) {
    this.#slots = new HashSlots(parts.slots);
    this.#filterShift = filterShift(parts.filter);
  }

  /** All pairs that have not expired. */
  *pairs(): Generator<SeenAlias> {
    const { bytes, places, count } = this.parts;
    for (let pair = 0; pair < count; pair++) {
      const [start, fromEnd, toEnd] = places.subarray(NUMBERS_OF_PAIR * pair);
      const from = this.#decoder.decode(bytes.slice(start, fromEnd));
      yield { from, to: this.targetOf(pair), seenMs: 1000 * numberAt(bytes, toEnd! + 1) };
    }
  }

  /** The pair whose source is bytes[start .. end), or -1; `hash` where it is known already. */
  find(bytes: Uint8Array, start: number, end: number, hash = hashOf(bytes, this.#view.of(bytes), start, end)): number {
    if (end - start >= FILTERED_BYTES) {
      const bits = filterBits(hash);
      if ((this.parts.filter[this.#wordOf(hash)]! & bits) !== bits) return -1;
    }
    return this.#slots.entry(this.#slotOf(bytes, start, end, hash));
  }

  /** The same of a URL as text. */
  findUrl(url: string): number {
    const fits = 3 * url.length <= this.#scratch.length;
    const bytes = fits ? this.#scratch : this.#encoder.encode(url);
    return this.find(bytes, 0, fits ? this.#encoder.encodeInto(url, bytes).written : bytes.length);
  }

  targetOf(pair: number): string {
    const { bytes, places } = this.parts;
    const at = NUMBERS_OF_PAIR * pair;
    return this.#decoder.decode(bytes.slice(places[at + 1]! + 1, places[at + 2]!));
  }

  /** Of two pairs with one source the later one counts. */
  #add(pair: number): void {
    const { bytes, places, filter } = this.parts;
    const at = NUMBERS_OF_PAIR * pair;
    const [start, end, hash] = [places[at]!, places[at + 1]!, places[at + 3]! | 0];
    this.#slots.set(this.#slotOf(bytes, start, end, hash), pair, hash);
    if (end - start >= FILTERED_BYTES) filter[this.#wordOf(hash)]! |= filterBits(hash);
  }

  #slotOf(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const slots = this.#slots;
    for (let slot = slots.first(hash); ; slot = slots.next(slot)) {
      const pair = slots.entry(slot);
      if (pair < 0 || (slots.hash(slot) === hash && this.#isSource(pair, bytes, start, end))) return slot;
    }
  }

  #isSource(pair: number, bytes: Uint8Array, start: number, end: number): boolean {
    const { bytes: own, places } = this.parts;
    let at = places[NUMBERS_OF_PAIR * pair]!;
    if (places[NUMBERS_OF_PAIR * pair + 1]! - at !== end - start) return false;
    for (let i = start; i < end; i++) if (own[at++] !== bytes[i]) return false;
    return true;
  }

  /** The filter's word, and (`filterBits`) three of its bits. */
  #wordOf(hash: number): number {
    return Math.imul(hash, HASH_FACTOR) >>> this.#filterShift;
  }
}

/** In four lanes, as the kernels of `jobs/canon/` read sixteen bytes at once: all whole sixteens, and the last sixteen once more. */
function hashOf(bytes: Uint8Array, view: DataView, start: number, end: number): number {
  let hash = end - start;
  if (hash < FILTERED_BYTES) {
    for (let at = start; at < end; at++) hash = mixed(hash, bytes[at]!);
    return hash;
  }
  const last = end - FILTERED_BYTES;
  let [a, b, c, d] = [0, 0, 0, 0];
  for (let next = start; ; next += FILTERED_BYTES) {
    const at = Math.min(next, last);
    a = mixed(a, view.getInt32(at, true));
    b = mixed(b, view.getInt32(at + 4, true));
    c = mixed(c, view.getInt32(at + 8, true));
    d = mixed(d, view.getInt32(at + 12, true));
    if (next > last) break;
  }
  return mixed(mixed(mixed(mixed(hash, a), b), c), d);
}

function mixed(hash: number, word: number): number {
  const product = Math.imul(hash ^ word, HASH_FACTOR);
  return product ^ (product >>> 15);
}

function filterBits(hash: number): number {
  return (1 << (hash & 31)) | (1 << ((hash >>> 5) & 31)) | (1 << ((hash >>> 10) & 31));
}

/** The canonizer that another thread sent as plain data. */
export function fromRecipe({ rules, plan, maxRounds, aliases }: CanonRecipe): Canonizer {
  const canon = compile(rules, { plan, maxRounds, use: asTheyAre });
  return aliases === undefined ? canon : withAliases(canon, new AliasTable(aliases));
}

/**
 * The canonization that follows aliases after the rules. Idempotent, whatever the table holds: a pair is used only if rules
 * leave its target alone and no pair leads on from it; a table that `settleAliases` made with the same rules loses none.
 */
export function withAliases(canon: Canonizer, table: AliasTable): Canonizer {
  /** 0 where a pair has not been needed yet. */
  const use = new Uint8Array(table.parts.count);
  const followed = (url: string): string | undefined => targetOf(table.findUrl(url));
  const targetOf = (pair: number): string | undefined => {
    if (pair < 0 || use[pair] === REFUSED) return undefined;
    const target = table.targetOf(pair);
    if (use[pair] === 0) use[pair] = canon(target) === target && table.findUrl(target) < 0 ? USED : REFUSED;
    return use[pair] === USED ? target : undefined;
  };
  const follow = (url: string): string => {
    const canonical = canon(url);
    return followed(canonical) ?? canonical;
  };
  return Object.assign(follow, {
    explain: (url: string) => {
      const found = canon.explain(url);
      const alias = followed(found.url);
      return alias === undefined ? found : { ...found, url: alias, alias: { before: found.url, after: alias } };
    },
    mayChange: (bytes: Uint8Array, start: number, end: number) =>
      canon.mayChange(bytes, start, end) || table.find(bytes, start, end) >= 0,
    changed: (bytes: Uint8Array, text: string, start: number, end: number, pathStart: number) => {
      const canonical = canon.changed(bytes, text, start, end, pathStart);
      if (canonical === undefined) return targetOf(table.find(bytes, start, end));
      return followed(canonical) ?? canonical;
    },
    triggers: canon.triggers,
    scanWith: canon.scanWith,
    rules: canon.rules,
    recipe: { ...canon.recipe, aliases: table.parts },
    unsettled: canon.unsettled,
  });
}

/** By how many bits a hash is shifted right to become the number of a word in the filter. */
export function filterShift(filter: Uint32Array): number {
  return 32 - Math.log2(filter.length);
}

const USED = 1;
const REFUSED = 2;

/** How many numbers the slots of a table of this many pairs take, and its filter. */
export function cellsOfTable(pairs: number): { readonly cells: number; readonly words: number } {
  const cells = cellsFor(2 * (pairs + 1));
  return { cells, words: Math.max(2, cells >>> 3) };
}

/** What the first line of a file says, the oldest second that still counts, and where the second line begins. */
export function aliasHead(
  bytes: Uint8Array,
  nowMs: number,
  name: string,
): { readonly maxAgeDays: number; readonly oldest: number; readonly end: number } {
  const end = lineEnd(bytes, 0);
  const { maxAgeDays } = readHead(new TextDecoder().decode(bytes.slice(0, end)), name);
  return { maxAgeDays, oldest: nowMs / 1000 - maxAgeDays * DAY_SECONDS, end: end + 1 };
}

function readHead(text: string, name: string): AliasHead {
  let head: Partial<AliasHead> | null = null;
  try {
    head = JSON.parse(text) as Partial<AliasHead> | null;
  } catch {
    // Reported below.
  }
  if (head?.format !== "dustpan-aliases" || typeof head.maxAgeDays !== "number") {
    throw new DataError('expected {"format":"dustpan-aliases", ...} in its first line', name);
  }
  if (head.version !== VERSION) {
    throw new DataError(`version ${String(head.version)}: this dustpan reads ${VERSION}`, name);
  }
  return head as AliasHead;
}

/** The next line feed, or the end. */
function lineEnd(bytes: Uint8Array, from: number): number {
  const found = bytes.indexOf(LINE_FEED, from);
  return found < 0 ? bytes.length : found;
}

/** The next tab or line feed, or the end. */
function fieldEnd(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== TAB && bytes[at] !== LINE_FEED) at++;
  return at;
}

/** The decimal number at this place, up to the next tab or line feed; NaN where there is none. */
function numberAt(bytes: Uint8Array, start: number): number {
  let value = 0;
  let at = start;
  for (; at < bytes.length && bytes[at] !== TAB && bytes[at] !== LINE_FEED; at++) {
    const digit = bytes[at]! - 48;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = 10 * value + digit;
  }
  return at === start ? Number.NaN : value;
}
