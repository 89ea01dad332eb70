// Repeats section 4 of Cho et al. 2000 on crawls: how many collections are found, how many are "problem" collections,
// before and after the extension and the joining of break points; and table 2 and figures 11 and 12 for the same pages.
//   node bench/accuracy/collections.mjs CRAWL... [by=two-lines]
// Pages are similar by their chunks, as in the paper, or as near-duplicates (six supershingles, two in common).
// A target is a directory of the first level (a language) with a path that two hosts or more have; its pages should be one
// cluster, and pages of the same path should correspond. A collection that is not in the largest cluster of a target is a
// "problem" collection. Both counts are given: of clusters where two replicas have two real pages, and, as the paper
// counts, of all with two positions, virtual ones too.
import { availableParallelism, cpus } from "node:os";
import { avoidList, replayCrawl } from "../../dist/collections/avoid.js";
import {
  clusterDistribution,
  describeCluster,
  popularCollections,
  replicationDistribution,
} from "../../dist/collections/describe.js";
import { findCollections } from "../../dist/collections/find-collections.js";
import { describeReplicas, urlOf } from "../../dist/collections/replicas.js";
import { CHUNK_THRESHOLDS, findSimilarPages } from "../../dist/collections/similar-pages.js";
import { trivialClusters } from "../../dist/collections/trivial.js";
import { linksFromTable, NONE } from "../../dist/collections/web-graph.js";
import { readSource } from "../../dist/input/read-source.js";
import { clusterPages, fromColumns } from "../../dist/pages/cluster.js";
import { chunkFingerprints } from "../../dist/sketch/chunks.js";
import { sketchText, supershingles } from "../../dist/sketch/sketch.js";
import { compileAvoidList } from "../../dist/url/avoid-list.js";

const inputs = process.argv.slice(2).filter((argument) => !argument.includes("="));
const only = process.argv.find((argument) => argument.startsWith("by="))?.slice(3);
if (inputs.length === 0) throw new Error("usage: node bench/accuracy/collections.mjs CRAWL... [by=two-lines]");

const context = { onProgress: () => {}, signal: new AbortController().signal };
const records = new Map();
const redirects = new Map();
for (const input of inputs) {
  await readSource(
    input,
    {
      onPages: (batch) => {
        for (const page of batch) {
          if (page.redirectTo !== undefined) redirects.set(page.url, page.redirectTo);
          if (page.status === 200 && page.text !== undefined && !records.has(page.url)) records.set(page.url, page);
        }
      },
    },
    context,
  );
}
const pages = [...records.values()];
const numberOf = new Map(pages.map(({ url }, page) => [url, page]));
const hosts = new Map();
const site = Uint32Array.from(pages, ({ url }) => {
  const host = new URL(url).host;
  if (!hosts.has(host)) hosts.set(host, hosts.size);
  return hosts.get(host);
});
const hostNames = [...hosts.keys()];
const encoded = pages.map(({ url }) => new TextEncoder().encode(url));
const offsets = new Uint32Array(pages.length + 1);
encoded.forEach((bytes, page) => {
  offsets[page + 1] = offsets[page] + bytes.length;
});
const bytes = new Uint8Array(offsets[pages.length]);
encoded.forEach((part, page) => {
  bytes.set(part, offsets[page]);
});
const web = { count: pages.length, site, urls: { count: pages.length, bytes, offsets } };
const resolve = (url) => numberOf.get(url) ?? numberOf.get(redirects.get(url)) ?? NONE;
const rows = pages.flatMap(({ links }, page) => (links ?? []).map((url) => [page, resolve(url)]));
const { links, dropped } = linksFromTable(
  pages.length,
  Uint32Array.from(rows, ([from]) => from),
  Uint32Array.from(rows, ([, to]) => to),
);
const bodyBytes = Float64Array.from(pages, (page) => page.bodyBytes ?? 0);

console.log(`${new Date().toISOString()}, Node ${process.version}, ${availableParallelism()} x ${cpus()[0]?.model}`);
console.log(`${pages.length} pages on ${hosts.size} hosts, ${links.dest.length} links`, dropped);
hostNames.forEach((host, number) => {
  console.log(`  ${host}: ${site.filter((of) => of === number).length} pages`);
});

