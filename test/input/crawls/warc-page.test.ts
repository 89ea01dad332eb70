import { createHash } from "node:crypto";
import { inspect } from "node:util";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { JsonlParser } from "#src/input/crawls/jsonl.js";
import { MAX_BODY_BYTES, pageFromRecord, type WarcOutcome } from "#src/input/crawls/warc-page.js";
import { pagesFromRecords } from "#src/input/crawls/warc-pool.js";
import { readWarcRecords } from "#src/input/crawls/warc-reader.js";
import { RecordSplitter } from "#src/input/crawls/warc-records.js";
import type { PageRecord } from "#src/model.js";
import { addInput, httpResponse, inChunks, type RecordParts, warcRecord, withoutSketches } from "./build.js";

function outcomeOf(parts: RecordParts): WarcOutcome {
  const splitter = new RecordSplitter(({ reason }) => {
    throw new Error(reason);
  });
  splitter.push(warcRecord(parts));
  splitter.end();
  return pageFromRecord(splitter.next()!);
}

function pageOf(parts: RecordParts): PageRecord {
  const outcome = outcomeOf({ url: "http://a.test/dir/p", ...parts });
  if (outcome.kind !== "page") throw new Error(JSON.stringify(outcome));
  return outcome.page;
}

const HTML = { "Content-Type": "text/html; charset=utf-8" };
const text = (body: Uint8Array, headers: Record<string, string>): string | undefined =>
  pageOf({ block: httpResponse(body, { ...HTML, ...headers }) }).text;

describe("a response", () => {
  it("says all that the model asks for", () => {
    const html = `<title>A  page</title><link rel=canonical href="/p"><p>Some text <a href="q#x">q</a>
      <a href="q#y">again</a><a href="http://b.test/?a=1&amp;b=2">b</a><a href="mailto:x@a.test">m</a><a href="#top">top</a>`;
    const page = pageOf({
      headers: { "WARC-IP-Address": "192.0.2.7", "WARC-Payload-Digest": `sha1:${base32OfSha1(html)}` },
      block: httpResponse(html, HTML),
    });
    expect([page.shingles?.length, page.sketch?.features.length]).toEqual([4, 84]);
    expect(withoutSketches(page)).toEqual({
      url: "http://a.test/dir/p",
      status: 200,
      timeMs: Date.UTC(2024, 4, 1, 12),
      address: "192.0.2.7",
      mediaType: "text/html",
      bodyBytes: Buffer.byteLength(html),
      digest: `sha1:${createHash("sha1").update(html).digest("hex")}`,
      title: "A page",
      text: expect.stringContaining("Some text"),
      links: ["http://a.test/dir/q", "http://b.test/?a=1&b=2", "http://a.test/dir/p"],
      canonical: "http://a.test/p",
    });
  });

  it("gets the digest that its archive did not compute", () => {
    const digest = createHash("sha1").update("<p>x").digest("hex");
    expect(pageOf({ block: httpResponse("<p>x", HTML) }).digest).toBe(`sha1:${digest}`);
  });

  it("resolves links and canonical against base", () => {
    const page = pageOf({ block: httpResponse(`<base href="/other/"><a href="q">q</a>`, HTML) });
    expect(page.links).toEqual(["http://a.test/other/q"]);
  });

  it("has a canonical URL in its header too", () => {
    const about = (links: Record<string, string>) =>
      pageOf({ block: httpResponse("%PDF", { "Content-Type": "application/pdf", ...links }) }).canonical;
    expect(about({ Link: `<http://a.test/style.css>; rel=preload, </c>; rel="canonical"` })).toBe("http://a.test/c");
    expect(about({ Link: "<http://a.test/style.css>; rel=preload", link: "</c>; rel=canonical" })).toBe(
      "http://a.test/c",
    );
    expect(about({ Link: "</c>; rel=canonical; anchor=/d" })).toBeUndefined();
  });

  it("that redirects names its target, resolved", () => {
    const page = pageOf({ block: httpResponse("", { Location: "../x?y=1#z" }, 301) });
    expect(page).toMatchObject({ status: 301, redirectTo: "http://a.test/x?y=1" });
    expect(pageOf({ block: httpResponse("", { Location: "/x" }, 200) })).not.toHaveProperty("redirectTo");
  });

  it("may redirect by meta refresh", () => {
    const refresh = (url: string) => httpResponse(`<meta http-equiv=refresh content="0; url=${url}">`, HTML);
    expect(pageOf({ block: refresh("/x") }).redirectTo).toBe("http://a.test/x");
    expect(pageOf({ block: refresh("/dir/p") })).not.toHaveProperty("redirectTo");
  });

  it("without an HTTP head is damaged", () => {
    expect(outcomeOf({ url: "http://a.test/", block: "<html>" })).toMatchObject({ kind: "damaged" });
  });

  it("whose head does not end has no body", () => {
    expect(pageOf({ block: "HTTP/1.0 404 Not Found\r\nContent-Type: text/html" })).toMatchObject({
      status: 404,
      bodyBytes: 0,
    });
  });

  it("is damaged where its block digest says so", () => {
    const block = httpResponse("<p>x", HTML);
    const digest = (bytes: Uint8Array) => `sha1:${createHash("sha1").update(bytes).digest("hex")}`;
    const headers = (bytes: Uint8Array) => ({ "WARC-Block-Digest": digest(bytes) });
    expect(outcomeOf({ url: "http://a.test/", block, headers: headers(block) }).kind).toBe("page");
    expect(outcomeOf({ url: "http://a.test/", block, headers: headers(block.subarray(1)) })).toMatchObject({
      kind: "damaged",
      reason: expect.stringContaining("Digest"),
    });
  });

  it("is kept with a doubt where its payload digest does not match", () => {
    const digest = (text: string) => `sha1:${createHash("sha1").update(text).digest("hex")}`;
    const outcome = (body: string, coding: Record<string, string> = {}) =>
      outcomeOf({
        url: "http://a.test/",
        headers: { "WARC-Payload-Digest": digest("<p>x") },
        block: httpResponse(body, { ...HTML, ...coding }),
      });
    expect(outcome("<p>x")).not.toHaveProperty("doubt");
    expect(outcome("<p>y")).toMatchObject({
      doubt: expect.stringContaining("Digest"),
      page: { digest: digest("<p>y") },
    });
    // What the writer took for the payload cannot be known here.
    expect(outcome("<p>y", { "X-Crawler-Content-Encoding": "gzip" })).not.toHaveProperty("doubt");
  });

  it("has no text where it is not text, and is sniffed where it has no type", () => {
    expect(pageOf({ block: httpResponse("GIF89a", { "Content-Type": "image/gif" }) })).not.toHaveProperty("text");
    expect(pageOf({ block: httpResponse("<!doctype html><p>x") }).text).toBe("x");
    expect(pageOf({ block: httpResponse("a <b>", { "Content-Type": "text/plain" }) }).text).toBe("a <b>");
  });
});

