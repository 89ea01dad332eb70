import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clusterPages, fromColumns } from "#src/pages/cluster.js";
import { clusterGrouped, parseGrouping, sharingChance } from "#src/pages/grouped.js";

/** 84 features of each document, of few values, so that whole supershingles are equal now and then. */
const documents = fc.array(fc.array(fc.nat(1), { minLength: 84, maxLength: 84 }), { minLength: 1, maxLength: 14 });
/** Whole runs of features of another document. */
const copied = fc.array(fc.record({ from: fc.nat(13), to: fc.nat(13), start: fc.nat(83), length: fc.nat(60) }), {
  maxLength: 25,
});

describe("other supershingles", () => {
  it("join documents that share enough of them", () => {
    let joined = 0;
    let alone = 0;
    fc.assert(
      fc.property(
        documents,
        copied,
        fc.constantFrom(["6x14", 2], ["6x14", 6], ["4x21", 1], ["12x7", 3], ["2x3", 2]),
        (given, copies, [text, shared]) => {
          for (const { from, to, start, length } of copies) {
            const [source, target] = [given[from % given.length]!, given[to % given.length]!];
            for (let at = start; at < Math.min(84, start + length); at++) target[at] = source[at]!;
          }
          const grouping = parseGrouping(String(text), Number(shared));
          const slices = given.map((features) =>
            Array.from({ length: grouping.count }, (_, one) =>
              features.slice(one * grouping.features, (one + 1) * grouping.features).join(),
            ),
          );
          const root = given.map((_, at) => at);
          for (let a = 0; a < given.length; a++) {
            for (let b = 0; b < a; b++) {
              if (slices[a]!.filter((slice, one) => slice === slices[b]![one]).length < grouping.shared) continue;
              const [low, high] = [Math.min(root[a]!, root[b]!), Math.max(root[a]!, root[b]!)];
              root.forEach((of, at) => {
                if (of === high) root[at] = low;
              });
            }
          }
          const features = BigUint64Array.from(given.flat(), BigInt);
          const map = clusterGrouped(features, new Uint8Array(given.length).fill(1), grouping);
          expect([...map.root]).toEqual(root);
          map.size.forEach((size) => {
            if (size > 1) joined++;
            else alone++;
          });
        },
      ),
      { numRuns: 300, seed: 11 },
    );
    expect(Math.min(joined, alone)).toBeGreaterThan(200);
  });

  it("are the paper's clusters with the paper's numbers", async () => {
    // A document in three is its predecessor with some features changed.
    const features = new BigUint64Array(84 * 60);
    let state = 5;
    const random = (below: number) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    for (let document = 0; document < 60; document++) {
      for (let at = 0; at < 84; at++) {
        const isCopied = document % 3 !== 0 && random(25) !== 0;
        features[84 * document + at] = isCopied ? features[84 * (document - 1) + at]! : BigInt(random(1e9));
      }
    }
    // A supershingle of a few numbers stands for its features as well as a fingerprint does.
    const values = new BigUint64Array(6 * 60);
    for (let one = 0; one < 6; one++) {
      for (let document = 0; document < 60; document++) {
        const slice = features.subarray(84 * document + 14 * one, 84 * document + 14 * (one + 1));
        values[60 * one + document] = slice.reduce((sum, value) => (sum * 1_000_003n + value) % 2n ** 61n, 0n);
      }
    }
    const sketched = new Uint8Array(60).fill(1);
    const paper = await clusterPages(fromColumns(values), { level: "similar" });
    expect(clusterGrouped(features, sketched, { count: 6, features: 14, shared: 2 })).toEqual({
      root: new Uint32Array(paper.root),
      size: new Uint32Array(paper.size),
    });
    expect(new Set(paper.root).size).toBeLessThan(50);
    expect(new Set(paper.root).size).toBeGreaterThan(20);
  });

  it("have the paper's chances", () => {
    const paper = { count: 6, features: 14, shared: 2 };
    expect(sharingChance(0.95, paper)).toBeCloseTo(0.88, 2);
    expect(sharingChance(0.8, paper)).toBeCloseTo(0.026, 3);
    expect(sharingChance(1, paper)).toBe(1);
    expect(sharingChance(0, paper)).toBe(0);
  });

  it("are refused where they cannot be", () => {
    expect(() => parseGrouping("6*14", 2)).toThrow("expected a number and a length, such as 6x14");
    expect(() => parseGrouping("7x14", 2)).toThrow("98 features, and a sketch has 84");
    expect(() => parseGrouping("6x14", 7)).toThrow("there are 6 supershingles");
    expect(() => parseGrouping("84x1", 10)).toThrow("more than 2000 combinations");
  });
});
