/** Figures 8 and 9 of the 2004 paper: how much a page changes, and how large its cluster is. */
import { count, counted, percent } from "../../numbers.js";
import { drawColumns } from "./columns.js";
import { FEWEST_DOWNLOADS } from "./copies.js";
import type { ChangeBuckets, Figure } from "./figure.js";
import { drawRatios } from "./ratios.js";

/** What the last bucket means; below it, the number of features that two downloads have in common. */
const SAME_BYTES = 85;

const bucketName = (bucket: number) => (bucket === SAME_BYTES ? "the same bytes" : `${bucket} of 84`);

/** Sizes that any download belongs to, with their places in the rows. */
function sizesWithPages({ sizes, shares }: ChangeBuckets): { name: string; at: number }[] {
  return sizes
    .map((size, at) => ({ name: size === "1" ? "alone" : `in clusters of ${size}`, at }))
    .filter(({ at }) => shares.some((row) => (row[at] ?? 0) > 0));
}

/** Degrees of change that any download has. */
const bucketsWithPages = ({ downloads }: ChangeBuckets) =>
  downloads.flatMap((pages, bucket) => (pages > 0 ? [bucket] : []));

/** Figure 8 (2004). */
export const clusterSizeByChange: Figure<ChangeBuckets> = {
  title: "Cluster size by change of the page",
  sentence: ({ downloads, shares, sizes }) => {
    const all = downloads.reduce((sum, n) => sum + n, 0);
    const alone = sizes.indexOf("1");
    const single = downloads.reduce((sum, n, bucket) => sum + n * (shares[bucket]?.[alone] ?? 0), 0);
    const same = downloads[SAME_BYTES] ?? 0;
    return `Of ${counted(all, "pair")} of successive downloads ${percent(all === 0 ? 0 : same / all)} are the same bytes; ${percent(all === 0 ? 0 : single / all)} are of pages unlike any other.`;
  },
  weight: () => 0.05,
  render: (data) => {
    const sizes = sizesWithPages(data);
    return drawColumns(
      "Cluster size by change of the page",
      sizes
        .map(({ name, at }) => `${name}: ${percent(data.shares[SAME_BYTES]?.[at] ?? 0)} of what did not change`)
        .join("; "),
      data.shares.map((row) => sizes.map(({ at }) => row[at] ?? 0)),
      sizes.map(({ name }) => name),
      { x: "features in common with the download before; 85: the same bytes", y: "share of the downloads" },
    );
  },
  table: (data) => {
    const sizes = sizesWithPages(data);
    return {
      columns: ["features in common", "downloads", ...sizes.map(({ name }) => name)],
      rows: bucketsWithPages(data).map((bucket) => [
        bucketName(bucket),
        count(data.downloads[bucket]!),
        ...sizes.map(({ at }) => percent(data.shares[bucket]![at]!)),
      ]),
    };
  },
};

/** Figure 9 (2004). */
export const sizeByChangeNormalized: Figure<ChangeBuckets> = {
  title: "Who changes more than their share",
  sentence: (data) => {
    const downloadsOf = (at: number) =>
      data.downloads.reduce((sum, downloads, bucket) => sum + downloads * data.shares[bucket]![at]!, 0);
    const sizes = sizesWithPages(data).filter(({ at }) => downloadsOf(at) >= FEWEST_DOWNLOADS);
    if (sizes.length < 2) return "Too few downloads to tell whose pages change more than their share.";
    const most = sizes.reduce((best, size) =>
      (data.relative[SAME_BYTES]?.[size.at] ?? 0) > (data.relative[SAME_BYTES]?.[best.at] ?? 0) ? size : best,
    );
    const ratio = data.relative[SAME_BYTES]?.[most.at] ?? 0;
    return `Among pages that did not change at all, those ${most.name} are ${ratio.toFixed(1)} times as common as in the average of the degrees of change that occur.`;
  },
  weight: () => 0.04,
  render: (data) => {
    const sizes = sizesWithPages(data);
    return drawRatios(
      "Who changes more than their share",
      sizes
        .map(({ name, at }) => `${name}: ${(data.relative[SAME_BYTES]?.[at] ?? 0).toFixed(2)} where nothing changed`)
        .join("; "),
      sizes.map(({ name, at }) => ({
        name,
        points: data.relative.map((row, x) => ({ x, y: row[at] ?? 0 })).filter(({ y }) => y > 0),
      })),
      { x: "features in common with the download before; 85: the same bytes", y: "share against its average" },
    );
  },
  table: (data) => {
    const sizes = sizesWithPages(data);
    return {
      columns: ["features in common", ...sizes.map(({ name }) => name)],
      rows: bucketsWithPages(data).map((bucket) => [
        bucketName(bucket),
        ...sizes.map(({ at }) => data.relative[bucket]![at]!.toFixed(2)),
      ]),
    };
  },
};
