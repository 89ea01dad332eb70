import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { adviseRecrawl } from "#src/pages/advice.js";
import { NOBODY } from "#src/pages/buckets.js";
import {
  addChanges,
  CHANGE_BUCKETS,
  changeBuckets,
  changeClass,
  makeChangeTable,
  NOT_COMPARED,
  previousDownloads,
  relativeContribution,
  sharesByChange,
  sharesBySize,
} from "#src/pages/change.js";
import {
  ABSENT,
  compareHosts,
  compareSnapshots,
  DOWNLOADED,
  type EvolutionPlan,
  FAILED,
  type SnapshotPages,
} from "#src/pages/evolve.js";
import { sizeClass, sizeClasses } from "#src/pages/size-class.js";

/** "a", "b", ...: pages with the same letter are a cluster; "-" absent, "!" failed, "0" downloaded without text. */
function snapshot(letters: string): SnapshotPages {
  const cells = [...letters];
  return {
    outcome: Uint8Array.from(cells, (cell) => (cell === "-" ? ABSENT : cell === "!" ? FAILED : DOWNLOADED)),
    cluster: Uint32Array.from(cells, (cell) => ("-!0".includes(cell) ? NOBODY : cells.indexOf(cell))),
  };
}

/** The definitions as printed: for each URL its two clusters as sets, then averages by class. */
function averages(before: string, after: string, plan: EvolutionPlan) {
  const known = (letters: string, url: number) => !"-!0".includes(letters[url]!);
  const urls = [...before].map((_, url) => url);
  const compared = urls.filter((url) =>
    plan === "ours"
      ? known(before, url) && known(after, url)
      : (known(before, url) || before[url] === "!") && after[url] !== "0",
  );
  const name = (letters: string, url: number) => (known(letters, url) ? letters[url] : "failed");
  const clusterOf = (letters: string, url: number) =>
    new Set(compared.filter((other) => name(letters, other) === name(letters, url)));
  return sizeClasses.map((_, number) => {
    const members = compared.filter((url) => {
      const size = known(before, url)
        ? [...before].filter((letter) => letter === before[url]).length
        : clusterOf(before, url).size;
      return sizeClass(size) === number;
    });
    const average = (value: (a: Set<number>, b: Set<number>, common: number, url: number) => number) =>
      members.length === 0
        ? 1
        : members.reduce((sum, url) => {
            const a = clusterOf(before, url);
            const b = clusterOf(after, url);
            return sum + value(a, b, [...a].filter((other) => b.has(other)).length, url);
          }, 0) / members.length;
    return {
      urls: members.length,
      containment: average((a, _b, common) => common / a.size),
      similarity: average((a, b, common) => common / new Set([...a, ...b]).size),
      reverse: average((_a, b, common) => common / b.size),
      reverseWithArrivals: average((_a, b, common, url) =>
        known(after, url) ? common / [...after].filter((letter) => letter === after[url]).length : common / b.size,
      ),
    };
  });
}

describe("compareSnapshots", () => {
  it("equals the definitions, URL by URL", () => {
    let moved = 0;
    const letters = fc.array(fc.constantFrom(..."aaabbcdef-!0"), { minLength: 25, maxLength: 25 });
    fc.assert(
      fc.property(letters, letters, fc.constantFrom<EvolutionPlan>("ours", "paper"), (first, second, plan) => {
        const before = first.join("");
        const after = second.join("");
        const { classes } = compareSnapshots(snapshot(before), snapshot(after), plan);
        averages(before, after, plan).forEach((expected, number) => {
          const found = classes[number]!;
          expect(found.urls).toBe(expected.urls);
          expect(found.containment).toBeCloseTo(expected.containment, 9);
          expect(found.similarity).toBeCloseTo(expected.similarity, 9);
          expect(found.reverse).toBeCloseTo(expected.reverse, 9);
          expect(found.reverseWithArrivals).toBeCloseTo(expected.reverseWithArrivals, 9);
          expect(found.similarity).toBeLessThanOrEqual(found.containment + 1e-9);
          if (found.containment < 1) moved++;
        });
      }),
      { numRuns: 200 },
    );
    expect(moved).toBeGreaterThan(100);
  });

  it("tells pages that disappeared from pages that left, and counts arrivals", () => {
    //                        aaaa: one leaves, one fails; bb: one gone; then three arrivals, one recovered
    const before = snapshot("aaaabbc---!0");
    const after = snapshot("aax!b-cbyd0c");
    const { classes, arrivals } = compareSnapshots(before, after);
    expect(classes[1]).toMatchObject({ urls: 4, clusters: 2, left: 1, failed: 1, gone: 1 });
    // {0,1,2} of a: two stay of three, one alone; b: one.
    expect(classes[1]!.containment).toBeCloseTo((2 * (2 / 3) + 1 / 3 + 1) / 4);
    // b after has an arrival besides.
    expect(classes[1]!.reverse).toBe(1);
    expect(classes[1]!.reverseWithArrivals).toBeCloseTo((1 + 1 + 1 + 1 / 2) / 4);
    expect(classes[0]).toMatchObject({ urls: 1, containment: 1, left: 0 });
    expect(arrivals).toEqual({ urls: 3, alone: 2, joined: 1, together: 0, unsketched: 0, recovered: 1 });
    expect(compareSnapshots(snapshot("a----"), snapshot("abb0c")).arrivals).toMatchObject({
      urls: 4,
      alone: 1,
      together: 2,
      unsketched: 1,
    });
  });

  it("has a straight line at 1 for the containment of single pages (figure 4)", () => {
    expect(compareSnapshots(snapshot("abcd"), snapshot("aabb")).classes[0]).toMatchObject({
      containment: 1,
      similarity: 0.5,
    });
  });
});

