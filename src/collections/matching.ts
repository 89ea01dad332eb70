/** A one-to-one assignment of pages, cheap pairs first. */
import { NONE } from "./web-graph.js";

/** Who may be matched with whom: rows and columns of a table, with a cost (lower is better) for each allowed pair. */
export interface Candidates {
  readonly rows: number;
  readonly columns: number;
  readonly row: readonly number[];
  readonly column: readonly number[];
  readonly cost: readonly number[];
}

/**
 * A column of its own for every row, or undefined if there is none. Pairs are taken greedily, cheapest first, and what
 * is then left over is placed along augmenting paths (Hopcroft and Karp 1973); so the cheapest pairs stay together
 * unless a row would go without. A matching of least total cost would take cubic time to move a few pages.
 */
export function matchRows(candidates: Candidates): Uint32Array | undefined {
  const { rows, columns, row, column, cost } = candidates;
  const order = Array.from(row, (_, pair) => pair);
  order.sort((a, b) => cost[a]! - cost[b]! || a - b);
  const columnOf = new Uint32Array(rows).fill(NONE);
  const rowOf = new Uint32Array(columns).fill(NONE);
  let matched = 0;
  for (const pair of order) {
    if (columnOf[row[pair]!] !== NONE || rowOf[column[pair]!] !== NONE) continue;
    columnOf[row[pair]!] = column[pair]!;
    rowOf[column[pair]!] = row[pair]!;
    matched++;
  }
  if (matched === rows) return columnOf;

  const offsets = new Uint32Array(rows + 1);
  for (const from of row) offsets[from + 1]!++;
  for (let at = 0; at < rows; at++) offsets[at + 1]! += offsets[at]!;
  const next = offsets.slice();
  const adjacent = new Uint32Array(row.length);
  for (const pair of order) adjacent[next[row[pair]!]!++] = column[pair]!;

  const depth = new Uint32Array(rows);
  const queue = new Uint32Array(rows);
  const path = new Uint32Array(rows);
  const resume = new Uint32Array(rows);
  while (matched < rows) {
    // Layers of alternating paths from the rows without a column.
    let queued = 0;
    for (let at = 0; at < rows; at++) {
      depth[at] = NONE;
      resume[at] = offsets[at]!;
      if (columnOf[at] === NONE) {
        depth[at] = 0;
        queue[queued++] = at;
      }
    }
    let reachesFree = false;
    for (let head = 0; head < queued; head++) {
      const at = queue[head]!;
      for (let edge = offsets[at]!; edge < offsets[at + 1]!; edge++) {
        const taker = rowOf[adjacent[edge]!]!;
        if (taker === NONE) reachesFree = true;
        else if (depth[taker] === NONE) {
          depth[taker] = depth[at]! + 1;
          queue[queued++] = taker;
        }
      }
    }
    if (!reachesFree) return undefined;
    // Along the layers, as many paths as fit, each row left once; resume[r] is the edge that r tries now.
    for (let free = 0; free < rows; free++) {
      if (columnOf[free] !== NONE) continue;
      let length = 1;
      path[0] = free;
      while (length > 0) {
        const at = path[length - 1]!;
        if (resume[at] === offsets[at + 1]) {
          length--;
          if (length > 0) resume[path[length - 1]!]!++;
          continue;
        }
        const taker = rowOf[adjacent[resume[at]!]!]!;
        if (taker === NONE) break;
        if (depth[taker] === depth[at]! + 1) path[length++] = taker;
        else resume[at]!++;
      }
      if (length === 0) continue;
      for (let step = length - 1; step >= 0; step--) {
        const at = path[step]!;
        const to = adjacent[resume[at]!]!;
        columnOf[at] = to;
        rowOf[to] = at;
        resume[at]!++;
      }
      matched++;
    }
  }
  return columnOf;
}
