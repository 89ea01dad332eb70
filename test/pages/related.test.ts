import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { candidateChance, relatePages } from "#src/pages/related.js";

/** Documents by how many features each shares with a text of its group; the others are its own. */
function sketches(documents: readonly { readonly group: number; readonly shared: number; readonly from: number }[]) {
  const features = new BigUint64Array(84 * documents.length);
  documents.forEach(({ group, shared, from }, document) => {
    for (let at = 0; at < 84; at++) {
      const isShared = (at + 84 - from) % 84 < shared;
      features[84 * document + at] = isShared
        ? BigInt(1000 * group + at)
        : BigInt(1_000_000 + 1000 * document + at) << 20n;
    }
  });
  return features;
}

describe("related pages", () => {
  const random = fc.array(fc.record({ group: fc.nat(2), shared: fc.integer({ min: 40, max: 84 }), from: fc.nat(83) }), {
    maxLength: 20,
  });

  it("are the components of pairs with a band in common and enough features", () => {
    let joined = 0;
    fc.assert(
      fc.property(random, fc.constantFrom(0.5, 0.7, 0.9), (documents, resemblance) => {
        const features = sketches(documents);
        const sketched = Uint8Array.from(documents, (_, document) => Number(document % 7 !== 3));
        const same = (a: number, b: number, at: number) => features[84 * a + at] === features[84 * b + at];
        const root = documents.map((_, document) => document);
        for (let a = 0; a < documents.length; a++) {
          for (let b = 0; b < a; b++) {
            if (sketched[a] === 0 || sketched[b] === 0) continue;
            const places = Array.from({ length: 84 }, (_, at) => at);
            const common = places.filter((at) => same(a, b, at)).length;
            const isCandidate = places.some(
              (at) => at % 4 === 0 && [0, 1, 2, 3].every((more) => same(a, b, at + more)),
            );
            if (!isCandidate || common < Math.ceil(resemblance * 84)) continue;
            const [low, high] = [Math.min(root[a]!, root[b]!), Math.max(root[a]!, root[b]!)];
            root.forEach((of, document) => {
              if (of === high) root[document] = low;
            });
          }
        }
        const found = relatePages(features, sketched, resemblance);
        expect([...found.root]).toEqual(root);
        found.size.forEach((size, document) => {
          const members = root.filter((of) => of === root[document]).length;
          expect(size).toBe(sketched[document] === 0 ? 0 : members);
          if (size > 1) joined++;
        });
      }),
      { numRuns: 200, seed: 7 },
    );
    expect(joined).toBeGreaterThan(200);
  });

  it("nearly all of them are candidates", () => {
    expect([0.5, 0.6, 0.7, 0.8].map((share) => candidateChance(share).toFixed(3))).toEqual([
      "0.742",
      "0.946",
      "0.997",
      "1.000",
    ]);
  });
});
