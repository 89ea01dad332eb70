import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseDigest, parseSize, parseStatus, parseTime } from "#src/http/values.js";
import { CsvParser } from "#src/input/crawls/csv.js";
import { addInput, withoutSketches } from "./build.js";

const reasons = (added: Awaited<ReturnType<typeof addInput>>) =>
  added.damage.entries().map(({ reason, count, samples }) => ({ reason, count, at: samples.map((s) => s.position) }));

describe("values", () => {
  it("statuses", () => {
    expect(["200", " 404 ", "200.0", "0", "-5003", "x", "2x", ""].map(parseStatus)).toEqual([
      200,
      404,
      200,
      0,
      0,
      undefined,
      undefined,
      undefined,
    ]);
  });
  it("sizes", () => {
    expect(["17", "1,234,567", "12.0", "1.5", "-1", "", "3 KB"].map(parseSize)).toEqual([
      17,
      1234567,
      12,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
  it("times are UTC unless they say otherwise", () => {
    const noon = Date.UTC(2024, 2, 1, 12);
    for (const text of [
      "20240301120000",
      "20240301120000000",
      "2024-03-01T12:00:00Z",
      "2024-03-01 12:00:00",
      "2024-03-01T13:00:00+01:00",
      "2024-03-01 12:00:00.000 UTC",
      "1709294400",
      "1709294400000",
    ]) {
      expect([text, parseTime(text)]).toEqual([text, noon]);
    }
    expect(["", "yesterday", "0.368", "17"].map(parseTime)).toEqual([undefined, undefined, undefined, undefined]);
  });
  it("digests become name and hex", () => {
    const empty = "sha1:da39a3ee5e6b4b0d3255bfef95601890afd80709";
    expect(parseDigest("3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ")).toBe(empty);
    expect(parseDigest("sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ")).toBe(empty);
    expect(parseDigest("SHA-1:DA39A3EE5E6B4B0D3255BFEF95601890AFD80709")).toBe(empty);
    expect(parseDigest("cb976d17038bed3a441bb13b793a31ca")).toBe("md5:cb976d17038bed3a441bb13b793a31ca");
    expect(parseDigest("b976d17038bed3a441bb13b793a31ca")).toBe("md5:0b976d17038bed3a441bb13b793a31ca");
    expect(parseDigest("-")).toBeUndefined();
    expect(parseDigest("not a digest")).toBeUndefined();
  });
});

describe("CSV", () => {
  const frog = `\ufeff"Address","Content Type","Status Code","Status","Title 1","Canonical Link Element 1","Size (bytes)","Hash","Redirect URL","Crawl Timestamp"
"https://a.test/","text/html; charset=utf-8","200","OK","Home, ""sweet"" home","https://a.test/","100","cb976d17038bed3a441bb13b793a31ca","","2024-03-01 12:00:00"
"https://a.test/old","","301","Moved","","","0","","https://a.test/","2024-03-01 12:00:01"
"https://a.test/blocked","","0","Blocked by robots.txt","","","0","","",""
`;
  it("of Screaming Frog", async () => {
    const added = await addInput(frog);
    expect(added.format).toBe("csv");
    expect(reasons(added)).toEqual([]);
    expect(added.urls).toEqual(["https://a.test/", "https://a.test/old", "https://a.test/blocked"]);
    expect(added.pages).toEqual([
      {
        url: "https://a.test/",
        status: 200,
        timeMs: Date.UTC(2024, 2, 1, 12),
        mediaType: "text/html",
        bodyBytes: 100,
        digest: "md5:cb976d17038bed3a441bb13b793a31ca",
        title: 'Home, "sweet" home',
        canonical: "https://a.test/",
      },
      {
        url: "https://a.test/old",
        status: 301,
        timeMs: Date.UTC(2024, 2, 1, 12, 0, 1),
        bodyBytes: 0,
        redirectTo: "https://a.test/",
      },
    ]);
  });

  it("with a title line, semicolons, tabs, UTF-16, CR LF", async () => {
    const tsv = frog.replaceAll(",", "\t").replace("Home\t", "Home,");
    for (const text of [
      `"Internal - All"\n${frog.slice(1)}`,
      frog.replaceAll(",", ";"),
      tsv,
      frog.replaceAll("\n", "\r\n"),
    ]) {
      expect((await addInput(text)).pages).toHaveLength(2);
    }
    const utf16 = Buffer.from(frog, "utf16le");
    expect((await addInput(utf16)).pages).toHaveLength(2);
    expect((await addInput(utf16.swap16())).pages).toHaveLength(2);
    expect((await addInput(`sep=;\n${frog.slice(1).replaceAll(",", ";")}`)).pages).toHaveLength(2);
  });

  it("with one column is a table, not a list", async () => {
    const added = await addInput("URL\nhttp://a.test/1\nhttp://a.test/2\n");
    expect(added.format).toBe("csv");
    expect(added.urls).toHaveLength(2);
    expect(reasons(added)).toEqual([]);
  });

  it("loses damaged rows only, and names their lines", async () => {
    const rows = [
      "url,status,size",
      "http://a.test/1,200,10",
      "http://a.test/2,2oo,10",
      ",200,10",
      "ftp://a.test/3,200,10",
      "http://a.test/4,200",
      '"http://a.test/5,200,10',
      '"http://a.test/6","200","10"',
      'http://a.test/7,"20"0,10',
      "http://a.test/8,200,10,,",
      '"http://a.test/9,',
    ];
    const added = await addInput(rows.join("\n"));
    expect(added.urls).toEqual(["http://a.test/1", "http://a.test/6", "http://a.test/8"]);
    expect(reasons(added)).toEqual(
      expect.arrayContaining([
        { reason: "quotation marks do not match", count: 3, at: [{ line: 7 }, { line: 9 }, { line: 11 }] },
        { reason: "status is not a number", count: 1, at: [{ line: 3 }] },
        { reason: "no URL", count: 1, at: [{ line: 4 }] },
        { reason: "not an absolute http or https URL", count: 1, at: [{ line: 5 }] },
        { reason: "number of fields is not the header's", count: 1, at: [{ line: 6 }] },
      ]),
    );
    await expect(addInput(rows.join("\n"), { strict: true })).rejects.toThrow(/input:3/);
  });

  it("survives a row that never ends, in bounded memory", () => {
    const parser = new CsvParser();
    const rows = [...parser.push('url,status\nhttp://a.test/1,200\n"http://a.test/2,')];
    for (let i = 0; i < 100; i++) rows.push(...parser.push("x".repeat(100_000)));
    rows.push(...parser.push("\nhttp://a.test/3,200\n", true));
    expect(rows.map(({ line, outcome }) => [line, typeof outcome])).toEqual([
      [2, "object"],
      [3, "string"],
      [4, "object"],
    ]);
  });

  it("is read the same however it is cut into pieces", () => {
    const field = fc.string({ unit: fc.constantFrom("a", '"', ",", "\n", "\r\n", "é"), maxLength: 6 });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(field, fc.integer({ min: 100, max: 599 })), { minLength: 1 }),
        fc.integer({ min: 1, max: 9 }),
        (rows, size) => {
          const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
          const text = `title,status,url\n${rows.map(([t, s], i) => `${quote(t)},${s},http://a.test/${i}\n`).join("")}`;
          const parser = new CsvParser();
          const read = [];
          for (let at = 0; at < text.length; at += size) read.push(...parser.push(text.slice(at, at + size)));
          read.push(...parser.push("", true));
          expect(read.map(({ outcome }) => outcome)).toEqual(
            rows.map(([title, status], i) => ({
              url: `http://a.test/${i}`,
              status,
              ...(title.trim() && { title: title.trim() }),
            })),
          );
        },
      ),
    );
  });

  it("without a header and without URLs says so", async () => {
    const added = await addInput("a,b\nc,d\n", { format: "csv" });
    expect(reasons(added)).toMatchObject([{ reason: "neither a header with a URL column nor a URL in every row" }]);
  });

  it("without a header has its URL, and its status, where they are in the first rows, however it is cut", () => {
    const text = '1;"http://a.test/x";200\n2;http://a.test/y;404\n3;http://a.test/z;200\n';
    const wanted = ["x", "y", "z"].map((name, i) => ({ url: `http://a.test/${name}`, status: i === 1 ? 404 : 200 }));
    for (let cut = 0; cut <= text.length; cut++) {
      const parser = new CsvParser();
      const rows = [...parser.push(text.slice(0, cut)), ...parser.push(text.slice(cut), true)];
      expect(rows.map(({ outcome }) => outcome)).toEqual(wanted);
    }
  });
});

describe("JSON lines", () => {
  it("of a Scrapy spider, with HTML", async () => {
    const line = { url: "http://a.test/p", status: 200, html: '<title>T</title><p>x <a href="q">q</a>', depth: 1 };
    const added = await addInput(`${JSON.stringify(line)}\n`);
    expect(added.pages[0]?.sketch?.words).toBe(3);
    expect(added.pages.map(withoutSketches)).toEqual([
      {
        url: "http://a.test/p",
        status: 200,
        bodyBytes: 38,
        digest: "sha1:d2565000867aec46d8f4bc14020f001c2f390679",
        title: "T",
        text: "T\nx q",
        links: ["http://a.test/q"],
      },
    ]);
  });

  it("of Crawlee, one level down", async () => {
    const line = {
      url: "http://a.test/p",
      crawl: {
        loadedUrl: "http://a.test/final",
        loadedTime: "2024-03-01T12:00:00.000Z",
        httpStatusCode: 200,
        depth: 0,
      },
      metadata: { canonicalUrl: "http://a.test/c", title: "T" },
      text: "some text",
    };
    expect((await addInput(`${JSON.stringify(line)}\n`)).pages.map(withoutSketches)).toEqual([
      {
        url: "http://a.test/p",
        status: 200,
        timeMs: Date.UTC(2024, 2, 1, 12),
        title: "T",
        text: "some text",
        redirectTo: "http://a.test/final",
        canonical: "http://a.test/c",
      },
    ]);
  });

  it("with names of their own, links, digests", async () => {
    const line = {
      uri: "http://a.test/p",
      statusCode: "404",
      content_length: 17,
      sha1: "DA39A3EE5E6B4B0D3255BFEF95601890AFD80709",
      contentType: "text/html;charset=x",
      links: ["/x#y", { href: "http://b.test/" }, 7, null],
    };
    expect((await addInput(`${JSON.stringify(line)}\n`)).pages[0]).toEqual({
      url: "http://a.test/p",
      status: 404,
      bodyBytes: 17,
      digest: "sha1:da39a3ee5e6b4b0d3255bfef95601890afd80709",
      mediaType: "text/html",
      links: ["http://a.test/x", "http://b.test/"],
    });
  });

  it("may have more keys in one object than a call takes arguments", async () => {
    const inner = Object.fromEntries(Array.from({ length: 200_000 }, (_, i) => [`k${i}`, 1]));
    const added = await addInput(`${JSON.stringify({ inner, url: "http://a.test/p" })}\n`, { format: "jsonl" });
    expect(added.urls).toEqual(["http://a.test/p"]);
  });

  it("torn, nested or not objects are damage", async () => {
    const good = '{"url":"http://a.test/"}';
    const deep = `{"url":"http://a.test/deep","x":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    // Brackets of a text open nothing.
    const flat = JSON.stringify({ url: "http://a.test/flat", text: '{["\\'.repeat(2000) });
    const added = await addInput([good, '{"url":"http://a.te', "[1]", "", "{}", deep, good, flat].join("\n"), {
      format: "jsonl",
    });
    expect(added.urls).toEqual(["http://a.test/", "http://a.test/flat"]);
    expect(added.sightings.hits[0]).toBe(2);
    expect(reasons(added)).toEqual(
      expect.arrayContaining([
        { reason: "not valid JSON", count: 1, at: [{ line: 2 }] },
        { reason: "not a JSON object", count: 1, at: [{ line: 3 }] },
        { reason: "no URL", count: 1, at: [{ line: 5 }] },
      ]),
    );
  });
});

it("a base completes URLs without one", async () => {
  const list = "/a\n//b.test/c\nd.test/e\nhttp://f.test/\nmailto:x\n";
  const added = await addInput(list, { format: "urls", base: "https://base.test/ignored" });
  expect(added.urls).toEqual(["https://base.test/a", "https://b.test/c", "https://d.test/e", "http://f.test/"]);
  expect(reasons(added)).toEqual([{ reason: "not an absolute http or https URL", count: 1, at: [{ line: 5 }] }]);
});

it("lists of URLs, compressed or not, with long lines", async () => {
  const list = `# mine\nhttp://a.test/1\n\nhttp://a.test/${"x".repeat(2_000_000)}\nhttp://a.test/2`;
  for (const bytes of [Buffer.from(list), gzipSync(list)]) {
    const added = await addInput(bytes);
    expect(added.format).toBe("urls");
    expect(added.urls).toEqual(["http://a.test/1", "http://a.test/2"]);
    expect(reasons(added)).toEqual([{ reason: "line is too long", count: 1, at: [{ line: 4 }] }]);
    expect(added.pages).toEqual([]);
  }
});
