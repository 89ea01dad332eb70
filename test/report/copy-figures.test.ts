import { expect, it } from "vitest";
import { clusterSnapshots } from "#src/jobs/cluster.js";
import { findReplicatedCollections } from "#src/jobs/collections.js";
import { copyFigures } from "#src/jobs/copy-figures.js";
import { evolve } from "#src/jobs/evolve.js";
import { mirrors } from "#src/jobs/mirrors.js";
import { collectReport } from "#src/jobs/report.js";
import { drawFigures } from "#src/report/figures.js";
import { renderReport } from "#src/report/page.js";
import { context, inFolder, prose, type TestPage, workspaceOf } from "../jobs/near-duplicates.js";

/** A start page with links to the others. */
function site(host: string, pages: number, seed: number): TestPage[] {
  const url = (page: number) => `http://${host}/${page}.html`;
  const links = Array.from({ length: pages - 1 }, (_, i) => `<a href="${url(i + 1)}">next</a>`).join("\n");
  return Array.from({ length: pages }, (_, page) => ({
    url: url(page),
    text: `${page === 0 ? links : ""}<p>${prose(seed + page, 60)}</p>`,
  }));
}

it("draws the figures about copies from what the commands keep, and none before", async () => {
  await inFolder(async (folder) => {
    const before = [...site("a.test", 20, 1), ...site("b.test", 20, 1), ...site("c.test", 30, 100)];
    const after = [...site("a.test", 20, 1), ...site("b.test", 19, 1), ...site("c.test", 30, 200)];
    const workspace = await workspaceOf(folder, { "week-1": before, "week-2": after });
    expect(await copyFigures(workspace)).toEqual({});
    for (const level of ["similar", "identical"] as const) {
      await clusterSnapshots(workspace, { level, top: 5 }, context);
    }
    await evolve(workspace, { plan: "ours", maxRisk: 0.5 }, context);
    await mirrors(workspace, { minPages: 10 }, context);
    await findReplicatedCollections(workspace, { similarity: "chunks", chunking: "document" }, context);
    await findReplicatedCollections(workspace, {}, context);
    const data = await copyFigures(workspace);
    expect(Object.keys(data).sort()).toEqual([
      "change-by-cluster-size",
      "change-by-mirror-size",
      "cluster-size-by-change",
      "cluster-sizes",
      "collections-scatter",
      "hosts-by-change",
      "largest-clusters",
      "largest-identical",
      "mirrored-pairs",
      "replication-by-chunking",
      "retention",
      "reverse-retention",
      "similarity-costs",
      "similarity-over-snapshots",
      "size-by-change-normalized",
    ]);
    const [first] = data["cluster-sizes"]!;
    expect(first).toMatchObject({ snapshot: "week-1", level: "similar", distribution: [{ size: 2, count: 20 }] });
    expect(first!.share).toBeCloseTo(20 / 70);
    expect(data["cluster-sizes"]!.map(({ snapshot, level }) => `${snapshot} ${level}`)).toEqual([
      "week-1 similar",
      "week-1 identical",
      "week-2 similar",
      "week-2 identical",
    ]);
    // One size does not make a distribution; which two hosts they are says more.
    expect(data["mirrored-pairs"]).toMatchObject([
      { a: "a.test", b: "b.test", pagesA: 19, pagesB: 19, knownA: 20, knownB: 19, clusters: 19, alike: 19 },
    ]);
    expect(data["collections-scatter"]).toMatchObject([{ copies: 2, pages: 19, clusters: 1, isNoise: false }]);
    expect(data["largest-clusters"]![0]).toMatchObject({ size: 2, hosts: 2, url: expect.stringContaining("a.test") });
    expect(data["largest-clusters"]![0]).not.toHaveProperty("machines");
    // The paper's figure 8: shares of each degree of change are a whole, wherever there is a download.
    const { downloads, shares } = data["cluster-size-by-change"]!;
    expect(downloads.reduce((sum, n) => sum + n, 0)).toBe(69);
    downloads.forEach((n, bucket) => {
      expect(shares[bucket]!.reduce((sum, share) => sum + share, 0)).toBeCloseTo(n > 0 ? 1 : 0);
    });
    expect(data["reverse-retention"]!.every(({ value }) => value > 0 && value <= 1)).toBe(true);
    // Every second look with another test of similarity adds a bar.
    expect(data["replication-by-chunking"]!.chunkings.map(({ name }) => name)).toEqual([
      "document",
      "near-duplicate clusters",
    ]);
    for (const { svg } of drawFigures(data)) expect(svg).not.toMatch(/NaN|undefined/);
  });
});

