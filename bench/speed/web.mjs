// Every list of the web app in every order, first page and a deep one, warm, over HTTP on loopback; then the report.
//   node bench/speed/web.mjs [--urls 1e7] [--folder FOLDER] [--no-report] > bench/speed/runs/DATE-web.md
// Makes a synthetic workspace (0.6 GB for 10 million URLs) in FOLDER, and keeps it there if one is given.
// The server runs in this process, so that its processor time is known: `cpu` is that of all threads for one request.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Workspace } from "../../dist/store/workspace.js";
import { startServer } from "../../dist/web/server/server.js";
import { watchProcess } from "./watch-process.mjs";
import { makeWorkspace } from "./web-workspace.mjs";

const { values } = parseArgs({
  options: { urls: { type: "string" }, folder: { type: "string" }, "no-report": { type: "boolean" } },
});
const urls = Number(values.urls ?? 1e7);
const folder = values.folder ?? mkdtempSync(path.join(tmpdir(), "dustpan-web-bench-"));
mkdirSync(folder, { recursive: true });
const workspace = Workspace.at(path.join(folder, "dustpan.duckdb"));
const rulesFile = path.join(folder, "dustpan.rules.json");
if (!existsSync(workspace.file)) await makeWorkspace(workspace, rulesFile, urls);

const token = "bench";
const server = await startServer({
  workspace,
  rulesFile,
  fetch: { sites: [] },
  unmask: false,
  host: "127.0.0.1",
  port: 0,
  token,
});

