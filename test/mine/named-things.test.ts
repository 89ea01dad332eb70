import { describe, expect, it } from "vitest";
import { NamedThings } from "#src/mine/named-things.js";
import { columnOf } from "#src/string-column.js";
import { makeRule } from "../canon/make-rule.js";

const pages = Array.from({ length: 60 }, (_, i) => `http://a.test/w/index.php?title=Page${i}&action=view`);
const files = Array.from({ length: 60 }, (_, i) => `http://a.test/mod/mod_${i}.html`);
const things = new NamedThings(columnOf([...pages, ...files, "http://a.test/en/x", "http://a.test/de/x"]));

const swap = (from: string, to: string, left: string, right: string) =>
  things.areSwapped(makeRule({ kind: "substring", from, to, example: { from: left, to: right } }));

describe("rules that swap the names of two things", () => {
  it("put a whole value of a parameter with many where another was", () => {
    expect(swap("=Page1&", "=Page2&", pages[1]!, pages[2]!)).toBe(true);
    expect(swap("/mod_1.html", "/mod_2.html", files[1]!, files[2]!)).toBe(true);
  });
  it("or words of it, whatever stands around them", () => {
    const titles = ["Boot%288%29", "Ascii%288%29"].map(
      (title) => `http://a.test/w/index.php?title=${title}&action=view`,
    );
    expect(swap("=Boot%", "=Ascii%", titles[0]!, titles[1]!)).toBe(true);
    const escaped = ["Ls(1)", "Ls%281)"].map((title) => `http://a.test/w/index.php?title=${title}&action=view`);
    expect(swap("(1)", "%281)", escaped[0]!, escaped[1]!)).toBe(false);
  });
  it("are not those that choose a view, change a part of a name, or drop something", () => {
    const [view, edit] = [
      "http://a.test/w/index.php?title=A&action=view",
      "http://a.test/w/index.php?title=A&action=edit",
    ];
    expect(swap("=view", "=edit", view, edit)).toBe(false);
    expect(swap("/en/", "/de/", "http://a.test/en/x", "http://a.test/de/x")).toBe(false);
    expect(swap(".html", ".htm", files[1]!, files[1]!.replace(".html", ".htm"))).toBe(false);
    expect(swap("?title=Page1&", "?", pages[1]!, "http://a.test/w/index.php?action=view")).toBe(false);
  });
});

describe("a folder beside many pages", () => {
  const beside = Array.from({ length: 60 }, (_, i) => `http://a.test/page${i}`);
  const inside = (folder: string, count: number) =>
    Array.from({ length: count }, (_, i) => `http://a.test/${folder}/${i}`);
  const site = new NamedThings(columnOf([...beside, ...inside("print", 20), ...inside("stories", 30)]));
  const isSwapped = (support: number) =>
    site.areSwapped(
      makeRule({
        ...{ kind: "substring", from: "/print/", to: "/stories/", support },
        example: { from: "http://a.test/print/1", to: "http://a.test/stories/1" },
      }),
    );

  it("is not a thing where most of it lies in another folder too", () => {
    expect(isSwapped(12)).toBe(false);
    expect(isSwapped(3)).toBe(true);
  });
});

describe("rules that cut a word from names", () => {
  const names = Array.from({ length: 1000 }, (_, i) => `http://a.test/wiki/Page${i}(2)`);
  const prints = names.slice(0, 500).map((url) => url.replace("(2)", "-print(2)"));
  const wiki = new NamedThings(columnOf([...names, ...prints]));
  const cut = (from: string, to: string, support: number, example = [names[1]!.replace("(2)", "_p(2)"), names[1]!]) =>
    wiki.areCut(makeRule({ from, to, end: true, support, example: { from: example[0], to: example[1] } }));

  it("are about a few things alone where few have it", () => {
    expect(cut("_p(2)", "(2)", 8)).toBe(true);
    expect(cut("(2)", "_p(2)", 8, [names[1]!, names[1]!.replace("(2)", "_p(2)")])).toBe(true);
    expect(cut("-print(2)", "(2)", 500, [prints[1]!, names[1]!])).toBe(false);
  });
  it("are none where what goes is no word, or a whole name", () => {
    expect(cut(".Inner(2)", "(2)", 8, [names[1]!.replace("(2)", ".Inner(2)"), names[1]!])).toBe(false);
    expect(cut("/wiki/Page1(2)", "/wiki/", 8, [names[1]!, "http://a.test/wiki/"])).toBe(false);
  });
});
