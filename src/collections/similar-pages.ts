/** Similar pages by their common chunks, exactly. */
import { firstEqual } from "../pages/first-equal.js";
import { findRoot, flatten, union } from "../pages/union-find.js";
import { type InSteps, PAUSE_EVERY, toTheEnd } from "../progress.js";
import type { Chunking } from "../sketch/chunks.js";
import { RunHash } from "../tables/hashes.js";
import { BLOCK_LISTS, DenseBlock } from "./dense-pairs.js";

/** The table DocChunks (Cho et al. 2000, section 5.1): the fingerprints of each page's chunks, 64 bits or the paper's 32. */
export interface DocChunks {
  readonly pages: number;
  /** Chunks of page p: fingerprints[offsets[p] .. offsets[p + 1]). Repeated ones count once. */
  readonly offsets: Uint32Array;
  readonly fingerprints: BigUint64Array | Uint32Array;
  /** Fingerprint of the whole text; 0 where the page has no text, which makes it similar to nothing. */
  readonly whole: BigUint64Array;
}

/**
 * T, for each way of chunking: similar pages share strictly more chunks (section 5.1). The paper gives no T for
 * sentences; on a page a sentence is about as long as two lines.
 */
export const chunkThresholds: Readonly<Record<Chunking, number>> = {
  document: 0,
  "four-lines": 15,
  "two-lines": 25,
  sentences: 25,
};

/** A chunk that many distinct texts have: a menu, a licence. */
export interface CommonChunk {
  readonly fingerprint: bigint;
  /** Distinct texts with it. */
  readonly texts: number;
  /** One page that has it. */
  readonly page: number;
}

export interface SimilarPages {
  /** TRIVIAL: for each page the smallest page of its trivial cluster. */
  readonly root: Uint32Array;
  readonly withoutText: number;
  /** Pages whose whole text an earlier page has. */
  readonly identical: number;
  /** Texts whose shared chunks are just those of an earlier text, so that only one of them was compared. */
  readonly sameChunks: number;
  /** Chunks that more than one distinct text has. */
  readonly sharedChunks: number;
  /** Pairs of pages whose chunks were compared one by one. */
  readonly compared: number;
  /** The most common chunks, most common first. */
  readonly common: readonly CommonChunk[];
  /** Chunks in more than COMMON_TEXTS texts, how often they occur, and how often the filter had to look at them. */
  readonly veryCommon: { readonly chunks: number; readonly occurrences: number; readonly indexed: number };
}

export const COMMON_TEXTS = 1000;
const COMMON_LISTED = 10;

/** What makes two pages similar: strictly more than `threshold` chunks in common, and that share of the longer page's. */
export interface ChunkTest {
  /** The paper's T. */
  readonly threshold: number;
  /** Least share of the distinct chunks of either page that both have; 0 in the paper. */
  readonly overlap?: number;
}

/**
 * Pages that share more than T distinct chunks, or the whole text, and by transitivity (definition 4) whole
 * trivial clusters. Exact, without a table of pairs: if two pages share more than T chunks, then in any one order of
 * all chunks they share one among the first n - T of each (n chunks in the page; "prefix filtering"). With the rarest
 * first, a menu that a million pages have is looked at only by pages that have little else.
 *
 * Where pages have several menus, those chunks alone are what most pairs share, and not enough of: so chunks that many
 * texts have are compared first, once for each combination of them that occurs, and then only pages with a rarer chunk in
 * common. Two pages that share none are similar by their common chunks or not at all.
 */
export function findSimilarPages(chunks: DocChunks, test: ChunkTest, effort?: Effort): SimilarPages {
  return toTheEnd(findSimilarPagesInSteps(chunks, test, effort));
}

/** Changes how long it takes, and nothing else. */
export interface Effort {
  /** A chunk in more texts than this is looked at as a part of what a page has of such, not page by page. */
  readonly oftenTexts: number;
  /** All pairs are counted once more than one in this many was compared. */
  readonly denseFrom: number;
}

