import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { prose } from "../jobs/near-duplicates.js";
import { Folder } from "./folder.js";

let folder: Folder;
const dustpan = (words: readonly string[], input?: string) => folder.run(words, input);

/** An index and 11 chapters on each of two hosts, and a third that links to one of them. */
function pages(): object[] {
  const manual = (host: string) => {
    const chapters = Array.from({ length: 11 }, (_, at) => `${at}.html`);
    const link = (target: string) => `<p><a href="${target}">next</a>`;
    return [
      { url: `http://${host}/`, html: `<title>The manual</title><p>${prose(1)}${chapters.map(link).join("")}` },
      ...chapters.map((name, at) => ({
        url: `http://${host}/${name}`,
        html: `<title>Chapter ${at}</title><p>${prose(2 + at)} unicorn${at}${link("./")}`,
      })),
    ];
  };
  const visitor = { url: "http://x.test/", html: `<p>${prose(99)}<a href="http://o.test/">see</a>` };
  return [...manual("o.test"), ...manual("mirror.test"), visitor].map((page) => ({ status: 200, ...page }));
}

beforeAll(async () => {
  folder = new Folder();
  writeFileSync(
    folder.at("pages.jsonl"),
    pages()
      .map((page) => `${JSON.stringify(page)}\n`)
      .join(""),
  );
  expect((await dustpan(["add", "pages.jsonl"])).stdout).toContain("25 pages");
});
afterAll(() => folder.remove());

