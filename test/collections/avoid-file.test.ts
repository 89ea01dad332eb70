import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AvoidEntry, compileAvoidList } from "#src/collections/avoid.js";
import { formatAvoidFile, parseAvoidFile } from "#src/collections/avoid-file.js";

const entry: fc.Arbitrary<AvoidEntry> = fc.record({
  kind: fc.constantFrom("host", "prefix", "page"),
  value: fc.string({ minLength: 1 }),
  keep: fc.string(),
  cluster: fc.nat(),
  replica: fc.nat(),
  pages: fc.nat(),
  lookAgainMs: fc.nat(),
});

describe("an avoid-list's file", () => {
  it("is read back as it was written", () => {
    fc.assert(
      fc.property(fc.array(entry), (entries) => {
        expect(parseAvoidFile(formatAvoidFile(entries), "f")).toEqual(entries);
      }),
    );
  });

  it("may be made by hand", () => {
    const text = "# copies\n\nmirror.test\r\nhttp://b.test/ldp/\nhttps://c.test/page.html\n";
    const avoids = compileAvoidList(parseAvoidFile(text, "f"), Date.now());
    expect(avoids("http://mirror.test/any")?.kind).toBe("host");
    expect(avoids("https://b.test/ldp/x/y")?.kind).toBe("prefix");
    expect(avoids("http://b.test/ldp")).toBeUndefined();
    expect(avoids("http://c.test/page.html")?.kind).toBe("page");
    expect(avoids("http://c.test/page.html?x")).toBeUndefined();
  });

  it.each([
    ["a.test\n{nope}", /^f:2: no JSON/],
    ['{"kind":"site","value":"a"}', /^f:1: "kind" is "site": expected host, prefix or page/],
    ['{"kind":"host"}', /^f:1: "value" is undefined/],
    ['{"kind":"host","value":"a","lookAgain":"soon"}', /^f:1: "lookAgain" is "soon"/],
    ["two words", /^f:1: "two words": expected a host/],
  ])("says where %j is wrong", (text, message) => {
    expect(() => parseAvoidFile(text, "f")).toThrow(message);
  });
});
