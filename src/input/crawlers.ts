/**
 * Which crawler a user agent belongs to. A family is who sends it, so that people see whom their crawl budget goes to:
 * Google's image and news crawlers count as Googlebot. What a user agent claims is believed; nothing is looked up.
 */
import { ByteTable, MAX_INTERNED_BYTES } from "./byte-table.js";

/** Patterns are tried in this order on the lower-cased user agent; the first that occurs decides. */
const familyPatterns: readonly (readonly [family: string, ...patterns: string[]])[] = [
  ["dustpan", "dustpan/"],
  // First those that name another crawler in their user agent ("like Googlebot", "compatible; Googlebot/2.1").
  ["Applebot", "applebot"],
  ["Google AdsBot", "adsbot-google", "mediapartners-google"],
  ["Google-Extended", "google-extended", "google-cloudvertexbot"],
  [
    "Google other",
    "googleother",
    "google-inspectiontool",
    "google-read-aloud",
    "feedfetcher-google",
    "apis-google",
    "google-notebooklm",
    "gemini-deep-research",
  ],
  ["Googlebot", "googlebot", "storebot-google", "google-site-verification"],
  ["Bingbot", "bingbot", "bingpreview", "adidxbot", "msnbot"],
  ["GPTBot", "gptbot"],
  ["OAI-SearchBot", "oai-searchbot"],
  ["ChatGPT-User", "chatgpt-user"],
  ["ClaudeBot", "claudebot", "anthropic-ai", "claude-web", "claude-user", "claude-searchbot"],
  ["PerplexityBot", "perplexitybot", "perplexity-user"],
  ["Mistral", "mistralai-user", "mistralbot"],
  ["CCBot", "ccbot"],
  ["Bytespider", "bytespider", "tiktokspider"],
  ["Amazonbot", "amazonbot", "amzn-searchbot", "amzn-user"],
  [
    "Meta",
    "facebookexternalhit",
    "facebot",
    "meta-externalagent",
    "meta-externalfetcher",
    "meta-webindexer",
    "facebookcatalog",
  ],
  ["YandexBot", "yandexbot", "yandeximages", "yandexmobilebot", "yandex.com/bots"],
  ["Baiduspider", "baiduspider"],
  ["DuckDuckBot", "duckduckbot", "duckassistbot", "duckduckgo-favicons-bot"],
  ["Sogou", "sogou web spider", "sogou inst spider", "sogou spider"],
  ["360Spider", "360spider", "haosouspider"],
  ["PetalBot", "petalbot", "aspiegelbot"],
  ["BraveBot", "bravebot", "brave-search"],
  ["YisouSpider", "yisouspider"],
  ["Naver", "naverbot", "yeti/"],
  ["SeznamBot", "seznambot"],
  ["Mail.RU", "mail.ru_bot"],
  ["Qwantify", "qwantify", "qwantbot"],
  ["Yahoo Slurp", "slurp"],
  ["AhrefsBot", "ahrefsbot", "ahrefssiteaudit"],
  ["SemrushBot", "semrushbot", "siteauditbot", "splitsignalbot"],
  ["MJ12bot", "mj12bot"],
  ["DotBot", "dotbot", "rogerbot"],
  ["BLEXBot", "blexbot"],
  ["DataForSeoBot", "dataforseobot"],
  ["SERanking", "serankingbacklinksbot", "seranking"],
  ["serpstatbot", "serpstatbot"],
  ["Barkrowler", "barkrowler"],
  ["Screaming Frog", "screaming frog"],
  ["Sistrix", "sistrix", "optimizer crawler"],
  ["archive.org", "archive.org_bot", "ia_archiver", "heritrix", "wayback"],
  ["Diffbot", "diffbot"],
  ["cohere", "cohere-ai", "cohere-training"],
  ["AI2Bot", "ai2bot"],
  ["ImagesiftBot", "imagesiftbot"],
  ["Omgili", "omgili", "webzio-extended"],
  ["Timpibot", "timpibot"],
  ["YouBot", "youbot"],
  ["Twitterbot", "twitterbot"],
  ["LinkedInBot", "linkedinbot"],
  ["Pinterest", "pinterestbot", "pinterest/0."],
  ["Slackbot", "slackbot", "slack-imgproxy"],
  ["Discordbot", "discordbot"],
  ["TelegramBot", "telegrambot"],
  ["WhatsApp", "whatsapp/"],
  ["UptimeRobot", "uptimerobot"],
  ["Pingdom", "pingdom"],
  ["StatusCake", "statuscake"],
  ["CensysInspect", "censysinspect"],
  ["Expanse", "expanseinc", "expanse, a palo alto"],
  ["feed reader", "feedly", "feedburner", "inoreader", "newsblur", "magpierss", "netnewswire", "tiny tiny rss", "rss"],
  // Last, what only says that no person is reading.
  ["other bot", "bot", "crawl", "spider", "slurp", "scrap", "archiv", "monitor", "checker", "validator", "fetcher"],
];

/** Names by number. 0 is not a crawler: a browser, a library, or no user agent at all. */
export const crawlerFamilies: readonly string[] = ["", ...familyPatterns.map(([family]) => family)];

/**
 * Our own, which logs leave out: validation asks for URLs that no one else would (the results of false rules, and
 * probes for soft 404s), and a site that answers those with 200 would otherwise have them mined and counted as dust the
 * next time.
 */
export const OWN_FAMILY = crawlerFamilies.indexOf("dustpan");

/** Names of phones that contain "bot". */
const NOT_A_BOT = /cubot/g;
/** Blanks as IIS and CloudFront write them. */
const WRITTEN_BLANK = /\+|%(?:25)?20/g;

/** Number of the user agent's family in crawlerFamilies. */
export function crawlerFamily(userAgent: string): number {
  const text = userAgent.toLowerCase().replace(WRITTEN_BLANK, " ").replace(NOT_A_BOT, "");
  return 1 + familyPatterns.findIndex(([, ...patterns]) => patterns.some((pattern) => text.includes(pattern)));
}

/** The most user agents remembered. Real logs have thousands; a log with made-up ones must not fill the memory. */
const MAX_REMEMBERED = 1 << 16;

/** crawlerFamily for bytes of log lines: each distinct user agent is looked at once. */
export class CrawlerFamilies {
  #seen = new ByteTable();
  #families = new Uint8Array(MAX_REMEMBERED);

  of(buffer: Uint8Array, start: number, end: number): number {
    if (end - start <= 1) return 0;
    if (end - start > MAX_INTERNED_BYTES) return crawlerFamily(latin1(buffer, start, end));
    const known = this.#seen.count;
    const row = this.#seen.intern(buffer, start, end);
    if (row < known) return this.#families[row]!;
    const family = crawlerFamily(latin1(buffer, start, end));
    if (known + 1 === MAX_REMEMBERED) this.#seen = new ByteTable();
    else this.#families[row] = family;
    return family;
  }
}

function latin1(buffer: Uint8Array, start: number, end: number): string {
  return Buffer.from(buffer.buffer, buffer.byteOffset + start, end - start).toString("latin1");
}
