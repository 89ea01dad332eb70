import { describe, expect, it } from "vitest";
import type { Fetcher } from "#src/fetch/fetcher.js";
import { LivePages } from "#src/fetch/live-pages.js";
import type { LivePage } from "#src/fetch/look.js";
import type { FetchOutcome } from "#src/fetch/outcome.js";

type Site = (url: string) => readonly string[] | undefined;

/** Pages of a site that answers with these lines, or with 404; `asked` are the URLs in the order of the requests. */
function pagesOf(site: Site, similarity = "resemblance-1"): { pages: LivePages; asked: string[] } {
  const asked: string[] = [];
  const fetch = async (url: string): Promise<FetchOutcome> => {
    asked.push(url);
    const lines = site(url);
    const body = new TextEncoder().encode((lines ?? []).map((line) => `<p>${line}</p>`).join("\n"));
    const attempt = { url, finalUrl: url, redirects: [], requests: 1, startedAtMs: 0, durationMs: 0 };
    const answer = { contentType: "text/html", mediaType: "text/html", body, wireBytes: body.length };
    return lines === undefined
      ? { ...attempt, ...answer, kind: "httpError", status: 404 }
      : { ...attempt, ...answer, kind: "ok", status: 200 };
  };
  // All 84 features: four shingles may miss a line of a short page.
  const options = { similarity, seed: 1, fetches: [], keep: async () => {} };
  return {
    pages: new LivePages({ fetch, plan: () => ({ skipped: [], refused: [] }) } as unknown as Fetcher, options),
    asked,
  };
}

async function look(pages: LivePages, url: string, attempt: number): Promise<LivePage> {
  const view = await pages.view(url, attempt);
  if (view.seen !== "page") throw new Error(`${url} shows no page`);
  return view.page;
}

describe("what pages show besides their text", () => {
  const text = Array.from({ length: 60 }, (_, i) => `word${i}`).join(" ");
  const alike = async (a: string, b: string) => {
    const { pages } = pagesOf(
      (url) =>
        new Map([
          ["1", [text, a]],
          ["2", [text, b]],
        ]).get(url.slice("http://a.test/x/".length)),
      "text",
    );
    const [one, two] = [await look(pages, "http://a.test/x/1", 0), await look(pages, "http://a.test/x/2", 0)];
    return pages.compare([one], [two]).sameness;
  };

  // Pages carry session ids, tokens and counters in links and forms: that they differ there says nothing (docs/algorithms/certificate.md).
  it("is not a difference where it is where links lead, what forms send, or a script", async () => {
    expect(await alike('<a href="/buy?id=1">Buy</a>', '<a href="/buy?id=2">Buy</a>')).toBe("same");
    const form = (value: string) => `<form action="/${value}"><input type="hidden" name="t" value="${value}"></form>`;
    expect(await alike(form("one"), form("two"))).toBe("same");
    expect(await alike("<script>show(1)</script>", "<script>show(2)</script>")).toBe("same");
  });

  it("is one where other pictures are shown", async () => {
    expect(await alike('<img src="/pictures/a.jpg">', '<img src="/pictures/b.jpg">')).toBe("different");
  });
});

describe("the pages of a site that are looked at beforehand", () => {
  const menu = "home shop forum wiki help about contact imprint terms privacy ".repeat(12);
  const items = Array.from({ length: 40 }, (_, i) => `http://a.test/shop/item?id=${i}`);
  const own = (url: string) => Array.from({ length: 6 }, (_, i) => `word${i} of ${url.replace(/\D/g, "x")} is${i}`);

  it("tell what all of them have: pages that differ in what is left are two", async () => {
    const { pages } = pagesOf((url) => (items.includes(url) ? [menu, ...own(url), url] : undefined), "text");
    pages.expect(items);
    const [a, b] = [await look(pages, items[1]!, 0), await look(pages, items[23]!, 0)];
    expect(pages.compare([a], [b]).sameness).toBe("different");
    expect(pages.compare([a], [a]).sameness).toBe("same");
    // Nine words in ten of the whole text are the menu's.
    expect(pages.compare([a], [b], true)).toMatchObject({ sameness: "different" });
  });

  it("are each looked at twice, and no more of them than needed", async () => {
    const { pages, asked } = pagesOf((url) => (items.includes(url) ? [menu, url] : undefined), "text");
    pages.expect(items);
    await look(pages, items[0]!, 0);
    expect(asked.filter((url) => items.includes(url)).length).toBeLessThanOrEqual(2 * 16 + 1);
  });
});