export function* findSimilarPagesInSteps(
  chunks: DocChunks,
  test: ChunkTest,
  { oftenTexts, denseFrom }: Effort = { oftenTexts: 128, denseFrom: 32 },
): InSteps<SimilarPages> {
  const { pages, whole } = chunks;
  // The first page with a text stands for all with that text; parent[p] <= p, as union-find wants it.
  const parent = firstEqual(whole);
  let withoutText = 0;
  let identical = 0;
  for (let page = 0; page < pages; page++) {
    if (whole[page] === 0n) {
      parent[page] = page;
      withoutText++;
    } else if (parent[page] !== page) identical++;
  }
  yield { step: "counting chunks", done: 0, total: pages, unit: "pages" };
  const lists = sharedChunks(chunks, parent, test);
  yield { step: "counting chunks", done: pages, total: pages, unit: "pages" };
  const sameChunks = collapseEqualLists(lists, parent);
  const often = firstOften(lists.texts, oftenTexts);
  const common = commonParts(lists, often);
  collapseEqualLists(common, parent);
  const byCommon = yield* joinSimilar(common, parent, lists.texts.length, denseFrom);
  yield* joinDense(common, parent, byCommon.lists, often);
  // Nobody is compared with more than the few texts that have one of its rare chunks.
  const byRare = yield* joinSimilar(lists, parent, often, 0);
  flatten(parent);
  return {
    root: parent,
    withoutText,
    identical,
    sameChunks,
    sharedChunks: lists.texts.length,
    compared: byCommon.compared + byRare.compared,
    common: lists.common,
    veryCommon: { ...lists.veryCommon, indexed: byCommon.indexed + byRare.indexed },
  };
}

const COLLAPSED = -1;

