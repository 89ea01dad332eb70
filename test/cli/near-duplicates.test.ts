import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DuckDBInstance } from "#src/store/duckdb.js";
import { prose, writeWarc } from "../jobs/near-duplicates.js";
import { Folder } from "./folder.js";

let folder: Folder;
beforeAll(() => {
  folder = new Folder();
});
afterAll(() => folder.remove());

it("goes from archives to clusters, evolution and mirrors", async () => {
  const dustpan = (...words: string[]) => folder.run(words);
  const refused = await dustpan("cluster");
  expect(refused).toMatchObject({ status: 2, stdout: "" });
  expect(refused.stderr).toMatch(/no workspace at .*make one with "dustpan add INPUT"/);

  const pages = ["a.test", "b.test"].flatMap((host) =>
    Array.from({ length: 10 }, (_, i) => ({ url: `http://${host}/docs/${i}.html`, text: prose(i + 1, 60) })),
  );
  for (const week of ["week-1", "week-2"]) {
    writeWarc(folder.at(`${week}.warc`), pages);
    expect(await dustpan("add", `${week}.warc`, "--snapshot", week)).toMatchObject({ status: 0 });
  }
  const sketched = await dustpan("sketch", "week-1.warc", "-o", "sketches");
  expect(sketched.stdout).toMatch(
    /^week-1\.warc: 20 sketches of 20 downloads in sketches.week-1\.warc\.sketches\.parquet; /,
  );
  const direct = await dustpan("cluster", "sketches/*.parquet", "-o", "map.csv");
  expect(direct.stdout).toMatch(
    /^50% of 20 documents are near-duplicates\n20 documents in 10 clusters of very similar ones, of which one of each is kept\n/,
  );
  expect(direct.stderr).toContain("the cluster map is in map.csv");

  // Between two runs: both copies of page 0 are gone, a third of page 1 has come. Both ways to compare tell the same.
  writeWarc(folder.at("week-3.warc"), [
    ...pages.filter(({ url }) => !url.endsWith("/0.html")),
    { url: "http://c.test/1.html", text: prose(2, 60) },
  ]);
  expect(await dustpan("cluster", "week-3.warc", "--changes", "x.csv")).toMatchObject({ status: 2, stdout: "" });
  expect((await dustpan("cluster", "week-3.warc", "--since", "map.csv", "--changes", "x.txt")).stderr).toMatch(
    /^dustpan: --changes x\.txt: expected a name that ends in/,
  );
  const since = await dustpan("cluster", "week-3.warc", "--since", "map.csv", "--changes", "changes.csv");
  expect(since.stdout).toContain("clusters: 0 born, 1 grown, 0 merged, 0 shrunk, 0 split, 1 gone, 8 same");
  expect(since.stderr).toContain("all clusters that changed are in changes.csv");
  const grown = "grown,http://a.test/docs/1.html,2,3,1";
  const told = (file: string) => readFileSync(folder.at(file), "utf8").trim().split("\n");
  expect(told("changes.csv")).toEqual(["fate,root,before,after,parts", "gone,http://a.test/docs/0.html,2,0,1", grown]);
  await dustpan("cluster", "week-1.warc", "--add", "state.duckdb");
  await dustpan("cluster", "week-3.warc", "--add", "state.duckdb", "--changes", "added.csv");
  expect(told("added.csv")).toEqual(["fate,root,before,after,parts", grown]);

  const clusters = JSON.parse((await dustpan("cluster", "--json", "--verify", "0.9")).stdout);
  expect(clusters).toMatchObject({ format: "dustpan-clusters", version: 1 });
  expect(clusters.results).toMatchObject([
    { snapshot: "week-1", clusters: 10, chaining: { split: 0 } },
    { snapshot: "week-2", clusters: 10, share: 0.5 },
  ]);
  const evolution = await dustpan("evolve");
  expect(evolution.stdout).toMatch(/^week-1\s+week-2\s+20\s+0\s+0\s+0\s+0\s+0\s+100%$/m);
  expect(evolution.stdout).toContain("one member of 10 clusters saves 10 fetches");
  expect((await dustpan("mirrors")).stdout).toContain("mirrors of each other: a.test, b.test");
  writeFileSync(folder.at("hosts"), "10.0.0.1 a.test b.test\n");
  const behindOneAddress = (await dustpan("mirrors", "--hosts-file", "hosts")).stdout;
  expect(behindOneAddress).toContain("week-2: no page is mirrored\n");
  expect(behindOneAddress).toContain(
    "one address, 10.0.0.1: a.test and b.test, with 10 and 10 pages in common clusters",
  );
  expect(behindOneAddress).toContain("whether the address is a CDN's cannot be told from these pages");
  expect(await dustpan("mirrors", "--hosts-file", "none")).toMatchObject({ status: 2, stdout: "" });
});