it("tells what was found about copies as plainly as about rules", async () => {
  await inFolder(async (folder) => {
    const pages = (host: string) =>
      Array.from({ length: 12 }, (_, at) => ({
        url: `http://${host}/${at}?token=0123456789abcdef0123456789abcdef`,
        text: prose(at),
      }));
    const workspace = await workspaceOf(folder, { default: [...pages("a.test"), ...pages("b.test")] });
    const rules = { rules: [], settings: {} };
    const report = () => collectReport(workspace, rules, { rulesFile: "rules.json", unmask: false }, context);
    expect((await report()).copies).toBeUndefined();
    await clusterSnapshots(workspace, { level: "similar", top: 5 }, context);
    await mirrors(workspace, { minPages: 10 }, context);
    const data = await report();
    expect(data.copies).toMatchObject({
      clusters: { documents: 24, clustered: 24, clusters: 12, share: 0.5 },
      mirrors: {
        groups: {
          shown: [{ hosts: ["a.test", "b.test"], kept: expect.stringContaining("a.test/0?token=01•••") }],
          more: 0,
        },
        share: 1,
      },
    });
    expect(JSON.stringify(data.copies)).not.toContain("0123456789abcdef");
    const html = renderReport(data);
    expect(html).toContain("a.test, b.test");
    expect(html).toContain("50% of 24 pages are near-duplicates: 24 in 12 clusters, one of each not counted");
    // What mirrors cost is the headline, too, and near-duplicates where nothing can be left out.
    expect(html).toMatch(/<h1>50% of a crawl of .* is copies of pages that are kept elsewhere<\/h1>/);
    expect(html).toContain("leaves out 12 pages, 50% of its fetches");
    const { clusters } = data.copies!;
    const withoutAdvice = renderReport({ ...data, copies: { clusters: clusters! } });
    expect(withoutAdvice).toMatch(/<h1>50% of the pages of .* are near-duplicates of others<\/h1>/);
    expect(renderReport({ ...data, copies: {} })).toContain("No dust is proven");
    // With collections, the headline is what they cost.
    const collections = {
      ...{ snapshot: "default", pages: 24, replicatedPages: 24, avoidable: 12, entries: 1 },
      shown: {
        shown: [{ name: "<Manual>", copies: 2, size: 12, roots: ["http://a.test/", "http://b.test/"] }],
        more: 3,
      },
    };
    const withCollections = renderReport({ ...data, copies: { ...data.copies, collections } });
    expect(withCollections).toMatch(/<h1>50% of a crawl of .* is copies of pages that are kept elsewhere<\/h1>/);
    expect(withCollections).not.toContain("<Manual>");
    expect(withCollections).toContain("and 3 more collections");
    // And they come first, with what to do about them.
    expect(withCollections.indexOf('<h2 id="copies">')).toBeLessThan(withCollections.indexOf('<h2 id="directories">'));
    expect(withoutAdvice.indexOf('<h2 id="copies">')).toBeGreaterThan(withoutAdvice.indexOf('<h2 id="directories">'));
    expect(withCollections).toContain("dustpan crawl http://a.test/ --avoid workspace");
    // Where it would have to begin at a page with a token, there is no command to copy.
    expect(html).not.toContain("dustpan crawl http");
  });
});
