import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { startDemoSite } from "#src/demo/site.js";

const example = (name: string) => fileURLToPath(new URL(`../../examples/${name}`, import.meta.url));

async function run(name: string, args: readonly string[], cwd: string, input = "") {
  const child = spawn(process.execPath, [example(name), ...args], {
    cwd,
    env: { ...process.env, DELAY_MS: "0", MAX_PAGES: "60" },
  });
  child.stdin.end(input);
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { out, err };
}

it("the library's example proves rules of a log and canonizes with them", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "dustpan-library-"));
  const site = await startDemoSite({ port: 0 });
  try {
    const origin = `http://forum.test:${site.port}`;
    const urls = Array.from({ length: 6 }, (_, i) => [
      `/story_${i + 1}`,
      `/story_${i + 1}?sid=0a1b2c3d4e5f678${i}`,
    ]).flat();
    writeFileSync(path.join(folder, "urls.txt"), `${urls.map((url) => origin + url).join("\n")}\n`);
    const { out, err } = await run(
      "library.mjs",
      ["urls.txt", origin, "forum.test:127.0.0.1"],
      folder,
      `${origin}/story_9?sid=77\n`,
    );
    expect(err).toContain("proven: drop ?sid on *.forum.test");
    expect(out).toBe(`${origin}/story_9\n`);
  } finally {
    await site.close();
    rmSync(folder, { recursive: true });
  }
});

it("the jobs' example crawls, proves, measures, reports and canonizes", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "dustpan-library-"));
  const site = await startDemoSite({ port: 0 });
  try {
    const origin = `http://forum.test:${site.port}`;
    writeFileSync(path.join(folder, "urls.txt"), `${origin}/story?id=9\n${origin}/story?id=9\n`);
    const { out, err } = await run("jobs.mjs", [`${origin}/`, "forum.test:127.0.0.1"], folder);
    expect(err).toBe("");
    expect(out.replace(/\d+/g, "N").split("\n").slice(0, 5)).toEqual([
      "crawl: N pages, stopped by max pages",
      "validate: N rules hold, of N likely ones",
      "check: N of N URLs are not canonical",
      "eval: N% of the list is redundant",
      "report: N fetches would be saved",
    ]);
    expect(out).toMatch(/canon: \d of 2 URLs changed, 1 repeated\n$/);
    expect(existsSync(path.join(folder, "jobs-example.html"))).toBe(true);
  } finally {
    await site.close();
    rmSync(folder, { recursive: true });
  }
});

it("the example of copies finds what its pages are made to have", async () => {
  const { out, err } = await run("copies.mjs", [], tmpdir());
  expect(err).toBe("");
  expect(out.split("\n").slice(4)).toEqual([
    "http://b.test/c4 is a copy of http://a.test/c4",
    "10 pages were in clusters of 2 to 10; 90% stayed together",
    "collection 0: 5 pages from http://a.test/c0",
    "collection 0: 5 pages from http://b.test/c0",
    "",
  ]);
});

it("the example with a similarity of its own proves and refutes by it", async () => {
  const { out, err } = await run("own-similarity.mjs", [], tmpdir());
  expect([err, out]).toEqual(["", "drop ?colour: valid\ndrop ?size: refuted\nhttp://shop.test/item?id=7&size=xl\n"]);
});
