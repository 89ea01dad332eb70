import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { DataError } from "#src/errors.js";
import { read, rows, strings } from "../reading.js";

const line = (request: string, rest = '200 7 "-" "curl/8"') =>
  `192.0.2.7 - - [05/Mar/2021:08:09:10 +0000] "${request}" ${rest}\n`;
const good = line("GET /good HTTP/1.1");
const reasons = (result: Awaited<ReturnType<typeof read>>) =>
  Object.fromEntries(result.damage.map(({ reason, count }) => [reason, count]));
const urls = (result: Awaited<ReturnType<typeof read>>) => strings(result.sightings.urls);

describe("damage", () => {
  it("is counted by reason, with three samples and their lines", async () => {
    const result = await read(good + "junk\n".repeat(5) + line("GET /x HTTP/1.1", "abc 1") + good);
    expect(result.records).toBe(8);
    expect(reasons(result)).toEqual({
      "the line does not match the format at its client": 5,
      "the status is not a number": 1,
    });
    expect(result.damage[0]!.samples.map(({ position, text }) => [position, text])).toEqual([
      [{ line: 2 }, "junk"],
      [{ line: 3 }, "junk"],
      [{ line: 4 }, "junk"],
    ]);
    expect(rows(result.sightings)).toMatchObject([{ url: "/good", hits: 2 }]);
  });

  it("ends a strict run at once, with its place", async () => {
    const strict = read(`${good}${good}junk\n`, { strict: true });
    await expect(strict).rejects.toThrow(DataError);
    await expect(read(`${good}${good}junk\n`, { strict: true })).rejects.toThrow(
      /^-:3: the line does not match .*junk/,
    );
  });

  it("keeps a record whose time is nonsense", async () => {
    const odd = good.replace("05/Mar/2021:08:09:10 +0000", "99/Foo/2021:77:09:10 +0000");
    const result = await read(good + odd);
    expect(reasons(result)).toEqual({ "the time cannot be read (the record is kept without it)": 1 });
    expect(rows(result.sightings)).toMatchObject([{ hits: 2, time: "2021-03-05T08:09:10.000Z" }]);
  });
});

describe("what is not a damage", () => {
  it("other methods, no request, no URL: counted apart", async () => {
    const requests = [
      "POST /p HTTP/1.1",
      "OPTIONS * HTTP/1.0",
      "-",
      "\\x16\\x03\\x01",
      "GET ../etc HTTP/1.1",
      "GET",
      "",
    ];
    const result = await read(good + requests.map((request) => line(request)).join(""));
    expect(result.damage).toEqual([]);
    expect(urls(result)).toEqual(["/good"]);
    expect(result.skipped).toEqual({
      "neither GET nor HEAD": 2,
      "no HTTP request": 4,
      "what was asked for is not a URL": 1,
    });
  });

  it("what dustpan itself asked for is left out: its probes and tries are not URLs of the site", async () => {
    const own = '200 5 "-" "dustpan/0.1.0 (+mailto:me@forum.test)"';
    const result = await read(good + line("GET /story_912006909 HTTP/1.1", own));
    expect(urls(result)).toEqual(["/good"]);
    expect(result.skipped).toEqual({ "asked for by dustpan itself": 1 });
    const json = await read(
      '{"method":"GET","uri":"/a","status":200,"user_agent":"Mozilla/5.0"}\n{"method":"GET","uri":"/b","status":200,"user_agent":"dustpan/0.1.0"}\n',
    );
    expect(urls(json)).toEqual(["/a"]);
    expect(json.skipped).toEqual({ "asked for by dustpan itself": 1 });
  });

  it("HTTP/0.9, blanks in a URL, a line that ends before its user agent", async () => {
    const result = await read(
      line("GET /old") +
        line("GET /two words HTTP/1.1") +
        line("GET /short HTTP/1.1", "200 5") +
        line("GET /cut HTTP/1.1", '200 5 "-" "Mozi'),
    );
    expect(result.damage).toEqual([]);
    expect(urls(result)).toEqual(["/old", "/two%20words", "/short", "/cut"]);
  });
});

describe("hostile lines", () => {
  it("longer than any request are passed over", async () => {
    const result = await read(good + line(`GET /${"a".repeat(10_000_000)} HTTP/1.1`) + good);
    expect(reasons(result)).toEqual({ "the line is longer than 65536 bytes": 1 });
    expect(result.damage[0]!.samples[0]!.position).toEqual({ line: 2 });
    expect(rows(result.sightings)).toMatchObject([{ url: "/good", hits: 2 }]);
  });

  it("with NUL bytes and bytes that are not UTF-8: percent-encoded", async () => {
    const result = await read(line("GET /a\0b/\xac\xb0 HTTP/1.1") + line("GET /%AC%B0 HTTP/1.1"));
    expect(urls(result)).toEqual(["/a%00b/%AC%B0", "/%AC%B0"]);
  });

  it("with escapes of Apache and nginx: as they were asked for", async () => {
    const result = await read(line(String.raw`GET /a\"b\x22c\\d\x5ce\xE4?\t HTTP/1.1`));
    expect(urls(result)).toEqual(['/a"b"c\\d\\e%E4?%09']);
  });

  it("cannot fake a record with a quote in the user agent", async () => {
    const agents = ['x\\" 200 1 \\"-\\" \\"GET /fake HTTP/1.1', 'raw" 200 1 "-" "GET /fake HTTP/1.1'];
    const result = await read(agents.map((agent) => line("GET /real HTTP/1.1", `404 1 "-" "${agent}"`)).join(""));
    expect(rows(result.sightings)).toMatchObject([{ url: "/real", hits: 2, status: "4" }]);
  });

  it("cannot end a request early with a quote alone", async () => {
    const result = await read(line('GET /a"b HTTP/1.1'));
    expect(urls(result)).toEqual(['/a"b']);
  });

  it("in a bomb take no memory", async () => {
    const before = process.memoryUsage().rss;
    const bomb = gzipSync(Buffer.concat([Buffer.from(good), Buffer.alloc(200_000_000)]), { level: 1 });
    const result = await read(bomb);
    expect(reasons(result)).toEqual({ "the line is longer than 65536 bytes": 1 });
    // The input itself was built in this process: only an order of magnitude can be said.
    expect(process.memoryUsage().rss - before).toBeLessThan(600_000_000);
  });
});

describe("sizes", () => {
  it("count only for a GET answered 200", async () => {
    const result = await read(
      [
        line("GET /a HTTP/1.1", "200 100"),
        line("GET /a HTTP/1.1", "206 1"),
        line("GET /a HTTP/1.1", "304 0"),
        line("HEAD /a HTTP/1.1", "200 2"),
        line("GET /a HTTP/1.1", "200 300"),
        line("GET /a HTTP/1.1", "200 -"),
        line("GET /empty HTTP/1.1", "200 0"),
        line("GET /unknown HTTP/1.1", "200 -"),
      ].join(""),
    );
    expect(
      rows(result.sightings).map(({ url, hits, status, ...rest }) => [
        url,
        hits,
        status,
        "bytes" in rest && rest.bytes,
      ]),
    ).toEqual([
      ["/a", 6, "23", "100-300"],
      ["/empty", 1, "2", "0"],
      ["/unknown", 1, "2", false],
    ]);
  });
});
