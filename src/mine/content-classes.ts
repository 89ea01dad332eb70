/** Content classes of a URL list: URLs whose documents are equal as far as the list knows. */
import type { StringColumn, UrlList } from "../model.js";
import type { LikelyMode } from "./likely-similar.js";

/** The URLs that share their content with another, and for each the number of its class. */
export interface ContentClasses {
  readonly urls: StringColumn;
  readonly classOf: Uint32Array;
  /** Row of `urls` -> row of the list. */
  readonly rows: Uint32Array;
}

/**
 * URLs with one sketch or digest (that of the latest capture) are a class; otherwise those whose only size of a source is the
 * same. URLs of which nothing is known are in none. Undefined where no two URLs share a class.
 */
export function contentClasses(list: UrlList, likely: LikelyMode): ContentClasses | undefined {
  const { count, bytes, offsets } = list.urls;
  const keys = new Map<string, number>();
  const keyOf = new Int32Array(count).fill(-1);
  const members: number[] = [];
  const contentOf = contentKey(list, likely);
  for (let i = 0; i < count; i++) {
    const key = contentOf(i);
    if (key === undefined) continue;
    let found = keys.get(key);
    if (found === undefined) {
      found = keys.size;
      keys.set(key, found);
      members.push(0);
    }
    keyOf[i] = found;
    members[found]!++;
  }
  const rows = Uint32Array.from({ length: count }, (_, i) => i).filter(
    (i) => keyOf[i]! >= 0 && members[keyOf[i]!]! > 1,
  );
  if (rows.length === 0) return undefined;

  const sub = {
    offsets: new Uint32Array(rows.length + 1),
    classOf: new Uint32Array(new SharedArrayBuffer(4 * rows.length)),
  };
  for (const [k, i] of rows.entries()) sub.offsets[k + 1] = sub.offsets[k]! + offsets[i + 1]! - offsets[i]!;
  const text = new Uint8Array(sub.offsets[rows.length]!);
  for (const [k, i] of rows.entries()) {
    text.set(bytes.subarray(offsets[i]!, offsets[i + 1]!), sub.offsets[k]!);
    sub.classOf[k] = keyOf[i]!;
  }
  return { urls: { count: rows.length, bytes: text, offsets: sub.offsets }, classOf: sub.classOf, rows };
}

/** A name for what is known of URL i's document. */
function contentKey({ sizes, sketches }: UrlList, likely: LikelyMode): (i: number) => string | undefined {
  const bySketch = likely === "auto" || likely === "sketch" ? sketches : undefined;
  const bySize = likely === "auto" || likely === "size" ? sizes : undefined;
  return (i) => {
    if (bySketch !== undefined && bySketch.rows[i + 1]! > bySketch.rows[i]!) {
      const capture = bySketch.rows[i + 1]! - 1;
      return `${bySketch.kind[capture]} ${bySketch.values.subarray(4 * capture, 4 * capture + 4).join(" ")}`;
    }
    if (bySize === undefined) return undefined;
    for (let row = bySize.rows[i]!; row < bySize.rows[i + 1]!; row++) {
      const size = bySize.minBytes[row]!;
      if (size > 0 && size === bySize.maxBytes[row]) return `${bySize.source[row]} ${size}`;
    }
    return undefined;
  };
}
