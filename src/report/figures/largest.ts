/** The largest clusters (tables 1 and 2 of the 2004 paper), pairs of mirrored hosts, and collections as a scatter. */
import { bytes, count, counted, percent } from "../../numbers.js";
import { drawBars, LONGEST_NAME } from "./bars.js";
import type { CollectionPoint, Figure, LargestCluster, MirroredPair, SimilarityCost } from "./figure.js";
import { drawLogLog } from "./lines.js";

function largestFigure(title: string, are: string): Figure<readonly LargestCluster[]> {
  const nameOf = ({ title: own, url }: LargestCluster) => (own === undefined || own === "" ? url : own);
  return {
    title,
    sentence: (clusters) => {
      const [first] = clusters;
      return `The largest group of ${are} pages has ${counted(first?.size ?? 0, "page")} on ${counted(first?.hosts ?? 0, "host")}, probably: ${first?.kind ?? "other"}.`;
    },
    // A single cluster is described by the sentence.
    weight: (clusters) => (clusters.length > 1 ? 0.2 : 0.01),
    render: (clusters) =>
      drawBars(
        title,
        clusters.map((cluster) => `${nameOf(cluster)}: ${count(cluster.size)}`).join("; "),
        clusters.map((cluster) => ({ name: nameOf(cluster), value: cluster.size, label: count(cluster.size) })),
      ),
    table: (clusters) => ({
      columns: ["pages", "hosts", "addresses", "what it is", "title", "example"],
      rows: clusters.map(({ size, hosts, machines, kind, title: own, url }) => [
        count(size),
        count(hosts),
        machines === undefined ? "unknown" : count(machines),
        kind,
        own ?? "",
        url,
      ]),
    }),
  };
}

/** Table 1 (2004). */
export const largestClusters = largestFigure("The largest clusters of very similar pages", "very similar");
/** Table 2 (2004). */
export const largestIdentical = largestFigure(
  "The largest clusters of virtually identical pages",
  "virtually identical",
);

/** "amd64 = i386 .guide.test": where there is no room for both names, the part that both end in is written once. */
function pairName({ a, b }: MirroredPair): string {
  const whole = `${a} = ${b}`;
  if (whole.length <= LONGEST_NAME) return whole;
  const [own, other] = [a.split("."), b.split(".")];
  let common = 0;
  while (common < Math.min(own.length, other.length) - 1 && own.at(-1 - common) === other.at(-1 - common)) common++;
  const head = (labels: readonly string[]) => labels.slice(0, labels.length - common).join(".");
  return common === 0 ? whole : `${head(own)} = ${head(other)} .${own.slice(-common).join(".")}`;
}

/** What the distribution of sizes does not say about two hosts: which they are, and how far they are copies. */
export const mirroredPairs: Figure<readonly MirroredPair[]> = {
  title: "Mirrored hosts",
  sentence: ([first]) => {
    if (first === undefined) return "No two hosts are mirrors of each other.";
    const alike = first.clusters === 0 ? 0 : first.alike / first.clusters;
    return `${count(first.pagesA)} of ${counted(first.knownA, "page")} of "${first.a}" and ${count(first.pagesB)} of ${count(first.knownB)} of "${first.b}" are on both hosts; ${percent(alike)} of those that were looked at are under the same path.`;
  },
  weight: () => 0.25,
  render: (pairs) =>
    drawBars(
      "Mirrored hosts",
      pairs.map((pair) => `${pair.a} and ${pair.b}: ${partsOf(pair)}`).join("; "),
      pairs.map((pair) => ({ name: pairName(pair), ...largerSide(pair), label: partsOf(pair) })),
    ),
  table: (pairs) => ({
    columns: [
      "host",
      "is also",
      "pages on both",
      "pages of it",
      "of the other",
      "groups in common",
      "under the same path",
    ],
    rows: pairs.map(({ a, b, pagesA, knownA, knownB, clusters, alike }) => [
      ...[a, b, count(pagesA), count(knownA), count(knownB), count(clusters), count(alike)],
    ]),
  }),
};