async function ask(address) {
  const response = await fetch(`http://127.0.0.1:${server.port}${address}`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  const document = await response.json();
  if (!response.ok) throw new Error(`${address}: ${document.error}`);
  return { document, status: response.status };
}

/** Asks until the answer is not a job. */
async function ready(address) {
  for (;;) {
    const { document, status } = await ask(address);
    if (status !== 202) return document;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

const rounds = 7;
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** Milliseconds on the clock and of processor time: the middle one of some rounds, after one that warms. */
async function time(address) {
  await ready(address);
  const clock = [];
  const cpu = [];
  for (let round = 0; round < rounds; round++) {
    const used = process.cpuUsage();
    const begin = performance.now();
    await ask(address);
    clock.push(performance.now() - begin);
    const { user, system } = process.cpuUsage(used);
    cpu.push((user + system) / 1000);
  }
  return { clock: median(clock), worst: Math.max(...clock), cpu: median(cpu) };
}

const rows = [];
async function measure(what, address) {
  const times = await time(address);
  rows.push({ what, address, ...times });
  process.stderr.write(`${times.clock.toFixed(0).padStart(6)} ms  ${what}: ${address}\n`);
}

const withQuery = (address, query) => `${address}${address.includes("?") ? "&" : "?"}${query}`;
const pagesDeep = 8;

/** The first page, and one far down the list: `limit` makes the way there short. */
async function measureList(what, address) {
  await measure(`${what}, first page`, address);
  let after;
  for (let page = 0; page < pagesDeep; page++) {
    const document = await ready(
      withQuery(address, `limit=500${after === undefined ? "" : `&after=${encodeURIComponent(after)}`}`),
    );
    if (document.next === undefined) break;
    after = document.next;
  }
  if (after !== undefined)
    await measure(`${what}, deep page`, withQuery(address, `after=${encodeURIComponent(after)}`));
}

const orderBegin = performance.now();
const orderCpu = process.cpuUsage();
await ready("/api/urls");
await ready("/api/clusters");
const ordering = {
  seconds: (performance.now() - orderBegin) / 1000,
  cpu: Object.values(process.cpuUsage(orderCpu)).reduce((a, b) => a + b) / 1e6,
};

for (const order of ["asc", "desc"]) {
  for (const sort of ["url", "hits"]) {
    await measureList(`URLs by ${sort} ${order}`, `/api/urls?sort=${sort}&order=${order}`);
    await measureList(
      `URLs of a host by ${sort} ${order}`,
      `/api/urls?sort=${sort}&order=${order}&host=www.h7.example`,
    );
  }
  await measureList(
    `URLs below a prefix ${order}`,
    `/api/urls?sort=url&order=${order}&prefix=http://www.h3.example/s1`,
  );
  for (const level of ["similar", "identical"]) {
    await measureList(`clusters (${level}) ${order}`, `/api/clusters?level=${level}&order=${order}`);
    await measureList(
      `clusters (${level}) of 2-10 pages ${order}`,
      `/api/clusters?level=${level}&order=${order}&sizes=2-10`,
    );
  }
  for (const sort of ["clusters", "size", "pages"]) {
    await measureList(`mirrors by ${sort} ${order}`, `/api/mirrors?sort=${sort}&order=${order}`);
  }
  await measureList(`subtrees ${order}`, `/api/mirror-subtrees?order=${order}`);
  for (const sort of ["cardinality", "size"]) {
    await measureList(`collections by ${sort} ${order}`, `/api/collections?sort=${sort}&order=${order}`);
  }
}
for (const level of ["similar", "identical"]) {
  const { clusters } = await ready(`/api/clusters?level=${level}`);
  await measureList(`pages of the largest cluster (${level})`, `/api/clusters/${clusters[0].root}?level=${level}`);
  const small = await ready(`/api/clusters?level=${level}&sizes=2-10&limit=500`);
  await measure(`pages of a small cluster (${level})`, `/api/clusters/${small.clusters.at(-1).root}?level=${level}`);
}
await measureList("pages of a collection", "/api/collections/0");
for (const id of [0, Math.floor(urls / 2), urls - 1]) {
  await measure("a URL by its number", `/api/urls/${id}`);
  const { url } = await ready(`/api/urls/${id}?unmask=1`);
  await measure("a URL by its text", `/api/url?unmask=1&url=${encodeURIComponent(url)}`);
}
await measure("a URL that nobody has seen", "/api/url?url=http://www.h7.example/nothing");
for (const address of ["/api/rules", "/api/info", "/api/snapshots", "/api/figures", "/api/jobs", "/api/tables"]) {
  await measure("the rest", address);
}
await measure("substring search", "/api/urls?contains=d99999");
await server.close();

let report;
if (!values["no-report"]) {
  const file = path.join(folder, "report.html");
  const main = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
  const begin = performance.now();
  const child = spawn(process.execPath, [main, "report", "--quiet", "-w", workspace.file, "-o", file], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const { code, cpu, peak } = await watchProcess(child);
  if (code !== 0) throw new Error("dustpan report failed");
  report = { seconds: (performance.now() - begin) / 1000, cpu, peak: peak / 2 ** 20, bytes: statSync(file).size };
}

const slowest = rows.filter(({ what }) => !/substring|rest/.test(what)).sort((a, b) => b.clock - a.clock)[0];
const size = (file) => (existsSync(file) ? (statSync(file).size / 1e9).toFixed(2) : "0");
console.log(`# The web app on a workspace of ${urls.toLocaleString("en")} URLs

${new Date().toISOString().slice(0, 10)}, ${cpus()[0].model}, ${cpus().length} cores, load ${loadavg()[0].toFixed(1)}, Node ${process.version}.
Workspace ${size(workspace.file)} GB; its orders (${size(`${workspace.file}.browse`)} GB) were made in ${ordering.seconds.toFixed(0)} s (${ordering.cpu.toFixed(0)} s of processor time).
Milliseconds, opening and closing the workspace included: the middle one and the longest of ${rounds}, and processor time on all threads.
Slowest page of a list: ${slowest.clock.toFixed(0)} ms (${slowest.what}).
${report === undefined ? "" : `\`dustpan report\`: ${report.seconds.toFixed(0)} s (${report.cpu.toFixed(0)} s of processor time), ${report.peak.toFixed(1)} GB at most, a file of ${(report.bytes / 1000).toFixed(0)} kB.\n`}
| what | request | ms | longest | processor |
|---|---|---:|---:|---:|
${rows.map(({ what, address, clock, worst, cpu }) => `| ${what} | \`${address}\` | ${clock.toFixed(0)} | ${worst.toFixed(0)} | ${cpu.toFixed(0)} |`).join("\n")}`);
if (values.folder === undefined) rmSync(folder, { recursive: true });
