import { describe, expect, it } from "vitest";
import { countClusters, countMachines, largestClusters, membersOf } from "#src/pages/cluster-numbers.js";
import { guessKind } from "#src/pages/kind.js";
import { nearDuplicatesInWords } from "#src/pages/near-duplicate-words.js";
import { fitPowerLaw, zeta } from "#src/pages/power-law.js";
import { sizeClass, sizeClasses } from "#src/pages/size-class.js";
import { drawSize, randomNumbers } from "../../bench/accuracy/cluster-planted.mjs";

const map = {
  root: Uint32Array.of(0, 1, 0, 1, 1, 5, 6, 0, 8, 8),
  size: Uint32Array.of(3, 3, 3, 3, 3, 1, 0, 3, 2, 2),
};

describe("countClusters", () => {
  it("counts all but one of each cluster as near-duplicates, over documents with a sketch", () => {
    expect(countClusters(map)).toMatchObject({
      documents: 9,
      unsketched: 1,
      clustered: 8,
      clusters: 3,
      nearDuplicates: 5,
      share: 5 / 9,
      distribution: [
        { size: 2, count: 1 },
        { size: 3, count: 2 },
      ],
    });
  });

  it("is told in words with that share, not with that of all pages in clusters", () => {
    expect(nearDuplicatesInWords(countClusters(map))).toBe(
      "56% of 9 pages are near-duplicates: 8 in 3 clusters, one of each not counted",
    );
    const none = { documents: 1, clustered: 0, clusters: 0 };
    expect(nearDuplicatesInWords(none)).toBe("none of 1 page is a near-duplicate of another");
    expect(nearDuplicatesInWords({ ...none, documents: 0 })).toBe("no page has text");
  });

  it("agrees with the paper's arithmetic (section 3)", () => {
    expect((57_305_947 - 13_283_856) / 150_836_209).toBeCloseTo(0.292, 3);
    expect((45_492_400 - 12_019_235) / 150_836_209).toBeCloseTo(0.222, 3);
  });
});

describe("largestClusters", () => {
  it("gives roots by size, then by document", () => {
    expect(largestClusters(map, 10)).toEqual([0, 1, 8]);
    expect(largestClusters(map, 1)).toEqual([0]);
    expect(largestClusters({ root: Uint32Array.of(0, 0, 2, 2, 2), size: Uint32Array.of(2, 2, 3, 3, 3) }, 1)).toEqual([
      2,
    ]);
  });

  it("lists the members of the clusters asked for", () => {
    expect([...membersOf(map, [1, 8])].map(([root, members]) => [root, [...members]])).toEqual([
      [1, [1, 3, 4]],
      [8, [8, 9]],
    ]);
  });
});

describe("countMachines", () => {
  it("takes hosts that share an address for one machine, unknown ones for their own, failed ones apart", () => {
    const addresses: Record<string, string[] | null> = {
      "a.test": ["10.0.0.1"],
      "b.test": ["10.0.0.2"],
      "c.test": ["10.0.0.2", "10.0.0.1"],
      "gone.test": null,
    };
    const hosts = ["a.test", "b.test", "c.test", "gone.test", "unknown.test", "other.test", "a.test"];
    expect(countMachines(hosts, (host) => (host in addresses ? addresses[host]! : []))).toEqual({
      hosts: 6,
      machines: 3,
      unresolvable: 1,
      unknown: 2,
    });
  });
});

describe("sizeClass", () => {
  it("has the paper's seven ranges", () => {
    expect([1, 2, 10, 11, 100, 101, 1000, 1001, 10_000, 10_001, 100_000, 100_001].map(sizeClass)).toEqual([
      0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6,
    ]);
    expect(sizeClasses).toHaveLength(7);
  });
});

