// Makes a small workspace of the present version with something in most tables, packed, for the tests of migrations:
//
//     node scripts/golden-workspace.mjs     writes test/store/golden/workspace-VERSION.duckdb.gz
//
// Run it, and commit the file, before a change of the tables counts the version up. dist/ must be built.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { DuckDBInstance } from "@duckdb/node-api";
import { SCHEMA_VERSION } from "../dist/store/schema.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), "dustpan-golden-"));
const words = (topic) => Array.from({ length: 60 }, (_, i) => `${topic}${(i * 7) % 31} word${i}`).join(" ");

/** A manual on two hosts, and stories under two kinds of URLs. */
const page = (topic, links) =>
  `<title>${topic}</title><p>${words(topic)}</p>${links.map((to) => `<a href="${to}">${to}</a>`).join(" ")}`;
const chapters = Array.from({ length: 12 }, (_, i) => `/manual/c${i}.html`);
const server = createServer((request, response) => {
  const { pathname } = new URL(request.url, "http://localhost");
  const story = /^\/(?:story_|story\/)(\d)$/.exec(pathname)?.[1];
  const chapter = chapters.indexOf(pathname);
  response.setHeader("content-type", "text/html");
  if (pathname === "/robots.txt") response.writeHead(404).end();
  else if (pathname === "/manual/") response.end(page("manual", chapters));
  else if (chapter >= 0) response.end(page(`chapter${chapter}`, [chapters[(chapter + 1) % 12]]));
  else if (story !== undefined) response.end(page(`story${story}`, []));
  else response.writeHead(404).end("<p>there is nothing here</p>");
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const { port } = server.address();
const run = (...args) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [path.join(root, "dist/cli/main.js"), ...args], {
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let errors = "";
    child.stderr.on("data", (text) => (errors += text));
    child.on("exit", (code) => (code === 0 ? resolve() : reject(new Error(`dustpan ${args.join(" ")}: ${errors}`))));
  });
try {
  const origins = ["a.test", "b.test"].map((host) => `http://${host}:${port}`);
  const resolve = ["a.test", "b.test"].flatMap((host) => ["--resolve", `${host}:127.0.0.1`]);
  const log = Array.from({ length: 9 }, (_, i) => ["story_", "story/"].map((form) => `/${form}${i}`))
    .flat()
    .map(
      (url) =>
        `192.0.2.1 - - [10/Feb/2026:16:42:07 +0000] "GET ${url} HTTP/1.1" 200 ${1000 + url.length} "-" "Googlebot/2.1"`,
    );
  writeFileSync(path.join(folder, "access.log"), `${log.join("\n")}\n`);
  await run("add", "access.log", "--base", origins[0]);
  await run("mine", "--min-support", "3");
  await run("validate", "--site", origins[0], ...resolve, "--delay", "0");
  for (const snapshot of ["first", "second"]) {
    const seeds = origins.map((origin) => `${origin}/manual/`);
    await run("crawl", ...seeds, "--snapshot", snapshot, ...resolve, "--delay", "0");
    await run("cluster", "--snapshot", snapshot);
  }
  await run("evolve");
  await run("mirrors", "--snapshot", "second");
  await run("collections", "--snapshot", "second");
  const small = path.join(folder, "small.duckdb");
  // Blocks as small as DuckDB allows, since most tables have a few rows.
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  await connection.run(`ATTACH '${path.join(folder, "dustpan.duckdb")}' AS whole (READ_ONLY)`);
  await connection.run(`ATTACH '${small}' AS small (BLOCK_SIZE 16384)`);
  await connection.run("COPY FROM DATABASE whole TO small");
  const tables = (
    await connection.runAndReadAll(
      "SELECT table_name, estimated_size FROM duckdb_tables() WHERE database_name = 'small' ORDER BY 1",
    )
  ).getRows();
  console.error(tables.map(([name, rows]) => `${name} ${rows}`).join(", "));
  connection.closeSync();
  instance.closeSync();
  const target = path.join(root, "test/store/golden", `workspace-${SCHEMA_VERSION}.duckdb.gz`);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, gzipSync(readFileSync(small), { level: 9 }));
  console.error(`${target}: ${readFileSync(target).length} bytes`);
} finally {
  server.close();
  rmSync(folder, { recursive: true });
}
