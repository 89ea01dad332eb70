import { expect, it } from "vitest";
import { sketchesOf } from "#src/sketch/document-sketches.js";
import type { KnownPage } from "#src/store/pages/known-page-rows.js";
import { KnownPages } from "#src/store/pages/known-pages.js";

const day = 86_400_000;
const words = (name: string) => Array.from({ length: 300 }, (_, i) => `${name}${i}`).join(" ");
const page = (url: string, text: string, more: Partial<KnownPage> = {}): KnownPage => ({
  url,
  status: 200,
  ...sketchesOf(text),
  ...(text.split(" ").length < 250 && { text }),
  ...more,
});
const open = (...pages: KnownPage[]) => {
  const byUrl = new Map<string, KnownPage[]>();
  for (const known of pages) byUrl.set(known.url, [...(byUrl.get(known.url) ?? []), known]);
  return new KnownPages(byUrl, "shingles-4/4");
};

it("tells pages from what stands in for them", async () => {
  const pages = open(
    page("page", words("a")),
    page("gone", "", { status: 404 }),
    page("broken", "", { status: 500 }),
    page("soft", "Sorry, the requested topic does not exist."),
    page("login", "You must be logged in to view profiles."),
    page("moved", "", { status: 301, redirect: "page" }),
  );
  const seen = async (url: string) => (await pages.view(url)).seen;
  expect(await seen("page")).toBe("page");
  expect(await seen("gone")).toBe("missing");
  expect(await seen("broken")).toBe("unavailable");
  expect(await seen("soft")).toBe("missing");
  expect(await seen("login")).toBe("unavailable");
  expect(await seen("moved")).toBe("page");
  expect(await seen("unknown")).toBe("unavailable");
});

it("a redirect makes two one, also where nobody was at its end; two that lead there may lead to a wall", async () => {
  const pages = open(
    page("brochure", "", { status: 308, redirect: "brochure/" }),
    page("leaflet", "", { status: 308, redirect: "brochure/" }),
    page("page", words("a")),
  );
  const sameness = async (from: string, to: string) => {
    const [u, v] = [await pages.view(from), await pages.view(to)];
    if (u.seen !== "page" || v.seen !== "page") throw new Error("both are pages");
    return pages.compare([u.page], [v.page]).sameness;
  };
  expect(pages.leftAlone("brochure/")).toBeUndefined();
  expect(await sameness("brochure", "brochure/")).toBe("same");
  expect(await sameness("leaflet", "brochure")).toBe("not comparable");
  expect(await sameness("brochure", "page")).toBe("not comparable");
  expect(pages.partnerOf("brochure", "brochure/", [])).toMatchObject({ url: "brochure/", document: "brochure" });
  expect(pages.partnerOf("brochure", "page", []).document).toBeUndefined();
});

it("follows redirects to their end, if they have one", async () => {
  const moved = (url: string, redirect: string) => page(url, "", { status: 301, redirect });
  const pages = open(
    ...[moved("http", "https"), moved("https", "slash"), page("slash", words("a"))],
    ...[moved("here", "there"), moved("there", "here")],
    ...[moved("old", "gone"), page("gone", words("b"), { status: 404 })],
  );
  const [first, second] = [await pages.view("http"), await pages.view("https")];
  if (first.seen !== "page" || second.seen !== "page") throw new Error("both are pages");
  expect(pages.compare([first.page], [second.page]).sameness).toBe("same");
  expect(pages.declared(first.page, second.page)).toBe("redirect");
  expect((await pages.view("here")).seen).toBe("unavailable");
  expect((await pages.view("old")).seen).toBe("missing");
});

it("compares the downloads that are nearest in time", async () => {
  const pages = open(
    page("u", words("old"), { timeMs: 10.2 * day }),
    page("u", words("new"), { timeMs: 500 * day }),
    page("u", "You must be logged in to view profiles.", { timeMs: 900 * day }),
    page("v", words("old"), { timeMs: 10 * day }),
    page("w", words("other"), { timeMs: 300 * day }),
    page("x", words("other")),
    page("moved", "", { status: 301, redirect: "u", timeMs: 400 * day }),
  );
  const downloads = async (url: string) => {
    const view = await pages.view(url);
    if (view.seen !== "page") throw new Error(url);
    return view.page;
  };
  const [u, v, w, x] = [await downloads("u"), await downloads("v"), await downloads("w"), await downloads("x")];
  expect(u.captures.length).toBe(2);
  expect(pages.compare([u], [v])).toMatchObject({ sameness: "same" });
  expect(pages.compare([u], [w])).toMatchObject({ sameness: "not comparable", why: "seen at different times" });
  expect(pages.compare([v], [x])).toMatchObject({ sameness: "different", certain: true });
  expect((await downloads("moved")).timeMs).toEqual(Float64Array.of(500 * day));
});

