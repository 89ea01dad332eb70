// Planted collections with known truth: how many true pairs are found, how many false ones, how long the avoid-list is, with
// trivial clusters as they are (the paper), with surplus copies set aside, and with what only some copies have (the default). Pairs with a
// changed copy are not alike, and nothing can find them.
//   node bench/accuracy/collections-planted.mjs [SEEDS=1,2,3]
// Each seed plants 40 collections of 12 to 120 pages in 2 to 4 copies, each on a host of its own: a tree of pages with a link back to
// the start. One page in 30 has a stray copy on some other host, one in 40 looks like another page of its collection, one copy of
// a page in 50 was changed (similar to nothing), and half of the hosts have some pages of their own.
import { avoidList, replayCrawl } from "../../dist/collections/avoid.js";
import { findCollections } from "../../dist/collections/find-collections.js";
import { findPositions } from "../../dist/collections/positions.js";
import { describeReplicas } from "../../dist/collections/replicas.js";
import { trivialFromTable } from "../../dist/collections/trivial.js";
import { linksFromTable, NONE } from "../../dist/collections/web-graph.js";
import { compileAvoidList } from "../../dist/url/avoid-list.js";

function plant(seed) {
  let state = seed * 7919;
  const random = (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const pages = [];
  let texts = 0;
  let hosts = 0;
  for (let collection = 0; collection < 40; collection++) {
    const size = 12 + random(109);
    const copies = 2 + random(3);
    const text = Array.from({ length: size }, () => texts++);
    for (let page = 1; page < size; page++) if (random(40) === 0) text[page] = text[random(page)];
    const folders = Array.from({ length: size }, () => ["", "a/", "b/"][random(3)]);
    for (let copy = 0; copy < copies; copy++) {
      const host = `h${hosts++}.test`;
      const urls = text.map((_, page) => `http://${host}/${folders[page]}${page}.html`);
      text.forEach((of, page) => {
        const children = urls.filter((_, child) => child > 0 && Math.floor((child - 1) / 5) === page);
        const changed = random(50) === 0;
        const truth = `${collection}/${page}`;
        pages.push({ url: urls[page], text: changed ? texts++ : of, links: [urls[0], ...children], truth });
      });
      if (random(2) === 0) {
        for (let own = random(4); own >= 0; own--)
          pages.push({ url: `http://${host}/own${own}`, text: texts++, links: [] });
      }
    }
    text.forEach((of, page) => {
      if (random(30) === 0)
        pages.push({ url: `http://stray${random(50)}.test/${collection}-${page}`, text: of, links: [] });
    });
  }
  return pages;
}

function measure(pages, { surplus, nearby }) {
  const numberOf = new Map(pages.map(({ url }, page) => [url, page]));
  const hosts = new Map();
  const site = Uint32Array.from(pages, ({ url }) => {
    const { host } = new URL(url);
    if (!hosts.has(host)) hosts.set(host, hosts.size);
    return hosts.get(host);
  });
  const encoded = pages.map(({ url }) => Buffer.from(url));
  const offsets = new Uint32Array(pages.length + 1);
  encoded.forEach((bytes, page) => {
    offsets[page + 1] = offsets[page] + bytes.length;
  });
  const web = { count: pages.length, site, urls: { count: pages.length, bytes: Buffer.concat(encoded), offsets } };
  const rows = pages.flatMap(({ links }, from) => links.map((url) => [from, numberOf.get(url)]));
  const { links } = linksFromTable(
    pages.length,
    Uint32Array.from(rows, ([from]) => from),
    Uint32Array.from(rows, ([, to]) => to),
  );
  const trivial = trivialFromTable(
    pages.length,
    Uint32Array.from(pages, ({ text }) => text),
    Uint32Array.from(pages, (_, page) => page),
  );
  const positions = surplus ? findPositions(web, links, trivial) : trivial;
  const collections = findCollections(web, links, positions, { joinThrough: 1, nearby });
  const { replicaOf, clusterOfReplica } = collections.clusters;
  const replicas = describeReplicas(web, positions, collections);
  const isLarge = (replica) => replicas.pages.offsets[replica + 1] - replicas.pages.offsets[replica] >= 10;
  const copies = new Map();
  const alike = new Map();
  const count = (counts, key) => counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const { truth, text } of pages) {
    if (truth === undefined) continue;
    count(copies, truth);
    count(alike, `${truth} ${text}`);
  }
  const result = { all: 0, alike: 0, found: 0, wrong: 0, entries: 0, spared: 0, lost: 0, falseCollections: 0 };
  for (const some of copies.values()) result.all += (some * (some - 1)) / 2;
  for (const some of alike.values()) result.alike += (some * (some - 1)) / 2;
  for (let position = 0; position < positions.count; position++) {
    const members = positions.pages.subarray(positions.offsets[position], positions.offsets[position + 1]);
    for (const a of members) {
      for (const b of members) {
        if (a >= b || replicaOf[a] === NONE || replicaOf[b] === NONE) continue;
        if (!isLarge(replicaOf[a]) || !isLarge(replicaOf[b])) continue;
        const right = pages[a].truth !== undefined && pages[a].truth === pages[b].truth;
        result[right ? "found" : "wrong"]++;
      }
    }
  }
  const planted = new Map();
  replicaOf.forEach((replica, page) => {
    if (replica === NONE || !isLarge(replica)) return;
    const cluster = clusterOfReplica[replica];
    planted.set(cluster, (planted.get(cluster) ?? new Set()).add(pages[page].truth?.split("/")[0] ?? "none"));
  });
  for (const of of planted.values()) if (of.size > 1 || of.has("none")) result.falseCollections++;
  const avoid = avoidList(web, positions, collections.clusters, replicas, 0);
  const replay = replayCrawl(web, trivial, compileAvoidList(avoid));
  return { ...result, entries: avoid.length, spared: replay.fetchesSaved, lost: replay.lost };
}

console.log(
  "| seed | pages | growth by | true pairs found | of those alike | wrong pairs | false collections | avoid entries for pages | lost |",
);
console.log("|---|---|---|---|---|---|---|---|---|");
for (const seed of (process.argv[2] ?? "1,2,3").split(",").map(Number)) {
  const pages = plant(seed);
  for (const [by, options] of [
    ["trivial clusters", { surplus: false, nearby: false }],
    ["positions", { surplus: true, nearby: false }],
    ["and what some copies lack (default)", { surplus: true, nearby: true }],
  ]) {
    const { all, alike, found, wrong, falseCollections, entries, spared, lost } = measure(pages, options);
    console.log(
      `| ${seed} | ${pages.length} | ${by} | ${((100 * found) / all).toFixed(1)}% of ${all} | ${((100 * found) / alike).toFixed(1)}% | ${wrong} | ${falseCollections} | ${entries} for ${spared} | ${lost} |`,
    );
  }
}
