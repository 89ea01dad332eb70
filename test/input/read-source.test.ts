import { appendFileSync, renameSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { InterruptedError } from "#src/errors.js";
import { readSource } from "#src/input/read-source.js";
import { quiet, rows, temporaryFolder } from "./reading.js";

const folder = temporaryFolder();
afterAll(() => folder.remove());

const line = (path: string, second = 10) =>
  `192.0.2.7 - - [05/Mar/2021:08:09:${second} +0000] "GET ${path} HTTP/1.1" 200 7 "-" "Googlebot"\n`;

describe("threads", () => {
  // Long lines: three ranges of a file are large enough for three threads with few lines to check.
  const lines = Array.from({ length: 1700 }, (_, i) => {
    if (i % 97 === 5) return `damaged ${i}\n`;
    const path = `/p/${i % 700}${i % 3 === 0 ? "/./x" : "/x"}${i % 5 === 0 ? "?é" : ""}`;
    return line(path, 10 + (i % 50)).replace('"-"', `"http://r.test/${"r".repeat(30_000)}"`);
  });
  const file = folder.file("large.log", Buffer.from(lines.join(""), "latin1"));

  it("find the same as one", async () => {
    const one = await readSource(file, { threads: 1 }, quiet);
    const three = await readSource(file, { threads: 3 }, quiet);
    expect(one.lines).toBe(1700);
    expect(one.damage[0]!.count).toBe(18);
    expect(rows(three.sightings)).toEqual(rows(one.sightings));
    const { sightings: _1, ...aboutOne } = one;
    const { sightings: _3, ...aboutThree } = three;
    expect(aboutThree).toEqual(aboutOne);
  });

  it("stop when they are told to", async () => {
    const stop = new AbortController();
    const reading = readSource(file, { threads: 3 }, { onProgress: () => stop.abort(), signal: stop.signal });
    await expect(reading).rejects.toThrow(InterruptedError);
  });

  it("read the columns of a W3C log as they were named before their range", async () => {
    const fill = "f".repeat(30_000);
    const iis = [
      "#Fields: cs-uri-stem sc-status cs(Referer)",
      ...Array.from({ length: 100 }, (_, i) => `/first/${i} 200 ${fill}`),
      "#Fields: sc-status cs(Referer) cs-uri-stem",
      ...Array.from({ length: 1200 }, (_, i) => `404 ${fill} /second/${i}`),
      "",
    ].join("\r\n");
    const w3c = folder.file("iis.log", iis);
    const result = await readSource(w3c, { threads: 2 }, quiet);
    expect([result.records, result.damage, result.sightings.urls.count]).toEqual([1300, [], 1300]);
    expect(rows(result.sightings).at(-1)).toEqual({ url: "/second/1199", hits: 1, status: "4" });
  });
});

it("an archive that gives no page for long stops when it is told to", async () => {
  const stop = new AbortController();
  let pieces = 0;
  async function* endless() {
    for (; pieces < 200; pieces++) {
      if (pieces === 100) stop.abort();
      yield Buffer.from("WARC/1.0\r\nWARC-Type: request\r\nContent-Length: 0\r\n\r\n\r\n\r\n".repeat(1000));
    }
  }
  const context = { onProgress: () => {}, signal: stop.signal };
  await expect(readSource("-", { standardInput: endless() }, context)).rejects.toThrow(InterruptedError);
  expect(pieces).toBe(100);
});

describe("a log that has grown", () => {
  const read = async (file: string, known: Awaited<ReturnType<typeof readSource>>[] = []) =>
    await readSource(file, { known: known.flatMap(({ resume }) => resume ?? []) }, quiet);
  const urls = (result: Awaited<ReturnType<typeof readSource>>) => rows(result.sightings).map(({ url }) => url);

  it("is continued where it stopped, with its line numbers", async () => {
    const file = folder.file("a.log", line("/1") + line("/2"));
    const first = await read(file);
    appendFileSync(file, `${line("/3")}damaged\n`);
    const second = await read(file, [first]);
    expect(second.continues).toEqual(first.resume);
    expect([urls(second), second.lines, second.damage[0]!.samples[0]!.position]).toEqual([["/3"], 2, { line: 4 }]);
    const third = await read(file, [first, second]);
    expect([third.continues, third.records, urls(third)]).toEqual([second.resume, 0, []]);
  });

  it("also under rotation's new name, and compressed", async () => {
    const file = folder.file("b.log", line("/1") + line("/2"));
    const first = await read(file);
    appendFileSync(file, line("/3"));
    renameSync(file, `${file}.1`);
    const renamed = await read(`${file}.1`, [first]);
    expect(urls(renamed)).toEqual(["/3"]);
    const all = line("/1") + line("/2") + line("/3") + line("/4");
    const compressed = await read(folder.file("b.log.2.gz", gzipSync(all)), [first, renamed]);
    expect([urls(compressed), compressed.continues]).toEqual([["/4"], renamed.resume]);
    expect((await read(folder.file("b.log.3.gz", gzipSync(all)), [compressed])).records).toBe(0);
  });

  it("is not another that begins alike", async () => {
    const first = await read(folder.file("c.log", line("/1") + line("/2")));
    const other = await read(folder.file("d.log", line("/1") + line("/x") + line("/3")), [first]);
    expect([other.continues, urls(other)]).toEqual([undefined, ["/1", "/x", "/3"]]);
    const shorter = await read(folder.file("e.log", line("/1")), [first]);
    expect(shorter.continues).toBeUndefined();
  });

  it("has its unfinished last line read when it is one, or left for the next time", async () => {
    const whole = line("/2");
    const file = folder.file("f.log", line("/1") + whole.slice(0, 20));
    const first = await read(file);
    expect([urls(first), first.lines, first.damage]).toEqual([["/1"], 1, []]);
    appendFileSync(file, whole.slice(20) + line("/3").trimEnd());
    const second = await read(file, [first]);
    expect([urls(second), second.lines]).toEqual([["/2", "/3"], 2]);
    appendFileSync(file, `\n${line("/4")}`);
    const third = await read(file, [second]);
    expect([urls(third), third.damage]).toEqual([["/4"], []]);
  });

  it("keeps the columns that were named before", async () => {
    const file = folder.file("g.log", "#Fields: sc-status cs-uri-stem\n200 /1\n");
    const first = await read(file);
    appendFileSync(file, "404 /2\n");
    const second = await read(file, [first]);
    expect(rows(second.sightings)).toEqual([{ url: "/2", hits: 1, status: "4" }]);
    const zipped = folder.file("g.log.gz", gzipSync("#Fields: sc-status cs-uri-stem\n200 /1\n404 /2\n301 /3\n"));
    expect(rows((await read(zipped, [second])).sightings)).toEqual([{ url: "/3", hits: 1, status: "3" }]);
  });
});

describe("a crawl", () => {
  it("that was read before is not read again", async () => {
    const list = "http://a.test/1\nhttp://a.test/2\n";
    const file = folder.file("urls.txt", list);
    const first = await readSource(file, {}, quiet);
    expect([first.kind, first.records]).toEqual(["crawl", 2]);
    const again = await readSource(file, { known: [first.resume!] }, quiet);
    expect([again.continues, again.records]).toEqual([first.resume, 0]);
    const grown = await readSource(
      folder.file("more.txt", `${list}http://a.test/3\n`),
      { known: [first.resume!] },
      quiet,
    );
    expect([grown.continues, grown.records]).toEqual([undefined, 3]);
  });
});

describe("files that cannot be opened", () => {
  it("are named with the reason", async () => {
    await expect(readSource("no/such/file", {}, quiet)).rejects.toThrow("no/such/file cannot be read: no such file");
  });
});
