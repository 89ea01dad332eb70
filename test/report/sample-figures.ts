import type { SizeCount } from "#src/pages/power-law.js";
import { fitPowerLaw } from "#src/pages/power-law.js";
import type { FigureData, SnapshotCoefficient } from "#src/report/figures/figure.js";

/** Sizes as a power law makes them, without chance. */
function lawfulSizes(exponent: number, scale: number, largest: number): SizeCount[] {
  return Array.from({ length: largest - 1 }, (_, i) => i + 2)
    .map((size) => ({ size, count: Math.round(scale * size ** -exponent) }))
    .filter(({ count }) => count > 0);
}

function sizeSeries(snapshot: string, level: string, exponent: number, scale: number) {
  const distribution = lawfulSizes(exponent, scale, 20_000);
  return { snapshot, level, distribution, share: 0.29, law: fitPowerLaw(distribution)! };
}

const snapshots = ["week-02", "week-03", "week-04", "week-05", "week-06"];
const classes = ["1", "2-10", "11-100", "101-1,000", "1,001-10,000"];
const coefficients = (loss: number): SnapshotCoefficient[] =>
  snapshots.flatMap((snapshot, week) =>
    classes.map((sizes, i) => ({ snapshot, sizes, urls: 1000 * (5 - i), value: 1 - (loss + i / 150) * (week + 1) })),
  );

const change = {
  changes: ["complete change", "large change", "medium change", "small change", "no text change", "no change"],
  classes: [
    { sizes: "1", downloads: 9000, shares: [0.02, 0.03, 0.05, 0.1, 0.2, 0.6] },
    { sizes: "2-10", downloads: 3000, shares: [0.04, 0.03, 0.03, 0.1, 0.3, 0.5] },
    { sizes: "11-100", downloads: 700, shares: [0.1, 0.1, 0.1, 0.2, 0.2, 0.3] },
    { sizes: "101-1,000", downloads: 0, shares: [0, 0, 0, 0, 0, 0] },
  ],
};

const sizes = ["1", "2-10", "11-100"];
const buckets = Array.from({ length: 86 }, (_, bucket) => bucket);
const changeBuckets = {
  sizes,
  downloads: buckets.map((bucket) => (bucket === 40 ? 0 : bucket === 85 ? 5000 : 10 + bucket)),
  shares: buckets.map((bucket) => (bucket === 40 ? [0, 0, 0] : [0.7 - bucket / 300, 0.2, 0.1 + bucket / 300])),
  relative: buckets.map((bucket) => (bucket === 40 ? [0, 0, 0] : [1.2 - bucket / 200, 1, 0.3 + bucket / 40])),
};

const largest = Array.from({ length: 20 }, (_, i) => ({
  ...{
    size: 4000 - 150 * i,
    hosts: 3 + i,
    kind: i % 2 === 0 ? "placeholder" : "other",
    url: `http://a.test/${i}?a=1&b=2`,
  },
  ...(i % 3 > 0 && { machines: 2 + i, title: `A page <script>alert(${i})</script>` }),
}));

/** Something to draw for every figure, with names that try to break out. */
export const sampleFigures: FigureData = {
  "precision-at-k": [
    { name: "forum.test", points: Array.from({ length: 200 }, (_, i) => ({ x: i + 1, y: 1 - i / 800 })) },
    { name: "news.test", points: Array.from({ length: 120 }, (_, i) => ({ x: i + 1, y: 0.9 - i / 300 })) },
  ],
  "precision-by-validations": [
    {
      name: "substring rules",
      points: Array.from({ length: 101 }, (_, i) => ({ x: i, y: Math.min(1, 0.4 + i / 60) })),
    },
  ],
  "rules-per-phase": [
    { site: "forum.test", detected: 26_899, remaining: 2041, proven: 7 },
    { site: "news.test", detected: 12_144, remaining: 1243, proven: 62 },
  ],
  redundancy: [
    { site: "forum.test", urls: 14_000, saved: 0.61 },
    { site: "<script>alert(1)</script>", urls: 900, saved: 0.06 },
  ],
  "duplicates-by-cause": { covered: 4700, image: 2900, softError: 800, copy: 1200, similar: 400 },
  "dust-by-rule": [
    { name: "drop ?sid", urls: 1845 },
    { name: "</text><script>alert(1)</script>", urls: 600 },
    { name: "spelling: fragment & co", urls: 12 },
  ],
  "cluster-sizes": [
    sizeSeries("week-01", "similar", 2.1, 90_000),
    sizeSeries("week-01", "identical", 2.4, 60_000),
    sizeSeries("week-11", "similar", 2.15, 80_000),
    sizeSeries("week-11", "identical", 2.5, 50_000),
  ],
  retention: coefficients(0.01),
  "similarity-over-snapshots": coefficients(0.03),
  "hosts-by-change": {
    before: "week-01",
    after: "week-11",
    changes: [
      { change: -12, hosts: 3 },
      { change: -1, hosts: 40 },
      { change: 0, hosts: 918 },
      { change: 1, hosts: 30 },
      { change: 6, hosts: 9 },
    ],
  },
  "change-by-cluster-size": change,
  "change-by-mirror-size": change,
  "mirror-sizes": [sizeSeries("week-01", "", 1.9, 9000), sizeSeries("week-11", "", 2, 8000)],
  "replication-by-chunking": {
    copies: ["no copy", "1 copy", "2 to 9", "10 to 99", "100 or more"],
    chunkings: [
      { name: "the whole text", shares: [0.64, 0.18, 0.1, 0.05, 0.03] },
      { name: "four lines", shares: [0.56, 0.2, 0.14, 0.06, 0.04] },
      { name: "two lines", shares: [0.52, 0.21, 0.15, 0.07, 0.05] },
    ],
  },
  "reverse-retention": coefficients(0.005),
  "cluster-size-by-change": changeBuckets,
  "size-by-change-normalized": changeBuckets,
  "largest-clusters": largest,
  "largest-identical": largest,
  "mirrored-pairs": [
    { a: "docs.test", b: "mirror.test", pagesA: 120, pagesB: 118, knownA: 130, knownB: 240, clusters: 110, alike: 108 },
  ],
  "similarity-costs": [
    { name: "document", fingerprints: 1000, bytes: 8000, cutMs: 1200, similarMs: 10 },
    { name: "two lines", fingerprints: 42_000, bytes: 336_000, cutMs: 1300, similarMs: 240 },
  ],
  "collections-scatter": [
    { copies: 143, pages: 1349, clusters: 1, isNoise: false, name: "Linux Documentation <b>Project</b>" },
    { copies: 6, pages: 900, clusters: 2, isNoise: false, name: "Java API" },
    { copies: 40, pages: 12, clusters: 3, isNoise: false },
    { copies: 500, pages: 4, clusters: 9, isNoise: true },
  ],
};