describe("codings", () => {
  const page = Buffer.from(`<p>${"one two three ".repeat(50)}`);
  const expected = "one two three ".repeat(50).trim();

  it.each([
    ["gzip", gzipSync(page)],
    ["x-gzip", gzipSync(page)],
    ["deflate", deflateSync(page)],
    ["deflate", deflateRawSync(page)],
    ["br", brotliCompressSync(page)],
    ["zstd", zstdOf(page)],
    ["deflate, gzip", gzipSync(deflateSync(page))],
    ["identity", page],
  ])("%s is undone", (coding, body) => {
    expect(text(body, { "Content-Encoding": coding })).toBe(expected);
  });

  it.each(["gzip", "deflate", "br", "zstd", "unheard-of"])("%s may have been undone before", (coding) => {
    expect(text(page, { "Content-Encoding": coding })).toBe(expected);
  });

  it("chunks are joined, unless that was done before", () => {
    const chunked = `5;ext=1\r\n<p>on\r\n${(page.length - 5).toString(16)}\r\n${page.subarray(5)}\r\n0\r\n\r\n`;
    const headers = { "Transfer-Encoding": "chunked" };
    expect(text(Buffer.from(chunked), headers)).toBe(expected);
    expect(text(page, headers)).toBe(expected);
    expect(pageOf({ block: httpResponse(chunked.slice(0, 100), { ...HTML, ...headers }) })).toMatchObject({
      cut: true,
    });
  });

  it("that broke off give what they can", () => {
    const half = gzipSync(page).subarray(0, 40);
    expect(text(half, { "Content-Encoding": "gzip" })).toMatch(/^one two/);
  });

  it("that cannot be undone leave a page without text", () => {
    const damaged = gzipSync(page).fill(0xff, 12, 30);
    const record = pageOf({ block: httpResponse(damaged, { ...HTML, "Content-Encoding": "gzip" }) });
    expect(record).not.toHaveProperty("text");
    expect(record.status).toBe(200);
  });

  it.each([
    ["gzip", gzipSync(Buffer.alloc(40 << 20, "<p>bomb "))],
    ["br", brotliCompressSync(Buffer.alloc(40 << 20, "<p>bomb "))],
    ["gzip, gzip", gzipSync(gzipSync(Buffer.alloc(40 << 20, "<p>bomb ")))],
  ])("%s bombs are cut", (coding, body) => {
    const block = httpResponse(body, { ...HTML, "Content-Encoding": coding });
    const record = pageOf({ block });
    expect(record.cut).toBe(true);
    expect(outcomeOf({ url: "http://a.test/", block })).toMatchObject({ doubt: expect.stringContaining("8 MB") });
    const declared = outcomeOf({ url: "http://a.test/", block, headers: { "WARC-Truncated": "length" } });
    expect(declared).not.toHaveProperty("doubt");
    expect(record).not.toHaveProperty("bodyBytes");
    expect(record.text!.length).toBeLessThanOrEqual(MAX_BODY_BYTES);
  });
});

