import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { openInput } from "#src/input/open.js";
import { read, rows } from "./reading.js";

const TEXT = `192.0.2.1 - - [10/Feb/2012:16:42:07 +0000] "GET /a HTTP/1.1" 200 10
192.0.2.1 - - [10/Feb/2012:16:42:08 +0000] "GET /b HTTP/1.1" 200 20
`;
/** TEXT by each command at its highest level. */
const COMPRESSED = {
  gzip: "H4sIAAAAAAACAzO0NNIz0DPSM1TQBcJoQwN9t9QkfSMDQyMrQzMrEyMrA3MFbQMgiFVQcncNUdBPVPAICQnQN9QzVFIwMjBQMDTgMiRohgWqGUloZhgZcAEAqqR1HIgAAAA=",
  xz: "/Td6WFoAAATm1rRGAgAhARwAAAAQz1jM4ACHAExdABiOQoh0t0nuvTpvvOHAwgYvy/Mv20H39WQSKgy4Rm9cXOGzL5RzTLw8qC4xjlilLOpzevoJXU717Lqve2naWskKDRlJ3RXkJHfpZwAA20VCUd5t/7wAAWiIAQAAANzF2B6xxGf7AgAAAAAEWVo=",
  zstd: "KLUv/SSIRQIAksQOEYDbAQAk8Pg16cObLShhsVh04MYq8ObfcGjSJUoJuRaW7QWm/y84nZnDUDPTN8VeV96TBw9uYsiJWR0DAKATkI84nHAGzSMRxQ==",
  bzip2:
    "QlpoOTFBWSZTWQMvadwAACnfAEAQUAv18APARAoyACAAaCVTajyjJoaGTEAqqZB6kwjTABoFjfiJAqMQL+qMRAkCGZcYQUcKqEiaalJkm2VmaO0K2jdCyiGy9CS1JcbukM3xo5SdqXSx48ei7kinChIAZe07gA==",
} as const;
/** 40 MB of zeros in 45 bytes. */
const BZIP2_BOMB = "QlpoOTFBWSZTWdjs3f4BMl9ACMAAABAACCAAMMwJqmmgSlFbUBKUV4u5IpwoSGx2bv8A";

const bytesOf = (name: keyof typeof COMPRESSED) => Buffer.from(COMPRESSED[name], "base64");

describe.each(Object.keys(COMPRESSED) as (keyof typeof COMPRESSED)[])("%s", (name) => {
  it("is known by its first bytes", async () => {
    const result = await read(bytesOf(name));
    expect([result.compression, result.format, result.lines, result.damage]).toEqual([name, "common", 2, []]);
    expect(rows(result.sightings).map(({ url, bytes }) => [url, bytes])).toEqual([
      ["/a", "10"],
      ["/b", "20"],
    ]);
  });

  it("goes on with concatenated streams", async () => {
    const result = await read(Buffer.concat([bytesOf(name), bytesOf(name)]));
    expect([result.lines, result.damage]).toEqual([4, []]);
  });

  it("that is cut keeps what can be read, and says so", async () => {
    const whole = Buffer.concat([bytesOf(name), bytesOf(name)]);
    const result = await read(whole.subarray(0, whole.length - 40));
    expect(result.lines).toBeGreaterThanOrEqual(2);
    expect(result.damage.filter(({ reason }) => reason === `${name}: unexpected end of file`)).toHaveLength(1);
  });

  it("followed by something else says so", async () => {
    const result = await read(Buffer.concat([bytesOf(name), Buffer.from("something else altogether")]));
    expect(result.damage.filter(({ reason }) => reason.startsWith(`${name}: `))).toHaveLength(1);
    expect(result.lines).toBe(2);
  });

  it("ends a strict run where it is damaged", async () => {
    const cut = bytesOf(name).subarray(0, -20);
    await expect(read(cut, { strict: true, format: "common" })).rejects.toThrow(/unexpected end of file/);
  });
});

describe("gzip", () => {
  const lines = Array.from({ length: 3000 }, (_, i) => TEXT.replaceAll("/a ", `/a${i * 7919} `)).join("");
  const whole = gzipSync(lines);

  it.each([
    ["text", Buffer.from("something else altogether".repeat(2000))],
    ["a byte of a header", Buffer.from([0x1f])],
    ["a header alone", Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])],
    ["a damaged member", Buffer.concat([gzipSync("x").subarray(0, 10), Buffer.alloc(100, 0xff)])],
  ])("followed by %s keeps every line, as gunzip does", async (_, rest) => {
    const result = await read(Buffer.concat([whole, rest]));
    expect(result.lines).toBe(6000);
    expect(result.damage.map(({ reason }) => reason)).toEqual([expect.stringMatching(/^gzip: /)]);
  });

  it("followed by zeros is whole", async () => {
    const result = await read(Buffer.concat([whole, whole, Buffer.alloc(5000)]));
    expect([result.lines, result.damage]).toEqual([12000, []]);
  });

  it("with a false checksum or length says so", async () => {
    for (const at of [8, 4]) {
      const altered = Buffer.from(whole);
      altered[whole.length - at]! ^= 1;
      const result = await read(altered);
      expect(result.lines).toBe(6000);
      expect(result.damage.map(({ reason }) => reason)).toEqual([expect.stringMatching(/^gzip: incorrect/)]);
    }
  });
});

it("zstd may begin with a skippable frame, as pzstd writes it", async () => {
  const frame = Buffer.from("502a4d180400000061626364", "hex");
  const result = await read(Buffer.concat([frame, bytesOf("zstd"), frame, bytesOf("zstd")]));
  expect([result.compression, result.lines, result.damage]).toEqual(["zstd", 4, []]);
});

describe("bombs", () => {
  it("of bzip2 come out in pieces", async () => {
    let bytes = 0;
    let largest = 0;
    const bomb = Buffer.from(BZIP2_BOMB, "base64");
    async function* input() {
      for (let i = 0; i < 3; i++) yield bomb;
    }
    const opened = await openInput("-", input());
    for await (const chunk of opened.chunks(() => expect.unreachable())) {
      bytes += chunk.length;
      largest = Math.max(largest, chunk.length);
    }
    expect([bytes, largest]).toEqual([120_000_000, 65_536]);
  });

  it("of zstd with an endless window are refused", async () => {
    const frame = Buffer.from(COMPRESSED.zstd, "base64");
    // Not one segment, no checksum, no size; window 2^41.
    const header = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xf8, 0x01, 0x00, 0x00, 0x00]);
    const result = await read(Buffer.concat([frame, header]));
    expect(result.lines).toBe(2);
    expect(result.damage.map(({ reason }) => reason)).toEqual(["zstd: the zstd window is larger than 128 MB"]);
  });
});

describe("compressed bytes", () => {
  it("inside a plain log are not compression", async () => {
    const result = await read(TEXT + gzipSync("x").toString("latin1"));
    expect(result.compression).toBe("none");
  });

  it("are counted for progress", async () => {
    const bytes = bytesOf("gzip");
    async function* input() {
      yield bytes;
    }
    const opened = await openInput("-", input());
    for await (const _ of opened.chunks(() => {})) {
      // Only to the end.
    }
    expect(opened.bytesRead()).toBe(bytes.length);
  });

  it("are not counted twice where a file is read a second time, to know it again", async () => {
    const opened = await openInput(fileURLToPath(import.meta.url));
    for (let i = 0; i < 2; i++) {
      for await (const _ of opened.raw()) {
        // Only to the end.
      }
    }
    expect(opened.bytesRead()).toBe(opened.sizeBytes);
  });
});
