// How long clustering takes, and how much memory, against the plain method: 15 hash tables in one thread.
//   node bench/speed/cluster.mjs [DOCUMENTS=1e6] [plain] > bench/speed/runs/DATE-cluster-DOCUMENTS.json
// Documents are synthetic: 62% alone, the others in clusters whose sizes follow a power law; each supershingle of a
// clustered document has been replaced with probability 0.15. Making the columns is not counted. CPU seconds are of all
// threads together: on a machine with other work they say more than the clock.
import { cpus, loadavg } from "node:os";
import { clusterPages } from "../../dist/pages/cluster.js";

const documents = Number(process.argv[2] ?? 1e6);

const mix = (value, seed) => {
  let hash = Math.imul(value ^ seed, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  hash ^= hash >>> 16;
  hash = Math.imul(hash + seed, 0x27d4eb2f);
  return (hash ^ (hash >>> 15)) >>> 0;
};

/** The cluster of a document, or -1: rank r of the clusters is drawn with probability falling like r^-0.6. */
const clusterOf = (document) => {
  const draw = mix(document, 0x51ed270b) / 2 ** 32;
  if (draw >= 0.38) return -1;
  return Math.floor(documents * 0.088 * (draw / 0.38) ** 2.5);
};

const fillColumn = (column, into) => {
  const words = new Uint32Array(into.buffer);
  for (let document = 0; document < documents; document++) {
    const cluster = clusterOf(document);
    const own = cluster < 0 || mix(document, 0x1000 + column) < 0.15 * 2 ** 32;
    const key = own ? document : cluster;
    words[2 * document] = mix(key, (own ? 0x3a8f05c5 : 0x7feb352d) + column * 0x9e3779b1);
    words[2 * document + 1] = mix(key, (own ? 0x1b873593 : 0x68e31da4) - column * 0x7ed55d16);
  }
};

/** The paper's method as it stands: every table holds every document. All six columns are in memory. */
const plain = () => {
  const columns = Array.from({ length: 6 }, (_, column) => {
    const values = new BigUint64Array(documents);
    fillColumn(column, values);
    return new Uint32Array(values.buffer);
  });
  const begin = performance.now();
  const cpuBegin = cpuSeconds();
  const parent = new Uint32Array(documents).map((_, document) => document);
  const find = (document) => {
    let at = document;
    while (parent[at] !== at) at = parent[at] = parent[parent[at]];
    return at;
  };
  const capacity = 2 ** Math.ceil(Math.log2(documents * 1.5));
  const slots = new Uint32Array(capacity);
  for (let i = 0; i < 6; i++) {
    for (let j = i + 1; j < 6; j++) {
      slots.fill(0);
      const [a, b] = [columns[i], columns[j]];
      for (let document = 0; document < documents; document++) {
        const at = 2 * document;
        let slot = mix(a[at] ^ Math.imul(b[at], 0x9e3779b1), a[at + 1] ^ b[at + 1]) & (capacity - 1);
        for (;;) {
          const other = slots[slot] - 1;
          if (other < 0) {
            slots[slot] = document + 1;
            break;
          }
          const to = 2 * other;
          if (a[to] === a[at] && b[to] === b[at] && a[to + 1] === a[at + 1] && b[to + 1] === b[at + 1]) {
            const [left, right] = [find(document), find(other)];
            if (left < right) parent[right] = left;
            else parent[left] = right;
            break;
          }
          slot = (slot + 1) & (capacity - 1);
        }
      }
    }
  }
  const root = parent.map((_, document) => find(document));
  return { root, seconds: (performance.now() - begin) / 1000, cpu: cpuSeconds() - cpuBegin };
};

const cpuSeconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

const ours = async () => {
  let filling = 0;
  let cpuFilling = 0;
  const begin = performance.now();
  const cpuBegin = cpuSeconds();
  const { root } = await clusterPages({
    documents,
    readColumn: (column, into) => {
      const start = performance.now();
      const cpuStart = cpuSeconds();
      fillColumn(column, into);
      filling += performance.now() - start;
      cpuFilling += cpuSeconds() - cpuStart;
    },
  });
  const seconds = (performance.now() - begin - filling) / 1000;
  return { root, seconds, cpu: cpuSeconds() - cpuBegin - cpuFilling };
};

const gigabytes = () => Number((process.resourceUsage().maxRSS / 2 ** 20).toFixed(2));
const count = (root) => root.reduce((clusters, cluster, document) => clusters + Number(cluster === document), 0);
const row = (name, { root, seconds, cpu }) => ({
  name,
  documents,
  seconds: Number(seconds.toFixed(2)),
  cpuSeconds: Number(cpu.toFixed(2)),
  peakGigabytes: gigabytes(),
  roots: count(root),
});

const rows = [];
const result = await ours();
rows.push(row("clusterPages", result));
if (process.argv.includes("plain")) {
  const expected = plain();
  rows.push(row("15 tables, one thread (peak includes the run above)", expected));
  if (expected.root.some((root, document) => root !== result.root[document])) throw new Error("different clusters");
}
const machine = { cpu: cpus()[0].model, cores: cpus().length, load: Number(loadavg()[0].toFixed(1)) };
console.log(
  JSON.stringify({ date: new Date().toISOString().slice(0, 10), ...machine, node: process.version, rows }, null, 1),
);