it("keeps every link of a page that is all links", () => {
  const html = Array.from({ length: 120_000 }, (_, i) => `<a href=${i}>`).join("");
  const { links } = pageOf({ block: httpResponse(html, HTML) });
  expect(links).toHaveLength(120_000);
  expect(links!.at(-1)).toBe("http://a.test/dir/119999");
});

describe("records that are not responses", () => {
  it("of other protocols are not pages, and are not damaged", () => {
    expect(outcomeOf({ url: "dns:a.test", block: "20240501\na.test. 5 IN A 192.0.2.1\n" })).toEqual({
      kind: "other",
      what: "dns: record",
    });
    for (const type of ["request", "metadata", "warcinfo", "continuation"]) {
      expect(outcomeOf({ type, url: "http://a.test/" }).kind).toBe("other");
    }
  });

  it("revisit: says what it is the same as", () => {
    const headers = {
      "WARC-Payload-Digest": "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ",
      "WARC-Refers-To-Target-URI": "http://a.test/old",
      "WARC-Refers-To-Date": "2020-01-01T00:00:00Z",
    };
    const revisitOf = { url: "http://a.test/old", timeMs: Date.UTC(2020, 0, 1) };
    const digest = "sha1:da39a3ee5e6b4b0d3255bfef95601890afd80709";
    const withHead = pageOf({ type: "revisit", headers, block: httpResponse("", HTML) });
    expect(withHead).toMatchObject({ status: 200, mediaType: "text/html", digest, revisitOf });
    expect(withHead).not.toHaveProperty("bodyBytes");
    expect(withHead).not.toHaveProperty("text");
    expect(pageOf({ type: "revisit", headers })).toMatchObject({ status: 304, digest, revisitOf });
  });

  it("resource and conversion are pages without a head", () => {
    const headers = { "Content-Type": "text/html" };
    expect(pageOf({ type: "resource", headers, block: "<p>x" })).toMatchObject({
      status: 200,
      text: "x",
      bodyBytes: 4,
    });
    const plain = { "Content-Type": "text/plain" };
    expect(pageOf({ type: "conversion", headers: plain, block: "x\ny" })).toMatchObject({ text: "x\ny" });
  });

  it("without a URL are damaged", () => {
    expect(outcomeOf({ block: httpResponse("x") }).kind).toBe("damaged");
    expect(outcomeOf({ url: "nonsense", block: httpResponse("x") }).kind).toBe("damaged");
    expect(outcomeOf({ url: "<http://a.test/>", block: httpResponse("x") }).kind).toBe("page");
  });
});

describe("worker threads", () => {
  const many = Array.from({ length: 40 }, (_, n) =>
    warcRecord({ url: `http://a.test/${n}`, block: httpResponse(`<p>page ${n} ${"filler ".repeat(60_000)}`, HTML) }),
  );
  const bytes = Buffer.concat([...many, warcRecord({ url: "http://a.test/bad", block: "no head" })]);

  it("give the same as none, in the same order", async () => {
    const read = async (workers: number) => {
      const outcomes = [];
      const records = readWarcRecords(inChunks(bytes, 1 << 20), () => {});
      for await (const outcome of pagesFromRecords(records, workers)) outcomes.push(outcome);
      return outcomes;
    };
    const alone = await read(0);
    expect(alone).toHaveLength(41);
    const together = await read(2);
    expect(together.map(inspected)).toEqual(alone.map(inspected));
  });

  it("end with the reader", async () => {
    const records = readWarcRecords(inChunks(bytes, 1 << 20), () => {});
    let seen = 0;
    for await (const _ of pagesFromRecords(records, 2)) if (++seen === 30) break;
    expect(seen).toBe(30);
  });
});

