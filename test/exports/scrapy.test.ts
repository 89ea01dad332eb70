/** Scrapy: its fingerprints with the exported fingerprinter, duplicate-url-discarder's answers, and real crawls. */
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { normalize } from "#src/url/normalize.js";
import { agree, agreementUrls, canonOf, expectAgreement, record, temporaryFolder } from "./agreement.js";
import { dustpan, type ExampleSite, startExampleSite } from "./example-site.js";
import { pythonPackages, run, runAside } from "./tools.js";

let python: string;
let site: ExampleSite;
beforeAll(async () => {
  python = pythonPackages("scrapy", "scrapy==2.*", "duplicate-url-discarder==0.3.*");
  site = await startExampleSite();
});
afterAll(() => site.close());

/** What Scrapy makes of URLs before anything else sees them: it encodes what browsers would. */
function asRequested(urls: readonly string[]): string[] {
  const script = `
import json, sys
from scrapy import Request
print(json.dumps([Request(url).url for url in json.load(sys.stdin)]))`;
  const requested: string[] = JSON.parse(run(python, ["-c", script], { input: JSON.stringify(urls) }));
  return [...new Set(requested.map((url) => normalize(url).url))];
}

it("the fingerprinter tells requests apart by their canonical URL", async () => {
  const urls = asRequested(agreementUrls());
  const agreement = await agree(
    "scrapy",
    (exported) => {
      const folder = temporaryFolder("scrapy");
      writeFileSync(path.join(folder, "canonical_fingerprinter.py"), exported.text);
      const script = `
import json, sys
from scrapy import Request
from scrapy.utils.test import get_crawler
from scrapy.utils.misc import build_from_crawler, load_object
fingerprinter = build_from_crawler(load_object("canonical_fingerprinter.CanonicalFingerprinter"), get_crawler())
print(json.dumps([fingerprinter.fingerprint(Request(url)).hex() for url in json.load(sys.stdin)]))`;
      const canon = canonOf(exported);
      const digest = (url: string) => createHash("sha1").update(`GET ${url}`).digest("hex");
      const canonical = new Map(urls.map((url) => [digest(canon(url)), canon(url)]));
      const found: string[] = JSON.parse(run(python, ["-c", script], { cwd: folder, input: JSON.stringify(urls) }));
      return found.map((fingerprint) => canonical.get(fingerprint) ?? "the fingerprint of no canonical URL");
    },
    { urls },
  );
  expectAgreement(agreement);
});

it("duplicate-url-discarder's list gives the canonical URL", async () => {
  const agreement = await agree("duplicate-url-discarder", ({ text }, urls) => {
    const folder = temporaryFolder("dud");
    writeFileSync(path.join(folder, "rules.json"), text);
    const script = `
import json, sys
from duplicate_url_discarder.url_canonicalizer import UrlCanonicalizer
canonicalizer = UrlCanonicalizer(["rules.json"])
print(json.dumps([canonicalizer.process_url(url) for url in json.load(sys.stdin)]))`;
    return JSON.parse(run(python, ["-c", script], { cwd: folder, input: JSON.stringify(urls) }));
  });
  expectAgreement(agreement);
});

const spider = `
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

async function crawl(settings: object): Promise<{ requests: number; titles: Set<string> }> {
  const folder = temporaryFolder("scrapy");
  const keys = path.join(folder, "canonical_fingerprinter.py");
  const list = path.join(folder, "dud.json");
  run(process.execPath, [dustpan, "export", "--to", "scrapy", "-o", keys, "--rules", site.rulesFile]);
  run(process.execPath, [dustpan, "export", "--to", "duplicate-url-discarder", "-o", list, "--rules", site.rulesFile]);
  writeFileSync(path.join(folder, "crawl.py"), spider);
  const output = await runAside(python, ["crawl.py", JSON.stringify({ seeds: site.seeds, settings })], {
    cwd: folder,
    env: { ...process.env, http_proxy: site.proxy },
  });
  return { requests: site.takeRequests(), titles: new Set(output.trim().split("\n")) };
}

it("keeps a crawl from asking twice, and loses no page", async () => {
  const without = await crawl({});
  const withList = await crawl({
    REQUEST_FINGERPRINTER_CLASS: "duplicate_url_discarder.Fingerprinter",
    DUD_LOAD_RULE_PATHS: ["dud.json"],
  });
  const withKeys = await crawl({ REQUEST_FINGERPRINTER_CLASS: "canonical_fingerprinter.CanonicalFingerprinter" });
  record("scrapy", {
    "requests without": without.requests,
    "with duplicate-url-discarder's list": withList.requests,
    "with the fingerprinter": withKeys.requests,
    pages: without.titles.size,
  });
  expect(withKeys.requests).toBeLessThan(0.8 * without.requests);
  expect(withList.requests).toBeLessThanOrEqual(without.requests);
  for (const { titles } of [withList, withKeys]) {
    expect([...without.titles].filter((title) => !titles.has(title))).toEqual([]);
  }
});
