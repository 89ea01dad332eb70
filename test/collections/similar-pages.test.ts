import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DocChunks } from "#src/collections/chunk-lists.js";
import { chunkThresholds, findSimilarPages } from "#src/collections/similar-pages.js";
import { firstEqual } from "#src/pages/first-equal.js";
import { chunkFingerprints, chunkFingerprints32 } from "#src/sketch/chunks.js";

function docChunks(pages: readonly { chunks: readonly bigint[]; whole: bigint }[], bits: 32 | 64 = 64): DocChunks {
  const offsets = new Uint32Array(pages.length + 1);
  pages.forEach(({ chunks }, page) => {
    offsets[page + 1] = offsets[page]! + chunks.length;
  });
  const all = pages.flatMap(({ chunks }) => chunks);
  return {
    pages: pages.length,
    offsets,
    fingerprints: bits === 64 ? BigUint64Array.from(all) : Uint32Array.from(all, Number),
    whole: BigUint64Array.from(pages, ({ whole }) => whole),
  };
}

/** All pairs, then closed under transitivity. */
function bruteForceRoots(
  pages: readonly { chunks: readonly bigint[]; whole: bigint }[],
  threshold: number,
  overlap = 0,
): number[] {
  const sets = pages.map(({ chunks }) => new Set(chunks));
  const root = pages.map((_, page) => page);
  for (let a = 0; a < pages.length; a++) {
    for (let b = 0; b < a; b++) {
      const shared = [...sets[a]!].filter((chunk) => sets[b]!.has(chunk)).length;
      const sameText = pages[a]!.whole !== 0n && pages[a]!.whole === pages[b]!.whole;
      const isEnough = shared > threshold && shared >= overlap * Math.max(sets[a]!.size, sets[b]!.size);
      if (!isEnough && !sameText) continue;
      const [low, high] = [Math.min(root[a]!, root[b]!), Math.max(root[a]!, root[b]!)];
      root.forEach((of, page) => {
        if (of === high) root[page] = low;
      });
    }
  }
  return root;
}

/** Pages with 36 to 40 of so many chunks each. */
function drawn(count: number, chunksInAll: number): { chunks: bigint[]; whole: bigint }[] {
  let seed = 1;
  const random = (below: number) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  return Array.from({ length: count }, (_, number) => {
    const chunks = Array.from({ length: chunksInAll }, (_, at) => BigInt(at));
    for (let at = 0; at < 40; at++) {
      const other = at + random(chunksInAll - at);
      [chunks[at], chunks[other]] = [chunks[other]!, chunks[at]!];
    }
    return { chunks: chunks.slice(0, 36 + random(5)), whole: BigInt(1000 + number) };
  });
}

describe("firstEqual", () => {
  it("gives the first index of each value", () => {
    const values = Uint32Array.from({ length: 100_000 }, (_, at) => (at * at) % 40_009);
    for (const column of [values, BigUint64Array.from(values, (value) => BigInt(value) << 33n)]) {
      const first = new Map<number | bigint, number>();
      column.forEach((value: number | bigint, at: number) => {
        if (!first.has(value)) first.set(value, at);
      });
      expect(firstEqual(column)).toEqual(Uint32Array.from(column as Uint32Array, (value) => first.get(value)!));
    }
    expect(firstEqual(new Uint32Array(0))).toEqual(new Uint32Array(0));
  });
});

