// From plain text to 84-feature sketches (5-word shingles): dustpan against datasketch and rensa on the same documents in
// one run; then from HTML bytes to text, links and sketch.
//   node bench/speed/sketch.mjs [PAGES.warc ...] [--install]     (plain WARC files; without any, made-up pages)
// The peers are looked for in a virtual environment of their own, in the system's temporary folder. --install makes it
// (python3 with venv, and pip, which must reach a package index). Without them the result says that they are absent.
// Each figure is the best of three rounds after one that does not count. Ratios are of CPU time (all threads of a process),
// which other work on the machine disturbs less than it does wall time.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { parseHtml, sketchesOf, sketchText, utf8Html } from "../../dist/sketch/index.js";
import { plainFingerprinter } from "../../dist/sketch/plain.js";

const [load] = loadavg();
const MAX_PAGES = 500;
const { values: options, positionals } = parseArgs({
  options: { install: { type: "boolean", default: false } },
  allowPositionals: true,
});

/** The HTML pages of a plain WARC file. */
function warcPages(file) {
  const bytes = readFileSync(file);
  const pages = [];
  for (let at = 0; at < bytes.length && pages.length < MAX_PAGES; ) {
    const block = bytes.indexOf("\r\n\r\n", at) + 4;
    if (block < 4) break;
    const head = bytes.toString("latin1", at, block);
    const end = block + Number(/^content-length:\s*(\d+)/im.exec(head)?.[1] ?? 0);
    if (/^warc-type:\s*response/im.test(head)) {
      const body = bytes.indexOf("\r\n\r\n", block) + 4;
      const http = bytes.toString("latin1", block, body);
      const contentType = /^content-type:\s*([^\r\n]*)/im.exec(http)?.[1];
      const plain = !/^(transfer|content)-encoding:/im.test(http);
      if (/^HTTP\/\S+ 200/.test(http) && plain && /html/i.test(contentType ?? ""))
        pages.push({ bytes: bytes.subarray(body, end), contentType });
    }
    at = end + 4;
  }
  return pages;
}

/** Pages of 100 to 2,000 words out of 20,000, the frequent ones first, with markup between. */
function madeUpPages() {
  let state = 1;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const words = Array.from({ length: 20_000 }, () =>
    Math.floor(random() * 36 ** 6)
      .toString(36)
      .slice(random() * 5),
  );
  return Array.from({ length: MAX_PAGES }, () => {
    let html = '<!DOCTYPE html><html><head><meta charset="utf-8"><title>Page</title></head><body class="page">';
    for (let left = 100 + random() * 1900; left > 0; left -= 40) {
      const text = Array.from({ length: 40 }, () => words[Math.floor(words.length ** random()) - 1]).join(" ");
      html += `<div class="block"><p id="p${left | 0}">${text}</p><a href="/page?id=${left | 0}&amp;x=1">more</a></div>\n`;
    }
    return { bytes: new TextEncoder().encode(html), contentType: "text/html; charset=utf-8" };
  });
}

const cpuSeconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

const best = async (work) => {
  const least = { cpu: Number.POSITIVE_INFINITY, wall: Number.POSITIVE_INFINITY };
  for (let round = 0; round < 4; round++) {
    const start = [cpuSeconds(), performance.now()];
    await work();
    if (round === 0) continue;
    least.cpu = Math.min(least.cpu, cpuSeconds() - start[0]);
    least.wall = Math.min(least.wall, (performance.now() - start[1]) / 1000);
  }
  return least;
};

const pages = positionals.length > 0 ? positionals.flatMap(warcPages) : madeUpPages();
const texts = pages.map(({ bytes, contentType }) => parseHtml(utf8Html(bytes, contentType)).text);
const textBytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
const htmlBytes = pages.reduce((sum, { bytes }) => sum + bytes.length, 0);
const words = texts.reduce((sum, text) => sum + (sketchText(text)?.words ?? 0), 0);

