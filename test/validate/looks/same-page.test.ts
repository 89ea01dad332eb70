import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { commonRuns, wordsOf } from "#src/validate/looks/align-words.js";
import { CommonText } from "#src/validate/looks/common-text.js";
import {
  isBriefPage,
  isKnownByLittle,
  learnChanging,
  likenessToAnswer,
  samePage,
} from "#src/validate/looks/same-page.js";

const words = (name: string, count: number) => Array.from({ length: count }, (_, i) => `${name}${i}`).join(" ");
const none = new CommonText();
const page = (url: string, ...texts: string[]) => ({ url: `http://a.test/${url}`, texts });
const compare = (left: string[], right: string[], common = none) =>
  samePage(page("x?id=1", ...left), page("x?id=2", ...right), common).sameness;

/** A site whose pages all have this menu; they were looked at twice. */
function withMenu(menu: string): CommonText {
  const common = new CommonText();
  for (let i = 0; i < 8; i++) {
    const text = `${menu} ${words(`own${i}x`, 30)}`;
    common.add(text);
    learnChanging(page(`own${i}`, text, text), common);
  }
  return common;
}

describe("the same page", () => {
  it("has the same text, and enough of it", () => {
    expect(compare([words("a", 30)], [words("a", 30)])).toBe("same");
    expect(compare([words("a", 30)], [words("b", 30)])).toBe("different");
    expect(compare([words("a", 19)], [words("a", 19)])).toBe("not comparable");
    expect(compare([""], [""])).toBe("not comparable");
  });

  it("is another one where eight words of two hundred differ, side by side or here and there, whatever the menu", () => {
    const menu = words("menu", 500);
    const own = words("a", 200).split(" ");
    const sideBySide = own.map((word, i) => (i >= 60 && i < 68 ? `${word}other` : word)).join(" ");
    const scattered = own.map((word, i) => (i % 25 === 0 ? `${word}other` : word)).join(" ");
    for (const other of [sideBySide, scattered]) {
      expect(compare([`${menu} ${own.join(" ")}`], [`${menu} ${other}`], withMenu(menu))).toBe("different");
    }
    expect(compare([`${menu} ${own.join(" ")}`], [`${menu} ${own.join(" ")}`], withMenu(menu))).toBe("same");
  });

  it("is none of a long page and one with a list after it: twenty words on one side alone part them", () => {
    const long = words("a", 2000);
    expect(compare([long], [`${long} ${words("item", 20)}`])).toBe("different");
    expect(compare([long], [`${long} ${words("reply", 6)}`])).toBe("same");
  });

  it("cannot be recognised by the menu alone; a page of its own and a menu alone are two", () => {
    const menu = words("menu", 100);
    expect(compare([menu], [menu], withMenu(menu))).toBe("not comparable");
    expect(compare([`${menu} ${words("a", 50)}`], [menu], withMenu(menu))).toBe("different");
  });

  it("does without what changes between two looks, and without what stands in its place in the other page", () => {
    const at = (advertisement: string) => `${words("a", 30)} ${advertisement} ${words("b", 30)}`;
    const [boats, maps, corn] = [words("boats", 9), words("maps", 9), words("corn", 9)];
    expect(compare([at(boats), at(maps)], [at(corn), at(boats)])).toBe("same");
    // The second page showed one of them twice: by chance, or it is its own.
    const stays = (looks: number) => Array.from({ length: looks }, () => at(corn));
    const changes = (looks: number) => Array.from({ length: looks }, (_, i) => at(words(`boats${"abcdefgh"[i]}`, 9)));
    const compared = (looks: number) => samePage(page("x", ...changes(looks)), page("y", ...stays(looks)), none);
    expect(compared(2)).toMatchObject({ lookAgain: true });
    expect(compared(8)).toMatchObject({ sameness: "different", lookAgain: false });
    expect(compare([...changes(3)], [...stays(2), at(boats)])).toBe("same");
    expect(compare([at(boats)], [at(maps)])).toBe("different");
    expect(samePage(page("x", at(boats)), page("y", at(maps)), none).lookAgain).toBe(true);
  });

  it("is another one where an advertisement stands before a text of its own", () => {
    const [boats, maps] = [words("boats", 9), words("maps", 9)];
    const empty = (advertisement: string) => `${words("a", 30)} ${advertisement} ${words("b", 30)}`;
    const full = `${words("a", 30)} ${words("list", 60)} ${words("b", 30)}`;
    expect(compare([empty(boats), empty(maps)], [full, full])).toBe("different");
  });

  it("one rotating number hides no other number", () => {
    const list = (seed: number, rotating: number) =>
      `Goods for sale ${Array.from({ length: 20 }, (_, i) => `Item ${100000 + seed * 1000 + i * 7}`).join(" ")} See also Item ${rotating} today`;
    expect(compare([list(1, 100037), list(1, 100451)], [list(2, 100512), list(2, 100963)])).toBe("different");
    expect(compare([list(1, 100037), list(1, 100451)], [list(1, 100512), list(1, 100963)])).toBe("same");
  });

  it("may echo its own URL", () => {
    const [u, v] = ["http://a.test/shop/view.php?id=17&ref=home", "http://a.test/shop/17"];
    const text = (url: string) => `${words("a", 60)} You are at ${url} ${words("b", 10)} ref home`;
    expect(samePage({ url: u, texts: [text(u)] }, { url: v, texts: [text(v)] }, none).sameness).toBe("same");
  });

  it("may echo the URL that it led to, in upper or lower case", () => {
    const [u, v] = ["http://www.a.test/Shop/profile?user=dot", "http://a.test/Shop/profile?user=dot"];
    const text = (url: string) => `${words("a", 40)} You are at ${url}`;
    const of = (url: string, finalUrl: string) => ({ url, finalUrl, texts: [text(finalUrl)] });
    expect(samePage(of(u, "http://a.test/shop/profile?user=dot"), of(v, v), none).sameness).toBe("same");
    expect(samePage(of(u, "http://a.test/shop/profile?user=eve"), of(v, v), none).sameness).toBe("same");
    const other = { url: u, finalUrl: v, texts: [`${words("a", 20)} ${words("b", 20)} You are at ${v}`] };
    expect(samePage(other, of(v, v), none).sameness).toBe("different");
  });

  it("is looked at more often where what differs is known to change elsewhere on the site, never taken for it", () => {
    const common = new CommonText();
    const at = (advertisement: string) => `${words("a", 30)} ${advertisement} ${words("b", 30)}`;
    const [boats, maps] = [words("boats", 9), words("maps", 9)];
    learnChanging(page("z", at(boats), at(maps)), common);
    const twice = (advertisement: string, times: number) => Array.from({ length: times }, () => at(advertisement));
    expect(samePage(page("x", ...twice(boats, 4)), page("y", ...twice(maps, 4)), common)).toEqual({
      sameness: "different",
      lookAgain: true,
      mayChange: true,
    });
    expect(samePage(page("x", ...twice(boats, 8)), page("y", ...twice(maps, 8)), common)).toEqual({
      sameness: "different",
      lookAgain: false,
    });
  });

  it("has a clock or two: where numbers differ beside others that change all over a page, they are its own", () => {
    const rows = (own: number, look: number, count: number) =>
      Array.from({ length: count }, (_, i) => `${words(`row${i}x`, 6)} ${own + i} ${look + i}`).join(" ");
    const at = (own: number, count: number) =>
      [50_000, 60_000, 70_000].map((look) => `${words("a", 60)} ${rows(own, look, count)} ${words("b", 60)}`);
    expect(compare(at(100, 1), at(200, 1))).toBe("same");
    expect(compare(at(100, 12), at(200, 12))).toBe("different");
  });

  it("cannot be told at the first look where pages turn out to be others at the second", () => {
    const common = new CommonText();
    for (let i = 0; i < 8; i++) {
      const looks = [words(`teaser${i}x`, 40), words(`own${i}x`, 80)];
      common.add(looks[0]!);
      learnChanging(page(`own${i}`, ...looks), common);
    }
    const teaser = words("teaser", 40);
    const compared = (left: string[], right: string[]) =>
      samePage(page("x", ...left), page("x?part=2", ...right), common);
    expect(compared([teaser], [teaser])).toEqual({ sameness: "not comparable", lookAgain: true });
    expect(compared([teaser, words("one", 80)], [teaser, words("two", 80)]).sameness).not.toBe("same");
    expect(compared([teaser, teaser], [teaser, teaser]).sameness).toBe("same");
  });

  it("does not echo its URL where that is what it is about", () => {
    const about = (town: string, often: number) =>
      Array.from({ length: often }, (_, i) => `${words(`text${i}x`, 8)} ${town}`).join(" ");
    const towns = (often: number) =>
      samePage(page("x?town=boston", about("boston", often)), page("x?town=denver", about("denver", often)), none)
        .sameness;
    expect(towns(4)).toBe("same");
    expect(towns(8)).toBe("not comparable");
    // What both texts say is no echo of either URL.
    const text = about("boston", 20);
    expect(samePage(page("x?town=boston", `${text} a`), page("x", `${text} b`), none).sameness).toBe("same");
  });

  it("shows signs as well as words", () => {
    const board = (pieces: string) => `${words("a", 40)} ${[...pieces].join(" ")}`;
    expect(compare([board("♔♕♖♗♘♙♚♛")], [board("♚♛♜♝♞♟♔♕")])).toBe("different");
  });

  it("may show a clock: only numbers differ, and a look in another second tells", () => {
    const at = (time: string) => `${words("a", 24)} generated at 2026 11 16 ${time} 0000`;
    const [u, v] = [at("17 59 59"), at("18 00 00")];
    expect(samePage(page("x", u), page("y", v), none)).toMatchObject({ lookAgain: true, isClock: true });
    expect(samePage(page("x", u, at("18 00 02")), page("y", v, at("18 00 02")), none).sameness).toBe("same");
    expect(samePage(page("x", `${u} today`), page("y", v), none).isClock).toBeUndefined();
  });

  it("has numbers of its own where a look in between shows that they are no clock's", () => {
    const at = (name: string, price: number, timesMs: number[]) => ({
      ...page(name, ...timesMs.map((ms) => `${words("a", 60)} only ${price}, ${200 + ms} left of them`)),
      timesMs,
    });
    // One after the other: it may be an hour.
    expect(samePage(at("x", 49, [1, 2]), at("y", 59, [3, 4]), none).sameness).toBe("same");
    expect(samePage(at("x", 49, [1, 4]), at("y", 59, [2, 3]), none).sameness).toBe("different");
    expect(samePage(at("x", 49, [1, 4]), at("y", 49, [2, 3]), none).sameness).toBe("same");
  });

  it("is another one where what stays beside an advertisement differs", () => {
    const [text, list, other] = [words("text", 60), words("item", 15), words("thing", 15)];
    const [boats, maps, corn, hats] = ["boats", "maps", "corn", "hats"].map((name) => words(name, 12));
    const looks = (own: string, ...advertisements: (string | undefined)[]) =>
      advertisements.map((advertisement) => `${text} ${own} ${advertisement}`);
    expect(compare(looks(list, boats, maps), looks(other, corn, hats))).toBe("different");
    expect(compare(looks("", boats, maps), looks("", corn, hats))).toBe("same");
    // A teaser that stays by chance came or went on the other page.
    const teasers = (...names: string[]) => names.map((name) => words(name, 5)).join(" ");
    const stuck = looks("", teasers("sun", "rain"), teasers("snow", "sun"));
    expect(compare(stuck, looks("", teasers("sun", "fog"), teasers("rain", "hail")))).toBe("same");
    expect(compare(stuck, looks("", teasers("ice", "fog"), teasers("rain", "hail")))).toBe("different");
    // One that has not changed yet may be no list: where the other page shows something else at every look, so may this one.
    expect(samePage(page("x", ...looks("", boats, boats)), page("y", ...looks("", corn, hats)), none).lookAgain).toBe(
      true,
    );
  });

  it("is another one at the first look where nothing on the site was ever seen to change", () => {
    const quiet = new CommonText();
    for (let i = 0; i < 5; i++) quiet.add(words(`page${i}`, 30));
    // Looked at once, nothing can be seen to change.
    for (let i = 0; i < 5; i++) learnChanging(page(`page${i}`, words(`page${i}`, 30)), quiet);
    expect(samePage(page("x", words("a", 30)), page("y", words("b", 30)), quiet).lookAgain).toBe(true);
    for (let i = 0; i < 5; i++) learnChanging(page(`page${i}`, words(`page${i}`, 30), words(`page${i}`, 30)), quiet);
    expect(samePage(page("x", words("a", 30)), page("y", words("b", 30)), quiet).lookAgain).toBe(false);
    expect(samePage(page("x", words("a", 30)), page("y", words("b", 30)), none).lookAgain).toBe(true);
  });

  it("is the same both ways round, and a page is itself", () => {
    const text = fc.array(fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h"), { maxLength: 60, size: "max" });
    let same = 0;
    fc.assert(
      fc.property(text, text, (a, b) => {
        const [left, right] = [a.join(" "), b.join(" ")];
        expect(compare([left], [right])).toBe(compare([right], [left]));
        const own = compare([left], [left]);
        expect(own).toBe(a.length < 20 ? "not comparable" : "same");
        if (own === "same") same++;
      }),
      { numRuns: 300 },
    );
    expect(same).toBeGreaterThan(20);
  });
});

describe("the answer for a page that does not exist", () => {
  const menu = words("menu", 200);
  const error = (note: string) => `${menu} Sorry there is nothing at this address any more ${note}`;
  const [boats, maps, corn] = [words("boats", 9), words("maps", 9), words("corn", 9)];
  const says = (text: string, answers: string[]) =>
    likenessToAnswer(page("shop/5", text), page("shop/qxzt", ...answers), withMenu(menu));

  it("is told from a short page under the same long menu", () => {
    expect(says(error(""), [error(""), error("")])).toBe("same");
    expect(says(`${menu} ${words("own", 12)}`, [error(""), error("")])).toBe("none");
  });
  it("is recognised by what is stable in it", () => {
    expect(says(error(boats), [error(maps), error(corn)])).toBe("same");
    expect(says(`${menu} ${words("own", 40)} ${boats}`, [error(maps), error(corn)])).toBe("none");
  });
  it("is not an article that has a list of its own for each number", () => {
    const [article, list, other] = [words("article", 80), words("item", 24), words("thing", 24)];
    expect(says(`${article} ${list}`, [`${article} ${other}`])).toBe("partly");
  });
});

describe("words that two texts have in common", () => {
  const text = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 30 });
  it("are the same words, in order, without overlap", () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        let [i, j] = [0, 0];
        for (const run of commonRuns(a, b)) {
          expect(run.a).toBeGreaterThanOrEqual(i);
          expect(run.b).toBeGreaterThanOrEqual(j);
          expect(a.slice(run.a, run.a + run.length)).toEqual(b.slice(run.b, run.b + run.length));
          expect(run.length).toBeGreaterThan(0);
          [i, j] = [run.a + run.length, run.b + run.length];
        }
      }),
    );
  });
  it("are all of them where a text is compared with itself", () => {
    fc.assert(
      fc.property(text, (a) => {
        expect(commonRuns(a, a)).toEqual(a.length === 0 ? [] : [{ a: 0, b: 0, length: a.length }]);
      }),
    );
  });
});

