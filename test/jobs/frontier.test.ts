import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { AvoidList, readAvoidList } from "#src/jobs/avoid-list.js";
import { Frontier } from "#src/jobs/frontier.js";

const folder = mkdtempSync(path.join(tmpdir(), "dustpan-avoid-"));
afterAll(() => rmSync(folder, { recursive: true }));

const open = (avoid = new AvoidList()) =>
  new Frontier({
    canon: (url) => url.replace(/\?sid=.*/, ""),
    avoid,
    isAllowed: (url) => !url.includes("outside"),
  });

describe("the frontier", () => {
  it("gives each canonical URL once, hosts taking turns", () => {
    const frontier = open();
    for (const url of [
      "http://a/1",
      "http://a/2?sid=1",
      "http://a/2",
      "http://b/1",
      "http://outside/",
      "http://a/1?sid=2",
    ]) {
      frontier.add(url);
    }
    const order: string[] = [];
    for (let next = frontier.next(new Set()); next !== undefined; next = frontier.next(new Set())) order.push(next.url);
    expect(order).toEqual(["http://a/1", "http://b/1", "http://a/2"]);
    expect(frontier).toMatchObject({ found: 5, spared: 2, avoided: 0, waiting: 0 });
  });

  it("leaves busy hosts alone", () => {
    const frontier = open();
    frontier.add("http://a/1");
    frontier.add("http://b/1");
    expect(frontier.next(new Set(["a"]))).toEqual({ url: "http://b/1", host: "b" });
    expect(frontier.next(new Set(["a"]))).toBeUndefined();
    expect(frontier.waiting).toBe(1);
  });

  it("does not ask for what a redirect has answered, and gives no rule the credit", () => {
    const frontier = open();
    frontier.add("http://a/old");
    frontier.next(new Set());
    frontier.answer("http://a/old");
    frontier.answer("http://a/new");
    frontier.add("http://a/new");
    expect(frontier).toMatchObject({ found: 2, spared: 0, waiting: 0 });
    frontier.add("http://a/new?sid=1");
    expect(frontier).toMatchObject({ found: 3, spared: 1, waiting: 0 });
  });
});

describe("an avoid-list", () => {
  const read = (text: string, nowMs = 0) => {
    const file = path.join(folder, "avoid");
    writeFileSync(file, text);
    return readAvoidList(file, nowMs);
  };

  it("may be lines of prefixes", () => {
    const list = read("# copies\nhttp://a.test/manual/\nb.test/x?y=\nc.test\n\n");
    expect(list.has("https://a.test/manual/en/1.html")).toBe(true);
    expect(list.has("http://a.test/manual")).toBe(false);
    expect(list.has("http://b.test/x?y=1")).toBe(true);
    expect(list.has("http://b.test/x")).toBe(false);
    expect(list.has("http://c.test/any/thing?at=all")).toBe(true);
    expect(list.has("http://www.c.test/")).toBe(false);
  });

  it("may be JSON, with entries that end in time", () => {
    const entries = [
      { kind: "page", value: "a.test/1", lookAgainMs: 100 },
      { kind: "host", value: "b.test" },
      { kind: "prefix", avoid: "c.test/m/" },
      "d.test/x/",
    ];
    const now = read(JSON.stringify({ avoid: entries }), 50);
    expect(
      ["http://a.test/1", "http://b.test/", "http://c.test/m/1", "http://d.test/x/y"].map((url) => now.has(url)),
    ).toEqual([true, true, true, true]);
    expect(now.has("http://a.test/12")).toBe(false);
    expect(read(JSON.stringify(entries), 200).has("http://a.test/1")).toBe(false);
    expect(() => read('[{"kind":"site","value":"a"}]')).toThrow("entry 0");
    expect(() => read("{}")).toThrow("avoid");
    expect(() => readAvoidList(path.join(folder, "none"), 0)).toThrow("cannot be read");
  });

  it("keeps the crawl away", () => {
    const frontier = open(read("a.test/copy/"));
    for (const url of ["http://a.test/1", "http://a.test/copy/1", "http://a.test/copy/1?sid=3"]) frontier.add(url);
    expect(frontier).toMatchObject({ found: 3, avoided: 2, spared: 0, waiting: 1 });
  });
});
