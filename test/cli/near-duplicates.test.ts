import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { inFolder, prose, writeWarc } from "../jobs/near-duplicates.js";

const main = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

it("goes from archives to clusters, evolution and mirrors", async () => {
  await inFolder(async (folder) => {
    const dustpan = (...words: string[]) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...words], {
        cwd: folder,
        encoding: "utf8",
      });
      return { status, stdout, stderr };
    };
    const refused = dustpan("cluster");
    expect(refused).toMatchObject({ status: 2, stdout: "" });
    expect(refused.stderr).toMatch(/no workspace at .*make one with "dustpan add INPUT"/);

    const pages = ["a.test", "b.test"].flatMap((host) =>
      Array.from({ length: 10 }, (_, i) => ({ url: `http://${host}/docs/${i}.html`, text: prose(i + 1, 60) })),
    );
    for (const week of ["week-1", "week-2"]) {
      writeWarc(path.join(folder, `${week}.warc`), pages);
      expect(dustpan("add", `${week}.warc`, "--snapshot", week)).toMatchObject({ status: 0 });
    }
    const sketched = dustpan("sketch", "week-1.warc", "-o", "sketches");
    expect(sketched.stdout).toMatch(
      /^week-1\.warc: 20 sketches of 20 downloads in sketches.week-1\.warc\.sketches\.parquet; /,
    );
    const direct = dustpan("cluster", "sketches/*.parquet", "-o", "map.csv");
    expect(direct.stdout).toMatch(
      /^50% of 20 documents are near-duplicates\n20 documents in 10 clusters of very similar ones, of which one of each is kept\n/,
    );
    expect(direct.stderr).toContain("the cluster map is in map.csv");

    // Between two runs: both copies of page 0 are gone, a third of page 1 has come. Both ways to compare tell the same.
    writeWarc(path.join(folder, "week-3.warc"), [
      ...pages.filter(({ url }) => !url.endsWith("/0.html")),
      { url: "http://c.test/1.html", text: prose(2, 60) },
    ]);
    expect(dustpan("cluster", "week-3.warc", "--changes", "x.csv")).toMatchObject({ status: 2, stdout: "" });
    expect(dustpan("cluster", "week-3.warc", "--since", "map.csv", "--changes", "x.txt").stderr).toMatch(
      /^dustpan: --changes x\.txt: expected a name that ends in/,
    );
    const since = dustpan("cluster", "week-3.warc", "--since", "map.csv", "--changes", "changes.csv");
    expect(since.stdout).toContain("clusters: 0 born, 1 grown, 0 merged, 0 shrunk, 0 split, 1 gone, 8 same");
    expect(since.stderr).toContain("all clusters that changed are in changes.csv");
    const grown = "grown,http://a.test/docs/1.html,2,3,1";
    const told = (file: string) => readFileSync(path.join(folder, file), "utf8").trim().split("\n");
    expect(told("changes.csv")).toEqual([
      "fate,root,before,after,parts",
      "gone,http://a.test/docs/0.html,2,0,1",
      grown,
    ]);
    dustpan("cluster", "week-1.warc", "--add", "state.duckdb");
    dustpan("cluster", "week-3.warc", "--add", "state.duckdb", "--changes", "added.csv");
    expect(told("added.csv")).toEqual(["fate,root,before,after,parts", grown]);

    const clusters = JSON.parse(dustpan("cluster", "--json", "--verify", "0.9").stdout);
    expect(clusters).toMatchObject({ format: "dustpan-clusters", version: 1 });
    expect(clusters.results).toMatchObject([
      { snapshot: "week-1", clusters: 10, chaining: { split: 0 } },
      { snapshot: "week-2", clusters: 10, share: 0.5 },
    ]);
    const evolution = dustpan("evolve");
    expect(evolution.stdout).toMatch(/^week-1\s+week-2\s+20\s+0\s+0\s+0\s+0\s+0\s+100%$/m);
    expect(evolution.stdout).toContain("one member of 10 clusters saves 10 fetches");
    expect(dustpan("mirrors").stdout).toContain("mirrors of each other: a.test, b.test");
    expect(dustpan("mirrors", "--hosts-file", "none")).toMatchObject({ status: 2, stdout: "" });
  });
});
