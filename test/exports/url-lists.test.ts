/** Sitemaps and canonical links as parsers from npm read them. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { asTheyAre, compile } from "#src/canon/compile.js";
import { urlTargets } from "#src/export/url-targets.js";
import { agreementUrls, RULES, record, temporaryFolder } from "./agreement.js";
import { npmPackages, run } from "./tools.js";

const script = `
import { createReadStream, readFileSync, writeFileSync } from "node:fs";
import { parseFragment } from "parse5";
import { parseSitemap } from "sitemap";
const [sitemap, links, answers] = process.argv.slice(2);
const items = await parseSitemap(createReadStream(sitemap));
const found = readFileSync(links, "utf8").split("\\n").filter((line) => line !== "" && !line.startsWith("#")).map((line) => {
  const [url, element] = line.split("\\t");
  const [{ nodeName, attrs }] = parseFragment(element).childNodes;
  return [url, nodeName, Object.fromEntries(attrs.map(({ name, value }) => [name, value]))];
});
writeFileSync(answers, JSON.stringify({ sitemap: items.map(({ url }) => url), links: found }));`;

it("have the canonical URLs, as parsers read them", () => {
  const canon = compile(RULES, { use: asTheyAre });
  const urls = agreementUrls().filter((url) => !/\s/.test(url));
  const pairs = () => urls.map((url) => [url, canon(url)] as const);
  const folder = temporaryFolder("url-lists");
  const [sitemap, links] = urlTargets.map(({ files, file }) => {
    const [only, ...others] = files({ pairs, notes: ["a note -- with hyphens"] }, file);
    expect(others).toEqual([]);
    const name = path.join(folder, file);
    writeFileSync(name, [...only!.pieces].join(""));
    return name;
  });
  const packages = npmPackages("url-lists", "sitemap@8", "parse5@7");
  const main = path.join(packages, "parse.mjs");
  writeFileSync(main, script);
  const answers = path.join(folder, "answers.json");
  run(process.execPath, [main, sitemap!, links!, answers]);
  const read = JSON.parse(readFileSync(answers, "utf8"));

  // As a URL is written where only ASCII may be.
  const written = (url: string) => url.replace(/[^!-~]+/g, (text) => encodeURIComponent(text));
  const canonical = [...new Set(pairs().map(([, to]) => written(to)))].filter((url) => url.length < 2048);
  expect(new Set(read.sitemap)).toEqual(new Set(canonical));
  expect(read.sitemap).toHaveLength(canonical.length);
  const changed = pairs().filter(([from, to]) => from !== to);
  expect(read.links).toEqual(changed.map(([from, to]) => [from, "link", { rel: "canonical", href: written(to) }]));
  expect(urls.length).toBeGreaterThan(5000);
  expect(changed.length).toBeGreaterThan(1000);
  record("sitemap, canonical-links", { urls: urls.length, inSitemap: canonical.length, links: changed.length });
});
