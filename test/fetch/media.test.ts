import { expect, it } from "vitest";
import { MAX_TEXT_LENGTH } from "#src/fetch/answered-page.js";
import { compareMedia, mediaOf } from "#src/fetch/media.js";

const media = (html: string, url = "http://a.test/album?picture=7&sid=ab12") =>
  mediaOf(url, new TextEncoder().encode(html));

it("pictures and films of a page have names, wherever they come from", () => {
  expect(
    media(`<img alt=x src="../p/1.jpg"><IMG SRC='//cdn.a.test/p/1.jpg?v=2'><img src=http://b.test/p/2.jpg>`),
  ).toEqual(["p/1.jpg", "p/2.jpg"]);
  expect(media(`<iframe src="/embed/k3"></iframe><object data="m.swf"><img src="data:image/png;base64,AA">`)).toEqual([
    "embed/k3",
    "m.swf",
  ]);
  expect(media("<p>src=none</p><img>")).toEqual([]);
});

it("the query of a script counts, but for what it says of the page", () => {
  expect(media(`<img src="/pic.php?id=3&amp;sid=ab12">`)).toEqual(["pic.php?id=3"]);
  expect(media(`<img src="/count?page=/album%3Fpicture">`)).toEqual(["count"]);
});

it("pages of one text are two if both show at every look what the other never does", () => {
  const looks = (...names: string[][]) => names.map((shown) => ({ media: shown, text: "a" }));
  const after = (a: string[], b: string[], count: number) =>
    compareMedia(looks(...Array(count).fill(a)), looks(...Array(count).fill(b)));
  expect(after(["logo", "one"], ["logo", "two"], 1)).toEqual({ sameness: "different", lookAgain: true });
  expect(after(["logo", "one"], ["logo", "two"], 8)).toEqual({ sameness: "different", lookAgain: false });
  // Without pictures, as to be printed; and with a banner that changes.
  expect(after(["logo", "one"], [], 1).sameness).toBe("same");
  expect(compareMedia(looks(["ad1"], ["ad2"]), looks(["ad3"], ["ad3"])).sameness).toBe("same");
});

it("pages whose text is longer than what is kept of it are one only by their bytes", () => {
  const long = (digest: string) => [{ media: [], text: "a".repeat(MAX_TEXT_LENGTH), digest }];
  expect(compareMedia(long("sha1:1"), long("sha1:1")).sameness).toBe("same");
  expect(compareMedia(long("sha1:1"), long("sha1:2")).sameness).toBe("not comparable");
});
