/** The figures of the 2004 paper (clusters, their evolution, mirrors) and of the 2000 paper (collections). */

import { count, counted, percent } from "../../numbers.js";
import type { SizeCount } from "../../pages/power-law.js";
import { zeta } from "../../pages/power-law.js";
import { drawBars, drawStacks } from "./bars.js";
import type {
  ChangeShares,
  Figure,
  HostsByChange,
  ReplicationShares,
  SizeSeries,
  SnapshotCoefficient,
} from "./figure.js";
import { type Dots, drawLogLog, drawShares, type Line } from "./lines.js";

/** More dots than this in a series are merged where they are dense: the drawing must not grow with the web. */
const MOST_DOTS = 150;

/** Sizes above some bound are put into bins of 5% each, as clusters per size. */
function thinned(distribution: readonly SizeCount[]): { x: number; y: number }[] {
  if (distribution.length <= MOST_DOTS) return distribution.map(({ size, count: y }) => ({ x: size, y }));
  const bins = new Map<number, { clusters: number; low: number; high: number }>();
  for (const { size, count: clusters } of distribution) {
    const bin = Math.floor(Math.log(size) / Math.log(1.05));
    const known = bins.get(bin) ?? { clusters: 0, low: size, high: size };
    bins.set(bin, { clusters: known.clusters + clusters, low: known.low, high: size });
  }
  return [...bins.values()].map(({ clusters, low, high }) => ({
    x: Math.sqrt(low * high),
    y: clusters / (high - low + 1),
  }));
}

/** The fitted law as a line over the sizes that it is about. */
function trendOf({ distribution, law }: SizeSeries): Dots["trend"] {
  const last = distribution.at(-1)?.size;
  if (law === undefined || last === undefined) return undefined;
  const scale = law.clusters / zeta(law.exponent, law.smallest);
  return [law.smallest, last].map((x) => ({ x, y: scale * x ** -law.exponent }));
}

const nameOf = ({ snapshot, level }: SizeSeries) => [snapshot, level].filter((part) => part !== "").join(", ");

function sizesFigure(title: string, one: string, many: string, per: string): Figure<readonly SizeSeries[]> {
  const total = ({ distribution }: SizeSeries) => distribution.reduce((sum, { count: n }) => sum + n, 0);
  return {
    title,
    sentence: (series) => {
      const most = series.reduce((best, entry) => (entry.share > best.share ? entry : best));
      const largest = most.distribution.at(-1);
      const law =
        most.law === undefined
          ? ""
          : ` From ${count(most.law.smallest)} ${per} on, sizes follow a power law with exponent ${most.law.exponent.toFixed(2)}: the straight line.`;
      const where = series.length === 1 ? "" : ` (${nameOf(most)})`;
      return `${counted(total(most), one, many)}${where}, the largest of ${count(largest?.size ?? 0)} ${per}.${law}`;
    },
    weight: (series) => Math.max(...series.map(({ share }) => share)),
    render: (series) =>
      drawLogLog(
        title,
        series
          .map(
            (one_) =>
              `${nameOf(one_)}: ${counted(total(one_), one, many)}, the largest of ${count(one_.distribution.at(-1)?.size ?? 0)} ${per}`,
          )
          .join("; "),
        series.map((entry) => {
          const trend = trendOf(entry);
          return { name: nameOf(entry), points: thinned(entry.distribution), ...(trend && { trend }) };
        }),
        { x: `${per} in the ${one}`, y: many },
      ),
    table: (series) => ({
      columns: ["series", per, many],
      rows: series.flatMap((entry) =>
        byDecade(entry.distribution).map(([sizes, clusters]) => [nameOf(entry), sizes, count(clusters)]),
      ),
    }),
  };
}

/** 2-9, 10-99, ... */
function byDecade(distribution: readonly SizeCount[]): [string, number][] {
  const decades = new Map<number, number>();
  for (const { size, count: n } of distribution) {
    const decade = Math.floor(Math.log10(size) + 1e-9);
    decades.set(decade, (decades.get(decade) ?? 0) + n);
  }
  return [...decades].map(([decade, n]) => [`${count(10 ** decade)} to ${count(10 ** (decade + 1) - 1)}`, n]);
}

