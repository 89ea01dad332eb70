import { describe, expect, it } from "vitest";
import { correspondingPages, describeCluster } from "#src/collections/describe.js";
import { linkSummary } from "#src/collections/link-summary.js";
import { clustersOf, smallWeb } from "./small-web.js";

// Cho et al. 2000. The drawings are lost; the webs are rebuilt from what the text says about them.
describe("the paper's figures", () => {
  it("figure 2: three collections with similar pages are one cluster", () => {
    const web = smallWeb(`
      i.p -> i.q i.r
      ii.p -> ii.q ii.r
      iii.p -> iii.q iii.r`);
    const { text, described } = clustersOf(web);
    expect(text).toEqual(["[i.p i.q i.r] [ii.p ii.q ii.r] [iii.p iii.q iii.r]"]);
    expect(correspondingPages(described, 0).map((row) => Array.from(row.pages, (page) => web.names[page]))).toEqual([
      ["i.p", "ii.p", "iii.p"],
      ["i.q", "ii.q", "iii.q"],
      ["i.r", "ii.r", "iii.r"],
    ]);
  });

  it("figure 3(a): an additional page stays out", () => {
    const web = smallWeb(`
      i.p -> i.q i.r
      ii.p -> ii.q ii.r ii.s`);
    expect(clustersOf(web).text).toEqual(["[i.p i.q i.r] [ii.p ii.q ii.r]"]);
  });

  it("figure 3(b): what only a mapping that is not one-to-one would match is not merged", () => {
    const web = smallWeb(`
      i.p -> i.q i.r
      i.r -> i.s i.s#2
      ii.p -> ii.q ii.q#2 ii.r
      ii.r -> ii.s`);
    expect(clustersOf(web).text).toEqual(["[i.q] [ii.q#2] [ii.q]", "[i.s#2] [i.s] [ii.s]", "[i.p i.r] [ii.p ii.r]"]);
  });

  const figure3c = smallWeb(`
    i.p -> i.q
    i.q -> i.r i.s
    ii.p -> ii.t
    ii.t -> ii.r ii.s`);

  it("figure 3(c): break points split a collection and are named", () => {
    const { text, described } = clustersOf(figure3c);
    expect(text).toEqual(["[i.p] [ii.p]", "[i.r] [ii.r]", "[i.s] [ii.s]"]);
    const names = described.collections.breakPoints.map(({ from, to, pages }) => [
      text[from],
      text[to],
      ...pages.flat().map((page) => figure3c.names[page]),
    ]);
    expect(names).toEqual([
      ["[i.p] [ii.p]", "[i.r] [ii.r]", "i.q", "ii.t"],
      ["[i.p] [ii.p]", "[i.s] [ii.s]", "i.q", "ii.t"],
    ]);
  });

  it("figure 3(c): joined through one unmatched page per replica", () => {
    const { text, described } = clustersOf(figure3c, { joinThrough: 1 });
    expect(text).toEqual(["[i.p i.r i.s] [ii.p ii.r ii.s]"]);
    const record = describeCluster(described, 0);
    expect(record.size).toBe(3);
    expect(record.replicas.map(({ unmatched, mapped }) => [unmatched, mapped])).toEqual([
      [1, 0.75],
      [1, 0.75],
    ]);
  });

  it("figure 3(d): one matching incoming link is enough", () => {
    const web = smallWeb(`
      i.p -> i.r
      i.q -> i.r
      ii.q -> ii.r
      ii.p`);
    // p is not connected in [ii], so no collection can hold it.
    expect(clustersOf(web).text).toEqual(["[i.q i.r] [ii.q ii.r]", "[i.p] [ii.p]"]);
  });

  it("figures 4 and 5: cardinality goes before size", () => {
    const web = smallWeb(`
      i.a -> i.b i.c
      i.b -> i.d
      i.c -> i.e
      i.d -> i.e
      ii.a -> ii.b ii.c
      ii.b -> ii.d
      ii.c -> ii.e
      ii.d -> ii.e
      iii.a -> iii.b iii.c`);
    expect(clustersOf(web).text).toEqual([
      "[i.a i.b i.c] [ii.a ii.b ii.c] [iii.a iii.b iii.c]",
      "[i.d i.e] [ii.d ii.e]",
    ]);
  });

  it("figure 6: a, b, c and d are merged, t, s and g are not", () => {
    const web = smallWeb(`
      i.a -> i.b i.c
      i.b -> i.c i.d
      i.d -> i.t i.s
      ii.a -> ii.b ii.c
      ii.b -> ii.c ii.d
      ii.d -> ii.t ii.g
      iii.a -> iii.b iii.c
      iii.b -> iii.c iii.d`);
    const { text, described } = clustersOf(web);
    expect(text).toEqual(["[i.a i.b i.c i.d] [ii.a ii.b ii.c ii.d] [iii.a iii.b iii.c iii.d]", "[i.t] [ii.t]"]);
    expect(web.names[described.replicas.root[0]!]).toBe("i.a");
    const position = (name: string) => web.trivial.of[web.numberOf.get(name)!]!;
    const { i, j, s, d } = linkSummary(web.links, web.trivial);
    const row = i.findIndex((from, at) => from === position("i.d") && j[at] === position("i.t"));
    expect([s[row], d[row]]).toEqual([2, 2]);
  });

  it("figure 7: the start with more links from other sites decides", () => {
    const cycle = `
      i.a -> i.b
      i.b -> ii.a
      ii.a -> ii.b
      ii.b -> i.a`;
    const fromA = clustersOf(
      smallWeb(`${cycle}
      x.y -> i.a ii.a`),
    );
    expect(fromA.text).toEqual(["[i.a i.b] [ii.a ii.b]"]);
    expect([...fromA.described.collections.disagreeingLinks]).toEqual([2]);
    const fromB = clustersOf(
      smallWeb(`${cycle}
      x.y -> i.b ii.b
      z.w -> i.b ii.b`),
    );
    expect(fromB.text).toEqual(["[i.a ii.b] [i.b ii.a]"]);
  });

  it("figure 10: partial mirrors share pages when extended", () => {
    const web = smallWeb(`
      i.a -> i.b i.c
      i.b -> i.d i.e
      i.c -> i.f i.g
      ii.a -> ii.b ii.c
      ii.b -> i.d i.e
      ii.c -> i.f i.g`);
    expect(clustersOf(web).text).toEqual(["[i.a i.b i.c] [ii.a ii.b ii.c]"]);
    for (const singleSite of [false, true]) {
      const { text, described } = clustersOf(web, { extended: true, singleSite });
      expect(text).toEqual(["[i.a i.b i.c i.d i.e i.f i.g] [ii.a ii.b ii.c]"]);
      const record = describeCluster(described, 0);
      expect([record.size, record.entryPage]).toEqual([7, "http://i.test/a"]);
      expect(record.replicas.map(({ real, virtual }) => [real, virtual])).toEqual([
        [7, 0],
        [3, 4],
      ]);
      const d = correspondingPages(described, 0).find((row) => web.names[row.pages[0]!] === "i.d")!;
      expect(Array.from(d.pages, (page) => web.names[page])).toEqual(["i.d", "i.d"]);
      expect(d.isVirtual).toEqual([false, true]);
    }
  });

  it("section 3.1's slip: counts that allow no one-to-one mapping make no edge", () => {
    const web = smallWeb(`
      i.p -> i.q ii.q iii.q
      ii.p -> i.q
      iii.p -> i.q`);
    const { text, described } = clustersOf(web);
    expect(text).toEqual(["[i.p] [ii.p] [iii.p]", "[i.q] [ii.q] [iii.q]"]);
    expect(described.collections.unmatched).toBe(1);
  });
});
