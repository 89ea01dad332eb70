import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readWarcRecords } from "#src/input/crawls/warc-reader.js";
import { MAX_BLOCK_BYTES } from "#src/input/crawls/warc-records.js";
import { httpResponse, inChunks, readAll, warcRecord } from "./build.js";

const page = (n: number): Buffer =>
  warcRecord({ url: `http://a.test/${n}`, block: httpResponse(`<p>page ${n} ${"x".repeat(20 * n)}`) });
const pages = [0, 1, 2, 3, 4].map(page);
const offsets = pages.map((_, i) => pages.slice(0, i).reduce((sum, one) => sum + one.length, 0));
const urlOf = ({ head }: { head: string }): string | undefined => /Target-URI: (.*)\r/.exec(head)?.[1];
const urlsOf = (records: readonly { head: string }[]): (string | undefined)[] => records.map(urlOf);
const others = (lost: number): string[] => [0, 1, 2, 3, 4].filter((n) => n !== lost).map((n) => `http://a.test/${n}`);

describe("records of plain WARC", () => {
  it("come whole and in order, however the bytes arrive", async () => {
    const bytes = Buffer.concat(pages);
    for (const size of [1, 2, 3, 7, 100, bytes.length]) {
      const { records, damage } = await readAll(bytes, size);
      expect(damage).toEqual([]);
      expect(records.map((record) => record.offset)).toEqual(offsets);
      expect(
        Buffer.concat(records.flatMap((r) => [Buffer.from(r.head, "latin1"), r.block, Buffer.from("\r\n\r\n")])),
      ).toEqual(bytes);
    }
  });

  it("may end their lines with LF alone, and be of version 0.17", async () => {
    const record = (n: number) =>
      `WARC/0.17\nWARC-Type: response\nWARC-Target-URI: dns:${n}\nContent-Length: 5\n\n12345\n\n`;
    const { records, damage } = await readAll(Buffer.from(record(1) + record(2)));
    expect(damage).toEqual([]);
    expect(records.map(({ block }) => block.toString())).toEqual(["12345", "12345"]);
  });

  const damaged: [string, (record: Buffer) => Buffer][] = [
    ["a Content-Length that is too long", (r) => edit(r, /Content-Length: \d/, "Content-Length: 9")],
    ["a Content-Length beyond the file", (r) => edit(r, /Content-Length: /, "Content-Length: 99")],
    ["an absurd Content-Length", (r) => edit(r, /Content-Length: /, "Content-Length: 99999999")],
    ["a Content-Length that is too short", (r) => edit(r, /Content-Length: \d+/, "Content-Length: 7")],
    ["a Content-Length that is not a number", (r) => edit(r, /Content-Length: \d/, "Content-Length: x")],
    ["no Content-Length", (r) => edit(r, /Content-Length/, "Content-Lenght")],
    ["no WARC-Type", (r) => edit(r, /WARC-Type/, "WARC-Tape")],
    ["a broken version line", (r) => edit(r, /WARC\/1/, "WARC;1")],
    ["a broken first byte", (r) => edit(r, /WARC/, "XARC")],
    ["a part of its block missing", (r) => Buffer.concat([r.subarray(0, r.length - 30), r.subarray(r.length - 10)])],
    ["bytes too many in its block", (r) => Buffer.concat([r.subarray(0, -8), Buffer.from("surplus"), r.subarray(-8)])],
    ["only its first half", (r) => r.subarray(0, r.length >> 1)],
  ];
  it.each(damaged)("lose only the one with %s, and name its place", async (_, damage) => {
    for (const lost of [0, 2, 4]) {
      const bytes = Buffer.concat(pages.map((record, i) => (i === lost ? damage(record) : record)));
      const { records, damage: found } = await readAll(bytes, 100);
      expect(urlsOf(records)).toEqual(others(lost));
      expect(found.map(({ offset }) => offset)).toEqual([offsets[lost]]);
    }
  });

  it("are not lost for a damaged separator after them", async () => {
    const bytes = Buffer.concat(pages);
    bytes[offsets[3]! - 1] = 0x7f;
    const { records, damage } = await readAll(bytes);
    expect(records).toHaveLength(5);
    expect(damage).toEqual([]);
  });

  it("of enormous size are cut, and the next one is found", async () => {
    const size = MAX_BLOCK_BYTES + 5_000_000;
    const large = warcRecord({ type: "resource", url: "http://a.test/big", block: Buffer.alloc(size, "v") });
    const { records, damage } = await readAll(Buffer.concat([page(1), large, page(2)]), 1 << 20);
    expect(damage).toEqual([]);
    expect(records.map(({ block }) => block.length)).toEqual([expect.any(Number), MAX_BLOCK_BYTES, expect.any(Number)]);
    expect(urlOf(records[2]!)).toBe("http://a.test/2");
  });

  it("are found again after an enormous length that is false", async () => {
    const lying = edit(page(1), /Content-Length: \d+/, `Content-Length: ${10 * MAX_BLOCK_BYTES}`);
    const filler = warcRecord({ type: "resource", url: "http://a.test/f", block: Buffer.alloc(MAX_BLOCK_BYTES, "v") });
    const { records, damage } = await readAll(Buffer.concat([lying, page(2), filler, page(3)]), 1 << 20);
    expect(urlsOf(records)).toEqual(["http://a.test/2", "http://a.test/f", "http://a.test/3"]);
    expect(damage).toEqual([{ offset: 0, reason: "record does not end where its Content-Length says" }]);
  });
});