describe("compareHosts", () => {
  it("counts hosts by change in distinct clusters (figure 6)", () => {
    const host = Uint32Array.of(0, 0, 0, 1, 1, 2, 3);
    const change = compareHosts(snapshot("aabccd-"), snapshot("abc!ddd"), host, 4);
    expect([...change.before]).toEqual([2, 1, 1, 0]);
    expect([...change.after]).toEqual([3, 1, 1, 1]);
    expect(change).toMatchObject({
      hosts: 3,
      unchanged: 2 / 3,
      distribution: [
        { change: 0, hosts: 2 },
        { change: 1, hosts: 1 },
      ],
    });
  });
});

describe("change", () => {
  it("sorts 86 buckets into six classes", () => {
    expect([0, 1, 28, 29, 56, 57, 83, 84, 85].map(changeClass)).toEqual([0, 1, 1, 2, 2, 3, 3, 4, 5]);
  });

  it("counts common features by position, and same bytes as 85", () => {
    const earlier = BigUint64Array.from({ length: 3 * 84 }, (_, feature) => BigInt(feature));
    const later = earlier.map((feature, at) => (at >= 84 && at < 94 ? feature + (1n << 40n) : feature));
    expect([...changeBuckets(earlier, later, Uint8Array.of(0, 0, 1))]).toEqual([84, 74, 85]);
  });

  it("compares successive successful downloads", () => {
    const outcomes = ["22", "12", "21", "22"].map((row) => Uint8Array.from(row, Number));
    expect(previousDownloads(outcomes).map((row) => [...row])).toEqual([
      [-1, -1],
      [-1, 0],
      [0, -1],
      [2, 1],
    ]);
  });

  it("draws figures 8 to 10 from one table", () => {
    const table = makeChangeTable();
    addChanges(
      table,
      Uint8Array.of(85, 85, 85, 84, 0, 0, NOT_COMPARED, 30),
      Uint32Array.of(1, 1, 5, 1, 200_000, 5, 5, 0),
    );
    expect(sharesBySize(table)[85]).toEqual([2 / 3, 1 / 3, 0, 0, 0, 0, 0]);
    expect(sharesBySize(table)[0]).toEqual([0, 0.5, 0, 0, 0, 0, 0.5]);
    expect(sharesByChange(table)[0]).toEqual([0, 0, 0, 0, 1 / 3, 2 / 3]);
    expect(sharesByChange(table)[1]).toEqual([0.5, 0, 0, 0, 0, 0.5]);
    const relative = relativeContribution(table);
    expect(relative).toHaveLength(CHANGE_BUCKETS);
    // Section 3: the area below each curve is the same, the number of buckets that are not empty.
    for (const size of [0, 1, 6]) expect(relative.reduce((sum, bar) => sum + bar[size]!, 0)).toBeCloseTo(3);
  });
});

describe("adviseRecrawl", () => {
  it("advises stable clusters, refuses those that members leave, and counts who left since", () => {
    const weeks = [
      snapshot("aaaaaaaabbbbccd"),
      snapshot("aaaaaaaabbxxccd"),
      snapshot("aaaaaaaabyxxc!d"),
      snapshot("aaaaaaaabyxxccd"),
    ];
    const bytes = new Float64Array(15).fill(100);
    const advice = adviseRecrawl(weeks, { bytes });
    expect(advice.clusters.map(({ root, members, trials, left, gone }) => [root, members, trials, left, gone])).toEqual(
      [[0, 8, 21, 0, 0]],
    );
    // x and c have few trials and the class' record against them.
    expect(advice.refused).toBe(2);
    expect(advice.savedFetches).toBe(7);
    expect(advice.savedBytes).toBe(700);
    expect(advice.clusters[0]!.risk).toBeCloseTo((10 * (3.5 / 29)) / 31);
    const all = adviseRecrawl(weeks, { maxRisk: 1 });
    expect(all.clusters.map(({ root, gone }) => [root, gone])).toEqual([
      [0, 0],
      [10, 0],
      [12, 1],
    ]);
    // b's root ends alone, so nobody is advised on it; its trials are in the class: 3 in week 1, 1 in week 2.
    expect(all.classes[1]).toMatchObject({ trials: 21 + 3 + 1 + 2 + 1, leaving: 3 / 28 });
  });

  it("says nothing from one snapshot, or none", () => {
    expect(adviseRecrawl([snapshot("aab")])).toMatchObject({ clusters: [], refused: 1, savedFetches: 0 });
    expect(adviseRecrawl([])).toMatchObject({ clusters: [], refused: 0 });
  });
});
