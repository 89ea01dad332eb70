import { describe, expect, test } from "vitest";
import { reachOf } from "../../bench/accuracy/random/reach.mjs";
import { randomSite, type Site } from "../../bench/accuracy/random/site.mjs";

const seeds = Array.from({ length: 6 }, (_, i) => i + 1);

const urlsOf = (site: Site) => [...new Set(site.log.filter(({ status }) => status < 400).map(({ url }) => url))];
const liveOf = (site: Site) => urlsOf(site).filter((url) => site.truth(url) !== null);

/** What a URL shows after redirects. */
function finalAnswer(site: Site, url: string, look: number) {
  let answer = site.answer(url, look);
  for (let hops = 0; answer.headers.location !== undefined && hops < 5; hops++) {
    answer = site.answer(answer.headers.location, look);
  }
  return answer;
}

const textOf = (html: string) => html.replace(/<div>.*<\/div>|<[^>]*>/g, "");

describe("random sites", () => {
  test("a seed makes the same site again, another seed another one", () => {
    const [one, again, other] = [randomSite(7), randomSite(7), randomSite(8)];
    expect(again.log).toEqual(one.log);
    expect(other.log).not.toEqual(one.log);
    const { url } = one.log[0]!;
    expect(again.answer(url, 3)).toEqual(one.answer(url, 3));
  });

  test("URLs show the same text if and only if the truth says that they show one page", () => {
    let pages = 0;
    for (let seed = 1; seed <= 30; seed++) {
      const site = randomSite(seed, { lines: 300, quiet: true });
      const textOfPage = new Map<string, string>();
      const pageOfText = new Map<string, string>();
      for (const url of liveOf(site)) {
        const page = site.truth(url)!;
        const { status, html } = finalAnswer(site, url, 1);
        expect(status).toBe(200);
        const text = textOf(html);
        expect(textOfPage.get(page) ?? text, url).toBe(text);
        expect(pageOfText.get(text) ?? page, url).toBe(page);
        textOfPage.set(page, text);
        pageOfText.set(text, page);
      }
      pages += textOfPage.size;
    }
    expect(pages).toBeGreaterThan(1500);
  });

  test("what shows no page says so, is not a page of the site, or leads to the front page", () => {
    let missing = 0;
    for (const seed of seeds) {
      const site = randomSite(seed, { lines: 300, quiet: true });
      const front = textOf(finalAnswer(site, `${site.origins[0]}/`, 1).html);
      for (const url of urlsOf(site).filter((url) => site.truth(url) === null)) {
        const { status, html } = finalAnswer(site, url, 1);
        if (status === 200 && textOf(html) !== front) expect(html).toContain("<title>Not found</title>");
        missing++;
      }
    }
    expect(missing).toBeGreaterThan(20);
  });

  test("what rules can reach is exact, and most of the duplicates", () => {
    for (const seed of seeds) {
      const site = randomSite(seed, { lines: 500 });
      const live = liveOf(site);
      const reach = reachOf(site, live);
      for (const url of live) expect(site.truth(reach.formOf(url))).toBe(site.truth(url));
      const pages = new Set(live.map((url) => site.truth(url))).size;
      expect(reach.merged).toBeLessThanOrEqual(live.length - pages);
      expect(live.length - new Set(live.map(reach.formOf)).size).toBe(reach.merged);
    }
  });
});

describe("reach", () => {
  const items = Array.from({ length: 30 }, (_, i) => i + 1);
  const reachOfUrls = (urls: readonly string[], truth: (url: URL) => string | null) =>
    reachOf({ truth: (url) => truth(new URL(url)) }, urls).merged;

  test("a parameter that never matters, and one that always does", () => {
    const urls = items.flatMap((i) => ["", "?ref=a", "?ref=b", "?tab=a"].map((query) => `http://a.test/p${i}${query}`));
    expect(reachOfUrls(urls, (url) => `${url.pathname} ${url.searchParams.get("tab")}`)).toBe(60);
  });

  test("a parameter that does not matter next to another, or with one value, or in one folder", () => {
    const urls = items.flatMap((i) =>
      ["", "?lang=a", "?lang=b", "?q=1", "?q=1&lang=a"].map((query) => `http://a.test/d/p${i}${query}`),
    );
    const beside = (url: URL) => `${url.pathname} ${url.searchParams.has("q") || url.searchParams.get("lang")}`;
    expect(reachOfUrls(urls, beside)).toBe(30);
    const byValue = (url: URL) => `${url.pathname} ${url.search.replace("lang=a", "").replace(/[?&]$/, "")}`;
    expect(reachOfUrls(urls, byValue)).toBe(60);
    const both = [...urls, ...urls.map((url) => url.replace("/d/", "/e/"))];
    const inFolder = (url: URL) => (url.pathname.startsWith("/d/") ? url.pathname : url.href);
    expect(reachOfUrls(both, inFolder)).toBe(120);
  });

  test("of two identifiers each may go where the other stays", () => {
    const urls = items.flatMap((i) =>
      [`user=u${i}`, `uid=${i}`, `user=u${i}&uid=${i}`].map((q) => `http://a.test/?${q}`),
    );
    const truth = (url: URL) => url.searchParams.get("uid") ?? url.searchParams.get("user")?.slice(1) ?? null;
    expect(reachOfUrls(urls, truth)).toBe(30);
  });

  test("what differs from page to page without a pattern is out of reach", () => {
    const urls = items.flatMap((i) => [`http://a.test/x/p${i}`, `http://a.test/x/p${i}?print=1`]);
    const truth = (url: URL) => (Number(url.pathname.slice(4)) % 3 === 0 ? url.href : url.pathname);
    expect(reachOfUrls(urls, truth)).toBe(0);
  });
});
