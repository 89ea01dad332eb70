// How long finding replicated collections takes, and how much memory, on planted ones whose truth is known and checked.
//   node bench/speed/collections.mjs grow [PAGES=500000] [extended] [join]    from TRIVIAL and LINK, ten links a page
//   node bench/speed/collections.mjs similar [PAGES=500000]                  from chunks to TRIVIAL
//   node bench/speed/collections.mjs menus [PAGES=20000]                     the same on pages with long menus: an eighth, a quarter, half and all of PAGES
// 40% of the pages are in planted clusters of 2 to 360 replicas, whose collections have 1 to 2,000 pages: a tree with links
// up and down, in half of them also links across it, the same in every replica, and noise that is not. One position in 30
// is a break point: its pages are similar to nothing. Making the tables is not counted.
import { cpus } from "node:os";
import { findCollections } from "../../dist/collections/find-collections.js";
import { findSimilarPages } from "../../dist/collections/similar-pages.js";
import { trivialClusters } from "../../dist/collections/trivial.js";
import { linksFromTable, NONE } from "../../dist/collections/web-graph.js";

const [what = "grow", pagesText = "500000", ...flags] = process.argv.slice(2);
const pages = Number(pagesText);
const LINKS = 10;
/** Of the pages with long menus. */
const PARTS = [8, 4, 2, 1];

let state = 12345;
const random = (below) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};
/** Falls like a power of the value, from low to high. */
const skewed = (low, high) => Math.min(high, Math.floor(low / (1 - (random(1e6) + 0.5) / 1e6) ** 0.7));

/** Clusters as { first page, cardinality, size, tree and cross links as positions, broken positions }. */
const plant = () => {
  const clusters = [];
  let next = 0;
  while (next < 0.4 * pages) {
    const cardinality = skewed(2, 360);
    const size = skewed(1, 2000);
    if (next + cardinality * size > pages) break;
    const from = [];
    const to = [];
    for (let position = 1; position < size; position++) {
      from.push(Math.floor((position - 1) / 8));
      to.push(position);
      from.push(position);
      to.push(Math.floor((position - 1) / 8));
    }
    for (let link = size > 1 && random(2) === 0 ? 0 : NONE; link < size * (LINKS - 4); link++) {
      const source = random(size);
      from.push(source);
      to.push((source + 1 + random(size - 1)) % size);
    }
    const isBroken = Uint8Array.from({ length: size }, () => (random(30) === 0 ? 1 : 0));
    clusters.push({ first: next, cardinality, size, from, to, isBroken });
    next += cardinality * size;
  }
  return { clusters, planted: next };
};

const { clusters: plantedClusters, planted } = plant();
// Replica r of a cluster has its position p at page first + r * size + p.
const root = new Uint32Array(pages);
for (let page = 0; page < pages; page++) root[page] = page;
for (const { first, cardinality, size, isBroken } of plantedClusters) {
  for (let replica = 1; replica < cardinality; replica++) {
    for (let position = 0; position < size; position++) {
      if (!isBroken[position]) root[first + replica * size + position] = first + position;
    }
  }
}
const site = new Uint32Array(pages);
let sites = 0;
for (const { first, cardinality, size } of plantedClusters) {
  for (let replica = 0; replica < cardinality; replica++)
    site.fill(sites++, first + replica * size, first + (replica + 1) * size);
}
for (let page = planted; page < pages; page++) site[page] = sites + Math.floor((page - planted) / 50);

/** Wall clock and the processor's time: on a busy machine the first says little. */
const start = () => ({ wall: performance.now(), cpu: process.cpuUsage() });
const seconds = ({ wall, cpu }) => {
  const { user, system } = process.cpuUsage(cpu);
  return `${((performance.now() - wall) / 1000).toFixed(1)} s (${((user + system) / 1e6).toFixed(1)} s of processor time)`;
};
const report = (text) => console.log(text);
const memory = () => `${(process.resourceUsage().maxRSS / 2 ** 20).toFixed(2)} GB`;
const fail = (text) => {
  console.log(`FAIL ${text}`);
  process.exitCode = 1;
};
report(`${new Date().toISOString()}, Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model}`);
report(`${pages} pages, ${planted} in ${plantedClusters.length} planted clusters`);

if (what === "grow") grow();
else if (what === "menus") menus();
else similar();

