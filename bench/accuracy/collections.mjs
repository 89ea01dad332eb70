// Repeats section 4 of Cho et al. 2000 on crawls: how many collections are found, how many are "problem" collections,
// before and after the extension and the joining of break points; and table 2 and figures 11 and 12 for the same pages.
//   node bench/accuracy/collections.mjs CRAWL... [by=two-lines] [truth=FILE] [without=HOST,...] [hosts=HOST,...] [wrong=FILE] [brief]
// Pages are similar by their chunks, as in the paper, or as near-duplicates (six supershingles, two in common); `by` names
// one test, such as two-lines, two-lines-32 (fingerprints of 32 bits) or near-duplicates. `brief` gives the tables alone, `wrong` all pairs of
// two paths with their texts.
// The truth is a list of copies as bench/accuracy/debian-docs.mjs writes it: prefix, target, isCopy. Without one, a target is
// a directory of the first level (a language) with a path that two hosts or more have. Its pages should be one cluster, and
// pages of the same path should correspond. Copies of a page that were changed are not similar, and no collection can pair them: "alike" are
// the pairs that are. Of pairs of two paths, those are wrong whose whole texts resemble each other by less than .8, counted
// exactly: the others are copies under another name. A collection that is not in the largest cluster of a target is a "problem"
// collection. Counts are of clusters where two replicas have two real pages (10 where it is said), and, as the paper
// counts, of all with two positions, virtual ones too.
import { appendFileSync, readFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { avoidList, replayCrawl } from "../../dist/collections/avoid.js";
import { clusterDistribution, describeCluster, replicationDistribution } from "../../dist/collections/describe.js";
import { findCollections } from "../../dist/collections/find-collections.js";
import { findPositions } from "../../dist/collections/positions.js";
import { describeReplicas, urlOf } from "../../dist/collections/replicas.js";
import { chunkThresholds, findSimilarPages } from "../../dist/collections/similar-pages.js";
import { trivialClusters } from "../../dist/collections/trivial.js";
import { linksFromTable, NONE } from "../../dist/collections/web-graph.js";
import { readSource } from "../../dist/input/read-source.js";
import { clusterPages, fromColumns } from "../../dist/pages/cluster.js";
import { chunkFingerprints } from "../../dist/sketch/chunks.js";
import { sketchText, supershingles } from "../../dist/sketch/sketch.js";
import { compileAvoidList } from "../../dist/url/avoid-list.js";

const isBrief = process.argv.includes("brief");
const inputs = process.argv.slice(2).filter((argument) => !argument.includes("=") && argument !== "brief");
const option = (name) => process.argv.find((argument) => argument.startsWith(`${name}=`))?.slice(name.length + 1);
const only = option("by");
const without = new Set(option("without")?.split(","));
const onlyHosts = option("hosts")?.split(",");
const truthFile = option("truth");
const wrongFile = option("wrong");
if (inputs.length === 0)
  throw new Error("usage: node bench/accuracy/collections.mjs CRAWL... [by=two-lines] [truth=FILE]");
const detail = (line) => {
  if (!isBrief) console.log(line);
};

const context = { onProgress: () => {}, signal: new AbortController().signal };
const records = new Map();
const redirects = new Map();
for (const input of inputs) {
  await readSource(
    input,
    {
      onPages: (batch) => {
        for (const page of batch) {
          const { host } = new URL(page.url);
          if (without.has(host) || (onlyHosts !== undefined && !onlyHosts.includes(host))) continue;
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
  detail(`  ${host}: ${site.filter((of) => of === number).length} pages`);
});

const docChunks = (chunking, bits) => {
  const chunkOffsets = new Uint32Array(pages.length + 1);
  const whole = new BigUint64Array(pages.length);
  const parts = pages.map(({ text }, page) => {
    const fingerprints = chunkFingerprints(text, chunking);
    chunkOffsets[page + 1] = chunkOffsets[page] + fingerprints.length;
    whole[page] = chunkFingerprints(text, "document")[0] ?? 0n;
    return fingerprints;
  });
  const total = chunkOffsets[pages.length];
  const fingerprints = bits === 32 ? new Uint32Array(total) : new BigUint64Array(total);
  parts.forEach((part, page) => {
    fingerprints.set(
      bits === 32 ? Uint32Array.from(part, (value) => Number(value & 0xffffffffn)) : part,
      chunkOffsets[page],
    );
  });
  return { pages: pages.length, offsets: chunkOffsets, fingerprints, whole };
};
const percent = (part, of) => `${((100 * part) / of).toFixed(1)}%`;

/** What is known of each page: the target, which page of it, and which copy; undefined where nobody has copied it. */
const truthOfPaths = () => {
  const hostsOf = new Map();
  for (const { url } of pages) {
    const { pathname, host } = new URL(url);
    hostsOf.set(pathname, (hostsOf.get(pathname) ?? new Set()).add(host));
  }
  const directory = (path) => path.slice(0, path.indexOf("/", 1) + 1);
  const shared = new Set([...hostsOf].filter(([, some]) => some.size > 1).map(([path]) => directory(path)));
  return pages.map(({ url }) => {
    const { pathname, host } = new URL(url);
    const target = directory(pathname);
    return { target: target !== "" && shared.has(target) ? target : undefined, page: pathname, copy: host + target };
  });
};
const truthOfFile = (file) => {
  const copies = JSON.parse(readFileSync(file, "utf8")).sort((a, b) => b.prefix.length - a.prefix.length);
  const ofHost = Map.groupBy?.(copies, ({ prefix }) => new URL(prefix).host) ?? new Map();
  for (const copy of ofHost.size === 0 ? copies : []) {
    const { host } = new URL(copy.prefix);
    ofHost.set(host, [...(ofHost.get(host) ?? []), copy]);
  }
  const copiesOf = new Map();
  for (const { prefix, target, isCopy } of copies) {
    const { host } = new URL(prefix);
    const isTaken = !without.has(host) && (onlyHosts === undefined || onlyHosts.includes(host));
    if (isCopy && isTaken) copiesOf.set(target, (copiesOf.get(target) ?? 0) + 1);
  }
  return pages.map(({ url }) => {
    const { prefix, target, isCopy } = ofHost.get(new URL(url).host).find((copy) => url.startsWith(copy.prefix));
    const page = `${target}/${url.slice(prefix.length).replace(/\.[a-z]+$/, "")}`;
    return { target: isCopy && copiesOf.get(target) > 1 ? target : undefined, page, copy: prefix };
  });
};
const truth = truthFile === undefined ? truthOfPaths() : truthOfFile(truthFile);
const targets = [...new Set(truth.map(({ target }) => target))].filter((target) => target !== undefined);
const copiesOfTarget = new Map(targets.map((target) => [target, new Set()]));
const copiesOfPage = new Map();
for (const { target, page, copy } of truth) {
  copiesOfTarget.get(target)?.add(copy);
  if (target !== undefined) copiesOfPage.set(page, (copiesOfPage.get(page) ?? 0) + 1);
}
let truePairs = 0;
for (const copies of copiesOfPage.values()) truePairs += (copies * (copies - 1)) / 2;
const targetCopies = [...copiesOfTarget.values()].reduce((sum, copies) => sum + copies.size, 0);
console.log(
  `${targets.length} targets in ${targetCopies} copies; ${truePairs} pairs of pages that correspond; ${truth.filter(({ target }) => target === undefined).length} pages of no target`,
);

/** Resemblance of two texts, exactly: shingles of five words that both have, of all. */
const resemblance = (left, right) => {
  const shingles = (text) => {
    const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
    return new Set(words.slice(0, Math.max(1, words.length - 4)).map((_, at) => words.slice(at, at + 5).join(" ")));
  };
  const [a, b] = [shingles(left), shingles(right)];
  const shared = [...a].filter((one) => b.has(one)).length;
  return shared / (a.size + b.size - shared);
};

/** Pairs with the same path that are similar at all. */
const countAlike = (trivial) => {
  let alike = 0;
  for (let cluster = 0; cluster < trivial.count; cluster++) {
    const members = trivial.pages.subarray(trivial.offsets[cluster], trivial.offsets[cluster + 1]);
    const names = new Map();
    for (const page of members) {
      if (truth[page].target !== undefined) names.set(truth[page].page, (names.get(truth[page].page) ?? 0) + 1);
    }
    for (const some of names.values()) alike += (some * (some - 1)) / 2;
  }
  return alike;
};

/** Pairs of corresponding pages on different hosts, and how many of them have the same path; of the others, how many are unlike. */
/** A line of the file of wrong pairs: the resemblance, and the URL and text of both pages, to be read by people. */
const nameOrText = (part) => (typeof part === "number" ? part : { url: part.url, text: part.text });

const countPairs = (trivial, replicaOf, isNonTrivial) => {
  let pairs = 0;
  let right = 0;
  let unlike = 0;
  for (let position = 0; position < trivial.count; position++) {
    const members = trivial.pages.subarray(trivial.offsets[position], trivial.offsets[position + 1]);
    for (const left of members) {
      for (const other of members) {
        if (left >= other || site[left] === site[other] || !isNonTrivial(replicaOf[left])) continue;
        pairs++;
        if (truth[left].page === truth[other].page) right++;
        else {
          const alike = resemblance(pages[left].text, pages[other].text);
          if (alike < 0.8) unlike++;
          if (wrongFile !== undefined) {
            appendFileSync(wrongFile, `${JSON.stringify([alike, pages[left], pages[other]].map(nameOrText))}\n`);
          }
        }
      }
    }
  }
  return { pairs, right, unlike };
};

const byChunks = (name) => {
  const begin = performance.now();
  const bits = name.endsWith("-32") ? 32 : 64;
  const chunking = name.replace(/-32$/, "");
  const chunks = docChunks(chunking, bits);
  const chunked = performance.now();
  const similar = findSimilarPages(chunks, { threshold: chunkThresholds[chunking] });
  const counted = performance.now();
  console.log(`\n# ${chunking}, T = ${chunkThresholds[chunking]}, ${bits} bits`);
  console.log(
    `chunking ${Math.round((1000 * pages.length) / (chunked - begin))} pages/s, iceberg count ${Math.round((1000 * pages.length) / (counted - chunked))} pages/s; ` +
      `${similar.identical} identical, ${similar.sameChunks} with the same chunks, ${similar.sharedChunks} shared chunks, ${similar.compared} pairs compared`,
  );
  for (const { texts, page } of similar.common.slice(0, 2)) {
    detail(`  a chunk in ${texts} texts, as ${pages[page].url}`);
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

/** Pages of an original that are similar to their counterpart in another language or rendering: none should be. */
const similarAcross = (trivial, one, other) => {
  const ofOne = new Map();
  pages.forEach(({ url }, page) => {
    if (truth[page].copy === one) ofOne.set(url.slice(one.length).replace(/\.[a-z]+$/, ""), page);
  });
  let pairs = 0;
  let similar = 0;
  pages.forEach(({ url }, page) => {
    const counterpart =
      truth[page].copy === other ? ofOne.get(url.slice(other.length).replace(/\.[a-z]+$/, "")) : undefined;
    if (counterpart === undefined) return;
    pairs++;
    if (trivial.of[page] === trivial.of[counterpart]) similar++;
  });
  return pairs === 0 ? undefined : `${similar} of ${pairs}`;
};
const across = [
  ["English and French", "http://apache.test/", "http://apache-fr.test/"],
  ["English and Spanish", "http://aptitude-en.test/", "http://aptitude-es.test/"],
  ["HTML and plain text", "http://git.test/", "http://text.git.test/"],
];

const tests = ["document", "four-lines", "two-lines", "two-lines-32", "sentences", "near-duplicates"];
const summary = [];
for (const by of only === undefined ? tests : [only]) {
  const trivial = trivialClusters(by === "near-duplicates" ? await asNearDuplicates() : byChunks(by));
  for (const [name, one, other] of across) {
    const found = similarAcross(trivial, one, other);
    if (found !== undefined) console.log(`pages similar in ${name}: ${found}`);
  }
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
    ["joined through 1, surplus aside", { joinThrough: 1, surplus: true }],
    ["and what some copies lack (default)", { joinThrough: 1, surplus: true, nearby: true }],
  ]) {
    const positions = options.surplus ? findPositions(web, links, trivial) : trivial;
    const collections = findCollections(web, links, positions, options);
    const { clusters, breakPoints, disagreeingLinks } = collections;
    const replicas = describeReplicas(web, positions, collections);
    const described = { web, links, trivial: positions, collections, replicas, titleOf: (page) => pages[page].title };
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
        if (new Set(Array.from(own, (page) => truth[page].copy)).size > 1) mixed++;
        for (const page of own) {
          const count = pagesIn.get(truth[page].target);
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
    const isLarge = (cluster) => {
      const [first, end] = clusters.firstReplica.subarray(cluster, cluster + 2);
      return (
        Array.from({ length: end - first }, (_, at) => realPages(first + at)).filter((real) => real > 9).length > 1
      );
    };
    const copiesIn = (cluster) => {
      const [first, end] = clusters.firstReplica.subarray(cluster, cluster + 2);
      const own = replicas.pages.pages.subarray(replicas.pages.offsets[first], replicas.pages.offsets[end]);
      return new Set(Array.from(own, (page) => truth[page].copy)).size;
    };
    const breakPages = new Set(breakPoints.flatMap((point) => point.pages.flat()));
    const open = breakPoints.filter(({ from, to }) => from !== to);
    const { pairs, right, unlike } = countPairs(
      positions,
      clusters.replicaOf,
      (replica) => replica !== NONE && isNonTrivial.has(clusters.clusterOfReplica[replica]),
    );
    detail(
      `${name}: ${collectionsIn(nonTrivial)} non-trivial collections in ${nonTrivial.length} clusters: ` +
        `${collectionsIn([...main])} in the ${main.size} of targets (${inMain} pages), ${collectionsIn(problems)} problem collections; ` +
        `${clusters.count - nonTrivial.length} clusters of one page; with virtual pages ${collectionsIn(withVirtual)} collections, ` +
        `${collectionsIn(withVirtual.filter((cluster) => !main.has(cluster)))} problem collections`,
    );
    detail(
      `  ${breakPoints.length} splits by ${breakPages.size} break points, ${open.length} still open; ${disagreeingLinks.reduce((sum, count) => sum + count, 0)} links disagree; ${mixed} collections over several directories`,
    );
    detail(
      `  ${pairs} pairs of pages correspond, ${percent(right, pairs)} of them by the same path, which is ${percent(right, truePairs)} of those`,
    );
    const records = Array.from({ length: clusters.count }, (_, cluster) => describeCluster(described, cluster));
    for (const record of records.filter(({ isNoise }) => !isNoise).slice(0, 3)) {
      detail(
        `  ${record.cardinality} x ${record.size} "${record.name}" ${record.entryPage}, ${record.starts} starts; real+virtual+unmatched pages: ` +
          record.replicas.map(({ real, virtual, unmatched }) => `${real}+${virtual}+${unmatched}`).join(", "),
      );
    }
    for (const { from, to, pages: split } of open.slice(0, 2)) {
      detail(
        `  split: ${describeCluster(described, from).entryPage} | ${split.map((some) => some.map((page) => urlOf(web, page)).join(" > ")).join(" | ")} | ${describeCluster(described, to).entryPage}`,
      );
    }
    detail(
      `  figure 12, cardinality x size (clusters): ${clusterDistribution(records)
        .slice(0, 16)
        .map((point) => `${point.cardinality}x${point.size}${point.clusters > 1 ? `(${point.clusters})` : ""}`)
        .join(" ")}`,
    );
    const avoid = avoidList(web, positions, clusters, replicas, Date.now());
    const kinds = { host: 0, prefix: 0, page: 0, except: 0 };
    for (const { kind } of avoid) kinds[kind]++;
    const replay = replayCrawl(web, trivial, compileAvoidList(avoid), bodyBytes);
    detail(
      `  avoid ${kinds.host} hosts, ${kinds.prefix} prefixes, ${kinds.page} pages, ${kinds.except} exceptions: similar pages ${percent(replay.shareBefore, 1)} -> ${percent(replay.shareAfter, 1)}, ` +
        `${replay.fetchesSaved} fetches and ${(replay.bytesSaved / 1e6).toFixed(1)} MB saved, ${replay.lost} lost`,
    );
    summary.push([
      by,
      name,
      [...main].filter(isLarge).length,
      `${[...main].reduce((sum, cluster) => sum + copiesIn(cluster), 0)}/${targetCopies}`,
      collectionsIn(nonTrivial),
      collectionsIn(problems),
      collectionsIn(problems.filter(isLarge)),
      collectionsIn(withVirtual.filter((cluster) => !main.has(cluster))),
      `${open.length}/${breakPoints.length}`,
      `${percent(right, truePairs)}, ${percent(right, countAlike(trivial))}`,
      `${pairs - right}, ${unlike}`,
      `${percent(replay.shareBefore, 1)} -> ${percent(replay.shareAfter, 1)}`,
      `${avoid.length} for ${replay.fetchesSaved}, ${replay.lost} lost`,
    ]);
  }
}

const columns = [
  ...[
    "similar by",
    "clusters",
    "targets found",
    "copies in them",
    "collections",
    "problem",
    "of 10 pages",
    "with virtual",
  ],
  ...[
    "splits open/all",
    "pairs found, of those alike",
    "of two paths, of them wrong",
    "similar pages before and after avoiding",
  ],
  "avoid entries for pages",
];
console.log(`\n| ${columns.join(" | ")} |\n|${columns.map(() => "---|").join("")}`);
for (const row of summary) console.log(`| ${row.join(" | ")} |`);
