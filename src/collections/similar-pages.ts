import { findRoot, flatten, union } from "../pages/union-find.js";
import type { Chunking } from "../sketch/chunks.js";
import { firstEqual, mix } from "./first-equal.js";
import { type InSteps, PAUSE_EVERY, toTheEnd } from "./in-steps.js";

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
export const CHUNK_THRESHOLDS: Readonly<Record<Chunking, number>> = {
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

/**
 * Pages that share more than `threshold` distinct chunks, or the whole text, and by transitivity (definition 4) whole
 * trivial clusters. Exact, without a table of pairs: if two pages share more than T chunks, then in any one order of
 * all chunks they share one among the first n - T of each (n chunks in the page; "prefix filtering"). With the rarest
 * first, a menu that a million pages have is looked at only by pages that have little else.
 */
export function findSimilarPages(chunks: DocChunks, threshold: number): SimilarPages {
  return toTheEnd(findSimilarPagesInSteps(chunks, threshold));
}

export function* findSimilarPagesInSteps(chunks: DocChunks, threshold: number): InSteps<SimilarPages> {
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
  const lists = sharedChunks(chunks, parent, threshold);
  yield { step: "counting chunks", done: pages, total: pages, unit: "pages" };
  const sameChunks = collapseEqualLists(lists, parent);
  const { compared, indexed } = yield* joinSimilar(lists, parent, threshold);
  flatten(parent);
  return {
    root: parent,
    withoutText,
    identical,
    sameChunks,
    sharedChunks: lists.texts.length,
    compared,
    common: lists.common,
    veryCommon: { ...lists.veryCommon, indexed },
  };
}

const COLLAPSED = -1;

/** The chunks of the pages that have enough of them, as ranks: 0 is the rarest chunk that two texts have. */
interface ChunkLists {
  /** The pages that could be similar to another one by their chunks; COLLAPSED where an earlier one stands for it. */
  readonly pages: number[];
  /** Ranks of the k-th of these pages, ascending: ranks[offsets[k] .. offsets[k + 1]). */
  readonly offsets: Uint32Array;
  readonly ranks: Uint32Array;
  /** By rank: how many distinct texts have the chunk. */
  readonly texts: Uint32Array;
  readonly common: CommonChunk[];
  readonly veryCommon: { readonly chunks: number; readonly occurrences: number };
}

function sharedChunks(chunks: DocChunks, parent: Uint32Array, threshold: number): ChunkLists {
  const { pages, offsets, fingerprints } = chunks;
  // A chunk is named by its first occurrence.
  const name = firstEqual(fingerprints);
  const lastPage = new Uint32Array(name.length);
  const texts = new Uint32Array(name.length);
  let most = 0;
  for (let page = 0; page < pages; page++) {
    if (parent[page] !== page) continue;
    for (let at = offsets[page]!; at < offsets[page + 1]!; at++) {
      const chunk = name[at]!;
      if (lastPage[chunk] === page + 1) continue;
      lastPage[chunk] = page + 1;
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
  const listOffsets = [0];
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
    if (end - start <= threshold) {
      end = start;
      continue;
    }
    kept.push(page);
    listOffsets.push(end);
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
    offsets: Uint32Array.from(listOffsets),
    ranks: ranks.slice(0, end),
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
 * Texts with the very same shared chunks share more than T of them and behave alike towards all others: one is enough.
 * Without this, a million pages of one template would have to be compared with each other.
 */
function collapseEqualLists(lists: ChunkLists, parent: Uint32Array): number {
  const { pages, offsets, ranks } = lists;
  const hashes = new Uint32Array(2 * pages.length);
  for (let list = 0; list < pages.length; list++) {
    let low = offsets[list + 1]! - offsets[list]!;
    let high = 0x2545f491;
    for (let at = offsets[list]!; at < offsets[list + 1]!; at++) {
      low = mix(ranks[at]!, low);
      high = mix(ranks[at]! ^ 0x5bd1e995, high);
    }
    hashes[2 * list] = low;
    hashes[2 * list + 1] = high;
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

function equalLists({ offsets, ranks }: ChunkLists, left: number, right: number): boolean {
  const length = offsets[left + 1]! - offsets[left]!;
  if (offsets[right + 1]! - offsets[right]! !== length) return false;
  for (let at = 0; at < length; at++) {
    if (ranks[offsets[left]! + at] !== ranks[offsets[right]! + at]) return false;
  }
  return true;
}

const NONE = 0xffffffff;

/**
 * The iceberg count. The index holds the lists that have a chunk in their prefix, grouped by trivial cluster as far as
 * it is known: members of the page's own cluster are skipped as a group, however many there are, and one similar member
 * settles a group. What remains are comparisons whose outcome is not implied.
 */
function* joinSimilar(
  lists: ChunkLists,
  parent: Uint32Array,
  threshold: number,
): InSteps<{ compared: number; indexed: number }> {
  const { pages, offsets, ranks, texts } = lists;
  let entries = 0;
  for (let list = 0; list < pages.length; list++) {
    if (pages[list] !== COLLAPSED) entries += offsets[list + 1]! - offsets[list]! - threshold;
  }
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
      if (shareMore(lists, list, other, threshold)) {
        union(parent, page, pages[other]!);
        return;
      }
    }
  };

  const join = (list: number, page: number): void => {
    const prefixEnd = offsets[list + 1]! - threshold;
    for (let at = offsets[list]!; at < prefixEnd; at++) {
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
    if (pages[list] !== COLLAPSED) join(list, pages[list]!);
  }
  return { compared, indexed };
}

/** Whether two lists have more than `threshold` ranks in common. */
function shareMore({ offsets, ranks }: ChunkLists, left: number, right: number, threshold: number): boolean {
  let a = offsets[left]!;
  let b = offsets[right]!;
  const endA = offsets[left + 1]!;
  const endB = offsets[right + 1]!;
  let missing = threshold + 1;
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