it("a page behind a redirect counts at the time of its own download", async () => {
  const pages = open(
    page("u", "", { status: 301, redirect: "far", timeMs: 1 * day }),
    page("u", words("near"), { timeMs: 5 * day }),
    page("far", words("far"), { timeMs: 100 * day }),
    page("v", words("near"), { timeMs: 5 * day }),
    page("x", words("x"), { timeMs: 1 * day }),
    page("x", "", { status: 301, redirect: "untimed", timeMs: 5 * day }),
    page("untimed", words("untimed")),
  );
  const [u, v, x] = await Promise.all(["u", "v", "x"].map((url) => pages.view(url)));
  if (u?.seen !== "page" || v?.seen !== "page" || x?.seen !== "page") throw new Error("all are pages");
  expect(u.page.timeMs).toEqual(Float64Array.of(5 * day, 100 * day));
  expect(pages.compare([u.page], [v.page]).sameness).toBe("same");
  expect(x.page.timeMs).toEqual(Float64Array.of(Number.NaN, 1 * day));
});

it("what differs in numbers alone, or in part after a week, may only have changed", async () => {
  const at = (url: string, days: number, shingles: readonly bigint[], wordLines: string): KnownPage => ({
    url,
    status: 200,
    timeMs: days * day,
    shingles: BigUint64Array.from(shingles),
    wordLines,
  });
  const pages = open(
    at("u", 0, [1n, 2n, 3n, 4n], "thread"),
    at("counted", 0.01, [1n, 2n, 3n, 5n], "thread"),
    at("edited", 3, [1n, 2n, 3n, 5n], "reply"),
    at("edited-later", 14, [1n, 2n, 3n, 5n], "reply"),
    at("same-later", 14, [1n, 2n, 3n, 4n], "reply"),
    at("other", 14, [1n, 6n, 7n, 8n], "else"),
    at("other-long-ago", -400, [1n, 6n, 7n, 8n], "else"),
  );
  const isTold = async (url: string) => {
    const [u, v] = [await pages.view("u"), await pages.view(url)];
    if (u.seen !== "page" || v.seen !== "page") throw new Error(url);
    return pages.compare([u.page], [v.page]).sameness !== "not comparable";
  };
  expect(await isTold("counted")).toBe(false);
  expect(await isTold("edited")).toBe(true);
  expect(await isTold("edited-later")).toBe(false);
  expect(await isTold("same-later")).toBe(true);
  expect(await isTold("other")).toBe(true);
  expect(await isTold("other-long-ago")).toBe(false);
});

it("reads texts where the four shingles of two pages are equal", () => {
  const menu = Array.from({ length: 3000 }, (_, i) => `menu${i}`).join(" ");
  const item = (name: string, count: number) => Array.from({ length: count }, (_, i) => `${name}word${i}`).join(" ");
  /** Alike by their shingles, whatever they say besides. */
  const shop = (url: string, own: string): KnownPage => ({
    ...page(`http://shop.test/${url}`, menu),
    text: `${menu} ${own}`,
  });
  const others = ["c", "d", "e", "f", "g"].map((name) => ({
    ...shop(name, item(name, 200)),
    ...sketchesOf(item(name, 200)),
  }));
  const list = [
    shop("a?part=1", `${item("a", 200)} ${item("one", 8)}`),
    shop("a?part=2", `${item("a", 200)} ${item("two", 8)}`),
    shop("a?part=2&ref=x", `${item("a", 200)} ${item("two", 8)} seen 17`),
    ...others,
  ];
  const alike = (similarity: string, b: string) =>
    new KnownPages(new Map(list.map((known) => [known.url, [known]])), similarity).alike(
      "http://shop.test/a?part=2",
      `http://shop.test/${b}`,
    );
  expect(alike("text", "a?part=1")).toBe(false);
  expect(alike("text", "a?part=2&ref=x")).toBe(true);
  // The papers' test has nothing but the shingles.
  expect(alike("shingles-4/4", "a?part=1")).toBe(true);
});
