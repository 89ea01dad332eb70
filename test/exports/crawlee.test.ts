/** Real crawls of the example site with Crawlee, with and without unique keys by the proven rules. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { asTheyAre, compile } from "#src/canon/compile.js";
import { agree, expectAgreement, record, temporaryFolder } from "./agreement.js";
import { dustpan, type ExampleSite, startExampleSite } from "./example-site.js";
import { npmPackages, run } from "./tools.js";

let site: ExampleSite;
let folder: string;
beforeAll(async () => {
  folder = npmPackages("crawlee", "@crawlee/cheerio@3");
  site = await startExampleSite();
});
afterAll(() => site.close());

// Printed: each page's URL and its heading with the text below it, to see that nothing is lost.
const crawl = `
import { readFileSync } from "node:fs";
import { CheerioCrawler, Configuration, ProxyConfiguration, createCheerioRouter } from "@crawlee/cheerio";
const { seeds, proxy, module } = JSON.parse(process.argv[2]);
const withUniqueKey = module === undefined ? (request) => request : (await import(module)).withUniqueKey;
const router = createCheerioRouter();
router.addDefaultHandler(async ({ request, $, enqueueLinks }) => {
  console.log(JSON.stringify({ url: request.loadedUrl, title: $("title").text(), text: $("p").map((_, p) => $(p).text()).get().join(" ") }));
  await enqueueLinks({ strategy: "same-domain", transformRequestFunction: withUniqueKey });
});
const crawler = new CheerioCrawler(
  { requestHandler: router, proxyConfiguration: new ProxyConfiguration({ proxyUrls: [proxy] }), maxRequestRetries: 0, maxRequestsPerCrawl: 20000, minConcurrency: 4 },
  new Configuration({ persistStorage: false, logLevel: "OFF" }),
);
await crawler.run(seeds.map((url) => withUniqueKey({ url })));
`;

interface Crawled {
  readonly requests: number;
  readonly titles: Set<string>;
}

/** The crawler runs in its own process: the site is in this one. */
async function crawlWith(module?: string): Promise<Crawled> {
  const script = path.join(folder, "crawl.mjs");
  writeFileSync(script, crawl);
  const words = JSON.stringify({ seeds: site.seeds, proxy: site.proxy, module });
  const child = spawn(process.execPath, [script, words], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  const [code] = await once(child, "close");
  expect(code).toBe(0);
  const pages = output
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { title: string });
  return { requests: site.takeRequests(), titles: new Set(pages.map(({ title }) => title)) };
}

it("keeps a crawl from asking twice, and loses no page", async () => {
  const file = path.join(temporaryFolder("crawlee"), "unique-key.mjs");
  run(process.execPath, [dustpan, "export", "--to", "crawlee", "-o", file, "--rules", site.rulesFile]);
  const without = await crawlWith();
  const withKeys = await crawlWith(pathToFileURL(file).href);
  record("crawlee", {
    "requests without": without.requests,
    "requests with": withKeys.requests,
    pages: without.titles.size,
  });
  expect(withKeys.requests).toBeLessThan(0.8 * without.requests);
  expect([...without.titles].filter((title) => !withKeys.titles.has(title))).toEqual([]);
});

it("gives every request the canonical URL as its unique key, from the package too", async () => {
  const agreement = await agree("crawlee", async ({ text, rules }, urls) => {
    const file = path.join(temporaryFolder("crawlee"), "unique-key.mjs");
    writeFileSync(file, text);
    const { withUniqueKey } = await import(pathToFileURL(file).href);
    const { uniqueKeys } = await import("#src/export/crawlee.js");
    const ofPackage = uniqueKeys(rules);
    // What the queue holds is what Crawlee made of it.
    const script = path.join(folder, "queue.mjs");
    const requests = urls.map((url) => withUniqueKey({ url, userData: { a: 1 } }));
    const canon = compile(rules, { use: asTheyAre });
    expect(urls.map((url) => ofPackage({ url, userData: { a: 1 } }))).toEqual(
      urls.map((url) => ({ url, userData: { a: 1 }, uniqueKey: canon(url) })),
    );
    const list = path.join(temporaryFolder("crawlee"), "requests.json");
    writeFileSync(list, JSON.stringify(requests));
    writeFileSync(
      script,
      `import { readFileSync } from "node:fs"; import { Request } from "@crawlee/cheerio";
      console.log(JSON.stringify(JSON.parse(readFileSync(process.argv[2], "utf8")).map((options) => { try { return new Request(options).uniqueKey } catch { return null } })));`,
    );
    const keys: (string | null)[] = JSON.parse(run(process.execPath, [script, list]));
    return keys.map((key) => key ?? undefined);
  });
  expectAgreement(agreement);
});

it("leaves keys that somebody chose, and forms, alone", async () => {
  const { uniqueKeys } = await import("#src/export/crawlee.js");
  const key = uniqueKeys(readFileSync(site.rulesFile, "utf8"));
  const own = { url: `${site.seeds[0]}?sid=1`, uniqueKey: "mine" };
  const form = { url: `${site.seeds[0]}?sid=1`, method: "POST" };
  expect(key(own)).toEqual(own);
  expect(key(form)).toEqual(form);
  expect(key(own.url)).toEqual({ url: own.url, uniqueKey: site.seeds[0] });
});