/** The chunks of the pages that have enough of them, as ranks: 0 is the rarest chunk that two texts have. */
interface ChunkLists {
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
function firstOften(texts: Uint32Array, most: number): number {
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
function commonParts(lists: ChunkLists, often: number): ChunkLists {
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

function sharedChunks(chunks: DocChunks, parent: Uint32Array, { threshold, overlap = 0 }: ChunkTest): ChunkLists {
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
function collapseEqualLists(lists: ChunkLists, parent: Uint32Array): number {
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

const NONE = 0xffffffff;

/**
 * The iceberg count. The index holds the lists that have a chunk in their prefix, grouped by trivial cluster as far as
 * it is known: members of the page's own cluster are skipped as a group, however many there are, and one similar member
 * settles a group. What remains are comparisons whose outcome is not implied. Only pairs with a chunk in common whose
 * rank is below `ranksEnd` are looked at. It stops where more than one of `denseFrom` pairs had to be compared, and says after how many
 * lists.
 */
function* joinSimilar(
  lists: ChunkLists,
  parent: Uint32Array,
  ranksEnd: number,
  denseFrom: number,
): InSteps<{ compared: number; indexed: number; lists: number }> {
  const { pages, starts, ends, ranks, tooFew, texts } = lists;
  const prefixEnds = ends.map((end, list) => {
    if (pages[list] === COLLAPSED) return starts[list]!;
    let last = end - tooFew[list]!;
    while (last > starts[list]! && ranks[last - 1]! >= ranksEnd) last--;
    return last;
  });
  let entries = 0;
  for (let list = 0; list < pages.length; list++) entries += prefixEnds[list]! - starts[list]!;
  const firstGroup = new Uint32Array(texts.length).fill(NONE);
  // A group is named by its first entry; only that one's nextGroup and lastEntry are used.
  const nextGroup = new Uint32Array(entries);
  const lastEntry = new Uint32Array(entries);
  const nextEntry = new Uint32Array(entries);
  const listOf = new Uint32Array(entries);
  const comparedWith = new Uint32Array(pages.length);
  const groupWithRoot = new Uint32Array(parent.length);
  const rootSeen = new Uint32Array(parent.length);
  let walk = 0;
  let made = 0;
  let compared = 0;
  let indexed = 0;

  /** Compares a list with the members of a group, unless they are of one cluster already, until one is similar. */
  const compareWithGroup = (list: number, group: number): void => {
    const page = pages[list]!;
    if (findRoot(parent, pages[listOf[group]!]!) === findRoot(parent, page)) return;
    for (let entry = group; entry !== NONE; entry = nextEntry[entry]!) {
      const other = listOf[entry]!;
      if (comparedWith[other] === list + 1) continue;
      comparedWith[other] = list + 1;
      compared++;
      if (shareEnough(lists, list, other)) {
        union(parent, page, pages[other]!);
        return;
      }
    }
  };

  const join = (list: number, page: number): void => {
    for (let at = starts[list]!; at < prefixEnds[list]!; at++) {
      const chunk = ranks[at]!;
      if (texts[chunk]! > COMMON_TEXTS) indexed++;
      walk++;
      let before = NONE;
      let group = firstGroup[chunk]!;
      while (group !== NONE) {
        const next = nextGroup[group]!;
        const root = findRoot(parent, pages[listOf[group]!]!);
        compareWithGroup(list, group);
        if (rootSeen[root] === walk) {
          // Two groups have become one cluster since they were last seen.
          const into = groupWithRoot[root]!;
          nextEntry[lastEntry[into]!] = group;
          lastEntry[into] = lastEntry[group]!;
          nextGroup[before] = next;
          group = next;
          continue;
        }
        rootSeen[root] = walk;
        groupWithRoot[root] = group;
        before = group;
        group = next;
      }
      const entry = made++;
      listOf[entry] = list;
      nextEntry[entry] = NONE;
      lastEntry[entry] = entry;
      const own = findRoot(parent, page);
      if (rootSeen[own] === walk) {
        const into = groupWithRoot[own]!;
        nextEntry[lastEntry[into]!] = entry;
        lastEntry[into] = entry;
      } else {
        nextGroup[entry] = firstGroup[chunk]!;
        firstGroup[chunk] = entry;
      }
    }
  };
  for (let list = 0; list < pages.length; list++) {
    if (list % PAUSE_EVERY === 0) {
      yield { step: "finding similar pages", done: list, total: pages.length, unit: "pages" };
    }
    if (2 * denseFrom * compared > list * list + BLOCK_LISTS) return { compared, indexed, lists: list };
    if (pages[list] !== COLLAPSED) join(list, pages[list]!);
  }
  return { compared, indexed, lists: pages.length };
}

/** Each list from `from` on with all lists before it, whatever they have in common. */
function* joinDense(lists: ChunkLists, parent: Uint32Array, from: number, firstRank: number): InSteps<void> {
  const { pages, tooFew, texts } = lists;
  const isLeftOut = (list: number) => pages[list] === COLLAPSED;
  for (let first = 0; from < pages.length && first < pages.length; first += BLOCK_LISTS) {
    yield { step: "comparing pages of common parts", done: first, total: pages.length, unit: "pages" };
    const block = new DenseBlock(lists, firstRank, texts.length, first, isLeftOut);
    for (let list = Math.max(from, first + 1); list < pages.length; list++) {
      if (list % PAUSE_EVERY === 0) {
        yield { step: "comparing pages of common parts", done: first, total: pages.length, unit: "pages" };
      }
      if (isLeftOut(list)) continue;
      block.eachSharing(list, tooFew[list]!, (other) => {
        if (findRoot(parent, pages[other]!) === findRoot(parent, pages[list]!)) return;
        if (tooFew[other]! <= tooFew[list]! || shareEnough(lists, list, other))
          union(parent, pages[list]!, pages[other]!);
      });
    }
  }
}

/** Whether two lists have more ranks in common than is too few for either. */
function shareEnough({ starts, ends, ranks, tooFew }: ChunkLists, left: number, right: number): boolean {
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
