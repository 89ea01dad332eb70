import { describe, expect, it } from "vitest";
import { SitemapScanner } from "#src/http/sitemap.js";
import { addInput } from "./build.js";

const DIGEST = "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ";
const EMPTY = "sha1:da39a3ee5e6b4b0d3255bfef95601890afd80709";
const noon = Date.UTC(2024, 2, 1, 12);

describe("CDX", () => {
  const rows = [
    `test,a)/ 20240301120000 http://a.test/ text/html 200 ${DIGEST} - - 700 0 a.warc.gz`,
    `test,a)/old 20240301120000 http://a.test/old text/html 301 ${DIGEST} http://a.test/ - 700 900 a.warc.gz`,
    `test,a)/ 20240301120000 http://a.test/ warc/revisit - ${DIGEST} - - 700 0 a.warc.gz`,
    `test,a)/ 20240301120000 http://a.test/ warc/request - ${DIGEST} - - 700 0 a.warc.gz`,
    `test,a) 20240301120000 dns:a.test text/dns - ${DIGEST} - - 700 0 a.warc.gz`,
  ];
  const expected = [
    { url: "http://a.test/", status: 200, timeMs: noon, mediaType: "text/html", digest: EMPTY },
    {
      url: "http://a.test/old",
      status: 301,
      timeMs: noon,
      mediaType: "text/html",
      digest: EMPTY,
      redirectTo: "http://a.test/",
    },
    { url: "http://a.test/", status: 304, timeMs: noon, digest: EMPTY, revisitOf: { url: "http://a.test/" } },
  ];

  it("with eleven fields", async () => {
    const added = await addInput(` CDX N b a m s k r M S V g\n${rows.join("\n")}\n`);
    expect(added.format).toBe("cdx");
    expect(added.pages).toEqual(expected);
    expect(added.damage.entries()).toEqual([]);
  });

  it("with nine, in another order, or with no header", async () => {
    const nine = rows.map((row) =>
      row
        .split(" ")
        .filter((_, i) => i !== 7 && i !== 8)
        .join(" "),
    );
    expect((await addInput(` CDX N b a m s k r V g\n${nine.join("\n")}\n`)).pages).toEqual(expected);
    const turned = rows.map((row) => row.split(" ").reverse().join(" "));
    expect((await addInput(` CDX g V S M r k s m a b N\n${turned.join("\n")}\n`)).pages).toEqual(expected);
    const bare = await addInput(`${rows.join("\n")}\n`);
    expect(bare.format).toBe("cdx");
    // Without a header nothing says where redirects are.
    expect(bare.pages.map(({ status }) => status)).toEqual([200, 301, 304]);
  });

  it("torn lines are damage", async () => {
    const added = await addInput(` CDX N b a m s k r M S V g\n${rows[0]}\n${rows[1]!.slice(0, 50)}\n${rows[1]}\n`);
    expect(added.pages).toHaveLength(2);
    expect(added.damage.entries()).toMatchObject([{ count: 1, samples: [{ position: { line: 3 } }] }]);
  });
});

it("CDXJ of pywb and Common Crawl", async () => {
  const lines = [
    "!meta {}",
    `test,a)/ 20240301120000 {"url": "http://a.test/", "mime": "text/html", "status": "200", "digest": "${DIGEST}", "length": "9"}`,
    `test,a)/ 20240301120000 {"url": "http://a.test/", "mime": "warc/revisit", "digest": "${DIGEST}"}`,
    `test,a)/r 20240301120000 {"url": "http://a.test/r", "mime": "unk", "mime-detected": "text/html", "status": "302", "digest": "${DIGEST}", "redirect": "/"}`,
    `test,a)/x 20240301120000 {"url": "http://a.te`,
  ];
  const added = await addInput(lines.join("\n"));
  expect(added.format).toBe("cdxj");
  expect(added.pages).toEqual([
    { url: "http://a.test/", status: 200, timeMs: noon, mediaType: "text/html", digest: EMPTY },
    { url: "http://a.test/", status: 304, timeMs: noon, digest: EMPTY, revisitOf: { url: "http://a.test/" } },
    { url: "http://a.test/r", status: 302, timeMs: noon, digest: EMPTY, redirectTo: "http://a.test/" },
  ]);
  expect(added.damage.entries()).toMatchObject([{ count: 1, samples: [{ position: { line: 5 } }] }]);
});

