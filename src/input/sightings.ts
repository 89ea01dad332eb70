/**
 * What one input says about each of its URLs. Readers of logs and crawls add sightings; memory depends on the number of
 * unique URLs only. Rows are in the order of first appearance.
 *
 * A URL is kept as it was requested, with three exceptions that cannot change the resource: a byte that no URL may
 * contain (outside "!" .. "~") is percent-encoded, credentials are dropped, and safe normalization (url/normalize.ts) is
 * applied. All are done once per distinct spelling, in finish(), so that a log line costs one hash lookup whatever it
 * requests.
 *
 * Where a log does not know its host, the URL is the path and query alone and begins with "/".
 */
import type { StringColumn } from "../model.js";
import { grown } from "../tables/grown.js";
import { withoutCredentials } from "../url/credentials.js";
import { ALL_NORMALIZATION_STEPS, mayNeedNormalization, type NormalizationMask, normalize } from "../url/normalize.js";
import { ByteTable } from "./byte-table.js";
import { SparseCounts } from "./sparse-counts.js";

/** Columns with one entry per URL, and sparse tables that name URLs by row. */
export interface Sightings {
  readonly urls: StringColumn;
  readonly hits: Float64Array;
  /** Bit 1 << (status / 100) for 1xx to 5xx; bit 1 where the status is unknown or no answer came. */
  readonly statusClasses: Uint8Array;
  /** Range of whole bodies' sizes: a GET answered 200 (not 206, 304 or HEAD). NaN where unknown. */
  readonly minBytes: Float64Array;
  readonly maxBytes: Float64Array;
  /** Milliseconds since 1970 UTC, NaN where unknown. */
  readonly firstMs: Float64Array;
  readonly lastMs: Float64Array;
  /** Ordered by URL, then family: a number in crawlerFamilies, never 0. */
  readonly crawlerHits: { readonly url: Uint32Array; readonly family: Uint8Array; readonly hits: Float64Array };
  /**
   * The last target seen, where the source knows it, resolved and normalized like a URL of the list; ordered by URL.
   */
  readonly redirects: { readonly url: Uint32Array; readonly target: readonly string[] };
  /**
   * Every spelling that a normalization step changed, once, with the steps that changed it, by first appearance. Its hits
   * are part of the URL's: the others were requests in the normal spelling.
   */
  readonly spellings: {
    readonly url: Uint32Array;
    readonly spelling: StringColumn;
    readonly steps: Uint8Array;
    readonly hits: Float64Array;
  };
}

/** One sighting for `add`. What is absent is unknown. */
export interface Sighting {
  readonly status?: number;
  /** The request was a HEAD: no body, whatever size is given. */
  readonly head?: boolean;
  /** Bytes of the response's body. */
  readonly bytes?: number;
  readonly timeMs?: number;
  /** Number in crawlerFamilies. */
  readonly family?: number;
  readonly redirectTo?: string;
}

/** What #stats holds of a URL. Ranges are inside out where nothing is known, until finish() makes that NaN. */
const COLUMNS = 6;
const HITS = 0;
const CLASSES = 1;
const MIN_BYTES = 2;
const MAX_BYTES = 3;
const FIRST_MS = 4;
const LAST_MS = 5;
const unseenStats = [0, 0, Infinity, -Infinity, Infinity, -Infinity];

const scratch = Buffer.alloc(1 << 16);

export class SightingTable {
  readonly #urls: ByteTable;
  /** COLUMNS numbers per URL, side by side: a log line should miss the cache only once. */
  #stats: Float64Array;
  readonly #crawlerHits = new SparseCounts();
  /** Per URL 1 + its index in #targets; allocated with the first redirect. */
  #redirects = new Uint32Array(0);
  readonly #targets: string[] = [];
  /** Distinct spellings and their URL rows: what normalization changed here and in the tables merged into this one. */
  readonly #spellings = new ByteTable();
  #spellingUrls = new Uint32Array(0);
  #spellingSteps = new Uint8Array(0);
  #spellingHits = new Float64Array(0);

  constructor(readonly steps: NormalizationMask = ALL_NORMALIZATION_STEPS) {
    this.#urls = new ByteTable();
    this.#stats = new Float64Array(0);
    this.#grow();
  }

  /** Distinct spellings so far. */
  get count(): number {
    return this.#urls.count;
  }