describe("similar pages", () => {
  // The whole text decides the chunks, but texts with equal chunks can differ in what lies between them.
  const page = fc
    .record({ chunks: fc.array(fc.bigInt({ min: 1n, max: 12n }), { maxLength: 10 }), between: fc.nat(1) })
    .map(({ chunks, between }) => ({
      chunks,
      whole: chunks.length === 0 ? 0n : chunks.reduce((sum, chunk) => 13n * sum + chunk, BigInt(1 + between)),
    }));

  it("are those that all pairs give", () => {
    let joined = 0;
    let alone = 0;
    fc.assert(
      fc.property(
        fc.array(page, { maxLength: 16 }),
        fc.nat(5),
        fc.constantFrom(32, 64),
        fc.constantFrom(0, 0.25, 0.5, 0.6, 1),
        fc.record({ oftenTexts: fc.nat(8), denseFrom: fc.constantFrom(0, 1e9) }),
        (pages, threshold, bits, overlap, effort) => {
          const { root } = findSimilarPages(docChunks(pages, bits), { threshold, overlap }, effort);
          expect([...root]).toEqual(bruteForceRoots(pages, threshold, overlap));
          root.forEach((of, at) => {
            if (of === at) alone++;
            else joined++;
          });
        },
      ),
      { numRuns: 500 },
    );
    expect(Math.min(joined, alone)).toBeGreaterThan(300);
  });

  it("are those that all pairs give, among many pages with common chunks", () => {
    // Menus of 4 on everything, sections of 3, and texts of 6 that every third page shares with another one.
    const pages = Array.from({ length: 300 }, (_, number) => ({
      chunks: [
        ...Array.from({ length: 4 }, (_, at) => BigInt(1 + at)),
        ...Array.from({ length: 3 }, (_, at) => BigInt(100 + 10 * (number % 7) + at)),
        ...Array.from({ length: 6 }, (_, at) => BigInt(1000 + 10 * (number % 3 === 0 ? number % 150 : number) + at)),
      ],
      whole: BigInt(10_000 + number),
    }));
    for (const threshold of [3, 4, 5, 6, 7, 9, 10, 12]) {
      const found = findSimilarPages(docChunks(pages), { threshold });
      expect([...found.root]).toEqual(bruteForceRoots(pages, threshold));
      expect(found.common[0]!.texts).toBe(300);
    }
  });

  it("does not compare what a template has in common, page by page", () => {
    const pages = Array.from({ length: 20_000 }, (_, number) => ({
      chunks: [
        ...Array.from({ length: 20 }, (_, at) => BigInt(1 + at)),
        ...Array.from({ length: 3 }, (_, at) => BigInt(1000 + 10 * Math.floor(number / 2) + at)),
        BigInt(1_000_000 + (number % 5_000)),
      ],
      whole: BigInt(10_000_000 + number),
    }));
    const found = findSimilarPages(docChunks(pages), { threshold: 15 });
    expect(found.root.every((root) => root === 0)).toBe(true);
    expect(found.compared).toBeLessThan(3 * pages.length);
    expect(found.veryCommon.chunks).toBe(20);
    expect(found.veryCommon.occurrences).toBe(20 * pages.length);
  });

  it("compares the menus that pages have, not the pages with each other", () => {
    // One of ten menus for the section and one of ten for the language: pages of one section share 20 chunks, and T is 25.
    const site = (count: number) =>
      Array.from({ length: count }, (_, number) => ({
        chunks: [
          ...Array.from({ length: 20 }, (_, at) => BigInt(100 * (number % 10) + at)),
          ...Array.from({ length: 20 }, (_, at) => BigInt(10_000 + 100 * (Math.floor(number / 10) % 10) + at)),
          ...Array.from({ length: 5 }, (_, at) => BigInt(1_000_000 + 10 * (number % (count / 2)) + at)),
        ],
        whole: BigInt(100_000_000 + number),
      }));
    const few = site(400);
    expect([...findSimilarPages(docChunks(few), { threshold: 25 }, { oftenTexts: 20, denseFrom: 32 }).root]).toEqual(
      bruteForceRoots(few, 25),
    );
    const found = findSimilarPages(docChunks(site(2000)), { threshold: 25 });
    expect(new Set(found.root).size).toBe(100);
    const many = findSimilarPages(docChunks(site(8000)), { threshold: 25 });
    expect(many.compared).toBeLessThan(5 * found.compared);
  });

  it("are those that all pairs give, where all pages draw from the same few chunks", () => {
    // Two pages share 13 chunks, give or take 3. More than one block of lists.
    const pages = drawn(1040, 120);
    const found = findSimilarPages(docChunks(pages), { threshold: 20 });
    const rows = pages.map(({ chunks }) => {
      const row = new Uint8Array(120);
      for (const chunk of chunks) row[Number(chunk)] = 1;
      return row;
    });
    const roots = pages.map((_, page) => page);
    rows.forEach((row, a) => {
      for (let b = 0; b < a; b++) {
        let shared = 0;
        for (let chunk = 0; chunk < 120; chunk++) shared += row[chunk]! & rows[b]![chunk]!;
        if (shared <= 20 || roots[a] === roots[b]) continue;
        const [low, high] = [Math.min(roots[a]!, roots[b]!), Math.max(roots[a]!, roots[b]!)];
        roots.forEach((of, page) => {
          if (of === high) roots[page] = low;
        });
      }
    });
    expect([...found.root]).toEqual(roots);
    expect(new Set(roots).size).toBeLessThan(pages.length - 100);
    expect(new Set(roots).size).toBeGreaterThan(pages.length / 4);
    // One in 32 by itself, and then no more.
    expect(found.compared).toBeLessThan((pages.length * pages.length) / 32);
  });

  it("are those that all pairs give, whatever the number of chunks that is counted densely", () => {
    let joined = 0;
    let alone = 0;
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ minLength: 32, maxLength: 32 }), { minLength: 2, maxLength: 150, size: "max" }),
        fc.integer({ min: 1, max: 100 }),
        (rows, threshold) => {
          // Of 256 chunks those whose bit is set.
          const pages = rows.map((row, number) => ({
            chunks: Array.from({ length: 256 }, (_, at) => BigInt(at)).filter(
              (chunk) => (row[Number(chunk) >>> 3]! >>> (Number(chunk) & 7)) & 1,
            ),
            whole: BigInt(1000 + number),
          }));
          const { root } = findSimilarPages(docChunks(pages), { threshold }, { oftenTexts: 0, denseFrom: 1e9 });
          expect([...root]).toEqual(bruteForceRoots(pages, threshold));
          root.forEach((of, at) => {
            if (of === at) alone++;
            else joined++;
          });
        },
      ),
      { numRuns: 30 },
    );
    expect(Math.min(joined, alone)).toBeGreaterThan(100);
  });

  it("passes over what is joined already, where all pages draw from the same few chunks", () => {
    const few = findSimilarPages(docChunks(drawn(2500, 120)), { threshold: 18 });
    const many = findSimilarPages(docChunks(drawn(10_000, 120)), { threshold: 18 });
    expect(new Set(many.root).size).toBe(1);
    expect(few.counted).toBeGreaterThan(0);
    expect(many.counted + many.compared).toBeLessThan(5 * (few.counted + few.compared));
  });

  it("share strictly more than T chunks, or the whole text however short", () => {
    const text = (from: number, lines: number) =>
      Array.from({ length: lines }, (_, at) => `line ${from + at}`).join("\n");
    const of = (texts: readonly string[], chunking: "two-lines" | "four-lines") =>
      findSimilarPages(
        docChunks(
          texts.map((one) => ({
            chunks: [...chunkFingerprints(one, chunking)],
            whole: chunkFingerprints(one, "document")[0] ?? 0n,
          })),
        ),
        { threshold: chunkThresholds[chunking] },
      );
    const a = `${text(0, 60)}\na`;
    expect([...of([a, `${text(0, 60)}\nb`], "four-lines").root]).toEqual([0, 1]);
    expect([...of([`${text(0, 64)}\na`, `${text(0, 64)}\nb`], "four-lines").root]).toEqual([0, 0]);
    expect([...of([`${text(0, 50)}\na`, `${text(0, 50)}\nb`], "two-lines").root]).toEqual([0, 1]);
    expect([...of([`${text(0, 52)}\na`, `${text(0, 52)}\nb`], "two-lines").root]).toEqual([0, 0]);
    const short = of(["short", "", "short", ""], "two-lines");
    expect([...short.root]).toEqual([0, 1, 0, 3]);
    expect([short.identical, short.withoutText]).toEqual([1, 2]);
  });

  it("takes the paper's 32-bit fingerprints", () => {
    const text = Array.from({ length: 70 }, (_, at) => `line ${at}`).join("\n");
    const fingerprints = [...chunkFingerprints32(text, "four-lines")].map(BigInt);
    const pages = [
      { chunks: fingerprints, whole: 1n },
      { chunks: [...fingerprints, 7n], whole: 2n },
    ];
    expect([...findSimilarPages(docChunks(pages, 32), { threshold: 15 }).root]).toEqual([0, 0]);
  });
});