it("Heritrix' crawl.log, with redirects joined to their targets", async () => {
  const line = (status: string, size: string, url: string, path: string, via: string, mime = "text/html") =>
    `2024-03-01T12:00:00.500Z ${status.padStart(5)} ${size.padStart(10)} ${url} ${path} ${via} ${mime} #049 20240301120000000+10 sha1:${DIGEST} - -`;
  const lines = [
    line("1", "55", "dns:a.test", "P", "http://a.test/", "text/dns"),
    line("302", "0", "http://a.test/old", "L", "http://a.test/"),
    line("301", "0", "http://a.test/lost", "L", "http://a.test/"),
    line("200", "1234", "http://a.test/new", "LR", "http://a.test/old"),
    line("-5003", "-", "http://a.test/over", "L", "http://a.test/", "no-type"),
    "2024-03-01T12:00:00.500Z 200 torn",
  ];
  const added = await addInput(lines.join("\n"));
  expect(added.format).toBe("heritrix");
  expect(added.records).toBe(6);
  const about = { timeMs: noon, mediaType: "text/html", digest: EMPTY };
  expect(added.pages).toEqual([
    { url: "http://a.test/old", status: 302, bodyBytes: 0, redirectTo: "http://a.test/new", ...about },
    { url: "http://a.test/new", status: 200, bodyBytes: 1234, ...about },
    { url: "http://a.test/over", status: 0, timeMs: noon, digest: EMPTY },
    { url: "http://a.test/lost", status: 301, bodyBytes: 0, ...about },
  ]);
  expect(added.skipped).toEqual({ "dns: or other fetch": 1 });
  expect(added.damage.entries()).toMatchObject([{ count: 1, samples: [{ position: { line: 6 } }] }]);
});

describe("sitemaps", () => {
  const sitemap = `<?xml version="1.0"?>
<!-- <url><loc>http://a.test/comment</loc></url> -->
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url><loc> http://a.test/?a=1&amp;b=&#x32;&bomb; </loc><lastmod>2024-03-01</lastmod>
    <image:image><image:loc>http://a.test/i.png</image:loc></image:image></url>
  <url>
    <image:image><image:loc>http://a.test/j.png</image:loc></image:image><loc><![CDATA[http://a.test/?c=1&d=2]]></loc></url>
  <url><lastmod>2024-03-01</lastmod></url>
  <url><loc>http://a.test/unended</loc>
  <url><loc>http://a.test/last</loc></url>
</urlset>`;

  it("give their entries' own URLs", async () => {
    const added = await addInput(sitemap);
    expect(added.format).toBe("sitemap");
    expect(added.urls).toEqual(["http://a.test/?a=1&b=2&bomb;", "http://a.test/?c=1&d=2", "http://a.test/last"]);
    expect(added.sightings.firstMs[0]).toBe(Date.UTC(2024, 2, 1));
    expect(added.damage.entries().map(({ reason, samples }) => [reason, samples[0]!.position])).toEqual([
      ["entry does not end", { line: 9 }],
      ["entry without loc", { line: 8 }],
    ]);
  });

  it("are read the same in any pieces", () => {
    const read = (size: number) => {
      const scanner = new SitemapScanner();
      const entries = [];
      for (let at = 0; at < sitemap.length; at += size) entries.push(...scanner.push(sitemap.slice(at, at + size)));
      return [...entries, ...scanner.end()];
    };
    for (const size of [1, 2, 3, 5, 17]) expect(read(size)).toEqual(read(10_000));
  });

  it("cut off lose the last entry only", async () => {
    const added = await addInput(sitemap.slice(0, sitemap.indexOf("test/last") + 7));
    expect(added.urls).toHaveLength(2);
    expect(added.damage.entries()).toHaveLength(3);
  });

  it("indexes name sitemaps, which are not pages", async () => {
    const added = await addInput(
      "<sitemapindex><sitemap><loc>http://a.test/s1.xml</loc></sitemap><sitemap><loc>http://a.test/s2.xml</loc></sitemap></sitemapindex>",
    );
    expect(added.urls).toEqual([]);
    expect(Object.values(added.skipped)).toEqual([2]);
  });

  it("do not expand entities", async () => {
    const bomb = `<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><urlset><url><loc>http://a.test/&b;</loc></url></urlset>`;
    expect((await addInput(bomb)).urls).toEqual(["http://a.test/&b;"]);
  });
});
