/** Scrapy: its fingerprints with the exported fingerprinter, and duplicate-url-discarder's answers. */
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { it } from "vitest";
import type { Exported } from "#src/export/export-rules.js";
import { normalize } from "#src/url/normalize.js";
import {
  agree,
  agreementUrls,
  agreesOnHostileRules,
  canonOf,
  expectAgreement,
  isUrl,
  temporaryFolder,
} from "./agreement.js";
import { run, scrapyPython } from "./tools.js";

/** What Scrapy makes of URLs before anything else sees them: it encodes what browsers would. */
function asRequested(urls: readonly string[]): string[] {
  const script = `
import json, sys
from scrapy import Request
print(json.dumps([Request(url).url for url in json.load(sys.stdin)]))`;
  const requested: string[] = JSON.parse(run(scrapyPython(), ["-c", script], { input: JSON.stringify(urls) }));
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
      const found: string[] = JSON.parse(
        run(scrapyPython(), ["-c", script], { cwd: folder, input: JSON.stringify(urls) }),
      );
      return found.map((fingerprint) => canonical.get(fingerprint) ?? "the fingerprint of no canonical URL");
    },
    { urls },
  );
  expectAgreement(agreement);
});

function askDiscarder({ text }: Exported, urls: readonly string[]): string[] {
  const folder = temporaryFolder("dud");
  writeFileSync(path.join(folder, "rules.json"), text);
  const script = `
import json, sys
from duplicate_url_discarder.url_canonicalizer import UrlCanonicalizer
canonicalizer = UrlCanonicalizer(["rules.json"])
print(json.dumps([canonicalizer.process_url(url) for url in json.load(sys.stdin)]))`;
  return JSON.parse(run(scrapyPython(), ["-c", script], { cwd: folder, input: JSON.stringify(urls) }));
}

it("duplicate-url-discarder's list gives the canonical URL", async () => {
  expectAgreement(await agree("duplicate-url-discarder", askDiscarder));
});

agreesOnHostileRules("duplicate-url-discarder", 20, askDiscarder, { reaches: isUrl, kinds: ["parameter"] });
