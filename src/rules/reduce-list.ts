import type { SizeRanges, SketchColumn, StringColumn, UrlList } from "../model.js";

/**
 * The list as it would be had a canonization been applied to it: one row for each canonical URL, in the order of first
 * appearance. The size ranges of the URLs that became one are united per source; of their sketches, that of the
 * canonical URL itself counts, else the first that is known.
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
    ...(list.sketches !== undefined && { sketches: chooseSketches(list.sketches, row, isCanonical, rowOf.size) }),
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

function chooseSketches(sketches: SketchColumn, row: Uint32Array, isCanonical: Uint8Array, rows: number): SketchColumn {
  const kind = new Uint8Array(new SharedArrayBuffer(rows));
  const values = new BigUint64Array(new SharedArrayBuffer(32 * rows));
  for (let i = 0; i < row.length; i++) {
    const target = row[i]!;
    if (sketches.kind[i] === 0 || (kind[target] !== 0 && isCanonical[i] === 0)) continue;
    kind[target] = sketches.kind[i]!;
    values.set(sketches.values.subarray(4 * i, 4 * i + 4), 4 * target);
  }
  return { kind, values };
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function stringAt({ bytes, offsets }: StringColumn, i: number): string {
  // TextDecoder refuses shared memory; a copy of one URL costs little.
  return decoder.decode(bytes.slice(offsets[i]!, offsets[i + 1]!));
}

function columnOf(strings: readonly string[]): StringColumn {
  const encoded = strings.map((string) => encoder.encode(string));
  const offsets = new Uint32Array(new SharedArrayBuffer(4 * (strings.length + 1)));
  for (const [i, bytes] of encoded.entries()) offsets[i + 1] = offsets[i]! + bytes.length;
  const bytes = new Uint8Array(new SharedArrayBuffer(Math.max(1, offsets[strings.length]!)));
  for (const [i, string] of encoded.entries()) bytes.set(string, offsets[i]!);
  return { count: strings.length, bytes: bytes.subarray(0, offsets[strings.length]!), offsets };
}
