/** Sitemaps and canonical links, from the command line. */
import { readdirSync, writeFileSync } from "node:fs";
import { afterAll, expect, it } from "vitest";
import { urlTargets } from "#src/export/url-targets.js";
import { Folder } from "../cli/folder.js";

const folder = new Folder();
afterAll(() => folder.remove());

const rules = {
  ...{ format: "dustpan-rules", version: 1 },
  rules: [
    { kind: "parameter", name: "sid", action: "remove", status: "valid" },
    { kind: "www", action: "drop", status: "valid" },
    { kind: "case", status: "likely" },
  ],
};
writeFileSync(folder.at("rules.json"), JSON.stringify(rules));
writeFileSync(
  folder.at("urls.txt"),
  [
    ...[
      "http://forum.test/a?x=1&y=2&sid=1",
      "http://forum.test/a?x=1&y=2&sid=2",
      "http://www.forum.test/",
      "http://forum.test/é<b>",
    ],
    ...["http://forum.test/logout?sid=4", `http://forum.test/${"a".repeat(2100)}`, "http://other.test/b?sid=1"],
  ].join("\n"),
);

const run = (...words: string[]) => folder.run(["export", "--rules", "rules.json", "urls.txt", ...words]);

it("a sitemap has the canonical URLs of one host, each once, without actions", async () => {
  const { status, stdout, stderr } = await run("--to", "sitemap", "--host", "forum.test");
  expect([status, [...stdout.matchAll(/<loc>(.*)<\/loc>/g)].map(([, loc]) => loc)]).toEqual([
    0,
    ["http://forum.test/", "http://forum.test/%C3%A9&lt;b&gt;", "http://forum.test/a?x=1&amp;y=2"].sort(),
  ]);
  expect(stderr).toContain("1 URL left out: an action, or a token in the URL");
  expect(await run("--to", "sitemap")).toMatchObject({ status: 2, stderr: expect.stringContaining("forum.test (") });
});

it("canonical links have the element of each URL that is not its own canonical URL", async () => {
  const { stdout } = await run("--to", "canonical-links");
  const lines = stdout.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  expect(lines).toEqual([
    'http://forum.test/a?x=1&y=2&sid=1\t<link rel="canonical" href="http://forum.test/a?x=1&amp;y=2">',
    'http://forum.test/a?x=1&y=2&sid=2\t<link rel="canonical" href="http://forum.test/a?x=1&amp;y=2">',
    'http://www.forum.test/\t<link rel="canonical" href="http://forum.test/">',
    'http://other.test/b?sid=1\t<link rel="canonical" href="http://other.test/b">',
  ]);
});

it("inputs are for these alone, and what is said of rules is not for them", async () => {
  expect((await run("--to", "nginx")).stderr).toContain("INPUT: nginx is made of rules alone");
  expect(await run("--to", "sitemap", "--as", "redirect")).toMatchObject({ status: 2 });
  expect(readdirSync(folder.path).sort()).toEqual(["rules.json", "urls.txt"]);
});

it("more URLs than a file may have become several files and one that names them", () => {
  const sitemap = urlTargets.find(({ name }) => name === "sitemap")!;
  const pairs = function* () {
    for (let i = 0; i < 100_001; i++) yield [`http://a.test/${i}?sid`, `http://a.test/${i}`] as const;
  };
  const [index, ...parts] = sitemap.files({ pairs, notes: ["a -- b"] }, "map.xml");
  expect([...index!.pieces].join("")).toContain("<sitemap><loc>http://a.test/map-3.xml</loc></sitemap>");
  expect(parts.map(({ name, pieces }) => [name, [...pieces].join("").split("<url>").length - 1])).toEqual([
    ["map-1.xml", 50_000],
    ["map-2.xml", 50_000],
    ["map-3.xml", 1],
  ]);
  expect([...index!.pieces].join("")).not.toMatch(/<!--[^>]*--[^>]*-->/);
});
