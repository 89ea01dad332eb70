import fc from "fast-check";
import type { StringColumn, UrlList } from "#src/model.js";

/** A URL with what is known of its document: bytes of every size seen in one source, or a sketch of four numbers. */
export interface Known {
  readonly url: string;
  readonly size?: number | readonly [min: number, max: number];
  readonly sketch?: readonly [number, number, number, number];
}

export function columnOf(texts: readonly string[]): StringColumn {
  const encoded = texts.map((text) => new TextEncoder().encode(text));
  const offsets = new Uint32Array(texts.length + 1);
  for (const [i, bytes] of encoded.entries()) offsets[i + 1] = offsets[i]! + bytes.length;
  const bytes = new Uint8Array(offsets[texts.length]!);
  for (const [i, part] of encoded.entries()) bytes.set(part, offsets[i]!);
  return { count: texts.length, bytes, offsets };
}

export function listOf(known: readonly Known[]): UrlList {
  const rows = new Uint32Array(known.length + 1);
  let captures = 0;
  const ranges: (readonly [number, number])[] = [];
  for (const [i, { size }] of known.entries()) {
    if (size !== undefined) ranges.push(typeof size === "number" ? [size, size] : size);
    rows[i + 1] = ranges.length;
  }
  const firstCaptures = Uint32Array.from([
    0,
    ...known.map(({ sketch }) => (sketch === undefined ? captures : ++captures)),
  ]);
  return {
    urls: columnOf(known.map(({ url }) => url)),
    sizes: {
      rows,
      source: new Uint32Array(ranges.length),
      minBytes: Float64Array.from(ranges, (range) => range[0]),
      maxBytes: Float64Array.from(ranges, (range) => range[1]),
    },
    sketches: {
      rows: firstCaptures,
      timeMs: new Float64Array(captures).fill(Number.NaN),
      kind: new Uint8Array(captures).fill(1),
      values: BigUint64Array.from(known.flatMap(({ sketch }) => sketch?.map(BigInt) ?? [])),
    },
  };
}

export function urlAt({ urls }: UrlList, i: number): string {
  return new TextDecoder().decode(urls.bytes.subarray(urls.offsets[i]!, urls.offsets[i + 1]!));
}

/** URLs made of few pieces, so that random ones collide after a rewriting; some are damaged. */
export const dustyUrl: fc.Arbitrary<string> = fc
  .record({
    origin: fc.constantFrom(
      "http://a.test",
      "http://a.test",
      "https://b.a.test",
      "http://a.test:8080",
      "",
      "http://u@ä.test",
    ),
    path: fc.constantFrom(
      "",
      "/",
      "/x",
      "/X",
      "/x/y",
      "/x/Y",
      "/x;s=1/y",
      "/x/y;s=1",
      "/x/y;s=2",
      "/x/y;s=1;t=2",
      "/x;s",
      "/z/y;=1",
    ),
    query: fc.oneof(
      fc.constant(""),
      fc
        .array(
          fc.tuple(
            fc.constantFrom("&", "&", "&", ";", "&amp;", "&&"),
            fc.constantFrom(
              "a",
              "a=",
              "a=1",
              "a=2",
              "b=1",
              "b=2",
              "b",
              "s=1",
              "s=2",
              "s=3",
              "é=1",
              "=1",
              "",
              "a=1=2",
              "amp",
            ),
          ),
          { minLength: 1, maxLength: 4 },
        )
        .map((pieces) => `?${pieces.map(([separator, piece], i) => (i === 0 ? piece : separator + piece)).join("")}`),
    ),
    fragment: fc.constantFrom("", "", "", "", "#a?b=1;s=1"),
  })
  .map(({ origin, path, query, fragment }) => origin + (origin === "" && path === "" ? "/" : path) + query + fragment);
