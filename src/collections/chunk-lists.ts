/** The chunks of pages as lists of ranks, the rarest first, without those that can make no two pages similar. */
import { firstEqual } from "../pages/first-equal.js";
import { union } from "../pages/union-find.js";
import { RunHash } from "../tables/hashes.js";

/** The table DocChunks (Cho et al. 2000, section 5.1): the fingerprints of each page's chunks, 64 bits or the paper's 32. */
export interface DocChunks {
  readonly pages: number;
  /** Chunks of page p: fingerprints[offsets[p] .. offsets[p + 1]). Repeated ones count once. */
  readonly offsets: Uint32Array;
  readonly fingerprints: BigUint64Array | Uint32Array;
  /** Fingerprint of the whole text; 0 where the page has no text, which makes it similar to nothing. */
  readonly whole: BigUint64Array;
}

/** A chunk that many distinct texts have: a menu, a licence. */
export interface CommonChunk {
  readonly fingerprint: bigint;
  /** Distinct texts with it. */
  readonly texts: number;
  /** One page that has it. */
  readonly page: number;
}

/** What makes two pages similar: strictly more than `threshold` chunks in common, and that share of the longer page's. */
export interface ChunkTest {
  /** The paper's T. */
  readonly threshold: number;
  /** Least share of the distinct chunks of either page that both have; 0 in the paper. */
  readonly overlap?: number;
}

export const COMMON_TEXTS = 1000;
const COMMON_LISTED = 10;

export const COLLAPSED = -1;

/** The chunks of the pages that have enough of them, as ranks: 0 is the rarest chunk that two texts have. */
export interface ChunkLists {
  /** The pages that could be similar to another one by their chunks; COLLAPSED where an earlier one stands for it. */
  readonly pages: number[];
  /** Ranks of the k-th of these pages, ascending: ranks[starts[k] .. ends[k]). */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly ranks: Uint32Array;
  /** How many chunks in common are not yet enough for the k-th of these pages; it has more. */
  readonly tooFew: Uint32Array;
  /** By rank: how many distinct texts have the chunk. */
  readonly texts: Uint32Array;
  readonly common: CommonChunk[];
  readonly veryCommon: { readonly chunks: number; readonly occurrences: number };
}

