import { Readable } from "node:stream";
import * as zlib from "node:zlib";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { createFetcher } from "#src/fetch/fetcher.js";
import { readBody } from "#src/http/content-codings.js";
import { unpackZstd } from "#src/http/zstd.js";
import { FakeClock, openSite } from "../fetch/site.js";

/** Frames of raw and run-length blocks: all of Zstandard that a test needs to write by hand. */
function zstdFrame(blocks: Buffer[], header = Buffer.from([0x00, 0x38])): Buffer {
  return Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), header, ...blocks]);
}
function rawBlock(content: Uint8Array, isLast: boolean): Buffer {
  const header = Buffer.alloc(3);
  header.writeUIntLE((content.length << 3) | (isLast ? 1 : 0), 0, 3);
  return Buffer.concat([header, content]);
}
function runBlock(byte: number, length: number, isLast: boolean): Buffer {
  const header = Buffer.alloc(4, byte);
  header.writeUIntLE((length << 3) | 2 | (isLast ? 1 : 0), 0, 3);
  return header;
}
const zstd = (bytes: Uint8Array) =>
  zstdFrame([rawBlock(bytes.subarray(0, 3), false), rawBlock(bytes.subarray(3), true)]);

/** `zstd -19 --check` of the text in its test. */
const REFERENCE_FRAME =
  "KLUv/QRoZQIAAoUPEbDrZES250ZES59zevm6yVQEJldXijEt3Txg7klPn5nq4xOVb6j9lmjT8k/vOwcx3kqblrLkTNSWq2TNjgQCAIAw6g8yMnx8BtB2e5U=";

const pack: Record<string, (bytes: Uint8Array) => Uint8Array> = {
  gzip: gzipSync,
  "x-gzip": gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
  zstd,
};

const read = (bytes: Uint8Array, coding: string, maxBytes = 1_000_000, chunk = 1000) => {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += chunk) chunks.push(Buffer.from(bytes.subarray(at, at + chunk)));
  return readBody(Readable.from(chunks), coding, maxBytes);
};

describe("codings", () => {
  test.each(Object.keys(pack))("%s", async (coding) => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 5000 }), fc.constantFrom(1, 2, 7, 1000), async (bytes, chunk) => {
        const packed = pack[coding]!(bytes);
        expect(await read(packed, coding, 6000, chunk)).toEqual({
          kind: "whole",
          bytes: Buffer.from(bytes),
          wireBytes: packed.length,
        });
      }),
      { numRuns: 30 },
    );
  });

  test("deflate without its header, as some servers send it", async () => {
    expect(await read(deflateRawSync(Buffer.from("hello")), "deflate")).toMatchObject({ bytes: Buffer.from("hello") });
  });

  test("several on top of each other, in any letter case, and identity", async () => {
    const packed = brotliCompressSync(gzipSync(Buffer.from("hello")));
    expect(await read(packed, " X-GZIP, identity ,br, UTF-8")).toMatchObject({
      kind: "whole",
      bytes: Buffer.from("hello"),
    });
    expect(await read(Buffer.from("hello"), "")).toMatchObject({ kind: "whole", bytes: Buffer.from("hello") });
  });

  test("an empty body needs no decoding", async () => {
    for (const coding of Object.keys(pack)) {
      expect(await read(Buffer.alloc(0), coding)).toMatchObject({ kind: "whole", wireBytes: 0 });
    }
  });

  test("unknown ones, too many, and damage are told", async () => {
    expect(await read(Buffer.from("x"), "lzma")).toMatchObject({
      kind: "unreadable",
      reason: 'unknown content coding "lzma"',
    });
    expect(await read(Buffer.from("x"), "gzip, gzip, gzip, gzip")).toMatchObject({ reason: "4 content codings" });
    for (const coding of Object.keys(pack)) {
      const packed = pack[coding]!(Buffer.from("hello ".repeat(1000)));
      expect(await read(packed.subarray(0, packed.length - 9), coding)).toMatchObject({ kind: "unreadable" });
      expect(await read(Buffer.from("this is no such thing"), coding)).toMatchObject({ kind: "unreadable" });
    }
  });

  test("an error of the connection stays one", async () => {
    const broken = Readable.from(
      (async function* () {
        yield gzipSync(Buffer.from("hello")).subarray(0, 12);
        throw Object.assign(new Error("reset"), { code: "ECONNRESET" });
      })(),
    );
    await expect(readBody(broken, "gzip", 1000)).rejects.toThrow("reset");
  });
});

