import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clusterPages, fromColumns, rootsByRank } from "#src/pages/cluster.js";
import { comparesFeatures, verifyClusters } from "#src/pages/verify.js";
import { bruteForceRoots, joinProbability, plantClusters } from "../../bench/accuracy/cluster-planted.mjs";

/** All pairs that `joins`, then components by relabelling until nothing changes: slow and obvious. */
function components(documents: number, joins: (left: number, right: number) => boolean): number[] {
  const root = Array.from({ length: documents }, (_, document) => document);
  for (let changed = true; changed; ) {
    changed = false;
    for (let left = 0; left < documents; left++) {
      for (let right = 0; right < documents; right++) {
        if (root[left]! < root[right]! && joins(left, right)) {
          root[right] = root[left]!;
          changed = true;
        }
      }
    }
  }
  return root;
}

function commonSupershingles(rows: readonly (readonly bigint[])[], left: number, right: number): number {
  return rows[left]!.filter((value, column) => value === rows[right]![column]).length;
}

function toColumns(rows: readonly (readonly bigint[])[]): BigUint64Array {
  const columns = new BigUint64Array(6 * rows.length);
  rows.forEach((row, document) => {
    row.forEach((value, column) => {
      columns[column * rows.length + document] = value;
    });
  });
  return columns;
}

// Few values, some of which agree in one half only: hash collisions of halves must not count as equality.
const values = fc.constantFrom(0n, 1n, 1n << 32n, (1n << 32n) + 1n, 0xffff_ffff_ffff_ffffn, 7n, 8n, 9n);
const rows = fc.array(fc.array(values, { minLength: 6, maxLength: 6 }), { maxLength: 24 });

describe("clusterPages", () => {
  it("equals the components of all pairs with two, or six, supershingles in common", async () => {
    let joinedSome = 0;
    await fc.assert(
      fc.asyncProperty(rows, fc.array(fc.nat(4), { minLength: 24, maxLength: 24 }), async (made, marks) => {
        const sketched = Uint8Array.from(made, (_, document) => Math.min(1, marks[document]!));
        for (const [level, least] of [
          ["similar", 2],
          ["identical", 6],
        ] as const) {
          const map = await clusterPages(fromColumns(toColumns(made), sketched), { level });
          const expected = components(
            made.length,
            (left, right) =>
              sketched[left] === 1 && sketched[right] === 1 && commonSupershingles(made, left, right) >= least,
          );
          expect([...map.root]).toEqual(expected);
          expect([...map.size]).toEqual(
            expected.map((root, document) =>
              sketched[document] === 0
                ? 0
                : expected.filter((other, at) => other === root && sketched[at] === 1).length,
            ),
          );
          if (map.size.some((size) => size > 2)) joinedSome++;
        }
      }),
      { numRuns: 300 },
    );
    expect(joinedSome).toBeGreaterThan(50);
  });

  it("finds the same with threads, many partitions, large groups and tables that grow", async () => {
    // 120,000 documents make four partitions; 3,000 copies of one page make a group that splits with a table.
    const sizes = [3_000, 500, ...Array.from({ length: 60_000 }, (_, cluster) => 1 + (cluster % 3))].slice(0, 59_000);
    const resemblances = sizes.map((_, cluster) => 0.85 + (cluster % 16) / 100);
    resemblances[0] = 0.97;
    const random = fillColumns(sizes, resemblances);
    const one = await clusterPages(random.source, { threads: 0 });
    const two = await clusterPages(random.source, { threads: 2 });
    expect(Buffer.from(two.root.buffer).equals(Buffer.from(one.root.buffer))).toBe(true);
    expect(Buffer.from(two.size.buffer).equals(Buffer.from(one.size.buffer))).toBe(true);
    expect(one.root).toEqual(random.expected());
    expect(one.size[one.root[random.documentOf(0)]!]).toBeGreaterThan(2_500);
  });

  it("joins a planted pair with the predicted probability (section 2: almost 90% at 0.95, 2.6% at 0.80)", async () => {
    expect(joinProbability(0.95)).toBeCloseTo(0.879, 3);
    expect(joinProbability(0.8)).toBeCloseTo(0.026, 3);
    const pairs = 1_500;
    for (const p of [0.8, 0.95]) {
      const made = plantClusters({ sizes: Array(pairs).fill(2), resemblances: Array(pairs).fill(p), seed: 5 });
      const { root, size } = await clusterPages(fromColumns(made.supershingles));
      const joined = size.filter((members) => members > 1).length / 2 / pairs;
      const sigma = Math.sqrt((joinProbability(p) * (1 - joinProbability(p))) / pairs);
      expect(Math.abs(joined - joinProbability(p))).toBeLessThan(4 * sigma);
      expect([...root].every((to, document) => made.planted[to] === made.planted[document])).toBe(true);
    }
  });

  it("handles no documents, and documents without a sketch only", async () => {
    expect(await clusterPages(fromColumns(new BigUint64Array(0)))).toEqual({
      root: new Uint32Array(0),
      size: new Uint32Array(0),
    });
    const none = await clusterPages(fromColumns(new BigUint64Array(12), new Uint8Array(2)));
    expect([...none.root]).toEqual([0, 1]);
    expect([...none.size]).toEqual([0, 0]);
  });

  it("stops between columns when told to", async () => {
    const stop = new AbortController();
    const source = { documents: 1, readColumn: (column: number) => (column === 1 ? stop.abort() : undefined) };
    await expect(clusterPages(source, { signal: stop.signal })).rejects.toThrow("no clusters were stored");
  });

  it("reports a thread's failure instead of waiting for it", async () => {
    const source = { documents: 10, readColumn: () => Promise.reject(new Error("damaged column")) };
    await expect(clusterPages(source, { threads: 2 })).rejects.toThrow("damaged column");
  });
});

