import { afterAll, expect, it } from "vitest";
import { add } from "#src/jobs/add.js";
import { Workspace } from "#src/store/workspace.js";
import { quiet, temporaryFolder } from "../input/reading.js";

const folder = temporaryFolder();
afterAll(() => folder.remove());

const combined = (request: string, time = "10/Oct/2025:13:55:36 +0000") =>
  `203.0.113.77 - eve [${time}] "${request}" 200 5 "https://refer.test/from" "x"`;
const asked = { time: "2025-10-10T13:55:36Z", url: "https://me:secret@www.a.test/json", status: 200 };

/** What no workspace may hold: who asked, where from, with which cookie, and credentials. */
const forbidden = /203\.0\.113\.|eve|refer|chocolate|secret/;

const inputs = {
  "access.log": [
    combined("GET /a HTTP/1.1"),
    combined("GET http://me:secret@www.a.test/b HTTP/1.1"),
    combined("GET HTTP://me:secret@WWW.a.test/c HTTP/1.1"),
    combined("GET /d HTTP/1.1", "no time"),
    `203.0.113.77 - eve "torn`,
  ],
  "log.json": [JSON.stringify({ ...asked, ip: "203.0.113.77", user_agent: "x", cookie: "chocolate" })],
  "pages.jsonl": [JSON.stringify({ ...asked, remote_address: "203.0.113.77", referer: "https://refer.test/" })],
  "table.csv": [
    "url,status,ip,cookie,redirect",
    "https://me:secret@a.test/,301,203.0.113.77,chocolate,//secret@a.test/b",
  ],
  "urls.txt": ["http://secret@www.a.test/list"],
  "sitemap.xml": ["<urlset><url><loc>https://me:secret@a.test/s</loc></url></urlset>"],
  "crawl.jsonl": [
    JSON.stringify({
      ...asked,
      html: '<link rel=canonical href="//me:secret@a.test/c"><a href="//secret@a.test/l">l</a>',
    }),
  ],
};

it("nothing of visitors and no credentials end up in the workspace, damaged or not", async () => {
  const workspace = Workspace.inMemory();
  const files = Object.entries(inputs).map(([name, lines]) => folder.file(name, `${lines.join("\n")}\n`));
  const options = { snapshot: "default", text: true, base: "https://www.a.test" };
  const added = await add(workspace, files, options, () => {}, quiet);
  expect(added.map(({ format, urls }) => `${format} ${urls}`)).toEqual([
    "combined 4",
    "json 1",
    "jsonl 1",
    "csv 1",
    "urls 1",
    "sitemap 1",
    "jsonl 1",
  ]);
  const rows = await workspace.read(async (connection) => {
    const tables = await connection.runAndReadAll("SELECT table_name FROM duckdb_tables()");
    const all: string[] = [];
    for (const [table] of tables.getRows()) {
      const result = await connection.runAndReadAll(`SELECT t::VARCHAR FROM ${table} t`);
      all.push(...result.getRows().map(([row]) => `${table}: ${row}`));
    }
    return all;
  });
  workspace.close();
  expect(rows.filter((row) => row.includes("access.log:5"))).toHaveLength(1);
  expect(rows.filter((row) => forbidden.test(row))).toEqual([]);
});