/** Pages of ten chunks of their own beside common ones, T = 25: how the time grows with the number of pages. */
function menus() {
  const range = (count, from) => Array.from({ length: count }, (_, at) => from + at);
  const some = (count, of, from) => {
    const drawn = new Set();
    while (drawn.size < count) drawn.add(from + random(of));
    return [...drawn];
  };
  const kinds = {
    "one menu of 24 chunks": () => range(24, 0),
    "one menu of 20, one of 50 for the section": (page) => [...range(20, 0), ...range(5, 1000 + 10 * (page % 50))],
    "25 of a menu of 30": () => some(25, 30, 0),
    "40 in a row of a menu of 200": () => range(40, random(160)),
    "a menu of 15, and 15 links to other pages": (_, count) => [...range(15, 0), ...some(15, count, 1000)],
    "a menu of 15, and 20 of the same 200 links": () => [...range(15, 0), ...some(20, 200, 1000)],
    "40 of the same 120 chunks": () => some(40, 120, 0),
  };
  console.log(`| common chunks | ${PARTS.map((part) => `${pages / part} pages`).join(" | ")} |\n|---|--:|--:|--:|--:|`);
  for (const [name, common] of Object.entries(kinds)) {
    const times = PARTS.map((part) => {
      const count = pages / part;
      const offsets = new Uint32Array(count + 1);
      const chunks = [];
      for (let page = 0; page < count; page++) {
        for (const chunk of [...common(page, count), ...range(10, 1e7 + 10 * page)]) chunks.push(chunk);
        offsets[page + 1] = chunks.length;
      }
      const whole = BigUint64Array.from({ length: count }, (_, page) => BigInt(page + 1));
      const fingerprints = BigUint64Array.from(
        chunks,
        (chunk) => (BigInt(chunk + 1) * 0x9e3779b97f4a7c15n) & 0xffffffffffffffffn,
      );
      const { cpu } = start();
      findSimilarPages({ pages: count, offsets, fingerprints, whole }, { threshold: 25 });
      const { user, system } = process.cpuUsage(cpu);
      return `${((user + system) / 1e6).toFixed(2)} s`;
    });
    console.log(`| ${name} | ${times.join(" | ")} |`);
  }
}

function grow() {
  // Some links come twice.
  let rows = Math.floor(pages * LINKS * 1.12);
  const src = new Uint32Array(rows);
  const dest = new Uint32Array(rows);
  rows = 0;
  for (const { first, cardinality, size, from, to } of plantedClusters) {
    for (let replica = 0; replica < cardinality; replica++) {
      const begin = first + replica * size;
      for (let link = 0; link < from.length; link++) {
        src[rows] = begin + from[link];
        dest[rows++] = begin + to[link];
      }
      for (let noise = 0; noise < 2 * size && rows < src.length; noise++) {
        src[rows] = begin + random(size);
        dest[rows++] = random(pages);
      }
    }
  }
  while (rows < src.length) {
    const page = planted + random(pages - planted);
    src[rows] = page;
    dest[rows++] = random(4) === 0 ? random(pages) : Math.min(pages - 1, page - (page % 50) + random(50));
  }
  // URLs of one length: what decides between equally good starts is then the number.
  const urlBytes = 40;
  const bytes = new Uint8Array(pages * urlBytes).fill(0x2f);
  const offsets = Uint32Array.from({ length: pages + 1 }, (_, page) => page * urlBytes);
  const web = { count: pages, site, urls: { count: pages, bytes, offsets } };
  report(`tables made, ${memory()} so far`);

  const begin = start();
  const { links, dropped } = linksFromTable(pages, src, dest);
  const trivial = trivialClusters(root);
  report(`LINK by source ${seconds(begin)}: ${links.dest.length} links, ${JSON.stringify(dropped)}`);
  const linked = start();
  const options = { extended: flags.includes("extended"), joinThrough: flags.includes("join") ? 1 : 0 };
  const { clusters, breakPoints } = findCollections(web, links, trivial, options);
  report(`collections ${seconds(linked)} ${JSON.stringify(options)}; all ${seconds(begin)}; at most ${memory()}`);
  report(
    `${clusters.count} clusters, ${clusters.clusterOfReplica.length} collections, largest cardinality ${clusters.firstReplica[1]}, ` +
      `largest size ${clusters.size.reduce((most, size) => Math.max(most, size), 0)}; ${breakPoints.length} splits`,
  );
  if (options.extended || options.joinThrough > 0) return;

  // Truth: the components of each planted cluster's links between positions that are not broken.
  let expected = 0;
  let wrongClusters = 0;
  let wrongReplicas = 0;
  for (const { first, cardinality, size, from, to, isBroken } of plantedClusters) {
    const component = Int32Array.from({ length: size }, (_, position) => position);
    const find = (position) => {
      let at = position;
      while (component[at] !== at) at = component[at] = component[component[at]];
      return at;
    };
    for (let link = 0; link < from.length; link++) {
      if (!isBroken[from[link]] && !isBroken[to[link]]) component[find(from[link])] = find(to[link]);
    }
    for (let position = 0; position < size; position++) {
      if (isBroken[position]) continue;
      const head = find(position);
      if (head === position) expected++;
      const cluster = clusters.clusterOf[trivial.of[first + position]];
      if (cluster === NONE || cluster !== clusters.clusterOf[trivial.of[first + head]]) wrongClusters++;
      for (let replica = 0; replica < cardinality; replica++) {
        const start = first + replica * size;
        if (clusters.replicaOf[start + position] !== clusters.replicaOf[start + head]) wrongReplicas++;
      }
    }
  }
  if (wrongClusters > 0 || wrongReplicas > 0)
    fail(`${wrongClusters} positions apart, ${wrongReplicas} pages in the wrong replica`);
  // Noise may link two clusters of two replicas alike, hardly ever.
  if (Math.abs(expected - clusters.count) > 1e-4 * expected)
    fail(`${expected} clusters were planted, ${clusters.count} found`);
  report(`planted ${expected} clusters after their break points; found ${clusters.count}`);
}