describe("a brief page", () => {
  const menu = words("menu", 60);
  const common = withMenu(menu);
  const brief = (url: string, own: string, ...advertisements: string[]) =>
    page(url, ...(advertisements.length > 0 ? advertisements : [""]).map((text) => `${menu} ${text} ${own}`));
  const others = Array.from({ length: 10 }, (_, i) => brief(`item-${i}`, `${words(`own${i}`, 6)}`));

  it("is known by the little that it says where its neighbours say something else", () => {
    const [u, v] = [brief("item-99?sid=1", words("mine", 6)), brief("item-99", words("mine", 6))];
    expect(isBriefPage(u, common)).toBe(true);
    expect(samePage(u, v, common)).toMatchObject({ sameness: "not comparable", brief: "same" });
    expect(isKnownByLittle(u, others, common)).toBe(true);
    const other = brief("item-98", words("other", 6), "", "");
    expect(samePage(brief("item-99", words("mine", 6), "", ""), other, common).brief).toBe("different");
  });

  it("is not known where many say the same, or where there are few to ask", () => {
    const empty = brief("search?q=rose", "nothing was found for you here");
    const many = Array.from({ length: 6 }, (_, i) => brief(`search?q=q${i}`, "nothing was found for you here"));
    expect(isKnownByLittle(empty, [...others, ...many], common)).toBe(false);
    expect(isKnownByLittle(empty, others.slice(0, 5), common)).toBe(false);
  });

  it("is not known by what echoes its URL", () => {
    const echoing = (q: string) => brief(`search?q=${q}`, `nothing was found for ${q} here`);
    const many = Array.from({ length: 10 }, (_, i) => echoing(`word${i}`));
    expect(isKnownByLittle(echoing("rose"), many, common)).toBe(false);
  });

  it("is not another one whose own words are next to the same advertisement", () => {
    const changing = withMenu(menu);
    const [boats, maps] = [words("boats", 15), words("maps", 15)];
    learnChanging(brief("x", "one two three", boats, maps), changing);
    const [u, v] = [brief("a", words("mine", 5), boats, maps), brief("b", words("other", 8), maps, boats)];
    expect(samePage(u, v, changing)).toMatchObject({ sameness: "not comparable", lookAgain: true });
    expect(samePage(u, brief("b", words("mine", 5), maps, boats), changing).brief).toBe("same");
    const often = (page: typeof u) => ({
      ...page,
      texts: [...page.texts, ...page.texts, ...page.texts, ...page.texts],
    });
    expect(samePage(often(u), often(v), changing).brief).toBe("different");
    expect(isBriefPage(u, changing)).toBe(true);
    const many = Array.from({ length: 10 }, (_, i) => brief(`w${i}`, words(`w${i}x`, 5), i % 2 === 0 ? maps : boats));
    expect(isKnownByLittle(u, many, changing)).toBe(true);
  });

  it("is not known by an advertisement", () => {
    const changing = withMenu(menu);
    const [boats, maps, corn] = [words("boats", 7), words("maps", 7), words("corn", 7)];
    const same = "nothing was found for you here";
    learnChanging(brief("x", same, boats, maps), changing);
    learnChanging(brief("x", same, boats, corn), changing);
    // It showed one of them twice, by chance.
    const page = brief("search?q=rose", same, boats, boats);
    const many = Array.from({ length: 10 }, (_, i) => brief(`search?q=w${i}`, same, i % 2 === 0 ? maps : corn));
    expect(isKnownByLittle(page, many, changing)).toBe(false);
    // Where something changes, it takes two looks.
    expect(samePage(brief("a", same, boats), brief("b", same, boats), changing).lookAgain).toBe(true);
  });
});

describe("words", () => {
  it("keep their marks: vowels of Hindi, points of Hebrew, accents written apart", () => {
    expect(wordsOf("कि की। שָׁלוֹם cafe\u0301 menu")).toEqual(["कि", "की", "שָׁלוֹם", "cafe\u0301", "menu"]);
  });

  it("are single characters where a language does not part them by spaces", () => {
    for (const text of ["你好", "ລາວ", "ខ្មែរ", "မြန်မာ"]) expect(wordsOf(text)).toEqual([...text]);
  });

  it("of pages that differ in vowels alone are others", () => {
    const [short, long] = ["ि", "ी"].map((vowel) =>
      Array.from({ length: 40 }, (_, i) => `क${vowel}${"टपमनलस"[i % 6]}${vowel}`).join(" "),
    );
    expect(compare([short!], [long!])).toBe("different");
  });
});
