/** The files that people have, and the mistakes that they make with them. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Folder } from "./folder.js";

let folder: Folder;
beforeEach(() => {
  folder = new Folder();
});
afterEach(() => folder.remove());

const write = (name: string, content: string | Uint8Array) => writeFileSync(folder.at(name), content);

async function added(words: readonly string[]): Promise<{ urls: number; format: string; damage: unknown[] }> {
  const { status, stdout, stderr } = await folder.run(["add", ...words, "--json", "-w", `${Math.random()}.duckdb`]);
  expect(status, stderr).toBe(0);
  return JSON.parse(stdout).inputs[0];
}

const list = "http://a.test/x\r\nhttp://a.test/y\r\nhttp://a.test/z\r\n";
const log = Array.from(
  { length: 3 },
  (_, i) => `192.0.2.1 - - [10/Oct/2025:13:55:36 +0000] "GET /s/${i} HTTP/1.1" 200 9 "-" "-"\r\n`,
).join("");

describe("inputs", () => {
  it("may be UTF-16, with a mark or without, lists and logs alike", async () => {
    const little = (text: string) => Buffer.from(text, "utf16le");
    const mark = (text: string) => little(`\ufeff${text}`);
    const inputs = {
      "l.txt": little(list),
      "m.txt": mark(list),
      "b.txt": mark(list).swap16(),
      "access.log": mark(log),
    };
    for (const [name, content] of Object.entries(inputs)) {
      write(name, content);
      const { urls, damage } = await added([name]);
      expect([name, urls, damage]).toEqual([name, 3, []]);
    }
  });

  it("may be paths, with --base; without, the error says so", async () => {
    write("paths.txt", "/a\n/b?x=1\n/c/d\n");
    expect(await added(["paths.txt", "--base", "https://shop.test"])).toMatchObject({ urls: 3, format: "urls" });
    const { status, stderr } = await folder.run(["add", "paths.txt"]);
    expect([status, stderr]).toEqual([2, expect.stringContaining("say of which site with --base")]);
  });

  it("may be any table, whatever the column is called", async () => {
    write("t.csv", "id,where,size\n1,http://a.test/x,3\n2,http://a.test/y,4\n");
    write("t.tsv", "id\tWhere to\n1\thttp://a.test/x\n2\thttp://a.test/y\n");
    write("t.jsonl", '{"id":1,"where":"http://a.test/x","url":"no"}\n{"id":2,"where":"http://a.test/y","url":"no"}\n');
    expect(await added(["t.csv", "--column", "where"])).toMatchObject({ urls: 2, format: "csv" });
    expect(await added(["t.tsv", "--column", "Where to"])).toMatchObject({ urls: 2, format: "csv" });
    expect(await added(["t.jsonl", "--column", "where"])).toMatchObject({ urls: 2, format: "jsonl" });
    // No word in it is known, and each row has a URL in the same place; the other columns are none of the URL's.
    write("other.csv", "Landing page;Hits\nhttp://a.test/x;3\nhttp://a.test/y;4\n");
    expect(await added(["other.csv"])).toMatchObject({ urls: 2, format: "csv" });
    write("array.json", '[{"url":"http://a.test/x"}]');
    expect((await folder.run(["add", "array.json"])).stderr).toContain("jq -c '.[]' array.json | dustpan add -");
    const { status, stderr } = await folder.run(["add", "t.csv", "--column", "wo"]);
    expect([status, stderr]).toEqual([2, expect.stringContaining('column "wo". The first line is:\n  id,where,size')]);
    const other = await folder.run(["add", "other.csv", "--column", "Landing"]);
    expect([other.status, other.stderr]).toEqual([2, expect.stringContaining('no table with a column "Landing"')]);
  });

  it("may be a table without a header; a list whose URLs have commas is none", async () => {
    write("bare.csv", "http://a.test/x,200,5\nhttp://a.test/y,200,6\n");
    write("second.tsv", "1\thttp://a.test/x\thttp://b.test/1\n2\thttp://a.test/y\thttp://b.test/2\n");
    write("list.txt", "http://a.test/x,1,2\nhttp://a.test/y,1,3\n");
    expect(await added(["bare.csv"])).toMatchObject({ urls: 2, format: "csv" });
    expect(await added(["second.tsv"])).toMatchObject({ urls: 2, format: "csv" });
    expect(await added(["second.tsv", "--column", "3"])).toMatchObject({ urls: 2, format: "csv" });
    expect(await added(["list.txt"])).toMatchObject({ urls: 2, format: "urls" });
  });

  it("of which nothing is in the named format are an error, and leave nothing behind", async () => {
    write("access.log", log);
    for (const format of ["iis", "jsonl", "csv", "urls"]) {
      const { status, stderr } = await folder.run(["add", "access.log", "--format", format, "-w", "w.duckdb"]);
      expect([format, status, stderr]).toEqual([format, 2, expect.stringMatching(/nothing in it could be read as/)]);
    }
    expect((await folder.run(["info", "-w", "w.duckdb"])).stderr).toContain("no workspace at");
  });

  it("without a single URL end a run, with no report of zeros", async () => {
    write("app.log", '{"level":30,"status":200,"method":"GET","msg":"listening"}\n'.repeat(3));
    const { status, stdout, stderr } = await folder.run(["run", "app.log", "--site", "shop.test"]);
    expect([status, stderr]).toEqual([2, expect.stringMatching(/no URL was read from app\.log: .*--log-format/)]);
    expect(stdout).toMatch(/3 left out: no HTTP request/);
    expect(existsSync(folder.at("dustpan-report.html"))).toBe(false);
  });

  it("that are binary are not shown", async () => {
    write("blob.bin", Buffer.from(Array.from({ length: 3000 }, (_, i) => (i * 7919) % 251)));
    const { status, stdout, stderr } = await folder.run(["mine", "blob.bin"]);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toBe(
      'dustpan: blob.bin: a binary file of a format that is not known; "--format help" lists what is read\n',
    );
  });

  it("of many sites do not flood the terminal", async () => {
    const urls = Array.from({ length: 14 }, (_, i) =>
      [1, 2, 3, 4].flatMap((n) => [`http://s${i}.test/p/${n}`, `http://s${i}.test/p/${n}?sid=${n}${i}`]),
    );
    write("many.txt", `${urls.flat().join("\n")}\n`);
    const { stdout } = await folder.run(["mine", "many.txt", "--top", "6"]);
    expect(stdout.split("\n").length).toBeLessThan(60);
    expect(stdout).toContain("... and 9 more sites with likely rules (--host NAME shows one, --top 0 all)");
    const run = await folder.run(["run", "many.txt"]);
    expect(run.stdout.split("\n").length).toBeLessThan(60);
    expect(run.stdout).toContain("4 more sites: 4 likely rules among 32 URLs");
  });
});

describe("canon", () => {
  it("takes URLs as they are, files that have such names too", async () => {
    const rule = { kind: "parameter", name: "sid", action: "remove", status: "valid" };
    write("dustpan.rules.json", JSON.stringify({ format: "dustpan-rules", version: 2, rules: [rule] }));
    const given = await folder.run(["canon", "http://a.test/?sid=1", "https://b.test/x?sid=2&y=3"]);
    expect(given.stdout).toBe("http://a.test/\nhttps://b.test/x?y=3\n");
    mkdirSync(folder.at("http:", "a.test"), { recursive: true });
    write("http:/a.test/urls", "http://c.test/?sid=5\n");
    expect((await folder.run(["canon", "http://a.test/urls"])).stdout).toBe("http://c.test/\n");
  });
});