  /** A sighting of the URL in buffer[start .. end). Unknown: status 0, bytes and timeMs NaN, family 0. */
  addBytes(
    buffer: Uint8Array,
    start: number,
    end: number,
    head: boolean,
    status: number,
    bytes: number,
    timeMs: number,
    family: number,
  ): number {
    const row = this.#row(buffer, start, end);
    const classes = status >= 100 && status < 600 ? 1 << ((status / 100) | 0) : 1;
    const size = status === 200 && !head ? bytes : Number.NaN;
    this.#addStats(row, 1, classes, size, size, timeMs, timeMs);
    if (family !== 0) this.#crawlerHits.add(row, family, 1);
    return row;
  }

  add(url: string, sighting: Sighting): number {
    const { status = 0, head = false, bytes = Number.NaN, timeMs = Number.NaN, family = 0, redirectTo } = sighting;
    const fits = url.length * 3 <= scratch.length;
    const buffer = fits ? scratch : Buffer.from(url);
    const end = fits ? scratch.write(url, 0) : buffer.length;
    const row = this.addBytes(buffer, 0, end, head, status, bytes, timeMs, family);
    if (redirectTo !== undefined) this.addRedirect(row, redirectTo);
    return row;
  }

  /** `row` is what addBytes returned for the redirecting URL. */
  addRedirect(row: number, target: string): void {
    if (this.#redirects.length < this.#urls.capacity) this.#redirects = grown(this.#redirects, this.#urls.capacity);
    const known = this.#redirects[row]!;
    if (known !== 0) this.#targets[known - 1] = target;
    else this.#redirects[row] = this.#targets.push(target);
  }

  /** Adds what another table found in a later part of the same input. */
  merge(later: Sightings): void {
    const { urls, redirects, crawlerHits, spellings } = later;
    const rows = new Uint32Array(urls.count);
    for (let i = 0; i < urls.count; i++) {
      const row = this.#row(urls.bytes, urls.offsets[i]!, urls.offsets[i + 1]!);
      rows[i] = row;
      this.#addStats(
        row,
        later.hits[i]!,
        later.statusClasses[i]!,
        later.minBytes[i]!,
        later.maxBytes[i]!,
        later.firstMs[i]!,
        later.lastMs[i]!,
      );
    }
    for (let i = 0; i < crawlerHits.url.length; i++) {
      this.#crawlerHits.add(rows[crawlerHits.url[i]!]!, crawlerHits.family[i]!, crawlerHits.hits[i]!);
    }
    for (let i = 0; i < redirects.url.length; i++) this.addRedirect(rows[redirects.url[i]!]!, redirects.target[i]!);
    const { spelling } = spellings;
    for (let i = 0; i < spelling.count; i++) {
      const text = spelling.bytes.subarray(spelling.offsets[i]!, spelling.offsets[i + 1]!);
      this.#addSpelling(text, rows[spellings.url[i]!]!, spellings.steps[i]!, spellings.hits[i]!);
    }
  }