/** Figures 1, 2 and 3 (2004). */
export const clusterSizes = sizesFigure("Clusters of near-duplicates by size", "cluster", "clusters", "pages");
/** Figures 12 and 13 (2004). */
export const mirrorSizes = sizesFigure("Mirrored hosts by shared pages", "pair of hosts", "pairs of hosts", "pages");

/** From this share of pages that stay together on, one may stand for the others. */
const STABLE = 0.95;

const clustersOf = (sizes: string) => (sizes === "1" ? "single pages" : `clusters of ${sizes}`);

function coefficientFigure(
  title: string,
  y: string,
  /** Where every value is 1. */
  unchanged: string,
  meaning: (worst: SnapshotCoefficient) => string,
): Figure<readonly SnapshotCoefficient[]> {
  return {
    title,
    sentence: (rows) => {
      const least = rows.reduce((worst, row) => (row.value < worst.value ? row : worst));
      return least.value === 1 ? unchanged : meaning(least);
    },
    weight: (rows) => 0.15 + Math.max(...rows.map(({ value }) => 1 - value)) / 4,
    render: (rows) => {
      const snapshots = [...new Set(rows.map(({ snapshot }) => snapshot))];
      const classes = [...new Set(rows.map(({ sizes }) => sizes))];
      const lines = classes.map(
        (sizes): Line => ({
          name: clustersOf(sizes),
          points: rows
            .filter((row) => row.sizes === sizes)
            .map((row) => ({ x: snapshots.indexOf(row.snapshot), y: row.value })),
        }),
      );
      const last = snapshots.at(-1);
      const description = rows
        .filter(({ snapshot }) => snapshot === last)
        .map(({ sizes, value }) => `${sizes} pages: ${percent(value)}`)
        .join("; ");
      return drawShares(title, `In ${last}, by size of the cluster in the first snapshot: ${description}`, lines, {
        x: "snapshot",
        y,
        ticks: snapshots,
      });
    },
    table: (rows) => ({
      columns: ["snapshot", "cluster size", "URLs", y],
      rows: rows.map(({ snapshot, sizes, urls, value }) => [snapshot, sizes, count(urls), percent(value)]),
    }),
  };
}

/** Figure 4 (2004). */
export const retention = coefficientFigure(
  "How long clusters stay together",
  "still together",
  "All pages that were alike in the first snapshot, and are still there, are alike in every later one.",
  ({ snapshot, sizes, value }) =>
    `Of the pages that were alike in the first snapshot, at least ${percent(value)} still are in ${snapshot} (least for ${clustersOf(sizes)})${value < STABLE ? "." : ": fetching one of them shows nearly always what the others say."}`,
);
/** Figure 5 (2004). */
export const similarityOverSnapshots = coefficientFigure(
  "How much clusters change over time",
  "in common",
  "Every cluster has the same pages in every snapshot, of those that are still there.",
  ({ snapshot, sizes, value }) =>
    `A cluster and what became of it have ${percent(value)} of their pages in common or more (least for ${clustersOf(sizes)}, in ${snapshot}).`,
);

/** Figure 7 (2004). */
export const reverseRetention = coefficientFigure(
  "Where the pages of later clusters come from",
  "from the same cluster",
  "No page has come into a cluster of the first snapshot from another one.",
  ({ snapshot, sizes, value }) =>
    `Of the pages that what became of a cluster holds later, ${percent(value)} or more were in it before (least for ${clustersOf(sizes)}, in ${snapshot}).`,
);

const FAR_CHANGE = 5;

/** Figure 6 (2004). */
export const hostsByChange: Figure<HostsByChange> = {
  title: "Hosts by change in their clusters",
  sentence: ({ changes, before, after }) => {
    const all = changes.reduce((sum, { hosts }) => sum + hosts, 0);
    const same = changes.find(({ change }) => change === 0)?.hosts ?? 0;
    return `${percent(all === 0 ? 0 : same / all)} of ${counted(all, "host")} ${all === 1 ? "is" : "are"} in as many clusters in ${after} as in ${before}.`;
  },
  weight: () => 0.06,
  render: (data) => {
    const bars = changeBars(data);
    return drawBars(
      "Hosts by change in the number of their clusters",
      bars.map(({ name, label }) => `${name}: ${label}`).join("; "),
      bars,
    );
  },
  table: (data) => ({
    columns: ["clusters more or less", "hosts"],
    rows: changeBars(data).map(({ name, label }) => [name, label]),
  }),
};

