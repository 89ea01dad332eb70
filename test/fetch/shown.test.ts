import { expect, it } from "vitest";
import { MAX_TEXT_LENGTH } from "#src/fetch/answered-page.js";
import type { AnsweredOutcome } from "#src/fetch/outcome.js";
import { compareShown, shownBesides } from "#src/fetch/shown.js";

it("pages of one text are two if both show at every look what the other never does", () => {
  const looks = (...names: string[][]) => names.map((shown) => ({ url: "http://a.test/", shown, text: "a" }));
  const after = (a: string[], b: string[], count: number) =>
    compareShown(looks(...Array(count).fill(a)), looks(...Array(count).fill(b)));
  expect(after(["logo", "one"], ["logo", "two"], 1)).toEqual({ sameness: "different", lookAgain: true });
  expect(after(["logo", "one"], ["logo", "two"], 8)).toEqual({ sameness: "different", lookAgain: false });
  // Without pictures, as to be printed; and with a banner that changes.
  expect(after(["logo", "one"], [], 1).sameness).toBe("same");
  expect(compareShown(looks(["ad1"], ["ad2"]), looks(["ad3"], ["ad3"])).sameness).toBe("same");
});

it("pages whose text is longer than what is kept of it are one only by their bytes", () => {
  const long = (digest: string) => [{ url: "http://a.test/", shown: [], text: "a".repeat(MAX_TEXT_LENGTH), digest }];
  expect(compareShown(long("sha1:1"), long("sha1:1")).sameness).toBe("same");
  expect(compareShown(long("sha1:1"), long("sha1:2")).sameness).toBe("not comparable");
});

/** What is said of two pages by one look at each. */
function compared(
  a: string,
  b: string,
  { urls = ["http://a.test/x?part=two", "http://a.test/x"], vary = ["", ""] } = {},
) {
  const looks = [a, b].map((html, i) => {
    const answer = { finalUrl: urls[i]!, body: new TextEncoder().encode(html), vary: vary[i] };
    return [{ url: urls[i]!, shown: shownBesides(answer as AnsweredOutcome), text: "a" }];
  });
  return compareShown(looks[0]!, looks[1]!).sameness;
}

const json = (data: unknown) => `<script type="application/json">${JSON.stringify(data)}</script>`;

it("sentences that are given to scripts tell pages apart, unless they only name the URL's words, numbers or settings", () => {
  const page = (text: string) => json({ id: 1, props: { text } });
  expect(compared(page("the first part of a long story"), page("how it went on after that"))).toBe("different");
  expect(compared(page("this is part two of a story"), page("this is part of a story"))).toBe("same");
  expect(compared(page("made at 10 on the 3 of May"), page("made at 11 on the 4 of May"))).toBe("same");
  expect(compared(page("dark-blue"), page("light-red"))).toBe("same");
  expect(compared(page("\u4eca\u65e5\u306f\u5929\u6c17"), page("\u660e\u65e5\u306e\u5929\u6c17"))).toBe("different");
  const escaped = (text: string) => `<div data-page="${JSON.stringify({ text }).replaceAll('"', "&quot;")}"></div>`;
  expect(compared(escaped("the first part of a long story"), escaped("how it went on after that"))).toBe("different");
  expect(compared(`<img alt="a dog on a green meadow">`, `<img alt="two cats on a red sofa">`)).toBe("different");
});

it("pages are read in their encoding", () => {
  const shown = (body: Buffer, contentType: string) =>
    shownBesides({ finalUrl: "http://a.test/", body, contentType } as unknown as AnsweredOutcome);
  const picture = `<img src="/l\u00e0-1.jpg">`;
  expect(shown(Buffer.from(picture), "text/html; charset=utf-8")).toEqual(["l\u00e0-1.jpg"]);
  expect(shown(Buffer.from(picture, "utf16le"), "text/html; charset=utf-16le")).toEqual(["l\u00e0-1.jpg"]);
  const said = Buffer.from(`<img alt="\xee\xe4\xe8\xed \xe4\xe2\xe0 \xf2\xf0\xe8 \xf5 \xe8 \xff">`, "latin1");
  expect(shown(said, "text/html; charset=windows-1251")).toEqual([
    "says \u043e\u0434\u0438\u043d \u0434\u0432\u0430 \u0442\u0440\u0438 \u0445 \u0438 \u044f",
  ]);
});

it("a value as long as the longest page is read", () => {
  const body = Buffer.from(`<p data-a="${"a ".repeat(4_190_000)}">`);
  expect(shownBesides({ finalUrl: "http://a.test/", body } as unknown as AnsweredOutcome).length).toBeGreaterThan(1);
});

it("pages whose data differ only beyond what is kept of them cannot be compared", () => {
  const common = Array.from({ length: 5000 }, (_, i) => `text ${i}x of an application that has many`);
  const [one, other] = ["the first part of a story", "how it went on then"].map((own) => json([...common, own]));
  expect(compared(one!, other!)).toBe("not comparable");
  expect(compared(one!, one!)).toBe("same");
  expect(compared(json(common.slice(0, 4000)), json(common.slice(0, 4001)))).toBe("same");
});

it("on one side alone it takes twenty words to make another page", () => {
  const words = (count: number) => json([Array.from({ length: count }, (_, i) => `w${i}x`).join(" ")]);
  expect(compared(words(19), "")).toBe("same");
  expect(compared(words(20), "")).toBe("different");
});

it("rows of numbers tell pages apart; a time or a count among them does not", () => {
  const chart = (numbers: readonly number[]) => `<script>draw([${numbers.join(", ")}]); var v = 1.2;</script>`;
  expect(compared(chart([3, 1, 4, 1, 5, 9]), chart([2, 7, 1, 8, 2, 8]))).toBe("different");
  expect(compared(chart([3, 1, 4, 1, 5, 9]), chart([3, 1, 4, 1, 6, 8]))).toBe("same");
  expect(compared(chart([3, 1, 4, 1, 5]), chart([2, 7, 1, 8, 2]))).toBe("same");
  const points = (ys: readonly number[]) => json(ys.map((y, x) => ({ x, y })));
  expect(compared(points([31, 41, 59]), points([27, 18, 28]))).toBe("different");
});

it("a page in the reader's language and one in a language of its own cannot be compared", () => {
  expect(compared("", "", { vary: ["", "Accept-Encoding, Accept-Language"] })).toBe("not comparable");
  expect(compared("", "", { vary: ["accept-language", "Accept-Language"] })).toBe("same");
});

it("reading takes time in proportion to the page, whatever is left open", () => {
  for (const part of [
    "<svg",
    "<script>",
    "<script ",
    "<img ",
    "url(",
    "'",
    '"',
    "1,",
    ' data-a="[',
    "<a href=",
    "<img a",
    "<a =\"='",
    "a",
  ]) {
    expect(
      shownBesides({
        finalUrl: "http://a.test/",
        body: Buffer.from(part.repeat(100_000)),
      } as unknown as AnsweredOutcome).length,
    ).toBeLessThan(20_000);
  }
});