/** The first rank, from the rarest on, of a chunk that more than this many texts have. */
export function firstOften(texts: Uint32Array, most: number): number {
  let low = 0;
  let high = texts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (texts[middle]! > most) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The chunks of each list from rank `often` on, where these alone can be enough. */
export function commonParts(lists: ChunkLists, often: number): ChunkLists {
  const { pages, starts, ends, ranks, tooFew } = lists;
  const kept: number[] = [];
  const partStarts: number[] = [];
  for (let list = 0; list < pages.length; list++) {
    let start = ends[list]!;
    while (start > starts[list]! && ranks[start - 1]! >= often) start--;
    if (pages[list] === COLLAPSED || ends[list]! - start <= tooFew[list]!) continue;
    kept.push(list);
    partStarts.push(start);
  }
  return {
    ...lists,
    pages: kept.map((list) => pages[list]!),
    starts: Uint32Array.from(partStarts),
    ends: Uint32Array.from(kept, (list) => ends[list]!),
    tooFew: Uint32Array.from(kept, (list) => tooFew[list]!),
  };
}

export function sharedChunks(
  chunks: DocChunks,
  parent: Uint32Array,
  { threshold, overlap = 0 }: ChunkTest,
): ChunkLists {
  const { pages, offsets, fingerprints } = chunks;
  // A chunk is named by its first occurrence.
  const name = firstEqual(fingerprints);
  const lastPage = new Uint32Array(name.length);
  const texts = new Uint32Array(name.length);
  const own = new Uint32Array(pages);
  let most = 0;
  for (let page = 0; page < pages; page++) {
    if (parent[page] !== page) continue;
    for (let at = offsets[page]!; at < offsets[page + 1]!; at++) {
      const chunk = name[at]!;
      if (lastPage[chunk] === page + 1) continue;
      lastPage[chunk] = page + 1;
      own[page]!++;
      const count = ++texts[chunk]!;
      if (count > most) most = count;
    }
  }

  // Counting sort by how many texts have the chunk; those of one text can be shared by nobody.
  const places = new Uint32Array(most + 2);
  for (const count of texts) if (count > 1) places[count + 1]!++;
  for (let count = 2; count <= most; count++) places[count + 1]! += places[count]!;
  const distinct = most < 2 ? 0 : places[most + 1]!;
  const byRank = new Uint32Array(distinct);
  const textsByRank = new Uint32Array(distinct);
  const rank = lastPage;
  for (let chunk = 0; chunk < texts.length; chunk++) {
    const count = texts[chunk]!;
    if (count < 2) continue;
    const place = places[count]!++;
    rank[chunk] = place;
    byRank[place] = chunk;
    textsByRank[place] = count;
  }

  const kept: number[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  const tooFew: number[] = [];
  const ranks = new Uint32Array(name.length);
  let end = 0;
  for (let page = 0; page < pages; page++) {
    if (parent[page] !== page) continue;
    const start = end;
    for (let at = offsets[page]!; at < offsets[page + 1]!; at++) {
      const chunk = name[at]!;
      if (texts[chunk]! > 1) ranks[end++] = rank[chunk]!;
    }
    end = distinctSorted(ranks, start, end);
    const notEnough = Math.max(threshold, Math.ceil(overlap * own[page]!) - 1);
    if (end - start <= notEnough) {
      end = start;
      continue;
    }
    kept.push(page);
    starts.push(start);
    ends.push(end);
    tooFew.push(notEnough);
  }

  const common: CommonChunk[] = [];
  for (let place = distinct - 1; place >= 0 && common.length < COMMON_LISTED; place--) {
    const at = byRank[place]!;
    common.push({ fingerprint: BigInt(fingerprints[at]!), texts: textsByRank[place]!, page: pageAt(offsets, at) });
  }
  let veryCommon = 0;
  let occurrences = 0;
  for (let place = distinct - 1; place >= 0 && textsByRank[place]! > COMMON_TEXTS; place--) {
    veryCommon++;
    occurrences += textsByRank[place]!;
  }
  return {
    pages: kept,
    starts: Uint32Array.from(starts),
    ends: Uint32Array.from(ends),
    ranks: ranks.slice(0, end),
    tooFew: Uint32Array.from(tooFew),
    texts: textsByRank,
    common,
    veryCommon: { chunks: veryCommon, occurrences },
  };
}

/** Sorts values[start .. end) and drops repeated ones; returns the new end. */
function distinctSorted(values: Uint32Array, start: number, end: number): number {
  values.subarray(start, end).sort();
  let to = start;
  for (let at = start; at < end; at++) {
    if (at === start || values[at] !== values[at - 1]) values[to++] = values[at]!;
  }
  return to;
}

/** The page whose row holds an entry. */
function pageAt(offsets: Uint32Array, entry: number): number {
  let low = 0;
  let high = offsets.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (offsets[middle]! <= entry) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * Texts with the very same chunks share enough of them, and if they ask for equally many behave alike towards all others.
 * Without this, a million pages of one template would have to be compared with each other.
 */
export function collapseEqualLists(lists: ChunkLists, parent: Uint32Array): number {
  const { pages, starts, ends, ranks, tooFew } = lists;
  const hashes = new Uint32Array(2 * pages.length);
  const hash = new RunHash();
  for (let list = 0; list < pages.length; list++) {
    hash.begin(tooFew[list]!);
    for (let at = starts[list]!; at < ends[list]!; at++) hash.add(ranks[at]!);
    hashes[2 * list] = hash.low;
    hashes[2 * list + 1] = hash.high;
  }
  const first = firstEqual(new BigUint64Array(hashes.buffer));
  let collapsed = 0;
  for (let list = 0; list < pages.length; list++) {
    const other = first[list]!;
    if (other === list || !equalLists(lists, list, other)) continue;
    union(parent, pages[other]!, pages[list]!);
    collapsed++;
    pages[list] = COLLAPSED;
  }
  return collapsed;
}

function equalLists({ starts, ends, ranks, tooFew }: ChunkLists, left: number, right: number): boolean {
  const length = ends[left]! - starts[left]!;
  if (ends[right]! - starts[right]! !== length || tooFew[left] !== tooFew[right]) return false;
  for (let at = 0; at < length; at++) {
    if (ranks[starts[left]! + at] !== ranks[starts[right]! + at]) return false;
  }
  return true;
}

/** Whether two lists have more ranks in common than is too few for either. */
export function shareEnough({ starts, ends, ranks, tooFew }: ChunkLists, left: number, right: number): boolean {
  let a = starts[left]!;
  let b = starts[right]!;
  const endA = ends[left]!;
  const endB = ends[right]!;
  let missing = Math.max(tooFew[left]!, tooFew[right]!) + 1;
  while (endA - a >= missing && endB - b >= missing) {
    const x = ranks[a]!;
    const y = ranks[b]!;
    if (x === y) {
      if (--missing === 0) return true;
      a++;
      b++;
    } else if (x < y) a++;
    else b++;
  }
  return false;
}
