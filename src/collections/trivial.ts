/** Trivial clusters: similar pages, each a collection of one. */
import { InvariantError } from "../errors.js";
import { firstEqual } from "../pages/first-equal.js";
import { flatten, makeSets, union } from "../pages/union-find.js";

/**
 * TRIVIAL(rid, pid), the trivial clusters (section 3): similar pages, each a collection of one page. Numbered by their
 * smallest page; a page similar to no other is a cluster of one.
 */
export interface TrivialClusters {
  readonly count: number;
  /** The cluster of each page. */
  readonly of: Uint32Array;
  /** Pages of cluster r, ascending: pages[offsets[r] .. offsets[r + 1]). */
  readonly offsets: Uint32Array;
  readonly pages: Uint32Array;
  /** Where each page is in `pages`. */
  readonly place: Uint32Array;
}

/** From the smallest page of each page's cluster: what findSimilarPages and the near-duplicate clusters both give. */
export function trivialClusters(root: Uint32Array): TrivialClusters {
  const pages = root.length;
  const of = new Uint32Array(pages);
  let count = 0;
  for (let page = 0; page < pages; page++) {
    if (root[page]! > page)
      throw new InvariantError(`page ${page} has root ${root[page]}, but a root is a cluster's smallest page`);
    of[page] = root[page] === page ? count++ : of[root[page]!]!;
  }
  const offsets = new Uint32Array(count + 1);
  for (let page = 0; page < pages; page++) offsets[of[page]! + 1]!++;
  for (let cluster = 0; cluster < count; cluster++) offsets[cluster + 1]! += offsets[cluster]!;
  const next = offsets.slice();
  const byCluster = new Uint32Array(pages);
  const place = new Uint32Array(pages);
  for (let page = 0; page < pages; page++) {
    const at = next[of[page]!]!++;
    byCluster[at] = page;
    place[page] = at;
  }
  return { count, of, offsets, pages: byCluster, place };
}

/**
 * From the paper's table. Pages without a row are clusters of one; a page with two rids makes their clusters one, since
 * similarity is transitive (definition 4).
 */
export function trivialFromTable(pages: number, rid: Uint32Array, pid: Uint32Array): TrivialClusters {
  const parent = new Uint32Array(pages);
  makeSets(parent);
  const firstRow = firstEqual(rid);
  for (let row = 0; row < pid.length; row++) {
    const page = pid[row]!;
    if (page >= pages) throw new InvariantError(`TRIVIAL names page ${page}, but there are ${pages} pages`);
    union(parent, pid[firstRow[row]!]!, page);
  }
  flatten(parent);
  return trivialClusters(parent);
}
