import type { SizeRanges, SketchColumn, UrlList } from "../model.js";
import { columnOf, stringAt } from "../string-column.js";

/**
 * The list as it would be had a canonization been applied to it: one row for each canonical URL, in the order of first
 * appearance. It has the captures of all URLs that became it, and their size ranges united per source.
 */
export function reduceList(list: UrlList, canon: (url: string) => string): UrlList {
  const { count } = list.urls;
  const rowOf = new Map<string, number>();
  const row = new Uint32Array(count);
  const isCanonical = new Uint8Array(count);
  for (let i = 0; i < count; i++) {
    const url = stringAt(list.urls, i);
    const canonical = canon(url);
    let found = rowOf.get(canonical);
    if (found === undefined) {
      found = rowOf.size;
      rowOf.set(canonical, found);
    }
    row[i] = found;
    if (canonical === url) isCanonical[i] = 1;
  }
  return {
    urls: columnOf([...rowOf.keys()]),
    ...(list.sizes !== undefined && { sizes: uniteSizes(list.sizes, row, rowOf.size) }),
    ...(list.sketches !== undefined && { sketches: uniteSketches(list.sketches, row, isCanonical, rowOf.size) }),
  };
}

function uniteSizes(sizes: SizeRanges, row: Uint32Array, rows: number): SizeRanges {
  const united: { source: number; min: number; max: number }[][] = Array.from({ length: rows }, () => []);
  for (let i = 0; i < row.length; i++) {
    const ranges = united[row[i]!]!;
    for (let k = sizes.rows[i]!; k < sizes.rows[i + 1]!; k++) {
      const [source, min, max] = [sizes.source[k]!, sizes.minBytes[k]!, sizes.maxBytes[k]!];
      const known = ranges.find((range) => range.source === source);
      if (known === undefined) {
        ranges.push({ source, min, max });
      } else {
        known.min = Math.min(known.min, min);
        known.max = Math.max(known.max, max);
      }
    }
  }
  const flat = united.flatMap((ranges) => ranges.sort((a, b) => a.source - b.source));
  const starts = new Uint32Array(new SharedArrayBuffer(4 * (rows + 1)));
  for (let i = 0; i < rows; i++) starts[i + 1] = starts[i]! + united[i]!.length;
  const source = new Uint32Array(new SharedArrayBuffer(4 * flat.length));
  const minBytes = new Float64Array(new SharedArrayBuffer(8 * flat.length));
  const maxBytes = new Float64Array(new SharedArrayBuffer(8 * flat.length));
  for (const [k, range] of flat.entries()) {
    source[k] = range.source;
    minBytes[k] = range.min;
    maxBytes[k] = range.max;
  }
  return { rows: starts, source, minBytes, maxBytes };
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
