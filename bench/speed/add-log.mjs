// A combined log from a seed: what a mid-sized site with crawlers, sessions, searches and images looks like.
import { closeSync, openSync, writeSync } from "node:fs";
import { randomNumbers } from "#src/demo/text.js";

const AGENTS = [
  "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
  "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

export function writeCombinedLog(file, lines, seed = 1) {
  const next = randomNumbers(seed);
  const int = (n) => Math.floor(next() * n);
  // Zipf-like: a few pages have most of the hits.
  const popular = (n) => Math.floor(n ** next()) - 1;
  const browsers = Array.from({ length: 400 }, () => {
    const version = `${90 + int(40)}.0.${int(6000)}.${int(200)}`;
    const system = ["Windows NT 10.0; Win64; x64", "Macintosh; Intel Mac OS X 10_15_7", "X11; Linux x86_64"][int(3)];
    return `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version} Safari/537.36`;
  });
  const url = () => {
    const kind = next();
    const id = popular(30_000);
    if (kind < 0.35) return `/articles/${2000 + (id % 24)}/${String(id).padStart(5, "0")}-on-the-matter-of-things.html`;
    if (kind < 0.55) return `/static/images/thumbnails/${id % 500}/img_${id}.jpg`;
    if (kind < 0.7) return `/forum/viewtopic.php?f=${id % 40}&t=${id}&sid=${(int(2 ** 31) + 2 ** 31).toString(16)}`;
    if (kind < 0.8)
      return `/search?q=${["red", "blue", "old", "new"][int(4)]}+${["cars", "boats", "hats"][int(3)]}&page=${popular(200)}`;
    if (kind < 0.9) return `/articles/${id % 3000}?utm_source=${["feed", "mail", "ads"][int(3)]}`;
    return ["/", "/favicon.ico", "/robots.txt", "/feed.xml", "/static/site.css", "/static/app.js"][int(6)];
  };

  const out = openSync(file, "w");
  let block = [];
  let ms = Date.UTC(2024, 0, 1);
  for (let i = 0; i < lines; i++) {
    ms += int(500);
    const t = new Date(ms);
    const two = (n) => String(n).padStart(2, "0");
    const time = `${two(t.getUTCDate())}/${MONTHS[t.getUTCMonth()]}/${t.getUTCFullYear()}:${two(t.getUTCHours())}:${two(t.getUTCMinutes())}:${two(t.getUTCSeconds())} +0000`;
    const path = url();
    const status = next() < 0.9 ? 200 : [301, 304, 404, 500][int(4)];
    const agent = next() < 0.25 ? AGENTS[int(AGENTS.length)] : browsers[popular(browsers.length)];
    const referrer = next() < 0.5 ? "-" : `https://www.example.com${url()}`;
    const size = status === 304 ? 0 : 500 + ((path.length * 7919) % 90_000);
    const method = next() < 0.97 ? "GET" : next() < 0.5 ? "HEAD" : "POST";
    block.push(
      `10.${int(256)}.${int(256)}.${int(256)} - - [${time}] "${method} ${path} HTTP/1.1" ${status} ${size} "${referrer}" "${agent}"\n`,
    );
    if (block.length === 10_000 || i === lines - 1) {
      writeSync(out, block.join(""));
      block = [];
    }
  }
  closeSync(out);
}