const docChunks = (chunking) => {
  const chunkOffsets = new Uint32Array(pages.length + 1);
  const whole = new BigUint64Array(pages.length);
  const parts = pages.map(({ text }, page) => {
    const fingerprints = chunkFingerprints(text, chunking);
    chunkOffsets[page + 1] = chunkOffsets[page] + fingerprints.length;
    whole[page] = chunkFingerprints(text, "document")[0] ?? 0n;
    return fingerprints;
  });
  const fingerprints = new BigUint64Array(chunkOffsets[pages.length]);
  parts.forEach((part, page) => {
    fingerprints.set(part, chunkOffsets[page]);
  });
  return { pages: pages.length, offsets: chunkOffsets, fingerprints, whole };
};
const percent = (part, of) => `${((100 * part) / of).toFixed(1)}%`;

/** Truth: the path without the host says which page is which, where several hosts have the same one. */
const pathOf = pages.map(({ url }) => new URL(url).pathname);
const directoryOf = pathOf.map((path) => path.slice(0, path.indexOf("/", 1) + 1));
const hostsOf = (keys) => {
  const found = new Map();
  keys.forEach((key, page) => {
    if (!found.has(key)) found.set(key, new Set());
    found.get(key).add(site[page]);
  });
  return found;
};
const hostsOfPath = hostsOf(pathOf);
const targets = [...new Set(directoryOf.filter((key, page) => key !== "" && hostsOfPath.get(pathOf[page]).size > 1))];
let truePairs = 0;
for (const some of hostsOfPath.values()) truePairs += (some.size * (some.size - 1)) / 2;
console.log(`${targets.length} targets; ${truePairs} pairs of pages with the same path on different hosts`);

/** Pairs of corresponding pages on different hosts, and how many of them have the same path. */
const countPairs = (trivial, replicaOf, isNonTrivial) => {
  let pairs = 0;
  let right = 0;
  for (let position = 0; position < trivial.count; position++) {
    const members = trivial.pages.subarray(trivial.offsets[position], trivial.offsets[position + 1]);
    for (const left of members) {
      for (const other of members) {
        if (left >= other || site[left] === site[other] || !isNonTrivial(replicaOf[left])) continue;
        pairs++;
        if (pathOf[left] === pathOf[other]) right++;
      }
    }
  }
  return { pairs, right };
};

const byChunks = (chunking) => {
  const begin = performance.now();
  const chunks = docChunks(chunking);
  const chunked = performance.now();
  const similar = findSimilarPages(chunks, CHUNK_THRESHOLDS[chunking]);
  const counted = performance.now();
  console.log(`\n# ${chunking}, T = ${CHUNK_THRESHOLDS[chunking]}`);
  console.log(
    `chunking ${Math.round((1000 * pages.length) / (chunked - begin))} pages/s, iceberg count ${Math.round((1000 * pages.length) / (counted - chunked))} pages/s; ` +
      `${similar.identical} identical, ${similar.sameChunks} with the same chunks, ${similar.sharedChunks} shared chunks, ${similar.compared} pairs compared`,
  );
  for (const { texts, page } of similar.common.slice(0, 2)) {
    console.log(`  a chunk in ${texts} texts, as ${pages[page].url}`);
  }
  return similar.root;
};

const asNearDuplicates = async () => {
  const values = new BigUint64Array(6 * pages.length);
  const sketched = new Uint8Array(pages.length);
  pages.forEach(({ text }, page) => {
    const sketch = sketchText(text);
    if (sketch === undefined) return;
    sketched[page] = 1;
    supershingles(sketch).forEach((value, column) => {
      values[column * pages.length + page] = value;
    });
  });
  console.log("\n# near-duplicates");
  return (await clusterPages(fromColumns(values, sketched))).root;
};

