import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatAvoidFile, parseAvoidFile } from "#src/url/avoid-file.js";
import {
  type AvoidEntry,
  avoidKey,
  combineAvoidLists,
  compileAvoidList,
  coverCopies,
  lookAgainAfter,
} from "#src/url/avoid-list.js";

const matches = (text: string, nowMs = 0) => {
  const avoids = compileAvoidList(parseAvoidFile(text, "list"), nowMs);
  return (url: string) => avoids(url) !== undefined;
};
const documentOf = (...avoid: readonly unknown[]) => JSON.stringify({ format: "dustpan-avoid", version: 1, avoid });

describe("an avoid-list", () => {
  it("may be lines of prefixes and hosts", () => {
    const avoids = matches("# copies\nhttp://a.test/manual/\nB.test/x?y=   # forms\nc.test\n\nd.test:8080\n");
    expect(avoids("https://a.test/manual/en/1.html#top")).toBe(true);
    expect(avoids("http://a.test/manual")).toBe(false);
    expect(avoids("http://b.test/x?y=1")).toBe(true);
    expect(avoids("http://b.test/x")).toBe(false);
    expect(avoids("http://c.test/any/thing?at=all")).toBe(true);
    expect(avoids("http://c.test")).toBe(true);
    expect(avoids("http://www.c.test/")).toBe(false);
    expect(avoids("http://c.test.example/")).toBe(false);
    expect(avoids("http://d.test:8080/")).toBe(true);
    expect(avoids("http://d.test/")).toBe(false);
  });

  it("is written as a document that is read again as it was", () => {
    const entries: AvoidEntry[] = [
      { kind: "page", value: "a.test/1", keep: "http://k.test/1", pages: 1, lookAgainMs: lookAgainAfter(0) },
      { kind: "host", value: "b.test", keep: "http://k.test/", pages: 12, lookAgainMs: 100 },
      { kind: "prefix", value: "c.test/m/" },
    ];
    expect(parseAvoidFile(formatAvoidFile(entries), "list")).toEqual(entries);
    expect(parseAvoidFile(formatAvoidFile([]), "list")).toEqual([]);
  });

  it("has entries that end in time", () => {
    const text = documentOf({ kind: "page", value: "a.test/1", lookAgain: "2026-12-31" });
    expect(matches(text, Date.parse("2026-12-30T23:59:59Z"))("http://a.test/1")).toBe(true);
    expect(matches(text, Date.parse("2026-12-31"))("http://a.test/1")).toBe(false);
  });

  it("says where it is wrong", () => {
    expect(() => parseAvoidFile("a.test/\nhttp:///x\n", "list")).toThrow(/^list:2: "http:\/\/\/x" is neither a host/);
    expect(() => parseAvoidFile("*.a.test/", "list")).toThrow(/^list:1: /);
    expect(() => parseAvoidFile("{", "list")).toThrow(/^list: not JSON/);
    expect(() => parseAvoidFile('{"avoid": []}', "list")).toThrow(/^list: expected .*"dustpan-avoid"/);
    expect(() => parseAvoidFile("[]", "list")).toThrow(/^list: expected/);
    const good = { kind: "host", value: "a.test" };
    expect(() => parseAvoidFile(documentOf(good, { kind: "site", value: "a" }), "list")).toThrow(
      /^list, entry 2 of "avoid": "kind" is "site"/,
    );
    expect(() => parseAvoidFile(documentOf(null), "list")).toThrow(/entry 1/);
    expect(() => parseAvoidFile(documentOf({ ...good, lookAgain: "soon" }), "list")).toThrow(/"lookAgain" is "soon"/);
  });

  const hosts = fc.constantFrom("a.test", "a.test.x", "b.test", "b.test:81");
  const paths = fc.array(fc.constantFrom("/", "/x", "/x/", "y", "?q=/z", "/%c3"), { maxLength: 4 });
  const values = fc.tuple(hosts, paths).map(([host, path]) => `${host}${path.length > 0 ? `/${path.join("")}` : ""}`);
  const entries = fc.array(fc.record({ kind: fc.constantFrom("host", "prefix", "page"), value: values }), {
    minLength: 1,
    maxLength: 6,
  }) as fc.Arbitrary<AvoidEntry[]>;

  it("avoids what any entry names, and gives one that does", () => {
    const seen = { avoided: 0, kept: 0 };
    fc.assert(
      fc.property(entries, fc.constantFrom("http", "https"), values, (list, scheme, value) => {
        const key = avoidKey(`${scheme}://${value}`);
        const says = (entry: AvoidEntry) =>
          entry.kind === "page"
            ? avoidKey(entry.value) === key
            : entry.kind === "host"
              ? key.startsWith(avoidKey(entry.value).replace(/\/.*/, "/"))
              : key.startsWith(avoidKey(entry.value));
        const found = compileAvoidList(list)(`${scheme}://${value}`);
        seen[list.some(says) ? "avoided" : "kept"]++;
        if (found === undefined) expect(list.filter(says)).toEqual([]);
        else expect(says(found)).toBe(true);
      }),
      { numRuns: 500 },
    );
    expect(Math.min(seen.avoided, seen.kept)).toBeGreaterThan(50);
  });

  it("covers all copies, nothing else that is known, and each once", () => {
    const kinds = { host: 0, prefix: 0, page: 0, except: 0 };
    const known = fc.array(fc.tuple(fc.constantFrom("http", "https"), values, fc.nat(2)), { maxLength: 12 });
    fc.assert(
      fc.property(known, (rows) => {
        const urls = rows.map(([scheme, value]) => `${scheme}://${value}`);
        const groups = rows.map(([, , group]) => group);
        const none = 0;
        const covers = coverCopies(urls, (url) => groups[url]!, none);
        const avoids = compileAvoidList(covers);
        // URLs of one key are one: a copy only if all of them are, in one group.
        const isCopy = urls.map((url, at) => {
          const same = urls.flatMap((other, row) => (avoidKey(other) === avoidKey(url) ? [groups[row]!] : []));
          return groups[at] !== none && same.every((group) => group === groups[at]);
        });
        urls.forEach((url, at) => {
          const entry = avoids(url);
          expect(entry?.group).toBe(isCopy[at] ? groups[at] : undefined);
          if (entry !== undefined) kinds[entry.kind]++;
        });
        expect(covers.reduce((sum, { pages }) => sum + pages, 0)).toBe(isCopy.filter(Boolean).length);
        for (const cover of covers) expect(avoids(urls[cover.example]!)).toBe(cover);
      }),
      { numRuns: 500 },
    );
    expect(Math.min(kinds.host, kinds.prefix, kinds.page)).toBeGreaterThan(50);
  });

  it("counts on after a crawl that avoided, but never leaves out both copies", () => {
    const first: AvoidEntry[] = [
      { kind: "host", value: "m.test", keep: "http://o.test/" },
      { kind: "host", value: "n.test", keep: "http://p.test/" },
    ];
    const turned: AvoidEntry[] = [{ kind: "prefix", value: "o.test/a/", keep: "http://m.test/" }];
    expect(combineAvoidLists([[], first])).toEqual(first);
    expect(combineAvoidLists([turned, first])).toEqual([...turned, first[1]]);
    expect(combineAvoidLists([first, turned])).toEqual(first);
  });

  it("is never lost in a circle, however many lists and hosts there are", () => {
    // Each list by itself keeps what comes first in an order of its own.
    const hosts = ["a.test", "b.test", "c.test", "d.test"];
    const list = fc.shuffledSubarray(hosts, { minLength: 2 }).chain((order) =>
      fc.array(fc.tuple(fc.nat(order.length - 1), fc.nat(order.length - 1)), { maxLength: 6 }).map((pairs) =>
        pairs
          .filter(([kept, avoided]) => kept < avoided)
          .map(
            ([kept, avoided]): AvoidEntry => ({
              kind: "host",
              value: order[avoided]!,
              keep: `http://${order[kept]}/`,
            }),
          ),
      ),
    );
    let dropped = 0;
    fc.assert(
      fc.property(fc.array(list, { maxLength: 4 }), (lists) => {
        const combined = combineAvoidLists(lists);
        dropped += lists.flat().length - combined.length;
        const avoids = compileAvoidList(combined);
        for (const host of hosts) {
          let url = `http://${host}/`;
          for (let step = 0; step <= hosts.length; step++) url = avoids(url)?.keep ?? url;
          expect(avoids(url)).toBeUndefined();
        }
        expect(combineAvoidLists(lists.slice(0, 1))).toEqual(lists[0] ?? []);
      }),
    );
    expect(dropped).toBeGreaterThan(3);
  });
});
