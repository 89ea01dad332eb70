/** The web graph as columns: pages, links, distances of paths. */
import { InvariantError } from "../errors.js";
import type { StringColumn } from "../model.js";

/** No page, cluster or replica. */
export const NONE = 0xffffffff;

/** The nodes of the web graph (definition 1). URLs that proven rules make equal are one page here. */
export interface WebPages {
  readonly count: number;
  /** Number of the page's site: its host, with aliases folded. */
  readonly site: Uint32Array;
  readonly urls: StringColumn;
}

/** LINK(src, dest) by source: each link once, none from a page to itself, destinations ascending. */
export interface Links {
  /** Links of page p: dest[offsets[p] .. offsets[p + 1]). */
  readonly offsets: Uint32Array;
  readonly dest: Uint32Array;
}

/** Rows of LINK that say nothing about collections. */
export interface DroppedLinks {
  /** From or to a page that is not there: never crawled, or failed. */
  readonly dangling: number;
  readonly selfLinks: number;
  readonly repeated: number;
}

/**
 * Rows are first dealt into blocks of this many sources, then placed within each block: its part of the result fits the
 * processor's cache, which all of it does not. As many as the low half of a source's number counts.
 */
const BLOCK_BITS = 16;

/** LINK from its two columns, in any order. A page that is not there is any number that no page has, such as NONE. */
export function linksFromTable(
  pages: number,
  src: Uint32Array,
  dest: Uint32Array,
): { links: Links; dropped: DroppedLinks } {
  if (src.length !== dest.length) {
    throw new InvariantError(
      `LINK has ${src.length} sources and ${dest.length} destinations; its columns must be equally long`,
    );
  }
  const blocks = new Float64Array((pages >>> BLOCK_BITS) + 2);
  let dangling = 0;
  let selfLinks = 0;
  for (let row = 0; row < src.length; row++) {
    const from = src[row]!;
    if (from >= pages || dest[row]! >= pages) dangling++;
    else if (from === dest[row]) selfLinks++;
    else blocks[(from >>> BLOCK_BITS) + 1]!++;
  }
  for (let block = 1; block < blocks.length; block++) blocks[block]! += blocks[block - 1]!;
  const total = src.length - dangling - selfLinks;
  const blockSrc = new Uint16Array(total);
  const blockDest = new Uint32Array(total);
  const next = blocks.slice();
  for (let row = 0; row < src.length; row++) {
    const from = src[row]!;
    const to = dest[row]!;
    if (from >= pages || to >= pages || from === to) continue;
    const at = next[from >>> BLOCK_BITS]!++;
    blockSrc[at] = from;
    blockDest[at] = to;
  }
  const offsets = new Uint32Array(pages + 1);
  const sorted = new Uint32Array(total);
  for (let block = 0; block + 1 < blocks.length; block++) {
    const firstPage = block << BLOCK_BITS;
    const lastPage = Math.min(pages, firstPage + (1 << BLOCK_BITS));
    for (let at = blocks[block]!; at < blocks[block + 1]!; at++) offsets[firstPage + blockSrc[at]!]!++;
    let place = blocks[block]!;
    for (let page = firstPage; page < lastPage; page++) {
      const count = offsets[page]!;
      offsets[page] = place;
      place += count;
    }
    for (let at = blocks[block]!; at < blocks[block + 1]!; at++) {
      sorted[offsets[firstPage + blockSrc[at]!]!++] = blockDest[at]!;
    }
  }
  // Each offset has become the end of its row.
  let end = 0;
  let start = 0;
  for (let page = 0; page < pages; page++) {
    const rowEnd = offsets[page]!;
    sortRow(sorted, start, rowEnd);
    offsets[page] = end;
    for (let at = start; at < rowEnd; at++) {
      if (at === start || sorted[at] !== sorted[at - 1]) sorted[end++] = sorted[at]!;
    }
    start = rowEnd;
  }
  offsets[pages] = end;
  return {
    links: { offsets, dest: end === total ? sorted : sorted.slice(0, end) },
    dropped: { dangling, selfLinks, repeated: total - end },
  };
}

/** Most rows are short, where calling the built-in sort costs more than sorting. */
function sortRow(values: Uint32Array, start: number, end: number): void {
  if (end - start > 32) {
    values.subarray(start, end).sort();
    return;
  }
  for (let at = start + 1; at < end; at++) {
    const value = values[at]!;
    let to = at;
    while (to > start && values[to - 1]! > value) {
      values[to] = values[to - 1]!;
      to--;
    }
    values[to] = value;
  }
}

/** For each page the number of pages that link to it, and of those on other sites. */
export interface InLinks {
  readonly all: Uint32Array;
  readonly offSite: Uint32Array;
}

export function countInLinks({ count, site }: WebPages, { offsets, dest }: Links): InLinks {
  const all = new Uint32Array(count);
  const offSite = new Uint32Array(count);
  for (let page = 0; page < count; page++) {
    const own = site[page]!;
    for (let at = offsets[page]!; at < offsets[page + 1]!; at++) {
      const to = dest[at]!;
      all[to]!++;
      if (site[to] !== own) offSite[to]!++;
    }
  }
  return { all, offSite };
}

const SLASH = 0x2f;
const QUESTION_MARK = 0x3f;

/** Steps from the directory of one page to that of another, up and down again. */
export function pathDistance({ bytes, offsets }: StringColumn, left: number, right: number): number {
  let a = pathStart(bytes, offsets[left]!, offsets[left + 1]!);
  let b = pathStart(bytes, offsets[right]!, offsets[right + 1]!);
  const endA = pathEnd(bytes, a, offsets[left + 1]!);
  const endB = pathEnd(bytes, b, offsets[right + 1]!);
  let common = 0;
  for (let at = 0; a + at < endA && b + at < endB && bytes[a + at] === bytes[b + at]; at++) {
    if (bytes[a + at] === SLASH) common = at + 1;
  }
  let steps = 0;
  for (a += common; a < endA; a++) if (bytes[a] === SLASH) steps++;
  for (b += common; b < endB; b++) if (bytes[b] === SLASH) steps++;
  return steps;
}

/** Where the path begins: at the first slash after "://", or at the end. */
function pathStart(bytes: Uint8Array, start: number, end: number): number {
  let slashes = 0;
  for (let at = start; at < end; at++) {
    if (bytes[at] === SLASH && ++slashes === 3) return at;
  }
  return end;
}

function pathEnd(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end; at++) if (bytes[at] === QUESTION_MARK) return at;
  return end;
}