describe("fitPowerLaw", () => {
  it("knows the Hurwitz zeta function", () => {
    expect(zeta(2, 1)).toBeCloseTo(Math.PI ** 2 / 6, 8);
    expect(zeta(4, 1)).toBeCloseTo(Math.PI ** 4 / 90, 8);
    expect(zeta(2.5, 2)).toBeCloseTo(zeta(2.5, 1) - 1, 8);
  });

  it("finds the exponent that sizes were drawn with", () => {
    const random = randomNumbers(3);
    const counts = new Map<number, number>();
    for (let draw = 0; draw < 30_000; draw++) {
      const size = drawSize(random, 2.5, 1e6);
      counts.set(size, (counts.get(size) ?? 0) + 1);
    }
    const distribution = [...counts].map(([size, count]) => ({ size, count })).sort((a, b) => a.size - b.size);
    const fit = fitPowerLaw(distribution)!;
    expect(Math.abs(fit.exponent - 2.5)).toBeLessThan(0.1);
    expect(fit.error).toBeLessThan(0.1);
  });

  it("says nothing about a handful of clusters, or of sizes", () => {
    expect(fitPowerLaw([{ size: 2, count: 3 }])).toBeUndefined();
    expect(fitPowerLaw([{ size: 2, count: 300 }])).toBeUndefined();
    expect(fitPowerLaw([2, 3, 4, 20].map((size) => ({ size, count: 800 / size })))).toBeUndefined();
    expect(fitPowerLaw([])).toBeUndefined();
  });

  it("is a law only of sizes that follow one", () => {
    const random = randomNumbers(5);
    const distributionOf = (sizes: readonly number[]) => {
      const counts = new Map<number, number>();
      for (const size of sizes) counts.set(size, (counts.get(size) ?? 0) + 1);
      return [...counts].map(([size, count]) => ({ size, count })).sort((a, b) => a.size - b.size);
    };
    const share = () => (random() + 0.5) / 2 ** 32;
    // A law is refused in one of ten cases; of twenty, not in half.
    const kept = Array.from({ length: 20 }, () =>
      fitPowerLaw(distributionOf(Array.from({ length: 2000 }, () => drawSize(random, 2.5, 100_000)))),
    ).filter((law) => law !== undefined);
    expect(kept.length).toBeGreaterThan(12);
    for (const { exponent } of kept) expect(Math.abs(exponent - 2.5)).toBeLessThan(0.3);
    // Sizes that fall exponentially, that are all about as frequent, and copies of which everybody has the same few.
    const geometric = Array.from({ length: 5000 }, () => 2 + Math.floor(-20 * Math.log(share())));
    const even = Array.from({ length: 5000 }, () => 2 + Math.floor(200 * share()));
    const mirrors = Array.from({ length: 600 }, () => 245 + Math.floor(6 * share() ** 3));
    for (const sizes of [geometric, even, mirrors]) expect(fitPowerLaw(distributionOf(sizes))).toBeUndefined();
  });
});

describe("guessKind", () => {
  const cases: readonly [string, Parameters<typeof guessKind>[0]][] = [
    ["empty", { size: 92629, hosts: 43906, urls: ["http://gc.dk/"], title: "Untitled Document", words: 2 }],
    [
      "login",
      { size: 84421, hosts: 121, urls: ["http://boise.test/login?to=/review/29/add"], title: "Review", words: 80 },
    ],
    ["soft error", { size: 9, hosts: 1, urls: ["http://a.test/x"], title: "Page not found", words: 40 }],
    [
      "parked",
      { size: 9, hosts: 9, urls: ["http://a.test/"], title: "a.test", text: "Buy this domain today", words: 4 },
    ],
    [
      "directory",
      { size: 9, hosts: 1, urls: ["http://a.test/SiteMap", "http://a.test/SiteMap/b"], title: "Cars", words: 400 },
    ],
    [
      "mirror",
      {
        size: 4,
        hosts: 4,
        urls: ["http://a.test/g/1", "http://b.test/g/1", "http://c.test/g/1", "http://d.test/g/1"],
        title: "One",
        words: 400,
      },
    ],
    [
      "session or parameters",
      {
        size: 3,
        hosts: 1,
        urls: ["http://a.test/t?sid=1", "http://a.test/t?sid=2", "http://a.test/t?sid=3"],
        title: "T",
        words: 400,
      },
    ],
    [
      "template",
      { size: 3, hosts: 1, urls: ["http://a.test/1", "http://a.test/2"], title: "T", words: 400, identicalShare: 0.1 },
    ],
    ["form", { size: 3, hosts: 1, urls: ["http://a.test/1/reply", "http://a.test/2/reply"], title: "T", words: 400 }],
    ["copies", { size: 3, hosts: 1, urls: ["http://a.test/1", "http://a.test/2"], title: "T", words: 400 }],
  ];
  for (const [kind, cues] of cases) {
    it(`guesses ${kind}, and says why`, () => {
      const guess = guessKind(cues);
      expect(guess.kind).toBe(kind);
      expect(guess.why).not.toBe("");
    });
  }
});
