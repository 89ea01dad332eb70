import { spawnSync } from "node:child_process";
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
    expect(direct.stdout).toMatch(/^50% of 20 documents are near-duplicates\n20 documents in 10 clusters/);
    expect(direct.stderr).toContain("the cluster map is in map.csv");

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