function changeBars({ changes }: HostsByChange) {
  const bins = new Map<number, number>();
  for (const { change, hosts } of changes) {
    const bin = Math.max(-FAR_CHANGE, Math.min(FAR_CHANGE, change));
    bins.set(bin, (bins.get(bin) ?? 0) + hosts);
  }
  return [...bins]
    .sort(([a], [b]) => a - b)
    .map(([bin, hosts]) => ({
      name:
        bin === 0
          ? "no change"
          : `${bin > 0 ? "+" : "\u2212"}${Math.abs(bin)}${Math.abs(bin) === FAR_CHANGE ? " or more" : ""}`,
      value: hosts,
      label: count(hosts),
    }));
}

/** Fewer downloads of one size say nothing about it. */
export const FEWEST_DOWNLOADS = 30;

function changeFigure(title: string, what: string, alone: string): Figure<ChangeShares> {
  const withDownloads = ({ classes }: ChangeShares) => classes.filter(({ downloads }) => downloads > 0);
  return {
    title,
    sentence: (data) => {
      const unchanged = ({ shares }: { readonly shares: readonly number[] }) =>
        shares.slice(-2).reduce((a, b) => a + b, 0);
      const enough = data.classes.filter(({ downloads }) => downloads >= FEWEST_DOWNLOADS);
      if (enough.length < 2)
        return `Too few downloads to tell whether ${what} of one size change more than of another.`;
      const stablest = enough.reduce((best, entry) => (unchanged(entry) > unchanged(best) ? entry : best));
      const liveliest = enough.reduce((best, entry) => (unchanged(entry) < unchanged(best) ? entry : best));
      if (percent(unchanged(liveliest)) === percent(unchanged(stablest))) {
        return `Pages in ${what} of every size change alike: ${percent(unchanged(stablest))} of their downloads had the text of the one before.`;
      }
      const which = stablest.sizes === "1" ? alone : `Pages in ${what} of ${stablest.sizes}`;
      return `${which} change least: ${percent(unchanged(stablest))} of their downloads had the text of the one before.`;
    },
    weight: () => 0.08,
    render: (data) =>
      drawStacks(
        title,
        withDownloads(data)
          .map(
            ({ sizes, shares }) =>
              `${sizes}: ${shares.map((share, i) => `${data.changes[i]} ${percent(share)}`).join(", ")}`,
          )
          .join("; "),
        withDownloads(data).map(({ sizes, shares }) => ({ name: sizes, shares })),
        data.changes,
      ),
    table: (data) => ({
      columns: ["size", "downloads", ...data.changes],
      rows: withDownloads(data).map(({ sizes, downloads, shares }) => [
        sizes,
        count(downloads),
        ...shares.map(percent),
      ]),
    }),
  };
}

/** Figure 10 (2004). */
export const changeByClusterSize = changeFigure("Change by size of the cluster", "clusters", "Pages unlike any other");
/** Figure 11 (2004). */
export const changeByMirrorSize = changeFigure("Change by size of the mirror", "mirrors", "Pages on no mirror");

/** Figure 11 (2000). */
export const replicationByChunking: Figure<ReplicationShares> = {
  title: "Copies of pages, by how closely they are compared",
  sentence: ({ chunkings }) => {
    const copied = (shares: readonly number[]) => percent(1 - (shares[0] ?? 0));
    return `Pages with a copy, the one that is kept counted too: ${chunkings.map(({ name, shares }) => `${copied(shares)} by ${name}`).join(", ")}.`;
  },
  weight: ({ chunkings }) => Math.max(...chunkings.map(({ shares }) => 1 - (shares[0] ?? 0))),
  render: ({ copies, chunkings }) =>
    drawStacks(
      "Pages by number of copies",
      chunkings
        .map(({ name, shares }) => `${name}: ${shares.map((share, i) => `${copies[i]} ${percent(share)}`).join(", ")}`)
        .join("; "),
      chunkings,
      copies,
    ),
  table: ({ copies, chunkings }) => ({
    columns: ["compared by", ...copies],
    rows: chunkings.map(({ name, shares }) => [name, ...shares.map(percent)]),
  }),
};
