/** URLs that are hard on exported rules: what the rules speak of, in every spelling, and what they do not. */
import { randomNumbers } from "#src/demo/text.js";

const HOSTS = ["shop.test", "m.shop.test", "forum.test", "www.forum.test", "wiki.test", "iis.test", "other.test"];
const ODD_HOSTS = ["Forum.TEST", "shop.test:80", "xshop.test", "shop.test.", "[2001:db8::1]", "127.0.0.1:8080"];
const SEGMENTS = ["docs", "item", "items", "story", "story_7", "a", "b", "viewtopic.php", "index.html", "Index.html"];
const ODD_SEGMENTS = [
  ..."A|a-print|-print|print|x-print-print|Default.aspx|a;b|;jsessionid=1|p;jsessionid=A1;v=2|jsessionid=3".split("|"),
  ..."|.|..|%2e|%7euser|%C3%A9|%c3%a9|é|日本|*|a+b|a%20b|a%2Fb|~u|$1|\\1|(x)|%28x%29|%2D%3a|%40%|[y]|{z}|^|.html|index.html;x=1".split(
    "|",
  ),
];
const NAMES =
  "sid|utm_source|ref|f|t|lang|id|page|q|jsessionid|a|b|zz|Sid|SID|xsid|sid2|amp;sid|amp;amp;q|amp|q[]|%73id".split(
    "|",
  );
const VALUES = [
  ..."|1|2|en|de|abc|A1b2|a=b|a%3Db|%26|%2F%3f%2c|%28%|%27|%22|x+y|x%20y|é|/story?id=7|/index.html|&amp;|?|a/a/a|'|\"|<b>|$0|\\0|.*|%|%zz|#".split(
    "|",
  ),
];

const TEMPLATED =
  "/story/7|/story/a.b|/story/|/docs/a-print|/docs/x-print-print/|/docs/-print/|/a/view-topic.php|/é/b.php|/a/b.c.php".split(
    "|",
  );

/** What means something in one configuration or another, as the rules for this host have it. */
const HOSTILE = [
  ..."/a\"b'c`d|/$1\\1|/-->|/]]>|/é日|/x/-->/]]>/e|/$1\\1?x[y]{z}=1|/-->?v=1&a'b\"c=2|/?x[y]{z}&v=$0|/?a'b\"c=&v".split(
    "|",
  ),
  `/${"long-".repeat(400)}`,
  `/${"long-".repeat(399)}x`,
];

/** Normal and not; some beyond 8,000 characters. Every one is of the http scheme, or of https. */
export function randomUrls(count: number, seed: number): string[] {
  const random = randomNumbers(seed);
  const oneOf = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const chance = (share: number) => random() < share;

  const parameter = (): string => {
    if (chance(0.08)) return "";
    const name = oneOf(NAMES);
    return chance(0.15) ? name : `${name}=${oneOf(VALUES)}`;
  };
  const query = (): string => {
    if (chance(0.2)) return "";
    let text = "?";
    const length = Math.floor(random() ** 2 * 9);
    for (let i = 0; i < length; i++) text += (i === 0 ? "" : chance(0.2) ? ";" : "&") + parameter();
    return text;
  };
  const path = (): string => {
    if (chance(0.04)) return "";
    if (chance(0.08)) return `/story?id=${Math.floor(random() * 99)}`;
    if (chance(0.06)) return oneOf(TEMPLATED);
    let text = "";
    const length = 1 + Math.floor(random() * 4);
    for (let i = 0; i < length; i++) text += `/${chance(0.3) ? oneOf(ODD_SEGMENTS) : oneOf(SEGMENTS)}`;
    if (chance(0.15)) text += "/";
    if (chance(0.15)) text += `;jsessionid=${Math.floor(random() * 1e6).toString(16)}`;
    return text;
  };
  const url = (): string => {
    if (chance(0.04)) return `http://hostile.test${oneOf(HOSTILE)}${query().replace("?", oneOf(["?", "&"]))}`;
    const scheme = chance(0.03) ? "HTTP" : chance(0.2) ? "https" : "http";
    const host = chance(0.1) ? oneOf(ODD_HOSTS) : oneOf(HOSTS);
    let text = `${scheme}://${host}${path()}${query()}`;
    if (chance(0.005)) text += `${text.includes("?") ? "&" : "?"}long=${"0123456789abcdef".repeat(510)}&sid=1`;
    if (chance(0.003)) text = text.replace(/[?]|$/, `${"/a".repeat(4000)}$&`);
    if (chance(0.06)) text += `#${oneOf(VALUES)}`;
    return text;
  };
  return Array.from({ length: count }, url);
}