for (const by of only === undefined ? ["document", "four-lines", "two-lines", "near-duplicates"] : [only]) {
  const trivial = trivialClusters(by === "near-duplicates" ? await asNearDuplicates() : byChunks(by));
  const classes = replicationDistribution(trivial);
  console.log(
    `figure 11: 1, 2, 3-10, 11-100, 101-1000, more: ${classes.map((some) => percent(some, pages.length)).join(", ")}`,
  );
  for (const [name, options] of [
    ["basic", {}],
    ["extended", { extended: true }],
    ["extended, one site", { extended: true, singleSite: true }],
    ["basic, joined through 1", { joinThrough: 1 }],
    ["extended, joined through 2", { extended: true, joinThrough: 2 }],
  ]) {
    const collections = findCollections(web, links, trivial, options);
    const { clusters, breakPoints, disagreeingLinks } = collections;
    const replicas = describeReplicas(web, trivial, collections);
    const described = { web, links, trivial, collections, replicas, titleOf: (page) => pages[page].title };
    const cardinality = (cluster) => clusters.firstReplica[cluster + 1] - clusters.firstReplica[cluster];
    const realPages = (replica) => replicas.pages.offsets[replica + 1] - replicas.pages.offsets[replica];
    const nonTrivial = [...clusters.size.keys()].filter((cluster) => {
      const [first, end] = clusters.firstReplica.subarray(cluster, cluster + 2);
      return (
        Array.from({ length: end - first }, (_, at) => realPages(first + at)).filter((real) => real > 1).length > 1
      );
    });
    const isNonTrivial = new Set(nonTrivial);
    const pagesIn = new Map(targets.map((target) => [target, new Map()]));
    let mixed = 0;
    for (const cluster of nonTrivial) {
      for (let replica = clusters.firstReplica[cluster]; replica < clusters.firstReplica[cluster + 1]; replica++) {
        const own = replicas.pages.pages.subarray(replicas.pages.offsets[replica], replicas.pages.offsets[replica + 1]);
        if (new Set(Array.from(own, (page) => `${site[page]} ${directoryOf[page]}`)).size > 1) mixed++;
        for (const page of own) {
          const count = pagesIn.get(directoryOf[page]);
          count?.set(cluster, (count.get(cluster) ?? 0) + 1);
        }
      }
    }
    const main = new Set();
    let inMain = 0;
    for (const count of pagesIn.values()) {
      const [best] = [...count].sort((a, b) => b[1] - a[1]);
      if (best === undefined) continue;
      main.add(best[0]);
      inMain += best[1];
    }
    const collectionsIn = (some) => some.reduce((sum, cluster) => sum + cardinality(cluster), 0);
    const problems = nonTrivial.filter((cluster) => !main.has(cluster));
    const withVirtual = [...clusters.size.keys()].filter((cluster) => clusters.size[cluster] > 1);
    const breakPages = new Set(breakPoints.flatMap((point) => point.pages.flat()));
    const open = breakPoints.filter(({ from, to }) => from !== to);
    const { pairs, right } = countPairs(
      trivial,
      clusters.replicaOf,
      (replica) => replica !== NONE && isNonTrivial.has(clusters.clusterOfReplica[replica]),
    );
    console.log(
      `${name}: ${collectionsIn(nonTrivial)} non-trivial collections in ${nonTrivial.length} clusters: ` +
        `${collectionsIn([...main])} in the ${main.size} of targets (${inMain} pages), ${collectionsIn(problems)} problem collections; ` +
        `${clusters.count - nonTrivial.length} clusters of one page; with virtual pages ${collectionsIn(withVirtual)} collections, ` +
        `${collectionsIn(withVirtual.filter((cluster) => !main.has(cluster)))} problem collections`,
    );
    console.log(
      `  ${breakPoints.length} splits by ${breakPages.size} break points, ${open.length} still open; ${disagreeingLinks.reduce((sum, count) => sum + count, 0)} links disagree; ${mixed} collections over several directories`,
    );
    console.log(
      `  ${pairs} pairs of pages correspond, ${percent(right, pairs)} of them by the same path, which is ${percent(right, truePairs)} of those`,
    );
    for (const record of popularCollections(described, 3)) {
      console.log(
        `  ${record.cardinality} x ${record.size} "${record.name}" ${record.entryPage}, ${record.starts} starts; real+virtual+unmatched pages: ` +
          record.replicas.map(({ real, virtual, unmatched }) => `${real}+${virtual}+${unmatched}`).join(", "),
      );
    }
    for (const { from, to, pages: split } of open.slice(0, 2)) {
      console.log(
        `  split: ${describeCluster(described, from).entryPage} | ${split.map((some) => some.map((page) => urlOf(web, page)).join(" > ")).join(" | ")} | ${describeCluster(described, to).entryPage}`,
      );
    }
    console.log(
      `  figure 12, cardinality x size (clusters): ${clusterDistribution(clusters)
        .slice(0, 16)
        .map((point) => `${point.cardinality}x${point.size}${point.clusters > 1 ? `(${point.clusters})` : ""}`)
        .join(" ")}`,
    );
    const avoid = avoidList(web, trivial, clusters, replicas, Date.now());
    const kinds = { host: 0, prefix: 0, page: 0 };
    for (const { kind } of avoid) kinds[kind]++;
    const replay = replayCrawl(web, trivial, compileAvoidList(avoid), bodyBytes);
    console.log(
      `  avoid ${kinds.host} hosts, ${kinds.prefix} prefixes, ${kinds.page} pages: similar pages ${percent(replay.shareBefore, 1)} -> ${percent(replay.shareAfter, 1)}, ` +
        `${replay.fetchesSaved} fetches and ${(replay.bytesSaved / 1e6).toFixed(1)} MB saved, ${replay.lost} lost`,
    );
  }
}