describe("records of gzip members", () => {
  it("may share a member, or be spread over members", async () => {
    const bytes = Buffer.concat(pages);
    const pieces = [];
    for (let at = 0; at < bytes.length; at += 100) pieces.push(gzipSync(bytes.subarray(at, at + 100)));
    for (const file of [gzipSync(bytes), Buffer.concat(pieces)]) {
      const { records, damage } = await readAll(file, 50);
      expect(damage).toEqual([]);
      expect(urlsOf(records)).toEqual(others(-1));
    }
  });

  it("of one large member are kept up to where it is damaged", async () => {
    const many = Array.from({ length: 400 }, (_, n) => warcRecord({ url: `http://a.test/${n}`, block: noise(n, 500) }));
    const whole = gzipSync(Buffer.concat(many));
    const broken = Buffer.from(whole);
    broken.fill(0xff, Math.floor(whole.length * 0.75), Math.floor(whole.length * 0.75) + 20);
    for (const file of [broken, whole.subarray(0, Math.floor(whole.length * 0.75))]) {
      const { records, damage } = await readAll(file);
      expect(damage[0]).toEqual({ offset: 0, reason: expect.stringContaining("gzip member") });
      expect(records.length).toBeGreaterThan(290);
      for (const [n, record] of records.slice(0, 290).entries()) expect(record.block.equals(noise(n, 500))).toBe(true);
    }
  });

  it("of a member too large for memory are streamed", async () => {
    const large = warcRecord({ type: "resource", url: "http://a.test/big", block: Buffer.alloc(40 << 20, "v") });
    const { records, damage } = await readAll(
      Buffer.concat([large, page(1), page(2)].map((one) => gzipSync(one))),
      1000,
    );
    expect(damage).toEqual([]);
    expect(urlsOf(records)).toEqual(["http://a.test/big", "http://a.test/1", "http://a.test/2"]);
  });

  it("with a false Content-Length do not take their neighbours along", async () => {
    for (const length of ["3", "5000"]) {
      const lying = edit(page(1), /Content-Length: \d+/, `Content-Length: ${length}`);
      const members = [page(0), lying, page(2)].map((one) => gzipSync(one));
      const { records, damage } = await readAll(Buffer.concat(members));
      expect(urlsOf(records)).toEqual(["http://a.test/0", "http://a.test/2"]);
      expect(damage.map(({ offset }) => offset)).toEqual([members[0]!.length]);
    }
  });

  it("are found also where the file's first bytes are damaged", async () => {
    const file = Buffer.concat(pages.map((one) => gzipSync(one)));
    file.fill(0, 0, 10);
    const { records, damage } = await readAll(file);
    expect(urlsOf(records)).toEqual(others(0));
    expect(damage.map(({ offset }) => offset)).toEqual([0]);
  });

  it("are all there but one, whatever was done to that one", async () => {
    let lost = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat({ max: 2000 }), { minLength: 2, maxLength: 8 }),
        fc.nat(),
        fc.nat(),
        fc.nat({ max: 400 }),
        fc.constantFrom("flip", "zeros", "noise", "cut", "insert"),
        fc.integer({ min: 30, max: 5000 }),
        async (sizes, which, where, length, kind, chunkSize) => {
          const plain = sizes.map((size, n) => warcRecord({ url: `http://a.test/${n}`, block: noise(n, size) }));
          const members = plain.map((one) => gzipSync(one));
          const victim = which % members.length;
          const target = members[victim]!;
          const at = where % target.length;
          const end = Math.min(target.length, at + 1 + length);
          if (kind === "flip") target[at]! ^= 1 << (length % 8);
          else if (kind === "zeros") target.fill(0, at, end);
          else if (kind === "noise") noise(length, end - at).copy(target, at);
          else if (kind === "cut") members[victim] = Buffer.concat([target.subarray(0, at), target.subarray(end)]);
          else members[victim] = Buffer.concat([target.subarray(0, at), noise(length, 50), target.subarray(at)]);
          const { records, damage } = await readAll(Buffer.concat(members), chunkSize);
          const expected = plain.map((_, n) => `http://a.test/${n}`);
          const found = urlsOf(records);
          // Some bytes of a gzip header mean nothing; then the record is as it was.
          const intact = found.includes(expected[victim]);
          expect(found).toEqual(intact ? expected : expected.filter((_, n) => n !== victim));
          for (const record of records) {
            const n = expected.indexOf(urlOf(record)!);
            expect(record.block.equals(noise(n, sizes[n]!))).toBe(true);
          }
          if (!intact) {
            lost++;
            const offset = members.slice(0, victim).reduce((sum, one) => sum + one.length, 0);
            // Of a member that was cut out as a whole nothing is left to tell.
            const told = members[victim]!.length === 0 ? [] : expect.arrayContaining([offset]);
            expect(damage.map((one) => one.offset)).toEqual(told);
          }
        },
      ),
      { numRuns: 200, examples: [[[0, 0], 0, 0, 125, "cut", 30]] },
    );
    expect(lost).toBeGreaterThan(120);
  });
});

it("stops reading the file when its reader stops", async () => {
  let closed = false;
  async function* source() {
    try {
      yield* inChunks(Buffer.concat(pages), 10);
    } finally {
      closed = true;
    }
  }
  for await (const record of readWarcRecords(source(), () => {})) {
    expect(record.type).toBe("response");
    break;
  }
  expect(closed).toBe(true);
});

function edit(record: Buffer, pattern: RegExp, replacement: string): Buffer {
  return Buffer.from(record.toString("latin1").replace(pattern, replacement), "latin1");
}

/** Bytes that look random and depend on the arguments only; they compress a little. */
function noise(seed: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let state = seed + 1;
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    bytes[i] = ((state >>> 24) * (state >>> 24)) >> 9;
  }
  return bytes;
}