describe("pages with little text of their own", () => {
  const menu = "home shop forum wiki help about contact imprint terms privacy ".repeat(6);
  const items = Array.from({ length: 40 }, (_, i) => `http://a.test/shop/item?id=${i}`);
  const idOf = (url: string) => new URL(url).searchParams.get("id") ?? "";
  const compareTwo = async (text: (id: string) => string) => {
    const site: Site = (url) => (/item[?]id=\d\d?(&|$)/.test(url) ? [menu, text(idOf(url))] : undefined);
    const { pages } = pagesOf(site, "text");
    pages.expect(items);
    const [a, b] = [await look(pages, `${items[7]}&sid=1`, 0), await look(pages, items[7]!, 0)];
    return pages.compare([a], [b]).sameness;
  };

  const name = (id: number) => ["rose", "oak", "elm", "fir", "ivy", "fern", "moss"][id % 7];
  const own = (id: string) => `the ${name(Number(id))} and ${name(Number(id) + 1)} of garden x${id}y`;

  it("are one where the pages near them say something else", async () => {
    expect(await compareTwo(own)).toBe("same");
  });

  it("cannot be told apart where others say the same", async () => {
    const isEmpty = (id: string) => Number(id) % 3 === 1;
    expect(await compareTwo((id) => (isEmpty(id) ? "this list is quite empty for now" : own(id)))).toBe(
      "not comparable",
    );
  });
});

describe("a look that is to show another second", () => {
  /** A server whose every page says what time it is; a request takes 10 ms. */
  function clockSite() {
    let nowMs = 0;
    const fetch = async (url: string) => {
      nowMs += 10;
      const body = new TextEncoder().encode(`<p>one page at ${Math.floor(nowMs / 1000)}</p>`);
      const base = { url, finalUrl: url, redirects: [], requests: 1, startedAtMs: nowMs, durationMs: 0 };
      const answer = { contentType: "text/html", mediaType: "text/html", body, wireBytes: body.length };
      return url === "http://a.test/"
        ? { ...base, ...answer, kind: "ok", status: 200 }
        : { ...base, ...answer, kind: "httpError", status: 404 };
    };
    const waitUntil = async (ms: number) => {
      nowMs = Math.max(nowMs, ms);
    };
    const fetcher = { fetch, waitUntil, plan: () => ({ skipped: [], refused: [] }) } as unknown as Fetcher;
    return new LivePages(fetcher, { similarity: "resemblance-1", seed: 1, fetches: [], keep: async () => {} });
  }

  it("is taken then, whatever looks there were within the first", async () => {
    const pages = clockSite();
    const [first] = [await look(pages, "http://a.test/", 0), await look(pages, "http://a.test/", 1)];
    const view = await pages.view("http://a.test/", 1, true);
    expect(view.seen === "page" && view.page.text).not.toBe(first.text);
    // And not once more for the next question.
    expect(await pages.view("http://a.test/", 1, true)).toEqual(view);
  });
});

describe("probes for soft 404s", () => {
  const folders = Array.from({ length: 20 }, (_, i) => `http://a.test/doc/f${"abcdefghijklmnopqrst"[i]}/page.html`);

  it("are spared where the server has refused eight of their family", async () => {
    const { pages, asked } = pagesOf((url) => (url.endsWith("/page.html") ? [url] : undefined));
    for (const url of folders) await look(pages, url, 0);
    expect(asked.length).toBe(folders.length + 8);
    // Another family, and one that was asked for before.
    await look(pages, "http://a.test/wiki/page.html", 0);
    await look(pages, folders[0]!, 1);
    expect(asked.length).toBe(folders.length + 8 + 3);
  });

  it("are not where it answers one of them", async () => {
    const { pages, asked } = pagesOf((url) =>
      url.endsWith("/page.html") ? [`a page of its own: ${url}`] : url.includes("/fh/") ? ["nothing here"] : undefined,
    );
    for (const url of folders) await look(pages, url, 0);
    // The one that was answered is looked at twice: what changes in it is not part of the error.
    expect(asked.length).toBe(2 * folders.length + 1);
  });
});

