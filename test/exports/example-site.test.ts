/** The example site, crawled and cached with and without its proven rules: what is asked for less, and that no page is lost. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parseRulesFile } from "#src/canon/file/rules-file.js";
import { exportRules } from "#src/export/export-rules.js";
import { findTarget } from "#src/export/targets.js";
import { record, temporaryFolder } from "./agreement.js";
import { dustpan, type ExampleSite, startExampleSite } from "./example-site.js";
import { type HttpAnswer, type Request, request } from "./servers.js";
import { startNginx } from "./start-nginx.js";
import { startVarnish } from "./start-varnish.js";
import { crawleePackages, run, runAside, scrapyPython } from "./tools.js";

let site: ExampleSite;
beforeAll(async () => {
  site = await startExampleSite();
});
afterAll(() => site.close());

interface Crawled {
  readonly requests: number;
  readonly titles: ReadonlySet<string>;
}

/** The crawler runs in its own process, since the site is in this one, and prints each page's title as JSON. */
async function crawl(...[command, args, options]: Parameters<typeof runAside>): Promise<Crawled> {
  const output = await runAside(command, args, options);
  return { requests: site.takeRequests(), titles: new Set(output.trim().split("\n")) };
}

/** The file that the command writes for the site's rules. */
function exportTo(target: string, file: string): void {
  run(process.execPath, [dustpan, "export", "-q", "--to", target, "-o", file, "--rules", site.rulesFile]);
}

function expectNothingLost(before: Crawled, after: Crawled): void {
  expect([...before.titles].filter((title) => !after.titles.has(title))).toEqual([]);
}

const CRAWLEE = `
import { CheerioCrawler, Configuration, ProxyConfiguration, createCheerioRouter } from "@crawlee/cheerio";
const { seeds, proxy, module } = JSON.parse(process.argv[2]);
const withUniqueKey = module === undefined ? (request) => request : (await import(module)).withUniqueKey;
const router = createCheerioRouter();
router.addDefaultHandler(async ({ $, enqueueLinks }) => {
  console.log(JSON.stringify($("title").text()));
  await enqueueLinks({ strategy: "same-domain", transformRequestFunction: withUniqueKey });
});
const crawler = new CheerioCrawler(
  { requestHandler: router, proxyConfiguration: new ProxyConfiguration({ proxyUrls: [proxy] }), maxRequestRetries: 0, maxRequestsPerCrawl: 20000, minConcurrency: 4 },
  new Configuration({ persistStorage: false, logLevel: "OFF" }),
);
await crawler.run(seeds.map((url) => withUniqueKey({ url })));
`;

it("Crawlee asks for less, and loses no page", async () => {
  const folder = crawleePackages();
  const script = path.join(folder, "crawl.mjs");
  writeFileSync(script, CRAWLEE);
  const file = path.join(temporaryFolder("crawlee"), "unique-key.mjs");
  exportTo("crawlee", file);
  const crawlWith = (module?: string) => {
    const words = JSON.stringify({ seeds: site.seeds, proxy: site.proxy, module });
    return crawl(process.execPath, [script, words], { cwd: folder });
  };
  const without = await crawlWith();
  const withKeys = await crawlWith(pathToFileURL(file).href);
  record("crawlee", {
    "requests without": without.requests,
    "requests with": withKeys.requests,
    pages: without.titles.size,
  });
  expect(withKeys.requests).toBeLessThan(0.8 * without.requests);
  expectNothingLost(without, withKeys);
});

const SPIDER = `
import json, os, sys
import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor
given = json.loads(sys.argv[1])

class Forum(scrapy.Spider):
    name = "forum"
    start_urls = given["seeds"]

    def parse(self, response):
        if not isinstance(response, scrapy.http.HtmlResponse):
            return
        print(json.dumps(response.css("title::text").get()))
        for link in LinkExtractor(allow=r"^http://([a-z]+[.])?forum[.]test:").extract_links(response):
            yield response.follow(link)

process = CrawlerProcess({"LOG_ENABLED": False, "RETRY_ENABLED": False, "ROBOTSTXT_OBEY": True, "DOWNLOAD_DELAY": 0, "CONCURRENT_REQUESTS_PER_DOMAIN": 8, **given["settings"]})
process.crawl(Forum)
process.start()
`;