it("clusters documents of which another program wrote all supershingles, and no others, in memory, on disk and growing", async () => {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const file = folder.at("foreign.parquet");
  // Two are alike; ten others have nothing in common but what is not there; one has no URL.
  await connection.run(
    `COPY (SELECT CASE WHEN i < 12 THEN 'http://a.test/' || lpad(i::VARCHAR, 2, '0') END AS url,
       hash(greatest(i, 1))::UBIGINT AS s0, hash(greatest(i, 1) + 100)::UBIGINT AS s1,
       ${["s2", "s3", "s4", "s5"].map((name) => `CASE WHEN i < 2 OR i = 12 THEN 7::UBIGINT END AS ${name}`).join(", ")}
     FROM range(13) rows(i)) TO '${file}' (FORMAT parquet)`,
  );
  connection.closeSync();
  instance.closeSync();
  const found = async (...words: string[]) => JSON.parse((await folder.run(["cluster", ...words, "--json"])).stdout);
  expect((await found(file)).results).toMatchObject([{ documents: 2, unsketched: 10, clusters: 1, clustered: 2 }]);
  expect(await found(file, "--add", "foreign.clusters")).toMatchObject({ added: 2, clusters: 1, clustered: 2 });
  const onDisk = await found("--engine", "duckdb", "--input", `documents=${file}`);
  expect(onDisk.numbers).toMatchObject({ documents: 2, clusters: 1, clustered: 2 });
});

it("sketches to lines what it sketches to files, and nothing of nothing", async () => {
  const pages = Array.from({ length: 5 }, (_, i) => ({ url: `http://lines.test/${i}`, text: prose(i, 40) }));
  writeWarc(folder.at("lines.warc"), pages);
  const lines = await folder.run(["sketch", "lines.warc", "-o", "-"]);
  expect(lines).toMatchObject({ status: 0, stderr: "" });
  await folder.run(["sketch", "lines.warc", "-o", "of-lines"]);
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const file = folder.at("of-lines", "lines.warc.sketches.parquet");
  const read = await connection.runAndReadAll(`SELECT url, status, s0, s1, s2, s3, s4, s5 FROM '${file}' ORDER BY url`);
  expect(lines.stdout).toBe(
    read
      .getRowsJson()
      .map((row) => `${row.join("\t")}\n`)
      .join(""),
  );
  connection.closeSync();
  instance.closeSync();

  const words = ["sketch", "-", "-o", "-", "--format", "jsonl"];
  const empty = JSON.stringify({ url: "http://lines.test/a\tb", status: 404, html: "" });
  const nulls = Array<string>(6).fill("\\N").join("\t");
  expect(await folder.run(words, empty)).toMatchObject({ stdout: `http://lines.test/a%09b\t404\t${nulls}\n` });
  expect(await folder.run(words, "")).toMatchObject({ status: 0, stdout: "" });
  expect(await folder.run([...words, "--json"], empty)).toMatchObject({ status: 2, stdout: "" });
});
