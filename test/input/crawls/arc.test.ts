import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readArcRecords } from "#src/input/crawls/arc-records.js";
import { addInput, httpResponse, inChunks } from "./build.js";

const HTML = { "Content-Type": "text/html" };

function arcRecord(url: string, block: Uint8Array, fields = "text/html"): Buffer {
  return Buffer.concat([
    Buffer.from(`${url} 192.0.2.7 20080430204825 ${fields} ${block.length}\n`),
    block,
    Buffer.from("\n"),
  ]);
}

const description = Buffer.from("1 0 InternetArchive\nURL IP-address Archive-date Content-type Archive-length\n");
const head = arcRecord("filedesc://crawl.arc", description, "text/plain");
const page = (number: number) =>
  arcRecord(
    `http://a.test/${number}`,
    httpResponse(`<title>Page ${number}</title><a href="/next">some words here</a>`, HTML),
  );
const members = (records: readonly Uint8Array[]) => Buffer.concat(records.map((record) => gzipSync(record)));

describe("an ARC archive", () => {
  it.each(["plain", "gzip"])("has the pages that its records have (%s)", async (kind) => {
    const records = [head, page(1), arcRecord("dns:a.test", Buffer.from("20080430 a.test"), "text/dns"), page(2)];
    const added = await addInput(kind === "gzip" ? members(records) : Buffer.concat(records));
    expect(added.format).toBe("arc");
    expect(added.pages).toMatchObject(
      [1, 2].map((number) => ({
        url: `http://a.test/${number}`,
        status: 200,
        title: `Page ${number}`,
        address: "192.0.2.7",
        timeMs: Date.UTC(2008, 3, 30, 20, 48, 25),
        links: ["http://a.test/next"],
      })),
    );
    expect(added.damage.entries()).toEqual([]);
  });

  it("of version 2 has more fields before the length", async () => {
    const record = arcRecord("http://a.test/", httpResponse("<p>words", HTML), "text/html 200 - - 123 crawl.arc");
    expect((await addInput(Buffer.concat([head, record]))).pages).toMatchObject([
      { url: "http://a.test/", status: 200 },
    ]);
  });

  it("loses what is damaged, says so, and goes on", async () => {
    const bytes = Buffer.concat([
      head,
      page(1),
      Buffer.from("no header at all\nnor this\n"),
      page(2),
      page(3).subarray(0, 60),
    ]);
    const added = await addInput(bytes);
    expect(added.pages.map(({ url }) => url)).toEqual(["http://a.test/1", "http://a.test/2"]);
    expect(added.damage.entries().map(({ reason }) => reason)).toEqual([
      "no record starts here",
      "record is cut off by the end of the file",
    ]);
    const broken = members([head, page(1), page(2), page(3)]);
    broken[members([head, page(1)]).length + 30]! ^= 0xff;
    const reasons: string[] = [];
    const urls: string[] = [];
    for await (const { head: lines } of readArcRecords(inChunks(broken, 50), true, ({ reason }) =>
      reasons.push(reason),
    )) {
      urls.push(/URI: (.*)\r/.exec(Buffer.from(lines).toString())![1]!);
    }
    expect(urls).toEqual(["filedesc://crawl.arc", "http://a.test/1", "http://a.test/3"]);
    expect(reasons.length).toBeGreaterThan(0);
  });

  it("gives the same records however its bytes come", async () => {
    const bytes = Buffer.concat([head, page(1), page(2)]);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 400 }), async (size) => {
        const blocks: string[] = [];
        for await (const { type, block } of readArcRecords(inChunks(bytes, size), false, () => {})) {
          blocks.push(`${type} ${Buffer.from(block).toString()}`);
        }
        expect(blocks.map((text) => text.split(" ")[0])).toEqual(["filedesc", "response", "response"]);
        expect(blocks[2]).toContain("<title>Page 2</title>");
      }),
      { numRuns: 40 },
    );
  });
});