it("a WARC file becomes sightings, pages, skips and damage", async () => {
  const file = Buffer.concat(
    [
      warcRecord({ type: "warcinfo", block: "software: x" }),
      warcRecord({ url: "http://a.test/", block: httpResponse("<p>x", HTML) }),
      warcRecord({ url: "dns:a.test", block: "x" }),
      warcRecord({ type: "request", url: "http://a.test/", block: "GET / HTTP/1.1\r\n\r\n" }),
      warcRecord({ url: "http://a.test/old", block: httpResponse("", { Location: "/" }, 301) }),
      warcRecord({ url: "http://a.test/gone", block: httpResponse("<p>no", HTML, 404) }),
      warcRecord({ url: "http://a.test/?", block: "damaged" }),
    ].map((record) => gzipSync(record)),
  );
  const added = await addInput(file);
  expect(added.format).toBe("warc");
  expect(added.records).toBe(7);
  expect(added.urls).toEqual(["http://a.test/", "http://a.test/old", "http://a.test/gone"]);
  expect([...added.sightings.minBytes]).toEqual([4, Number.NaN, Number.NaN]);
  expect(added.sightings.redirects.target).toEqual(["http://a.test/"]);
  expect(added.pages.map(({ status }) => status)).toEqual([200, 301, 404]);
  expect(added.skipped).toEqual({ "warcinfo record": 1, "dns: record": 1, "request record": 1 });
  expect(added.damage.entries()).toMatchObject([{ count: 1, reason: expect.stringContaining("status line") }]);
  await expect(addInput(file, { strict: true })).rejects.toThrow(/at byte \d+/);
});

/** As archives write it. */
function base32OfSha1(text: string): string {
  const bits = [...createHash("sha1").update(text).digest()].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return bits.replace(/.{5}/g, (five) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[Number.parseInt(five, 2)]!);
}

/** All of a value as text: quick to compare, and big integers have no JSON. */
const inspected = (value: unknown): string =>
  createHash("sha1")
    .update(inspect(value, { depth: 9, maxArrayLength: null, maxStringLength: null }))
    .digest("hex");

/** A zstd frame (RFC 8878) with one raw block: Node 20 cannot compress. */
function zstdOf(content: Uint8Array): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(content.length);
  const block = Buffer.alloc(3);
  block.writeUIntLE((content.length << 3) | 1, 0, 3);
  return Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0b1010_0000]), size, block, content]);
}

describe("a page in a line of JSON", () => {
  const html = `<title>Ä page</title><p>${"some words of a page ".repeat(20)}<a href="/next">next</a>`;

  it("has the checksum, digest, size and links that it has in an archive", () => {
    const url = "http://a.test/dir/p";
    const archived = pageOf({ block: httpResponse(html, HTML) });
    const { bodyBytes, digest, sketch, shingles, links, title, text: words } = archived;
    expect(digest).toMatch(/^sha1:/);
    for (const line of [
      { url, html },
      { url, html, text: "what the crawler made of it" },
    ]) {
      const same = { bodyBytes, digest, sketch, shingles, links, title, text: words };
      expect(new JsonlParser().parse(JSON.stringify(line))).toEqual({ url, status: 200, ...same });
    }
  });

  it("has them without markup, and of no bytes, too", () => {
    for (const body of ["only words, as they are", ""]) {
      const { bodyBytes, digest, text } = pageOf({ block: httpResponse(body, HTML) });
      expect([bodyBytes, digest]).not.toContain(undefined);
      const line = { url: "http://a.test/", status: 200, html: body };
      expect(new JsonlParser().parse(JSON.stringify(line))).toMatchObject({ bodyBytes, digest, text: text ?? "" });
    }
    const elsewhere = { url: "http://a.test/", status: 200, html: "sha1-of-a-body", text: "" };
    expect(new JsonlParser().parse(JSON.stringify(elsewhere))).not.toHaveProperty("digest");
  });

  it("is a page without a status, but not without content", () => {
    const statusOf = (line: object) => {
      const page = new JsonlParser().parse(JSON.stringify({ url: "http://a.test/", ...line }));
      return typeof page === "object" ? page.status : page;
    };
    expect([statusOf({ text: "some words" }), statusOf({ html: "<p>some" }), statusOf({})]).toEqual([200, 200, 0]);
    expect(statusOf({ html: "" })).toBe(0);
    expect(statusOf({ text: "gone", status: 404 })).toBe(404);
  });
});
