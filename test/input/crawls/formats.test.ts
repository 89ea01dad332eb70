import { describe, expect, it } from "vitest";
import { crawlFormats } from "#src/input/crawls/formats.js";
import { sampleOf } from "#src/input/format.js";
import { httpResponse, warcRecord } from "./build.js";

const DIGEST = "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ";

/** [expected format, how such a file may begin]; "" is none of them. */
const SAMPLES: readonly [string, string][] = [
  ["warc", warcRecord({ url: "http://a.test/", block: httpResponse("http://a.test/\nhttp://b.test/\n") }).toString()],
  ["parquet", "PAR1\x15\x04"],
  ["sitemap", '<?xml version="1.0"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url>'],
  ["sitemap", '\n<!-- made by hand --><sm:sitemapindex xmlns:sm="x">'],
  ["", '<?xml version="1.0"?><rss><channel><link>http://a.test/</link></channel></rss>'],
  ["cdx", " CDX N b a m s k r M S V g\n"],
  ["cdx", `test,a)/ 20240301120000 http://a.test/ text/html 200 ${DIGEST} 700\n`],
  ["cdxj", `test,a)/ 20240301120000 {"url": "http://a.test/", "status": "200"}\n`],
  ["jsonl", '{"url": "http://a.test/", "status": 200}\n'],
  ["", '{"request": {"uri": "/a", "host": "a.test"}, "status": 200}\n'],
  [
    "heritrix",
    `2024-03-01T12:00:00.500Z   200       1234 http://a.test/ LR http://a.test/old text/html #049 20240301120000000+10 sha1:${DIGEST} - -\n`,
  ],
  ["csv", '"Address","Content Type","Status Code"\n"http://a.test/","text/html","200"\n'],
  ["csv", "url\tstatus\nhttp://a.test/\t200\n"],
  ["csv", "id;url\n1;http://a.test/?x=1,2\n"],
  ["csv", "url\nhttp://a.test/\n"],
  ["urls", "http://a.test/\nhttps://b.test/?x=1,2;3|4\n"],
  ["urls", "# a list\n\nhttp://a.test/?url=http://b.test/\n"],
  ["urls", "http://a.test/url,status\nhttp://a.test/{x}\n"],
  ["", '192.0.2.1 - - [01/Mar/2024:12:00:00 +0000] "GET /a HTTP/1.1" 200 17 "http://a.test/" "url, address"\n'],
  [
    "",
    "#Software: Microsoft Internet Information Services\n#Fields: date time cs-uri-stem sc-status\n2024-03-01 12:00:00 /a 200\n",
  ],
  ["", "The address, and the URL, are on the page.\n"],
  ["", ""],
];

describe("each format is told from the others", () => {
  it.each(SAMPLES)("%s: %j", (expected, text) => {
    const sample = sampleOf({ name: "input", sample: Buffer.from(text, "latin1") }, true);
    const scores = crawlFormats.map((format) => ({ name: format.name, score: format.detect(sample) }));
    const best = scores.reduce((a, b) => (b.score > a.score ? b : a));
    expect(best.score >= 0.3 ? best.name : "").toBe(expected);
    // Two that are near each other are two that can be confused.
    for (const { name, score } of scores)
      if (name !== best.name) expect(score).toBeLessThan(Math.max(0.3, best.score - 0.3));
  });
});

it.each([
  ["jsonl", '{"url": "http://a.test/", "html": "'],
  ["jsonl", '{"page": {"title": "{[\\"", "html": "'],
  ["", '{"log": {"entries": [{"request": {"url": "http://a.test/", "text": "'],
  ["", '{"some": "'],
])("%j is recognised by the beginning of a line that is longer than the sample: %s", (expected, start) => {
  const sample = sampleOf({ name: "x", sample: Buffer.from(`${start}${'<p class=\\"url\\":>'.repeat(3000)}`) }, false);
  const told = crawlFormats.filter((format) => format.detect(sample) >= 0.3).map(({ name }) => name);
  expect(told).toEqual(expected === "" ? [] : [expected]);
});
