import type { SizeRanges, SketchColumn, UrlList } from "../model.js";
import { columnOf, stringsOf } from "../string-column.js";

/**
 * The list as it would be had a canonization been applied to it: one row for each canonical URL, in the order of first
 * appearance. It has the captures of all URLs that became it, and their size ranges united per source.
 */
export function reduceList(list: UrlList, canon: (url: string) => string): UrlList {
  const { count } = list.urls;
  const rowOf = new Map<string, number>();
  const row = new Uint32Array(count);
  const isCanonical = new Uint8Array(count);
  let i = 0;
  for (const url of stringsOf(list.urls)) {
    const canonical = canon(url);
    let found = rowOf.get(canonical);
    if (found === undefined) {
      found = rowOf.size;
      rowOf.set(canonical, found);
    }
    if (canonical === url) isCanonical[i] = 1;
    row[i++] = found;
  }
  return {
    urls: columnOf([...rowOf.keys()]),
    ...(list.sizes !== undefined && { sizes: uniteSizes(list.sizes, row, rowOf.size) }),
    ...(list.sketches !== undefined && { sketches: uniteSketches(list.sketches, row, isCanonical, rowOf.size) }),
  };
}

function uniteSizes(sizes: SizeRanges, row: Uint32Array, rows: number): SizeRanges {
  const starts = new Uint32Array(new SharedArrayBuffer(4 * (rows + 1)));
  const source = new Uint32Array(new SharedArrayBuffer(sizes.source.byteLength));
  const minBytes = new Float64Array(new SharedArrayBuffer(sizes.minBytes.byteLength));
  const maxBytes = new Float64Array(new SharedArrayBuffer(sizes.maxBytes.byteLength));
  const members = byRow(row, rows);
  let end = 0;
  let member = 0;
  for (let target = 0; target < rows; target++) {
    const start = end;
    for (; member < members.length && row[members[member]!] === target; member++) {
      const i = members[member]!;
      for (let k = sizes.rows[i]!; k < sizes.rows[i + 1]!; k++) {
        // In the order of sources; there are few.
        let at = end;
        while (at > start && source[at - 1]! > sizes.source[k]!) at--;
        if (at > start && source[at - 1] === sizes.source[k]) {
          minBytes[at - 1] = Math.min(minBytes[at - 1]!, sizes.minBytes[k]!);
          maxBytes[at - 1] = Math.max(maxBytes[at - 1]!, sizes.maxBytes[k]!);
          continue;
        }
        for (const column of [source, minBytes, maxBytes]) column.copyWithin(at + 1, at, end);
        source[at] = sizes.source[k]!;
        minBytes[at] = sizes.minBytes[k]!;
        maxBytes[at] = sizes.maxBytes[k]!;
        end++;
      }
    }
    starts[target + 1] = end;
  }
  return {
    rows: starts,
    source: source.subarray(0, end),
    minBytes: minBytes.subarray(0, end),
    maxBytes: maxBytes.subarray(0, end),
  };
}

/** The numbers of all URLs, by the row that they became. */
function byRow(row: Uint32Array, rows: number): Uint32Array {
  const next = new Uint32Array(rows + 1);
  for (const target of row) next[target + 1]!++;
  for (let target = 0; target < rows; target++) next[target + 1]! += next[target]!;
  const members = new Uint32Array(row.length);
  for (let i = 0; i < row.length; i++) members[next[row[i]!]!++] = i;
  return members;
}

/** By time; of captures that are equal in it those of the canonical URL itself come first. */
function uniteSketches(sketches: SketchColumn, row: Uint32Array, isCanonical: Uint8Array, rows: number): SketchColumn {
  const captures: { target: number; capture: number; timeMs: number; isOwn: number }[] = [];
  for (let i = 0; i < row.length; i++) {
    for (let capture = sketches.rows[i]!; capture < sketches.rows[i + 1]!; capture++) {
      captures.push({ target: row[i]!, capture, timeMs: sketches.timeMs[capture]!, isOwn: isCanonical[i]! });
    }
  }
  const early = (timeMs: number) => (Number.isNaN(timeMs) ? Number.NEGATIVE_INFINITY : timeMs);
  const byTime = (a: number, b: number) => (early(a) === early(b) ? 0 : early(a) - early(b));
  captures.sort((a, b) => a.target - b.target || byTime(a.timeMs, b.timeMs) || b.isOwn - a.isOwn);
  return pickCaptures(
    sketches,
    Uint32Array.from(captures, ({ capture }) => capture),
    Uint32Array.from(captures, ({ target }) => target),
    rows,
  );
}

/** The captures of these numbers as those of the URLs `owner`, which ascend. */
export function pickCaptures(
  sketches: SketchColumn,
  captures: Uint32Array,
  owner: Uint32Array,
  urls: number,
): SketchColumn {
  const picked = {
    rows: new Uint32Array(new SharedArrayBuffer(4 * (urls + 1))),
    timeMs: new Float64Array(new SharedArrayBuffer(8 * captures.length)),
    kind: new Uint8Array(new SharedArrayBuffer(captures.length)),
    values: new BigUint64Array(new SharedArrayBuffer(32 * captures.length)),
  };
  captures.forEach((capture, k) => {
    picked.rows[owner[k]! + 1]!++;
    picked.timeMs[k] = sketches.timeMs[capture]!;
    picked.kind[k] = sketches.kind[capture]!;
    picked.values.set(sketches.values.subarray(4 * capture, 4 * capture + 4), 4 * k);
  });
  for (let i = 0; i < urls; i++) picked.rows[i + 1]! += picked.rows[i]!;
  return picked;
}
