/** Similar pages by their common chunks, exactly. */
import { firstEqual } from "../pages/first-equal.js";
import { findRoot, flatten, union } from "../pages/union-find.js";
import { type InSteps, PAUSE_EVERY, toTheEnd } from "../progress.js";
import type { Chunking } from "../sketch/chunks.js";
import {
  type ChunkLists,
  type ChunkTest,
  COLLAPSED,
  COMMON_TEXTS,
  type CommonChunk,
  collapseEqualLists,
  commonParts,
  type DocChunks,
  firstOften,
  sharedChunks,
  shareEnough,
} from "./chunk-lists.js";
import { BLOCK_LISTS, denseKernel, joinDense } from "./dense-pairs.js";

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
  /** Groups of 128 pages whose chunks were counted together, where comparing one by one would have been too much. */
  readonly counted: number;
  /** The most common chunks, most common first. */
  readonly common: readonly CommonChunk[];
  /** Chunks in more than COMMON_TEXTS texts, how often they occur, and how often the filter had to look at them. */
  readonly veryCommon: { readonly chunks: number; readonly occurrences: number; readonly indexed: number };
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
  const kernel = denseKernel();
  const byCommon = yield* joinSimilar(common, parent, lists.texts.length, kernel === undefined ? 0 : denseFrom);
  const counted = byCommon.isDense ? yield* joinDense(kernel!, common, parent, often) : 0;
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
    counted,
    common: lists.common,
    veryCommon: { ...lists.veryCommon, indexed: byCommon.indexed + byRare.indexed },
  };
}

const NONE = 0xffffffff;

/**
 * The iceberg count. The index holds the lists that have a chunk in their prefix, grouped by trivial cluster as far as
 * it is known: members of the page's own cluster are skipped as a group, however many there are, and one similar member
 * settles a group. What remains are comparisons whose outcome is not implied. Only pairs with a chunk in common whose
 * rank is below `ranksEnd` are looked at. It stops where more than one of `denseFrom` pairs had to be compared.
 */
function* joinSimilar(
  lists: ChunkLists,
  parent: Uint32Array,
  ranksEnd: number,
  denseFrom: number,
): InSteps<{ compared: number; indexed: number; isDense: boolean }> {
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
    if (2 * denseFrom * compared > list * list + BLOCK_LISTS) return { compared, indexed, isDense: true };
    if (pages[list] !== COLLAPSED) join(list, pages[list]!);
  }
  return { compared, indexed, isDense: false };
}
