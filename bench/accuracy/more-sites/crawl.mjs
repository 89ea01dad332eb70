// Crawls a site on loopback by its links, breadth first, and writes what sites.mjs reads: crawl.jsonl (URL, status, digest of the visible
// text) and access.log (the crawler's visits, and those of visitors who come back to what they know).
//   node crawl.mjs ORIGIN FOLDER [MOST] [--visitors]
// With --visitors some of them land as visitors do: from newsletters and advertisements, by short links, without the slash at the end, on /index.php.
import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import path from "node:path";

const [origin, folder, most = "3000", ...flags] = process.argv.slice(2);
const hasVisitors = flags.includes("--visitors");
const log = createWriteStream(path.join(folder, "access.log"));
const pages = createWriteStream(path.join(folder, "crawl.jsonl"));
/** Actions, sessions and what is not a page. */
const DENIED =
  /\.(?:png|gif|jpe?g|svg|css|js|ico|woff2?)(?:\?|$)|\/chrome\/|[?&]do=(?:login|register|edit|resendpwd|admin|profile)|\/(?:login|logout|newticket|prefs|search)\b|lib\/exe\/|\/wp-(?:admin|login|json|includes)|xmlrpc|action=(?:edit|delete|rename|attach)/;

const decode = (text) =>
  text.replaceAll("&amp;", "&").replaceAll("&#38;", "&").replaceAll("&quot;", '"').replaceAll("&#39;", "'");
const visible = (html) =>
  html
    .replace(/<(script|style)\b[\s\S]*?<\/\1>/gi, " ")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");
const sha1 = (text) => createHash("sha1").update(text).digest("hex");

const queue = [`${origin}/`];
const seen = new Set(queue);
const known = [];
/** What a newsletter has made of a URL, and what pagers make of that: nobody lands there once more. */
const TRACKED = /[?&](?:utm_source|fbclid|gclid)=/;
let timeMs = Date.UTC(2026, 10, 2, 8);
function visit(url, status, bytes, who) {
  timeMs += 700;
  const [day, month, year, time] = new Date(timeMs).toUTCString().slice(5, -4).split(" ");
  const { pathname, search } = new URL(url);
  log.write(
    `127.0.0.1 - - [${day}/${month}/${year}:${time} +0000] "GET ${pathname}${search} HTTP/1.1" ${status} ${bytes} "-" "${who}"\n`,
  );
}
let state = 1;
const random = () => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
};

/** How visitors land on a page that links lead to: one way for every third page. */
function landings(url, html) {
  if (!hasVisitors || TRACKED.test(url) || random() > 1 / 3) return [];
  const extended = (text) => [`${url}${url.includes("?") ? "&" : "?"}${text}`];
  const shortLink = /<link rel=['"]shortlink['"] href=['"]([^'"]*)/.exec(html)?.[1];
  const { pathname, search } = new URL(url);
  const ways = [
    () => extended("utm_source=newsletter&utm_medium=email"),
    () => extended(`fbclid=IwAR${Math.floor(random() * 1e12).toString(36)}`),
    () => extended(`gclid=Cj0K${Math.floor(random() * 1e12).toString(36)}`),
    () => (shortLink === undefined ? [] : [decode(shortLink)]),
    () => (pathname.length > 1 && pathname.endsWith("/") ? [`${origin}${pathname.slice(0, -1)}${search}`] : []),
    () => (pathname === "/" ? [`${origin}/index.php${search}`, `${origin}/index.html${search}`] : []),
  ];
  return ways[Math.floor(random() * ways.length)]();
}

for (let at = 0; at < queue.length && at < Number(most); at++) {
  const url = queue[at];
  const answer = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(60_000) }).catch(() => undefined);
  const html = await answer?.text().catch(() => undefined);
  if (html === undefined) continue;
  const location = answer.headers.get("location");
  visit(url, answer.status, Buffer.byteLength(html), "crawler/1.0");
  pages.write(
    `${JSON.stringify({ url, status: answer.status, size: Buffer.byteLength(html), tsha1: sha1(visible(html)), ...(location && { location: new URL(location, url).href }) })}\n`,
  );
  const links =
    location === null
      ? [...html.matchAll(/<a\b[^>]*?\bhref\s*=\s*(["'])(.*?)\1/gi)].map((match) => match[2])
      : [location];
  const landed = answer.status === 200 ? landings(url, html) : [];
  for (const link of [...links, ...landed]) {
    if (!URL.canParse(decode(link), url)) continue;
    const next = new URL(decode(link), url);
    next.hash = "";
    if (next.origin !== origin || seen.has(next.href) || DENIED.test(next.pathname + next.search)) continue;
    seen.add(next.href);
    queue.push(next.href);
  }
  // Visitors come back to what was found so far.
  known.push({ url, status: answer.status, bytes: Buffer.byteLength(html) });
  const again = known[Math.floor(random() * known.length)];
  if (random() < 0.5) visit(again.url, again.status, again.bytes, "Mozilla/5.0");
}
await Promise.all([log, pages].map((stream) => new Promise((resolve) => stream.end(resolve))));
console.log(`${Math.min(queue.length, Number(most))} of ${queue.length} URLs asked for`);
