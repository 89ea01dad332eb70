import { describe, expect, it } from "vitest";
import { CrawlerFamilies, crawlerFamilies, crawlerFamily } from "#src/input/crawlers.js";

const CASES: readonly (readonly [family: string, agent: string])[] = [
  ["Googlebot", "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"],
  ["Googlebot", "Googlebot-Image/1.0"],
  ["Google AdsBot", "AdsBot-Google (+http://www.google.com/adsbot.html)"],
  ["Bingbot", "Mozilla/5.0+(compatible;+bingbot/2.0;++http://www.bing.com/bingbot.htm)"],
  ["GPTBot", "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)"],
  [
    "ClaudeBot",
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)",
  ],
  ["PerplexityBot", "Mozilla/5.0 (compatible; Perplexity-User/1.0; +https://perplexity.ai/perplexity-user)"],
  ["OAI-SearchBot", "Mozilla/5.0 (compatible; OAI-SearchBot/1.0; +https://openai.com/searchbot)"],
  ["Meta", "meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)"],
  ["Bytespider", "Mozilla/5.0 (compatible; Bytespider; spider-feedback@bytedance.com)"],
  ["Amazonbot", "Mozilla/5.0 (compatible; Amzn-SearchBot/0.1)"],
  ["Mistral", "Mozilla/5.0 (compatible; MistralAI-User/1.0; +https://docs.mistral.ai/robots)"],
  // It names Googlebot, and is not.
  ["Applebot", "Mozilla/5.0 (Macintosh) AppleWebKit/600.2.5 (KHTML, like Gecko) (Applebot/0.1) like Googlebot"],
  ["CCBot", "CCBot/2.0 (https://commoncrawl.org/faq/)"],
  ["Meta", "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)"],
  ["archive.org", "Mozilla/5.0 (compatible; archive.org_bot +http://archive.org/details/archive.org_bot)"],
  ["Screaming Frog", "Screaming+Frog+SEO+Spider/19.0"],
  ["other bot", "SomeNewCrawler/0.1"],
  ["", "Mozilla/5.0 (Linux; Android 11; CUBOT X30) AppleWebKit/537.36 Chrome/96.0 Mobile Safari/537.36"],
  ["", "Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0"],
  ["", "curl/8.4.0"],
  ["", "-"],
  ["", ""],
];

describe("crawler families", () => {
  it.each(CASES)("%s: %s", (family, agent) => {
    expect(crawlerFamilies[crawlerFamily(agent)]).toBe(family);
  });

  it("are the same from bytes, also when more user agents come than are remembered", () => {
    const families = new CrawlerFamilies();
    for (let round = 0; round < 2; round++) {
      for (const [family, agent] of CASES) {
        const bytes = Buffer.from(`"${agent}"`);
        expect(crawlerFamilies[families.of(bytes, 1, bytes.length - 1)]).toBe(family);
      }
      for (let i = 0; i < 70_000; i++) {
        const bytes = Buffer.from(`made-up/${i}`);
        families.of(bytes, 0, bytes.length);
      }
    }
  });

  it("fit into a byte", () => {
    expect(crawlerFamilies.length).toBeLessThan(256);
    expect(new Set(crawlerFamilies).size).toBe(crawlerFamilies.length);
  });
});