it("Scrapy asks for less, and loses no page", async () => {
  const folder = temporaryFolder("scrapy");
  exportTo("scrapy", path.join(folder, "canonical_fingerprinter.py"));
  exportTo("duplicate-url-discarder", path.join(folder, "dud.json"));
  writeFileSync(path.join(folder, "crawl.py"), SPIDER);
  const crawlWith = (settings: object) =>
    crawl(scrapyPython(), ["crawl.py", JSON.stringify({ seeds: site.seeds, settings })], {
      cwd: folder,
      env: { ...process.env, http_proxy: site.proxy },
    });
  const without = await crawlWith({});
  const withList = await crawlWith({
    REQUEST_FINGERPRINTER_CLASS: "duplicate_url_discarder.Fingerprinter",
    DUD_LOAD_RULE_PATHS: ["dud.json"],
  });
  const withKeys = await crawlWith({ REQUEST_FINGERPRINTER_CLASS: "canonical_fingerprinter.CanonicalFingerprinter" });
  record("scrapy", {
    "requests without": without.requests,
    "with duplicate-url-discarder's list": withList.requests,
    "with the fingerprinter": withKeys.requests,
    pages: without.titles.size,
  });
  expect(withKeys.requests).toBeLessThan(0.8 * without.requests);
  expect(withList.requests).toBeLessThanOrEqual(without.requests);
  expectNothingLost(without, withList);
  expectNothingLost(without, withKeys);
});

/** What the visitors of the example site asked for, in their order. */
function visits({ rulesFile }: ExampleSite): Request[] {
  const log = readFileSync(path.join(path.dirname(rulesFile), "access.log"), "utf8");
  return [...log.matchAll(/^(\S+) .*?"GET (\S+) HTTP/gm)].map(([, host, target]) => ({ host: host!, target: target! }));
}

async function countHits(port: number, requests: readonly Request[], isHit: (answer: HttpAnswer) => boolean) {
  const answers = await request(port, requests, 1);
  return answers.filter((answer) => answer !== undefined && isHit(answer)).length;
}

it("more of the example site's log is answered from the caches of nginx and Varnish", async () => {
  const requests = visits(site);
  expect(requests.length).toBeGreaterThan(5000);
  const { rules } = parseRulesFile(readFileSync(site.rulesFile, "utf8"), site.rulesFile);
  const origin = new URL(site.seeds[0]!).port;
  const exported = (target: string) => exportRules(rules, findTarget(target)).text;

  const nginx = async (key: string) => {
    const port = await startNginx(
      exported("nginx"),
      "proxy_cache_path cache keys_zone=pages:10m;",
      `location / { proxy_pass http://127.0.0.1:${origin}; proxy_set_header Host $http_host; proxy_cache pages; proxy_cache_key ${key};
          proxy_cache_valid any 10m; proxy_ignore_headers Cache-Control Expires Set-Cookie Vary;
          add_header X-Cache $upstream_cache_status always; }`,
    );
    return countHits(port, requests, ({ headers }) => headers.get("x-cache") === "HIT");
  };
  const varnish = async (include: string) => {
    const port = await startVarnish(
      exported("varnish"),
      `vcl 4.1;
backend default { .host = "127.0.0.1"; .port = "${origin}"; }
${include}
sub vcl_recv { return (hash); }
sub vcl_backend_response { set beresp.ttl = 10m; unset beresp.http.Vary; return (deliver); }`,
    );
    // Two numbers: this request's, and that of the one that filled the cache.
    return countHits(port, requests, ({ headers }) => / /.test(headers.get("x-varnish") ?? ""));
  };
  const hits = {
    nginx: [await nginx("$scheme$http_host$request_uri"), await nginx("$dustpan_key")],
    varnish: [await varnish(""), await varnish('include "dustpan.vcl";')],
  };
  for (const [name, [before, after]] of Object.entries(hits)) {
    record(`${name}, the example site's log`, {
      requests: requests.length,
      "hits before": before,
      "hits after": after,
    });
    expect(after!).toBeGreaterThan(before! * 1.2);
  }
});
