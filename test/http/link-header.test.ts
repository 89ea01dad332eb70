import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalOf } from "#src/http/link-header.js";

const base = "https://a.test/dir/page";
const canonical = (header: string) => canonicalOf(header, base);

describe("the canonical URL of a Link header", () => {
  it.each([
    ["<https://a.test/b>; rel=canonical", "https://a.test/b"],
    ['</c>; rel="canonical"', "https://a.test/c"],
    ['<c>; REL = "shortlink Canonical"', "https://a.test/dir/c"],
    ['</b?x=1,2>; rel="next", <c>; rel=canonical', "https://a.test/dir/c"],
    ['</b>; title="a, <x>; rel=canonical", </c>; rel=canonical', "https://a.test/c"],
    ['</b>; title="a \\"; rel=next"; rel=canonical', "https://a.test/b"],
    ["</b>;;; rel=canonical;", "https://a.test/b"],
    ["<>; rel=canonical", "https://a.test/dir/page"],
    ["<https://me:secret@a.test/b#c>; rel=canonical", "https://a.test/b"],
  ])("is read from %s", (header, target) => {
    expect(canonical(header)).toBe(target);
  });

  it.each([
    ["a link about another page", '</b>; rel=canonical; anchor="/other"'],
    ["a second rel, which does not count", "</b>; rel=next; rel=canonical"],
    ["a relation that has it as a part of its name", "</b>; rel=x-canonical-y"],
    ["a title that looks like it", '</b>; title="a; rel=canonical"; rel=alternate'],
    ["a parameter that ends like it", "</b>; xrel=canonical"],
    ["a target that is not on the web", "<file:///etc/passwd>; rel=canonical"],
    ["a target that no URL is", "<http://[>; rel=canonical"],
    ["a target without brackets", "https://a.test/b; rel=canonical"],
    ["quotes that do not end", '</b>; title="a; rel=canonical'],
    ["nothing", ""],
  ])("is not taken from %s", (_, header) => {
    expect(canonical(header)).toBeUndefined();
  });

  it("is found after whatever else the header holds, and never by chance", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "=", ";", ",", "<", ">", " ", "rel=canonical") });
    const quoted = word.map((text) => `"${text.replaceAll(/["\\]/g, "\\$&")}"`);
    const other = fc
      .tuple(fc.webPath(), quoted, fc.constantFrom("next", "alternate", "preload"))
      .map(([path, title, rel]) => `<${path}>; title=${title}; rel=${rel}`);
    fc.assert(
      fc.property(fc.array(other), fc.array(other), (before, after) => {
        expect(canonical([...before, ...after].join(", "))).toBeUndefined();
        expect(canonical([...before, "</here>; rel=canonical", ...after].join(", "))).toBe("https://a.test/here");
      }),
    );
  });

  // Each made an expression that looks back need minutes: a header may have a megabyte in an archive.
  it.each(["<", "<a>", "<a>;", "<a>; x", '<a>; x="', '<a>; x="\\', "<a>; rel=x ;", " ", ",", ";", '"', "\\"])(
    "is looked for in linear time in a megabyte of %j",
    (piece) => {
      expect(canonical(piece.repeat(1e6 / piece.length))).toBeUndefined();
      expect(canonical(`<a>; ${piece.repeat(1e6 / piece.length)}`)).toBeUndefined();
    },
  );
});