describe("rootsByRank", () => {
  it("takes the smallest rank of each cluster as its root", () => {
    expect([...rootsByRank(Uint32Array.of(0, 0, 2, 0), Uint32Array.of(3, 1, 0, 2))]).toEqual([1, 1, 2, 1]);
  });
});

describe("verifyClusters", () => {
  it("equals the components of pairs that share a megashingle and enough features", async () => {
    let split = 0;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 1e6 }), fc.constantFrom(0.9, 0.95, 0.99), async (seed, least) => {
        const made = plantClusters({ sizes: [14, 9, 2, 1], resemblances: [0.95, 0.98, 0.99, 1], seed });
        const plain = await clusterPages(fromColumns(made.supershingles));
        const common = comparesFeatures(made.features);
        const { map, chaining } = verifyClusters(
          { supershingles: made.supershingles, plain, commonFeatures: common },
          least,
        );
        const shares = (left: number, right: number) => {
          let equal = 0;
          for (let column = 0; column < 6; column++) {
            const start = column * made.documents;
            if (made.supershingles[start + left] === made.supershingles[start + right]) equal++;
          }
          return equal >= 2;
        };
        const expected = components(
          made.documents,
          (left, right) => shares(left, right) && common(left, right) >= least * 84,
        );
        expect([...map.root]).toEqual(expected);
        expect(chaining.moved).toBe(expected.filter((root, document) => root !== plain.root[document]).length);
        expect(chaining.beyondLeaders).toBe(0);
        split += chaining.split;
      }),
      { numRuns: 60 },
    );
    expect(split).toBeGreaterThan(10);
  });

  it("keeps several leaders: B and C stay together where A is unlike both", async () => {
    // One bucket for all three; A = 0 shares 28 features with B and C, which share all 84.
    const features = new BigUint64Array(3 * 84);
    for (let feature = 0; feature < 84; feature++) {
      features[feature] = BigInt(feature);
      features[84 + feature] = features[168 + feature] = BigInt(feature < 28 ? feature : 1000 + feature);
    }
    const supershingles = toColumns([
      [1n, 2n, 3n, 4n, 5n, 6n],
      [1n, 2n, 13n, 14n, 15n, 16n],
      [1n, 2n, 23n, 24n, 25n, 26n],
    ]);
    const plain = await clusterPages(fromColumns(supershingles));
    expect([...plain.root]).toEqual([0, 0, 0]);
    const { map, chaining } = verifyClusters({ supershingles, plain, commonFeatures: comparesFeatures(features) }, 0.9);
    expect([...map.root]).toEqual([0, 1, 1]);
    expect([...map.size]).toEqual([1, 2, 2]);
    expect(chaining).toMatchObject({
      tested: 3,
      dropped: 2,
      clusters: 1,
      split: 1,
      freed: 1,
      moved: 2,
      members: 2,
      unlikeRoot: 2,
    });
  });
});

/** Like plantClusters, without its 84 features: supershingles are drawn directly. */
function fillColumns(sizes: readonly number[], resemblances: readonly number[]) {
  const documents = sizes.reduce((sum, size) => sum + size, 0);
  const planted = new Uint32Array(documents);
  let next = 0;
  // A stride that is prime to the number of documents spreads each cluster over the whole range.
  const documentOf = (place: number) => Number((BigInt(place) * 7_919n) % BigInt(documents));
  sizes.forEach((size, cluster) => {
    for (let member = 0; member < size; member++) planted[documentOf(next++)] = cluster;
  });
  const supershingles = new BigUint64Array(6 * documents);
  let state = 1n;
  for (let column = 0; column < 6; column++) {
    for (let document = 0; document < documents; document++) {
      state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffff_ffff_ffff_ffffn;
      const cluster = planted[document]!;
      const keeps = Number(state >> 40n) / 2 ** 24 < resemblances[cluster]! ** 14;
      supershingles[column * documents + document] = keeps
        ? BigInt(cluster) * 6n + BigInt(column)
        : state | (1n << 63n);
    }
  }
  return {
    source: fromColumns(supershingles),
    documentOf,
    expected: () => {
      // All pairs of 3,000 members would be slow: the brute force takes the small clusters, the large one is joined by
      // every megashingle in turn with plain maps.
      const root = bruteForceRoots({
        documents,
        planted: planted.map((cluster, document) => (cluster < 2 ? sizes.length + document : cluster)),
        supershingles,
        features: supershingles,
      });
      for (const large of [0, 1]) joinByMaps(root, large);
      return root;
    },
  };

  function joinByMaps(root: Uint32Array, cluster: number): void {
    const members = [...planted.keys()].filter((document) => planted[document] === cluster);
    for (let changed = true; changed; ) {
      changed = false;
      for (let i = 0; i < 6; i++) {
        for (let j = i + 1; j < 6; j++) {
          const smallest = new Map<string, number>();
          const key = (document: number) =>
            `${supershingles[i * documents + document]} ${supershingles[j * documents + document]}`;
          for (const document of members) {
            smallest.set(key(document), Math.min(smallest.get(key(document)) ?? document, root[document]!));
          }
          for (const document of members) {
            const best = smallest.get(key(document))!;
            if (best < root[document]!) {
              root[document] = best;
              changed = true;
            }
          }
        }
      }
    }
  }
}