describe("a host that answers everything with one page", () => {
  const items = Array.from({ length: 20 }, (_, i) => `http://a.test/item?id=${i}`);
  const others = Array.from({ length: 20 }, (_, i) => `http://a.test/${"abcdefghijklmnopqrst"[i]}/about`);
  const exists = (url: string) => items.includes(url) || others.includes(url);
  const shell = ["this application needs a browser", "with scripts"];
  const seen = async (pages: LivePages) => {
    pages.expect([...items, ...others]);
    const views = [];
    for (const url of items) views.push((await pages.view(url, 0)).seen);
    return views;
  };

  it("says nothing from the fifth page on, though it refuses names that do not exist", async () => {
    const { pages, asked } = pagesOf((url) => (exists(url) ? shell : undefined));
    expect(await seen(pages)).toEqual([...Array(4).fill("page"), ...Array(16).fill("wall")]);
    expect(pages.onePageHosts).toEqual(["a.test"]);
    expect(asked.filter((url) => others.includes(url))).toHaveLength(5);
  });

  it("is none where one other path shows another page, and costs that one look", async () => {
    const { pages, asked } = pagesOf((url) => (items.includes(url) ? shell : others.includes(url) ? [url] : undefined));
    expect(await seen(pages)).toEqual(Array(20).fill("page"));
    expect(asked.filter((url) => others.includes(url))).toHaveLength(1);
  });

  it("is none where there is nothing else to look at", async () => {
    const { pages } = pagesOf((url) => (items.includes(url) ? shell : undefined));
    pages.expect(items);
    for (const url of items) expect((await pages.view(url, 0)).seen).toBe("page");
    expect(pages.onePageHosts).toEqual([]);
  });
});

describe("the error page of another URL", () => {
  const menu = "home shop forum wiki help about contact imprint terms privacy ".repeat(6);
  const items = Array.from({ length: 40 }, (_, i) => `http://a.test/shop/item?id=${i}`);
  const isShown = async (error: readonly string[], brief: readonly string[]) => {
    const site: Site = (url) => {
      if (url.endsWith("brief")) return [menu, ...brief];
      return items.includes(url)
        ? [menu, `all about plant number x${url.replace(/\D/g, "")}y and its seeds`]
        : [menu, ...error];
    };
    const { pages } = pagesOf(site, "text");
    pages.expect(items);
    await pages.view(items[1]!, 0);
    const [own, gone] = ["http://a.test/b/brief", "http://a.test/b/gone"].map((url) => ({ url }));
    for (const { url } of [own!, gone!]) await pages.view(url, 0);
    return pages.likenessToError(pages.looksAt(own!.url)[0]!, pages.looksAt(gone!.url)[0]!);
  };

  it("is shown by a page that says the same, and not by one with a few words of its own", async () => {
    const sorry = ["sorry there is no plant of that name in our garden"];
    expect(await isShown(sorry, sorry)).toBe("same");
    expect(await isShown(sorry, ["lamp of brass 40 watt"])).toBe("other");
    // Nothing but the menu: all pages say that much.
    expect(await isShown([], ["lamp"])).toBe("other");
  });
});

describe("what a page is besides its words", () => {
  const own = "one two three four five six seven eight nine ten eleven twelve ".repeat(4);

  it("one that sends its readers on shows what they come to", async () => {
    const { pages } = pagesOf((url) => {
      if (url === "http://a.test/go?to=7") return [`<meta http-equiv="refresh" content="0; url=/seven">${own}`];
      return url === "http://a.test/seven" ? [`the seventh ${own}`] : undefined;
    }, "text");
    expect(await look(pages, "http://a.test/go?to=7", 0)).toMatchObject({ finalUrl: "http://a.test/seven" });
    expect((await look(pages, "http://a.test/go?to=7", 0)).text).toContain("the seventh");
  });

  it("a text of the same words is another document", async () => {
    const { pages } = pagesOf((url) => (url === "http://a.test/a" ? [own] : undefined), "text");
    const page = await look(pages, "http://a.test/a", 0);
    expect(pages.compare([page], [page]).sameness).toBe("same");
    expect(pages.compare([page], [{ ...page, mediaType: "text/plain" }])).toMatchObject({
      sameness: "different",
      certain: true,
    });
    expect(pages.compare([page], [{ ...page, mediaType: "application/xhtml+xml" }]).sameness).toBe("same");
  });
});