function similar() {
  const CHUNKS = 40;
  const mix = (value, seed) => {
    let hash = Math.imul(value ^ seed, 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    hash ^= hash >>> 16;
    hash = Math.imul(hash + seed, 0x27d4eb2f);
    return (hash ^ (hash >>> 15)) >>> 0;
  };
  // Two chunks that all pages have, six of the site's menu, the others the text's; one in 25 of these is the page's own.
  const offsets = Uint32Array.from({ length: pages + 1 }, (_, page) => page * CHUNKS);
  const fingerprints = new BigUint64Array(pages * CHUNKS);
  const words = new Uint32Array(fingerprints.buffer);
  const whole = new BigUint64Array(pages);
  const wholeWords = new Uint32Array(whole.buffer);
  for (let page = 0; page < pages; page++) {
    const isSame = random(3) > 0;
    wholeWords[2 * page] = mix(isSame ? root[page] : page, 77);
    wholeWords[2 * page + 1] = isSame ? root[page] : page;
    for (let chunk = 0; chunk < CHUNKS; chunk++) {
      const isOwn = !isSame && random(25) === 0;
      const [kind, key] = chunk < 2 ? [1, 0] : chunk < 8 ? [2, site[page]] : isOwn ? [3, page] : [4, root[page]];
      const at = 2 * (page * CHUNKS + chunk);
      words[at] = mix(key, 1000 * kind + chunk);
      words[at + 1] = mix(key, 100000 * kind + chunk);
    }
  }
  report(`tables made, ${memory()} so far`);
  const begin = start();
  const found = findSimilarPages({ pages, offsets, fingerprints, whole }, { threshold: 15 });
  const rate = Math.round((1000 * pages) / (performance.now() - begin.wall));
  report(`iceberg count ${seconds(begin)}, ${rate} pages/s; at most ${memory()}`);
  report(
    `${found.identical} identical, ${found.sameChunks} with the same chunks, ${found.sharedChunks} shared chunks, ${found.compared} compared; ` +
      `${found.veryCommon.chunks} very common chunks, ${found.veryCommon.indexed} of their ${found.veryCommon.occurrences} occurrences looked at`,
  );
  let across = 0;
  let missed = 0;
  for (let page = 0; page < pages; page++) {
    if (root[found.root[page]] !== root[page]) across++;
    if (found.root[page] !== root[page]) missed++;
  }
  // Two copies that share fewer than fourteen of their 32 chunks are not similar; with one in 25 changed that never is so.
  if (across > 0 || missed > 0) fail(`${across} pages joined across texts, ${missed} apart from their copies`);
}