  /** The columns. The table must not be used afterwards. */
  finish(): Sightings {
    const mergedInto = this.#normalize();
    const rows = mergedInto === undefined ? undefined : keptRows(mergedInto);
    const count = rows?.length ?? this.#urls.count;
    // New row numbers, for the sparse tables.
    const renumbered = mergedInto && rows && renumber(mergedInto, rows);
    const final = (row: number) => (renumbered === undefined ? row : renumbered[row]!);

    const column = (number: number) => {
      const values = new Float64Array(count);
      for (let i = 0; i < count; i++) values[i] = this.#stats[COLUMNS * (rows === undefined ? i : rows[i]!) + number]!;
      return values;
    };
    const redirectUrls: number[] = [];
    const targets: string[] = [];
    for (let i = 0; i < (this.#redirects.length === 0 ? 0 : count); i++) {
      const target = this.#redirects[rows === undefined ? i : rows[i]!] ?? 0;
      if (target === 0) continue;
      redirectUrls.push(i);
      const url = text(this.#urls.bytes(rows === undefined ? i : rows[i]!));
      targets.push(normalizeUrl(resolveTarget(this.#targets[target - 1]!, url), this.steps).url);
    }
    return {
      urls: this.#urls.column(rows),
      hits: column(HITS),
      statusClasses: Uint8Array.from(column(CLASSES)),
      minBytes: known(column(MIN_BYTES)),
      maxBytes: known(column(MAX_BYTES)),
      firstMs: known(column(FIRST_MS)),
      lastMs: known(column(LAST_MS)),
      crawlerHits: crawlerHits(this.#crawlerHits, count, final),
      redirects: { url: Uint32Array.from(redirectUrls), target: targets },
      spellings: {
        url: this.#spellingUrls.slice(0, this.#spellings.count).map(final),
        spelling: this.#spellings.column(),
        steps: this.#spellingSteps.slice(0, this.#spellings.count),
        hits: this.#spellingHits.slice(0, this.#spellings.count),
      },
    };
  }

  /**
   * Gives every row its final spelling. Rows that become equal are merged into the first of them, so that the order
   * stays that of first appearance. Returns the row that each was merged into, or undefined where none was.
   */
  #normalize(): Uint32Array | undefined {
    let mergedInto: Uint32Array | undefined;
    const { count } = this.#urls;
    for (let row = 0; row < count; row++) {
      if (mergedInto !== undefined && mergedInto[row] !== row) continue;
      const buffer = this.#urls.buffer(row);
      const start = this.#urls.start(row);
      const end = start + this.#urls.length(row);
      const encode = !isPlain(buffer, start, end);
      if (!encode && !mayNeedNormalization(buffer, start, end)) continue;
      const spelling = this.#urls.bytes(row);
      const { url, changed } = normalizeUrl(encode ? encodeBytes(spelling) : text(spelling), this.steps);
      const original = Buffer.from(withoutCredentials(text(spelling)), "latin1");
      if (!encode && changed === 0 && original.length === spelling.length) continue;
      // Nothing was merged into a row before its turn: these are the hits of this spelling alone.
      const hits = this.#stats[COLUMNS * row + HITS]!;
      const bytes = Buffer.from(url, "latin1");
      const other = this.#urls.find(bytes, 0, bytes.length);
      if (other < 0) {
        this.#urls.replace(row, bytes);
      } else if (other !== row) {
        mergedInto ??= identity(count);
        const [kept, gone] = other < row ? [other, row] : [row, other];
        if (other > row) this.#urls.take(row, other);
        this.#mergeRow(kept, gone);
        mergedInto[gone] = kept;
      }
      if (changed !== 0) this.#addSpelling(original, mergedInto?.[row] ?? row, changed, hits);
    }
    return mergedInto;
  }

  #row(buffer: Uint8Array, start: number, end: number): number {
    const row = this.#urls.intern(buffer, start, end);
    if (COLUMNS * row >= this.#stats.length) this.#grow();
    return row;
  }

  #addStats(
    row: number,
    hits: number,
    classes: number,
    minBytes: number,
    maxBytes: number,
    firstMs: number,
    lastMs: number,
  ): void {
    const stats = this.#stats;
    const at = COLUMNS * row;
    stats[at + HITS]! += hits;
    stats[at + CLASSES]! |= classes;
    // False where the new value is NaN: unknown.
    if (minBytes < stats[at + MIN_BYTES]!) stats[at + MIN_BYTES] = minBytes;
    if (maxBytes > stats[at + MAX_BYTES]!) stats[at + MAX_BYTES] = maxBytes;
    if (firstMs < stats[at + FIRST_MS]!) stats[at + FIRST_MS] = firstMs;
    if (lastMs > stats[at + LAST_MS]!) stats[at + LAST_MS] = lastMs;
  }

  #addSpelling(spelling: Uint8Array, url: number, steps: number, hits: number): void {
    const row = this.#spellings.intern(spelling, 0, spelling.length);
    if (row >= this.#spellingUrls.length) {
      this.#spellingUrls = grown(this.#spellingUrls, this.#spellings.capacity);
      this.#spellingSteps = grown(this.#spellingSteps, this.#spellings.capacity);
      this.#spellingHits = grown(this.#spellingHits, this.#spellings.capacity);
    }
    this.#spellingUrls[row] = url;
    this.#spellingSteps[row] = steps;
    this.#spellingHits[row]! += hits;
  }

  #mergeRow(kept: number, gone: number): void {
    const [hits, classes, minBytes, maxBytes, firstMs, lastMs] = this.#stats.subarray(COLUMNS * gone);
    this.#addStats(kept, hits!, classes!, minBytes!, maxBytes!, firstMs!, lastMs!);
    // Which of two targets was seen last is no longer known; the later row's is the better guess.
    const target = this.#redirects[gone] ?? 0;
    if (target !== 0) this.#redirects[kept] = target;
  }

  #grow(): void {
    const old = this.#stats.length;
    this.#stats = grown(this.#stats, COLUMNS * this.#urls.capacity);
    for (let at = old; at < this.#stats.length; at += COLUMNS) this.#stats.set(unseenStats, at);
  }
}

/** The URL as `finish` spells it, for other data about URLs. */
export function finalSpelling(url: string, steps: NormalizationMask): string {
  const bytes = Buffer.from(url);
  if (!isPlain(bytes, 0, bytes.length)) return normalizeUrl(encodeBytes(bytes), steps).url;
  return mayNeedNormalization(bytes, 0, bytes.length) ? normalizeUrl(url, steps).url : url;
}

/** Stands for the missing origin of a URL while the steps run: they do not look at the host. */
const SOME_ORIGIN = "http://h";

function normalizeUrl(url: string, steps: NormalizationMask): { url: string; changed: NormalizationMask } {
  if (!url.startsWith("/")) return normalize(withoutCredentials(url), steps);
  const { url: normal, changed } = normalize(SOME_ORIGIN + url, steps);
  return { url: normal.slice(SOME_ORIGIN.length), changed };
}

/** The target of a Location header in the answer to a URL. Its spelling is kept: only what is missing is added. */
function resolveTarget(target: string, url: string): string {
  const encoded = encodeBytes(Buffer.from(target));
  const [, scheme, host] = /^(https?):\/\/([^/?#]*)/i.exec(url) ?? [];
  if (/^[a-z][a-z0-9+.-]*:/i.test(encoded)) return encoded;
  if (encoded.startsWith("//")) return `${scheme ?? "http"}:${encoded}`;
  const origin = scheme === undefined ? "" : `${scheme}://${host}`;
  if (encoded.startsWith("/")) return origin + encoded;
  const path = url.slice(origin.length).replace(/#.*$/s, "");
  const before = encoded.startsWith("?")
    ? path.replace(/\?.*$/s, "")
    : path.replace(/\?.*$/s, "").replace(/[^/]*$/, "");
  return origin + before + encoded;
}

/** Only bytes that may stand in a URL. */
function isPlain(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const byte = bytes[i]!;
    if (byte <= 0x20 || byte >= 0x7f) return false;
  }
  return true;
}

/** As clients send it: bytes that may not stand in a URL are percent-encoded, an international host is the name in DNS. */
function encodeBytes(bytes: Uint8Array): string {
  const encoded = text(bytes).replace(/[^!-~]/g, (c) => {
    return `%${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
  });
  return encoded.replace(/^(https?:\/\/(?:[^/?#@]*@)?)([^/?#@:]*%[^/?#@:]*)/i, (all, before: string, host: string) => {
    const origin = `http://${host}/`;
    return URL.canParse(origin) ? before + new URL(origin).hostname : all;
  });
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
}

function identity(count: number): Uint32Array {
  const rows = new Uint32Array(count);
  for (let i = 0; i < count; i++) rows[i] = i;
  return rows;
}

function keptRows(mergedInto: Uint32Array): Uint32Array {
  return mergedInto.filter((into, row) => into === row);
}

function renumber(mergedInto: Uint32Array, rows: Uint32Array): Uint32Array {
  const numbers = new Uint32Array(mergedInto.length);
  for (let i = 0; i < rows.length; i++) numbers[rows[i]!] = i;
  // A row is merged into an earlier one, whose number is final by then.
  for (let row = 0; row < numbers.length; row++) numbers[row] = numbers[mergedInto[row]!]!;
  return numbers;
}

function crawlerHits(counts: SparseCounts, rowCount: number, renumber: (row: number) => number) {
  const { row, key, count } = counts.sorted(rowCount, renumber);
  return { url: row, family: key, hits: count };
}

function known(column: Float64Array): Float64Array {
  for (let i = 0; i < column.length; i++) if (!Number.isFinite(column[i]!)) column[i] = Number.NaN;
  return column;
}
