import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Fetcher } from "#src/fetch/fetcher.js";
import { type LivePage, LivePages } from "#src/fetch/live-pages.js";
import type { FetchOutcome } from "#src/fetch/outcome.js";

type Site = (url: string) => readonly string[] | undefined;

/** Pages of a site that answers with these lines, or with 404; `asked` are the URLs in the order of the requests. */
function pagesOf(site: Site): { pages: LivePages; asked: string[] } {
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
  const options = { similarity: "resemblance-1", seed: 1, fetches: [], keep: async () => {} };
  return {
    pages: new LivePages({ fetch, plan: () => ({ skipped: [], refused: [] }) } as unknown as Fetcher, options),
    asked,
  };
}

async function look(pages: LivePages, url: string, again: boolean): Promise<LivePage> {
  const view = await pages.view(url, again);
  if (view.seen !== "page") throw new Error(`${url} shows no page`);
  return view.page;
}

describe("two pages with an advertisement", () => {
  const [a, b] = ["http://a.test/x", "http://a.test/y"];
  const words = fc.stringMatching(/^[a-z]{3,8}( [a-z]{3,8}){3,12}$/);
  const text = fc.uniqueArray(words, { minLength: 4, maxLength: 8 });
  /** Which advertisement each look shows: the first page the same one twice, the second page two others. */
  const rotating = (contentOfA: readonly string[], contentOfB: readonly string[], after: number) => {
    const shown = new Map([
      [a, ["boats for hire 1", "boats for hire 1"]],
      [b, ["maps bought and sold", "popcorn at half price"]],
    ]);
    return pagesOf((url) => {
      const banner = shown.get(url)?.shift();
      const content = url === a ? contentOfA : contentOfB;
      return banner === undefined ? undefined : [...content.slice(0, after), banner, ...content.slice(after)];
    }).pages;
  };
  const lookTwice = async (pages: LivePages) => {
    const [a1, b1, b2, a2] = [
      await look(pages, a, false),
      await look(pages, b, false),
      await look(pages, b, true),
      await look(pages, a, true),
    ];
    pages.learn(a1, a2);
    pages.learn(b1, b2);
    return [a2, b2] as const;
  };

  it("are one wherever it stands, also where one of them showed the same advertisement twice", async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.nat(), async (content, at) => {
        const pages = rotating(content, content, at % (content.length + 1));
        const [left, right] = await lookTwice(pages);
        expect(pages.similar(left, right)).toBe(true);
        expect(pages.clearlyDifferent(left, right)).toBe(false);
      }),
      { numRuns: 50 },
    );
  });

  it("are two where another line differs", async () => {
    await fc.assert(
      fc.asyncProperty(text, words, fc.nat(), fc.nat(), async (content, other, at, changed) => {
        fc.pre(!content.includes(other));
        const edited = content.with(changed % content.length, other);
        const pages = rotating(content, edited, at % (content.length + 1));
        const [left, right] = await lookTwice(pages);
        expect(pages.similar(left, right)).toBe(false);
      }),
      { numRuns: 50 },
    );
  });
});

describe("probes for soft 404s", () => {
  const folders = Array.from({ length: 20 }, (_, i) => `http://a.test/doc/f${"abcdefghijklmnopqrst"[i]}/page.html`);

  it("are spared where the server has refused eight of their family", async () => {
    const { pages, asked } = pagesOf((url) => (url.endsWith("/page.html") ? [url] : undefined));
    for (const url of folders) await look(pages, url, false);
    expect(asked.length).toBe(folders.length + 8);
    // Another family, and one that was asked for before.
    await look(pages, "http://a.test/wiki/page.html", false);
    await look(pages, folders[0]!, true);
    expect(asked.length).toBe(folders.length + 8 + 3);
  });

  it("are not where it answers one of them", async () => {
    const { pages, asked } = pagesOf((url) =>
      url.endsWith("/page.html") ? [`a page of its own: ${url}`] : url.includes("/fh/") ? ["nothing here"] : undefined,
    );
    for (const url of folders) await look(pages, url, false);
    expect(asked.length).toBe(2 * folders.length);
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
    for (const url of items) views.push((await pages.view(url, false)).seen);
    return views;
  };

  it("says nothing from the fifth page on, though it refuses names that do not exist", async () => {
    const { pages, asked } = pagesOf((url) => (exists(url) ? shell : undefined));
    expect(await seen(pages)).toEqual([...Array(4).fill("page"), ...Array(16).fill("wall")]);
    expect(pages.onePageHosts).toEqual(["a.test"]);
    expect(asked.filter((url) => others.includes(url))).toHaveLength(5);
  });

  it("is told by what it changes in the page, once that is known", async () => {
    let requests = 0;
    const { pages } = pagesOf((url) => (exists(url) ? [...shell, `request ${requests++} of today`] : undefined));
    pages.expect([...items, ...others]);
    const first = await look(pages, items[0]!, false);
    await look(pages, items[1]!, false);
    pages.learn(first, await look(pages, items[0]!, true));
    expect((await seen(pages)).slice(-10)).toEqual(Array(10).fill("wall"));
  });

  it("is none where one other path shows another page, and costs that one look", async () => {
    const { pages, asked } = pagesOf((url) => (items.includes(url) ? shell : others.includes(url) ? [url] : undefined));
    expect(await seen(pages)).toEqual(Array(20).fill("page"));
    expect(asked.filter((url) => others.includes(url))).toHaveLength(1);
  });

  it("is none where there is nothing else to look at", async () => {
    const { pages } = pagesOf((url) => (items.includes(url) ? shell : undefined));
    pages.expect(items);
    for (const url of items) expect((await pages.view(url, false)).seen).toBe("page");
    expect(pages.onePageHosts).toEqual([]);
  });
});
