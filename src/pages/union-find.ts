/**
 * Union-find (Hopcroft and Ullman 1973) over document numbers, which several threads may use on shared memory at once.
 *
 * A set's root is its smallest member, so the result does not depend on the order of the unions, nor on which thread
 * made them. parent[d] <= d always, with equality at roots, and a document that is not a root never becomes one again.
 * Hence halving may use plain stores: it only writes to such documents, and what it writes is an ancestor, if a stale one.
 */

/** Every document in a set of its own. */
export function makeSets(parent: Uint32Array): void {
  for (let document = 0; document < parent.length; document++) parent[document] = document;
}

export function findRoot(parent: Uint32Array, document: number): number {
  let child = document;
  for (;;) {
    const up = parent[child]!;
    if (up === child) return child;
    const upper = parent[up]!;
    if (upper === up) return up;
    parent[child] = upper;
    child = upper;
  }
}

export function union(parent: Uint32Array, left: number, right: number): void {
  let a = findRoot(parent, left);
  let b = findRoot(parent, right);
  while (a !== b) {
    if (a < b) [a, b] = [b, a];
    // Fails if another thread has just linked a elsewhere; then both are looked up again.
    if (Atomics.compareExchange(parent, a, a, b) === a) return;
    a = findRoot(parent, a);
    b = findRoot(parent, b);
  }
}

/** Makes every parent a root: parents are smaller than their children, so one ascending pass is enough. */
export function flatten(parent: Uint32Array): void {
  for (let document = 0; document < parent.length; document++) parent[document] = parent[parent[document]!]!;
}

/** The size of each document's set, once flat; 0 for documents that do not take part (those with a 0 in `takes`). */
export function setSizes(root: Uint32Array, takes: Uint8Array | Uint32Array): Uint32Array {
  const size = new Uint32Array(root.length);
  for (let document = 0; document < root.length; document++) {
    if (takes[document] !== 0) size[root[document]!]!++;
  }
  for (let document = 0; document < root.length; document++) {
    if (takes[document] !== 0) size[document] = size[root[document]!]!;
  }
  return size;
}
