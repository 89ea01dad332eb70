// Pages in memory in, copies out: near-duplicate clusters, what became of them later, and replicated collections. No file, no
// workspace: these functions take columns and return columns.
//
//     node examples/copies.mjs
import {
  clusterPages,
  columnOf,
  compareSnapshots,
  DOWNLOADED,
  findCollections,
  fromColumns,
  linksFromTable,
  NONE,
  trivialClusters,
} from "dustpan";
import { sketchHtml, supershingles } from "dustpan/sketch";

// A manual of five chapters at two hosts, and a page that is like no other. Pages are in the order of their URLs.
const text = (topic) => Array.from({ length: 80 }, (_, i) => `${topic}-${i}`).join(" ");
const chapters = [0, 1, 2, 3, 4];
const manual = (host) =>
  chapters.map((n) => ({ url: `http://${host}/c${n}`, html: `<p>${text(`chapter${n}`)}`, next: n + 1 }));
const pages = [
  ...manual("a.test"),
  ...manual("b.test"),
  { url: "http://c.test/", html: `<p>${text("alone")}`, next: NONE },
];

// Near-duplicates: two of six supershingles in common.
async function clustersOf(snapshot) {
  const values = new BigUint64Array(6 * snapshot.length);
  snapshot.forEach(({ html }, page) => {
    supershingles(sketchHtml(html)).forEach((value, i) => {
      values[i * snapshot.length + page] = value;
    });
  });
  return clusterPages(fromColumns(values));
}
const clusters = await clustersOf(pages);
pages.forEach(({ url }, page) => {
  if (clusters.root[page] !== page) console.log(`${url} is a copy of ${pages[clusters.root[page]].url}`);
});

// A week later one chapter of b.test has been rewritten.
const later = await clustersOf(
  pages.map((page) => (page.url === "http://b.test/c2" ? { html: `<p>${text("new")}` } : page)),
);
const outcome = new Uint8Array(pages.length).fill(DOWNLOADED);
const { classes } = compareSnapshots({ outcome, cluster: clusters.root }, { outcome, cluster: later.root });
const pairs = classes.find(({ sizes }) => sizes === "2-10");
console.log(`${pairs.urls} pages were in clusters of 2 to 10; ${Math.round(100 * pairs.containment)}% stayed together`);

// Collections: clusters of single pages, grown along links.
const hosts = [...new Set(pages.map(({ url }) => new URL(url).host))];
const site = Uint32Array.from(pages, ({ url }) => hosts.indexOf(new URL(url).host));
const to = pages.map(({ url, next }) => pages.findIndex((page) => page.url === new URL(`c${next}`, url).href));
const linking = pages.map((_, page) => page).filter((page) => to[page] >= 0);
const { links } = linksFromTable(
  pages.length,
  Uint32Array.from(linking),
  Uint32Array.from(linking, (page) => to[page]),
);
const web = { count: pages.length, site, urls: columnOf(pages.map(({ url }) => url)) };
const { clusters: found } = findCollections(web, links, trivialClusters(clusters.root));
for (let replica = 0; replica < found.clusterOfReplica.length; replica++) {
  const members = pages.filter((_, page) => found.replicaOf[page] === replica);
  if (members.length > 1)
    console.log(`collection ${found.clusterOfReplica[replica]}: ${members.length} pages from ${members[0].url}`);
}