describe("copies on the command line", () => {
  it("collections: clusters, figures and what to avoid, for people and for programs", async () => {
    const { status, stdout, stderr } = await dustpan(["collections", "--simulate", "--avoid", "avoid.json"]);
    expect(status).toBe(0);
    expect(stdout).toContain("default: 1 cluster of replicated collections, 96% of 25 pages");
    expect(stdout).toMatch(/#0 +2 +12 +The manual\n +100% +\* http:\/\/o\.test\/\n +100% +http:\/\/mirror\.test\/\n/);
    expect(stdout).toContain("no break points");
    expect(stdout).toContain("to avoid: 1 host, 0 prefixes, 0 single pages: 12 pages that the principal copies have");
    expect(stdout).toContain("similar pages fall from 96% to 0%");
    expect(stderr).toContain("the avoid-list is in avoid.json");
    const json = JSON.parse((await dustpan(["collections", "--json", "--chunking", "document"])).stdout);
    expect(json).toMatchObject({
      format: "dustpan-collections",
      settings: { chunking: "document", threshold: 0 },
      clusters: [{ cardinality: 2, size: 12 }],
    });
    expect(await dustpan(["collections", "--chunking", "words"])).toMatchObject({
      status: 2,
      stderr: "dustpan: --chunking words: expected one of two-lines, four-lines, sentences, document\n",
    });
  });

  it("collections: every page with what corresponds to it, as a table", async () => {
    const { status } = await dustpan(["collections", "-q", "-o", "collections.csv"]);
    expect(status).toBe(0);
    const [head, ...rows] = readFileSync(folder.at("collections.csv"), "utf8").trimEnd().split("\n");
    expect(head).toBe("collection,name,is_noise,copy,is_principal,position,url,is_virtual,is_confirmed");
    expect(rows).toHaveLength(24);
    const cells = rows.map((row) => row.split(","));
    for (const [at, [, , , copy, isPrincipal, position, url]] of cells.entries()) {
      const host = at % 2 === 0 ? "o.test" : "mirror.test";
      expect([copy, isPrincipal]).toEqual([`http://${host}/`, String(at % 2 === 0)]);
      // The two copies of a page, one after the other.
      expect(position).toBe(cells[at - (at % 2)]![5]);
      expect(url).toBe(cells[at - (at % 2)]![6]!.replace("o.test", host));
    }
    expect((await dustpan(["collections", "-o", "collections"])).stderr).toContain(
      "--output collections: expected a name",
    );
  });

  it("crawl --avoid workspace: goes by what is stored, without a rules file, and says what is kept instead", async () => {
    const { status, stderr } = await dustpan([
      "crawl",
      "http://mirror.test/",
      "--snapshot",
      "next",
      "--avoid",
      "workspace",
    ]);
    expect(status).toBe(2);
    expect(stderr).toBe(
      "dustpan: the avoid-list leaves out all seeds, such as http://mirror.test/; begin with http://o.test/, which is kept\n",
    );
    expect(readdirSync(folder.path).filter((name) => name.includes("crawl-next"))).toEqual([]);
    expect((await dustpan(["crawl", "http://mirror.test/", "--snapshot", "next", "--canon"])).stderr).toContain(
      "no rules file",
    );
  });

  it("rollup: ranked results from standard input", async () => {
    const results = ["http://mirror.test/3.html", "http://x.test/", "http://o.test/3.html"];
    const input = results.map((url, at) => `${JSON.stringify({ url, score: 3 - at })}\n`).join("");
    const { stdout, stderr } = await dustpan(["rollup"], input);
    expect(stdout).toContain("   1  http://mirror.test/3.html  3.00\n      in The manual: 2 copies of 12 pages\n");
    expect(stdout).toContain(
      "Collection http://o.test/3.html\n       Replica    http://o.test/  http://mirror.test/\n",
    );
    expect(stderr).toContain("3 results on 2 lines");
    expect(JSON.parse((await dustpan(["rollup", "-", "--json"], input)).stdout)).toMatchObject({
      results: 3,
      lines: [{ rank: 1, size: 12 }, { rank: 2 }],
    });
    expect((await dustpan(["rollup"], '{"url":"http://a.test/","score":1}\n{"url":1}')).stderr).toContain(
      'dustpan: -:2: expected an object with "url" and "score"',
    );
    expect((await dustpan(["rollup"], '{"url":"http://a.test/"}')).stderr).toContain(
      '"score" is undefined: expected a number',
    );
  });

  it("rollup --by copies: what is there most often comes first", async () => {
    const input = ["http://x.test/", "http://mirror.test/3.html"]
      .map((url, at) => `${JSON.stringify({ url, score: 3 - at })}\n`)
      .join("");
    const { lines } = JSON.parse((await dustpan(["rollup", "-", "--json", "--by", "copies"], input)).stdout);
    expect(lines).toMatchObject([
      { url: "http://mirror.test/3.html", rank: 2, copies: 2 },
      { url: "http://x.test/", rank: 1, copies: 1 },
    ]);
    expect((await dustpan(["search", "UNICORN7", "--by", "copies"])).stdout).toMatch(/Chapter 7 .* {2}2 copies\n/);
  });

  it("collections --phantom-links: what copies would have linked to", async () => {
    const { stdout, stderr } = await dustpan(["collections", "--phantom-links", "phantom.jsonl"]);
    // The index and 11 chapters, there and back.
    expect(stdout).toContain(
      "the copies that are left out have 22 links by what the kept ones link to (phantom links); 100% of them were seen there",
    );
    expect(stderr).toContain("the phantom links are in phantom.jsonl");
    const rows = readFileSync(folder.at("phantom.jsonl"), "utf8").trim().split("\n");
    expect(rows.map((row) => JSON.parse(row))).toContainEqual({
      source: "http://mirror.test/",
      target: "http://mirror.test/7.html",
      kept_source: "http://o.test/",
      kept_target: "http://o.test/7.html",
      is_seen: true,
    });
    expect(rows).toHaveLength(22);
  });

  it("search: words in, pages out, copies on one line", async () => {
    const { stdout, stderr } = await dustpan(["search", "UNICORN7"]);
    expect(stdout).toMatch(/^ {3}1 {2}Chapter 7 .*\n {6}http:\/\/mirror\.test\/7\.html\n/);
    expect(stdout).toContain("in The manual: 2 copies of 12 pages");
    expect(stderr).toContain("2 pages with any of the words");
    expect(JSON.parse((await dustpan(["search", "unicorn7", "--flat", "--json"])).stdout).lines).toHaveLength(2);
    expect(await dustpan(["search"])).toMatchObject({ status: 2 });
  });
});