/** All texts in two threads. */
async function twoThreads() {
  const code = `
    import { parentPort, workerData } from "node:worker_threads";
    const { sketchText } = await import(workerData.module);
    parentPort.on("message", () => {
      for (const text of workerData.texts) sketchText(text);
      parentPort.postMessage("done");
    });`;
  const module = new URL("../../dist/sketch/index.js", import.meta.url).href;
  const workers = [0, 1].map((half) => {
    const workerData = { module, texts: texts.filter((_, index) => index % 2 === half) };
    return new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`), { workerData });
  });
  const seconds = await best(() =>
    Promise.all(
      workers.map(
        (worker) =>
          new Promise((resolve) => {
            worker.once("message", resolve);
            worker.postMessage("go");
          }),
      ),
    ),
  );
  await Promise.all(workers.map((worker) => worker.terminate()));
  return seconds;
}

const plain = plainFingerprinter();
const plans = [{ shingleWords: 5, wrap: true, functions: 84 }];
const encoder = new TextEncoder();
const seconds = {
  "dustpan, WebAssembly": await best(() => texts.map((text) => sketchText(text))),
  "dustpan, WebAssembly, two threads": await twoThreads(),
  "dustpan, plain JavaScript": await best(() =>
    texts.map((text) => plain.features(encoder.encode(text), "unicode", plans)),
  ),
};

const folder = mkdtempSync(path.join(tmpdir(), "dustpan-sketch-"));
const file = path.join(folder, "texts.jsonl");
writeFileSync(file, texts.map((text) => `${JSON.stringify(text)}\n`).join(""));
const script = path.join(import.meta.dirname, "sketch-peers.py");
const environment = path.join(tmpdir(), "dustpan-bench-peers");
const python = path.join(environment, "bin", "python");
if (options.install) {
  execFileSync("python3", ["-m", "venv", environment], { stdio: "inherit" });
  execFileSync(python, ["-m", "pip", "install", "--quiet", "datasketch", "rensa"], { stdio: "inherit" });
}
const peers = spawnSync(python, [script, file], { encoding: "utf8", maxBuffer: 2 ** 20 });
rmSync(folder, { recursive: true });
if (peers.status === 0) Object.assign(seconds, JSON.parse(peers.stdout));
else console.error(`datasketch and rensa are absent (run with --install): ${peers.stderr || peers.error?.message}`);

const ours = seconds["dustpan, WebAssembly"];
const round = (value, digits = 1) => Number(value.toFixed(digits));
const htmlMBPerCpuSecond = {};
for (const [name, work] of Object.entries({
  "bytes to text and links": (page) => parseHtml(utf8Html(page.bytes, page.contentType)),
  "bytes to text, links, 84 features and 4 shingles": (page) =>
    sketchesOf(parseHtml(utf8Html(page.bytes, page.contentType)).text, page.bytes),
}))
  htmlMBPerCpuSecond[name] = round(htmlBytes / (await best(() => pages.map(work))).cpu / 1e6);

const result = {
  date: new Date().toISOString().slice(0, 10),
  machine: `${cpus()[0].model}, ${cpus().length} cores, Node ${process.version}`,
  // Above 1, others were using the machine: even CPU times are then longer than they need be.
  loadAtStart: round(load),
  peers: peers.status === 0 ? "in the same run" : "absent",
  documents: { from: positionals.map((name) => path.basename(name)), count: pages.length, words, textBytes, htmlBytes },
  textToSketch: Object.entries(seconds).map(([name, { cpu, wall }]) => ({
    name,
    cpuSeconds: round(cpu, 3),
    wallSeconds: round(wall, 3),
    cpuNanosecondsPerWord: round((cpu / words) * 1e9, 0),
    cpuTimeOfOurs: round(cpu / ours.cpu, 2),
  })),
  htmlMBPerCpuSecond,
};
console.log(JSON.stringify(result, null, 1));