describe("bombs", () => {
  const zeros = Buffer.alloc(50_000_000);

  test.each([
    ["gzip", gzipSync(zeros)],
    ["deflate", deflateSync(zeros)],
    ["br", brotliCompressSync(zeros, { params: {} })],
    ["zstd", zstdFrame(Array.from({ length: 400 }, (_, i) => runBlock(0, 1 << 17, i === 399)))],
  ])("%s stops at the limit", async (coding, bomb) => {
    expect(bomb.length).toBeLessThan(100_000);
    const body = Readable.from([bomb]);
    const result = await readBody(body, coding, 100_000);
    expect(result).toMatchObject({ kind: "overflow" });
    expect(result.kind === "overflow" && result.bytes.length).toBe(100_000);
    expect(body.destroyed).toBe(true);
  });

  test("within bombs stop there too, before the outer coding unpacks them", async () => {
    const inner = gzipSync(zeros);
    expect(await read(gzipSync(inner), "gzip, gzip", 100_000)).toMatchObject({ kind: "overflow" });
    // The outer layer unpacks to 50 MB of which the inner one makes nothing at all.
    expect(await read(gzipSync(zeros), "zstd, gzip", 100_000)).toMatchObject({ kind: "overflow" });
  });

  test("a zstd frame that asks for a huge window is not decoded", () => {
    const asking = (window: number) => zstdFrame([runBlock(65, 10, true)], Buffer.from([0x00, window]));
    const tens = Buffer.from("A".repeat(10));
    expect(unpackZstd(asking(0x68), 100)).toEqual({ bytes: tens }); // 8 MiB
    const refused = expect.stringContaining("window");
    expect(unpackZstd(asking(0x69), 100)).toEqual({
      bytes: Buffer.alloc(0),
      damage: "it asks for a window of 9437184 bytes",
    });
    expect(unpackZstd(asking(0xff), 100)).toEqual({ bytes: Buffer.alloc(0), damage: refused });
    // What came before it is kept.
    expect(unpackZstd(Buffer.concat([asking(0x38), asking(0xff)]), 100)).toEqual({ bytes: tens, damage: refused });
    const single = zstdFrame([runBlock(65, 10, true)], Buffer.from([0xa0, 0xff, 0xff, 0xff, 0x7f]));
    expect(unpackZstd(single, 100)).toEqual({ bytes: Buffer.alloc(0), damage: refused });
  });

  test("a zstd frame of the reference encoder, with compressed blocks and a checksum", () => {
    const squares = Array.from({ length: 400 }, (_, i) => String.fromCharCode(97 + ((i * i * 7 + i) % 26))).join("");
    const text = "dustpan finds different URLs with similar text and sweeps them up. ".repeat(40) + squares;
    expect(unpackZstd(Buffer.from(REFERENCE_FRAME, "base64"), 10_000)).toEqual({ bytes: Buffer.from(text) });
  });

  test("several zstd frames, and skippable ones, are read on", () => {
    const skippable = Buffer.from([0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);
    const frames = Buffer.concat([zstd(Buffer.from("hello ")), skippable, zstd(Buffer.from("world"))]);
    expect(unpackZstd(frames, 100)).toEqual({ bytes: Buffer.from("hello world") });
  });

  test("zstd frames that are cut give the blocks before the cut, and no more than asked for", () => {
    const frames = Buffer.concat([zstd(Buffer.from("hello ")), zstd(Buffer.from("world"))]);
    for (let length = 1; length < frames.length; length++) {
      const { bytes, damage } = unpackZstd(frames.subarray(0, length), 100);
      const isBetween = length === zstd(Buffer.from("hello ")).length;
      expect("hello world").toContain(Buffer.from(bytes).toString());
      expect(damage === undefined).toBe(isBetween);
    }
    for (let most = 1; most < 11; most++) {
      expect(unpackZstd(frames, most)).toEqual({ bytes: Buffer.from("hello world".slice(0, most)) });
    }
  });

  const { zstdCompressSync } = zlib as { zstdCompressSync?: (bytes: Uint8Array) => Buffer };
  test.skipIf(zstdCompressSync === undefined)("whatever the running Node packs is unpacked", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 3000 }), { minLength: 1, maxLength: 4 }), (contents) => {
        const packed = Buffer.concat(contents.map((bytes) => zstdCompressSync!(bytes)));
        expect(unpackZstd(packed, 20_000)).toEqual({ bytes: Buffer.concat(contents) });
      }),
    );
  });
});

describe("over HTTP", () => {
  const toClose: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const it of toClose.splice(0).reverse()) await it.close();
  });

  test("what is accepted is said, and decoded; bombs and unknown codings are outcomes", async () => {
    const clock = new FakeClock();
    const target = await openSite(clock, (request, response) => {
      const coding = request.url!.slice(1);
      const body =
        coding === "bomb" ? gzipSync(Buffer.alloc(1_000_000)) : (pack[coding] ?? gzipSync)(Buffer.from("hello"));
      response.writeHead(200, { "content-encoding": coding === "bomb" ? "gzip" : coding }).end(body);
    });
    const fetcher = createFetcher({ sites: [target.origin], delayMs: 0, maxBytes: 100_000 }, clock);
    toClose.push(target, fetcher);
    for (const coding of Object.keys(pack)) {
      const outcome = await fetcher.fetch(`${target.origin}/${coding}`);
      expect(outcome).toMatchObject({ kind: "ok", body: Buffer.from("hello") });
    }
    expect(await fetcher.fetch(`${target.origin}/bomb`)).toMatchObject({ kind: "tooLarge", limitBytes: 100_000 });
    expect(await fetcher.fetch(`${target.origin}/lzma`)).toMatchObject({
      kind: "failed",
      reason: 'unknown content coding "lzma"',
      requests: 1,
    });
    expect(target.requests[0]?.headers["accept-encoding"]).toBe("gzip, deflate, br, zstd");
  });
});
