import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { allHosts, documentOf } from "#src/demo/pages.js";
import { startDemoSite } from "#src/demo/site.js";
import { type EvalOptions, evaluate } from "#src/jobs/eval.js";
import { collectReport } from "#src/jobs/report.js";
import type { PageRecord } from "#src/model.js";
import { sketchesOf } from "#src/sketch/document-sketches.js";
import { Workspace } from "#src/store/workspace.js";
import { addTo, workspaceOf } from "./workspace.js";

const folder = mkdtempSync(path.join(tmpdir(), "dustpan-eval-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Twelve words and more, so that shingles tell pages apart. */
const textOf = (name: string) => Array.from({ length: 30 }, (_, i) => `${name}-${i}`).join(" ");

function page(url: string, text: string, more: Partial<PageRecord> = {}): PageRecord {
  return {
    url,
    status: 200,
    mediaType: "text/html",
    bodyBytes: 1000,
    digest: `sha1:${url}`,
    text,
    ...sketchesOf(text),
    ...more,
  };
}

const context = { onProgress: () => {}, signal: new AbortController().signal };
const options: EvalOptions = {
  mine: {
    likely: "auto",
    sketchMatches: 4,
    maxTokens: 35,
    lowBucket: 6,
    highBucket: 11,
    minSupport: 3,
    maxRelativeDeficiency: 0.05,
    maxAbsoluteDeficiency: 1,
    maxWindow: 1100,
    plan: "ours",
  },
  validate: { plan: "sequential", count: 100, epsilon: 0.05, seed: 1, similarity: "text", assurance: 0.01, text: true },
  split: "same",
  canon: { plan: "ours", maxRounds: 10 },
};

it("finds rules in one snapshot and judges them by another", async () => {
  const pagesOf = (first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, i) => first + i).flatMap((i) => [
      page(`http://a.test/story?id=${i}`, textOf(`story${i}`)),
      page(`http://a.test/story_${i}`, textOf(`story${i}`)),
    ]);
  const workspace = Workspace.inMemory();
  await addTo(workspace, "may", [], pagesOf(1, 40), path.join(folder, "may"));
  await addTo(workspace, "june", [], pagesOf(101, 120), path.join(folder, "june"));
  const { sites } = await evaluate(workspace, { ...options, split: { train: "may", judge: "june" } }, context);
  workspace.close();
  expect(sites[0]!.lists).toEqual({ detect: 80, validate: 80, canonize: 40, by: "snapshot" });
  expect(sites[0]!.reduction).toMatchObject({ before: 40, after: 20 });
  expect(sites[0]!.wrongMerges).toEqual([]);
});

it("measures what the papers measure, offline", async () => {
  const pages: PageRecord[] = [];
  for (let i = 1; i <= 40; i++) {
    pages.push(page(`http://a.test/story?id=${i}`, textOf(`story${i}`)));
    pages.push(page(`http://a.test/story_${i}`, textOf(`story${i}`)));
  }
  const icon = { mediaType: "image/gif", digest: "sha1:icon" };
  for (const name of ["a", "b", "c"]) {
    const { text: _, shingles: __, sketch: ___, ...binary } = page(`http://a.test/${name}/dot.gif`, "", icon);
    pages.push(binary);
    pages.push(page(`http://a.test/gone-${name}`, `The page was not found. ${textOf("sorry")}`));
    pages.push(page(`http://a.test/paper/${name}${name}.html`, textOf("paper"), { digest: "sha1:paper" }));
  }
  const workspace = await workspaceOf([], pages, path.join(folder, "stage"));
  const { sites, stopped } = await evaluate(workspace, options, context);
  const noRules = { rules: [], settings: {} };
  const { figures } = await collectReport(workspace, noRules, { unmask: true, rulesFile: "none" }, context);
  workspace.close();
  expect(stopped).toBe(false);
  expect(sites.length).toBe(1);
  const site = sites[0]!;
  expect(site.lists).toEqual({ detect: 89, validate: 89, canonize: 89, by: "same" });
  expect(site.valid).toBeGreaterThan(0);
  expect(site.reduction).toMatchObject({ before: 89, after: 49 });
  expect(site.coverage).toMatchObject({ urls: 89, documents: 43, before: 46, after: 6 });
  expect(site.wrongMerges).toEqual([]);
  expect(site.causes).toEqual({ covered: 40, image: 2, softError: 2, copy: 2, similar: 0 });
  expect(site.precisionAtK[0]).toEqual({ x: 1, y: 1 });
  // The report draws what was kept.
  expect(figures["duplicates-by-cause"]).toEqual(site.causes);
  expect(figures["precision-at-k"]).toEqual([{ name: "a.test", points: site.precisionAtK }]);
  expect(figures.redundancy).toEqual([{ site: "a.test", urls: 89, saved: 40 / 89 }]);
});

it("keeps the three lists apart", async () => {
  const pages = Array.from({ length: 400 }, (_, i) => {
    const id = Math.floor(i / 2);
    return page(`http://a.test/${i % 2 === 0 ? "story?id=" : "story_"}${id}`, textOf(`story${id}`), {
      timeMs: 1e12 + i,
    });
  });
  const workspace = await workspaceOf([], pages, path.join(folder, "stage"));
  const { sites } = await evaluate(workspace, { ...options, split: "auto" }, context);
  workspace.close();
  expect(sites[0]).toMatchObject({
    lists: { detect: 200, validate: 100, canonize: 100, by: "time" },
    reduction: { before: 100, after: 50, redundancy: 0.5 },
    coverage: { before: 50, after: 0, coverage: 1 },
    wrongMerges: [],
  });
});

it("measures a live site as its truth has it, within a budget and in several goes", async () => {
  const demo = await startDemoSite({ port: 0 });
  try {
    const urls: string[] = [];
    for (let i = 1; i <= 40; i++) {
      // Two names of one forum, and a sub-site with other stories under the same numbers.
      for (const host of ["forum.test", "www.forum.test", "movies.forum.test"]) {
        urls.push(`http://${host}:${demo.port}/story_${i}`, `http://${host}:${demo.port}/story?id=${i}`);
      }
    }
    const workspace = await workspaceOf(urls.map((url) => [url, 1]));
    const fetch = {
      sites: allHosts.map((host) => `http://${host}:${demo.port}`),
      resolve: allHosts.map((host) => `${host}:127.0.0.1`),
      delayMs: 0,
    };
    const live = (maxRequests: number): EvalOptions => ({
      ...options,
      validate: { ...options.validate, fetch: { ...fetch, maxRequests } },
    });
    const first = await evaluate(workspace, live(100), context);
    expect(first).toMatchObject({ stopped: true, fetched: { requests: 100 } });
    const { sites, stopped, fetched } = await evaluate(workspace, live(10_000), context);
    expect(stopped).toBe(false);
    const documents = new Set(urls.map(documentOf)).size;
    expect(sites[0]!.coverage).toMatchObject({ urls: urls.length, documents, before: urls.length - documents });
    expect(sites[0]!.coverage.after).toBe(0);
    expect(sites[0]!.reduction).toMatchObject({ before: urls.length, after: documents });
    expect(sites[0]!.wrongMerges).toEqual([]);
    expect(sites[0]!.causes).toMatchObject({ covered: urls.length - documents, similar: 0 });
    // What the first go has seen was not asked for again.
    expect(demo.requests()).toBe(100 + fetched!.requests);
    workspace.close();
  } finally {
    await demo.close();
  }
});