const partsOf = ({ pagesA, knownA, pagesB, knownB }: MirroredPair) => {
  if (pagesA !== pagesB) return `${count(pagesA)} of ${count(knownA)}, ${count(pagesB)} of ${count(knownB)}`;
  return `${count(pagesA)} of ${count(knownA)}${knownA === knownB ? "" : ` and ${count(knownB)}`}`;
};

const largerSide = ({ pagesA, knownA, pagesB, knownB }: MirroredPair) =>
  knownA >= knownB ? { value: pagesA, whole: knownA } : { value: pagesB, whole: knownB };

/** Collections with their names, where these have room. */
const NAMED = 4;

/** Figure 12 (2000): a point for each cluster of collections. */
export const collectionsScatter: Figure<readonly CollectionPoint[]> = {
  title: "Collections by copies and pages",
  sentence: (points) => {
    const real = points.filter(({ isNoise }) => !isNoise);
    const best = [...real].sort((a, b) => b.copies * b.pages - a.copies * a.pages)[0];
    const all = real.reduce((sum, { clusters }) => sum + clusters, 0);
    if (best === undefined) return "No collection is more than noise.";
    return `${counted(all, "collection")} with copies; the one with most pages in all has ${counted(best.pages, "page")}, and is there ${count(best.copies)} times.`;
  },
  // A picture of noise alone comes last.
  weight: (points) => (points.some(({ isNoise }) => !isNoise) ? 0.22 : 0.01),
  render: (points) => {
    const place = ({ copies, pages }: CollectionPoint) => ({ x: copies, y: pages });
    const real = points.filter(({ isNoise }) => !isNoise);
    const noise = points.filter(({ isNoise }) => isNoise);
    const named = real.filter(({ name }) => name !== undefined).slice(0, NAMED);
    return drawLogLog(
      "Collections by copies and pages",
      points
        .map(
          ({ copies, pages, clusters }) => `${count(clusters)} of ${count(copies)} copies with ${count(pages)} pages`,
        )
        .slice(0, 30)
        .join("; "),
      [
        {
          name: "collections",
          points: real.map(place),
          labels: named.map((point) => ({ ...place(point), text: point.name! })),
        },
        ...(noise.length === 0 ? [] : [{ name: "too small to count", points: noise.map(place) }]),
      ],
      { x: "copies", y: "pages" },
    );
  },
  table: (points) => ({
    columns: ["copies", "pages", "collections", "such as"],
    rows: points.map(({ copies, pages, clusters, name, isNoise }) => [
      ...[count(copies), count(pages), count(clusters), name ?? (isNoise ? "too small to count" : "")],
    ]),
  }),
};

/** Table 1 (2000). */
export const similarityCosts: Figure<readonly SimilarityCost[]> = {
  title: "What it takes to find similar pages",
  sentence: (costs) => {
    const most = costs.reduce((best, cost) => (cost.bytes > best.bytes ? cost : best));
    return `By ${most.name} the texts are ${counted(most.fingerprints, "fingerprint")} (${bytes(most.bytes)}), and similar pages are found in ${seconds(most.similarMs)}.`;
  },
  weight: () => 0.02,
  render: (costs) =>
    drawBars(
      "Room for fingerprints",
      costs.map(({ name, bytes: room }) => `${name}: ${bytes(room)}`).join("; "),
      costs.map(({ name, bytes: room }) => ({ name, value: room, label: bytes(room) })),
    ),
  table: (costs) => ({
    columns: ["compared by", "fingerprints", "room", "time to cut texts", "time to find similar pages"],
    rows: costs.map(({ name, fingerprints, bytes: room, cutMs, similarMs }) => [
      ...[name, count(fingerprints), bytes(room), seconds(cutMs), seconds(similarMs)],
    ]),
  }),
};

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
